"""A diff of two reports as Markdown, for a comment on a pull request."""

from __future__ import annotations

from collections.abc import Iterator

from specharness.report.diff import Change, Diff, by_how, summary_of
from specharness.report.diff_text import notes
from specharness.report.markdown_text import code
from specharness.report.words import plural

_NAMED = 50


def render_diff_markdown(diff: Diff) -> str:
    """The counts, how the runs were made where they differ, and the cases by what became of them."""
    return "\n".join(_lines(diff)).rstrip("\n") + "\n"


def _lines(diff: Diff) -> Iterator[str]:
    word = "worse" if diff.exit_code else "no worse"
    yield from (f"### specharness: {word}", "", f"**{summary_of(diff)}**", "")
    yield from (f"From {code(diff.old.file)} to {code(diff.new.file)}.", "")
    if diff.differs:
        yield from ("| the runs differ in | old | new |", "| --- | --- | --- |")
        for name in diff.differs:
            yield f"| {name} | {_cell(diff.old.declared[name])} | {_cell(diff.new.declared[name])} |"
        yield ""
    for report, note in notes(diff):
        yield from (f"{code(report.file)}: {note}.", "")
    for change in Change:
        cases = diff.of(change)
        if cases:
            yield from (f"#### {change.value.capitalize()}: {plural(len(cases), 'case')}", "")
            for how, alike in by_how(cases).items():
                ids = ", ".join(code(case.id) for case in alike[:_NAMED])
                more = f" and {len(alike) - _NAMED} more" if len(alike) > _NAMED else ""
                yield f"- {code(how, most=500)}: {ids}{more}"
            yield ""


def _cell(text: str) -> str:
    """Code in a table, where a bar would end the cell."""
    return code(text).replace("|", "\\|")
