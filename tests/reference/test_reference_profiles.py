"""The profiles against a second reference, their call shapes, and their arithmetic in each dtype."""

from __future__ import annotations

import random
import warnings

import profile_oracle
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import specreference
from specreference import InvalidInput, Policy, acceptable_outcomes, explain
from specreference.dtypes import DTYPES

_FUNCTIONS = {
    "sampled": (specreference.verify_sampled, profile_oracle.sampled),
    "one-hot": (specreference.verify_one_hot, profile_oracle.one_hot),
    "greedy": (specreference.verify_greedy, profile_oracle.greedy),
    "block": (specreference.verify_block, profile_oracle.block),
}
_NO_DRAFTS = ("one-hot", "greedy")


@st.composite
def _rows(draw, vocabulary, grid):
    """A row that sums to 1 on a grid, with zeros and equal entries common."""
    cuts = sorted(draw(st.lists(st.integers(0, grid), min_size=vocabulary - 1, max_size=vocabulary - 1)))
    return [(b - a) / grid for a, b in zip([0, *cuts], [*cuts, grid], strict=True)]


@st.composite
def _calls(draw, profile):
    k, vocabulary = draw(st.integers(0, 4)), draw(st.integers(1, 5))
    row = _rows(vocabulary, draw(st.sampled_from([4, 16, 64])))
    draft_probs = [draw(row) for _ in range(k)]
    target_probs = [draw(st.sampled_from([None, q])) or draw(row) for q in draft_probs]
    target_probs += [draw(row) for _ in range(draw(st.integers(0, 2)))]
    uniform = st.sampled_from([0.0, 0.25, 0.5, 0.75, 1 - 2**-53]) | st.integers(0, 63).map(lambda n: n / 64)
    uniforms = [] if profile == "greedy" else [draw(uniform | st.floats(0, 1)) for _ in range(k + 1)]
    tokens = [draw(st.integers(0, vocabulary - 1)) for _ in range(k)]
    return tokens, None if profile in _NO_DRAFTS else draft_probs, target_probs, uniforms


@pytest.mark.parametrize("profile", _FUNCTIONS)
@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_profile_agrees_with_the_second_reference(profile, data):
    call = data.draw(_calls(profile))
    reference, oracle = _FUNCTIONS[profile]
    assert reference(*call) == oracle(*call)
    trace = explain(*call, profile=profile)
    assert trace.outcome.as_result() == reference(*call)
    assert acceptable_outcomes(*call, profile=profile)[0] == trace.outcome


_SHAPES = {
    "sampled": ([0], [[0.5, 0.5]], [[0.5, 0.5]], [0.5, 0.5]),
    "block": ([0], [[0.5, 0.5]], [[0.5, 0.5]], [0.5, 0.5]),
    "one-hot": ([0], None, [[0.5, 0.5]], [0.5, 0.5]),
    "greedy": ([0], None, [[0.5, 0.5]], []),
}
_COUNT = {"sampled": "SV-SMP-1", "block": "SV-BLK-1", "one-hot": "SV-ONE-1", "greedy": "SV-GRD-1"}


@pytest.mark.parametrize("profile", _SHAPES)
def test_another_number_of_uniforms_is_refused_by_the_profiles_own_clause(profile):
    tokens, draft_probs, target_probs, uniforms = _SHAPES[profile]
    function = _FUNCTIONS[profile][0]
    function(tokens, draft_probs, target_probs, uniforms)
    for wrong in ([*uniforms, 0.5], uniforms[:-1] if uniforms else [0.5, 0.5]):
        with pytest.raises(InvalidInput) as caught:
            function(tokens, draft_probs, target_probs, wrong)
        assert caught.value.clause == _COUNT[profile]
        assert caught.value.argument == "random_samples"
        assert f": {len(wrong)} value{'s' * (len(wrong) != 1)};" in str(caught.value)


@pytest.mark.parametrize("profile", ["argmax", "sampled", "block"])
def test_missing_draft_rows_are_refused(profile):
    function = {**_FUNCTIONS, "argmax": (specreference.verify_speculative_tokens, None)}[profile][0]
    with pytest.raises(InvalidInput, match=r"draft_probs: None; expected K = 1.*SV-IN-1"):
        function([0], None, [[0.5, 0.5]], [0.5] * (1 if profile == "argmax" else 2))


