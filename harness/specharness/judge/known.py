"""Verdicts against a baseline: which failures are known, and which of its entries no longer hold."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date
from enum import Enum

from specharness.implementation.observation import Answer, Lost, Raised, Returned
from specharness.judge.breach import Breach
from specharness.judge.compare import ANOTHER_IN_NEW_PROCESS
from specharness.judge.values import same
from specharness.judge.verdict import Status, Verdict
from specharness.suite.baseline import Baseline, Entry, KnownAnswer, KnownBreaches, recorded
from specharness.suite.clauses import Level


class Staleness(Enum):
    """Why an entry no longer holds."""

    PASSES = "passes"
    """Cases that it names pass."""

    EXPIRED = "expired"
    """Its date is past."""

    NO_CASE = "no case"
    """Patterns of it name no case of the suite."""


@dataclass(frozen=True, slots=True)
class Stale:
    """An entry that no longer holds. `names` are the cases that pass, or the patterns that name no case."""

    entry: Entry
    why: Staleness
    names: tuple[str, ...] = ()


def place(verdict: Verdict, baseline: Baseline | None, *, strict: bool) -> Verdict:
    """`verdict` with the entry that lists its case, and as known where it fails as that says.

    A verdict that was placed in another baseline is placed anew.
    """
    entry = baseline.by_case.get(verdict.case.id) if baseline else None
    status = verdict.status
    if status is Status.KNOWN:
        failed = any(gates(breach, strict=strict) for breach in verdict.breaches)
        status = Status.FAILED if failed else Status.ADVICE
    differs = status in (Status.FAILED, Status.ADVICE)
    if entry and differs and accounts_for(entry.outcome, verdict, strict=strict):
        status = Status.KNOWN
    if (entry, status) == (verdict.listed, verdict.status):
        return verdict
    return replace(verdict, listed=entry, status=status)


def passes_although_listed(verdict: Verdict) -> bool:
    """Whether nothing gates in the case of an entry, and it is not as that says.

    Where the run looked for nothing of what the entry lists, that is not known.
    """
    if verdict.listed is None or verdict.status not in (Status.PASSED, Status.ADVICE):
        return False
    outcome = verdict.listed.outcome
    return isinstance(outcome, KnownAnswer) or any(_looked_for(pair, verdict) for pair in outcome.pairs)


def find_stale(baseline: Baseline, verdicts: Sequence[Verdict], today: date) -> list[Stale]:
    """What of a baseline no longer holds after a run, in its order. Entries without a judged case may hold."""
    judged: dict[Entry, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.listed:
            judged.setdefault(verdict.listed, []).append(verdict)
    return [stale for entry in baseline.entries for stale in _stale(entry, judged.get(entry, []), today)]


def _stale(entry: Entry, verdicts: Sequence[Verdict], today: date) -> Iterator[Stale]:
    if entry.unmatched:
        yield Stale(entry, Staleness.NO_CASE, entry.unmatched)
    if passing := tuple(verdict.case.id for verdict in verdicts if passes_although_listed(verdict)):
        yield Stale(entry, Staleness.PASSES, passing)
    if verdicts and entry.expires and entry.expires < today:
        yield Stale(entry, Staleness.EXPIRED)


def gates(breach: Breach, *, strict: bool) -> bool:
    """Whether a breach fails a run."""
    return strict or breach.level is Level.MUST


def pairs_of(breaches: Sequence[Breach]) -> tuple[tuple[str, str], ...]:
    """Clause and cause of each breach, each once, as a baseline records them."""
    return tuple(dict.fromkeys((breach.clause, recorded(breach.cause)) for breach in breaches))


def accounts_for(outcome: KnownBreaches | KnownAnswer, verdict: Verdict, *, strict: bool) -> bool:
    """Whether an outcome is that of a verdict: it tells all that gates, and nothing that was looked for and is not."""
    gating = [breach for breach in verdict.breaches if gates(breach, strict=strict)]
    if isinstance(outcome, KnownAnswer):
        impure = any(breach.clause.startswith("SV-PURE") for breach in gating)
        return not impure and is_answer(verdict.observation.answer, outcome)
    found = pairs_of(verdict.breaches)
    missing = [pair for pair in outcome.pairs if pair not in found and _looked_for(pair, verdict)]
    return not missing and set(pairs_of(gating)) <= set(outcome.pairs)


def is_answer(answer: Answer, known: KnownAnswer) -> bool:
    """Whether an answer is the known one, in value and type."""
    match answer:
        case Returned():
            return known.kind == "result" and same(answer.value, known.value)
        case Raised():
            return known.kind == "raises" and recorded(answer.exception) == recorded(str(known.value))
        case Lost():
            return known.kind == "lost" and answer.loss.value == known.value


def _looked_for(pair: tuple[str, str], verdict: Verdict) -> bool:
    """Whether the run could have shown a breach: second calls and new processes are not always made."""
    clause, cause = pair
    if clause != "SV-PURE-2":
        return True
    observation = verdict.observation
    return (observation.fresh if cause == ANOTHER_IN_NEW_PROCESS else observation.repeat) is not None
