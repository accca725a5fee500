"""A search finds what is wrong, tells each cause once on a small input, and finds nothing in what is right."""

from __future__ import annotations

import itertools
import math
import random

import numpy as np
import pytest
from fuzzing import causes, result, search
from hypothesis import find, settings

import specreference
from specharness.fuzz.shrink import shrunk
from specharness.implementation.observation import Loss, Lost, Observation
from specharness.suite.load import load_shipped
from specreference import PROFILES, verify_speculative_tokens
from specreference.faults import FAULTS

REFERENCES = {name: getattr(specreference, f"verify_{name.replace('-', '_')}") for name in PROFILES if name != "argmax"}
REFERENCES["argmax"] = verify_speculative_tokens


def _lengths(tokens, drafts, targets, uniforms):
    if len(drafts) != len(tokens) or len(uniforms) != len(tokens) or len(targets) < len(tokens):
        raise ValueError("lengths")


def _verifier(accepts, argmax, number):
    """Right arithmetic of some kind, to the letter of the statement."""

    def verify(tokens, drafts, targets, uniforms):
        _lengths(tokens, drafts, targets, uniforms)
        accepted = []
        for i, x in enumerate(tokens):
            p, q, u = number(targets[i]), number(drafts[i]), number([uniforms[i]])[0]
            if not accepts(u, p[x], q[x]):
                return result(accepted, argmax([max(number([0])[0], a - b) for a, b in zip(p, q, strict=True)]))
            accepted.append(x)
        more = len(targets) > len(tokens)
        return result(accepted, argmax(list(number(targets[len(tokens)]))) if more else None)

    return verify


def _first(weights):
    return weights.index(max(weights))


def _normalised_first(weights):
    total = sum(weights)
    return _first([weight / total for weight in weights] if total else weights)


def _float32(row):
    return np.asarray(row, dtype=np.float32)


def _log_accepts(u, p, q):
    if p == 0 or q == 0 or u == 0:
        return u * q <= p
    return math.log(u) <= min(0.0, math.log(p) - math.log(q))


RIGHT = {
    "quotients": (_verifier(lambda u, p, q: u <= min(1, p / q) if q else p > 0, _normalised_first, list), {}),
    "products": (_verifier(lambda u, p, q: u * q <= p, _first, list), {}),
    "logarithms": (_verifier(_log_accepts, _first, list), {"space": "log"}),
    "float32": (
        _verifier(lambda u, p, q: u <= p / q if q else p > 0, _normalised_first, _float32),
        {"dtype": "float32"},
    ),
}


@pytest.mark.parametrize("profile", PROFILES)
def test_nothing_is_found_in_the_reference(profile):
    outcome = search(REFERENCES[profile], profile, examples=40, strict=True)
    assert outcome.findings == ()
    assert outcome.examples == 40
    assert outcome.ended == ""


@pytest.mark.parametrize("profile", ["argmax", "greedy"])
def test_the_shipped_cases_are_varied_and_asked_too(profile):
    shipped = [case for case in load_shipped() if case.profile == profile and not case.policies]
    quick = [case for case in shipped if "large" not in case.tags][::12]
    outcome = search(REFERENCES[profile], profile, examples=30, shipped=quick)
    assert outcome.findings == ()
    assert len(quick) - 3 < len(outcome.shipped) <= len(quick)  # a few are on open questions once policies are left out


@pytest.mark.parametrize("style", RIGHT)
def test_nothing_is_found_in_right_arithmetic_of_any_style(style):
    function, declared = RIGHT[style]
    with np.errstate(all="ignore"):
        assert [f.seen.case.arguments_json for f in search(function, examples=80, **declared).findings] == []


@pytest.mark.parametrize(
    ("profile", "name"),
    [
        ("argmax", "accept-strict"),
        ("argmax", "tie-last"),
        ("argmax", "count-of-all-calls"),
        ("sampled", "sampled-coin-float32"),
        ("block", "block-uniform-shifted"),
        ("one-hot", "one-hot-accept-strict"),
        ("greedy", "greedy-goes-on"),
    ],
)
def test_faults_of_each_kind_are_found_without_any_shipped_case(profile, name):
    assert search(FAULTS[name].function, profile, examples=600).findings


def test_each_cause_is_told_once_and_on_a_small_input():
    outcome = search(FAULTS["tie-last"].function, examples=1200)
    assert causes(outcome) == {("SV-TIE-1", "another bonus_token"), ("SV-TIE-2", "another bonus_token")}
    for finding in outcome.findings:
        assert finding.seen.case.arguments_json.count(",") < 20