@pytest.mark.parametrize(
    ("policy", "call", "outcomes"),
    [
        ("comparison", ([0], [[0.5, 0.5]], [[0.25, 0.75]], [0.5, 0.25]), {"le": ([0], None), "lt": ([], 1)}),
        ("zero_draft", ([0], [[0.0, 1.0]], [[0.5, 0.5]], [0.5, 0.25]), {"accept": ([0], None), "reject": ([], 0)}),
        (
            "massless",
            ([1], [[0.25, 0.0, 0.75]], [[0.25, 0.0, 0.75]], [0.5, 0.5]),
            {"target": ([], 2), "first": ([], 0), "last": ([], 2)},
        ),
        ("support", ([0], [[0.5, 0.5]], [[0.0, 1.0]], [0.0, 0.25]), {"safe": ([], 1), "letter": ([0], None)}),
        ("knot", ([], [], [[0.5, 0.5]], [0.5]), {"right": ([], 1), "left": ([], 0)}),
    ],
)
def test_each_policy_decides_what_it_names(policy, call, outcomes):
    assert set(outcomes) == set(specreference.POLICIES[policy])
    for value, (accepted, token) in outcomes.items():
        outcome = explain(*call, profile="sampled", policy=Policy(**{policy: value})).outcome
        assert (list(outcome.accepted_tokens), outcome.bonus_token) == (accepted, token), value


def test_a_large_vocabulary_works_in_every_profile():
    vocabulary, k = 20_000, 3
    weights = [(7 * y) % 16 + 1 for y in range(vocabulary)]
    row = [w / sum(weights) for w in weights]
    for profile, (function, _) in _FUNCTIONS.items():
        drafts = None if profile in _NO_DRAFTS else [row] * k
        uniforms = [] if profile == "greedy" else [0.5] * (k + 1)
        result = function([15, 9, 1], drafts, [row] * (k + 1), uniforms)
        assert result["acceptance_count"] == len(result["accepted_tokens"])


# ---- arithmetic


numpy = pytest.importorskip("numpy")


def _scalar(name):
    return pytest.importorskip("ml_dtypes").bfloat16 if name == "bfloat16" else numpy.dtype(name).type


def _sum(values, scalar):
    total = scalar(0)
    for value in values:
        total = scalar(total + value)
    return total


def _drawn(weights, coin, scalar, normalised):
    total = _sum(weights, scalar)
    if normalised:
        weights, mark = [scalar(w / total) for w in weights], coin
    else:
        mark = scalar(coin * total)
    running, last = scalar(0), 0
    for y, weight in enumerate(weights):
        running = scalar(running + weight)
        if weight > 0:
            last = y
            if running > mark:
                break
    return last


def _sampled(call, scalar, style, normalised):
    tokens, draft_probs, target_probs, uniforms = call
    p = [[scalar(v) for v in row] for row in target_probs]
    q = [[scalar(v) for v in row] for row in draft_probs]
    u = [scalar(v) for v in uniforms]
    for i, x in enumerate(tokens):
        a, b = p[i][x], q[i][x]
        if style == "log":
            accepted = a > 0 and numpy.log(u[i]) <= scalar(scalar(numpy.log(a)) - scalar(numpy.log(b)))
        elif style == "product":
            accepted = a > 0 and scalar(u[i] * b) <= a
        else:
            accepted = a > 0 and (b == 0 or u[i] <= scalar(a / b))
        if not accepted:
            if style == "log":
                pairs = [
                    (scalar(numpy.exp(scalar(numpy.log(v)))), scalar(numpy.exp(scalar(numpy.log(w)))))
                    for v, w in zip(p[i], q[i], strict=True)
                ]
            else:
                pairs = list(zip(p[i], q[i], strict=True))
            residual = [max(scalar(v - w), scalar(0)) for v, w in pairs]
            weights = residual if any(r > 0 for r in residual) else p[i]
            return tuple(tokens[:i]), _drawn(weights, u[-1], scalar, normalised)
    token = _drawn(p[len(tokens)], u[-1], scalar, normalised) if len(p) > len(tokens) else None
    return tuple(tokens), token


