"""Reading JSON reports: what spec/schema/report.schema.json promises of them, and no more.

A report of a later version may have fields that this one does not know; they are passed over. It is untrusted data.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from specharness.errors import BadSuite
from specharness.suite.files import read_text
from specharness.suite.schema import shape_problems
from specharness.suite.yaml12 import shorten

FORMAT = "specharness report 1"
MAX_BYTES = 200_000_000
"""Larger reports are refused unread."""

_SHOWN = 20


@dataclass(frozen=True, slots=True)
class PublishedCase:
    """A case of a report. `status` is passed, advice, failed, known or not_run.

    `breaches` are clause and cause of each, `line` is the first fact. `observed` is None where the case passed.
    """

    id: str
    title: str
    status: str
    breaches: tuple[tuple[str, str], ...]
    line: str
    observed: Mapping[str, Any] | None


@dataclass(frozen=True, slots=True)
class PublishedReport:
    """A report as read. `declared` is how the run was made, by name; `skipped` has the reason by case."""

    file: str
    implementation: str
    declared: Mapping[str, str]
    whole: bool
    cases: Mapping[str, PublishedCase]
    skipped: Mapping[str, str]


def read_report(path: Path) -> PublishedReport:
    """Read a JSON report. Raises `BadSuite` where the file is none, of another format version, or malformed."""
    text = read_text(path, kind="JSON report", most=MAX_BYTES)
    try:
        document = json.loads(text, parse_constant=_refuse)
    except (ValueError, RecursionError) as error:
        raise BadSuite([f"{path}: not JSON: {error}; expected a report of --report json=PATH"]) from None
    _check_format(document, path)
    problems = list(shape_problems(document, "report", newer=True))[:_SHOWN]
    if problems:
        raise BadSuite([f"{path}: {_place(where)}{message}" for where, message in problems])
    cases: dict[str, PublishedCase] = {}
    for entry in document["cases"]:
        if entry["id"] in cases:
            raise BadSuite([f"{path}: the case {shorten(entry['id'])} stands in it twice; expected each once"])
        cases[entry["id"]] = _case(entry)
    return PublishedReport(
        file=str(path),
        implementation=document["implementation"]["name"],
        declared=_declared(document),
        whole=not (document["interrupted"] or document["stopped"]),
        cases=cases,
        skipped={entry["id"]: entry["reason"] for entry in document["skipped"]},
    )


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"found {constant}, which JSON lacks")


def _check_format(document: Any, path: Path) -> None:
    found = document.get("format") if isinstance(document, dict) else None
    if found == FORMAT:
        return
    if isinstance(found, str) and found.startswith("specharness report "):
        raise BadSuite([f"{path}: a {shorten(found)}; this version of specharness reads {FORMAT!r}"])
    raise BadSuite([f"{path}: no report of specharness; expected a report of --report json=PATH"])


def _place(path: list[str | int]) -> str:
    text = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in path).removeprefix(".")
    return f"{text}: " if text else ""


def _declared(document: Any) -> dict[str, str]:
    policies = ", ".join(f"{name} {value}" for name, value in sorted(document["policies"].items()))
    return {
        "implementation": document["implementation"]["name"],
        "profile": document["profile"],
        "dtype": document["dtype"],
        "space": document["space"],
        "policies": policies or "default",
        "strict": "strict" if document["strict"] else "not strict",
        "spec": document["spec"],
        "cases": document["suite"]["digest"],
    }


def _case(entry: Any) -> PublishedCase:
    breaches = entry.get("breaches", ())
    return PublishedCase(
        id=entry["id"],
        title=entry["title"],
        status=entry["status"],
        breaches=tuple(dict.fromkeys((breach["clause"], breach["cause"]) for breach in breaches)),
        line=next((line for breach in breaches for line in breach["lines"]), ""),
        observed=entry.get("observed"),
    )
