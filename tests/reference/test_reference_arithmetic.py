"""Correct arithmetic of each dtype never leaves the acceptable set (SV-NUM-2)."""

from __future__ import annotations

import math
import random
import warnings

import pytest

from specreference import acceptable_outcomes
from specreference.dtypes import DTYPES

numpy = pytest.importorskip("numpy")

_TRIALS = 9000
_POWERS = (0, 0, 1, 2, 4, 8)


def _scalar_type(name):
    if name == "bfloat16":
        return pytest.importorskip("ml_dtypes").bfloat16
    return numpy.dtype(name).type


def _accepts_by_quotient(u, p, q, one):
    return bool(p > 0) if q == 0 else bool(u <= min(one, p / q))


def _accepts_by_product(u, p, q, one):
    return bool(p > 0) if q == 0 else bool(u * q <= p)


def _accepts_by_sign(u, p, q, one):
    return bool(p > 0) if q == 0 else bool(p - u * q >= 0)


def _as_it_is(residual):
    return residual


def _divided_by_the_sum(residual):
    return residual / residual.sum(dtype=residual.dtype)


def _times_the_reciprocal(residual):
    return residual * (residual.dtype.type(1) / residual.sum(dtype=residual.dtype))


_STYLES = [
    (_accepts_by_quotient, _as_it_is),
    (_accepts_by_product, _as_it_is),
    (_accepts_by_quotient, _divided_by_the_sum),
    (_accepts_by_product, _divided_by_the_sum),
    (_accepts_by_sign, _times_the_reciprocal),
]


def _verify(arrays, scalar, accepts, normalised):
    """A verifier that computes in one dtype alone. Arguments are arrays of that dtype."""
    tokens, draft_probs, target_probs, uniforms = arrays
    one = scalar(1)
    for i, x in enumerate(tokens):
        p, q = target_probs[i], draft_probs[i]
        if accepts(uniforms[i], p[x], q[x], one):
            continue
        residual = numpy.maximum(p - q, scalar(0))
        weights = normalised(residual) if (residual > 0).any() else p
        return tokens[:i], int(numpy.argmax(weights))
    return tokens, int(numpy.argmax(target_probs[len(tokens)])) if len(target_probs) > len(tokens) else None


class _Inputs:
    """Random inputs: on the grid, in decimals, anywhere; at the boundary, in near ties, or a few bits off them."""

    def __init__(self, seed, digits):
        self._random = random.Random(seed)
        self._digits = digits

    def _number(self):
        r = self._random
        scale = 2.0 ** -r.choice(_POWERS)
        match r.randrange(9):
            case 0 | 4:
                return r.choice((0.0, 2.0 ** -r.randrange(61), r.random() * 2.0 ** -r.randrange(60)))
            case 1 | 5:
                return r.randrange(65) / 64
            case 2 | 6:
                return round(r.random(), r.choice((2, 3))) * scale
            case 3 | 7:
                return r.random() * scale
        return self._cut(r.random()) * scale

    def _cut(self, value):
        """`value` rounded down to as many digits as the dtype has."""
        mantissa, power = math.frexp(value)
        return math.ldexp(math.floor(mantissa * 2**self._digits), power - self._digits)

    def _near(self, value):
        """`value`, or a number a few units in the last place of the dtype, or of float64, beside it."""
        r = self._random
        step = r.choice((0, 0, 1, -1, 2, -2, 3, -3)) * 2.0 ** -r.choice((self._digits, 53, 53))
        moved = max(0.0, value * (1 + step))
        return self._cut(moved) if r.random() < 0.5 else moved

    def draw(self):
        r = self._random
        k, v = r.randrange(3), r.randrange(2, 5)
        tokens = [r.randrange(v) for _ in range(k)]
        uniforms = [min(1.0, r.choice((r.random(), self._cut(r.random()), r.randrange(17) / 16))) for _ in range(k)]
        draft_probs = [[self._number() for _ in range(v)] for _ in range(k)]
        target_probs = [[self._number() for _ in range(v)] for _ in range(k + r.randrange(2))]
        for i in range(k):
            p, q, x = target_probs[i], draft_probs[i], tokens[i]
            if r.random() < 0.7:
                p[x] = self._near(uniforms[i] * q[x])
            a, b = r.sample(range(v), 2)
            if r.random() < 0.7:
                p[b] = self._near(q[b] + max(0.0, p[a] - q[a]))
        for row in target_probs[k:]:
            a, b = r.sample(range(v), 2)
            if r.random() < 0.7:
                row[b] = self._near(row[a])
        return tokens, draft_probs, target_probs, uniforms


@pytest.mark.parametrize("name", DTYPES)
def test_no_way_of_computing_in_a_dtype_leaves_its_acceptable_set(name):
    scalar = _scalar_type(name)
    styles = [style for style in _STYLES if name != "float16" or _times_the_reciprocal not in style]  # it overflows
    inputs = _Inputs(f"{name} 1", DTYPES[name].digits)
    blurred = differing = 0
    for _ in range(_TRIALS):
        tokens, draft_probs, target_probs, uniforms = arguments = inputs.draw()
        outcomes = acceptable_outcomes(*arguments, dtype=name)
        acceptable = {(outcome.accepted_tokens, outcome.bonus_token) for outcome in outcomes}
        blurred += len(acceptable) > 1
        with warnings.catch_warnings(), numpy.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            arrays = (
                tokens,
                [numpy.array(row).astype(scalar) for row in draft_probs],
                [numpy.array(row).astype(scalar) for row in target_probs],
                [scalar(u) for u in uniforms],
            )
            got = set()
            for accepts, normalised in styles:
                accepted, bonus = _verify(arrays, scalar, accepts, normalised)
                got.add((tuple(accepted), bonus))
                assert (tuple(accepted), bonus) in acceptable, (
                    f"{accepts.__name__}, {normalised.__name__} of {name} gives {accepted}, {bonus} "
                    f"for {arguments}; acceptable are {acceptable}"
                )
        differing += len(got) > 1 or got != {(outcomes[0].accepted_tokens, outcomes[0].bonus_token)}
    # the inputs are near enough to the boundaries to mean something, and the sets are not needlessly wide
    assert differing > _TRIALS / 100
    assert blurred < _TRIALS * 0.8


@pytest.mark.parametrize("name", DTYPES)
def test_a_set_of_more_than_one_outcome_is_rare_for_inputs_at_random(name):
    draw = random.Random(f"{name} 2")
    several = 0
    for _ in range(500):
        weights = [[draw.random() for _ in range(6)] for _ in range(5)]
        rows = [[w / sum(row) for w in row] for row in weights]
        uniforms = [draw.random() for _ in range(2)]
        tokens = [draw.randrange(6) for _ in range(2)]
        several += len(acceptable_outcomes(tokens, rows[:2], rows[2:], uniforms, dtype=name)) > 1
    assert several <= {"float64": 0, "float32": 2, "float16": 20, "bfloat16": 75}[name]


@pytest.mark.parametrize("p", [0.0, 1e-10])
def test_a_draft_probability_that_a_conversion_makes_zero_decides_at_a_uniform_of_zero(p):
    """Both are 0 in float16, and a token with p = q = 0 is rejected (SV-ACC-4)."""
    arguments = ([0], [[1e-10, 0.5]], [[p, 0.5], [0.0, 1.0]], [0.0])
    assert numpy.float16(1e-10) == 0
    outcomes = acceptable_outcomes(*arguments, dtype="float16")
    assert [outcome.accepted_tokens for outcome in outcomes] == [(0,), ()]
