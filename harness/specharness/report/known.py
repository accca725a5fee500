"""What a baseline came to: the failures that are known, and the entries that no longer hold."""

from __future__ import annotations

import shlex
from collections.abc import Iterator

from specharness.judge.known import Stale, Staleness
from specharness.names import did_you_mean
from specharness.report.escape import printable
from specharness.report.failure import Section
from specharness.report.result import RunResult
from specharness.report.words import named, plural
from specharness.suite.baseline import Entry


def stale_sections(result: RunResult) -> Iterator[Section]:
    """Each entry that no longer holds: where it stands, why, and what to do. Safe to print."""
    for stale in result.stale:
        yield Section(_heading(stale.entry, result), (printable(_why(stale, result)),))


def update_command(result: RunResult) -> str:
    """The command that mends the baseline, or an empty string where there is none."""
    mendable = any(stale.why is not Staleness.EXPIRED for stale in result.stale)
    return (
        printable(shlex.join([*result.setting.again, "--update-baseline"])) if mendable and result.setting.again else ""
    )


def known_lines(result: RunResult) -> Iterator[str]:
    """How many failures are known, and of how many entries nobody has said why. Safe to print."""
    baseline = result.baseline
    if baseline is None:
        return
    file = printable(baseline.file)
    if baseline.profile not in ("", result.setting.profile):
        yield f"{file} is of the profile {baseline.profile}; none of its entries counts here"
    if known := result.known:
        yield f"known: {plural(len(known), 'case')}, as {file} says"
    if missing := sum(not entry.has_reason for entry in baseline.entries):
        yield f"no reason yet in {plural(missing, 'entry', 'entries')} of {file}: write why, in place of TODO"


def known_sections(result: RunResult) -> Iterator[Section]:
    """Each entry that holds for a case of the run, with its reason. Safe to print."""
    cases: dict[Entry, list[str]] = {}
    for verdict in result.known:
        if verdict.listed:
            cases.setdefault(verdict.listed, []).append(verdict.case.id)
    for entry, names in cases.items():
        until = [f"until {entry.expires}"] if entry.expires else []
        facts = (named(names), entry.outcome, entry.reason, *([entry.link] if entry.link else []), *until)
        yield Section(_heading(entry, result), tuple(printable(str(fact)) for fact in facts))


def _heading(entry: Entry, result: RunResult) -> str:
    file = result.baseline.file if result.baseline else ""
    return printable(f"{file}:{entry.line}  {named(entry.patterns, most=3)}")


def _why(stale: Stale, result: RunResult) -> str:
    match stale.why:
        case Staleness.PASSES:
            passing, of = named(stale.names), len(stale.entry.cases)
            found = f"{passing} passes" if of == 1 else f"{len(stale.names)} of {of} pass: {passing}"
            what = "the entry" if len(stale.names) == of else "them" if len(stale.names) > 1 else "it"
            return f"{found}; expected {stale.entry.outcome}. Take {what} out"
        case Staleness.EXPIRED:
            return f"expired after {stale.entry.expires}. Mend the implementation, or set another date"
        case Staleness.NO_CASE:
            near = did_you_mean(stale.names[0], [verdict.case.id for verdict in result.verdicts])
            return f"no case is named {named(stale.names)}. {near.strip() or 'Take it out'}"
