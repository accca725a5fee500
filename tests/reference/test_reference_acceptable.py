"""The acceptable sets: the exact outcome first, and what rounding is known to do."""

from __future__ import annotations

import math
from itertools import pairwise

import pytest
import spec_oracle
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from reference_inputs import valid_inputs

from specreference import Outcome, acceptable_outcomes, verify_speculative_tokens
from specreference.dtypes import DTYPES

_FINE_TO_COARSE = ["float64", "float32", "float16", "bfloat16"]


def _step(u, p, q, dtype="float64", space="prob"):
    """What one step of these numbers may come to in a dtype and space, the exact answer first."""
    outcomes = acceptable_outcomes([0], [[q, 0.0]], [[p, 0.0]], [u], dtype=dtype, space=space)
    return list(dict.fromkeys(bool(outcome.accepted_tokens) for outcome in outcomes))


def _recovered(p, q, dtype="float64"):
    """The tokens that may be recovered from these rows. Token 0 of an added column is the one that is rejected."""
    outcomes = acceptable_outcomes([0], [[0.5, *q]], [[0.0, *p]], [0.5], dtype=dtype)
    assert all(outcome.accepted_tokens == () for outcome in outcomes)
    return [outcome.bonus_token - 1 for outcome in outcomes]


def _bonus(row, dtype="float64"):
    return [outcome.bonus_token for outcome in acceptable_outcomes([], [], [row], [], dtype=dtype)]


def test_the_declared_dtypes_are_four_finest_first():
    assert list(DTYPES) == _FINE_TO_COARSE


@pytest.mark.parametrize("dtype", _FINE_TO_COARSE)
@settings(max_examples=120, deadline=None)
@given(arguments=valid_inputs(most_drafts=4))
def test_the_exact_outcome_comes_first_and_each_outcome_once(dtype, arguments):
    outcomes = acceptable_outcomes(**arguments, dtype=dtype, limit=50)
    assert outcomes[0].as_result() == verify_speculative_tokens(**arguments)
    assert len(set(outcomes)) == len(outcomes)
    k = len(arguments["draft_tokens"])
    for outcome in outcomes:
        accepted = list(outcome.accepted_tokens)
        assert accepted == arguments["draft_tokens"][: len(accepted)]
        ends_without_a_row = len(accepted) == k == len(arguments["target_probs"])
        assert (outcome.bonus_token is None) == ends_without_a_row


_HALVES = st.integers(0, 32).map(lambda n: n / 64)
_ODD_32NDS = st.integers(0, 15).map(lambda n: (2 * n + 1) / 32)


@pytest.mark.parametrize("dtype", _FINE_TO_COARSE)
@settings(max_examples=100, deadline=None)
@given(arguments=valid_inputs(kinds=(_HALVES,), uniforms=_ODD_32NDS, most_drafts=3))
def test_on_the_grid_of_64ths_and_away_from_the_boundary_there_is_one_outcome(dtype, arguments):
    for x, q, p, u in zip(*arguments.values(), strict=False):
        assume(not 0 < u * q[x] - p[x] <= 2**-6 * u * q[x])
    assert len(acceptable_outcomes(**arguments, dtype=dtype)) == 1


def test_a_decimal_tie_may_be_a_reject_in_binary64():
    u, p, q = 0.01, 0.0007, 0.07
    assert spec_oracle.is_accepted(u, p, q) is False
    assert _step(u, p, q)[0] is False


def test_binary64_may_reject_exactly_what_a_float64_division_accepts():
    u, p, q = 0.01, 0.0003, 0.03
    assert u <= p / q
    assert _step(u, p, q) == [False, True]


@pytest.mark.parametrize(
    ("u", "p", "q", "by_quotient", "by_product"), [(0.03, 0.0006, 0.02, False, True), (0.07, 0.0077, 0.11, True, False)]
)
def test_where_float64_product_and_quotient_disagree_both_are_acceptable(u, p, q, by_quotient, by_product):
    assert (u <= p / q, u * q <= p) == (by_quotient, by_product)
    assert _step(u, p, q) == [False, True]


def test_float64_accepts_where_float32_may_reject():
    u, p, q = 0.05, 0.0235, 0.47
    assert u <= p / q
    assert u * q <= p
    assert _step(u, p, q) == [True]
    assert _step(u, p, q, "float32") == [True, False]


