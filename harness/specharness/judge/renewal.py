"""What a baseline should say after a run: entries kept, narrowed, changed, taken out and added."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from specharness.implementation.observation import Answer, Lost, Raised, Returned
from specharness.judge.known import accounts_for, gates, pairs_of, passes_although_listed
from specharness.judge.verdict import Status, Verdict
from specharness.suite.baseline import Baseline, Entry, KnownAnswer, KnownBreaches, recorded
from specharness.suite.yaml_flow import can_be_written

Outcome = KnownBreaches | KnownAnswer


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry as it should be: with these patterns, none where it goes, and this outcome."""

    patterns: tuple[str, ...]
    outcome: Outcome


@dataclass(frozen=True, slots=True)
class Renewal:
    """`kept` has what becomes of each entry, in order; `added` are cases by outcome; `passing` are taken out."""

    kept: tuple[Kept, ...]
    added: Mapping[KnownBreaches, tuple[str, ...]]
    passing: tuple[str, ...]


def renew(baseline: Baseline, verdicts: Sequence[Verdict], *, strict: bool) -> Renewal:
    """What `baseline` should say after a run of all cases, whose verdicts were placed in it.

    A case that passes is taken out. Where all of an entry's cases fail in one other way, the entry says so from now on;
    where only some do, they are parted from it. Cases that were not judged stay. New failures of one outcome are one
    entry.
    """
    judged = {verdict.case.id: verdict for verdict in verdicts}
    kept: list[Kept] = []
    parted = [verdict for verdict in verdicts if verdict.listed is None and verdict.status is Status.FAILED]
    passing: list[str] = []
    for entry in baseline.entries:
        of_entry = {name: judged[name] for name in entry.cases if name in judged}
        passes = {name for name, verdict in of_entry.items() if passes_although_listed(verdict)}
        differing = {name: v for name, v in of_entry.items() if v.status is Status.FAILED}
        alike = len(differing) == len(entry.cases) - len(passes)
        outcome = _common_outcome(entry, differing.values(), strict=strict) if alike else None
        gone = passes if outcome else passes | differing.keys()
        kept.append(Kept(_without(entry, gone), outcome or entry.outcome))
        parted += [] if outcome else differing.values()
        passing += [name for name in entry.cases if name in passes]
    return Renewal(tuple(kept), _by_outcome(parted, verdicts, strict=strict), tuple(passing))


def _without(entry: Entry, gone: Iterable[str]) -> tuple[str, ...]:
    """The patterns of an entry without some of its cases: one that named them gives way to the cases that it leaves."""
    gone = set(gone)
    patterns: dict[str, None] = {}
    for pattern, names in entry.named.items():
        if gone.isdisjoint(names):
            patterns.update({pattern: None} if names else {})
        else:
            patterns.update((name, None) for name in names if name not in gone)
    return tuple(patterns)


def _common_outcome(entry: Entry, differing: Iterable[Verdict], *, strict: bool) -> Outcome | None:
    """The one outcome of verdicts that differ from their entry, in its form; None where there is no such."""
    verdicts = list(differing)
    if not verdicts:
        return None
    if isinstance(entry.outcome, KnownBreaches):
        common = _breaches(verdicts[0], strict=strict)
        return common if all(_breaches(verdict, strict=strict) == common for verdict in verdicts) else None
    answer = _known_answer(verdicts[0].observation.answer)
    return answer if all(_shows(answer, verdict, strict=strict) for verdict in verdicts) else None


def _shows(answer: KnownAnswer, verdict: Verdict, *, strict: bool) -> bool:
    """Whether an answer can be written down, and accounts for a failure."""
    return can_be_written(answer.value) and accounts_for(answer, verdict, strict=strict)


def _known_answer(answer: Answer) -> KnownAnswer:
    match answer:
        case Returned():
            return KnownAnswer("result", answer.value)
        case Raised():
            return KnownAnswer("raises", recorded(answer.exception))
        case Lost():
            return KnownAnswer("lost", answer.loss.value)


def _breaches(verdict: Verdict, *, strict: bool) -> KnownBreaches:
    """What gates in a failure."""
    return KnownBreaches(pairs_of([breach for breach in verdict.breaches if gates(breach, strict=strict)]))


def _by_outcome(
    parted: Iterable[Verdict], verdicts: Sequence[Verdict], *, strict: bool
) -> dict[KnownBreaches, tuple[str, ...]]:
    """The cases of each outcome, in the order of the run."""
    names = {verdict.case.id for verdict in parted}
    groups: dict[KnownBreaches, tuple[str, ...]] = {}
    for verdict in verdicts:
        if verdict.case.id in names:
            outcome = _breaches(verdict, strict=strict)
            groups[outcome] = (*groups.get(outcome, ()), verdict.case.id)
    return groups
