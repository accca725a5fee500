"""Several implementations on the same cases: the one model that every form of the matrix is made from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

from specharness.exit_codes import ExitCode
from specharness.implementation.observation import Answer
from specharness.judge.agreement import agreed_answer
from specharness.judge.verdict import Status, Verdict
from specharness.report.result import RunResult, Setting
from specharness.suite.model import Case

SIGNS = {Status.PASSED: ".", Status.FAILED: "F", Status.ADVICE: "a", Status.KNOWN: "k", Status.NOT_RUN: "-", None: " "}
"""What stands for a status in a cell; None is a case without a verdict."""


@dataclass(frozen=True, slots=True)
class Column:
    """An implementation: its letters in the matrix, and its result, or why it could not be run."""

    letters: str
    name: str
    result: RunResult | None
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """A case and what each implementation came to, None where it has no verdict.

    `agreed` is the answer of all of them where that is against the expectation.
    """

    case: Case
    verdicts: tuple[Verdict | None, ...]
    agreed: Answer | None

    @property
    def statuses(self) -> tuple[Status | None, ...]:
        """The status of each implementation."""
        return tuple(verdict.status if verdict else None for verdict in self.verdicts)

    @property
    def fails(self) -> bool:
        """Whether an implementation fails it, or was not run on it."""
        return any(status in (Status.FAILED, Status.NOT_RUN) for status in self.statuses)

    @property
    def outcomes(self) -> tuple[tuple[str, str] | None, ...]:
        """Clause and cause of what names the failure or advice of each implementation, None where there is none."""
        named = (verdict.breaches[0] if verdict and verdict.breaches else None for verdict in self.verdicts)
        return tuple((breach.clause, breach.cause) if breach else None for breach in named)

    @property
    def clauses(self) -> tuple[str | None, ...]:
        """The clauses of `outcomes`."""
        return tuple(outcome[0] if outcome else None for outcome in self.outcomes)


@dataclass(frozen=True, slots=True)
class Group:
    """Cases with the same statuses, and why they are not passed. `why` may quote untrusted text: escape it."""

    why: str
    rows: Sequence[Row]

    def signs(self, columns: Sequence[Column]) -> list[str]:
        """What stands in the cells of each column."""
        statuses = self.rows[0].statuses
        return [SIGNS[status] if column.result else "x" for column, status in zip(columns, statuses, strict=True)]


@dataclass(frozen=True)
class Comparison:
    """The implementations, and the cases that they were run on. `setting` is theirs but for its implementation."""

    setting: Setting
    columns: Sequence[Column]
    cases: Sequence[Case]
    skipped: Sequence[tuple[Case, str]] = ()
    selected_of: int | None = None

    @cached_property
    def rows(self) -> list[Row]:
        """A row for each case, in order."""
        by_id = [
            {verdict.case.id: verdict for verdict in column.result.verdicts} if column.result else {}
            for column in self.columns
        ]
        ran = [found for found, column in zip(by_id, self.columns, strict=True) if column.result]
        rows = []
        for case in self.cases:
            judged = [found[case.id] for found in ran if case.id in found]
            agreed = agreed_answer(judged) if len(judged) == len(ran) else None
            rows.append(Row(case, tuple(found.get(case.id) for found in by_id), agreed))
        return rows

    @property
    def suspicious(self) -> list[Row]:
        """The cases on which all implementations agree against the expectation."""
        return [row for row in self.rows if row.agreed is not None]

    @property
    def failing(self) -> list[Group]:
        """The cases that fail somewhere, those of one outcome together."""
        groups: dict[object, list[Row]] = {}
        for row in self.rows:
            if row.fails:
                groups.setdefault((row.statuses, row.outcomes), []).append(row)
        return [Group(_why(self.columns, map(_in_words, rows[0].outcomes)), rows) for rows in groups.values()]

    @property
    def advised(self) -> list[Group]:
        """The cases that fail nowhere and draw different advice, those of the same clauses together."""
        groups: dict[object, list[Row]] = {}
        for row in self.rows:
            of_those_run = {o for o, column in zip(row.outcomes, self.columns, strict=True) if column.result}
            if not row.fails and len(of_those_run) > 1:
                groups.setdefault((row.statuses, row.clauses), []).append(row)
        return [Group(_why(self.columns, rows[0].clauses), rows) for rows in groups.values()]

    @property
    def interrupted(self) -> bool:
        """Whether an interrupt ended it before all implementations were run on all cases."""
        return any(column.result and column.result.interrupted for column in self.columns)

    @property
    def exit_code(self) -> ExitCode:
        """The code that the command ends with."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        if any(column.result is None for column in self.columns):
            return ExitCode.NOT_RUNNABLE
        codes = [column.result.exit_code for column in self.columns if column.result]
        return ExitCode.NONCONFORMANT if ExitCode.NONCONFORMANT in codes else ExitCode.CONFORMANT


def letters_of(number: int) -> str:
    """A to Z, AA and on, for columns from 0."""
    text = ""
    number += 1
    while number:
        number, rest = divmod(number - 1, 26)
        text = chr(ord("A") + rest) + text
    return text


def outcome_line(comparison: Comparison) -> str:
    """What it came to, in one line."""
    columns, rows = comparison.columns, comparison.rows
    good = sum(column.result is not None and column.result.exit_code is ExitCode.CONFORMANT for column in columns)
    parts = [f"{good} of {len(columns)} implementations conformant"]
    if missing := sum(column.result is None for column in columns):
        parts.append(f"{missing} not run")
    failing = sum(row.fails for row in rows)
    parts.append(f"{failing} of {len(rows)} cases fail{'s' * (failing == 1)} somewhere" if failing else "no case fails")
    if comparison.suspicious:
        parts.append(f"in {len(comparison.suspicious)} all agree against the expectation")
    return ("interrupted: " if comparison.interrupted else "") + ", ".join(parts)


def legend(column: Column) -> str:
    """What an implementation came to. It may quote untrusted text: escape it."""
    from specharness.report.text import summary_line

    if column.result is None:
        return column.problem
    return summary_line(column.result)


def diagnosis_of(column: Column) -> str:
    """The known fault that an implementation behaves like, or an empty string."""
    if column.result is None or column.result.diagnosis is None:
        return ""
    from specharness.report.diagnosis_text import first_finding  # imports the catalogue of faults

    return first_finding(column.result.diagnosis)


def _in_words(outcome: tuple[str, str] | None) -> str | None:
    return f"{outcome[0]} ({outcome[1]})" if outcome else None


def _why(columns: Sequence[Column], outcomes: Iterable[str | None]) -> str:
    """An outcome once where all that have one share it, else by letters."""
    by_outcome: dict[str, list[str]] = {}
    for column, outcome in zip(columns, outcomes, strict=True):
        if outcome:
            by_outcome.setdefault(outcome, []).append(column.letters)
    if len(by_outcome) == 1:
        return next(iter(by_outcome))
    return "; ".join(f"{' '.join(who)}: {outcome}" for outcome, who in by_outcome.items()) or "not run"


def agreement_line(row: Row) -> str:
    """What all implementations give, and what is expected instead. Escape it."""
    from specharness.judge.compare import show_answer

    expected = row.case.expected
    wanted = f"{expected.raises} to be raised" if expected.raises else str(expected.as_result())
    assert row.agreed is not None  # asked only where it is
    return f"{row.case.id}: expected {wanted}, all give {show_answer(row.agreed)}"
