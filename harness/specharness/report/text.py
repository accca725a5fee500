"""The text report."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from specharness.judge.verdict import Status, Verdict
from specharness.report.escape import printable
from specharness.report.failure import again, cause_of, sections
from specharness.report.result import RunResult
from specharness.suite.model import Case

FULL = 20
"""So many failures are shown in full unless asked for all."""

ALIKE = 3
"""So many of one cause are shown in full; the others are named."""

Paint = Callable[[str, str], str]
"""Colours a text: `paint(text, "red")`."""


@dataclass(frozen=True, slots=True)
class Style:
    """How to print. `verbosity` is -1 (summary only), 0, or 1 (everything)."""

    verbosity: int = 0
    width: int = 80
    paint: Paint = lambda text, colour: text


def render(result: RunResult, style: Style) -> str:
    """The whole report."""
    if style.verbosity < 0:
        return "\n".join([*_score(result, style), summary_line(result)])
    blocks = [_heading(result)]
    blocks += _failures(result, style)
    blocks += _advice(result, style)
    blocks.append(_summary(result, style))
    return "\n\n".join(block for block in blocks if block)


def summary_line(result: RunResult) -> str:
    """The outcome in one line."""
    failed = len(result.failures)
    gating = sum(verdict.gating or verdict.status is Status.FAILED for verdict in result.verdicts)
    not_run = sum(verdict.status is Status.NOT_RUN for verdict in result.verdicts)
    if result.interrupted:
        return f"interrupted: {len(result.verdicts)} cases were run, {failed} failed"
    if not failed and not not_run:
        passed = f"{_plural(gating, 'gating case')} passed" if gating else "no gating case was selected"
        return f"conformant: {passed}{_others(result)}"
    parts = [f"{failed} of {_plural(gating, 'gating case')} failed"] if failed else []
    parts += [f"{_plural(not_run, 'case')} not run"] if not_run else []
    return f"nonconformant: {', '.join(parts)}{_others(result)}"


def _others(result: RunResult) -> str:
    """What the cases that do not gate came to."""
    advice = len(result.advice)
    others = sum(not verdict.gating and verdict.status is not Status.FAILED for verdict in result.verdicts)
    if advice:
        return f"; advice on {_plural(advice, 'case')}"
    return f"; {_plural(others, 'advisory case')} passed" if others else ""


def _heading(result: RunResult) -> str:
    setting = result.setting
    if setting.self_check:
        return (
            "self-check: nothing of yours was tested. The shipped cases ran on the reference.\n"
            "Name your own:  specharness --impl module:function  (or --impl solution.py)"
        )
    words = [f"profile {setting.profile}", setting.arithmetic.dtype]
    words += ["log space"] if setting.arithmetic.space == "log" else []
    words += [f"{name} {value}" for name, value in setting.policies]
    words += ["strict"] if setting.strict else []
    return f"{printable(setting.implementation)}  ({', '.join(words)})"


def _failures(result: RunResult, style: Style) -> Iterator[str]:
    shown = 0
    for (clause, cause), verdicts in _by_cause(result.failures).items():
        most = len(verdicts) if style.verbosity > 0 else min(ALIKE, max(0, FULL - shown))
        full, rest = verdicts[:most], verdicts[most:]
        shown += len(full)
        yield from (_full(verdict, result, style) for verdict in full)
        if rest:
            like = f"{len(rest)} more like {full[-1].case.id}" if full else f"{len(rest)} failed"
            text = f"{like} ({clause}, {cause}): {', '.join(verdict.case.id for verdict in rest)}"
            yield _wrapped(text, style, hanging="  ")


def _by_cause(verdicts: list[Verdict]) -> dict[tuple[str, str], list[Verdict]]:
    groups: dict[tuple[str, str], list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(cause_of(verdict), []).append(verdict)
    return groups


def _full(verdict: Verdict, result: RunResult, style: Style) -> str:
    case = verdict.case
    failed = verdict.status is Status.FAILED
    word = style.paint("FAIL", "red") if failed else style.paint("ADVICE", "yellow")
    lines = [f"{word} {style.paint(case.id, 'bold')}  {printable(f'{case.file}:{case.line}')}"]
    lines += textwrap.wrap(printable(case.title), style.width - 2, initial_indent="  ", subsequent_indent="  ")
    for section in sections(verdict, result):
        lines.append(_wrapped(section.heading, style, indent="  ", hanging="    "))
        for line in section.lines:
            lines.append(_wrapped(line, style, indent="    | ", hanging="    |   "))
    if result.setting.again:
        lines.append(f"  again: {again(verdict, result)}")
    return "\n".join(lines)


def _advice(result: RunResult, style: Style) -> Iterator[str]:
    if style.verbosity > 0:
        yield from (_full(verdict, result, style) for verdict in result.advice)
        return
    groups: dict[str, list[Verdict]] = {}
    for verdict in result.advice:
        groups.setdefault(verdict.breaches[0].clause, []).append(verdict)
    if not groups:
        return
    lines = [f"{style.paint('ADVICE', 'yellow')} beyond the original statement; gates with --strict, in full with -v"]
    for clause, verdicts in groups.items():
        ids = ", ".join(verdict.case.id for verdict in verdicts[:6]) + (", ..." if len(verdicts) > 6 else "")
        lines.append(_wrapped(f"{clause} {result.clauses[clause].sentence}", style, indent="  ", hanging="    "))
        lines.append(_wrapped(f"{_plural(len(verdicts), 'case')}: {ids}", style, indent="    | ", hanging="    |   "))
        first = printable(verdicts[0].breaches[0].lines[0])
        lines.append(_wrapped(first, style, indent="    | ", hanging="    |   "))
    yield "\n".join(lines)


def _summary(result: RunResult, style: Style) -> str:
    lines = [_wrapped(note, style, hanging="  ") for note in map(printable, result.notes)]
    for reason, cases in _by_reason(result).items():
        ids = ", ".join(case.id for case in cases[:6]) + (", ..." if len(cases) > 6 else "")
        lines.append(_wrapped(f"skipped, {reason}: {_plural(len(cases), 'case')} ({ids})", style, hanging="  "))
    if result.stopped:
        lines.append("stopped after the first failure (-x); the other cases were not judged")
    lines += _score(result, style)
    colour = "green" if result.passed else "red"
    line = summary_line(result)
    lines.append(style.paint(line, colour))
    return "\n".join(lines)


def _by_reason(result: RunResult) -> dict[str, list[Case]]:
    groups: dict[str, list[Case]] = {}
    for case, reason in result.skipped:
        groups.setdefault(reason, []).append(case)
    return groups


def _score(result: RunResult, style: Style) -> list[str]:
    if result.score is None:
        return []
    points, bonus, reason = result.score.points, result.score.bonus, printable(result.score.reason)
    return [_wrapped(f"score {points} of 100, bonus {bonus} of 10: {reason}", style, hanging="  ")]


def _wrapped(text: str, style: Style, *, indent: str = "", hanging: str = "") -> str:
    """`text` in lines of the style's width. Words are kept whole, so that commands and ids can be copied."""
    return "\n".join(
        textwrap.wrap(
            text,
            style.width,
            initial_indent=indent,
            subsequent_indent=hanging,
            break_long_words=False,
            break_on_hyphens=False,
        )
        or [indent]
    )


def _plural(count: int, one: str, many: str | None = None) -> str:
    return f"{count} {one if count == 1 else many or one + 's'}"