def test_on_the_grid_bfloat16_may_accept_what_is_rejected():
    u, p, q = 7 / 64, 6 / 64, 55 / 64
    assert {dtype: _step(u, p, q, dtype) for dtype in DTYPES} == {
        "float64": [False],
        "float32": [False],
        "float16": [False],
        "bfloat16": [False, True],
    }


@pytest.mark.parametrize(
    ("dtype", "u", "p", "q"), [("float64", 1 / 16, 3 / 256, 3 / 16), ("bfloat16", 1 / 16, 1 / 64, 1 / 4)]
)
def test_logarithms_may_break_an_exact_tie_and_probabilities_never_do(dtype, u, p, q):
    assert u * q == p
    assert _step(u, p, q, dtype) == [True]
    assert _step(u, p, q, dtype, "log") == [True, False]


def test_the_float64_logarithms_of_a_tie_do_reject_it():
    u, p, q = 1 / 16, 3 / 256, 3 / 16
    assert math.log(u) > math.log(p) - math.log(q)


@pytest.mark.parametrize("dtype", _FINE_TO_COARSE)
def test_away_from_the_boundary_logarithms_decide_as_probabilities_do(dtype):
    for u, p, q in ((1 / 2, 1 / 8, 1 / 2), (1 / 2, 1 / 2, 1 / 8), (1 / 16, 3 / 4, 3 / 16), (3 / 4, 1 / 64, 63 / 64)):
        assert _step(u, p, q, dtype, "log") == _step(u, p, q, dtype) == [u * q <= p]


@pytest.mark.parametrize("dtype", _FINE_TO_COARSE)
def test_in_log_space_the_ieee_infinity_decides_where_a_number_is_zero(dtype):
    assert _step(1 / 2, 0.0, 1 / 2, dtype, "log") == [False]  # ln p is minus infinity
    assert _step(1 / 2, 1 / 2, 0.0, dtype, "log") == [True]  # ln q is
    assert _step(0.0, 1 / 4, 1 / 2, dtype, "log") == [True]  # ln u is


@settings(max_examples=200, deadline=None)
@given(st.integers(1, 64), st.integers(1, 64), st.integers(1, 64), st.sampled_from(_FINE_TO_COARSE))
def test_the_log_set_holds_the_exact_answer_first_and_all_of_the_other_set_at_ties(a, b, c, dtype):
    u, p, q = a / 64, b / 64, c / 64
    answers = _step(u, p, q, dtype, "log")
    assert answers[0] is (u * q <= p)
    if u * q == p and 0 < u < 1:
        assert answers == [True, False]


def test_a_product_of_float64_may_underflow_to_an_acceptance():
    assert 5e-324 * 0.5 <= 0.0
    assert _step(5e-324, 0.0, 0.5) == [False, True]


def test_exact_inputs_that_are_accepted_are_never_rejected():
    for a in range(17):
        for b in range(1, 65):
            u, q = a / 16, b / 64
            for name, dtype in DTYPES.items():
                if dtype.represents(u * q):
                    assert _step(u, u * q, q, name) == [True]


def test_normalising_may_merge_distinct_residuals_and_then_the_lower_index_wins():
    residual = [0.05374569764496049, 0.0537456976449605, 0.045545917399567495]
    total = sum(residual)
    normalised = [entry / total for entry in residual]
    assert residual.index(max(residual)) == 1
    assert normalised.index(max(normalised)) == 0
    assert _recovered(residual, [0.0, 0.0, 0.0]) == [1, 0]


def test_rounding_never_lets_a_higher_index_pass_a_lower_one_that_is_greater():
    low, high = 0.05374569764496049, 0.0537456976449605
    assert _recovered([high, low, 0.045545917399567495], [0.0, 0.0, 0.0]) == [0]


def test_a_conversion_to_float32_may_make_a_tie():
    p, q = (0.41921469598139394, 0.449747763963479), (0.06673368519393208, 0.0972667501760171)
    assert spec_oracle.recovered_token(p, q) == 1
    assert _recovered(p, q) == [1]
    assert sorted(_recovered(p, q, "float32")) == [0, 1]


