"""Exact arithmetic on rows of binary64 numbers or fractions: weights as integers over one denominator (SV-NUM-1)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate
from math import lcm

from specreference.validate import Number, Row


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of tokens: integers, each `unit` of probability."""

    counts: Sequence[int]
    unit: Fraction

    @property
    def mass(self) -> Fraction:
        """Their sum."""
        return sum(self.counts) * self.unit

    def fractions(self) -> list[Fraction]:
        """The weights themselves."""
        return [count * self.unit for count in self.counts]

    def draw(self, coin: Number, *, knot: str = "right") -> int:
        """The smallest token whose cumulative weight exceeds `coin` times the mass, or reaches it if `knot` is "left".

        A token without weight is never drawn; a coin of 1 draws the last token with weight.
        """
        numerator, denominator = coin.as_integer_ratio()
        threshold = numerator * sum(self.counts)
        last = 0
        for y, cumulative in enumerate(accumulate(self.counts)):
            if self.counts[y] > 0:
                last = y
                reached = cumulative * denominator
                if reached > threshold or (knot == "left" and reached == threshold):
                    return y
        return last


def greatest(row: Sequence[Number]) -> int:
    """The lowest index of the greatest value (SV-TIE-2, SV-TIE-3)."""
    return max(range(len(row)), key=row.__getitem__)


def greatest_residual(p: Row, q: Row) -> int | None:
    """The lowest index of the greatest p - q, None where none is above 0 (SV-RES-1, SV-TIE-1).

    Rounding is monotone, so the greatest exact difference is among the greatest rounded ones; only these are compared
    as fractions. The sign of a rounded difference is exact.
    """
    rounded = [a - b for a, b in zip(p, q, strict=True)]
    best = max(rounded)
    if best <= 0:
        return None
    return max((y for y, d in enumerate(rounded) if d == best), key=lambda y: Fraction(p[y]) - Fraction(q[y]))


def weights_of(row: Row) -> Weights:
    """A row's own weights."""
    ratios = [value.as_integer_ratio() for value in row]
    common = lcm(*(denominator for _, denominator in ratios))
    return Weights([above * (common // below) for above, below in ratios], Fraction(1, common))


def residual(p: Row, q: Row, scale: Fraction = Fraction(1)) -> Weights:
    """max(0, scale p - q), one weight a token (SV-RES-1; with a scale: SV-BLK-5)."""
    both = weights_of([*p, *q])
    targets, drafts = both.counts[: len(p)], both.counts[len(p) :]
    a, b = scale.as_integer_ratio()
    return Weights([max(0, a * t - b * d) for t, d in zip(targets, drafts, strict=True)], both.unit / b)
