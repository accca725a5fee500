"""Profile `argmax`: the original statement. Deterministic, and not lossless."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from specreference.replay import Replay
from specreference.rules import chain
from specreference.validate import Row, validate


def verify_speculative_tokens(
    draft_tokens: Sequence[int],
    draft_probs: Sequence[Row],
    target_probs: Sequence[Row],
    random_samples: Sequence[float],
) -> dict[str, Any]:
    """Verify K draft tokens against the target's rows; the recovered or bonus token is an argmax.

    `draft_tokens` holds K token indices, `draft_probs` K rows of V probabilities, `target_probs` K or more rows of V,
    `random_samples` K uniforms in [0, 1]. Returns a dict of `accepted_tokens` (list), `bonus_token` (int or None) and
    `acceptance_count` (int). The arithmetic is exact on the binary64 values given. Clauses SV-IN to SV-NUM.

    Raises `InvalidInput` (a ValueError) naming argument, index, value and clause.
    """
    # VALIDATE
    validate(draft_tokens, draft_probs, target_probs, random_samples)
    return chain(Replay(random_samples), draft_tokens, draft_probs, target_probs).as_result()
