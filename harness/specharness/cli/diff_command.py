"""The sub-command that compares two JSON reports."""

from __future__ import annotations

from pathlib import Path

import click

from specharness.cli.files import check_files, write_files
from specharness.cli.parameters import FileReport, NonEmptyPath
from specharness.cli.terminal import paint, say, width
from specharness.errors import BadSuite
from specharness.exit_codes import ExitCode
from specharness.report.diff import Diff, compare_reports
from specharness.report.diff_text import render_diff
from specharness.report.published import PublishedReport, read_report
from specharness.report.text import Style


@click.command("diff")
@click.argument("old", metavar="OLD.json", type=NonEmptyPath())
@click.argument("new", metavar="NEW.json", type=NonEmptyPath())
@click.option(
    "--report", "reports", type=FileReport("json", "markdown"), multiple=True, help="Also write it: json, markdown."
)
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
def diff_reports(old: Path, new: Path, reports: tuple[tuple[str, Path], ...], quiet: bool) -> ExitCode:
    """Compare two JSON reports: fixed, broken, new, gone.

    Exit code 1 where a case broke or a new one fails, unless the new run's baseline knows it.
    """
    check_files(reports, inputs=(old, new))
    diff = compare_reports(*_read(old, new))
    write_files(reports, {"json": lambda: _json(diff), "markdown": lambda: _markdown(diff)})
    say(render_diff(diff, Style(-1 if quiet else 0, width(), paint)))
    return diff.exit_code


def _read(*paths: Path) -> list[PublishedReport]:
    """The reports. Raises `BadSuite` with all that is wrong in all of them."""
    read: list[PublishedReport] = []
    problems: list[str] = []
    for path in paths:
        try:
            read.append(read_report(path))
        except BadSuite as bad:
            problems += bad.problems
    if problems:
        raise BadSuite(problems)
    return read


def _json(diff: Diff) -> str:
    from specharness.report.diff_json import render_diff_json

    return render_diff_json(diff)


def _markdown(diff: Diff) -> str:
    from specharness.report.diff_markdown import render_diff_markdown

    return render_diff_markdown(diff)
