"""Inputs for the reference, as Hypothesis strategies."""

from __future__ import annotations

import math

from hypothesis import strategies as st

ARGUMENTS = ("draft_tokens", "draft_probs", "target_probs", "random_samples")

# few values, so that zeros, ties and exact boundaries are common
_COARSE = st.sampled_from([0.0, 0.0, 0.125, 0.25, 0.25, 0.5, 0.5, 0.75, 1.0])
_GRID = st.integers(0, 64).map(lambda n: n / 64)
_CLOSE = st.sampled_from([0.1, 0.2, 0.30000000000000004, 0.3, math.nextafter(0.3, 0), 0.1 + 2**-55, 0.2 - 2**-54])
_ANY = st.floats(0, 2, allow_subnormal=True) | st.floats(0, 1.7e308)
_TINY = st.sampled_from([-0.0, 5e-324, 1e-320, 2.0**-1022, 2.0**-60, 2.0**-30])
NUMBERS = st.one_of(_COARSE, _COARSE, _GRID, _CLOSE, _ANY, _TINY)
_U = st.sampled_from([0.0, 0.25, 0.5, 0.5, 0.75, 1 - 2.0**-53, 1.0, 5e-324])
UNIFORMS = _U | _GRID | st.floats(0, 1)


@st.composite
def valid_inputs(draw, kinds=(_COARSE, _GRID, NUMBERS), uniforms=UNIFORMS, most_drafts=6, most_tokens=8):
    """The four arguments by name: rows need not sum to 1; row K and rows beyond it are there or not."""
    k = draw(st.integers(0, most_drafts))
    v = draw(st.integers(1, most_tokens))
    row = st.lists(draw(st.sampled_from(kinds)), min_size=v, max_size=v)
    draft_probs = [draw(row) for _ in range(k)]
    # the same row as the draft's, or a rearranged one, makes equal ratios, ties and residuals without mass
    target_probs = []
    for q in draft_probs:
        source = st.sampled_from([row, row, row, st.just(list(q)), st.permutations(q)])
        target_probs.append(list(draw(draw(source))))
    target_probs += [draw(row) for _ in range(draw(st.integers(0, 3)))]
    return {
        "draft_tokens": [draw(st.integers(0, v - 1)) for _ in range(k)],
        "draft_probs": draft_probs,
        "target_probs": target_probs,
        "random_samples": [draw(uniforms) for _ in range(k)],
    }


_BAD_PROBABILITIES = st.sampled_from([math.nan, math.inf, -math.inf, -0.25, -5e-324])
_BAD_UNIFORMS = st.sampled_from([math.nan, math.inf, -math.inf, -0.25, -5e-324, 1 + 2.0**-52, 2.0])


@st.composite
def broken_inputs(draw):
    """A valid input in which one to three things were made wrong, or left right by chance."""
    made = draw(valid_inputs())
    for _ in range(draw(st.integers(1, 3))):
        argument = draw(st.sampled_from(ARGUMENTS))
        values = made[argument]
        kind = draw(st.sampled_from(["drop", "repeat", "value", "row"]))
        if kind == "repeat" or not values:
            empty = {"draft_tokens": 0, "random_samples": 0.5}.get(argument, [0.5, 0.5])
            values.append(values[-1] if values else empty)
            continue
        at = draw(st.integers(0, len(values) - 1))
        if kind == "drop":
            del values[at]
        elif argument == "draft_tokens":
            values[at] = draw(st.sampled_from([-1, -8, 8, 2**40, values[at] + 1]))
        elif argument == "random_samples":
            values[at] = draw(_BAD_UNIFORMS)
        elif kind == "row":
            values[at] = draw(st.sampled_from([[], [*values[at], 0.25], values[at][:-1]]))
        elif values[at]:
            row = list(values[at])
            row[draw(st.integers(0, len(row) - 1))] = draw(_BAD_PROBABILITIES)
            values[at] = row
    return made
