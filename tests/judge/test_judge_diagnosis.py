"""A failing run is told which known fault it behaves like, how sure that is, and nothing where nothing fits."""

from __future__ import annotations

import random

import pytest

from specharness.implementation.inprocess import run_here
from specharness.judge import compare
from specharness.judge import diagnosis as module
from specharness.judge.diagnosis import diagnose
from specharness.judge.verdict import Status, judge
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_shipped
from specharness.suite.policies import unmet_policy
from specreference import PROFILES, faults, verify_speculative_tokens
from specreference.faults import FAULTS

CLAUSES = load_clauses()
CASES = [case for case in load_shipped() if unmet_policy(case, {}) is None and "large" not in case.tags]


def _verdicts(function, profile="argmax", *, strict=False, cases=None):
    faults.forget()
    chosen = [case for case in CASES if case.profile == profile] if cases is None else cases
    observed = zip(chosen, run_here(function, chosen, repeat=True), strict=True)
    return [judge(case, observation, CLAUSES, strict=strict) for case, observation in observed]


def _diagnosed(function, profile="argmax", **more):
    return diagnose(_verdicts(function, profile, **more), profile)


def _both(one, other):
    """Wrong in both ways, where they show on different inputs."""

    def verify(*arguments):
        right, first = verify_speculative_tokens(*arguments), one(*arguments)
        return first if first != right else other(*arguments)

    return verify


@pytest.fixture(scope="module", autouse=True)
def remembered():
    """What each fault shows on all cases, worked out once: a diagnosis asks for parts of it."""
    known, work_out = {}, module.departures

    def departures(fault, calls):
        if not calls or fault.clause == "SV-PURE-2":
            return work_out(fault, calls)
        profile = calls[0][0].profile
        if (fault.id, profile) not in known:
            all_calls = module.calls_of(case for case in CASES if case.profile == profile)
            known[fault.id, profile] = work_out(fault, all_calls)
        asked = {case.id for case, _ in calls}
        return {case: shown for case, shown in known[fault.id, profile].items() if case in asked}

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "departures", departures)
        # Shipped cases have one acceptable outcome in float64, so that nobody needs to work out any other.
        patch.setattr(compare, "nearest_acceptable", lambda fields, case, arithmetic: case.expected.as_result())
        patch.setattr(compare, "rounding_note", lambda fields, case, arithmetic: [])
        yield


@pytest.mark.parametrize("profile", PROFILES)
def test_each_fault_of_the_catalogue_is_named_first_on_its_own_run(profile):
    some = [fault for fault in FAULTS.values() if profile in fault.profiles and fault.clause != "SV-PURE-2"]
    for fault in some[:: {"argmax": 40, "sampled": 6, "block": 4}.get(profile, 1)]:
        verdicts = _verdicts(fault.function, profile, strict=True)
        if not any(verdict.status is Status.FAILED for verdict in verdicts):
            continue  # killed by the large cases only
        first, *_ = diagnose(verdicts, profile).matches
        same = fault.equivalent_to
        assert first.fault.id in (fault.id, same and same.id), fault.id
        assert first.alike == (), fault.id


@pytest.mark.parametrize("name", ["ties-alternate", "error-remembered"])
def test_a_fault_that_remembers_earlier_calls_is_named_too(name):
    first, *_ = _diagnosed(FAULTS[name].function).matches
    assert first.fault.id == name


def test_a_fault_that_fits_wholly_has_every_failing_case_and_no_other():
    verdicts = _verdicts(FAULTS["tie-last"].function)
    found = diagnose(verdicts, "argmax")
    failing = {verdict.case.id for verdict in verdicts if verdict.status is Status.FAILED}
    assert set(found.matches[0].cases) == failing
    assert found.matches[0].against == ()
    assert found.failing == len(failing)
    assert found.exact
    assert found.together == ()


def test_a_fault_that_shows_on_some_inputs_only_is_named_with_its_share():
    tie_last = FAULTS["tie-last"].function

    def verify(tokens, drafts, targets, uniforms):
        wrong = tie_last if len(targets[:1] and targets[0]) != 3 else verify_speculative_tokens
        return wrong(tokens, drafts, targets, uniforms)

    found = _diagnosed(verify)
    assert found.matches[0].fault.id == "tie-last"
    assert len(found.matches[0].cases) == found.failing
    assert found.matches[0].against


