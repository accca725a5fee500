"""The rules as programs. What is random, or blurred by rounding, is asked of a `chance` object.

Each takes K draft tokens, K draft rows, K or more target rows, each row of V probabilities, and has been given valid
input. Rows and steps are counted from 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from specreference.outcome import Outcome
from specreference.validate import Number, Row, Rows


class Chance(Protocol):
    """Who answers the questions of a rule. A joint ratio is opaque to the rules, since rounding may blur it."""

    one: Any

    def accept(self, step: int, p: Number, q: Number) -> bool:
        """Accept with probability min(1, p/q)."""

    def choose(self, p: Row, q: Row | None = None, joint: Any = None) -> int:
        """A token by the weights p, or max(0, p - q), or max(0, joint p - q)."""

    def extend(self, joint: Any, p: Number, q: Number) -> Any:
        """The joint ratio min(1, joint p/q)."""

    def accept_block(self, step: int, joint: Any, following: tuple[Row, Row] | None) -> bool:
        """Accept with probability R/(R + 1 - joint), R the mass of max(0, joint p - q) over the following rows p, q.

        0/0 counts as 1. Where no rows follow, accept with probability `joint`.
        """


def chain(chance: Chance, draft_tokens: Sequence[int], draft_probs: Rows, target_probs: Rows) -> Outcome:
    """Token by token (Leviathan et al. 2023, algorithm 1; Chen et al. 2023, algorithm 2)."""
    accepted: list[int] = []
    for step, x in enumerate(draft_tokens):
        p, q = target_probs[step], draft_probs[step]
        # ACCEPT
        if not chance.accept(step, p[x], q[x]):
            # RECOVER
            return Outcome(tuple(accepted), chance.choose(p, q))
        accepted.append(x)
    # BONUS
    return _with_bonus(chance, accepted, target_probs)


def one_hot(chance: Chance, draft_tokens: Sequence[int], _: Rows | None, target_probs: Rows) -> Outcome:
    """Drafts without probabilities: each draft row is certain of its token (n-gram and suffix drafters)."""
    rows = zip(draft_tokens, target_probs, strict=False)
    certain = [[1 if y == x else 0 for y in range(len(p))] for x, p in rows]
    return chain(chance, draft_tokens, certain, target_probs)


def greedy(chance: Chance, draft_tokens: Sequence[int], _: Rows | None, target_probs: Rows) -> Outcome:
    """Temperature 0: a draft token stays if the target would have chosen it."""
    accepted: list[int] = []
    for x, p in zip(draft_tokens, target_probs, strict=False):
        # ACCEPT
        chosen = chance.choose(p)
        if chosen != x:
            # RECOVER
            return Outcome(tuple(accepted), chosen)
        accepted.append(x)
    # BONUS
    return _with_bonus(chance, accepted, target_probs)


def block(chance: Chance, draft_tokens: Sequence[int], draft_probs: Rows, target_probs: Rows) -> Outcome:
    """The block as a whole: the longest prefix that any of its positions accepts (Sun et al. 2024, algorithm 2)."""
    k, kept = len(draft_tokens), 0
    joints = [chance.one]
    for x, p, q in zip(draft_tokens, target_probs, draft_probs, strict=False):
        joints.append(chance.extend(joints[-1], p[x], q[x]))
    # ACCEPT
    for length in range(1, k + 1):
        following = (target_probs[length], draft_probs[length]) if length < k else None
        if chance.accept_block(length - 1, joints[length], following):
            kept = length
    accepted = list(draft_tokens[:kept])
    if kept < k:
        # RECOVER
        return Outcome(tuple(accepted), chance.choose(target_probs[kept], draft_probs[kept], joints[kept]))
    # BONUS
    return _with_bonus(chance, accepted, target_probs)


def _with_bonus(chance: Chance, accepted: list[int], target_probs: Rows) -> Outcome:
    """All K drafts are accepted: the bonus token comes from row K, if there is one (SV-BON-1, SV-BON-2)."""
    k = len(accepted)
    return Outcome(tuple(accepted), chance.choose(target_probs[k]) if len(target_probs) > k else None)
