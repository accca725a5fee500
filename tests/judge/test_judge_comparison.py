"""What an observation breaks, by which clause and at which level."""

from __future__ import annotations

import itertools

import pytest
from judging import CLAUSES, breaches, make_case, observe, right, verdict_of, verdict_on, verdict_on_answer

from specharness.implementation.observation import Loss, Lost, Observation, Raised, Returned
from specharness.judge.verdict import Status, judge
from specreference import verify_speculative_tokens

_ADVICE = {"SV-IN-5", "SV-IN-6", "SV-IN-7", "SV-IN-8", "SV-IN-9", "SV-ACC-4", "SV-RES-2", "SV-OUT-5", "SV-PURE-1"}


def test_the_reference_passes():
    for case in (make_case(), make_case(("SV-IN-1",), draft_probs=[])):
        for strict in (False, True):
            verdict = verdict_of(case, verify_speculative_tokens, strict=strict)
            assert (verdict.status, verdict.breaches) == (Status.PASSED, ())


# make_case expects [1] accepted and 2 recovered; `clauses` are those of the case
_TOO_FEW = right(accepted=[], bonus=0)
_TOO_MANY = right(accepted=[1, 0], bonus=0)
_OTHER_BONUS = right(bonus=0)
_NO_BONUS = right(bonus=None)


@pytest.mark.parametrize(
    ("clauses", "value", "named"),
    [
        (["SV-RES-1", "SV-ACC-1"], _TOO_FEW, "SV-ACC-1"),
        (["SV-RES-1", "SV-ACC-1"], _TOO_MANY, "SV-ACC-1"),
        (["SV-RES-1", "SV-ACC-2", "SV-ACC-1"], _TOO_FEW, "SV-ACC-2"),
        (["SV-RES-1", "SV-STOP-1"], _TOO_MANY, "SV-STOP-1"),
        (["SV-TIE-1", "SV-NUM-1"], _TOO_MANY, "SV-NUM-1"),
        (["SV-RES-1", "SV-TIE-1"], _TOO_MANY, "SV-ACC-1"),
        (["SV-BON-1"], _TOO_FEW, "SV-ACC-1"),
        (["SV-RES-1", "SV-STOP-1"], _TOO_FEW, "SV-ACC-1"),
        (["SV-ACC-1", "SV-RES-1"], _OTHER_BONUS, "SV-RES-1"),
        (["SV-ACC-1", "SV-TIE-1", "SV-RES-1"], _OTHER_BONUS, "SV-TIE-1"),
        (["SV-STOP-1", "SV-BON-1"], _NO_BONUS, "SV-STOP-1"),
        (["SV-ACC-3", "SV-NUM-1"], _OTHER_BONUS, "SV-NUM-1"),
        (["SV-ACC-1", "SV-STOP-1"], _OTHER_BONUS, "SV-STOP-1"),
        (["SV-ACC-1"], _OTHER_BONUS, "SV-RES-1"),
        (["SV-STOP-1"], _NO_BONUS, "SV-STOP-1"),
    ],
)
def test_a_failure_names_the_clause_of_the_case_that_the_difference_shows_else_the_profile_s(clauses, value, named):
    verdict = verdict_on(make_case(clauses), value)
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [(named, "MUST")])


# a rejection of the one draft token (then token 1 is recovered), and an acceptance (then token 0 is the bonus token)
_REJECTS = {
    "draft_tokens": [0],
    "draft_probs": [[1.0, 0.0]],
    "target_probs": [[0.25, 0.75], [1.0, 0.0]],
    "random_samples": [0.5, 0.25],
}
_ACCEPTS = {**_REJECTS, "target_probs": [[1.0, 0.0], [1.0, 0.0]]}
_SHAPES = {
    "argmax": {"random_samples": [0.5]},
    "sampled": {},
    "greedy": {"draft_probs": None, "random_samples": []},
    "one-hot": {"draft_probs": None},
    "block": {},
}


