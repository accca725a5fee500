"""Wrong ties, and values that tie though they differ, in profile `argmax`."""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from specreference.faults.build import varied
from specreference.faults.call import Floats, Step, argmax
from specreference.faults.inputs import normalised
from specreference.faults.model import Equivalent, fault


def last_of(weights: Floats) -> int:
    """The highest index of the greatest weight."""
    return max(range(len(weights)), key=lambda y: (weights[y], y))


def _first_near(weights: Floats, near: Callable[[float, float], bool]) -> int:
    greatest = max(weights)
    return next(y for y, weight in enumerate(weights) if weight == greatest or near(weight, greatest))


@fault("SV-TIE-1", seen=("ohdearquant/lattice#280", "ohdearquant/lattice#281", "ohdearquant/lattice#386"))
@varied("recover", "bonus")
def tie_last(s: Step) -> int:
    """Of equal values the highest token index wins, in the residual and in row K."""
    return last_of(s.weights)


@fault(
    "SV-TIE-1",
    equivalent_to=Equivalent(
        "tie-last", "a stable sort in rising order has the last of the greatest values at its end"
    ),
)
@varied("recover", "bonus")
def tie_by_sorting(s: Step) -> int:
    """The token is the last one of a sort by value, which is the highest index of equal values."""
    return sorted(range(len(s.weights)), key=s.weights.__getitem__)[-1]


@fault("SV-TIE-1")
@varied("recover")
def tie_last_recovered(s: Step) -> int:
    """Of equal residuals the highest token index wins."""
    return last_of(s.weights)


@fault("SV-TIE-2")
@varied("bonus")
def tie_last_bonus(s: Step) -> int:
    """Of equal probabilities in row K the highest token index wins."""
    return last_of(s.p)


@fault("SV-TIE-1")
@varied("recover")
def tie_higher_target(s: Step) -> int:
    """Of equal residuals the one with the higher target probability wins."""
    return max(range(len(s.p)), key=lambda y: (s.weights[y], s.p[y]))


@fault("SV-TIE-1")
@varied("recover")
def tie_lower_draft(s: Step) -> int:
    """Of equal residuals the one with the lower draft probability wins."""
    return max(range(len(s.p)), key=lambda y: (s.weights[y], -s.q[y]))


@fault("SV-TIE-1")
@varied("recover", "bonus")
def tie_random(s: Step) -> int:
    """Ties are broken at random."""
    weights = s.weights
    greatest = max(weights)
    best = [y for y, weight in enumerate(weights) if weight == greatest]
    return random.Random(repr(best)).choice(best)  # noqa: S311  # a fault, not a secret


@fault("SV-TIE-2")
@varied("recover", "bonus")
def tie_by_text(s: Step) -> int:
    """Of equal values the index that comes first as text wins, so that 10 comes before 2."""
    best = max(s.weights)
    return min((y for y, weight in enumerate(s.weights) if weight == best), key=str)


@fault("SV-TIE-1")
@varied("recover", "bonus")
def tie_last_lane(s: Step) -> int:
    """Of 32 lanes each keeps its first maximum, and of equal maxima the highest lane's wins."""
    return max(range(len(s.weights)), key=lambda y: (s.weights[y], y % 32, -y))


@fault("SV-TIE-1")
@varied("recover", "bonus")
def tie_first_lane(s: Step) -> int:
    """Of 32 lanes each keeps its first maximum, and of equal maxima the lowest lane's wins, not the lowest index."""
    return max(range(len(s.weights)), key=lambda y: (s.weights[y], -(y % 32), -y))


@fault("SV-TIE-1")
@varied("recover", "bonus")
def tie_last_block(s: Step) -> int:
    """Each block of 32 tokens keeps its first maximum, and of equal maxima the last block's wins."""
    return max(range(len(s.weights)), key=lambda y: (s.weights[y], y // 32, -y))


@fault("SV-TIE-3")
@varied("recover")
def tie_near_recovered(s: Step) -> int:
    """Residuals within 1e-6 of the greatest tie."""
    return _first_near(s.weights, lambda weight, best: best - weight <= 1e-6)


@fault("SV-TIE-3")
@varied("bonus")
def tie_near_bonus(s: Step) -> int:
    """Probabilities of row K within 1e-6 of the greatest tie."""
    return _first_near(s.weights, lambda weight, best: best - weight <= 1e-6)


@fault("SV-TIE-3")
@varied("recover", "bonus")
def tie_near_twelve_digits(s: Step) -> int:
    """Values within 1e-12 of the greatest tie."""
    return _first_near(s.weights, lambda weight, best: best - weight <= 1e-12)


@fault("SV-TIE-3")
@varied("recover", "bonus")
def tie_isclose(s: Step) -> int:
    """Values that math.isclose to the greatest tie, relative to their size."""
    return _first_near(s.weights, math.isclose)


@fault("SV-TIE-3")
@varied("recover")
def tie_rounded_recovered(s: Step) -> int:
    """The normalised residual is rounded to three digits."""
    return argmax([round(weight, 3) for weight in normalised(s.weights)])


@fault("SV-TIE-3")
@varied("recover")
def tie_float32_recovered(s: Step) -> int:
    """The residual is rounded to float32's 24 bits."""
    return argmax([math.ldexp(round(math.ldexp(m, 24)), e - 24) for m, e in map(math.frexp, s.weights)])
