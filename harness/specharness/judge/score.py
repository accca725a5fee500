"""The score of an exercise."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from specharness.implementation.session import Imports
from specharness.judge.verdict import Status, Verdict

BONUS = 10


@dataclass(frozen=True, slots=True)
class Score:
    """`points` out of 100, and `bonus` points with the reason why they are given or not."""

    points: int
    bonus: int
    reason: str


def score(verdicts: Sequence[Verdict], imports: Imports, *, python: bool) -> Score:
    """The share of gating cases passed, rounded down, and the bonus for plain Python where all pass.

    100 only where no other case fails either. `python` is whether the implementation is a Python function.
    """
    gating = [verdict for verdict in verdicts if verdict.gating]
    if not gating:
        return Score(0, 0, "no gating case was run")
    passed = sum(verdict.status in (Status.PASSED, Status.ADVICE) for verdict in gating)
    points = 100 * passed // len(gating)
    if any(verdict.status in (Status.FAILED, Status.KNOWN, Status.NOT_RUN) for verdict in verdicts):
        points = min(points, 99)
    if points < 100:
        return Score(points, 0, "the bonus needs 100 points")
    if not python:
        return Score(points, 0, "it is no Python function, so its imports are not known")
    if not imports.known:
        return Score(points, 0, "its process did not tell what it imports")
    if imports.foreign:
        named = ", ".join(f"{module} ({reason})" for module, reason in imports.foreign[:3])
        return Score(points, 0, f"not plain Python: it imports {named}")
    return Score(points, BONUS, "plain Python: it imports nothing but the standard library and its own modules")
