"""The clause index, read from spec/verification.md and spec/profiles.md."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import Enum

from specharness.errors import BadSuite
from specharness.locations import data_root


class Level(Enum):
    """How binding a clause is."""

    MUST = "MUST"
    """Demanded by the original statement. Gates."""

    SHOULD = "SHOULD"
    """Hardens what the statement is silent on. Reported as advice; gates under --strict."""


@dataclass(frozen=True, slots=True)
class Clause:
    """One numbered normative sentence; `line` is its heading's line in its file."""

    id: str
    level: Level
    sentence: str
    reason: str
    line: int


_HEADING = re.compile(r"### (SV-[A-Z]+-[0-9]+) \((MUST|SHOULD)\)\s*")


def parse_clauses(text: str) -> dict[str, Clause]:
    """The clauses of the spec's text by id, in its order. Raises ValueError where a clause is malformed or repeated."""
    clauses: dict[str, Clause] = {}
    lines = text.splitlines()
    for at, heading in enumerate(lines):
        match = _HEADING.fullmatch(heading)
        if not match and re.match(r"#+\s*SV-", heading):
            raise ValueError(f"line {at + 1}: {heading!r} is no heading of a clause; expected ### SV-IN-1 (MUST)")
        if not match:
            continue
        paragraphs = _paragraphs(lines[at + 1 :])
        name = match[1]
        if name in clauses:
            raise ValueError(f"line {at + 1}: {name} again, first on line {clauses[name].line}")
        if len(paragraphs) < 2 or not paragraphs[1].startswith("Reason: "):
            raise ValueError(f"line {at + 1}: {name} needs a sentence and a paragraph that begins with 'Reason: '")
        reason = paragraphs[1].removeprefix("Reason: ")
        clauses[name] = Clause(name, Level(match[2]), paragraphs[0], reason, at + 1)
    if not clauses:
        raise ValueError("no clause found; expected headings such as '### SV-IN-1 (MUST)'")
    return clauses


def _paragraphs(lines: list[str]) -> list[str]:
    """The first two paragraphs before the next heading, each on one line."""
    paragraphs: list[list[str]] = [[]]
    for line in lines:
        if line.startswith("#"):
            break
        if line.strip():
            paragraphs[-1].append(line.strip())
        elif paragraphs[-1]:
            if len(paragraphs) == 2:
                break
            paragraphs.append([])
    return [" ".join(paragraph) for paragraph in paragraphs if paragraph]


CLAUSE_FILES = ("spec/verification.md", "spec/profiles.md")
"""Where the clauses stand, in order."""


def load_clauses() -> dict[str, Clause]:
    """The clauses of the shipped spec by id. Raises `BadSuite`."""
    root = data_root()
    clauses: dict[str, Clause] = {}
    for name in CLAUSE_FILES:
        try:
            found = parse_clauses((root / name).read_text(encoding="utf-8"))
        except (OSError, ValueError) as error:
            raise BadSuite([f"{root / name}: {error}"]) from None
        if again := found.keys() & clauses:
            raise BadSuite([f"{root / name}: {min(again)} stands in two files"])
        clauses.update(found)
    return clauses
