"""The choices in which engines differ on purpose. A profile fixes them; `sampled` takes them as options."""

from __future__ import annotations

from dataclasses import dataclass

POLICIES = {
    "comparison": ("le", "lt"),
    "zero_draft": ("accept", "reject"),
    "massless": ("target", "first", "last"),
    "support": ("safe", "letter"),
    "knot": ("right", "left"),
}
"""The values of each policy, the default of `sampled` first."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a rule decides where the papers leave a choice (spec/profiles.md).

    `comparison`: u <= p/q or u < p/q. `zero_draft`: a token with q = 0 < p. `massless`: a residual without mass is
    replaced by the target row, or token 0 or V - 1 is taken. `support`: whether a token with p = 0 is rejected even
    where u = 0. `knot`: a coin at the end of a token's interval draws the next token or that one.
    """

    comparison: str = "le"
    zero_draft: str = "accept"
    massless: str = "target"
    support: str = "safe"
    knot: str = "right"

    def __post_init__(self) -> None:
        for name, values in POLICIES.items():
            if getattr(self, name) not in values:
                raise ValueError(f"policy {name}: {getattr(self, name)!r}; expected {' or '.join(values)}")


DEFAULT = Policy()
"""The policies of `sampled`, `one-hot` and `block` unless others are asked for."""
