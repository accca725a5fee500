"""Costs count in the order of the cases, in whatever order they become known."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from specharness.implementation.bounds import Bounds, Cost, Limits, Start
from specharness.implementation.observation import Loss, Lost, Returned

_RIGHT = Cost((), (Returned({}), Returned({})), 0.25)
_DIED = Cost((), (Lost(Loss.DIED, "it died"),), 0.25)
_LATE = Cost((), (Lost(Loss.TIMED_OUT, "no answer"),), 0.5)
_LATE_AGAIN = Cost((Start(0.25),), (Returned({}), Lost(Loss.TIMED_OUT, "no answer")), 0.25)
_FAILED_TO_START = Cost((Start(0.25, "refused"), Start(0.25, "refused")), ())
_STARTED_IN_THE_END = Cost((Start(0.25, "refused"), Start(0.25)), (Returned({}), Returned({})), 0.25)
_OUT_OF_TIME = Cost()
_COSTS = (_RIGHT, _DIED, _LATE, _LATE_AGAIN, _FAILED_TO_START, _STARTED_IN_THE_END, _OUT_OF_TIME)
_LIMITS = Limits(timeout=0.5, silent=3, at_deadlines=1.5, reloading=2, timeouts=8, whole=1000)


def _ends(costs, order, limits=_LIMITS):
    bounds = Bounds(limits)
    for place in order:
        bounds.charge(place, costs[place])
    return bounds.given_up, [bounds.not_run(place) is not None for place in range(len(costs))]


@given(
    st.lists(st.sampled_from(_COSTS), max_size=12).flatmap(
        lambda c: st.tuples(st.just(c), st.permutations(range(len(c))))
    )
)
def test_the_order_in_which_costs_become_known_does_not_matter(costs_and_order):
    costs, order = costs_and_order
    assert _ends(costs, order) == _ends(costs, range(len(costs)))


@given(st.lists(st.sampled_from(_COSTS), max_size=12))
def test_all_cases_after_the_first_that_is_not_run_are_not_run(costs):
    given_up, not_run = _ends(costs, range(len(costs)))
    assert not_run == sorted(not_run)
    assert bool(given_up) or not any(not_run)


def test_a_case_that_exhausts_a_bound_is_still_judged():
    assert _ends([_DIED] * 4, range(4)) == (
        "given up after 3 workers in a row answered nothing; the last: it died",
        [False, False, False, True],
    )


def test_a_case_for_which_nothing_could_be_started_is_not_run():
    given_up, not_run = _ends([_DIED, _FAILED_TO_START, _RIGHT], range(3))
    assert given_up == "given up after 3 workers in a row answered nothing; the last: refused"
    assert not_run == [False, True, True]


def test_each_bound_names_itself():
    quick = Limits(timeout=0.5, silent=math.inf, at_deadlines=1, reloading=1, timeouts=2, whole=5)
    assert _ends([_LATE] * 2, range(2), quick)[0] == "given up after 1 s spent waiting for answers"
    assert _ends([_RIGHT] * 4, range(4), quick)[0] == "given up after 1 s of calls, 2 times the timeout"
    assert _ends([_STARTED_IN_THE_END] * 2, range(2), quick)[0] == "given up after 1 s spent loading it anew"
    assert _ends([_RIGHT, _OUT_OF_TIME], range(2), quick) == (
        "the 5 s of the run were over (--max-time)",
        [False, True],
    )


def test_what_comes_after_an_unknown_cost_does_not_count_yet():
    bounds = Bounds(_LIMITS)
    for place in range(1, 9):
        bounds.charge(place, _DIED)
    assert not bounds.given_up
    bounds.charge(0, _RIGHT)
    assert bounds.given_up
    assert bounds.not_run(3) is None
    assert bounds.not_run(4).answer.loss is Loss.NOT_RUN


def test_starts_for_a_case_are_bounded_in_number_and_time():
    bounds = Bounds(_LIMITS)
    assert bounds.allow_start([Start(0.1, "refused")] * 2)
    assert not bounds.allow_start([Start(0.1, "refused")] * 3)
    assert not bounds.allow_start([Start(2, "refused")])
    assert not Bounds(Limits(whole=0)).allow_start([])
