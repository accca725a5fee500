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


def rounding_allows(fields: dict[str, Any], case: Case, arithmetic: Arithmetic) -> bool:
    """Whether a result of the right form is in the acceptable set. Asked only where it is not the expected one."""
    from specharness.suite.policies import policy_of
    from specreference import acceptable_outcomes

    if any(key not in fields for key in KEYS):
        return False
    outcomes = acceptable_outcomes(
        **case.arguments(),
        profile=case.profile,
        policy=policy_of(case),
        dtype=arithmetic.dtype,
        space=arithmetic.space,
    )
    return any(outcome.as_result() == fields for outcome in outcomes)


def rounding_note(fields: dict[str, Any], case: Case, arithmetic: Arithmetic) -> list[str]:
    """A line for a float64 failure that float32 would allow, else none."""
    if arithmetic.dtype == "float64" and rounding_allows(fields, case, replace(arithmetic, dtype="float32")):
        return ["correct float32 arithmetic could give this; if it computes in float32, run with --dtype float32"]
    return []
