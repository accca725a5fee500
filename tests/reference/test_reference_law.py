"""Exact laws: what is lossless is so as an equality of fractions, and known wrong rules are not."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction as F

import pytest

from specreference import PROFILES, Outcome, Policy, Sample, law_of, lossless_defect, total_variation
from specreference.exact import residual
from specreference.replay import extend

_MODELS = 200


def _rows(*rows):
    """A model of position-dependent rows: row i after i tokens, the last for all longer prefixes."""
    return lambda prefix: [F(value) for value in rows[min(len(prefix), len(rows) - 1)]]


def _random_model(rng, vocabulary):
    """Rows that depend on the whole prefix, zeros included."""
    made = {}

    def row(prefix):
        if prefix not in made:
            weights = [rng.choice((0, 0, 1, 1, 2, 3, 5)) for _ in range(vocabulary)]
            weights[rng.randrange(vocabulary)] += 1
            made[prefix] = [F(w, sum(weights)) for w in weights]
        return made[prefix]

    return row


def _generated(seed):
    rng = random.Random(seed)
    vocabulary, k = rng.choice([(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 1), (4, 1), (4, 2), (3, 0)])
    return k, _random_model(rng, vocabulary), _random_model(rng, vocabulary)


def _law(name, k, draft, target, **options):
    profile = PROFILES[name]
    return law_of(profile.rule, k, draft, target, draws=profile.draws, policy=profile.policy, **options)


@pytest.mark.parametrize("name", [name for name, profile in PROFILES.items() if profile.lossless])
def test_a_lossless_profile_has_defect_zero_on_every_generated_model(name):
    for seed in range(_MODELS):
        k, draft, target = _generated(seed)
        law = _law(name, k, draft, target)
        assert sum(law.values()) == 1
        assert lossless_defect(law, target)[0] == 0, seed
        assert total_variation(law, k, target) == 0, seed


def test_the_largest_models_are_lossless_too():
    for seed in range(3):
        rng = random.Random(seed)
        draft, target = _random_model(rng, 4), _random_model(rng, 4)
        for name in ("sampled", "one-hot", "block"):
            assert lossless_defect(_law(name, 3, draft, target), target)[0] == 0


def test_greedy_emits_the_targets_greedy_stream():
    for seed in range(_MODELS):
        k, draft, target = _generated(seed)
        stream = ()
        for _ in range(k + 1):
            row = target(stream)
            stream = (*stream, row.index(max(row)))
        for emitted in _law("greedy", k, draft, target):
            assert emitted == stream[: len(emitted)]
            assert emitted


def test_argmax_is_not_lossless():
    draft, target = _rows([F(1, 2), F(1, 2)]), _rows([F(3, 4), F(1, 4)])
    law = _law("argmax", 1, draft, target)
    assert law == {(0, 0): F(1, 2), (1, 0): F(1, 4), (0,): F(1, 4)}
    assert lossless_defect(law, target) == (F(1, 8), (0, 0))
    assert total_variation(law, 1, target) == F(3, 16)


_DRAFT = _rows([F(1, 2), F(1, 4), F(1, 4)], [F(1, 8), F(3, 4), F(1, 8)])
_TARGET = _rows([F(1, 4), F(1, 4), F(1, 2)], [F(1, 2), F(1, 4), F(1, 4)], [F(1, 8), F(1, 8), F(3, 4)])


def _chain_with_the_whole_row(chance, tokens, draft_probs, target_probs):
    """The recovered token from p instead of the residual."""
    for step, x in enumerate(tokens):
        if not chance.accept(step, target_probs[step][x], draft_probs[step][x]):
            return Outcome(tuple(tokens[:step]), chance.choose(target_probs[step]))
    return Outcome(tuple(tokens), chance.choose(target_probs[len(tokens)]))


def _joints(tokens, draft_probs, target_probs):
    joints = [F(1)]
    for x, p, q in zip(tokens, target_probs, draft_probs, strict=False):
        joints.append(extend(joints[-1], p[x], q[x]))
    return joints


def _finish_block(chance, tokens, draft_probs, target_probs, joints, kept):
    if kept == len(tokens):
        return Outcome(tuple(tokens), chance.choose(target_probs[kept]))
    return Outcome(tuple(tokens[:kept]), chance.choose(target_probs[kept], draft_probs[kept], joints[kept]))


def _block_with_one_uniform(chance, tokens, draft_probs, target_probs):
    """The same uniform at each position: the chance of keeping i or more is the greatest share from i on."""
    joints, k = _joints(tokens, draft_probs, target_probs), len(tokens)
    shares = [F(1)]
    for i in range(1, k):
        mass = residual(target_probs[i], draft_probs[i], joints[i]).mass
        below = mass + 1 - joints[i]
        shares.append(mass / below if below else F(1))
    shares.append(joints[k])
    at_least = [max(shares[i:]) for i in range(k + 1)] + [F(0)]
    kept = chance.choose([at_least[i] - at_least[i + 1] for i in range(k + 1)])
    return _finish_block(chance, tokens, draft_probs, target_probs, joints, kept)


def _block_stopped_at_the_first_failure(chance, tokens, draft_probs, target_probs):
    joints, k, kept = _joints(tokens, draft_probs, target_probs), len(tokens), 0
    for i in range(1, k + 1):
        following = (target_probs[i], draft_probs[i]) if i < k else None
        if not chance.accept_block(i - 1, joints[i], following):
            break
        kept = i
    return _finish_block(chance, tokens, draft_probs, target_probs, joints, kept)


@pytest.mark.parametrize(
    ("rule", "defect", "variation"),
    [
        (_chain_with_the_whole_row, F(1, 8), F(1, 8)),
        (_block_with_one_uniform, F(1, 20), F(1, 20)),
        (_block_stopped_at_the_first_failure, F(3, 20), F(3, 20)),
    ],
    ids=["the whole row", "one uniform", "first failure"],
)
def test_a_wrong_rule_has_the_defect_that_its_fault_makes(rule, defect, variation):
    law = law_of(rule, 2, _DRAFT, _TARGET)
    assert sum(law.values()) == 1
    assert (lossless_defect(law, _TARGET)[0], total_variation(law, 2, _TARGET)) == (defect, variation)


def test_the_right_rules_are_lossless_on_the_model_of_the_wrong_ones():
    for name in ("sampled", "block"):
        assert lossless_defect(_law(name, 2, _DRAFT, _TARGET), _TARGET)[0] == 0


@pytest.mark.parametrize("choice", [{"comparison": "lt"}, {"support": "letter"}, {"knot": "left"}])
def test_choices_about_single_points_do_not_change_the_law(choice):
    rule = PROFILES["sampled"].rule
    assert law_of(rule, 2, _DRAFT, _TARGET, policy=Policy(**choice)) == law_of(rule, 2, _DRAFT, _TARGET)


def test_an_unknown_policy_value_is_refused_with_the_known_ones():
    with pytest.raises(ValueError, match="'ge'; expected le or lt"):
        Policy(comparison="ge")


def test_sampling_follows_the_enumerated_law():
    law = _law("sampled", 2, _DRAFT, _TARGET)
    rng, counts, runs = random.Random(5), Counter(), 20_000
    for _ in range(runs):
        tokens = [rng.choices(range(3), [float(v) for v in _DRAFT((0,) * i)])[0] for i in range(2)]
        rows = [_DRAFT((0,) * i) for i in range(2)], [_TARGET((0,) * i) for i in range(3)]
        counts[PROFILES["sampled"].rule(Sample(rng), tokens, *rows).emitted] += 1
    assert counts.keys() <= law.keys()
    for emitted, probability in law.items():
        expected = float(probability) * runs
        assert abs(counts[emitted] - expected) < 6 * expected**0.5 + 6, emitted