def _block(call, scalar, style, normalised):
    tokens, draft_probs, target_probs, uniforms = call
    k, one, zero = len(tokens), scalar(1), scalar(0)
    p = [[scalar(v) for v in row] for row in target_probs]
    q = [[scalar(v) for v in row] for row in draft_probs]
    u, joints, kept = [scalar(v) for v in uniforms], [one], 0
    for i, x in enumerate(tokens):
        a, b, joint = p[i][x], q[i][x], joints[-1]
        if b == 0:
            joints.append(one if joint > 0 and a > 0 else zero)
        elif style == "product":
            joints.append(min(one, scalar(scalar(joint * a) / b)))
        else:
            joints.append(min(one, scalar(joint * scalar(a / b))))

    def residual(i):
        return [max(scalar(scalar(joints[i] * v) - w), zero) for v, w in zip(p[i], q[i], strict=True)]

    for i in range(1, k + 1):
        share = joints[k]
        if i < k:
            mass = _sum(residual(i), scalar)
            below = (
                scalar(scalar(mass + one) - joints[i]) if style == "product" else scalar(mass + scalar(one - joints[i]))
            )
            share = scalar(mass / below) if below > 0 else one
        if share > 0 and u[i - 1] <= share:
            kept = i
    if kept == k:
        return tuple(tokens), _drawn(p[k], u[k], scalar, normalised) if len(p) > k else None
    weights = residual(kept)
    return tuple(tokens[:kept]), _drawn(weights if any(w > 0 for w in weights) else p[kept], u[k], scalar, normalised)


def _inputs(rng, space):
    """Random rows, or rows on a grid with uniforms at the boundary and coins on knots; no zeros in log space."""
    vocabulary, k, grid = rng.randint(1, 5), rng.randint(0, 3), rng.choice((0, 16, 64))

    def row():
        if grid == 0:
            weights = [rng.random() for _ in range(vocabulary)]
            return [w / sum(weights) for w in weights]
        floor = 1 if space == "log" else 0
        cuts = sorted(rng.randint(0, grid - floor * vocabulary) for _ in range(vocabulary - 1))
        steps = zip([0, *cuts], [*cuts, grid - floor * vocabulary], strict=True)
        return [(b - a + floor) / grid for a, b in steps]

    draft_probs, target_probs = [row() for _ in range(k)], [row() for _ in range(k + rng.randint(0, 1))]
    tokens = [rng.randrange(vocabulary) for _ in range(k)]
    uniforms = [rng.random() if grid == 0 else rng.randint(1, 15) / 16 for _ in range(k + 1)]
    for i, x in enumerate(tokens):
        if rng.random() < 0.4 and draft_probs[i][x]:
            near = target_probs[i][x] / draft_probs[i][x] * (1 + rng.choice((-1, 0, 1)) * 2.0 ** -rng.randint(6, 53))
            uniforms[i] = min(max(near, 2.0**-20), 1.0)
    return tokens, draft_probs, target_probs, uniforms


@pytest.mark.parametrize("name", DTYPES)
@pytest.mark.parametrize(
    ("profile", "style", "space"),
    [
        ("sampled", "quotient", "prob"),
        ("sampled", "product", "prob"),
        ("sampled", "log", "log"),
        ("block", "quotient", "prob"),
        ("block", "product", "prob"),
    ],
)
def test_no_way_of_sampling_in_a_dtype_leaves_its_acceptable_set(profile, style, space, name):
    scalar, rng = _scalar(name), random.Random(f"{profile} {style} {name}")
    verify = {"sampled": _sampled, "block": _block}[profile]
    with warnings.catch_warnings(), numpy.errstate(all="ignore"):
        warnings.simplefilter("ignore")
        for trial in range(1000):
            call = _inputs(rng, space)
            outcomes = acceptable_outcomes(*call, profile=profile, dtype=name, space=space)
            acceptable = {(outcome.accepted_tokens, outcome.bonus_token) for outcome in outcomes}
            assert verify(call, scalar, style, trial % 2) in acceptable, (call, acceptable)


@pytest.mark.parametrize(("name", "least"), [("float64", 1.0), ("float32", 1.0), ("float16", 0.97), ("bfloat16", 0.8)])
def test_a_coin_leaves_one_outcome_for_most_inputs_at_random(name, least):
    rng, single, trials = random.Random(name), 0, 400
    for _ in range(trials):
        rows = []
        for _ in range(5):
            weights = [rng.random() for _ in range(5)]
            rows.append([w / sum(weights) for w in weights])
        call = [rng.randrange(5) for _ in range(2)], rows[:2], rows[2:], [rng.random() for _ in range(3)]
        single += len(acceptable_outcomes(*call, profile="sampled", dtype=name, limit=2)) == 1
    assert single >= least * trials
