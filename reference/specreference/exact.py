"""Exact arithmetic on binary64 inputs: what each decision is without any rounding (SV-NUM-1)."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from specreference.validate import Row


def accepts(u: float, p: float, q: float) -> bool:
    """Whether u <= min(1, p/q), without dividing (SV-ACC-1); with q = 0 whether p > 0 (SV-ACC-4); u is in [0, 1]."""
    if q == 0:
        return p > 0
    return Fraction(u) * Fraction(q) <= Fraction(p)


def argmax(row: Row) -> int:
    """The lowest index among the greatest values (SV-TIE-2, SV-TIE-3)."""
    return max(range(len(row)), key=row.__getitem__)


def residual_argmax(p: Row, q: Row) -> int | None:
    """The lowest index among the greatest of max(0, p - q); None where no entry is above 0 (SV-RES-1, SV-TIE-1).

    Rounding is monotone, so the greatest exact difference is among the greatest rounded ones; only these are compared
    as fractions. The sign of a rounded difference is exact.
    """
    rounded = [a - b for a, b in zip(p, q, strict=True)]
    best = max(rounded)
    if best <= 0:
        return None
    return max((y for y, d in enumerate(rounded) if d == best), key=lambda y: difference(p[y], q[y]))


def difference(p: float, q: float) -> Fraction:
    """The exact p - q."""
    return Fraction(p) - Fraction(q)


def residual(p: Row, q: Row) -> list[Fraction]:
    """max(0, p - q), exactly, one entry a token."""
    return [max(Fraction(0), difference(a, b)) for a, b in zip(p, q, strict=True)]


def greatest(weights: Sequence[Fraction]) -> list[int]:
    """The indices that share the greatest weight, ascending."""
    best = max(weights)
    return [y for y, weight in enumerate(weights) if weight == best]
