"""Recipes: the published generator, and the algorithm of spec/recipes.md against a second program of it."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from specharness.suite.recipe import expand_recipe, splitmix64

_PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ],
}


@pytest.mark.parametrize("seed", _PUBLISHED)
def test_the_generator_gives_the_published_values(seed):
    assert list(islice(splitmix64(seed), 5)) == _PUBLISHED[seed]


class _Second:
    """spec/recipes.md once more, with bytes for words and fractions for entries."""

    def __init__(self, seed):
        self.state = seed

    def next(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) % 2**64
        z = self.state
        for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
            z = (z ^ z // 2**shift) * factor % 2**64
        return z ^ z // 2**31

    def weight(self, distribution):
        r = self.next().to_bytes(8, "big")
        high = r[0] >> 4
        match distribution:
            case "flat":
                return 1 + high
            case "peaked":
                return 2 ** (high >> 1)
            case "sparse":
                return 1 + high if r[7] % 16 == 0 else 0
        raise AssertionError(distribution)

    def row(self, distribution, vocabulary):
        weights = []
        while len(weights) < vocabulary:
            weights.append(self.weight(distribution))
        total, power = sum(weights), 1
        while power < total:
            power *= 2
        weights[self.next() % vocabulary] += power - total
        return [Fraction(weight, power) for weight in weights]

    def arguments(self, distribution, vocabulary, drafts, rows):
        draft_probs = [self.row(distribution, vocabulary) for _ in range(drafts)]
        target_probs = [self.row(distribution, vocabulary) for _ in range(rows)]
        tokens = [self.next() % vocabulary for _ in range(drafts)]
        uniforms = [Fraction(self.next() >> 53, 2048) for _ in range(drafts)]
        return {
            "draft_tokens": tokens,
            "draft_probs": draft_probs,
            "target_probs": target_probs,
            "random_samples": uniforms,
        }


_RECIPES = {
    "distribution": st.sampled_from(["flat", "peaked", "sparse"]),
    "vocabulary": st.integers(1, 70),
    "drafts": st.integers(0, 6),
    "seed": st.integers(0, 2**64 - 1),
    "target_rows": st.none() | st.integers(0, 9),
}


@settings(max_examples=100, deadline=None)
@given(st.fixed_dictionaries(_RECIPES))
def test_the_expansion_is_that_of_a_second_program(recipe):
    made = expand_recipe(**recipe)
    drafts, rows = recipe["drafts"], recipe["target_rows"]
    second = _Second(recipe["seed"])
    expected = second.arguments(
        recipe["distribution"], recipe["vocabulary"], drafts, drafts + 1 if rows is None else rows
    )
    assert made == expected  # a float equals a fraction only where it is exact
    assert list(made) == ["draft_tokens", "draft_probs", "target_probs", "random_samples"]


@settings(max_examples=100, deadline=None)
@given(st.fixed_dictionaries(_RECIPES))
def test_rows_are_dyadic_and_sum_to_1_exactly(recipe):
    made = expand_recipe(**recipe)
    for row in made["draft_probs"] + made["target_probs"]:
        assert len(row) == recipe["vocabulary"]
        assert all(type(entry) is float and entry >= 0 for entry in row)
        assert sum(map(Fraction, row)) == 1
        assert all(Fraction(entry).denominator & (Fraction(entry).denominator - 1) == 0 for entry in row)
    assert all(0 <= token < recipe["vocabulary"] for token in made["draft_tokens"])
    assert all(0 <= u < 1 and Fraction(u).denominator <= 2048 for u in made["random_samples"])


def test_a_row_of_many_tokens_sums_to_1_exactly():
    for distribution in ("flat", "peaked", "sparse"):
        (row,) = expand_recipe(distribution=distribution, vocabulary=151_936, drafts=0, seed=5)["target_probs"]
        assert len(row) == 151_936
        assert sum(row) == 1  # exact: multiples of 2^-24 below 2


def test_the_values_of_a_small_recipe_are_fixed():
    """Numbers that a program in another language can compare with."""
    assert expand_recipe(distribution="flat", vocabulary=4, drafts=2, seed=7) == {
        "draft_tokens": [1, 2],
        "draft_probs": [[7 / 64, 1 / 64, 23 / 32, 5 / 32], [1 / 8, 19 / 32, 3 / 16, 3 / 32]],
        "target_probs": [
            [1 / 32, 1 / 4, 1 / 2, 7 / 32],
            [33 / 64, 15 / 64, 3 / 32, 5 / 32],
            [17 / 32, 1 / 16, 3 / 16, 7 / 32],
        ],
        "random_samples": [833 / 2048, 923 / 1024],
    }


@given(st.integers(0, 2**64 - 1))
def test_a_row_without_any_weight_gives_all_to_one_token(seed):
    (row,) = expand_recipe(distribution="sparse", vocabulary=1, drafts=0, seed=seed)["target_probs"]
    assert row == [1.0]
