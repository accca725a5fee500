"""Array scalars in results: an integer equals its int, anything else is no number."""

from __future__ import annotations

import pytest
from judging import breaches, make_case, right, verdict_on

from specharness.judge.verdict import Status

numpy = pytest.importorskip("numpy")


@pytest.mark.parametrize(
    ("value", "clauses"),
    [
        (right(bonus=numpy.int64(2)), [("SV-OUT-5", "SHOULD")]),
        (right(bonus=numpy.uint8(2)), [("SV-OUT-5", "SHOULD")]),
        (right(bonus=numpy.array(2)), [("SV-OUT-5", "SHOULD")]),
        (right(count=numpy.int32(1)), [("SV-OUT-5", "SHOULD")]),
        (right(accepted=[numpy.int64(1)]), [("SV-OUT-5", "SHOULD")]),
        (right(bonus=numpy.int64(1)), [("SV-OUT-5", "SHOULD"), ("SV-RES-1", "MUST")]),
        (right(bonus=numpy.int64(-1)), [("SV-OUT-4", "MUST")]),
        (right(bonus=numpy.float64(2)), [("SV-OUT-6", "MUST")]),
        (right(bonus=numpy.float32(2)), [("SV-OUT-6", "MUST")]),
        (right(bonus=numpy.bool_(True)), [("SV-OUT-6", "MUST")]),
        (right(count=numpy.bool_(True)), [("SV-OUT-6", "MUST")]),
        (right(count=numpy.float16(1)), [("SV-OUT-6", "MUST")]),
        (right(accepted=[numpy.bool_(True)]), [("SV-OUT-6", "MUST")]),
        (right(bonus=numpy.array([2])), [("SV-OUT-4", "MUST")]),
        ({**right(), "accepted_tokens": numpy.array([1])}, [("SV-OUT-2", "MUST")]),
        (numpy.array([1, 2, 1]), [("SV-OUT-1", "MUST")]),
    ],
    ids=lambda value: repr(value)[:60] if isinstance(value, dict) else "",
)
def test_an_array_scalar_of_integers_equals_its_int_and_no_other_is_a_number(value, clauses):
    verdict = verdict_on(make_case(), value)
    assert sorted(breaches(verdict)) == sorted(clauses)
    expected = Status.FAILED if any(level == "MUST" for _, level in clauses) else Status.ADVICE
    assert verdict.status is expected
