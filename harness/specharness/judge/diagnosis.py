"""Which known faults an implementation behaves like, from the pattern of its outcomes over all cases.

A failing case speaks for a fault that gives the same wrong answer on it, a passing one against a fault that fails it.
Cases that drew advice neither speak for nor against, but decide between faults that fit alike. Of those that no case
tells apart, one of a clause that the failures break is named first. Where no fault has the same answers, those of the
same sort are compared: another exception, another flaw of the form.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from specharness.implementation.observation import Lost
from specharness.judge.compare import same_answer
from specharness.judge.kills import Departures, calls_of, departures
from specharness.judge.symptoms import Symptom, symptoms
from specharness.judge.verdict import Status, Verdict
from specreference.faults import FAULTS, Fault

_LIKENESS = 0.5
"""At least so much of what either shows must be shown by both."""

_MOST_CASES = 600
"""A longer run is diagnosed by so many of its cases, failing ones first, spread evenly."""

_MANY = 10
"""Cases that expect so many outcomes are not all answered alike, unless the answer has nothing to do with them."""

_LARGE = 100_000
"""Cases with longer arguments are left out where smaller ones fail as well."""

Evidence = frozenset[tuple[str, str, str]]
"""Case, kind of departure, and what came, in full or by its sort."""


@dataclass(frozen=True, slots=True)
class Match:
    """A fault, and how it fits: the failing cases with the same outcome, and the passing ones that it fails.

    `alike` are other faults that fit as well.
    """

    fault: Fault
    cases: tuple[str, ...]
    against: tuple[str, ...]
    alike: tuple[Fault, ...] = ()


@dataclass(frozen=True, slots=True)
class Diagnosis:
    """The faults that an implementation behaves like, the closest first; none where nothing known fits.

    `together` are two faults that between them give every failing outcome, where no single one does. `failing` is the
    number of failing cases that were compared, `exact` whether by their outcomes or by the sort of these only.
    """

    failing: int
    matches: tuple[Match, ...] = ()
    together: tuple[Match, ...] = ()
    exact: bool = True


def diagnose(verdicts: Sequence[Verdict], profile: str) -> Diagnosis:
    """Compare the failures of a run with every known fault of its profile. It runs these faults in this process."""
    compared = _compared([verdict for verdict in verdicts if verdict.status is not Status.NOT_RUN])
    if _ignores_input(compared):
        return Diagnosis(sum(verdict.status is Status.FAILED for verdict in compared), exact=False)
    found = {verdict.case.id: _symptoms(verdict) for verdict in compared}
    observed = _Observed(
        {verdict.case.id: found[verdict.case.id] for verdict in compared if verdict.status is Status.FAILED},
        {verdict.case.id: found[verdict.case.id] for verdict in compared if verdict.status is Status.ADVICE},
        _broken(compared),
    )
    shown = _suspects(compared, observed, profile)
    exact = _Comparison(shown, observed, _in_full).diagnosis(exact=True)
    if exact.matches or exact.together:
        return exact
    return _Comparison(shown, observed, _by_sort).diagnosis(exact=False)


def _ignores_input(verdicts: Sequence[Verdict]) -> bool:
    """Whether cases that expect many outcomes all got one answer: it says nothing of how a step is verified."""
    if len({verdict.case.expected for verdict in verdicts}) < _MANY:
        return False
    first, *others = (verdict.observation.answer for verdict in verdicts)
    return not isinstance(first, Lost) and all(same_answer(first, other) for other in others)


def _compared(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts to compare, in order."""
    failing = [verdict for verdict in verdicts if verdict.status is Status.FAILED]
    small = [verdict for verdict in failing if len(verdict.case.arguments_json) <= _LARGE]
    if small:
        verdicts = [verdict for verdict in verdicts if len(verdict.case.arguments_json) <= _LARGE]
        failing = small
    if len(verdicts) <= _MOST_CASES:
        return list(verdicts)
    failing = _spread(failing, _MOST_CASES // 3)
    others = [verdict for verdict in verdicts if verdict.status is not Status.FAILED]
    kept = {verdict.case.id for verdict in (*failing, *_spread(others, _MOST_CASES - len(failing)))}
    return [verdict for verdict in verdicts if verdict.case.id in kept]


def _spread(verdicts: Sequence[Verdict], most: int) -> list[Verdict]:
    step = max(1, -(-len(verdicts) // most))
    return list(verdicts[::step])


def _symptoms(verdict: Verdict) -> frozenset[Symptom]:
    """What a verdict shows; of an acceptable answer, what else is wrong with it."""
    differs = any(not b.clause.startswith("SV-PURE") and b.clause != "SV-OUT-5" for b in verdict.breaches)
    return symptoms(verdict.case, verdict.observation, differs=differs)


def _broken(verdicts: Sequence[Verdict]) -> Counter[str]:
    """How many failing cases break each clause."""
    failing = (verdict for verdict in verdicts if verdict.status is Status.FAILED)
    return Counter(clause for verdict in failing for clause in {breach.clause for breach in verdict.breaches})


@dataclass(frozen=True, slots=True)
class _Observed:
    """What the cases of a run showed, failing ones and those with advice, by id, and the clauses that they broke."""

    failing: Departures
    advised: Departures
    broken: Counter[str]


def _suspects(verdicts: Sequence[Verdict], observed: _Observed, profile: str) -> dict[str, Departures]:
    """What each fault shows on all cases, of those that show something of the same sort on a failing one.

    Faults that remember earlier calls see all cases in order; most of the others are ruled out by the failing ones.
    """
    calls = calls_of(verdict.case for verdict in verdicts)
    first = [call for call in calls if call[0].id in observed.failing]
    rest = [call for call in calls if call[0].id not in observed.failing]
    wanted = _by_sort(observed.failing)
    shown = {}
    for fault in FAULTS.values():
        if profile not in fault.profiles:
            continue
        if fault.clause == "SV-PURE-2":
            shown[fault.id] = departures(fault, calls)
        elif _by_sort(found := departures(fault, first)) & wanted:
            shown[fault.id] = {**found, **departures(fault, rest)}
    return shown


def _in_full(found: Departures) -> Evidence:
    return frozenset((case, symptom.kind, symptom.what) for case, shown in found.items() for symptom in shown)


def _by_sort(found: Departures) -> Evidence:
    return frozenset((case, symptom.kind, symptom.sort) for case, shown in found.items() for symptom in shown)


class _Comparison:
    """The faults held against what was observed, by one way to tell outcomes apart."""

    def __init__(
        self, shown: dict[str, Departures], observed: _Observed, evidence: Callable[[Departures], Evidence]
    ) -> None:
        self._failing = evidence(observed.failing)
        self._advice = evidence(observed.advised)
        self._failed = set(observed.failing)
        self._broken = observed.broken
        advised = set(observed.advised)
        self._judged: dict[str, Evidence] = {}
        self._beyond: dict[str, Evidence] = {}
        for name, departed in shown.items():
            found = evidence(departed)
            self._judged[name] = frozenset(item for item in found if item[0] not in advised)
            self._beyond[name] = found - self._judged[name]

    def diagnosis(self, *, exact: bool) -> Diagnosis:
        """What fits."""
        suspects = [name for name, judged in self._judged.items() if judged & self._failing]
        ranked = sorted(suspects, key=lambda name: (self._rank(name), self._broken[FAULTS[name].clause]), reverse=True)
        matches = self._matches(ranked)
        whole = bool(matches) and len(matches[0].cases) == len(self._failed)
        return Diagnosis(len(self._failed), matches, () if whole else self._together(ranked), exact)

    def _shown(self, *names: str) -> Evidence:
        return frozenset[tuple[str, str, str]]().union(*(self._judged[name] for name in names))

    def _likeness(self, *names: str) -> float:
        """The share that both show of what either shows, on cases that passed or failed."""
        judged = self._shown(*names)
        return len(judged & self._failing) / len(judged | self._failing)

    def _rank(self, *names: str) -> tuple[float, float]:
        advice = frozenset[tuple[str, str, str]]().union(*(self._beyond[name] for name in names))
        return self._likeness(*names), -len(advice ^ self._advice)

    def _matches(self, ranked: list[str]) -> tuple[Match, ...]:
        """The closest faults, those with the same rank as the first under its name."""
        close = [name for name in ranked if self._likeness(name) >= _LIKENESS]
        if not close:
            return ()
        best = [name for name in close if self._rank(name) == self._rank(close[0])]
        alike = [name for name in best[1:] if not _declared_equivalent(name, best[0])]
        return (self._match(best[0], alike), *(self._match(name) for name in close[len(best) : len(best) + 2]))

    def _together(self, ranked: list[str]) -> tuple[Match, ...]:
        """The two faults that show all that fails, and the least beyond."""
        pairs = (pair for pair in combinations(ranked, 2) if self._failing <= self._shown(*pair))
        best = max(pairs, key=lambda pair: self._rank(*pair), default=())
        if not best or self._likeness(*best) < _LIKENESS:
            return ()
        return tuple(self._match(name) for name in best)

    def _match(self, name: str, alike: Iterable[str] = ()) -> Match:
        judged = self._judged[name]
        missed = {case for case, _, _ in self._failing - judged}
        same = {case for case, _, _ in judged & self._failing} - missed
        against = {case for case, _, _ in judged} - self._failed
        others = tuple(FAULTS[other] for other in alike)
        return Match(FAULTS[name], tuple(sorted(same)), tuple(sorted(against)), others)


def _declared_equivalent(one: str, other: str) -> bool:
    pairs = ((FAULTS[one].equivalent_to, other), (FAULTS[other].equivalent_to, one))
    return any(same is not None and same.id == name for same, name in pairs)
