"""Failures told together: what they have in common, and which of them are shown in full."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from specharness.judge.verdict import Verdict
from specharness.report.failure import cause_of

FULL = 20
"""So many failures are shown in full unless asked for all."""

ALIKE = 3
"""So many of one cause are shown in full."""

Groups = dict[tuple[str, str], list[Verdict]]
"""Verdicts by the clause and the cause that name them, in the order of their first."""


def by_cause(verdicts: Iterable[Verdict]) -> Groups:
    """Verdicts that have a breach, by what names them."""
    groups: Groups = {}
    for verdict in verdicts:
        groups.setdefault(cause_of(verdict), []).append(verdict)
    return groups


def share_out(sizes: Sequence[int], *, alike: int = ALIKE, full: int = FULL) -> list[int]:
    """How many of each group to show in full: one of each before a second of any, at most `alike`, `full` in all."""
    shown = [0] * len(sizes)
    left = full
    for turn in range(alike):
        for at, size in enumerate(sizes):
            if turn < size and left > 0:
                shown[at] += 1
                left -= 1
    return shown


def shown_in_full(verdicts: Iterable[Verdict]) -> set[str]:
    """The ids of the failures to show in full: the first ones of each cause."""
    groups = list(by_cause(verdicts).values())
    shown = zip(groups, share_out([len(group) for group in groups]), strict=True)
    return {verdict.case.id for group, most in shown for verdict in group[:most]}
