"""Just treatment of rounding: what correct arithmetic of the declared dtype could give conforms (SV-NUM-2)."""

from __future__ import annotations

from typing import Any

from specharness.judge.output import KEYS


def rounding_allows(fields: dict[str, Any], arguments: dict[str, Any], dtype: str) -> bool:
    """Whether a result of the right form is in the acceptable set of `dtype`. Asked only where it is not expected."""
    from specreference import acceptable_outcomes

    if any(key not in fields for key in KEYS):
        return False
    return any(outcome.as_result() == fields for outcome in acceptable_outcomes(**arguments, dtype=dtype))


def rounding_note(fields: dict[str, Any], arguments: dict[str, Any], dtype: str) -> list[str]:
    """A line for a float64 failure that float32 would allow, else none."""
    if dtype == "float64" and rounding_allows(fields, arguments, "float32"):
        return ["correct float32 arithmetic could give this; if it computes in float32, run with --dtype float32"]
    return []
