"""Two reports of one suite: what was fixed, what broke, what changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any

from specharness.exit_codes import ExitCode
from specharness.judge.values import same
from specharness.report.published import PublishedCase, PublishedReport


class Change(Enum):
    """What became of a case."""

    BROKEN = "broken"
    """It passed, or drew advice, and fails or was not run."""

    FIXED = "fixed"
    """It failed or was not run, and passes or draws advice."""

    NEW = "new"
    """Only the new report has it."""

    GONE = "gone"
    """Only the old report has it."""

    OTHER = "another outcome"
    """It fails as before or passes as before, but not in the same way."""


@dataclass(frozen=True, slots=True)
class CaseChange:
    """A case that is not as it was. `why` says why a report lacks it, where that is known."""

    change: Change
    old: PublishedCase | None
    new: PublishedCase | None
    why: str = ""

    @property
    def id(self) -> str:
        """The case's id."""
        case = self.new or self.old
        assert case is not None  # one of the reports has it
        return case.id

    @property
    def is_regression(self) -> bool:
        """Whether a case broke, or a new one fails. What the new run's baseline knows is none."""
        fails = self.new is not None and self.new.status in ("failed", "not_run")
        return fails and self.change in (Change.BROKEN, Change.NEW)


@dataclass(frozen=True, slots=True)
class Diff:
    """Two reports, the cases that are not as they were, and how many are."""

    old: PublishedReport
    new: PublishedReport
    changes: Sequence[CaseChange]
    unchanged: int

    @property
    def differs(self) -> tuple[str, ...]:
        """The names of what the two runs declared otherwise."""
        return tuple(name for name, value in self.new.declared.items() if self.old.declared[name] != value)

    @property
    def exit_code(self) -> ExitCode:
        """The code that the command ends with."""
        worse = any(change.is_regression for change in self.changes)
        return ExitCode.NONCONFORMANT if worse else ExitCode.CONFORMANT

    def of(self, change: Change) -> list[CaseChange]:
        """The cases of one kind of change."""
        return [case for case in self.changes if case.change is change]


def compare_reports(old: PublishedReport, new: PublishedReport) -> Diff:
    """What is not in `new` as it was in `old`, in the order of `new`; what is gone comes last."""
    changes = []
    unchanged = 0
    for name, case in new.cases.items():
        before = old.cases.get(name)
        change = _change(before, case)
        if change is None:
            unchanged += 1
        else:
            changes.append(CaseChange(change, before, case, _why_missing(name, old) if before is None else ""))
    for name, case in old.cases.items():
        if name not in new.cases:
            changes.append(CaseChange(Change.GONE, case, None, _why_missing(name, new)))
    return Diff(old, new, changes, unchanged)


def _change(old: PublishedCase | None, new: PublishedCase) -> Change | None:
    if old is None:
        return Change.NEW
    if _fails(old) != _fails(new):
        return Change.FIXED if _fails(old) else Change.BROKEN
    return None if _same_outcome(old, new) else Change.OTHER


def _fails(case: PublishedCase) -> bool:
    """Whether the implementation fails it; that a baseline knows it changes nothing about that."""
    return case.status in ("failed", "known", "not_run")


def _same_outcome(old: PublishedCase, new: PublishedCase) -> bool:
    return set(old.breaches) == set(new.breaches) and same(_answer(old.observed), _answer(new.observed))


def _answer(observed: Mapping[str, Any] | None) -> Any:
    """What was observed, without the words of messages and tracebacks."""
    if observed is None:
        return None
    return next(([kind, observed[kind]] for kind in ("raises", "lost", "result") if kind in observed), None)


def _why_missing(name: str, report: PublishedReport) -> str:
    if name in report.skipped:
        return f"skipped: {report.skipped[name]}"
    return "" if report.whole else "the run ended early"


def by_how(changes: Sequence[CaseChange]) -> dict[str, list[CaseChange]]:
    """Changes by what the case came to before and after, in words. They quote the reports: escape them."""
    groups: dict[str, list[CaseChange]] = {}
    for change in changes:
        groups.setdefault(_how(change), []).append(change)
    return groups


def _how(change: CaseChange) -> str:
    before, after = (outcome_of(case) if case else "" for case in (change.old, change.new))
    match change.change:
        case Change.BROKEN | Change.NEW:
            text = after
        case Change.FIXED | Change.GONE:
            text = f"was {before}"
        case Change.OTHER:
            text = f"{before}, with another answer" if before == after else f"{before} -> {after}"
    return f"{text} ({change.why})" if change.why else text


def outcome_of(case: PublishedCase) -> str:
    """Status, and clause and cause of each breach."""
    breaches = "; ".join(f"{clause} ({cause})" for clause, cause in case.breaches)
    return f"{case.status.replace('_', ' ')} {breaches}".strip()


def summary_of(diff: Diff) -> str:
    """The counts in one line."""
    counts = [f"{len(diff.of(change))} {word}" for change, word in _COUNTED.items()]
    return f"{', '.join(counts)}, {diff.unchanged} as before"


_COUNTED = {
    Change.BROKEN: "broken",
    Change.FIXED: "fixed",
    Change.NEW: "new",
    Change.GONE: "gone",
    Change.OTHER: "with another outcome",
}
