"""Generated inputs: valid ones are valid and can be written down, refused ones are refused, rows are distributions."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specharness.fuzz.dice import Dice
from specharness.fuzz.inputs import refused_inputs, unnormalised_inputs, valid_inputs
from specharness.fuzz.rows import GRIDS, LEAST, grid_row, near_row, peaked_row, real_row, spread_row
from specharness.fuzz.sharpen import sharpened
from specreference import PROFILES, InvalidInput, explain

ANY_BYTES = st.binary(max_size=300)
SOME = settings(max_examples=60, deadline=None)


def _profile_and(strategy):
    return st.sampled_from(sorted(PROFILES)).flatmap(
        lambda name: st.tuples(st.just(name), strategy(name, PROFILES[name].policy))
    )


@SOME
@given(ANY_BYTES, st.integers(1, 40), st.sampled_from(GRIDS))
def test_a_grid_row_is_an_exact_distribution(data, size, grid):
    row = grid_row(size, grid)(Dice(data))
    assert len(row) == size
    assert min(row) >= 0
    assert sum(map(Fraction, row)) == 1
    assert all((Fraction(value) * grid).denominator == 1 for value in row)


@SOME
@given(ANY_BYTES, st.integers(1, 5000))
def test_a_spread_row_is_an_exact_distribution_on_a_few_tokens(data, size):
    row = spread_row(size)(Dice(data))
    assert len(row) == size
    assert sum(map(Fraction, row)) == 1
    assert 1 <= sum(value > 0 for value in row) <= 4


@SOME
@given(ANY_BYTES, st.integers(1, 40))
def test_a_peaked_row_is_an_exact_distribution_of_which_one_token_has_most(data, size):
    row = peaked_row(size)(Dice(data))
    assert sum(map(Fraction, row)) == 1
    assert min(row) >= 0
    assert max(row) > 3 / 4


@SOME
@given(ANY_BYTES, st.integers(1, 40))
def test_a_real_row_sums_to_one_but_for_rounding(data, size):
    assert math.isclose(math.fsum(real_row(size)(Dice(data))), 1, rel_tol=1e-12)


@SOME
@given(ANY_BYTES, st.integers(1, 12), st.sampled_from(GRIDS))
def test_a_row_near_an_exact_one_has_the_same_sum(data, size, grid):
    dice = Dice(data)
    row = grid_row(size, grid)(dice)
    near = near_row(row, dice)
    assert min(near) >= 0
    assert sum(map(Fraction, near)) == 1


@settings(max_examples=200, deadline=None)
@given(_profile_and(valid_inputs))
def test_valid_inputs_are_valid_and_hold_no_number_that_a_case_file_can_not(pair):
    profile, arguments = pair
    explain(**arguments, profile=profile)
    rows = [*(arguments["draft_probs"] or ()), *arguments["target_probs"], arguments["random_samples"]]
    assert all(value == 0 or value >= LEAST / 4 for row in rows for value in row)


@SOME
@given(_profile_and(valid_inputs), st.binary(min_size=20, max_size=20))
def test_a_sharpened_input_is_still_valid(pair, data):
    profile, arguments = pair
    explain(**sharpened(arguments, profile, PROFILES[profile].policy, Dice(data)), profile=profile)


@SOME
@given(_profile_and(lambda profile, policy: unnormalised_inputs(profile)))
def test_unnormalised_inputs_are_valid(pair):
    profile, arguments = pair
    explain(**arguments, profile=profile)


@settings(max_examples=100, deadline=None)
@given(_profile_and(lambda profile, policy: refused_inputs(profile, only_lengths=False)))
def test_most_inputs_that_should_be_refused_are_and_the_others_only_have_more_rows(pair):
    profile, arguments = pair
    try:
        explain(**arguments, profile=profile)
    except InvalidInput:
        return
    assert len(arguments["target_probs"]) >= len(arguments["draft_tokens"])


@pytest.mark.parametrize("profile", PROFILES)
def test_long_blocks_and_wide_vocabularies_reject_late_and_accept_in_full(profile):
    found = set()

    @settings(max_examples=300, database=None, derandomize=True, deadline=None)
    @given(valid_inputs(profile, PROFILES[profile].policy))
    def look(arguments):
        drafts = len(arguments["draft_tokens"])
        kept = len(explain(**arguments, profile=profile).outcome.accepted_tokens)
        if drafts >= 17:
            found.add("long, rejected late" if 8 < kept < drafts else "long, accepted" if kept == drafts else "")
        if drafts and len(arguments["target_probs"][0]) > 33:
            found.add("wide, rejected" if kept < drafts else "wide, accepted")

    look()
    assert found >= {"long, rejected late", "long, accepted", "wide, rejected", "wide, accepted"}


@pytest.mark.parametrize("profile", PROFILES)
def test_each_kind_of_outcome_is_generated(profile):
    found = set()

    @settings(max_examples=120, database=None, derandomize=True, deadline=None)
    @given(valid_inputs(profile, PROFILES[profile].policy))
    def look(arguments):
        drafts, rows = len(arguments["draft_tokens"]), len(arguments["target_probs"])
        kept = len(explain(**arguments, profile=profile).outcome.accepted_tokens)
        found.add("rejection" if kept < drafts else "all accepted" if drafts else "no drafts")
        found.add("no row K" if rows == drafts else "more rows" if rows > drafts + 1 else "row K")

    look()
    assert found == {"rejection", "all accepted", "no drafts", "no row K", "more rows", "row K"}


@settings(deadline=None)
@given(st.binary(min_size=1, max_size=40), st.integers(1, 10**9))
def test_dice_stay_below_their_bound_and_give_zeros_at_the_end(data, bound):
    dice = Dice(data)
    assert all(0 <= dice.below(bound) < bound for _ in range(50))
    assert Dice(b"").below(bound) == 0
    assert not Dice(b"").chance(1, 2)
    assert Dice(b"").one_of("abc") == "a"