@pytest.mark.parametrize(
    ("profile", "acceptance", "recovered", "bonus"),
    [
        ("argmax", "SV-ACC-1", "SV-RES-1", "SV-BON-1"),
        ("sampled", "SV-ACC-1", "SV-SMP-2", "SV-SMP-3"),
        ("greedy", "SV-GRD-2", "SV-GRD-3", "SV-BON-1"),
        ("one-hot", "SV-ONE-2", "SV-ONE-3", "SV-ONE-4"),
        ("block", "SV-BLK-3", "SV-BLK-5", "SV-BLK-6"),
    ],
)
def test_what_no_clause_of_the_case_speaks_of_is_named_by_the_profile_s_clause(profile, acceptance, recovered, bonus):
    rejects = make_case(("SV-OUT-1",), profile=profile, **{**_REJECTS, **_SHAPES[profile]})
    accepts = make_case(("SV-OUT-1",), profile=profile, **{**_ACCEPTS, **_SHAPES[profile]})
    assert rejects.expected.as_result() == right(accepted=[], bonus=1)
    assert accepts.expected.as_result() == right(accepted=[0], bonus=0)
    assert breaches(verdict_on(rejects, right(accepted=[0], bonus=0))) == [(acceptance, "MUST")]
    assert breaches(verdict_on(accepts, right(accepted=[], bonus=0))) == [(acceptance, "MUST")]
    assert breaches(verdict_on(rejects, right(accepted=[], bonus=0))) == [(recovered, "MUST")]
    assert breaches(verdict_on(accepts, right(accepted=[0], bonus=1))) == [(bonus, "MUST")]
    without_row_k = {**_ACCEPTS, **_SHAPES[profile], "target_probs": [[1.0, 0.0]]}
    none = make_case(("SV-OUT-1",), profile=profile, **without_row_k)
    assert breaches(verdict_on(none, right(accepted=[0], bonus=1))) == [("SV-BON-2", "MUST")]


@pytest.mark.parametrize(
    ("profile", "clauses", "accepted", "bonus", "named"),
    [
        ("sampled", ["SV-SMP-4", "SV-SMP-6"], [0], 0, "SV-SMP-6"),
        ("sampled", ["SV-ACC-1", "SV-SMP-4"], [], 0, "SV-SMP-4"),
        ("greedy", ["SV-GRD-3", "SV-GRD-2"], [0], 0, "SV-GRD-2"),
        ("greedy", ["SV-GRD-2", "SV-GRD-3"], [], 0, "SV-GRD-3"),
        ("one-hot", ["SV-ONE-3", "SV-ONE-2"], [0], 0, "SV-ONE-2"),
        ("one-hot", ["SV-ONE-2", "SV-ONE-3"], [], 0, "SV-ONE-3"),
        ("block", ["SV-BLK-5", "SV-BLK-4"], [0], 0, "SV-BLK-4"),
        ("block", ["SV-BLK-2", "SV-BLK-5"], [0], 0, "SV-BLK-2"),
        ("block", ["SV-BLK-2", "SV-BLK-5"], [], 0, "SV-BLK-5"),
    ],
)
def test_a_clause_of_the_case_is_named_before_the_profile_s(profile, clauses, accepted, bonus, named):
    case = make_case(clauses, profile=profile, **{**_REJECTS, **_SHAPES[profile]})
    assert breaches(verdict_on(case, right(accepted=accepted, bonus=bonus))) == [(named, "MUST")]


def test_accepted_tokens_that_are_no_prefix_of_the_draft_break_the_clause_on_form():
    verdict = verdict_on(make_case(("SV-ACC-1",)), right(accepted=[0], bonus=2))
    assert breaches(verdict) == [("SV-OUT-2", "MUST")]
    assert verdict.breaches[0].cause == "accepted_tokens is no prefix of draft_tokens"


@pytest.mark.parametrize(
    ("value", "lines"),
    [
        (_OTHER_BONUS, ["bonus_token: expected 2, got 0"]),
        (_NO_BONUS, ["bonus_token: expected 2, got None"]),
        (
            _TOO_MANY,
            [
                "accepted_tokens: expected [1], got [1, 0]",
                "bonus_token: expected 2, got 0",
                "acceptance_count: expected 1, got 2",
            ],
        ),
    ],
)
def test_a_breach_says_what_differs_and_only_that(value, lines):
    (breach,) = verdict_on(make_case(), value).breaches
    assert list(breach.lines) == lines


