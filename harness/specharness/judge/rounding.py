"""Just treatment of rounding: what correct arithmetic of the declared dtype could give conforms (SV-NUM-2)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from specharness.judge.output import KEYS
from specharness.suite.model import Case


@dataclass(frozen=True, slots=True)
class Arithmetic:
    """What an implementation is declared to compute in. `space` is "log" where it compares logarithms."""

    dtype: str = "float64"
    space: str = "prob"


def acceptable_results(case: Case, arithmetic: Arithmetic) -> list[dict[str, Any]]:
    """The results that are acceptable for a case, the exact one first."""
    from specharness.suite.policies import policy_of
    from specreference import acceptable_outcomes

    outcomes = acceptable_outcomes(
        **case.arguments(),
        profile=case.profile,
        policy=policy_of(case),
        dtype=arithmetic.dtype,
        space=arithmetic.space,
    )
    return [outcome.as_result() for outcome in outcomes]


def nearest_acceptable(fields: dict[str, Any], case: Case, arithmetic: Arithmetic) -> dict[str, Any]:
    """The acceptable result that equals a result of the right form, else one with its accepted tokens, else the exact
    one. Asked only where it is not the exact one.
    """
    if any(key not in fields for key in KEYS):
        return case.expected.as_result()
    results = acceptable_results(case, arithmetic)
    accepted = fields["accepted_tokens"]
    alike = [result for result in results if result["accepted_tokens"] == accepted]
    return next((result for result in alike if result == fields), [*alike, results[0]][0])


def rounding_note(fields: dict[str, Any], case: Case, arithmetic: Arithmetic) -> list[str]:
    """A line for a float64 failure that float32 would allow, else none."""
    if arithmetic.dtype != "float64" or any(key not in fields for key in KEYS):
        return []
    if fields not in acceptable_results(case, replace(arithmetic, dtype="float32")):
        return []
    return ["correct float32 arithmetic could give this; if it computes in float32, declare the dtype float32"]
