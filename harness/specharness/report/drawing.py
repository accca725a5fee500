"""What to draw of the step that decides a case: which numbers, in which words. Where they go is `plot`'s."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from specharness.implementation.observation import Returned
from specharness.judge.values import plain_int
from specharness.judge.verdict import Verdict
from specharness.report.cumulative import Cumulative, cumulative_of
from specharness.report.failure import hangs_on_rule, parting
from specharness.report.rows import Rows, Source, rows_of
from specharness.report.trace import decisive_step, step_lines
from specharness.suite.model import Case
from specharness.suite.policies import policy_of
from specreference import Choice, Decision, InvalidInput, Trace
from specreference.exact import residual

MOST_STEPS = 6
"""So many positions of a block are drawn."""


@dataclass(frozen=True, slots=True)
class Step:
    """One comparison: the uniform `u` with the acceptance probability or the share, `bound`."""

    number: int
    token: int
    u: Fraction
    bound: Fraction
    accepted: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """Steps, each with what its uniform is compared with. `words` say all that is drawn."""

    title: str
    words: str
    bound: str
    steps: tuple[Step, ...]
    note: str


Figure = Comparison | Rows | Cumulative


def drawing_of(verdict: Verdict, trace: Trace | InvalidInput) -> tuple[Figure, ...]:
    """The figures of a failure, in the order in which the rule decides; none where there is no step to show."""
    if isinstance(trace, InvalidInput) or not hangs_on_rule(verdict):
        return ()
    scene = _Scene(verdict, trace)
    figures = (scene.comparison(), scene.rows(), scene.cumulative())
    return tuple(figure for figure in figures if figure is not None)


class _Scene:
    """A case, the reference's trace of it, and what the implementation made of it."""

    def __init__(self, verdict: Verdict, trace: Trace) -> None:
        self._case: Case = verdict.case
        self._arguments: dict[str, Any] = verdict.case.arguments()
        self._trace = trace
        self._tokens: list[int] = self._arguments["draft_tokens"]
        self._kept = len(trace.outcome.accepted_tokens)
        self._step = decisive_step(trace, len(self._tokens), parting(verdict))
        self._given = _given(verdict)

    def comparison(self) -> Comparison | None:
        if self._step is None or not self._trace.decisions:
            return None
        block = self._case.profile == "block"
        decisions = self._trace.decisions
        first = max(0, min(self._kept, self._step) - 1)
        shown = decisions[first : first + MOST_STEPS] if block else (decisions[self._step],)
        lines = step_lines(self._case, self._trace)
        bound = "h" if block else "min(1, p/q)"
        title = f"u against the share {bound}, by position" if block else f"Step {self._step}: u against {bound}"
        steps = tuple(self._compared(decision) for decision in shown)
        notes = [f"{len(decisions) - len(shown)} of {len(decisions)} positions are left out."] * (
            block and len(shown) < len(decisions)
        )
        notes += [note for step in steps if (note := _too_near(step, bound))]
        words = "; ".join(lines[decision.step] for decision in shown)
        return Comparison(title, words, bound, steps, " ".join(notes))

    def rows(self) -> Rows | None:
        row = self._row
        if row is None:
            return None
        token = self._tokens[row] if row < len(self._tokens) else None
        return rows_of(self._source(row), row, draft=token, given=self._given.get(row))

    def cumulative(self) -> Cumulative | None:
        choice = self._choice
        if choice is None or choice.coin is None:
            return None
        if choice.kind == "massless" and policy_of(self._case).massless != "target":
            return None
        return cumulative_of(choice, self._kept, given=self._given.get(self._kept))

    @cached_property
    def _row(self) -> int | None:
        """The row to draw: that of the decisive step, in a block that of the choice."""
        if self._step is not None and self._case.profile != "block":
            return self._step
        return self._kept if self._choice else None

    @cached_property
    def _choice(self) -> Choice | None:
        """How the last token was taken; None where there is none."""
        return self._trace.choices[-1] if self._trace.outcome.bonus_token is not None else None

    def _source(self, row: int) -> Source:
        """Where a row's token comes from: the reference's own choice, or what a rejection would have led to."""
        if self._case.profile == "greedy":
            return Source.of(self._trace.choices[row])
        if row == self._kept and self._choice:
            return Source.of(self._choice)
        p, x = self._arguments["target_probs"][row], self._tokens[row]
        drafts = self._arguments["draft_probs"]
        q = drafts[row] if drafts else [1.0 if y == x else 0.0 for y in range(len(p))]
        return Source("residual", p, q, Fraction(1), residual(p, q), None, drawn=False)

    def _compared(self, decision: Decision) -> Step:
        bound = _bound(decision, self._case.profile)
        token = self._tokens[decision.step]
        return Step(decision.step, token, Fraction(decision.u), bound, decision.accepted)


def _bound(decision: Decision, profile: str) -> Fraction:
    if decision.below == 0:
        return Fraction(profile == "block" or decision.above > 0)
    return min(Fraction(1), decision.above / decision.below)


def _too_near(step: Step, bound: str) -> str:
    gap = abs(step.u - step.bound)
    if not 0 < gap < Fraction(1, 200):
        return ""
    return f"u and {bound} are {float(gap):.3g} apart, too near to be told apart here."


def _given(verdict: Verdict) -> dict[int, int]:
    """The row that the implementation took its last token from, and that token, where it gave one."""
    answer = verdict.observation.answer
    if not isinstance(answer, Returned) or not isinstance(answer.value, dict):
        return {}
    accepted, token = answer.value.get("accepted_tokens"), plain_int(answer.value.get("bonus_token"))
    return {len(accepted): token} if isinstance(accepted, list) and token is not None else {}