@pytest.mark.parametrize("clause", sorted(_ADVICE - {"SV-OUT-5", "SV-PURE-1"}))
def test_a_case_with_a_should_clause_is_advice_unless_strict(clause):
    case = make_case(("SV-RES-1", clause))
    advice = verdict_on(case, _OTHER_BONUS)
    assert (advice.status, advice.gating) == (Status.ADVICE, False)
    assert breaches(advice) == [("SV-RES-1", "SHOULD")]
    strict = verdict_on(case, _OTHER_BONUS, strict=True)
    assert (strict.status, strict.gating) == (Status.FAILED, True)


def test_a_case_of_must_clauses_gates():
    verdict = verdict_on(make_case(("SV-RES-1", "SV-ACC-1")), right())
    assert (verdict.status, verdict.gating) == (Status.PASSED, True)


def test_the_levels_of_the_clauses_are_those_assumed_here():
    assert {name for name, clause in CLAUSES.items() if clause.level.value == "SHOULD"} == _ADVICE


class MyError(ValueError):
    pass


def _raising(error):
    def function(*arguments):
        raise error

    return function


@pytest.mark.parametrize("error", [ValueError("x"), MyError(), UnicodeDecodeError("a", b"", 0, 1, "r")], ids=repr)
def test_an_expected_error_may_be_a_subclass(error):
    assert verdict_of(make_case(("SV-IN-1",), draft_probs=[]), _raising(error)).status is Status.PASSED


@pytest.mark.parametrize(
    "error",
    [IndexError("x"), Exception("x"), AssertionError(), ZeroDivisionError(), SystemExit(1), TypeError("ValueError")],
    ids=repr,
)
def test_another_error_than_the_expected_one_fails(error):
    verdict = verdict_of(make_case(("SV-IN-1", "SV-IN-4"), draft_probs=[]), _raising(error))
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-IN-1", "MUST")])
    assert verdict.breaches[0].lines[0].startswith(f"expected ValueError, got {type(error).__name__}")
    assert not verdict.breaches[0].lines[0].endswith(": ")


def test_an_error_of_the_name_of_the_expected_one_is_another():
    fake = type("ValueError", (Exception,), {})
    assert verdict_of(make_case(("SV-IN-1",), draft_probs=[]), _raising(fake("x"))).status is Status.FAILED


def test_an_error_where_a_result_is_expected_fails():
    verdict = verdict_of(make_case(("SV-RES-1", "SV-ACC-1")), _raising(ValueError("no: [0]")))
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-RES-1", "MUST")])
    assert verdict.breaches[0].lines == ("expected a result, got ValueError: no: [0]",)
    assert verdict_of(make_case(("SV-RES-2",)), _raising(ZeroDivisionError())).status is Status.ADVICE


@pytest.mark.parametrize("loss", [loss for loss in Loss if loss is not Loss.NOT_RUN])
def test_a_lost_call_fails_its_case(loss):
    verdict = verdict_on_answer(make_case(("SV-RES-1", "SV-ACC-1")), Lost(loss, "it was lost"))
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-RES-1", "MUST")])
    assert verdict.breaches[0].lines == ("it was lost",)
    assert verdict_on_answer(make_case(("SV-IN-1",), draft_probs=[]), Lost(loss, "")).status is Status.FAILED
    assert verdict_on_answer(make_case(("SV-IN-9",)), Lost(loss, "")).status is Status.ADVICE


def test_a_case_that_was_not_run_is_neither_passed_nor_failed():
    verdict = verdict_on_answer(make_case(), Lost(Loss.NOT_RUN, "given up"))
    assert (verdict.status, verdict.breaches, verdict.gating) == (Status.NOT_RUN, (), True)
    assert verdict_on_answer(make_case(("SV-IN-9",)), Lost(Loss.NOT_RUN, "")).gating is False


def _mutating(*arguments):
    arguments[1].clear()
    arguments[3].append(0.5)
    return right()


