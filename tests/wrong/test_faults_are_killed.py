"""The shipped suite can fail: it kills every fault of the catalogue, tells them apart, and spares the reference."""

from __future__ import annotations

import pytest

from specharness.implementation.inprocess import run_here
from specharness.judge.kills import kill_matrix
from specharness.judge.symptoms import symptoms
from specharness.suite.load import load_shipped
from specharness.suite.policies import unmet_policy
from specreference import PROFILES, faults


@pytest.fixture(scope="module")
def cases_of():
    """The applicable cases of each profile."""
    cases = [case for case in load_shipped() if unmet_policy(case, {}) is None]
    return {profile: [case for case in cases if case.profile == profile] for profile in PROFILES}


def _small(cases):
    """The large cases take most of the time."""
    return [case for case in cases if "large" not in case.tags]


@pytest.mark.parametrize("profile", PROFILES)
def test_every_fault_is_killed_by_a_case_of_its_clause_and_told_from_the_others(cases_of, profile):
    kills = kill_matrix(profile, _small(cases_of[profile]))
    assert kills.unexplained == []
    assert kills.misjudged == []
    assert len(kills.faults) >= 13
    assert kills.controls
    large = [case for case in cases_of[profile] if "large" in case.tags]
    assert len(kills.survivors) < 5
    assert not kills.survivors or kill_matrix(profile, large, only=kills.survivors).survivors == []


def test_only_faults_of_sv_pure_2_waver(cases_of):
    """Others are called once for the matrix and for diagnosis."""
    some = [case for case in _small(cases_of["argmax"]) if case.id.endswith("1")]
    for fault in faults.FAULTS.values():
        if fault.clause == "SV-PURE-2" or "argmax" not in fault.profiles:
            continue
        observed = run_here(fault.function, some, repeat=True)
        for case, observation in zip(some, observed, strict=True):
            kinds = {symptom.kind for symptom in symptoms(case, observation)}
            assert "repeat" not in kinds, (fault.id, case.id)


def test_what_is_declared_equivalent_is_told_apart_by_no_case(cases_of):
    declared = {(fault.id, same.id) for fault in faults.FAULTS.values() if (same := fault.equivalent_to)}
    assert declared
    kills = kill_matrix("argmax", _small(cases_of["argmax"]), only={name for pair in declared for name in pair})
    for name, other in declared:
        assert kills.faults[name] == kills.faults[other]
