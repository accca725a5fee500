"""The floating-point formats that an implementation may compute in."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from specreference.validate import Number


@dataclass(frozen=True, slots=True)
class Dtype:
    """A binary format that rounds to nearest: `digits` of significand, 2^`least` the smallest subnormal."""

    name: str
    digits: int
    least: int
    largest: Fraction

    @property
    def eps(self) -> Fraction:
        """The unit roundoff: half the gap above 1."""
        return Fraction(1, 2**self.digits)

    @property
    def eta(self) -> Fraction:
        """The smallest subnormal."""
        return Fraction(1, 2**-self.least)

    def represents(self, value: Number) -> bool:
        """Whether a finite number is one of this format's."""
        above, below = value.as_integer_ratio()
        if above == 0 or below & (below - 1):
            return above == 0
        above = abs(above)
        shift = (above & -above).bit_length() - 1
        exponent = shift - below.bit_length() + 1
        short = (above >> shift).bit_length() <= self.digits
        return short and exponent >= self.least and above <= self.largest * below

    def error(self, value: Number, space: str = "prob") -> Fraction:
        """The most by which an input differs from what the implementation holds of it: half a unit in the last place.

        In `log` space it holds the exponential of a rounded logarithm, also of a number that the dtype represents.
        """
        if value == 0 or (space == "prob" and self.represents(value)):
            return Fraction(0)
        if space == "log":
            return (3 + Fraction(abs(math.log(value)))) * self.eps * abs(Fraction(value)) + self.eta
        return max(self.eps * Fraction(2) ** (math.frexp(value)[1] - 1), self.eta / 2)


def _dtype(name: str, digits: int, least: int, exponent: int) -> Dtype:
    return Dtype(name, digits, least, Fraction(2**digits - 1) * Fraction(2) ** (exponent - digits + 1))


DTYPES = {
    dtype.name: dtype
    for dtype in (
        _dtype("float64", 53, -1074, 1023),
        _dtype("float32", 24, -149, 127),
        _dtype("float16", 11, -24, 15),
        _dtype("bfloat16", 8, -133, 127),
    )
}
"""The declared dtypes by name, finest first."""

SPACES = ("prob", "log")
"""Whether an implementation compares probabilities or their logarithms."""