def test_changed_arguments_are_advice_whatever_the_case_is():
    for clauses in (("SV-RES-1",), ("SV-RES-2",)):
        verdict = verdict_of(make_case(clauses), _mutating)
        assert (verdict.status, breaches(verdict)) == (Status.ADVICE, [("SV-PURE-1", "SHOULD")])
        assert verdict.breaches[0].lines == ("changed by the call: draft_probs, random_samples",)
    assert verdict_of(make_case(), _mutating, strict=True).status is Status.FAILED


def test_changed_arguments_are_told_also_of_a_call_that_raises():
    def function(tokens, *arguments):
        tokens.clear()
        raise ValueError

    verdict = verdict_of(make_case(("SV-IN-1",), draft_probs=[]), function)
    assert breaches(verdict) == [("SV-PURE-1", "SHOULD")]


def _alternating(*answers):
    calls = itertools.cycle(answers)

    def function(*arguments):
        answer = next(calls)
        if isinstance(answer, Exception):
            raise answer
        return answer

    return function


@pytest.mark.parametrize(
    "second",
    [right(bonus=1), None, right(bonus=True), right(extra=1), KeyError("x")],
    ids=["value", "none", "type", "key", "error"],
)
def test_a_second_call_that_differs_breaks_purity(second):
    verdict = verdict_of(make_case(), _alternating(right(), second))
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-PURE-2", "MUST")])
    assert "in a second call" in verdict.breaches[0].lines[0]


def test_purity_gates_on_a_case_of_advice_too():
    verdict = verdict_of(make_case(("SV-RES-2",)), _alternating(right(), right(bonus=1)))
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-PURE-2", "MUST")])


def test_a_wrong_answer_and_an_impure_one_are_told_the_gating_one_first():
    verdict = verdict_of(make_case(("SV-RES-2",)), _alternating(right(bonus=0), right()))
    assert breaches(verdict) == [("SV-PURE-2", "MUST"), ("SV-RES-2", "SHOULD")]
    strict = verdict_of(make_case(("SV-RES-2",)), _alternating(right(bonus=0), right()), strict=True)
    assert breaches(strict) == [("SV-RES-2", "SHOULD"), ("SV-PURE-2", "MUST")]


def test_the_second_error_may_have_another_message():
    case = make_case(("SV-IN-1",), draft_probs=[])
    assert verdict_of(case, _alternating(ValueError("a"), ValueError("b"))).status is Status.PASSED
    assert breaches(verdict_of(case, _alternating(ValueError("a"), right()))) == [("SV-PURE-2", "MUST")]


def test_a_new_process_that_answers_otherwise_breaks_purity():
    observation = Observation(Returned(right()), Returned(right()), fresh=Returned(right(bonus=1)))
    verdict = judge(make_case(), observation, CLAUSES)
    assert (verdict.status, breaches(verdict)) == (Status.FAILED, [("SV-PURE-2", "MUST")])
    assert "in a new process" in verdict.breaches[0].lines[0]


def test_a_call_that_was_not_repeated_is_pure():
    assert verdict_of(make_case(), lambda *arguments: right()).status is Status.PASSED
    assert observe(make_case(), lambda *arguments: right(), repeat=False).repeat is None
    assert judge(make_case(), Observation(Returned(right())), CLAUSES).status is Status.PASSED


# u = .05, p = .0235, q = .47: float64 accepts, float32 may reject
_BLURRED = {
    "draft_tokens": [0],
    "draft_probs": [[0.47, 0.53]],
    "target_probs": [[0.0235, 0.9765], [1.0, 0.0]],
    "random_samples": [0.05],
}
_BLURRED_EXACT = right(accepted=[0], bonus=0)
_BLURRED_ROUNDED = right(accepted=[], bonus=1)


def test_rounding_is_allowed_in_the_declared_dtype_alone():
    case = make_case(("SV-ACC-1",), **_BLURRED)
    assert case.expected.as_result() == _BLURRED_EXACT
    for dtype in ("float64", "float32", "float16", "bfloat16"):
        assert verdict_on(case, _BLURRED_EXACT, dtype=dtype).status is Status.PASSED
        expected = Status.FAILED if dtype == "float64" else Status.PASSED
        assert verdict_on(case, _BLURRED_ROUNDED, dtype=dtype).status is expected


