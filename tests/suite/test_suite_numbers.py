"""Numbers of case files as binary64."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specharness.suite.numbers import LEAST, InexactDecimal, NumberProblem, read_number
from specharness.suite.yaml12 import YamlFloat, parse


def _read(text):
    return read_number(parse(f"[{text}]")[0])


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0.0),
        ("-0.0", -0.0),
        ("1", 1.0),
        ("0x10", 16.0),
        ("1/2", 0.5),
        ("-3/4", -0.75),
        ("+3/4", 0.75),
        ("0/1", 0.0),
        ("6/4", 1.5),
        ("010/16", 0.625),
        ("1/1152921504606846976", 2.0**-60),
        ("8.673617379884035e-19", 2.0**-60),
        ("-8.673617379884035e-19", -(2.0**-60)),
        ("9007199254740993/9007199254740992", None),
        ("9007199254740991/9007199254740992", 1 - 2.0**-53),
        ("1.7976931348623157e308", 1.7976931348623157e308),
        (".inf", math.inf),
        ("-.inf", -math.inf),
    ],
)
def test_a_number_is_the_binary64_number_that_its_text_means(text, value):
    if value is None:
        with pytest.raises(NumberProblem, match="holds exactly"):
            _read(text)
        return
    number = _read(text)
    assert isinstance(number, float)
    assert repr(float(number)) == repr(value)


def test_nan_is_read():
    assert math.isnan(_read(".nan"))


@pytest.mark.parametrize("text", ["1/3", "2/6", "1/10", "5/7", "1/12345"])
def test_a_denominator_that_is_no_power_of_two_is_refused_though_the_value_may_be_dyadic(text):
    with pytest.raises(NumberProblem, match="expected a denominator that is a power of two, or a decimal"):
        _read(text)


@pytest.mark.parametrize(
    ("text", "inexact"),
    [
        *(("0.1", True), ("0.3", True), ("1e-3", True)),
        *(("0.5", False), ("0.375", False), ("3", False), ("1e2", False)),
        ("0.1000000000000000055511151231257827021181583404541015625", False),
        ("1/2", False),
        ("9007199254740993", True),
    ],
)
def test_a_decimal_that_stands_for_the_nearest_number_is_told_from_an_exact_one(text, inexact):
    assert isinstance(_read(text), InexactDecimal) is inexact


_REAL = st.floats(allow_nan=False, allow_infinity=False)


@given(_REAL)
def test_any_float_written_as_python_writes_it_is_read_back_or_too_small(value):
    written = YamlFloat(repr(value), value)
    if 0 < abs(value) < LEAST:
        with pytest.raises(NumberProblem, match="2\\^-60"):
            read_number(written)
        return
    number = read_number(written)
    assert repr(float(number)) == repr(value)
    assert isinstance(number, InexactDecimal) is (Fraction(repr(value)) != Fraction(value))


@given(st.integers(-(2**70), 2**70), st.integers(0, 80))
def test_a_dyadic_fraction_is_exact_or_refused(numerator, power):
    exact = Fraction(numerator, 2**power)
    try:
        number = read_number(f"{numerator}/{2**power}")
    except NumberProblem:
        assert Fraction(float(exact)) != exact or 0 < abs(exact) < LEAST
    else:
        assert Fraction(number) == exact
        assert not isinstance(number, InexactDecimal)


@given(st.integers(-(10**20), 10**20), st.integers(3, 10**6).filter(lambda d: d & (d - 1)))
def test_no_other_fraction_is_read(numerator, denominator):
    with pytest.raises(NumberProblem, match="power of two"):
        read_number(f"{numerator}/{denominator}")


@given(st.integers(-(10**399), 10**399))
def test_an_integer_is_its_nearest_float_or_refused(value):
    try:
        number = read_number(value)
    except NumberProblem:
        assert abs(value) >= 2**1024 - 2**970
    else:
        assert number == float(value)