def test_a_tie_in_decimals_is_broken_in_binary64():
    p, q = (0.01, 0.04), (0.0, 0.03)
    assert spec_oracle.recovered_token(p, q) == 1
    assert _recovered(p, q)[0] == 1


def test_a_tie_of_exact_inputs_has_one_winner_in_every_dtype():
    for dtype in DTYPES:
        assert _recovered([0.25, 0.5, 0.5], [0.25, 0.25, 0.25], dtype) == [1]
        assert _bonus([0.25, 0.375, 0.375], dtype) == [1]


@pytest.mark.parametrize(
    ("power", "ambiguous"),
    [
        (6, []),
        (7, []),
        (12, ["float16", "bfloat16"]),
        (22, ["float16", "bfloat16"]),
        (40, ["float32", "float16", "bfloat16"]),
    ],
)
def test_a_bonus_row_that_differs_by_a_power_of_two_is_told_apart_by_the_dtypes_that_can(power, ambiguous):
    row = [0.5, 0.5 + 2.0**-power]
    assert [dtype for dtype in DTYPES if len(_bonus(row, dtype)) > 1] == ambiguous
    assert all(_bonus(row, dtype)[0] == 1 for dtype in DTYPES)


def test_a_residual_that_a_conversion_makes_vanish_may_fall_back_to_the_target_row():
    p, q = [0.5, 0.25 + 2.0**-40], [0.5, 0.25]
    assert _recovered(p, q) == [1]
    assert _recovered(p, q, "float32") == [1, 0]


def test_what_a_conversion_to_float16_makes_zero_may_count_as_zero():
    """2^-40 is 0 in float16, and far from it in the other dtypes."""
    tiny = 2.0**-40
    for dtype in DTYPES:
        narrow = dtype == "float16"
        assert _step(0.5, tiny, 0.0, dtype) == ([True, False] if narrow else [True])
        assert _bonus([0.0, tiny, tiny], dtype) == ([1, 0] if narrow else [1])
        assert _recovered([0.0, tiny], [0.0, 0.0], dtype)[0] == 1


def test_several_blurred_steps_give_every_place_to_stop():
    u, p, q = 0.07, 0.0077, 0.11
    outcomes = acceptable_outcomes([0] * 3, [[q, 0.89]] * 3, [[p, 0.9923]] * 4, [u] * 3)
    assert outcomes == [Outcome((), 1), Outcome((0,), 1), Outcome((0, 0), 1), Outcome((0, 0, 0), 1)]


def test_no_more_outcomes_are_listed_than_asked_for():
    u, p, q = 0.07, 0.0077, 0.11
    arguments = ([0] * 9, [[q, 0.89]] * 9, [[p, 0.9923]] * 10, [u] * 9)
    assert len(acceptable_outcomes(*arguments)) == 10
    assert acceptable_outcomes(*arguments, limit=4) == acceptable_outcomes(*arguments)[:4]
    assert acceptable_outcomes(*arguments, limit=1)[0].as_result() == verify_speculative_tokens(*arguments)


def test_an_unknown_dtype_is_a_key_error():
    with pytest.raises(KeyError, match="float8"):
        acceptable_outcomes([], [], [], [], dtype="float8")


def test_wider_dtypes_never_allow_what_narrower_ones_refuse_on_grid_inputs():
    """With inputs that all dtypes hold, the sets grow from float64 to bfloat16."""
    for a in range(0, 64, 3):
        for b in range(1, 64, 5):
            for c in range(0, 64, 7):
                sets = [set(_step(a / 64, c / 64, b / 64, dtype)) for dtype in _FINE_TO_COARSE]
                assert all(fine <= coarse for fine, coarse in pairwise(sets))


@settings(max_examples=200, deadline=None)
@given(st.floats(2**-10, 1), st.floats(2**-10, 1))
def test_a_step_at_its_float64_boundary_is_judged_by_its_exact_margin(u, q):
    p = u * q
    for value in (math.nextafter(p, 0), p, math.nextafter(p, 2)):
        decisions = _step(u, value, q)
        assert decisions[0] is spec_oracle.is_accepted(u, value, q)
        if decisions[0]:
            assert decisions == [True]
