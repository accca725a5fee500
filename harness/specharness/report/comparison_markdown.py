"""The matrix of implementations as Markdown."""

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
from specharness.report.markdown_text import code

_NAMED = 20


def render_comparison_markdown(comparison: Comparison) -> str:
    """The implementations, and the cases that fail or differ, by outcome."""
    return "\n".join(_lines(comparison)).rstrip("\n") + "\n"


def _lines(comparison: Comparison) -> Iterator[str]:
    setting = comparison.setting
    yield from ("### specharness: implementations", "", f"**{outcome_line(comparison)}**", "")
    words = [f"profile {setting.profile}", setting.arithmetic.dtype]
    words += ["log space"] if setting.arithmetic.space == "log" else []
    words += [code(f"{name} {value}") for name, value in setting.policies]
    words += ["strict"] if setting.strict else []
    yield from (f"{len(comparison.rows)} cases: {', '.join(words)}.", "")
    yield from ("| | implementation | outcome |", "| --- | --- | --- |")
    for column in comparison.columns:
        told = [code_in_cell(line, most=500) for line in legend(column).splitlines()[:4]]
        told += [code_in_cell(diagnosis_of(column), most=500)] if diagnosis_of(column) else []
        yield f"| {column.letters} | {code_in_cell(column.name)} | {'<br>'.join(told)} |"
    yield ""
    for heading, groups in (("Failures", comparison.failing), ("Advice that differs", comparison.advised)):
        if groups:
            yield from (f"#### {heading}", "", *_table(groups, comparison), "")
    if comparison.suspicious:
        yield from ("#### All agree against the expectation", "", "Perhaps the case is wrong.", "")
        yield from (f"- {code(agreement_line(row), most=1000)}" for row in comparison.suspicious)


def _table(groups: Sequence[Group], comparison: Comparison) -> Iterator[str]:
    columns = comparison.columns
    yield f"| {' | '.join(column.letters for column in columns)} | why | cases |"
    yield f"|{' :---: |' * len(columns)} --- | --- |"
    for group in groups:
        ids = ", ".join(code(row.case.id) for row in group.rows[:_NAMED])
        more = f" and {len(group.rows) - _NAMED} more" if len(group.rows) > _NAMED else ""
        why = code_in_cell(group.why, most=500)
        yield f"| {' | '.join(group.signs(columns))} | {why} | {len(group.rows)}: {ids}{more} |"


def code_in_cell(text: str, *, most: int = 200) -> str:
    """Code in a table, where a bar would end the cell."""
    return code(text, most=most).replace("|", "\\|")
