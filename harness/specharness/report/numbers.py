"""Exact numbers as a person reads them."""

from __future__ import annotations

from fractions import Fraction


def number(value: float | Fraction) -> str:
    """A short fraction where the value is one, a power of two as 2^-n, else a decimal."""
    if isinstance(value, float) and value - value != 0:
        return repr(value)
    exact = Fraction(value)
    if exact.denominator <= 4096 and abs(exact.numerator) <= 4096:
        return str(exact)
    if exact.numerator == 1 and exact.denominator & (exact.denominator - 1) == 0:
        return f"2^-{exact.denominator.bit_length() - 1}"
    if isinstance(value, float):
        return repr(value)
    try:
        nearest = float(exact)
    except OverflowError:
        return f"about 2^{exact.numerator.bit_length() - exact.denominator.bit_length()}"
    return repr(nearest) if exact == Fraction(nearest) else f"{nearest:.17g}"
