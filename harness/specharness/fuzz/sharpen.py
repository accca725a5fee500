"""Moving one thing of an input to where decisions are made: thresholds, knots, ties, zeros, tails."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from math import nextafter
from typing import Any

from specharness.fuzz.dice import Dice
from specharness.fuzz.rows import LEAST, Row
from specreference import InvalidInput, Policy, Trace, explain

Arguments = dict[str, Any]
"""`draft_tokens`, `draft_probs`, `target_probs` and `random_samples`, as a case has them."""

BELOW_ONE = nextafter(1.0, 0.0)

_OFFSETS = (0.0, 1e-15, 1e-12, 1e-10, 1e-9, 1e-8, 1e-7, 1e-6, 1e-5, 1e-4, 1e-3, 1e-2, 0.1)
_GAPS = (0.0, 0.0, 2.0**-45, 2.0**-30, 2.0**-20, 2.0**-12)


def sharpened(arguments: Arguments, profile: str, policy: Policy, dice: Dice) -> Arguments:
    """A valid input with one thing moved; as it is where there is nothing to move."""
    if not arguments["target_probs"]:
        return arguments
    kind = dice.below(7)
    if kind < 3:
        trace = trace_or_none(arguments, profile, policy)
        move = _at_knot if kind == 2 else _at_threshold
        return move(arguments, trace, dice) if trace else arguments
    moves: tuple[Callable[[Arguments, Dice], Arguments], ...] = (_tied, _without, _tiny, _almost_sure)
    return moves[kind - 3](arguments, dice) if len(arguments["target_probs"][0]) > 1 else arguments


def trace_or_none(arguments: Arguments, profile: str, policy: Policy) -> Trace | None:
    """How the reference verifies an input, None where it refuses it."""
    try:
        return explain(**arguments, profile=profile, policy=policy)
    except InvalidInput:
        return None


def _at_threshold(arguments: Arguments, trace: Trace, dice: Dice) -> Arguments:
    """A uniform at the threshold of its step, or a little beside it."""
    steps = [step for step in trace.decisions if 0 < step.above < step.below]
    if not steps:
        return arguments
    step = dice.one_of(steps)
    uniforms = list(arguments["random_samples"])
    uniforms[step.step] = _beside(step.above / step.below, dice)
    return {**arguments, "random_samples": uniforms}


def _at_knot(arguments: Arguments, trace: Trace, dice: Dice) -> Arguments:
    """A coin at the end of a token's interval, or a little beside it."""
    if not trace.choices or trace.choices[-1].coin is None:
        return arguments
    weights = trace.choices[-1].weights
    if not weights.mass:
        return arguments
    end = dice.one_of([y for y, count in enumerate(weights.counts) if count])
    knot = Fraction(sum(weights.counts[: end + 1]), sum(weights.counts))
    return {**arguments, "random_samples": [*arguments["random_samples"][:-1], _beside(knot, dice)]}


def _beside(point: Fraction, dice: Dice) -> float:
    offset = dice.one_of(_OFFSETS)
    value = float(point) * (1 - offset if dice.chance(1, 2) else 1 + offset)
    return min(max(value, LEAST), BELOW_ONE)


def _tied(arguments: Arguments, dice: Dice) -> Arguments:
    """Two tokens of one position with equal probabilities in both models, or almost."""
    at = dice.below(min(len(arguments["target_probs"]), len(arguments["draft_tokens"]) + 1))
    targets = [list(row) for row in arguments["target_probs"]]
    row = targets[at]
    best, other, gap = max(range(len(row)), key=row.__getitem__), dice.below(len(row)), dice.one_of(_GAPS)
    if other != best and row[best] + row[other] > 4 * gap:
        mean = (row[best] + row[other]) / 2
        lower, higher = (best, other) if dice.chance(1, 2) else (other, best)
        exact = mean - gap + gap == mean
        row[lower], row[higher] = (mean - gap, mean + gap) if exact else (mean, mean)
    if at >= len(arguments["draft_tokens"]):
        return {**arguments, "target_probs": targets}
    if arguments["draft_probs"] is None:
        tokens = list(arguments["draft_tokens"])
        tokens[at] = dice.one_of((tokens[at], best, other))
        return {**arguments, "target_probs": targets, "draft_tokens": tokens}
    drafts = [list(row) for row in arguments["draft_probs"]]
    less = min(drafts[at][best], drafts[at][other])
    freed = drafts[at][best] + drafts[at][other] - 2 * less
    drafts[at][best] = drafts[at][other] = less
    drafts[at][arguments["draft_tokens"][at]] += freed
    return {**arguments, "target_probs": targets, "draft_probs": drafts}


def _without(arguments: Arguments, dice: Dice) -> Arguments:
    """A draft token without probability in one of the models, whose mass another token takes."""
    if not arguments["draft_tokens"]:
        return arguments
    at = dice.below(len(arguments["draft_tokens"]))
    name = dice.one_of([name for name in ("target_probs", "draft_probs") if arguments[name]])
    rows = [list(row) for row in arguments[name]]
    token = arguments["draft_tokens"][at]
    _move(rows[at], token, (token + 1 + dice.below(len(rows[at]) - 1)) % len(rows[at]), 0.0)
    return {**arguments, name: rows}


def _tiny(arguments: Arguments, dice: Dice) -> Arguments:
    """A draft token that is rare in both models, as in the tails of real distributions."""
    if not arguments["draft_tokens"] or arguments["draft_probs"] is None:
        return arguments
    at = dice.below(len(arguments["draft_tokens"]))
    token, scale = arguments["draft_tokens"][at], 2.0 ** -dice.one_of((10, 20, 27, 34, 40, 50))
    drafts, targets = [list(row) for row in arguments["draft_probs"]], [list(row) for row in arguments["target_probs"]]
    _move(drafts[at], token, (token + 1) % len(drafts[at]), scale)
    _move(targets[at], token, (token + 1) % len(targets[at]), scale * dice.one_of((0.5, 1.0, 0.75, 2.0)))
    return {**arguments, "draft_probs": drafts, "target_probs": targets}


def _almost_sure(arguments: Arguments, dice: Dice) -> Arguments:
    """A ratio that falls short of 1 by little, and often a uniform beyond it."""
    if not arguments["draft_tokens"] or arguments["draft_probs"] is None:
        return arguments
    at = dice.below(len(arguments["draft_tokens"]))
    token, drafts = arguments["draft_tokens"][at], arguments["draft_probs"]
    row = list(drafts[at])
    short = row[token] * dice.one_of((2.0**-10, 2.0**-16, 2.0**-24, 2.0**-32, 2.0**-40, 2.0**-50))
    if short < LEAST:
        return arguments
    row[token] -= short
    row[(token + 1 + dice.below(len(row) - 1)) % len(row)] += short
    targets = [*arguments["target_probs"][:at], row, *arguments["target_probs"][at + 1 :]]
    uniforms = list(arguments["random_samples"])
    if dice.chance(1, 2):
        uniforms[at] = dice.one_of((BELOW_ONE, 1 - 2.0**-24, 0.9999))
    return {**arguments, "target_probs": targets, "random_samples": uniforms}


def _move(row: Row, token: int, other: int, left: float) -> None:
    """Leave a token with so much of its mass, and give the rest to another one."""
    mass = row[token] + row[other]
    row[token], row[other] = left, max(mass - left, 0.0)
