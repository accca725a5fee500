"""The reference against a second program, written from the spec's text alone."""

from __future__ import annotations

import copy
from fractions import Fraction

import pytest
import spec_oracle
from hypothesis import event, example, given, settings
from reference_inputs import ARGUMENTS, broken_inputs, valid_inputs

from specreference import InvalidInput, explain, verify_speculative_tokens

_LENGTHS = {"SV-IN-1", "SV-IN-2", "SV-IN-3"}


@settings(max_examples=600, deadline=None)
@given(valid_inputs())
@example({"draft_tokens": [], "draft_probs": [], "target_probs": [], "random_samples": []})
@example({"draft_tokens": [0], "draft_probs": [[0.5, 1.0]], "target_probs": [[0.25, 1.0]], "random_samples": [1.0]})
def test_the_outcome_of_a_valid_input_is_that_of_the_second_program(arguments):
    assert spec_oracle.broken_clauses(**arguments) == set()
    expected = spec_oracle.result(**arguments)
    got = verify_speculative_tokens(**arguments)
    event(f"accepted {expected['acceptance_count']} of {len(arguments['draft_tokens'])}")
    assert got == expected
    assert list(got) == ["accepted_tokens", "bonus_token", "acceptance_count"]
    assert type(got["accepted_tokens"]) is list
    assert type(got["acceptance_count"]) is int
    assert type(got["bonus_token"]) in (int, type(None))


@settings(max_examples=600, deadline=None)
@given(broken_inputs())
def test_an_invalid_input_raises_by_a_clause_that_it_breaks_lengths_first(arguments):
    broken = spec_oracle.broken_clauses(**arguments)
    if not broken:
        assert verify_speculative_tokens(**arguments) == spec_oracle.result(**arguments)
        return
    with pytest.raises(InvalidInput) as caught:
        verify_speculative_tokens(**arguments)
    event(caught.value.clause)
    assert caught.value.clause in (broken & _LENGTHS or broken)


@settings(max_examples=150, deadline=None)
@given(valid_inputs() | broken_inputs())
def test_the_arguments_are_as_before_and_a_second_call_says_the_same(arguments):
    before = copy.deepcopy(arguments)

    def outcome():
        try:
            return verify_speculative_tokens(**arguments)
        except ValueError as error:
            return str(error)

    first = outcome()
    assert repr(arguments) == repr(before)
    assert outcome() == first


@settings(max_examples=150, deadline=None)
@given(valid_inputs())
def test_tuples_and_positional_arguments_give_the_same(arguments):
    frozen = [
        tuple(map(tuple, value)) if value and isinstance(value[0], list) else tuple(value)
        for value in (arguments[name] for name in ARGUMENTS)
    ]
    assert verify_speculative_tokens(*frozen) == verify_speculative_tokens(**arguments)


@settings(max_examples=200, deadline=None)
@given(valid_inputs())
def test_what_comes_after_the_first_rejection_changes_nothing(arguments):
    result = verify_speculative_tokens(**arguments)
    rejected = result["acceptance_count"]
    if rejected == len(arguments["draft_tokens"]):
        return
    cut = {name: arguments[name][: rejected + 1] for name in ARGUMENTS}
    assert verify_speculative_tokens(**cut) == result


@settings(max_examples=200, deadline=None)
@given(valid_inputs())
def test_rows_beyond_row_k_change_nothing(arguments):
    k = len(arguments["draft_tokens"])
    cut = {**arguments, "target_probs": arguments["target_probs"][: k + 1]}
    assert verify_speculative_tokens(**cut) == verify_speculative_tokens(**arguments)


@settings(max_examples=300, deadline=None)
@given(valid_inputs())
def test_the_trace_agrees_with_the_outcome(arguments):
    trace = explain(**arguments)
    result = verify_speculative_tokens(**arguments)
    assert trace.outcome.as_result() == result
    k, decisions, count = len(arguments["draft_tokens"]), trace.decisions, result["acceptance_count"]
    for i, decision in enumerate(decisions):
        x = arguments["draft_tokens"][i]
        p, q = arguments["target_probs"][i][x], arguments["draft_probs"][i][x]
        assert (decision.step, decision.u) == (i, arguments["random_samples"][i])
        assert (decision.above, decision.below) == (Fraction(p), Fraction(q))
        assert decision.accepted is spec_oracle.is_accepted(decision.u, p, q)
    assert [decision.accepted for decision in decisions] == [True] * count + [False] * (count < k)
    assert ("SV-ACC-4" in trace.hardened) == any(decision.below == 0 for decision in decisions)
    assert ("SV-RES-2" in trace.hardened) == any(choice.kind == "massless" for choice in trace.choices)
    if count == len(arguments["target_probs"]):
        assert (trace.choices, result["bonus_token"]) == ((), None)
        return
    (choice,) = trace.choices
    p = [Fraction(value) for value in arguments["target_probs"][count]]
    if count == k:
        assert (choice.kind, choice.q) == ("target", None)
        expected = p
    else:
        q = [Fraction(value) for value in arguments["draft_probs"][count]]
        residual = [max(a - b, 0) for a, b in zip(p, q, strict=True)]
        assert choice.kind == ("residual" if any(residual) else "massless")
        expected = residual if any(residual) else p
    assert (choice.joint, choice.coin) == (1, None)
    assert choice.weights.fractions() == expected
    assert choice.weights.mass == sum(expected)
    assert choice.token == result["bonus_token"] == expected.index(max(expected))


def test_a_large_vocabulary_is_verified():
    """K = 8 drafts over 151,936 tokens; all but the last are accepted at the exact boundary."""
    v, k = 151_936, 8
    flat = [2.0**-18] * (v - 1)
    rest = 1 - (v - 1) * 2.0**-18
    q = [[rest, *flat] for _ in range(k)]
    p = [[*flat, rest] for _ in range(k + 1)]
    p[7][70_000] += 2.0**-20
    p[7][v - 1] = 2.0**-18
    result = verify_speculative_tokens([1] * 7 + [0], q, p, [1 - 2.0**-53] * 7 + [0.5])
    assert result == {"accepted_tokens": [1] * 7, "bonus_token": 70_000, "acceptance_count": 7}
    accepted = verify_speculative_tokens([1] * k, q, p, [1 - 2.0**-53] * k)
    assert accepted == {"accepted_tokens": [1] * k, "bonus_token": v - 1, "acceptance_count": k}
