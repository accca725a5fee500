"""Single rows: exact distributions on a grid, sparse ones, ones with all their digits, and ones near another."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

from specharness.fuzz.dice import Dice

GRIDS = (16, 64, 256, 4096, 1 << 20, 1 << 30)
"""Denominators of the rows, all of which sum to 1 exactly; the smaller ones make ties."""

Row = list[float]
Maker = Callable[[Dice], Row]
"""Makes a row."""


def grid_row(size: int, grid: int) -> Maker:
    """`size` multiples of 1/`grid` that sum to 1: the gaps between sorted cuts."""

    def make(dice: Dice) -> Row:
        cuts = sorted(dice.below(grid + 1) for _ in range(size - 1))
        return [(b - a) / grid for a, b in pairwise([0, *cuts, grid])]

    return make


def sparse_row(size: int, grid: int) -> Maker:
    """Mass in multiples of 1/`grid` on at most four of `size` tokens."""

    def make(dice: Dice) -> Row:
        places = sorted({dice.below(size) for _ in range(1 + dice.below(4))})
        row = [0.0] * size
        for place, weight in zip(places, grid_row(len(places), grid)(dice), strict=True):
            row[place] = weight
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
        part = near[a] * dice.one_of((1, 1 / 2, 1 / 4, 2.0**-10, 2.0**-20))
        if near[a] - part + part == near[a] and near[b] + part - part == near[b]:  # exact, so that the sum stays
            near[a], near[b] = near[a] - part, near[b] + part
    return near
