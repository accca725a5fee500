"""The shipped suite tells wrong implementations from right ones, and by the right clause."""

from __future__ import annotations

import warnings
from functools import cache

import pytest
from right_implementations import Verifier, in_arrays_of, in_exact_arithmetic, to_the_letter
from wrong_implementations import WRONG as WRONG_IN_ARGMAX
from wrong_implementations import verify
from wrong_in_profiles import RIGHT
from wrong_in_profiles import WRONG as WRONG_IN_OTHERS

from specharness import check
from specharness.judge.verdict import Status
from specharness.suite.clauses import Level, load_clauses
from specreference import POLICIES

_CLAUSES = load_clauses()
_ON_EVERY_CASE = ("SV-OUT", "SV-PURE")
_WITHOUT_A_WRONG_ONE = {"SV-NUM-2"}  # it excuses, and demands nothing


WRONG = {name: (clause, "argmax", function) for name, (clause, function) in WRONG_IN_ARGMAX.items()} | WRONG_IN_OTHERS


_NOT_LARGE = ("[!B]*", "B[!I]*")
"""All cases but BIG-*: the others kill by themselves, and quicker."""


@cache
def _run(function, profile="argmax"):
    return check(function, profile=profile, case=_NOT_LARGE if profile == "argmax" else ())


def _names(verdict):
    """The clauses that a failure names."""
    return {breach.clause for breach in verdict.breaches}


@pytest.mark.parametrize(("clause", "profile", "function"), WRONG.values(), ids=WRONG)
def test_a_wrong_implementation_is_killed_by_a_case_of_its_clause_and_a_failure_names_it(clause, profile, function):
    result = _run(function, profile)
    gates = _CLAUSES[clause].level is Level.MUST
    differing = result.failures if gates else [*result.failures, *result.advice]
    killed_by = [verdict for verdict in differing if clause in verdict.case.clauses or clause in _names(verdict)]
    assert killed_by, f"{len(differing)} cases differ, none of them of {clause}"
    assert not (gates and result.passed)
    named = any(clause in _names(verdict) for verdict in [*result.failures, *result.advice])
    assert named or clause.startswith(_ON_EVERY_CASE)  # a case may list one of these, and show it by another


@pytest.mark.parametrize(
    ("clause", "profile", "function"),
    [wrong for wrong in WRONG.values() if _CLAUSES[wrong[0]].level is Level.SHOULD],
    ids=[name for name, wrong in WRONG.items() if _CLAUSES[wrong[0]].level is Level.SHOULD],
)
def test_an_implementation_that_is_wrong_by_a_should_clause_alone_gets_advice_and_fails_a_strict_run(
    clause, profile, function
):
    result = _run(function, profile)
    assert result.passed
    assert result.advice
    selected = {} if clause.startswith(_ON_EVERY_CASE) else {"clause": clause}
    assert not check(function, profile=profile, strict=True, **selected).passed


def test_each_clause_has_a_wrong_implementation():
    assert {clause for clause, _, _ in WRONG.values()} == set(_CLAUSES) - _WITHOUT_A_WRONG_ONE


@pytest.mark.parametrize("profile", RIGHT)
def test_a_right_implementation_of_each_profile_passes_a_strict_run_without_a_word(profile):
    result = check(RIGHT[profile](), profile=profile, strict=True)
    assert [(verdict.case.id, verdict.breaches) for verdict in [*result.failures, *result.advice]] == []
    assert result.passed
    assert all(verdict.status is Status.PASSED for verdict in result.verdicts)


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, values in POLICIES.items() for value in values])
def test_an_engine_with_a_policy_passes_the_run_that_declares_it_and_no_other(name, value):
    function = RIGHT["sampled"](**{name: value})
    result = check(function, profile="sampled", policies={name: value}, strict=True)
    assert [verdict.case.id for verdict in result.failures] == []
    assert result.passed
    assert result.skipped
    for other in POLICIES[name]:
        if other != value:
            declared = check(function, profile="sampled", policies={name: other}, strict=True)
            assert not declared.passed
            by_policy = [verdict for verdict in declared.failures if name in dict(verdict.case.policies)]
            assert by_policy


@pytest.mark.parametrize("function", [verify, in_exact_arithmetic], ids=lambda function: function.__name__)
def test_a_right_implementation_passes_a_strict_run_without_a_word(function):
    result = check(function, strict=True)
    assert (result.passed, result.failures, result.advice) == (True, [], [])
    assert all(verdict.status is Status.PASSED for verdict in result.verdicts)


@pytest.mark.parametrize("function", [to_the_letter, Verifier()], ids=["to-the-letter", "no-hardening"])
def test_an_implementation_that_follows_the_original_statement_and_nothing_more_passes_with_advice(function):
    result = check(function)
    assert result.passed
    assert result.failures == []
    assert result.advice
    for verdict in result.advice:
        assert any(_CLAUSES[name].level is Level.SHOULD for name in verdict.case.clauses)
        assert verdict.gating is False
    assert not check(function, strict=True).passed


def _scalars():
    numpy = pytest.importorskip("numpy")
    types = {name: numpy.dtype(name).type for name in ("float64", "float32", "float16")}
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        return types
    return {**types, "bfloat16": bfloat16}


@pytest.mark.parametrize("dtype", ["float64", "float32", "float16", "bfloat16"])
def test_an_implementation_in_arrays_passes_the_run_that_declares_its_dtype(dtype):
    scalars = _scalars()
    if dtype not in scalars:
        pytest.skip("ml_dtypes is not installed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # overflow in a narrow dtype is a fact of it
        result = check(in_arrays_of(scalars[dtype]), dtype=dtype, strict=True)
    assert [(verdict.case.id, verdict.breaches) for verdict in result.failures] == []
    assert bool(result.skipped) == (dtype != "float64")


def test_an_implementation_in_float32_fails_a_run_that_declares_none_and_is_told_of_float32():
    result = check(in_arrays_of(_scalars()["float32"]))
    assert not result.passed
    lines = [line for verdict in result.failures for breach in verdict.breaches for line in breach.lines]
    assert any("declare the dtype float32" in line for line in lines)
