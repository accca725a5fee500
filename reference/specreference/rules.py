"""The rules as programs. What is random, or blurred by rounding, is asked of a `chance` object."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from specreference.outcome import Outcome
from specreference.validate import Row


class Chance(Protocol):
    """Who answers the questions of a rule. Rows are indexed by token and need not sum to 1."""

    def accept(self, step: int, p: float, q: float) -> bool:
        """Whether the draft token of `step`, of target probability p and draft probability q, is accepted."""

    def recover(self, p: Row, q: Row) -> int:
        """The token that the residual max(0, p - q) gives after a rejection."""

    def bonus(self, p: Row) -> int:
        """The token that row K of the target gives when all drafts are accepted."""


def chain(
    chance: Chance, draft_tokens: Sequence[int], draft_probs: Sequence[Row], target_probs: Sequence[Row]
) -> Outcome:
    """Verify a chain of K draft tokens (Leviathan et al. 2023, algorithm 1; SV-ACC, SV-STOP, SV-RES, SV-BON)."""
    accepted: list[int] = []
    for step, x in enumerate(draft_tokens):
        p, q = target_probs[step], draft_probs[step]
        # ACCEPT
        if not chance.accept(step, p[x], q[x]):
            # RECOVER
            return Outcome(tuple(accepted), chance.recover(p, q))
        accepted.append(x)
    # BONUS
    if len(target_probs) > len(draft_tokens):
        return Outcome(tuple(accepted), chance.bonus(target_probs[len(draft_tokens)]))
    return Outcome(tuple(accepted), None)
