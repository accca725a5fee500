"""Where implementations agree with each other and not with the suite, the case may be wrong."""

from __future__ import annotations

from collections.abc import Sequence

from specharness.implementation.observation import Answer, Raised, Returned
from specharness.judge.values import same
from specharness.judge.verdict import Status, Verdict

_FORM = ("SV-OUT", "SV-PURE")
"""Clauses that are judged on every case: breaking them says nothing about its expectation."""


def agreed_answer(verdicts: Sequence[Verdict]) -> Answer | None:
    """The answer of all implementations where it fails the case, None where they differ or are fewer than two.

    `verdicts` are those of different implementations on one case. Calls that were lost agree in nothing.
    """
    if len(verdicts) < 2 or not all(_contradicts(verdict) for verdict in verdicts):
        return None
    first, *others = (verdict.observation.answer for verdict in verdicts)
    return first if all(_is_same(first, other) for other in others) else None


def _contradicts(verdict: Verdict) -> bool:
    expectation = any(not breach.clause.startswith(_FORM) for breach in verdict.breaches)
    return verdict.status is Status.FAILED and expectation


def _is_same(one: Answer, other: Answer) -> bool:
    if isinstance(one, Returned) and isinstance(other, Returned):
        return same(one.value, other.value)
    return isinstance(one, Raised) and isinstance(other, Raised) and one.exception == other.exception
