"""Threshold probing: where, as one uniform moves, the outcome changes, to the last bit.

The outcome is a piecewise constant function of each uniform. Between two values with different outcomes the change is
bisected, and every answer on the way is judged: an implementation whose threshold is elsewhere answers wrongly at some
value between its own threshold and the right one.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from fractions import Fraction
from itertools import pairwise

from specharness.fuzz.rows import LEAST
from specharness.fuzz.sharpen import BELOW_ONE, Arguments, trace_or_none
from specharness.fuzz.subject import Seen
from specharness.implementation.observation import Answer
from specharness.judge.compare import same_answer
from specreference import Policy

See = Callable[[Arguments], Seen]

_COARSE = (LEAST, 2.0**-20, 1 / 16, 1 / 4, 1 / 2, 3 / 4, 15 / 16, 1 - 2.0**-10, BELOW_ONE)
_BESIDE = (Fraction(1, 2**50), Fraction(1, 2**40), Fraction(1, 2**30), Fraction(1, 2**20), Fraction(1, 2**13))


def probe(arguments: Arguments, at: int, profile: str, policy: Policy, see: See) -> None:
    """Vary uniform `at` of a valid input, and bisect every change of the outcome.

    `see` asks the implementation, and keeps what it finds.
    """
    places = [_order(point) for point in sorted({*_COARSE, *_beside_threshold(arguments, at, profile, policy)})]
    answers = [(place, _answer(see, arguments, at, place)) for place in places]
    for low, high in pairwise(answers):
        _bisect(arguments, at, low, high, see)


def _bisect(arguments: Arguments, at: int, low: tuple[int, Answer], high: tuple[int, Answer], see: See) -> None:
    """Follow the change between two values, as their places among all floats, down to neighbours."""
    while not same_answer(low[1], high[1]) and high[0] - low[0] > 1:
        middle = (low[0] + high[0]) // 2
        found = middle, _answer(see, arguments, at, middle)
        if same_answer(low[1], found[1]):
            low = found
        else:
            high = found


def _answer(see: See, arguments: Arguments, at: int, place: int) -> Answer:
    """The answer where uniform `at` is the float of this place."""
    uniforms = list(arguments["random_samples"])
    uniforms[at] = _number(place)
    return see({**arguments, "random_samples": uniforms}).observation.answer


def _beside_threshold(arguments: Arguments, at: int, profile: str, policy: Policy) -> list[float]:
    trace = trace_or_none(arguments, profile, policy)
    found = [step for step in trace.decisions if step.step == at and 0 < step.above < step.below] if trace else []
    if not found:
        return []
    threshold = found[0].above / found[0].below
    near = [threshold, *(threshold * (1 + sign * offset) for offset in _BESIDE for sign in (-1, 1))]
    return [min(max(float(value), LEAST), BELOW_ONE) for value in near]


def _order(value: float) -> int:
    """The place of a positive float among all of them."""
    return int(struct.unpack("<q", struct.pack("<d", value))[0])


def _number(order: int) -> float:
    return float(struct.unpack("<d", struct.pack("<q", order))[0])
