"""A case as text: what it is, by which clauses, and what the reference makes of it."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Mapping

from specharness.report.escape import printable
from specharness.report.numbers import number
from specharness.report.trace import trace_of, whole_lines
from specharness.suite.clauses import Clause
from specharness.suite.model import Case
from specharness.suite.select import level_of

_ROW = 24


def describe_case(case: Case, clauses: Mapping[str, Clause], width: int) -> str:
    """The case, its clauses' text, its input, what is expected, and the reference's trace."""
    lines = [f"{case.id}  {level_of(case, clauses).value}  {case.file}:{case.line}", case.title]
    lines += [case.notes] if case.notes else []
    lines += [f"tags: {', '.join(case.tags)}"] if case.tags else []
    lines += [f"policies: {', '.join(f'{name} {value}' for name, value in case.policies)}"] if case.policies else []
    lines += [f"runs in: {', '.join(case.dtypes)}"] if case.dtypes else []
    lines.append("clauses")
    for name in case.clauses:
        clause = clauses[name]
        lines.append(f"  {name} ({clause.level.value}) {clause.sentence}")
    lines.append("input")
    lines += [f"  {line}" for line in _input_lines(case)]
    expected = case.expected
    lines.append(f"expected  {'raises ' + expected.raises if expected.raises else expected.as_result()}")
    lines.append("reference")
    lines += [f"  {line}" for line in whole_lines(case, trace_of(case))]
    return "\n".join(_wrap(printable(line), width) for line in lines)


def _input_lines(case: Case) -> Iterator[str]:
    for name, value in case.arguments().items():
        if value is None:
            yield f"{name}  None"
        elif value and isinstance(value[0], list):
            yield name
            yield from (f"  {_row(row)}" for row in value)
        else:
            yield f"{name}  {_row(value)}"


def _row(row: list[float]) -> str:
    shown = ", ".join(number(value) if isinstance(value, float) else str(value) for value in row[:_ROW])
    return f"[{shown}{f', ... {len(row)} in all' if len(row) > _ROW else ''}]"


def _wrap(line: str, width: int) -> str:
    indent = len(line) - len(line.lstrip())
    return textwrap.fill(line, width, subsequent_indent=" " * (indent + 4), break_long_words=False)
