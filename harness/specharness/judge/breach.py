"""One thing in which an observation differs from what a case expects."""

from __future__ import annotations

from dataclasses import dataclass

from specharness.suite.clauses import Level


@dataclass(frozen=True, slots=True)
class Breach:
    """The clause that the difference shows, and the level at which it counts.

    `cause` names the kind of difference, so that like failures can be told together. `lines` say what was expected
    and what came, a fact a line.
    """

    clause: str
    level: Level
    cause: str
    lines: tuple[str, ...]
