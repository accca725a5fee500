"""The formats' numbers, against what the formats' own conversions keep."""

from __future__ import annotations

import math
import struct
from fractions import Fraction

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from specreference.dtypes import DTYPES

_FINITE = st.floats(allow_nan=False, allow_infinity=False)
_NEAR = st.builds(math.ldexp, st.integers(-(2**12), 2**12).map(float), st.integers(-160, 130))
_NUMBERS = (
    _FINITE
    | _NEAR
    | st.floats(width=32, allow_nan=False, allow_infinity=False)
    | st.floats(width=16, allow_nan=False, allow_infinity=False)
)


def _kept_by_struct(code):
    def kept(value):
        try:
            return struct.unpack(code, struct.pack(code, value))[0] == value
        except OverflowError:
            return False

    return kept


def _kept_by_bfloat16(value):
    """A bfloat16 is a float32 whose lower half is zero."""
    try:
        packed = struct.pack(">f", value)
    except OverflowError:
        return False
    return packed[2:] == b"\0\0" and struct.unpack(">f", packed)[0] == value


_KEPT = {
    "float64": lambda value: True,
    "float32": _kept_by_struct("f"),
    "float16": _kept_by_struct("e"),
    "bfloat16": _kept_by_bfloat16,
}


@pytest.mark.parametrize("name", DTYPES)
@settings(max_examples=300, deadline=None)
@given(value=_NUMBERS)
@example(value=0.0)
@example(value=-0.0)
@example(value=5e-324)
@example(value=65504.0)
@example(value=65520.0)
@example(value=2.0**-24)
@example(value=2.0**-25)
@example(value=2.0**-133)
@example(value=2.0**-134)
@example(value=2.0**-149)
@example(value=2.0**-150)
@example(value=2.0**127)
@example(value=2.0**128)
@example(value=1.7976931348623157e308)
def test_a_format_represents_what_its_conversion_keeps(name, value):
    assert DTYPES[name].represents(value) is _KEPT[name](value)


@pytest.mark.parametrize(
    ("name", "digits", "least"),
    [("float64", 53, 1074), ("float32", 24, 149), ("float16", 11, 24), ("bfloat16", 8, 133)],
)
def test_the_unit_roundoff_and_the_smallest_subnormal_are_those_of_the_format(name, digits, least):
    dtype = DTYPES[name]
    assert (dtype.eps, dtype.eta) == (Fraction(1, 2**digits), Fraction(1, 2**least))
    assert dtype.represents(1 + 2.0 ** (1 - digits))
    assert digits == 53 or not dtype.represents(1 + 2.0**-digits)
    assert dtype.represents(float(dtype.largest))


def test_numpy_agrees_on_the_limits():
    numpy = pytest.importorskip("numpy")
    for name in ("float64", "float32", "float16"):
        info, dtype = numpy.finfo(name), DTYPES[name]
        assert dtype.largest == Fraction(float(info.max))
        assert dtype.eta == Fraction(float(info.smallest_subnormal))
        assert dtype.eps == Fraction(float(info.eps)) / 2


def test_ml_dtypes_agrees_on_the_limits():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    info, dtype = ml_dtypes.finfo(ml_dtypes.bfloat16), DTYPES["bfloat16"]
    assert dtype.largest == Fraction(float(info.max))
    assert dtype.eta == Fraction(float(info.smallest_subnormal))
    assert dtype.eps == Fraction(float(info.eps)) / 2
