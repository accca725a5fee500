"""Numbers of case files: decimals and dyadic fractions, as binary64."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

from specharness.suite.yaml12 import YamlFloat, shorten

LEAST = Fraction(1, 2**60)
"""Non-zero inputs are at least this large, so that no dtype's subnormals decide a case."""


class InexactDecimal(float):
    """A decimal that is no binary64 number: it stands for the nearest one."""

    __slots__ = ()


class NumberProblem(ValueError):
    """Not a number that a case may hold."""


def read_number(value: Any) -> float:
    """The binary64 number that a decimal, an integer or `n/d` with d a power of two means.

    A decimal that is not exact comes back as `InexactDecimal`. Raises `NumberProblem`.
    """
    if isinstance(value, str):
        return _read_fraction(value)
    try:
        number = float(value)
    except OverflowError:
        raise NumberProblem(f"found {shorten(value)}; expected a number that binary64 can hold") from None
    if not math.isfinite(number):
        return number
    if 0 < abs(number) < LEAST:
        raise NumberProblem(f"found {shorten(value)}; expected 0 or at least 2^-60 in absolute value")
    if number == 0:
        return number
    exact = Fraction(value.text) if isinstance(value, YamlFloat) else Fraction(value)
    return number if exact == Fraction(number) else InexactDecimal(number)


def _read_fraction(text: str) -> float:
    numerator, denominator = text.split("/")
    divisor = int(denominator)
    if divisor & (divisor - 1):
        raise NumberProblem(
            f"found {shorten(text)}, which is no binary64 number; expected a denominator that is a power of two, "
            "or a decimal"
        )
    exact = Fraction(int(numerator), divisor)
    try:
        number = float(exact)
    except OverflowError:
        number = math.inf
    if math.isinf(number) or Fraction(number) != exact:
        raise NumberProblem(f"found {shorten(text)}; expected a fraction that binary64 holds exactly")
    if 0 < abs(exact) < LEAST:
        raise NumberProblem(f"found {shorten(text)}; expected 0 or at least 2^-60 in absolute value")
    return number
