"""Large inputs from a recipe: the algorithm of spec/recipes.md."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

_MASK = 2**64 - 1


def splitmix64(seed: int) -> Iterator[int]:
    """The generator's values, 64-bit unsigned (Steele, Lea and Flood 2014)."""
    state = seed
    while True:
        state = (state + 0x9E3779B97F4A7C15) & _MASK
        z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        yield z ^ (z >> 31)


_WEIGHTS: dict[str, Callable[[int], int]] = {
    "flat": lambda r: 1 + (r >> 60),
    "peaked": lambda r: 1 << (r >> 61),
    "sparse": lambda r: 0 if r & 15 else 1 + (r >> 60),
}


MAX_NUMBERS = 4_000_000
"""Recipes of more probabilities are refused."""


def recipe_size(*, vocabulary: int, drafts: int, target_rows: int | None = None, **_: Any) -> int:
    """How many probabilities a recipe makes."""
    return vocabulary * (drafts + (drafts + 1 if target_rows is None else target_rows))


def expand_recipe(
    *, distribution: str, vocabulary: int, drafts: int, seed: int, target_rows: int | None = None, uniforms: int = 0
) -> dict[str, Any]:
    """The four arguments, by name. Rows are dyadic and sum to 1 exactly. `uniforms` are how many more than `drafts`."""
    values = splitmix64(seed)
    weight = _WEIGHTS[distribution]
    draft_probs = [_row(values, weight, vocabulary) for _ in range(drafts)]
    rows = drafts + 1 if target_rows is None else target_rows
    target_probs = [_row(values, weight, vocabulary) for _ in range(rows)]
    draft_tokens = [next(values) % vocabulary for _ in range(drafts)]
    random_samples = [(next(values) >> 53) / 2**11 for _ in range(drafts + uniforms)]
    return {
        "draft_tokens": draft_tokens,
        "draft_probs": draft_probs,
        "target_probs": target_probs,
        "random_samples": random_samples,
    }


def _row(values: Iterator[int], weight: Callable[[int], int], vocabulary: int) -> list[float]:
    weights = [weight(next(values)) for _ in range(vocabulary)]
    total = sum(weights)
    divisor = 1 << max(0, total - 1).bit_length()
    weights[next(values) % vocabulary] += divisor - total
    return [w / divisor for w in weights]
