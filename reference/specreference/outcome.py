"""What a verification step gives back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Outcome:
    """The accepted draft tokens, and the recovered or bonus token (None where there is no row K)."""

    accepted_tokens: tuple[int, ...]
    bonus_token: int | None

    @property
    def emitted(self) -> tuple[int, ...]:
        """All tokens that the step adds to the stream."""
        return self.accepted_tokens if self.bonus_token is None else (*self.accepted_tokens, self.bonus_token)

    def as_result(self) -> dict[str, Any]:
        """The dict of the original statement (SV-OUT-1)."""
        return {
            "accepted_tokens": list(self.accepted_tokens),
            "bonus_token": self.bonus_token,
            "acceptance_count": len(self.accepted_tokens),
        }
