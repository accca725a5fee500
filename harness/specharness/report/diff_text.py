"""A diff of two reports as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from specharness.report.diff import CaseChange, Change, Diff, by_how, summary_of
from specharness.report.escape import printable, printable_start
from specharness.report.published import PublishedReport
from specharness.report.text import Style, wrapped
from specharness.report.words import plural

_COLOURS = {Change.BROKEN: "red", Change.FIXED: "green"}


def render_diff(diff: Diff, style: Style) -> str:
    """The runs, the cases by what became of them and how, and the counts in the last line."""
    last = style.paint(summary_of(diff), "red" if diff.exit_code else "green")
    if style.verbosity < 0:
        return last
    blocks = ["\n".join(_heading(diff, style))]
    for change in Change:
        if cases := diff.of(change):
            word = style.paint(change.value.upper(), _COLOURS.get(change, "bold"))
            lines = [f"{word}  {plural(len(cases), 'case')}"]
            lines += [line for how, alike in by_how(cases).items() for line in _group(how, alike, style)]
            blocks.append("\n".join(lines))
    return "\n\n".join([*blocks, last])


def _heading(diff: Diff, style: Style) -> Iterator[str]:
    for word, report in (("old", diff.old), ("new", diff.new)):
        yield wrapped(f"{word}  {_run(report)}", style, hanging="     ")
    if diff.differs:
        yield wrapped(f"The runs differ in: {', '.join(diff.differs)}", style, hanging="  ")
    yield from (wrapped(printable_start(f"{report.file}: {note}"), style, hanging="  ") for report, note in notes(diff))


def _run(report: PublishedReport) -> str:
    declared = report.declared
    words = [f"profile {declared['profile']}", declared["dtype"]]
    words += ["log space"] if declared["space"] == "log" else []
    words += [declared["policies"]] if declared["policies"] != "default" else []
    words += ["strict"] if declared["strict"] == "strict" else []
    return printable_start(f"{report.file}: {declared['implementation']} ({', '.join(words)})")


def notes(diff: Diff) -> Iterator[tuple[PublishedReport, str]]:
    """What bears on the comparison, and which report it is about."""
    for report in (diff.old, diff.new):
        if not report.whole:
            yield report, "the run ended early, so cases are missing"
    if not diff.old.cases.keys() & diff.new.cases.keys():
        yield diff.new, "no case stands in both reports"


def _group(how: str, changes: Sequence[CaseChange], style: Style) -> Iterator[str]:
    ids = ", ".join(printable(change.id) for change in changes)
    yield wrapped(f"{printable_start(how)}: {ids}", style, indent="  ", hanging="    ")
    first = changes[0]
    if first.is_regression and first.new and first.new.line:
        line = printable_start(f"{first.id}: {first.new.line}", 500)
        yield wrapped(line, style, indent="    | ", hanging="    |   ")
