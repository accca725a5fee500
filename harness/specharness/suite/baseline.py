"""What a baseline is, once read: the failures of an implementation that are known (spec/baseline.md)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Any

NO_REASON = "TODO"
"""What the reason of an entry begins with where nobody has given one yet."""


@dataclass(frozen=True, slots=True)
class KnownBreaches:
    """All that fails in a case: clause and cause of each breach."""

    pairs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return "; ".join(f"{clause} ({cause})" for clause, cause in self.pairs)


@dataclass(frozen=True, slots=True, eq=False)
class KnownAnswer:
    """The wrong answer itself. `kind` is "result", "raises" or "lost", `value` as the JSON report has it.

    Answers are equal in value and type: `True` and `1.0` are no 1.
    """

    kind: str
    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnownAnswer) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> str:
        return json.dumps([self.kind, self.value], sort_keys=True)

    def __str__(self) -> str:
        text = self.value if isinstance(self.value, str) else json.dumps(self.value)
        return f"{self.kind} {text if len(text) <= 200 else text[:200] + '...'}"


@dataclass(frozen=True, slots=True, eq=False)
class Entry:
    """Cases that are known to fail, why, and with which outcome.

    `named` has the ids that each pattern of `--case` stands for, none where it names no case. `link` is empty and
    `expires` None where not given. `line` is where it stands in its file.
    """

    named: Mapping[str, tuple[str, ...]]
    reason: str
    link: str
    expires: date | None
    outcome: KnownBreaches | KnownAnswer
    line: int

    @property
    def patterns(self) -> tuple[str, ...]:
        """The ids and globs as they are written."""
        return tuple(self.named)

    @property
    def cases(self) -> tuple[str, ...]:
        """The ids of its cases, each once."""
        return tuple(dict.fromkeys(name for names in self.named.values() for name in names))

    @property
    def unmatched(self) -> tuple[str, ...]:
        """The patterns that name no case at all."""
        return tuple(pattern for pattern, names in self.named.items() if not names)

    @property
    def has_reason(self) -> bool:
        """Whether somebody has said why."""
        return not self.reason.startswith(NO_REASON)


@dataclass(frozen=True, eq=False)
class Baseline:
    """The entries of a file. `profile` is empty where the file gives none; `text` is the file as it was read."""

    file: str
    profile: str
    entries: tuple[Entry, ...]
    text: str

    @cached_property
    def by_case(self) -> Mapping[str, Entry]:
        """The entry of each case that one names."""
        return {name: entry for entry in self.entries for name in entry.cases}


def recorded(cause: str) -> str:
    """A cause as baselines hold and compare it: what YAML can't write is spelt out, and it is cut to 200 characters."""
    return cause.encode("utf-8", "backslashreplace").decode()[:200]
