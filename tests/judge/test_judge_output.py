"""The form of results: SV-OUT, by value and type."""

from __future__ import annotations

import collections
import decimal
import enum
import fractions

import pytest
from judging import breaches, make_case, right, verdict_of, verdict_on

from specharness.judge.verdict import Status

Named = collections.namedtuple("Named", "accepted_tokens bonus_token acceptance_count")


class MyDict(dict):
    pass


class MyList(list):
    pass


class MyInt(int):
    pass


class Word(enum.IntEnum):
    TWO = 2


class Indexable:
    def __index__(self):
        return 2


def _attributes(**values):
    return type("Result", (), values)()


@pytest.mark.parametrize(
    "value",
    [
        right(),
        dict(reversed(right().items())),
        MyDict(right()),
        collections.OrderedDict(right()),
        right(accepted=()) | {"accepted_tokens": MyList([1]), "acceptance_count": 1},
    ],
    ids=["dict", "other-order", "dict-subclass", "ordered-dict", "list-subclass"],
)
def test_a_right_result_passes(value):
    verdict = verdict_on(make_case(), value)
    assert verdict.status is Status.PASSED
    assert verdict.breaches == ()


_WRONG_FORMS = {
    # SV-OUT-1
    "none": (None, "SV-OUT-1"),
    "tuple": (((1,), 2, 1), "SV-OUT-1"),
    "list": ([[1], 2, 1], "SV-OUT-1"),
    "list-of-pairs": (list(right().items()), "SV-OUT-1"),
    "named-tuple": (Named([1], 2, 1), "SV-OUT-1"),
    "object": (_attributes(**right()), "SV-OUT-1"),
    "text": (str(right()), "SV-OUT-1"),
    "generator": ((x for x in right().items()), "SV-OUT-1"),
    "empty-dict": ({}, "SV-OUT-1"),
    "without-count": ({"accepted_tokens": [1], "bonus_token": 2}, "SV-OUT-1"),
    "without-bonus": ({"accepted_tokens": [1], "acceptance_count": 1}, "SV-OUT-1"),
    "without-tokens": ({"bonus_token": 2, "acceptance_count": 1}, "SV-OUT-1"),
    "extra-key": (right(trace=[]), "SV-OUT-1"),
    "extra-key-no-text": ({**right(), 1: 2}, "SV-OUT-1"),
    "key-of-other-case": ({"Accepted_Tokens": [1], "bonus_token": 2, "acceptance_count": 1}, "SV-OUT-1"),
    "key-in-bytes": ({b"accepted_tokens": [1], b"bonus_token": 2, b"acceptance_count": 1}, "SV-OUT-1"),
    # SV-OUT-2
    "tokens-a-tuple": ({**right(), "accepted_tokens": (1,)}, "SV-OUT-2"),
    "tokens-none": ({**right(), "accepted_tokens": None}, "SV-OUT-2"),
    "tokens-a-number": ({**right(), "accepted_tokens": 1}, "SV-OUT-2"),
    "tokens-a-set": ({**right(), "accepted_tokens": {1}}, "SV-OUT-2"),
    "tokens-a-range": ({**right(), "accepted_tokens": range(1, 2)}, "SV-OUT-2"),
    "tokens-text": ({**right(), "accepted_tokens": "1"}, "SV-OUT-2"),
    "tokens-a-dict": ({**right(), "accepted_tokens": {0: 1}}, "SV-OUT-2"),
    "token-text": ({**right(), "accepted_tokens": ["1"]}, "SV-OUT-2"),
    "token-none": ({**right(), "accepted_tokens": [None]}, "SV-OUT-2"),
    "token-nested": ({**right(), "accepted_tokens": [[1]]}, "SV-OUT-2"),
    "token-decimal": ({**right(), "accepted_tokens": [decimal.Decimal(1)]}, "SV-OUT-2"),
    "with-the-recovered-token": (right(accepted=[1, 2], bonus=2), "SV-OUT-2"),
    "with-the-rejected-token-marked": (right(accepted=[1, -1], bonus=2), "SV-OUT-2"),
    "reversed-or-other-tokens": (right(accepted=[0], bonus=2), "SV-OUT-2"),
    "padded": (right(accepted=[1, 2, 0], bonus=2), "SV-OUT-2"),
    # SV-OUT-3
    "count-with-bonus": (right(count=2), "SV-OUT-3"),
    "count-zero": (right(count=0), "SV-OUT-3"),
    "count-negative": (right(count=-1), "SV-OUT-3"),
    "count-none": (right(count="1"), "SV-OUT-3"),
    "count-a-list": (right(count=[1]), "SV-OUT-3"),
    "count-a-fraction": (right(count=fractions.Fraction(1)), "SV-OUT-3"),
    "count-huge": (right(count=10**40), "SV-OUT-3"),
    # SV-OUT-4
    "bonus-minus-one": (right(bonus=-1), "SV-OUT-4"),
    "bonus-v": (right(bonus=3), "SV-OUT-4"),
    "bonus-a-list": (right(bonus=[2]), "SV-OUT-4"),
    "bonus-an-empty-list": (right(bonus=[]), "SV-OUT-4"),
    "bonus-text": (right(bonus="2"), "SV-OUT-4"),
    "bonus-a-tuple": (right(bonus=(2,)), "SV-OUT-4"),
    "bonus-a-function": (right(bonus=len), "SV-OUT-4"),
    "bonus-huge": (right(bonus=2**63), "SV-OUT-4"),
    # SV-OUT-6
    "bonus-a-float": (right(bonus=2.0), "SV-OUT-6"),
    "bonus-true": (right(bonus=True), "SV-OUT-6"),
    "bonus-nan": (right(bonus=float("nan")), "SV-OUT-6"),
    "bonus-infinite": (right(bonus=float("-inf")), "SV-OUT-6"),
    "count-true": (right(count=True), "SV-OUT-6"),
    "count-a-float": (right(count=1.0), "SV-OUT-6"),
    "token-true": ({**right(), "accepted_tokens": [True]}, "SV-OUT-6"),
    "token-a-float": ({**right(), "accepted_tokens": [1.0]}, "SV-OUT-6"),
}


