"""From a case file to cases: what is kept, expanded and put in place of what."""

from __future__ import annotations

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specharness.errors import BadSuite
from specharness.suite.load import load_files
from specharness.suite.model import Expected, read_arguments, write_arguments
from specharness.suite.recipe import expand_recipe

_GOOD = Path(__file__).parent / "files" / "good"


def _cases(name):
    return {case.id: case for case in load_files([_GOOD / name])}


def test_a_case_keeps_all_that_was_written():
    (case, *_) = load_files([_GOOD / "every-key.yaml"])
    assert (case.id, case.title) == ("GOOD-001/1", "with another uniform")
    assert case.clauses == ("SV-NUM-1", "SV-TIE-3")
    assert case.tags == ("rejection", "near-miss", "v3")
    assert case.dtypes == ("float64", "float32")
    assert case.notes == "Folded text of two lines."
    assert (case.profile, case.file, case.line) == ("argmax", str(_GOOD / "every-key.yaml"), 27)
    assert case.arguments() == {
        "draft_tokens": [0],
        "draft_probs": [[0.625, 0.1875, 0.1875]],
        "target_probs": [[0.125, 0.4375, 0.4375], [1, 0, 0]],
        "random_samples": [0.75],
    }
    assert case.expected == Expected((), 1)


def test_what_may_be_left_out_is_empty():
    (case,) = load_files([_GOOD / "minimal.yaml"])
    assert (case.tags, case.dtypes, case.notes) == ((), (), "")
    assert case.policies == ()


def test_a_matrix_makes_a_case_of_each_variant_with_what_it_names_in_place_of_the_case_s_own():
    first, second, third = load_files([_GOOD / "every-key.yaml"])
    assert [case.id for case in (first, second, third)] == ["GOOD-001/1", "GOOD-001/2", "GOOD-001/3"]
    assert (second.title, second.line, second.expected) == ("with a lower one, which accepts", 29, Expected((0,), 0))
    assert first.arguments()["random_samples"] == [0.75]
    assert second.arguments()["random_samples"] == [0.0625]
    assert third.arguments()["random_samples"] == [0.5]
    for argument in ("draft_tokens", "draft_probs"):
        assert first.arguments()[argument] == second.arguments()[argument] == third.arguments()[argument]
    assert first.arguments()["target_probs"] != third.arguments()["target_probs"]


def test_a_variant_without_a_title_has_that_of_its_case():
    case = _cases("recipes.yaml")["GOOD-004/2"]
    assert case.title == "variants replace arguments of the recipe in turn"
    assert case.expected == Expected((), 2)


def test_arguments_of_the_input_replace_those_of_the_recipe_and_leave_the_others_as_they_were():
    made = expand_recipe(distribution="sparse", vocabulary=8, drafts=0, seed=7)
    arguments = _cases("recipes.yaml")["GOOD-003"].arguments()
    assert arguments.pop("target_probs") == [[0, 0, 0, 0, 0, 1, 0, 0]]
    assert made.pop("target_probs") != [[0, 0, 0, 0, 0, 1, 0, 0]]
    assert arguments == made


def test_probabilities_and_uniforms_are_floats_and_tokens_ints_however_they_were_written():
    arguments = _cases("numbers.yaml")["GOOD-001"].arguments()
    assert list(arguments) == ["draft_tokens", "draft_probs", "target_probs", "random_samples"]
    assert arguments["draft_tokens"] == [0, 1, 2, 3]
    assert all(type(token) is int for token in arguments["draft_tokens"])
    rows = arguments["draft_probs"] + arguments["target_probs"] + [arguments["random_samples"]]
    assert all(type(number) is float for row in rows for number in row)
    assert arguments["draft_probs"] == [[0.25] * 4] * 4
    assert arguments["random_samples"] == [0, 2.0**-60, 1 - 2.0**-53, 0.3]
    assert math.copysign(1, arguments["target_probs"][1][3]) == -1


def test_numbers_that_are_not_finite_are_read():
    arguments = _cases("numbers.yaml")["GOOD-002"].arguments()
    assert arguments["draft_probs"] == [[math.inf, -math.inf]]
    assert math.isnan(arguments["target_probs"][0][0])
    assert arguments["random_samples"] == [math.inf]


@pytest.mark.parametrize("place", ["accepted_tokens: [0", "bonus_token: 1", "acceptance_count: 1"])
def test_an_integer_is_not_written_with_a_point(load_text, place):
    text = (_GOOD / "minimal.yaml").read_text()
    assert place in text
    with pytest.raises(BadSuite, match=r"GOOD-001: found [01]\.0; expected an integer"):
        load_text(text.replace(place, place + ".0"))
    with pytest.raises(BadSuite, match=r"GOOD-001: found 0\.0; expected an integer"):
        load_text(text.replace("draft_tokens: [0]", "draft_tokens: [0.0]"))


def test_titles_tags_and_ids_that_look_like_yaml_1_1_booleans_are_text():
    case = _cases("text.yaml")["TEXT-002"]
    assert (case.title, case.tags) == ("no", ("no", "yes", "on"))


def test_arguments_are_a_new_copy_each_time():
    (case,) = load_files([_GOOD / "minimal.yaml"])
    case.arguments()["draft_probs"][0][0] = 7.0
    assert case.arguments()["draft_probs"] == [[0.5, 0.5]]


_NUMBER = st.floats()
_ARGUMENTS = st.fixed_dictionaries(
    {
        "draft_tokens": st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3),
        "draft_probs": st.lists(st.lists(_NUMBER, max_size=3), max_size=3),
        "target_probs": st.lists(st.lists(_NUMBER, max_size=3), max_size=3),
        "random_samples": st.lists(_NUMBER, max_size=3),
    }
)


@given(_ARGUMENTS)
def test_arguments_written_as_json_are_read_back_bit_by_bit(arguments):
    text = write_arguments(arguments)
    json.loads(text, parse_constant=lambda word: pytest.fail(f"{word} is no JSON"))
    assert repr(read_arguments(text)) == repr(arguments)


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_a_near_miss_is_a_case_in_the_dtypes_that_can_tell_it(load_text, dtype):
    """Two target entries 2^-22 apart are one number to float16 and bfloat16."""
    text = (_GOOD / "minimal.yaml").read_text()
    text = text.replace("[1/4, 3/4]", "[2097151/4194304, 2097153/4194304]")
    text = text.replace("  input:", f"  dtypes: [{dtype}]\n  input:")
    if dtype in ("float64", "float32"):
        assert load_text(text)[0].dtypes == (dtype,)
        return
    with pytest.raises(Exception, match=f"rounding in {dtype} may also give .*: \\[float64, float32\\]"):
        load_text(text)