def test_the_same_seed_finds_the_same_and_another_one_looks_elsewhere():
    def told(seed):
        found = search(FAULTS["accept-strict"].function, examples=60, seed=seed).findings
        return [(finding.cause, finding.seen.case.arguments_json) for finding in found]

    assert told(1) == told(1)
    asked = [[], []]
    for seed, calls in enumerate(asked):

        def verify(*arguments, calls=calls):
            calls.append(repr(arguments))
            return verify_speculative_tokens(*arguments)

        search(verify, examples=30, seed=seed)
    assert asked[0] != asked[1]


def test_a_threshold_that_is_wrong_by_a_ten_thousandth_is_found():
    def verify(tokens, drafts, targets, uniforms):
        lower = [u if u in (0, 1) else min(u * 1.0001, 1.0) for u in uniforms]
        off = [
            v if 0.3 < (targets[i][x] / drafts[i][x] if drafts[i][x] else 0) < 0.9 else u
            for i, (x, u, v) in enumerate(zip(tokens, uniforms, lower, strict=True))
        ]
        return verify_speculative_tokens(tokens, drafts, targets, off)

    def checked(tokens, drafts, targets, uniforms):
        verify_speculative_tokens(tokens, drafts, targets, uniforms)  # refuses what it has to
        return verify(tokens, drafts, targets, uniforms)

    outcome = search(checked, examples=400)
    assert ("SV-ACC-1", "accepts too few tokens") in causes(outcome)


def test_what_depends_on_earlier_calls_is_told_as_such():
    calls = itertools.count()

    def verify(*arguments):
        found = verify_speculative_tokens(*arguments)
        return {**found, "bonus_token": 0} if next(calls) % 97 == 96 else found

    assert {clause for clause, _ in causes(search(verify, examples=150))} == {"SV-PURE-2"}


def test_a_call_without_an_answer_is_found_and_the_search_is_given_up_after_three():
    from fuzzing import subject

    from specharness.fuzz.search import Budget, Search

    asked = subject(verify_speculative_tokens)
    asked.ask = lambda case: Observation(Lost(Loss.DIED, "the process was killed"))
    outcome = Search(asked, (), Budget(100, 30.0, 0)).run()
    assert len(outcome.findings) >= 1
    assert outcome.calls == 3
    assert outcome.ended == "given up after 3 calls without an answer; the last: the process was killed"


def test_a_search_ends_when_its_time_is_over():
    outcome = search(verify_speculative_tokens, examples=10**6, seconds=1.0)
    assert outcome.ended == "out of time"
    assert outcome.examples < 10**6


def test_an_interrupt_keeps_what_was_found():
    calls = itertools.count()

    def verify(*arguments):
        if next(calls) > 2000:
            raise KeyboardInterrupt
        return FAULTS["tie-last"].function(*arguments)

    outcome = search(verify, examples=1000)
    assert outcome.interrupted
    assert outcome.findings


def test_relations_find_what_the_spec_leaves_open():
    """At u = 1 no outcome is demanded, but what is behind a rejection still must not matter."""

    def verify(tokens, drafts, targets, uniforms):
        found = verify_speculative_tokens(tokens, drafts, targets, uniforms)
        return {**found, "bonus_token": len(tokens) % len(targets[0])} if 1.0 in uniforms and targets else found

    found = [finding for finding in search(verify, examples=2500).findings if finding.relation]
    assert found
    assert "expected" in found[0].relation


@pytest.mark.parametrize("needle", [3, 7])
def test_shrinking_keeps_what_shows_and_drops_the_rest(needle):
    rows = [[0.0] * 10 for _ in range(6)]
    for row in rows:
        row[needle] = 1.0
    arguments = {
        "draft_tokens": [needle] * 5,
        "draft_probs": rows[:5],
        "target_probs": rows,
        "random_samples": [0.123456789] * 5,
    }

    def shows(candidate):
        rows = candidate["target_probs"]
        return len(candidate["draft_tokens"]) >= 2 and len(rows) >= 2 and len(rows[0]) >= 2

    small = shrunk(arguments, shows)
    assert len(small["draft_tokens"]) == 2
    assert len(small["target_probs"][0]) == 2
    assert small["random_samples"] == [0.5, 0.5]
    specreference.explain(**small)


def test_a_random_answer_is_found_at_once():
    def verify(tokens, drafts, targets, uniforms):
        return result([], random.Random(repr(tokens)).randrange(3))

    assert search(verify, examples=20).findings


def test_strategies_of_the_search_do_not_hide_simple_inputs():
    from specharness.fuzz.inputs import valid_inputs

    policy = PROFILES["argmax"].policy
    simple = find(
        valid_inputs("argmax", policy),
        lambda arguments: len(arguments["draft_tokens"]) == 1,
        settings=settings(deadline=None, database=None),
    )
    assert len(simple["target_probs"]) <= 2
