"""The matrix of implementations as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from specharness.report.comparison import (
    Comparison,
    Group,
    agreement_line,
    diagnosis_of,
    legend,
    outcome_line,
)
from specharness.report.escape import printable, printable_start
from specharness.report.text import NAMED, Style, wrapped
from specharness.report.words import named, plural


def render_comparison(comparison: Comparison, style: Style) -> str:
    """The implementations by letter, the cases that fail or differ by outcome, and the counts in the last line."""
    colour, last = "red" if comparison.exit_code else "green", outcome_line(comparison)
    if style.verbosity < 0:
        return style.paint(last, colour)
    blocks = ["\n".join(_legend(comparison, style))]
    if comparison.failing:
        heading = style.paint("FAILS", "red")
        blocks.append("\n".join(_table(heading, comparison.failing, comparison, style)))
    if comparison.advised:
        heading = style.paint("ADVICE", "yellow")
        blocks.append("\n".join(_table(heading, comparison.advised, comparison, style)))
    if comparison.suspicious:
        blocks.append("\n".join(_suspicious(comparison, style)))
    last = style.paint(wrapped(last, style, hanging="  "), colour)
    return "\n\n".join([*blocks, "\n".join([*_skipped(comparison, style), last])])


def _legend(comparison: Comparison, style: Style) -> Iterator[str]:
    setting = comparison.setting
    words = [f"profile {setting.profile}", setting.arithmetic.dtype]
    words += ["log space"] if setting.arithmetic.space == "log" else []
    words += [f"{name} {value}" for name, value in setting.policies]
    words += ["strict"] if setting.strict else []
    selected = f" of {comparison.selected_of}" if comparison.selected_of is not None else ""
    yield f"{len(comparison.rows)}{selected} cases ({', '.join(words)})"
    for column in comparison.columns:
        start = f"  {style.paint(column.letters, 'bold')}  {printable_start(column.name)}"
        told = [printable(line) for line in legend(column).splitlines()]
        told += [printable(diagnosis_of(column))] if diagnosis_of(column) else []
        yield start
        yield from (wrapped(line, style, indent="     ", hanging="       ") for line in told)


def _table(heading: str, groups: Sequence[Group], comparison: Comparison, style: Style) -> Iterator[str]:
    columns = comparison.columns
    missing = "" if all(column.result for column in columns) else "   x could not be run"
    yield f"{heading}  . passed   F failed   a advice   - not run{missing}"
    yield style.paint("  " + " ".join(column.letters for column in columns), "bold")
    for group in groups:
        cells = zip(group.signs(columns), columns, strict=True)
        signs = " ".join(f"{sign:>{len(column.letters)}}" for sign, column in cells)
        ids = [row.case.id for row in group.rows]
        text = f"{printable_start(group.why, 500)}: {named(ids, most=len(ids) if style.verbosity > 0 else NAMED)}"
        yield wrapped(text, style, indent=f"  {signs}  ", hanging=" " * min(len(signs) + 6, 30))


def _suspicious(comparison: Comparison, style: Style) -> Iterator[str]:
    ran = sum(column.result is not None for column in comparison.columns)
    count = plural(len(comparison.suspicious), "case")
    heading = f"ALL AGREE  in {count} all {ran} give the same, against the expectation: perhaps the case is wrong"
    yield wrapped(heading, style, hanging="  ").replace("ALL AGREE", style.paint("ALL AGREE", "yellow"), 1)
    most = len(comparison.suspicious) if style.verbosity > 0 else NAMED
    lines = [printable_start(agreement_line(row), 1000) for row in comparison.suspicious[:most]]
    if left := comparison.suspicious[most:]:
        lines.append(f"{len(left)} more: {named([row.case.id for row in left])}; all with -v")
    yield from (wrapped(line, style, indent="    | ", hanging="    |   ") for line in lines)


def _skipped(comparison: Comparison, style: Style) -> Iterator[str]:
    reasons: dict[str, list[str]] = {}
    for case, reason in comparison.skipped:
        reasons.setdefault(reason, []).append(case.id)
    for reason, ids in reasons.items():
        text = f"skipped, {reason}: {plural(len(ids), 'case')} ({named(ids, most=6)})"
        yield wrapped(printable(text), style, hanging="  ")
