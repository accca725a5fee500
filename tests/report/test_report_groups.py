"""Which failures are told together, and which in full."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from reporting import make_case, returning, right, run
from results import many

from specharness.report.groups import ALIKE, FULL, by_cause, share_out, shown_in_full

SIZES = st.lists(st.integers(1, 30), max_size=40)


@given(SIZES, st.integers(1, 5), st.integers(0, 30))
def test_no_more_are_shown_than_there_are_and_than_is_asked_for(sizes, alike, full):
    shown = share_out(sizes, alike=alike, full=full)
    assert all(0 <= most <= min(size, alike) for most, size in zip(shown, sizes, strict=True))
    assert sum(shown) == min(full, sum(min(size, alike) for size in sizes))


@given(SIZES, st.integers(1, 5), st.integers(0, 30))
def test_one_of_each_comes_before_a_second_of_any(sizes, alike, full):
    shown = share_out(sizes, alike=alike, full=full)
    assert max(shown, default=0) <= 1 or min(shown) >= 1


def test_failures_of_one_clause_and_cause_are_one_group():
    cases = [make_case(f"SAME-{n:03}", random_samples=[0.5, 0.5 + n / 1024]) for n in range(5)]
    result = run(returning(right(bonus=0)), *cases)
    assert {key: len(group) for key, group in by_cause(result.failures).items()} == {
        ("SV-RES-1", "another bonus_token"): 5
    }
    assert shown_in_full(result.failures) == {f"SAME-{n:03}" for n in range(ALIKE)}
    assert len(shown_in_full(many(40, 40).verdicts)) == FULL
