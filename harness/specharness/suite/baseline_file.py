"""Baseline files: read, and checked against the cases."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any

from specharness.errors import BadSuite
from specharness.names import did_you_mean
from specharness.suite.baseline import Baseline, Entry, KnownAnswer, KnownBreaches, recorded
from specharness.suite.clauses import Clause
from specharness.suite.files import parse_document, read_text
from specharness.suite.model import Case
from specharness.suite.problems import Problem
from specharness.suite.schema import check_shape
from specharness.suite.select import is_named
from specharness.suite.yaml12 import Mark, locate
from specharness.suite.yaml_flow import plain

KIND = "YAML baseline"
KEYS = "baseline and failures"
"""What a baseline file must have."""


def read_baseline(
    path: Path, cases: Sequence[Case], clauses: Mapping[str, Clause], *, new: str | None = None
) -> Baseline:
    """Read and check a baseline. `cases` are all of the suite. Raises `BadSuite` with all that is wrong.

    Where there is no such file, a baseline without entries of the profile `new`, if that is given.
    """
    if not os.path.exists(path):
        if new is not None:
            return Baseline(str(path), new, (), "")
        raise BadSuite([f"{path}: there is no such file; --update-baseline writes it from what fails now"])
    return parse_baseline(read_text(path, kind=KIND), path, cases, clauses)


def parse_baseline(text: str, path: Path, cases: Sequence[Case], clauses: Mapping[str, Clause]) -> Baseline:
    """As `read_baseline`, from the text of a file."""
    document = parse_document(text, path, keys=KEYS)
    found = check_shape(document, str(path), schema="baseline")
    if found:
        raise BadSuite([str(problem) for problem in found])
    profile = document.get("profile", "")
    of_profile = {case.id: case for case in cases if profile in ("", case.profile)}
    marks = document["failures"].marks
    entries = [_entry(written, mark, of_profile) for written, mark in zip(document["failures"], marks, strict=True)]
    places = [*_check_entries(document, clauses), *_check_cases(entries, marks, of_profile)]
    if places:
        raise BadSuite([str(Problem(str(path), mark, "", message)) for mark, message in sorted(places)])
    return Baseline(str(path), profile, tuple(entries), text)


def _entry(written: Any, mark: Mark, cases: Mapping[str, Case]) -> Entry:
    outcome: KnownBreaches | KnownAnswer
    if "breaches" in written:
        outcome = KnownBreaches(tuple((item["clause"], recorded(item["cause"])) for item in written["breaches"]))
    else:
        ((kind, value),) = written["observed"].items()
        outcome = KnownAnswer(kind, plain(value))
    return Entry(
        named={pattern: _matches(pattern, cases) for pattern in _several(written["cases"])},
        reason=written["reason"].strip(),
        link=written.get("link", ""),
        expires=_date(written.get("expires")),
        outcome=outcome,
        line=mark[0],
    )


def _matches(pattern: str, cases: Mapping[str, Case]) -> tuple[str, ...]:
    if pattern in cases:
        return (pattern,)
    return tuple(name for name, case in cases.items() if is_named(case, pattern))


def _several(value: Any) -> tuple[str, ...]:
    return (value,) if isinstance(value, str) else tuple(value)


def _date(text: str | None) -> date | None:
    try:
        return None if text is None else date.fromisoformat(text)
    except ValueError:
        return None


def _check_entries(document: Any, clauses: Mapping[str, Clause]) -> Iterator[tuple[Mark, str]]:
    """What is wrong with an entry by itself."""
    for at, written in enumerate(document["failures"]):
        if "expires" in written and _date(written["expires"]) is None:
            yield locate(written, ["expires"]), f"found {written['expires']!r}; expected a date, such as '2030-12-31'"
        if "breaches" in written and "observed" in written:
            yield locate(document, ["failures", at]), "found both breaches and observed; expected one of them"
        for number, item in enumerate(written.get("breaches", ())):
            if item["clause"] not in clauses:
                near = did_you_mean(item["clause"], clauses)
                yield (
                    locate(written, ["breaches", number, "clause"]),
                    f"found the clause {item['clause']!r}, which the spec lacks.{near}",
                )


def _check_cases(
    entries: Sequence[Entry], marks: Sequence[Mark], cases: Mapping[str, Case]
) -> Iterator[tuple[Mark, str]]:
    """Cases that two entries name, and outcomes that are no failure."""
    first: dict[str, Entry] = {}
    for entry, mark in zip(entries, marks, strict=True):
        again = [name for name in entry.cases if name in first]
        if again:
            other = first[again[0]]
            agree = "the same outcome" if entry.outcome == other.outcome else f"another outcome, {other.outcome}"
            more = f" (and {len(again) - 1} more)" if len(again) > 1 else ""
            yield mark, f"{again[0]}{more} again, first on line {other.line} with {agree}; expected one entry a case"
        right = [name for name in entry.cases if _is_right(entry.outcome, cases[name])]
        if right:
            yield mark, f"the outcome {entry.outcome} is what {right[0]} expects; expected a failure"
        first.update((name, entry) for name in entry.cases if name not in first)


def _is_right(outcome: KnownBreaches | KnownAnswer, case: Case) -> bool:
    expected = case.expected
    if expected.raises:
        return outcome == KnownAnswer("raises", expected.raises)
    return outcome == KnownAnswer("result", expected.as_result())
