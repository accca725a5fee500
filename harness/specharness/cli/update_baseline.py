"""`--update-baseline`: the baseline as it should be after a run of all cases, written in place of the old one."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from specharness.atomic import write_atomically
from specharness.errors import BadSuite, UsageError
from specharness.judge.known import find_stale, place
from specharness.judge.renewal import Renewal, renew
from specharness.judge.verdict import Status
from specharness.report.result import RunResult
from specharness.report.words import plural
from specharness.suite.baseline import NO_REASON, Baseline
from specharness.suite.baseline_file import KIND, parse_baseline
from specharness.suite.baseline_text import Addition, Edit, edit_text, new_text
from specharness.suite.files import read_text
from specharness.suite.model import Case


def update_baseline(path: Path, result: RunResult, cases: Sequence[Case]) -> RunResult:
    """Write what `result` says into its baseline, and give the result as that has it. `cases` are all of the suite.

    Raises `UsageError` where nothing is written: cases are missing, or the file is laid out so that it can't be
    changed in place, was changed meanwhile, or can't be written.
    """
    old = result.baseline
    assert old is not None  # the run was given one
    _check_whole(path, result)
    strict = result.setting.strict
    renewal = renew(old, result.verdicts, strict=strict)
    text = _text(path, old, renewal, result.setting.profile)
    try:
        new = parse_baseline(text, path, cases, result.clauses)
    except BadSuite as error:
        raise UsageError(f"--baseline {path}: can't be changed in place; nothing was written: {error}") from None
    verdicts = [place(verdict, new, strict=strict) for verdict in result.verdicts]
    renewed = replace(
        result,
        verdicts=verdicts,
        baseline=new,
        stale=find_stale(new, verdicts, datetime.now(UTC).date()),
        notes=[*result.notes, *_notes(old, new, renewal)],
    )
    if renewed.failures or renewed.unexpected_passes:
        raise UsageError(f"--baseline {path}: can't be changed in place; nothing was written")
    if text != old.text:
        _write(path, text, old)
    return renewed


def _check_whole(path: Path, result: RunResult) -> None:
    """A baseline is renewed only from a run that judged all cases."""
    missing = sum(verdict.status is Status.NOT_RUN for verdict in result.verdicts)
    if missing:
        raise UsageError(f"--baseline {path}: {plural(missing, 'case was', 'cases were')} not run; nothing was written")


def _text(path: Path, old: Baseline, renewal: Renewal, profile: str) -> str:
    edits = [
        Edit(at, kept.patterns, kept.outcome if kept.outcome != entry.outcome else None)
        for at, (entry, kept) in enumerate(zip(old.entries, renewal.kept, strict=True))
        if (kept.patterns, kept.outcome) != (entry.patterns, entry.outcome)
    ]
    additions = [Addition(names, NO_REASON, outcome) for outcome, names in renewal.added.items()]
    if old.text and not edits and not additions:
        return old.text
    try:
        return edit_text(old.text or new_text(profile), edits, additions)
    except UsageError as error:
        raise UsageError(f"--baseline {path}: {error}; nothing was written") from None


def _notes(old: Baseline, new: Baseline, renewal: Renewal) -> Iterator[str]:
    """What was written."""
    if new.text == old.text:
        yield f"{new.file} is as it was: nothing to update"
        return
    kept = [(entry, kept) for entry, kept in zip(old.entries, renewal.kept, strict=True) if kept.patterns]
    changed = [str(new.entries[at].line) for at, (entry, kept) in enumerate(kept) if kept.outcome != entry.outcome]
    added = sum(map(len, renewal.added.values()))
    unmatched = sum(len(entry.unmatched) for entry in old.entries)
    done = []
    if added:
        done.append(f"{plural(added, 'case')} in {plural(len(renewal.added), 'new entry', 'new entries')}")
    if renewal.passing:
        done.append(f"{plural(len(renewal.passing), 'passing case')} taken out")
    if unmatched:
        done.append(f"{plural(unmatched, 'name')} of no case taken out")
    if changed:
        done.append(f"another outcome on line {', '.join(changed)}: is its reason still right?")
    yield f"{new.file} is written: {'; '.join(done) or 'no entries'}"


def _write(path: Path, text: str, old: Baseline) -> None:
    try:
        now = read_text(path, kind=KIND) if os.path.exists(path) else ""
    except BadSuite:
        now = None
    if now != old.text:
        raise UsageError(f"--baseline {path}: was changed during the run; nothing was written")
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        raise UsageError(f"--baseline {path}: {error.strerror}; nothing was written") from None
