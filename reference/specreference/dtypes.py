"""The floating-point formats that an implementation may compute in."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction


@dataclass(frozen=True, slots=True)
class Dtype:
    """A binary format with round to nearest: `digits` of significand, `least` exponent of a subnormal, `largest`."""

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

    def represents(self, value: float) -> bool:
        """Whether `value`, a finite number, is one of this format's numbers."""
        exact = abs(Fraction(value))
        if exact == 0:
            return True
        significand, power = exact.numerator, -(exact.denominator.bit_length() - 1)
        shift = (significand & -significand).bit_length() - 1
        return (
            (significand >> shift).bit_length() <= self.digits
            and power + shift >= self.least
            and (exact <= self.largest)
        )


def _dtype(name: str, digits: int, least: int, exponent: int) -> Dtype:
    return Dtype(name, digits, least, Fraction(2**digits - 1) * 2 ** (exponent - digits + 1))


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
