"""The same wrong outcome is the same symptom, whatever it is made of."""

import pytest
from judging import make_case, right

from specharness.implementation.observation import Loss, Lost, Observation, Raised, Returned
from specharness.judge.symptoms import symptoms

ARRAY_ZERO = {"$type": "numpy.int64", "repr": "0", "int": 0}
REFUSED = {"random_samples": [0.5]}


def _shown(answer, *, repeat=None, mutated=(), **arguments):
    return symptoms(make_case(**arguments), Observation(answer, repeat or answer, mutated))


def _raised(name, *bases):
    return Raised(name, bases, "a message", "a traceback")


def test_the_expected_result_shows_nothing():
    assert _shown(Returned(right())) == frozenset()


def test_the_expected_exception_shows_nothing_nor_does_one_derived_from_it():
    assert _shown(_raised("ValueError", "Exception"), **REFUSED) == frozenset()
    assert _shown(_raised("numpy.AxisError", "ValueError"), **REFUSED) == frozenset()


def test_an_array_scalar_shows_its_form_and_the_same_wrong_value():
    plain, array = _shown(Returned(right(bonus=0))), _shown(Returned(right(bonus=ARRAY_ZERO)))
    assert {symptom.kind for symptom in array - plain} == {"form"}
    assert plain < array


@pytest.mark.parametrize("value", [True, 2.0, [2], {"$type": "fractions.Fraction", "repr": "2"}])
def test_tokens_that_are_no_ints_differ_in_full_and_are_of_one_sort(value):
    (one,), (other,) = _shown(Returned(right(bonus=value))), _shown(Returned(right(bonus="2")))
    assert one.what != other.what
    assert one.sort == other.sort


def test_exceptions_differ_in_full_and_are_of_one_sort():
    (one,), (other,) = _shown(_raised("KeyError")), _shown(_raised("IndexError"))
    assert one.what != other.what
    assert one.sort == other.sort


def test_an_exception_is_of_another_sort_than_a_result():
    (one,), (other,) = _shown(_raised("KeyError"), **REFUSED), _shown(Returned(right()), **REFUSED)
    assert one.sort != other.sort


def test_long_results_are_told_apart_behind_their_beginning():
    one, other = ([*range(1000), last] for last in (0, 1))
    (first,), (second,) = (_shown(Returned(right(tokens, bonus=0))) for tokens in (one, other))
    assert first.what != second.what
    assert len(first.what) < 400


@pytest.mark.parametrize("loss", list(Loss))
def test_a_lost_call_shows_how_it_was_lost(loss):
    (symptom,) = _shown(Lost(loss, "a clause"))
    assert symptom.what == loss.value


def test_a_second_answer_that_differs_and_changed_arguments_are_symptoms_of_their_own():
    shown = _shown(Returned(right()), repeat=Returned(right(bonus=0)), mutated=("draft_tokens",))
    assert {symptom.kind for symptom in shown} == {"repeat", "mutated"}


def test_a_wrong_answer_that_hangs_on_earlier_calls_is_of_no_sort():
    shown = _shown(Returned(right(bonus=0)), repeat=Returned(right()))
    assert {symptom.sort for symptom in shown if symptom.kind == "returned"} == {""}


def test_an_acceptable_answer_shows_only_what_else_is_wrong():
    observation = Observation(Returned(right(bonus=ARRAY_ZERO)))
    assert {symptom.kind for symptom in symptoms(make_case(), observation, differs=False)} == {"form"}