def test_a_float64_failure_that_float32_allows_says_so():
    case = make_case(("SV-ACC-1",), **_BLURRED)
    (breach,) = verdict_on(case, _BLURRED_ROUNDED).breaches
    assert breach.lines[-1] == (
        "correct float32 arithmetic could give this; if it computes in float32, declare the dtype float32"
    )
    (other,) = verdict_on(case, right(accepted=[], bonus=0)).breaches
    assert not any("float32" in line for line in other.lines)


def test_no_note_on_float32_where_another_dtype_was_declared():
    verdict = verdict_on(make_case(("SV-ACC-1",), **_BLURRED), right(accepted=[], bonus=0), dtype="bfloat16")
    assert verdict.status is Status.FAILED
    assert not any("float32" in line for breach in verdict.breaches for line in breach.lines)


def test_rounding_excuses_no_flaw_of_form():
    case = make_case(("SV-ACC-1",), **_BLURRED)
    verdict = verdict_on(case, {**_BLURRED_ROUNDED, "bonus_token": 1.0}, dtype="float32")
    assert ("SV-OUT-6", "MUST") in breaches(verdict)
    advice = verdict_on(case, {**_BLURRED_ROUNDED, "bonus_token": type("I", (int,), {})(1)}, dtype="float32")
    assert (advice.status, breaches(advice)) == (Status.ADVICE, [("SV-OUT-5", "SHOULD")])


def test_rounding_allows_whole_outcomes_not_single_fields():
    case = make_case(("SV-ACC-1",), **_BLURRED)
    for value in (right(accepted=[], bonus=0), right(accepted=[0], bonus=1)):
        assert verdict_on(case, value, dtype="float32").status is Status.FAILED


def test_bases_of_an_exception_tell_what_it_is():
    raised = Raised("pkg.Strange", ("pkg.Base", "ValueError", "Exception"), "m", "")
    assert raised.is_a("ValueError")
    assert raised.is_a("pkg.Strange")
    assert not raised.is_a("Strange")
    verdict = verdict_on_answer(make_case(("SV-IN-1",), draft_probs=[]), raised)
    assert verdict.status is Status.PASSED


_LOG_TIES = {
    "float64": {"u": 1 / 16, "q": 3 / 16, "p": 3 / 256},
    "bfloat16": {"u": 1 / 16, "q": 1 / 4, "p": 1 / 64},
}


@pytest.mark.parametrize("dtype", _LOG_TIES)
def test_at_a_tie_logarithms_may_reject_and_probabilities_may_not(dtype):
    u, q, p = (_LOG_TIES[dtype][name] for name in "uqp")
    case = make_case(
        ("SV-ACC-1",),
        draft_tokens=[0],
        draft_probs=[[q, 1 - q]],
        target_probs=[[p, 1 - p], [1.0, 0.0]],
        random_samples=[u],
    )
    accepts, rejects = right(accepted=[0], bonus=0), right(accepted=[], bonus=1)
    assert case.expected.as_result() == accepts
    for space in ("prob", "log"):
        assert verdict_on(case, accepts, dtype=dtype, space=space).status is Status.PASSED
    assert verdict_on(case, rejects, dtype=dtype, space="log").status is Status.PASSED
    assert breaches(verdict_on(case, rejects, dtype=dtype)) == [("SV-ACC-1", "MUST")]


def test_rounding_is_allowed_by_the_rules_of_the_case_s_profile_and_policies():
    """A coin at a knot whose mass is no power of two: float64 sums may draw the token on either side."""
    arguments = {
        "draft_tokens": [],
        "draft_probs": [],
        "target_probs": [[0.1, 0.2, 0.3]],
        "random_samples": [0.5],
    }
    case = make_case(("SV-SMP-3", "SV-IN-9"), profile="sampled", **arguments)
    assert {bonus for bonus in range(3) if verdict_on(case, right([], bonus)).status is Status.PASSED} == {1, 2}
    exact = {**arguments, "target_probs": [[0.25, 0.25, 0.5]]}
    for knot, drawn in (("right", 2), ("left", 1)):
        case = make_case(("SV-SMP-4",), profile="sampled", policies=[("knot", knot)], **exact)
        assert [bonus for bonus in range(3) if verdict_on(case, right([], bonus)).status is Status.PASSED] == [drawn]
