"""Single rows: distributions on a grid, sparse and peaked ones, ones with all their digits, and ones near another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise

from specharness.fuzz.dice import Dice
from specharness.suite import numbers

GRIDS = (16, 64, 256, 4096, 1 << 20, 1 << 30)
"""Denominators of the rows, all of which sum to 1 exactly; the smaller ones make ties."""

LEAST = float(numbers.LEAST)
"""The smallest positive number that a case file holds."""

Row = list[float]
Maker = Callable[[Dice], Row]
"""Makes a row."""


def grid_row(size: int, grid: int) -> Maker:
    """`size` multiples of 1/`grid` that sum to 1: the gaps between sorted cuts."""

    def make(dice: Dice) -> Row:
        cuts = sorted(dice.below(grid + 1) for _ in range(size - 1))
        return [(b - a) / grid for a, b in pairwise([0, *cuts, grid])]

    return make


def spread_row(size: int) -> Maker:
    """Mass on at most four of `size` tokens, often equal and beside the edges of tiles."""

    def make(dice: Dice) -> Row:
        place = _beside_edges(size) if dice.chance(1, 2) else range(size)
        places = sorted({dice.one_of(place) for _ in range(1 + dice.below(4))})
        count = len(places)
        equal = count != 3 and dice.chance(1, 2)
        weights = [1 / count] * count if equal else grid_row(count, 64)(dice)
        row = [0.0] * size
        for token, weight in zip(places, weights, strict=True):
            row[token] = weight
        return row

    return make


@cache
def _beside_edges(size: int) -> Sequence[int]:
    """The tokens on both sides of where tiles of usual widths meet, and the last ones."""
    edges = [*range(0, min(size, 256), 32), 256, 512, 1024, 2048, 4096, 32_768, 65_536, size // 8 * 8, size]
    return sorted({y for edge in edges for y in (edge - 1, edge) if 0 <= y < size})


def peaked_row(size: int) -> Maker:
    """Nearly all mass on one token, as of a model that is sure; the rest in powers of two on others."""

    def make(dice: Dice) -> Row:
        row = [0.0] * size
        for _ in range(1 + dice.below(3)):
            row[dice.below(size)] = 2.0 ** -dice.one_of((4, 5, 6, 8, 10, 14, 20, 27, 34))
        best = dice.below(size)
        row[best] = 0.0
        row[best] = 1 - sum(row)
        return row

    return make


def real_row(size: int) -> Maker:
    """Numbers with all their digits, which sum to 1 but for rounding."""

    def make(dice: Dice) -> Row:
        weights = [dice.below(10**6) for _ in range(size)]
        total = sum(weights)
        return [weight / total for weight in weights] if total else [1.0, *[0.0] * (size - 1)]

    return make


def near_row(row: Row, dice: Dice) -> Row:
    """The row itself, or in another order, or with mass moved between two tokens."""
    how = dice.one_of(("same", "moved", "moved", "swapped", "reversed"))
    if how == "reversed":
        return row[::-1]
    near = list(row)
    a, b = dice.below(len(row)), dice.below(len(row))
    if how == "swapped":
        near[a], near[b] = near[b], near[a]
    elif how == "moved" and a != b:
        part = near[a] * dice.one_of((1, 1 / 2, 1 / 4, 2.0**-10, 2.0**-20, 2.0**-32))
        exact = near[a] - part + part == near[a] and near[b] + part - part == near[b]  # so that the sum stays
        if exact and part >= LEAST:
            near[a], near[b] = near[a] - part, near[b] + part
    return near
