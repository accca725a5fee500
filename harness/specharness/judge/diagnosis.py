"""Which known faults an implementation behaves like, from the pattern of its outcomes over all cases.

A failing case speaks for a fault that gives the same wrong answer on it, a passing one against a fault that fails it.
Cases that drew advice neither speak for nor against, but decide between faults that fit alike.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

from specharness.judge.kills import Departures, calls_of, departures
from specharness.judge.symptoms import Symptom, symptoms
from specharness.judge.verdict import Status, Verdict
from specreference.faults import FAULTS, Fault

_LIKENESS = 0.5
"""At least so much of what either shows must be shown by both."""

_MOST_CASES = 1000
"""A longer run is diagnosed by so many of its cases, failing ones first, spread evenly."""

_LARGE = 100_000
"""Arguments of more characters than this are left out where smaller cases fail as well."""

Evidence = frozenset[tuple[str, Symptom]]
"""Symptoms, each with the id of the case that shows it."""


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
    number of failing cases that were compared.
    """

    failing: int
    matches: tuple[Match, ...] = ()
    together: tuple[Match, ...] = ()


@dataclass(frozen=True, slots=True)
class _Patient:
    """What a run showed: symptoms of its failing cases and of those with advice, and the ids of all that count."""

    failing: Evidence
    advice: Evidence
    advised: frozenset[str]


def diagnose(verdicts: Sequence[Verdict], profile: str) -> Diagnosis:
    """Compare the failures of a run with every known fault of its profile. It runs these faults in this process."""
    compared = _compared([verdict for verdict in verdicts if verdict.status is not Status.NOT_RUN])
    patient = _Patient(
        _evidence(_shown(compared, Status.FAILED)),
        _evidence(_shown(compared, Status.ADVICE)),
        frozenset(verdict.case.id for verdict in compared if verdict.status is Status.ADVICE),
    )
    failing = {case for case, _ in patient.failing}
    shown = _suspects(compared, failing, profile)
    ranked = sorted(shown, key=lambda name: _rank(shown[name], patient), reverse=True)
    matches = _matches(ranked, shown, patient)
    whole = bool(matches) and len(matches[0].cases) == len(failing)
    together = () if whole else _together(ranked, shown, patient)
    return Diagnosis(len(failing), matches, together)


def _compared(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts to compare, in order."""
    failing = [verdict for verdict in verdicts if verdict.status is Status.FAILED]
    small = [verdict for verdict in failing if len(verdict.case.arguments_json) <= _LARGE]
    if small:
        verdicts = [verdict for verdict in verdicts if len(verdict.case.arguments_json) <= _LARGE]
        failing = small
    if len(verdicts) <= _MOST_CASES:
        return list(verdicts)
    failing = _spread(failing, _MOST_CASES // 2)
    others = [verdict for verdict in verdicts if verdict.status is not Status.FAILED]
    kept = {verdict.case.id for verdict in (*failing, *_spread(others, _MOST_CASES - len(failing)))}
    return [verdict for verdict in verdicts if verdict.case.id in kept]


def _spread(verdicts: Sequence[Verdict], most: int) -> list[Verdict]:
    step = max(1, -(-len(verdicts) // most))
    return list(verdicts[::step])


def _shown(verdicts: Iterable[Verdict], status: Status) -> dict[str, frozenset[Symptom]]:
    return {
        verdict.case.id: symptoms(verdict.case, verdict.observation, differs=_answers_wrongly(verdict))
        for verdict in verdicts
        if verdict.status is status
    }


def _answers_wrongly(verdict: Verdict) -> bool:
    """Whether it is the answer that is wrong, not only what number types it is made of or what the call left behind."""
    return any(not breach.clause.startswith("SV-PURE") and breach.clause != "SV-OUT-5" for breach in verdict.breaches)


def _evidence(found: Departures) -> Evidence:
    return frozenset((case, symptom) for case, shown in found.items() for symptom in shown)


def _suspects(verdicts: Sequence[Verdict], failing: set[str], profile: str) -> dict[str, Evidence]:
    """What each fault shows on all cases, of those that show something of the same on the failing ones.

    Faults that remember earlier calls see all cases in order; of the others, most are ruled out by the failing ones.
    """
    everything = calls_of(verdict.case for verdict in verdicts)
    first = [call for call in everything if call[0].id in failing]
    rest = [call for call in everything if call[0].id not in failing]
    observed = _evidence(_shown(verdicts, Status.FAILED))
    shown = {}
    for fault in FAULTS.values():
        if profile not in fault.profiles:
            continue
        if fault.clause == "SV-PURE-2":
            shown[fault.id] = _evidence(departures(fault, everything))
        elif (found := _evidence(departures(fault, first))) & observed:
            shown[fault.id] = found | _evidence(departures(fault, rest))
    return {name: evidence for name, evidence in shown.items() if evidence & observed}


def _judged(evidence: Evidence, patient: _Patient) -> Evidence:
    return frozenset(item for item in evidence if item[0] not in patient.advised)


def _likeness(evidence: Evidence, patient: _Patient) -> float:
    """The share that both show of what either shows, on cases that passed or failed."""
    judged = _judged(evidence, patient)
    return len(judged & patient.failing) / len(judged | patient.failing)


def _rank(evidence: Evidence, patient: _Patient) -> tuple[float, float]:
    advice = frozenset(item for item in evidence if item[0] in patient.advised)
    return _likeness(evidence, patient), -len(advice ^ patient.advice)


def _match(name: str, evidence: Evidence, patient: _Patient, alike: Iterable[str] = ()) -> Match:
    judged = _judged(evidence, patient)
    same = {case for case, _ in judged & patient.failing} - {case for case, _ in patient.failing - judged}
    failed = {case for case, _ in patient.failing}
    against = {case for case, _ in judged} - failed
    return Match(FAULTS[name], tuple(sorted(same)), tuple(sorted(against)), tuple(FAULTS[other] for other in alike))


def _matches(ranked: list[str], shown: dict[str, Evidence], patient: _Patient) -> tuple[Match, ...]:
    """The closest faults, those with the same rank as the first under its name."""
    close = [name for name in ranked if _likeness(shown[name], patient) >= _LIKENESS]
    if not close:
        return ()
    best = [name for name in close if _rank(shown[name], patient) == _rank(shown[close[0]], patient)]
    others = close[len(best) : len(best) + 2]
    alike = [name for name in best[1:] if not _declared_equivalent(name, best[0])]
    first = _match(best[0], shown[best[0]], patient, alike)
    return (first, *(_match(name, shown[name], patient) for name in others))


def _declared_equivalent(one: str, other: str) -> bool:
    pairs = ((FAULTS[one].equivalent_to, other), (FAULTS[other].equivalent_to, one))
    return any(same is not None and same.id == name for same, name in pairs)


def _together(ranked: list[str], shown: dict[str, Evidence], patient: _Patient) -> tuple[Match, ...]:
    """The two faults that show all that fails and the least beyond."""
    pairs = [pair for pair in combinations(ranked, 2) if patient.failing <= shown[pair[0]] | shown[pair[1]]]
    if not pairs:
        return ()
    pair = max(pairs, key=lambda names: _rank(shown[names[0]] | shown[names[1]], patient))
    if _likeness(shown[pair[0]] | shown[pair[1]], patient) < _LIKENESS:
        return ()
    return tuple(_match(name, shown[name], patient) for name in pair)
