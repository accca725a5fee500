"""Exact numbers as a person reads them."""

from __future__ import annotations

import math
import re
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specharness.report.numbers import number


def _parse(text):
    match = re.fullmatch(r"2\^-(\d+)", text)
    return Fraction(1, 2 ** int(match[1])) if match else Fraction(text)


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.5, "1/2"),
        (1.0, "1"),
        (0.0, "0"),
        (-0.75, "-3/4"),
        (Fraction(7, 64), "7/64"),
        (Fraction(1, 3), "1/3"),
        (Fraction(-5, 7), "-5/7"),
        (0.1, "0.1"),
        (2.0**-40, "2^-40"),
        (Fraction(1, 2**80), "2^-80"),
        (2.0**-12, "1/4096"),
        (2.0**-13, "2^-13"),
        (0.5 + 2.0**-40, "0.5000000000009095"),
        (math.nan, "nan"),
        (math.inf, "inf"),
        (-math.inf, "-inf"),
    ],
)
def test_a_number_is_written_short(value, text):
    assert number(value) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_float_is_written_exactly(value):
    text = number(value)
    assert float(_parse(text)) == value
    if "/" in text or "^" in text:
        assert _parse(text) == Fraction(value)


@given(st.fractions() | st.builds(Fraction, st.integers(-5000, 5000), st.integers(1, 5000)))
def test_a_fraction_is_written_exactly_or_to_the_precision_of_a_float(value):
    text = number(value)
    if "/" in text or "^" in text or re.fullmatch(r"-?\d{1,4}", text):
        assert _parse(text) == value
    else:
        assert abs(_parse(text) - value) <= abs(value) * Fraction(1, 2**52)


@given(st.integers(1, 1200))
def test_a_small_power_of_two_is_written_as_one(power):
    assert _parse(number(Fraction(1, 2**power))) == Fraction(1, 2**power)


@pytest.mark.parametrize(
    "value",
    [Fraction(10) ** 400, -(Fraction(10) ** 400), Fraction(1e308) / Fraction(5e-324), Fraction(3, 10**400)],
    ids=lambda v: f"{float(v.numerator > 0)}",
)
def test_a_ratio_beyond_the_range_of_floats_is_written_too(value):
    """p/q of rows that need not sum to 1."""
    text = number(value)
    assert text
    assert len(text) < 60
