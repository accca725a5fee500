"""A thing found wrong in a case file."""

from __future__ import annotations

from dataclasses import dataclass

from specharness.suite.yaml12 import Mark


@dataclass(frozen=True, slots=True)
class Problem:
    """Where, in which case (empty where in none), and what was found and expected."""

    file: str
    mark: Mark | None
    case: str
    message: str

    def __str__(self) -> str:
        place = self.file + (f":{self.mark[0]}:{self.mark[1]}" if self.mark else "")
        return f"{place}: {self.case + ': ' if self.case else ''}{self.message}"
