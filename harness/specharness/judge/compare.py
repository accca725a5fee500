"""An observation against the expectation of its case."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from specharness.implementation.observation import Answer, Lost, Observation, Raised, Returned
from specharness.judge.attribution import clause_of_acceptance, clause_of_choice
from specharness.judge.breach import Breach
from specharness.judge.output import read_result
from specharness.judge.rounding import Arithmetic, nearest_acceptable, rounding_note
from specharness.judge.values import same, show
from specharness.suite.clauses import Clause
from specharness.suite.model import Case
from specharness.suite.select import level_of

ANOTHER_IN_NEW_PROCESS = "another result in a new process"
"""The cause of a failure that depends on earlier calls."""


def compare(
    case: Case, observation: Observation, clauses: Mapping[str, Clause], arithmetic: Arithmetic
) -> tuple[Breach, ...]:
    """What in `observation` differs from what `case` expects, the difference that names the failure first."""
    judge = _Judge(case, clauses, arithmetic)
    return (*judge.answer(observation.answer), *judge.purity(observation))


class _Judge:
    """The judgement of one case."""

    def __init__(self, case: Case, clauses: Mapping[str, Clause], arithmetic: Arithmetic) -> None:
        self._case = case
        self._clauses = clauses
        self._arithmetic = arithmetic

    def answer(self, answer: Answer) -> Iterator[Breach]:
        """Breaches that the first call's answer shows."""
        expected = self._case.expected
        match answer:
            case Lost():
                yield self._of_case(f"the call {answer.loss.value}", [answer.detail])
            case Raised() if expected.raises is None:
                lines = [f"expected a result, got {show_answer(answer)}"]
                if answer.exception == "bdb.BdbQuit":
                    lines.append("breakpoint() needs the terminal: run specharness on one --case with --in-process")
                yield self._of_case(f"raised {answer.exception}", lines)
            case Raised() if expected.raises and not answer.is_a(expected.raises):
                lines = [f"expected {expected.raises}, got {show_answer(answer)}"]
                yield self._of_case(f"raised {answer.exception} instead of {expected.raises}", lines)
            case Returned() if expected.raises is not None:
                lines = [f"expected {expected.raises}, got the result {show(answer.value)}"]
                yield self._of_case(f"returned instead of raising {expected.raises}", lines)
            case Returned() if not same(answer.value, expected.as_result()):
                yield from self._result(answer.value)

    def purity(self, observation: Observation) -> Iterator[Breach]:
        """SV-PURE-1 and SV-PURE-2."""
        if observation.mutated:
            names = ", ".join(observation.mutated)
            yield self._own("SV-PURE-1", "arguments changed", f"changed by the call: {names}")
        others = (
            ("a second call", "another result in a second call", observation.repeat),
            ("a new process", ANOTHER_IN_NEW_PROCESS, observation.fresh),
        )
        for when, cause, other in others:
            if other is not None and not same_answer(observation.answer, other):
                line = f"the same arguments gave {show_answer(observation.answer)}, in {when} {show_answer(other)}"
                yield self._own("SV-PURE-2", cause, line)
                return

    def _result(self, value: Any) -> Iterator[Breach]:
        arguments = self._case.arguments()
        rows = [*(arguments["draft_probs"] or ()), *arguments["target_probs"]]
        read = read_result(value, len(rows[0]) if rows else None)
        expected = nearest_acceptable(read.fields, self._case, self._arithmetic)
        differing = [name for name, got in read.fields.items() if got != expected[name]]
        yield from (self._own(flaw.clause, flaw.cause, flaw.line) for flaw in read.flaws if flaw.clause != "SV-OUT-5")
        if differing:
            yield self._difference(differing, read.fields, expected, arguments)
        yield from (self._own(flaw.clause, flaw.cause, flaw.line) for flaw in read.flaws if flaw.clause == "SV-OUT-5")

    def _difference(
        self, differing: list[str], got: dict[str, Any], expected: dict[str, Any], arguments: dict[str, Any]
    ) -> Breach:
        lines = [f"{name}: expected {show(expected[name])}, got {show(got[name])}" for name in differing]
        lines += rounding_note(got, self._case, self._arithmetic)
        accepted = got.get("accepted_tokens", expected["accepted_tokens"])
        if accepted != arguments["draft_tokens"][: len(accepted)]:
            return Breach(
                "SV-OUT-2",
                self._clauses["SV-OUT-2"].level,
                "accepted_tokens is no prefix of draft_tokens",
                tuple(lines),
            )
        if accepted == expected["accepted_tokens"]:
            clause = clause_of_choice(self._case, len(arguments["draft_tokens"]))
            return self._of_case("another bonus_token", lines, clause)
        few = len(accepted) < len(expected["accepted_tokens"])
        cause = f"accepts too {'few' if few else 'many'} tokens"
        return self._of_case(cause, lines, clause_of_acceptance(self._case, few=few))

    def _of_case(self, cause: str, lines: list[str], clause: str = "") -> Breach:
        """A breach at the case's level, of `clause` or else of the case's first."""
        level = level_of(self._case, self._clauses)
        return Breach(clause or self._case.clauses[0], level, cause, tuple(lines))

    def _own(self, clause: str, cause: str, line: str) -> Breach:
        """A breach of a clause that is judged on every case at its own level."""
        return Breach(clause, self._clauses[clause].level, cause, (line,))


def same_answer(one: Answer, other: Answer) -> bool:
    """Whether two calls with the same arguments were answered alike, as far as is known."""
    if isinstance(one, Returned) and isinstance(other, Returned):
        return same(one.value, other.value)
    if isinstance(one, Raised) and isinstance(other, Raised):
        return one.exception == other.exception
    return isinstance(one, Lost)  # what a lost call would have answered is not known


def show_answer(answer: Answer) -> str:
    """An answer in words."""
    match answer:
        case Returned():
            return show(answer.value)
        case Raised():
            return f"{answer.exception}: {answer.message}" if answer.message else answer.exception
        case Lost():
            return answer.detail
