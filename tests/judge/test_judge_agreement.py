"""Where all implementations agree with each other and not with the suite."""

from __future__ import annotations

import numpy as np
import pytest
from judging import make_case, right, verdict_of, verdict_on, verdict_on_answer

from specharness.implementation.observation import Loss, Lost, Raised, Returned
from specharness.judge.agreement import agreed_answer

_WRONG, _OTHER = right(bonus=0), right(bonus=1)


def _agreed(*answers, **case):
    made = make_case(**case)
    return agreed_answer([verdict_on_answer(made, answer) for answer in answers])


def test_two_that_fail_with_one_answer_agree():
    assert _agreed(Returned(_WRONG), Returned(right(bonus=0))) == Returned(_WRONG)
    assert _agreed(*[Returned(_WRONG)] * 5) == Returned(_WRONG)


@pytest.mark.parametrize(
    "answers",
    [
        [],
        [Returned(_WRONG)],
        [Returned(_WRONG), Returned(_OTHER)],
        [Returned(_WRONG), Returned(_WRONG), Returned(_OTHER)],
        [Returned(_WRONG), Returned(right())],
        [Returned(right()), Returned(right())],
        [Returned(_WRONG), Returned(right(bonus=False))],
        [Returned(_WRONG), Raised("KeyError", (), "", "")],
        [Lost(Loss.TIMED_OUT, "d")] * 2,
        [Lost(Loss.NOT_RUN, "d")] * 2,
    ],
    ids=range(10),
)
def test_less_is_no_agreement(answers):
    assert _agreed(*answers) is None


def test_exceptions_agree_by_their_class():
    one, other = Raised("KeyError", (), "a", "t"), Raised("KeyError", (), "b", "u")
    assert _agreed(one, other) == one
    assert _agreed(one, Raised("TypeError", (), "a", "t")) is None


def test_advice_is_no_alarm():
    """What the statement is silent on, implementations often do alike."""
    assert _agreed(Returned(_WRONG), Returned(_WRONG), clauses=("SV-RES-2",)) is None


def test_what_is_wrong_in_form_alone_says_nothing_of_the_case():
    results = [verdict_on(make_case(), right(bonus=np.int64(2)), strict=True) for _ in range(2)]
    assert agreed_answer(results) is None
    missing = [verdict_on(make_case(), {"accepted_tokens": [1], "bonus_token": 2}) for _ in range(2)]
    assert agreed_answer(missing) is None
    mutating = [verdict_of(make_case(), lambda a, *_: a.append(0) or right(), strict=True) for _ in range(2)]
    assert agreed_answer(mutating) is None
