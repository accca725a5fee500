"""Equality by value and type, and how values are shown."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specharness.implementation.worker import MAX_ITEMS, encode
from specharness.judge.values import is_bool_or_float, is_tagged, plain_int, same, show

_JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-9, 9)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=8,
)


@given(_JSON)
def test_a_value_is_the_same_as_itself(value):
    assert same(value, value)


@given(_JSON, _JSON)
def test_sameness_is_symmetric_and_finer_than_equality(one, other):
    assert same(one, other) == same(other, one)
    if same(one, other):
        assert one == other
        assert repr(one) == repr(other) or one == other == 0 or isinstance(one, list | dict)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, True),
        (0, False),
        (1, 1.0),
        (None, 0),
        ([], None),
        ([1], [True]),
        ({"a": 1}, {"a": 1.0}),
        ({"a": 1}, {"b": 1}),
        ([1], [1, 1]),
        ({"a": 1}, {"a": 1, "b": 2}),
        ("1", 1),
        ([[0]], [[0.0]]),
    ],
)
def test_equal_values_of_other_types_are_not_the_same(one, other):
    assert not same(one, other)


@pytest.mark.parametrize(
    ("value", "number"),
    [(0, 0), (-5, -5), (True, None), (False, None), (1.0, None), ("1", None), (None, None), ([1], None), ({}, None)],
)
def test_only_ints_are_plain_ints(value, number):
    assert plain_int(value) == number
    assert type(plain_int(value)) is type(number)


@pytest.mark.parametrize(
    ("value", "number"),
    [(type("I", (int,), {})(7), 7), (10**30, None), ((1,), None), ("x", None), (1 + 2j, None), (b"1", None)],
)
def test_what_the_worker_tags_has_an_int_where_it_stands_for_one(value, number):
    tagged = encode(value)
    assert is_tagged(tagged)
    assert plain_int(tagged) == number


@pytest.mark.parametrize(
    "value", [True, False, 1.0, float("nan"), float("inf"), float("-inf"), type("F", (float,), {})(1)]
)
def test_bools_and_floats_are_told_from_other_values(value):
    assert is_bool_or_float(encode(value))


@pytest.mark.parametrize("value", [1, None, "1.0", "NaN", [1.0], {"a": 1.0}, (1.0,), 1j])
def test_other_values_are_no_bools_or_floats(value):
    assert not is_bool_or_float(encode(value))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (1, "1"),
        (True, "True"),
        (None, "None"),
        (1.0, "1.0"),
        (float("nan"), "nan"),
        (float("inf"), "inf"),
        (float("-inf"), "-inf"),
        ("NaN", "'NaN'"),
        ((1, 2), "(1, 2)"),
        ([1, "a"], "[1, 'a']"),
        ({"a": [None]}, "{'a': [None]}"),
        ({1: 2}, "{1: 2}"),
        (10**25, "10000000000000000000000000"),
        (list(range(30)), "[" + ", ".join(map(str, range(20))) + ", ...]"),
        (1j, "1j of type complex"),
        (b"x", "b'x' of type bytes"),
    ],
)
def test_a_value_is_shown_as_python_writes_it_with_its_type_where_that_does_not_tell(value, text):
    assert show(encode(value)) == text


def test_a_list_too_long_to_send_is_shown_by_its_length():
    assert show(encode([0] * MAX_ITEMS)) == f"a list of {MAX_ITEMS} items"


@given(_JSON)
def test_anything_can_be_shown(value):
    assert isinstance(show(encode(value)), str)
