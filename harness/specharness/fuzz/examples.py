"""What one example of the search is: an input, and whether its thresholds are probed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hypothesis import strategies as st

from specharness.fuzz.dice import Dice
from specharness.fuzz.inputs import refused_inputs, unnormalised_inputs, valid_inputs
from specharness.fuzz.sharpen import Arguments, sharpened, trace_or_none
from specharness.suite.model import Case
from specreference import Policy

_SMALL = 4_000
"""Shipped cases with longer arguments are not varied."""

_PROBED = 200
"""A probe takes many calls, so that it is for inputs with at most so many numbers in the draft rows."""


@dataclass(frozen=True, slots=True)
class Example:
    """An input, and the uniform whose thresholds are probed, modulo K; None where none is."""

    arguments: Arguments
    probes: int | None = None


def examples(profile: str, policy: Policy, shipped: Sequence[Case], *, strict: bool) -> st.SearchStrategy[Example]:
    """Inputs of a profile. With `strict`, more of those that only SHOULD clauses speak of."""
    beyond = 3 if strict else 1
    valid = valid_inputs(profile, policy)
    small = [case for case in shipped if len(case.arguments_json) <= _SMALL and not case.expected.raises]
    kinds = [
        (20, valid.map(Example)),
        (4, refused_inputs(profile, only_lengths=True).map(Example)),
        (2 * beyond, refused_inputs(profile, only_lengths=False).map(Example)),
        (beyond, unnormalised_inputs(profile).map(Example)),
        (0 if profile == "greedy" else 2, st.tuples(valid, st.integers(0, 11)).map(_probed)),
        (4 if small else 0, _varied(small, profile, policy).map(Example)),
    ]
    weighted = [strategy for weight, strategy in kinds for _ in range(weight)]
    return st.integers(0, len(weighted) - 1).flatmap(weighted.__getitem__)


def _probed(pair: tuple[Arguments, int]) -> Example:
    arguments, at = pair
    drafts = len(arguments["draft_tokens"])
    small = 0 < drafts * len(arguments["target_probs"][0]) <= _PROBED
    return Example(arguments, at % drafts if small else None)


@st.composite
def _varied(draw: st.DrawFn, cases: Sequence[Case], profile: str, policy: Policy) -> Arguments:
    """The input of a shipped case, with things moved."""
    arguments = draw(st.sampled_from(cases)).arguments()
    dice = Dice(draw(st.binary(min_size=24, max_size=24)))
    if trace_or_none(arguments, profile, policy) is not None:
        for _ in range(1 + dice.below(3)):
            arguments = sharpened(arguments, profile, policy, dice)
    return arguments