@pytest.mark.parametrize(("value", "clause"), _WRONG_FORMS.values(), ids=_WRONG_FORMS)
def test_a_result_of_the_wrong_form_fails_by_its_clause(value, clause):
    verdict = verdict_on(make_case(), value)
    assert verdict.status is Status.FAILED
    assert breaches(verdict)[0] == (clause, "MUST")


@pytest.mark.parametrize(
    "value",
    [
        right(accepted=[MyInt(1)]),
        right(bonus=MyInt(2)),
        right(bonus=Word.TWO),
        right(bonus=Indexable()),
        right(count=MyInt(1)),
    ],
    ids=["token", "bonus", "enum", "index", "count"],
)
def test_an_int_that_is_not_plain_counts_by_its_value_and_draws_advice(value):
    verdict = verdict_on(make_case(), value)
    assert (verdict.status, breaches(verdict)) == (Status.ADVICE, [("SV-OUT-5", "SHOULD")])
    assert verdict_on(make_case(), value, strict=True).status is Status.FAILED


def test_several_flaws_of_form_are_all_told():
    value = {"accepted_tokens": (1,), "bonus_token": True, "extra": 1}
    verdict = verdict_on(make_case(), value)
    assert {clause for clause, _ in breaches(verdict)} == {"SV-OUT-1", "SV-OUT-2", "SV-OUT-6"}


def test_zero_is_a_token_and_none_is_no_token():
    case = make_case(("SV-BON-1",), random_samples=[0.5, 0.0])
    assert case.expected.as_result() == right(accepted=[1, 0], bonus=0)
    assert verdict_on(case, right(accepted=[1, 0], bonus=0)).status is Status.PASSED
    assert verdict_on(case, right(accepted=[1, 0], bonus=None)).status is Status.FAILED
    assert breaches(verdict_on(case, right(accepted=[1, 0], bonus=False))) == [("SV-OUT-6", "MUST")]


def test_false_and_minus_one_are_no_none():
    case = make_case(("SV-BON-2",), random_samples=[0.5, 0.0], target_probs=[[0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    assert verdict_on(case, right(accepted=[1, 0], bonus=None)).status is Status.PASSED
    for bonus, clause in ((False, "SV-OUT-6"), (-1, "SV-OUT-4"), ([], "SV-OUT-4"), ("", "SV-OUT-4")):
        assert breaches(verdict_on(case, right(accepted=[1, 0], bonus=bonus))) == [(clause, "MUST")]
    assert breaches(verdict_on(case, right(accepted=[1, 0], bonus=0))) == [("SV-BON-2", "MUST")]


def test_without_rows_any_index_is_one():
    case = make_case(("SV-BON-3",), draft_tokens=[], draft_probs=[], target_probs=[], random_samples=[])
    assert breaches(verdict_on(case, right(accepted=[], bonus=10**6))) == [("SV-BON-3", "MUST")]
    assert breaches(verdict_on(case, right(accepted=[], bonus=-1))) == [("SV-OUT-4", "MUST")]


def test_form_and_value_are_judged_apart():
    verdict = verdict_on(make_case(), right(accepted=[], bonus=0, count=5))
    assert breaches(verdict) == [("SV-OUT-3", "MUST"), ("SV-ACC-1", "MUST")]


@pytest.mark.parametrize("expects_advice", [True, False])
def test_a_case_of_advice_fails_by_a_breach_of_form_alone(expects_advice):
    """SV-OUT is judged at its own level, apart from the case's."""
    case = make_case(("SV-RES-2",) if expects_advice else ("SV-RES-1",))
    verdict = verdict_on(case, right(count=2))
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-OUT-3", "MUST")])
    assert verdict.gating is not expects_advice


def test_the_form_is_not_judged_where_an_error_is_expected():
    case = make_case(("SV-IN-2",), random_samples=[0.5])
    assert case.expected.raises == "ValueError"
    for value in (None, (1, 2), right(), right(count=9), {"x": True}):
        verdict = verdict_on(case, value)
        assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-IN-2", "MUST")])


def test_the_form_is_not_judged_where_the_call_raised():
    def raises(*arguments):
        raise ValueError("no")

    assert breaches(verdict_of(make_case(), raises)) == [("SV-RES-1", "MUST")]
