"""Annotations for GitHub Actions: workflow commands, which the runner reads out of the log.

A step shows at most ten errors and ten warnings, so the first failure of each cause comes first.
Source: https://docs.github.com/actions/reference/workflow-commands-for-github-actions
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence

from specharness.judge.verdict import Status, Verdict
from specharness.report.escape import printable_start
from specharness.report.failure import again, sections, text_lines
from specharness.report.groups import by_cause, share_out
from specharness.report.known import stale_sections
from specharness.report.result import RunResult
from specharness.report.text import NAMED, summary_line
from specharness.report.words import plural
from specharness.suite.model import Case

SHOWN = 10
"""So many annotations of one level a step may have."""

_LINES = 12
_TITLE = 120
_LINE = 500


def render_github(result: RunResult) -> str:
    """A line for each annotation: errors for failures, warnings for advice, and the outcome as a notice.

    Known failures have none; the entries of a baseline that no longer hold share an error.

    An annotation names its case's file and line where that file is the user's own and in the workspace. Shipped cases
    are in no repository of the user's: their annotations belong to the run.
    """
    groups = list(by_cause(result.failures).values())
    not_run = [verdict for verdict in result.verdicts if verdict.status is Status.NOT_RUN]
    shown = share_out([len(group) for group in groups], alike=SHOWN, full=SHOWN - bool(not_run) - bool(result.stale))
    lines = [*_errors(groups, shown, result), *_not_run(not_run), *_stale(result), *_warnings(result)]
    return "\n".join([*lines, _outcome(result, left_out=shown.count(0))]) + "\n"


def _errors(groups: Sequence[Sequence[Verdict]], shown: Sequence[int], result: RunResult) -> Iterator[str]:
    """One of each cause before a second of any."""
    for turn in range(SHOWN):
        for group, most in zip(groups, shown, strict=True):
            if turn < most:
                yield _about(group[turn], result, "error", others=group[most:] if turn == most - 1 else ())


def _not_run(verdicts: Sequence[Verdict]) -> Iterator[str]:
    if verdicts:
        count = plural(len(verdicts), "case")
        yield _command("error", f"{count} not run, from {verdicts[0].case.id} on", title="specharness: not run")


def _stale(result: RunResult) -> Iterator[str]:
    lines = [printable_start(line, _LINE) for line in text_lines(list(stale_sections(result)))]
    if lines:
        yield _command("error", "\n".join(lines[: 2 * _LINES]), title="specharness: stale baseline")


def _outcome(result: RunResult, *, left_out: int) -> str:
    line = summary_line(result)
    if left_out:
        line += f"; {plural(left_out, 'more cause')} than a step may have annotations: see the log"
    if result.diagnosis is not None:
        from specharness.report.diagnosis_text import first_finding  # imports the catalogue of faults

        line += f"\n{printable_start(first_finding(result.diagnosis), _LINE)}"
    return _command("notice", line, title="specharness")


def _warnings(result: RunResult) -> Iterator[str]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in result.advice:
        groups.setdefault(verdict.breaches[0].clause, []).append(verdict)
    for group in list(groups.values())[:SHOWN]:
        yield _about(group[0], result, "warning", others=group[1:])


def _about(verdict: Verdict, result: RunResult, level: str, *, others: Sequence[Verdict]) -> str:
    case = verdict.case
    lines = [printable_start(line, _LINE) for line in text_lines(sections(verdict, result, trace=False))[:_LINES]]
    if others:
        named = ", ".join(other.case.id for other in others[:NAMED]) + (", ..." if len(others) > NAMED else "")
        lines.append(f"{len(others)} more like it: {named}")
    if result.setting.again:
        lines.append(f"again: {again(verdict, result)}")
    title = f"{case.id}: {printable_start(case.title, _TITLE)}"
    return _command(level, "\n".join(lines), **_place(case, result), title=title)


def _place(case: Case, result: RunResult) -> dict[str, str]:
    """File and line, where they are the user's own: the file as seen from the workspace, in which a step may move."""
    if result.setting.shipped or not case.file.isprintable():
        return {}
    file, workspace = case.file, os.environ.get("GITHUB_WORKSPACE")
    if workspace:
        file = os.path.relpath(os.path.realpath(file), os.path.realpath(workspace))
        if file.split(os.sep)[0] == os.pardir:
            return {}
    return {"file": file, "line": str(case.line)}


def _command(level: str, message: str, **properties: str) -> str:
    given = ",".join(f"{name}={_escaped_property(value)}" for name, value in properties.items())
    return f"::{level} {given}::{_escaped(message)}"


def _escaped(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _escaped_property(text: str) -> str:
    return _escaped(text).replace(":", "%3A").replace(",", "%2C")
