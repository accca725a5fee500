"""What the HTML page shows of a result, apart from how it looks."""

from __future__ import annotations

import shlex
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specharness.judge.verdict import Status, Verdict
from specharness.report.failure import Section, again, hangs_on_rule, listed_sections, printed_sections, trace_section
from specharness.report.groups import by_cause, share_out
from specharness.report.result import RunResult
from specharness.suite.clauses import Clause, Level
from specharness.suite.model import Case

if TYPE_CHECKING:
    from specharness.report.shapes import Plot

FAILURES_IN_FULL = 50
"""So many failures have the reference's trace and a drawing."""

ADVICE_IN_FULL = 20
"""So much advice has."""

ARGUMENTS_IN_FULL = 1_000_000
"""No more in full once their arguments have so many characters: the traces of large vocabularies take their time."""

Marks = dict[str, str]
"""Clauses, each with what a case says of it: "failed", "advice", or its status where nothing differs."""


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """How many cases broke a clause, drew advice on it, and passed; `first` is the first that differs."""

    clause: Clause
    failed: int
    advice: int
    passed: int
    first: str


@dataclass(frozen=True, slots=True)
class Difference:
    """A clause that a case breaks, and what differs."""

    clause: Clause
    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A case that differs. Evidence and plots are for those in full."""

    verdict: Verdict
    marks: Marks
    differences: tuple[Difference, ...]
    evidence: Sequence[Section]
    plots: Sequence[Plot]
    again: str
    in_full: bool

    @property
    def case(self) -> Case:
        return self.verdict.case


@dataclass(frozen=True, slots=True)
class Group:
    """Cases that differ in the same way: the clause, the kind of difference, and those in full first."""

    clause: Clause
    cause: str
    entries: Sequence[Entry]
    in_full: int


def clause_counts(result: RunResult) -> list[ClauseCount]:
    """The clauses that the run says something about, in the order of the spec."""
    counts: Counter[tuple[str, str]] = Counter()
    first: dict[str, str] = {}
    for verdict in result.verdicts:
        for clause, mark in marks_of(verdict, result).items():
            counts[clause, mark] += 1
            if mark in ("failed", "advice"):
                first.setdefault(clause, verdict.case.id)
    named = {clause for clause, _ in counts}
    return [
        ClauseCount(
            clause,
            counts[name, "failed"],
            counts[name, "advice"],
            counts[name, "passed"],
            first.get(name, ""),
        )
        for name, clause in result.clauses.items()
        if name in named
    ]


def marks_of(verdict: Verdict, result: RunResult) -> Marks:
    """What a case says of which clauses: of those that it breaks, else of all that it lists."""
    if verdict.status is Status.KNOWN:
        return dict.fromkeys((breach.clause for breach in verdict.breaches), verdict.status.value)
    marks: Marks = {}
    for breach in verdict.breaches:
        gates = result.setting.strict or breach.level is Level.MUST
        if gates or breach.clause not in marks:
            marks[breach.clause] = "failed" if gates else "advice"
    return marks or dict.fromkeys(verdict.case.clauses, verdict.status.value)


def groups_of(verdicts: Sequence[Verdict], result: RunResult, *, full: int) -> Iterator[Group]:
    """The cases that differ, by cause, at most `full` of them in full."""
    groups = by_cause(verdicts)
    shares = share_out([len(group) for group in groups.values()], full=full)
    left = ARGUMENTS_IN_FULL
    for share, ((clause, cause), group) in zip(shares, groups.items(), strict=True):
        chosen = []
        for verdict in group[:share]:
            if left <= 0:
                break
            left -= len(verdict.case.arguments_json)
            chosen.append(_entry(verdict, result, in_full=True))
        rest = [_entry(verdict, result, in_full=False) for verdict in group[len(chosen) :]]
        yield Group(result.clauses[clause], cause, [*chosen, *rest], len(chosen))


def of_status(result: RunResult, status: Status) -> list[Verdict]:
    """The verdicts of a status."""
    return [verdict for verdict in result.verdicts if verdict.status is status]


def tags_of(result: RunResult) -> list[str]:
    """The tags of all cases, sorted."""
    cases = [*(verdict.case for verdict in result.verdicts), *result.missing, *(case for case, _ in result.skipped)]
    return sorted({tag for case in cases for tag in case.tags})


def command_of(result: RunResult) -> str:
    """The command that made the run; empty where none did."""
    return shlex.join(result.setting.command or result.setting.again)


def _entry(verdict: Verdict, result: RunResult, *, in_full: bool) -> Entry:
    sections, plots = _in_full(verdict) if in_full else ((), ())
    return Entry(
        verdict,
        marks_of(verdict, result),
        tuple(_differences(verdict, result)),
        [*listed_sections(verdict, result), *sections],
        plots,
        again(verdict, result) if result.setting.again else "",
        in_full,
    )


def _differences(verdict: Verdict, result: RunResult) -> Iterator[Difference]:
    for name in dict.fromkeys(breach.clause for breach in verdict.breaches):
        lines = (line for breach in verdict.breaches if breach.clause == name for line in breach.lines)
        yield Difference(result.clauses[name], tuple(lines))


def _in_full(verdict: Verdict) -> tuple[Sequence[Section], Sequence[Plot]]:
    printed = printed_sections(verdict)
    if not hangs_on_rule(verdict):
        return printed, ()
    from specharness.report.drawing import drawing_of  # imports the reference
    from specharness.report.plot import plot
    from specharness.report.trace import trace_of

    trace = trace_of(verdict.case)
    return [trace_section(verdict, trace), *printed], [plot(figure) for figure in drawing_of(verdict, trace)]
