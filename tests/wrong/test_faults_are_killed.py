"""The shipped suite can fail: it kills every fault of the catalogue, and not the reference in other words."""

from __future__ import annotations

import collections

import pytest

from specharness.implementation.inprocess import run_here
from specharness.judge.compare import compare
from specharness.judge.rounding import Arithmetic
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_shipped
from specharness.suite.policies import unmet_policy
from specreference import PROFILES, faults

_ON_EVERY_CASE = ("SV-OUT", "SV-PURE")


@pytest.fixture(scope="module")
def cases_of():
    cases = collections.defaultdict(list)
    for case in load_shipped():
        if unmet_policy(case, {}) is None:
            cases[case.profile].append(case)
    return cases


def _is_killed(fault, cases, clauses):
    """By a case that lists its clause; the large cases are asked last, since they take most of the time."""
    everywhere = fault.clause.startswith(_ON_EVERY_CASE)
    for large in (False, True):
        asked = [case for case in cases if ("large" in case.tags) is large]
        killing = _killing(fault.function, asked, clauses)
        if any(everywhere or fault.clause in case.clauses for case in killing):
            return True
    return False


def _killing(function, cases, clauses):
    """The cases on which a function breaks something."""
    faults.forget()
    observed = zip(cases, run_here(function, cases, repeat=True), strict=True)
    return [case for case, observation in observed if compare(case, observation, clauses, Arithmetic())]


@pytest.mark.parametrize("profile", PROFILES)
def test_every_fault_is_killed_by_a_case_of_its_clause(cases_of, profile):
    clauses = load_clauses()
    of_profile = {name: fault for name, fault in faults.FAULTS.items() if profile in fault.profiles}
    assert [name for name, fault in of_profile.items() if not _is_killed(fault, cases_of[profile], clauses)] == []


@pytest.mark.parametrize("name", faults.CONTROLS)
def test_controls_are_judged_as_what_they_are(cases_of, name):
    control = faults.CONTROLS[name]
    for profile in control.profiles:
        killing = _killing(control.function, cases_of[profile], load_clauses())
        assert bool(killing) == ("positive" in name), profile
