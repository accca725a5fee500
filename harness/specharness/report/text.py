"""The text report."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from specharness.judge.verdict import Status, Verdict
from specharness.report.escape import printable
from specharness.report.failure import Section, again, sections
from specharness.report.groups import by_cause, share_out
from specharness.report.known import known_lines, known_sections, stale_sections, update_command
from specharness.report.result import RunResult
from specharness.report.words import plural
from specharness.suite.clauses import Level
from specharness.suite.model import Case

NAMED = 12
"""So many of the others are named."""

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
    blocks = [heading(result)]
    blocks += _failures(result, style)
    blocks += _advice(result, style)
    blocks.append(diagnosis_block(result, style))
    blocks += _baseline(result, style)
    blocks.append(_summary(result, style))
    return "\n\n".join(block for block in blocks if block)


def summary_line(result: RunResult) -> str:
    """The outcome in one line."""
    count = result.counts
    failed, beyond = count[True, Status.FAILED], count[False, Status.FAILED]
    not_run = count[True, Status.NOT_RUN] + count[False, Status.NOT_RUN]
    gating = sum(number for (gates, _), number in count.items() if gates)
    advice = count[True, Status.ADVICE] + count[False, Status.ADVICE]
    parts = []
    if failed:
        parts.append(f"{failed} of {plural(gating, 'gating case')} failed")
    if beyond:
        parts.append(f"{plural(beyond, 'advisory case')} broke a MUST clause")
    if not_run:
        parts.append(f"{plural(not_run, 'case')} not run")
    known = count[True, Status.KNOWN] + count[False, Status.KNOWN]
    if not parts:
        passed = plural(gating - count[True, Status.KNOWN], "gating case")
        parts.append(f"{passed} passed" if gating else "no gating case was selected")
    if known:
        parts.append(plural(known, "known failure"))
    if result.stale:
        stale = {stale.entry for stale in result.stale}
        parts.append(plural(len(stale), "stale baseline entry", "stale baseline entries"))
    if advice:
        parts.append(f"advice on {advice}")
    if result.selected_of is not None:
        parts.append(f"{len(result.verdicts)} of {result.selected_of} selected")
    word = result.exit_code.title
    if result.interrupted:
        word, parts = "interrupted", [f"{plural(len(result.verdicts), 'case')} judged", *(parts if failed else [])]
    return f"{word}: {', '.join(parts)}"


def heading(result: RunResult) -> str:
    """What was run, and by which declarations it was judged."""
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
    groups = by_cause(result.failures)
    full = (
        share_out([len(verdicts) for verdicts in groups.values()])
        if style.verbosity < 1
        else [len(result.failures)] * len(groups)
    )
    for most, ((clause, cause), verdicts) in zip(full, groups.items(), strict=True):
        if len(groups) > 1:
            yield wrapped(f"== {clause}, {cause}: {plural(len(verdicts), 'case')}", style, hanging="   ")
        yield from (in_full(verdict, result, style) for verdict in verdicts[:most])
        if rest := verdicts[most:]:
            like = f"{len(rest)} more of this cause" if most else "not shown"
            yield wrapped(f"{like}: {_ids(rest)}; all with -v", style, hanging="  ")


def _ids(verdicts: list[Verdict]) -> str:
    return ", ".join(verdict.case.id for verdict in verdicts[:NAMED]) + (", ..." if len(verdicts) > NAMED else "")


def in_full(verdict: Verdict, result: RunResult, style: Style) -> str:
    """One verdict with all its sections. It must have a breach."""
    case = verdict.case
    failed = verdict.status is Status.FAILED
    word = style.paint("FAIL", "red") if failed else style.paint("ADVICE", "yellow")
    lines = [f"{word} {style.paint(case.id, 'bold')}  {printable(f'{case.file}:{case.line}')}"]
    lines += textwrap.wrap(printable(case.title), style.width - 2, initial_indent="  ", subsequent_indent="  ")
    for section in sections(verdict, result):
        lines.append(wrapped(section.heading, style, indent="  ", hanging="    "))
        for line in section.lines:
            lines.append(wrapped(line, style, indent="    | ", hanging="    |   "))
    if result.setting.again:
        lines.append(f"  again: {again(verdict, result)}")
    return "\n".join(lines)


def _advice(result: RunResult, style: Style) -> Iterator[str]:
    if style.verbosity > 0:
        yield from (in_full(verdict, result, style) for verdict in result.advice)
        return
    groups: dict[str, list[Verdict]] = {}
    for verdict in result.advice:
        groups.setdefault(verdict.breaches[0].clause, []).append(verdict)
    if not groups:
        return
    lines = [f"{style.paint('ADVICE', 'yellow')} beyond the original statement; gates with --strict, in full with -v"]
    for clause in filter(groups.__contains__, result.clauses):
        verdicts = groups[clause]
        lines.append(wrapped(f"{clause} {result.clauses[clause].sentence}", style, indent="  ", hanging="    "))
        where = f"{plural(len(verdicts), 'case')}: {_ids(verdicts)}"
        if result.clauses[clause].level is Level.MUST:
            where = f"on cases that also list a SHOULD clause; {where}"
        first = printable(verdicts[0].breaches[0].lines[0])
        lines += [wrapped(line, style, indent="    | ", hanging="    |   ") for line in (where, first)]
    yield "\n".join(lines)


def diagnosis_block(result: RunResult, style: Style) -> str:
    """What the failures look like; empty where there are none."""
    if result.diagnosis is None:
        return ""
    from specharness.report.diagnosis_text import findings  # imports the catalogue of faults

    found = findings(result.diagnosis)
    return "\n".join(_block("DIAGNOSIS", "cyan", Section(each.heading, each.lines), style) for each in found)


def _baseline(result: RunResult, style: Style) -> Iterator[str]:
    if style.verbosity > 0:
        yield from (_block("KNOWN", "cyan", section, style) for section in known_sections(result))
    yield from (_block("STALE", "red", section, style) for section in stale_sections(result))
    if command := update_command(result):
        yield f"To mend the file so that it says what is: {command}"


def _block(word: str, colour: str, section: Section, style: Style) -> str:
    heading = wrapped(f"{word} {section.heading}", style, hanging="  ")
    lines = [heading.replace(word, style.paint(word, colour), 1)]
    lines += [wrapped(line, style, indent="    | ", hanging="    |   ") for line in section.lines]
    return "\n".join(lines)


def _summary(result: RunResult, style: Style) -> str:
    lines = [wrapped(note, style, hanging="  ") for note in map(printable, result.notes)]
    lines += [wrapped(line, style, hanging="  ") for line in known_lines(result)]
    for reason, cases in _by_reason(result).items():
        ids = ", ".join(case.id for case in cases[:6]) + (", ..." if len(cases) > 6 else "")
        lines.append(wrapped(f"skipped, {reason}: {plural(len(cases), 'case')} ({ids})", style, hanging="  "))
    if result.stopped:
        lines.append(wrapped(f"{result.stopped_after}; the other cases were not judged", style, hanging="  "))
    lines += _score(result, style)
    colour = "green" if result.passed else "red"
    line = wrapped(summary_line(result), style, hanging="  ")
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
    part = " (of the selected cases only)" if result.selected_of is not None else ""
    return [wrapped(f"score {points} of 100, bonus {bonus} of 10{part}: {reason}", style, hanging="  ")]


def wrapped(text: str, style: Style, *, indent: str = "", hanging: str = "") -> str:
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
