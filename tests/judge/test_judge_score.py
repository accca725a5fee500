"""Points out of a hundred, and the bonus for plain Python."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from judging import make_case

from specharness.implementation.observation import Observation, Returned
from specharness.implementation.session import Imports
from specharness.judge.score import BONUS, score
from specharness.judge.verdict import Status, Verdict

_CASE = make_case()
_OBSERVATION = Observation(Returned(None))
_PLAIN = Imports(known=True)


def _verdicts(passed=0, failed=0, not_run=0, advice_on_gating=0, advice=0, advisory_passed=0, advisory_failed=0):
    kinds = [
        (passed, Status.PASSED, True),
        (failed, Status.FAILED, True),
        (not_run, Status.NOT_RUN, True),
        (advice_on_gating, Status.ADVICE, True),
        (advice, Status.ADVICE, False),
        (advisory_passed, Status.PASSED, False),
        (advisory_failed, Status.FAILED, False),
    ]
    return [Verdict(_CASE, _OBSERVATION, (), status, gating) for count, status, gating in kinds for _ in range(count)]


def _points(**counts):
    return score(_verdicts(**counts), _PLAIN, python=True).points


@pytest.mark.parametrize(
    ("counts", "points"),
    [
        ({"passed": 1000}, 100),
        ({"passed": 999, "failed": 1}, 99),
        ({"passed": 1, "failed": 999}, 0),
        ({"passed": 995, "failed": 5}, 99),
        ({"passed": 2, "failed": 1}, 66),
        ({"failed": 3}, 0),
        ({"passed": 99, "not_run": 1}, 99),
        ({"passed": 1, "advice_on_gating": 1}, 100),
        ({"passed": 3, "advice": 50}, 100),
        ({"passed": 1, "failed": 1, "advice": 8, "advisory_passed": 90}, 50),
        ({"passed": 3, "advisory_failed": 1}, 99),
        ({"passed": 3, "failed": 1, "advisory_failed": 9}, 75),
    ],
)
def test_points_are_the_share_of_gating_cases_passed_rounded_down_and_below_100_where_any_case_fails(counts, points):
    assert _points(**counts) == points


@given(st.integers(0, 2000), st.integers(0, 50), st.integers(0, 50))
def test_a_hundred_points_mean_that_all_passed(passed, failed, not_run):
    if passed + failed + not_run:
        assert (_points(passed=passed, failed=failed, not_run=not_run) == 100) == (failed + not_run == 0)


def test_without_a_gating_case_there_are_no_points():
    for verdicts in ([], _verdicts(advice=3, advisory_passed=2)):
        given_ = score(verdicts, _PLAIN, python=True)
        assert (given_.points, given_.bonus, given_.reason) == (0, 0, "no gating case was run")


def test_plain_python_that_passes_all_has_the_bonus():
    given_ = score(_verdicts(passed=5, advice=2), _PLAIN, python=True)
    assert (given_.points, given_.bonus) == (100, BONUS)
    assert BONUS == 10
    assert given_.reason.startswith("plain Python")


@pytest.mark.parametrize(
    ("counts", "imports", "python", "reason"),
    [
        ({"passed": 99, "failed": 1}, _PLAIN, True, "the bonus needs 100 points"),
        (
            {"passed": 1},
            Imports((("numpy", "outside the standard library"),), known=True),
            True,
            "numpy (outside the standard library)",
        ),
        ({"passed": 1}, Imports((("specreference", "the reference itself"),), True, True), True, "specreference"),
        ({"passed": 1}, Imports(tuple((f"m{i}", "r") for i in range(9)), known=True), True, "m0 (r), m1 (r), m2 (r)"),
        ({"passed": 1}, Imports(), True, "its process did not tell what it imports"),
        ({"passed": 1}, _PLAIN, False, "it is no Python function"),
    ],
)
def test_the_bonus_is_refused_with_its_reason(counts, imports, python, reason):
    given_ = score(_verdicts(**counts), imports, python=python)
    assert given_.bonus == 0
    assert reason in given_.reason