def test_two_faults_together_are_named_where_one_alone_does_not_do():
    found = _diagnosed(_both(FAULTS["tie-last-bonus"].function, FAULTS["accept-strict"].function))
    assert {match.fault.id for match in found.together} == {"tie-last-bonus", "accept-strict"}


def test_a_letter_to_the_statement_beyond_which_it_says_nothing_does_not_hide_the_fault():
    """Advice speaks neither for nor against."""

    def verify(tokens, drafts, targets, uniforms):
        if not len(tokens) == len(drafts) == len(uniforms) <= len(targets):
            raise ValueError
        accepted = []
        for i, x in enumerate(tokens):
            if not uniforms[i] < min(1, targets[i][x] / drafts[i][x]):
                residual = [max(0.0, p - q) for p, q in zip(targets[i], drafts[i], strict=True)]
                return _result(accepted, residual.index(max(residual)))
            accepted.append(x)
        row = targets[len(tokens)] if len(targets) > len(tokens) else None
        return _result(accepted, row and row.index(max(row)))

    found = _diagnosed(verify)
    assert found.matches[0].fault.id == "accept-strict"
    assert found.matches[0].against == ()


def _result(accepted, bonus):
    return {"accepted_tokens": accepted, "bonus_token": bonus, "acceptance_count": len(accepted)}


def test_outcomes_are_compared_by_their_sort_where_none_is_the_same():
    class Odd(Exception):
        pass

    def verify(*arguments):
        try:
            return verify_speculative_tokens(*arguments)
        except ValueError as error:
            raise error if getattr(error, "clause", "") not in ("SV-IN-1", "SV-IN-2", "SV-IN-3") else Odd from None

    found = _diagnosed(verify)
    assert not found.exact
    assert found.matches[0].fault.clause.startswith("SV-IN")
    assert len(found.matches[0].cases) == found.failing


@pytest.mark.parametrize("seed", range(2))
def test_an_implementation_that_answers_at_random_behaves_like_no_fault(seed):
    def verify(tokens, drafts, targets, uniforms):
        dice = random.Random(repr((seed, tokens, targets, uniforms)))
        kept = dice.randint(0, len(tokens))
        return _result(tokens[:kept], dice.randrange(len(targets[0])) if targets and targets[0] else None)

    found = _diagnosed(verify)
    assert found.matches == ()
    assert found.together == ()


def _raises(error):
    def verify(*_):
        raise error

    return verify


@pytest.mark.parametrize(
    "verify",
    [
        lambda *_: _result([], 0),
        lambda *_: _result([0, 1], None),
        lambda *_: None,
        _raises(ValueError()),
        _raises(KeyError()),
    ],
    ids=["token 0", "two tokens", "None", "ValueError", "KeyError"],
)
def test_an_implementation_that_answers_every_case_alike_behaves_like_no_fault(verify):
    found = _diagnosed(verify)
    assert found.failing > 300
    assert found.matches == ()
    assert found.together == ()


def test_a_fault_is_named_where_all_cases_of_a_selection_are_answered_alike():
    cases = [case for case in CASES if case.profile == "argmax" and case.expected.raises and "SV-IN-1" in case.clauses]
    assert _diagnosed(FAULTS["lengths-asserted"].function, cases=cases).matches[0].fault.id == "lengths-asserted"


def test_a_passing_case_speaks_against_a_fault_that_fails_it():
    cases = [case for case in CASES if case.id in ("TIE-001", "TIE-002", "TIE-003", "TIE-004")]
    first = _diagnosed(FAULTS["tie-last"].function, cases=cases).matches[0]
    assert "tie-last" in {first.fault.id, *(other.id for other in first.alike)}
    assert "accept-always" not in {first.fault.id, *(other.id for other in first.alike)}


def test_of_faults_that_no_case_tells_apart_one_of_the_broken_clause_is_named_first():
    (case,) = (case for case in CASES if case.id == "TIE-001")
    found = _diagnosed(FAULTS["tie-last"].function, cases=[case])
    first = found.matches[0]
    assert first.fault.clause == "SV-TIE-1"
    assert any(fault.clause != "SV-TIE-1" for fault in first.alike)


def test_a_long_run_is_diagnosed_by_a_bounded_number_of_its_cases(monkeypatch):
    monkeypatch.setattr(module, "_MOST_CASES", 60)
    found = _diagnosed(FAULTS["tie-last"].function)
    assert found.failing <= 20
    assert found.matches[0].fault.id == "tie-last"
