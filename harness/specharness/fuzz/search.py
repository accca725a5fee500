"""The search: examples from Hypothesis, each distinct cause once, made small, within a budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, given, seed, settings

from specharness.fuzz.examples import Example, examples
from specharness.fuzz.expect import is_decided
from specharness.fuzz.probe import probe
from specharness.fuzz.relations import broken, relations
from specharness.fuzz.shrink import shrunk
from specharness.fuzz.subject import Seen, Subject
from specharness.implementation.observation import Answer, Loss, Lost
from specharness.judge.verdict import Verdict
from specharness.suite.clauses import Level
from specharness.suite.model import Case
from specharness.suite.select import level_of

Cause = tuple[str, str]
"""Clause and kind of a difference."""

_TRIES = 800
"""So many tries make a finding small: a number, so that the same seed gives the same bytes on any machine."""

_SHRINKING = 5.0
"""Seconds after which they end all the same."""

_SHIPPED = 5.0
_MOST_LOST = 3
_RELATED = 20_000
"""Inputs with longer arguments are judged, but not asked about again in other words."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How long to search: so many examples, and so many seconds. The same `seed` gives the same examples."""

    examples: int
    seconds: float
    seed: int


@dataclass(frozen=True, slots=True)
class Finding:
    """One cause, with the smallest input found that shows it.

    `relation` says what is wrong where two answers that may be right one by one do not go together.
    """

    cause: Cause
    seen: Seen
    relation: str = ""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a search came to.

    `shipped` are the verdicts on the inputs of the shipped cases. `ended` says why it ended early, empty where it did
    not, and `interrupted` whether that was from the keyboard.
    """

    findings: tuple[Finding, ...]
    shipped: tuple[Verdict, ...]
    examples: int
    calls: int
    seconds: float
    ended: str = ""
    interrupted: bool = False


class _Over(BaseException):
    """Ends Hypothesis at once; it is no Exception, so that it passes through."""


class Search:
    """One search. `fresh` asks a new process about a case, `progress` is told how many examples are done."""

    def __init__(
        self,
        subject: Subject,
        shipped: Sequence[Case],
        budget: Budget,
        *,
        fresh: Callable[[Case], Answer | None] = lambda case: None,
        progress: Callable[[int], None] = lambda done: None,
    ) -> None:
        self._subject = subject
        self._shipped = shipped
        self._budget = budget
        self._fresh = fresh
        self._progress = progress
        self._found: dict[Cause, Finding] = {}
        self._known: set[Cause] = set()
        self._replayed: list[Verdict] = []
        self._examples = 0
        self._lost = 0
        self._end = 0.0
        self._ended = ""

    def run(self) -> Outcome:
        """Search until the budget is used up, or the implementation can't be asked any more."""
        began = time.monotonic()
        self._end = began + self._budget.seconds
        interrupted = False
        try:
            for part in (self._generate, self._replay_shipped):
                if self._lost < _MOST_LOST:
                    with suppress(_Over):  # `_ended` says why
                        part()
        except KeyboardInterrupt:
            interrupted, self._ended = True, "interrupted"
        seconds = time.monotonic() - began
        found = tuple(self._found.values())
        return Outcome(
            found, tuple(self._replayed), self._examples, self._subject.calls, seconds, self._ended, interrupted
        )

    def _generate(self) -> None:
        """Let Hypothesis give the examples. It sees each of them pass: what they show is kept here."""
        rules = self._subject.rules
        test = given(examples(rules.profile, rules.policy, self._shipped, strict=rules.strict))(self._try)
        test = settings(
            max_examples=self._budget.examples,
            phases=(Phase.generate,),
            database=None,
            deadline=None,
            suppress_health_check=list(HealthCheck),
            verbosity=Verbosity.quiet,
        )(test)
        seed(self._budget.seed)(test)()

    def _try(self, example: Example) -> None:
        """One example: its input, those that it goes together with, and its thresholds."""
        if time.monotonic() > self._end:
            self._ended = "out of time"
            raise _Over
        self._examples += 1
        self._progress(self._examples)
        rules = self._subject.rules
        seen = self._see(example.arguments)
        if seen.fails or seen.case.expected.raises:
            return
        short = len(seen.case.arguments_json) <= _RELATED
        if short and (rules.strict or level_of(seen.case, rules.clauses) is Level.MUST):
            self._relate(example.arguments, seen)
        if example.probes is not None:
            probe(example.arguments, example.probes, rules.profile, rules.policy, self._see)

    def _relate(self, arguments: dict[str, Any], seen: Seen) -> None:
        rules = self._subject.rules
        answer = seen.observation.answer
        for relation in relations(arguments, answer, rules.profile, rules.policy):
            other = self._see(relation.arguments)
            cause = relation.clause, relation.name
            wrong = "" if other.fails or cause in self._known else broken(relation, answer, other.observation.answer)
            if wrong and self._is_decided(seen.case) and self._is_decided(other.case):
                self._enter(Finding(cause, other, relation=wrong))

    def _is_decided(self, case: Case) -> bool:
        rules = self._subject.rules
        return is_decided(case, rules.policy, rules.arithmetic)

    def _see(self, arguments: dict[str, Any]) -> Seen:
        """Ask, and enter what fails. Raises `_Over` where the implementation can't be asked any more."""
        seen = self._subject.see(arguments)
        if isinstance(seen.observation.answer, Lost):
            self._lose(seen, seen.observation.answer)
        elif seen.fails and _cause(seen) not in self._known:
            self._enter(self._confirmed(self._smallest(arguments, seen)))
        return seen

    def _lose(self, seen: Seen, lost: Lost) -> None:
        """Enter a call without an answer as it is: to make it small would take a new process for each try."""
        self._lost += 1
        if seen.fails and _cause(seen) not in self._known:
            self._enter(Finding(_cause(seen), seen))
        if lost.loss is Loss.NOT_RUN:
            self._lost = _MOST_LOST
        if self._lost >= _MOST_LOST:
            self._ended = f"given up after {self._lost} calls without an answer; the last: {lost.detail}"
            raise _Over

    def _enter(self, finding: Finding) -> None:
        self._known.add(finding.cause)
        self._found.setdefault(finding.cause, finding)

    def _smallest(self, arguments: dict[str, Any], seen: Seen) -> Seen:
        """The same cause on a small input."""
        cause, best = _cause(seen), seen
        end = min(self._end, time.monotonic()) + _SHRINKING
        tries = 0
        self._known.add(cause)

        def shows(candidate: dict[str, Any]) -> bool:
            nonlocal best, tries
            tries += 1
            if tries > _TRIES or time.monotonic() > end:
                return False
            tried = self._subject.see(candidate)
            if not tried.fails or _cause(tried) != cause:
                return False
            best = tried
            return True

        shrunk(arguments, shows)
        return best

    def _confirmed(self, seen: Seen) -> Finding:
        """The finding, asked about again in this process and in a new one: is it of this input at all?"""
        if _cause(seen)[0] == "SV-PURE-2":
            return Finding(_cause(seen), seen)
        case, observation = seen.case, seen.observation
        again = self._subject.see_case(case).observation.answer
        observation = replace(observation, repeat=observation.repeat and again)
        if not isinstance(again, Lost) and (fresh := self._fresh(case)):
            observation = replace(observation, fresh=fresh)
        verdict = self._subject.judge(case, observation)
        impure = tuple(breach for breach in verdict.breaches if breach.clause == "SV-PURE-2")
        others = tuple(breach for breach in verdict.breaches if breach.clause != "SV-PURE-2")
        seen = Seen(case, observation, replace(verdict, breaches=impure + others))
        return Finding(_cause(seen), seen)

    def _replay_shipped(self) -> None:
        """The inputs of the shipped cases as well."""
        end = time.monotonic() + _SHIPPED
        for case in self._shipped:
            if time.monotonic() > end:
                self._ended = self._ended or "out of time within the shipped cases"
                return
            if verdict := self._see(case.arguments()).verdict:
                self._replayed.append(replace(verdict, case=replace(verdict.case, id=case.id)))


def _cause(seen: Seen) -> Cause:
    """Clause and kind of the first breach of what fails."""
    assert seen.verdict is not None
    breach = seen.verdict.breaches[0]
    return breach.clause, breach.cause
