"""Strategies for whole inputs: valid ones, ones with odd sums, and ones that the input clauses refuse."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from specharness.fuzz.dice import Dice
from specharness.fuzz.rows import GRIDS, LEAST, Maker, Row, grid_row, near_row, peaked_row, real_row, spread_row
from specharness.fuzz.sharpen import BELOW_ONE, Arguments, sharpened
from specharness.suite.build import WITH_COIN, WITHOUT_DRAFTS
from specreference import Policy

_SIZES = (2, 1, 2, 3, 3, 4, 4, 5, 6, 8, 10, 12, 17, 33)
_DRAFTS = (1, 0, 1, 2, 2, 2, 3, 3, 4, 5, 6, 9)
_WIDE = (67, 35, 75, 131, 259, 300, 517, 1030, 1100, 2051)
_LARGE = (66_001, 4099, 32_771, 4099, 66_001, 8203)
_LONG = (17, 33, 65, 130, 260)
_DENSE = 300
"""Wider rows are sparse."""

_SMALL_SHAPES = ("plain",) * 26 + ("real",) * 6 + ("peaked",) * 4
_SHAPES = (*_SMALL_SHAPES, *("long",) * 7, *("wide",) * 5, "large")


def _bytes(size: int) -> st.SearchStrategy[Dice]:
    return st.binary(min_size=size, max_size=size).map(Dice)


@st.composite
def valid_inputs(draw: st.DrawFn, profile: str, policy: Policy, *, large: bool = True) -> Arguments:
    """Inputs that every input clause allows, among them ones at acceptance boundaries, knots, ties and zeros.

    With `large`, also ones of many drafts or tokens.
    """
    shape = draw(st.sampled_from(_SHAPES if large else _SMALL_SHAPES))
    if shape == "large":
        size = draw(st.sampled_from(_LARGE))
        return _assembled(profile, draw(st.integers(0, 1)), spread_row(size), draw(_bytes(200)))
    if shape == "long":
        return _long(profile, draw(st.sampled_from(_LONG)), draw(_bytes(900)))
    arguments = draw(_wide(profile) if shape == "wide" else _plain(profile, kind=shape))
    dice = draw(_bytes(40))
    for _ in range(dice.below(2 if shape == "wide" else 4)):
        arguments = sharpened(arguments, profile, policy, dice)
    return arguments


@st.composite
def _plain(draw: st.DrawFn, profile: str, *, kind: str = "plain") -> Arguments:
    size, drafts = draw(st.sampled_from(_SIZES)), draw(st.sampled_from(_DRAFTS))
    if kind == "plain":
        make = grid_row(size, draw(st.sampled_from(GRIDS)))
    else:
        make = real_row(size) if kind == "real" else peaked_row(size)
    return _assembled(profile, drafts, make, draw(_bytes(min(4000, (2 * drafts + 2) * (4 * size + 8)))))


@st.composite
def _wide(draw: st.DrawFn, profile: str) -> Arguments:
    """More tokens than a tile of a reduction holds: mass on a few of them, or on all."""
    size, drafts = draw(st.sampled_from(_WIDE)), draw(st.integers(0, 2))
    dense = size <= _DENSE and draw(st.booleans())
    return _assembled(
        profile, drafts, grid_row(size, 4096) if dense else spread_row(size), draw(_bytes(1600 if dense else 200))
    )


def _long(profile: str, drafts: int, dice: Dice) -> Arguments:
    """Many drafts, each with a uniform just below its own threshold; a few meet it, and up to three are above it."""
    shares = [_share(profile, dice) for _ in range(drafts)]
    tokens = [dice.below(2) for _ in range(drafts)]
    if profile == "greedy":
        shares = [max(share, 1 - share) for share in shares]
    uniforms = [share - 1 / 64 for share in shares]
    for at in [dice.below(drafts) for _ in range(dice.below(5))]:
        uniforms[at] = min(shares[at], BELOW_ONE)
    for _ in range(dice.one_of((1, 0, 0, 1, 2, 3))):
        at = dice.below(drafts)
        shares[at] = min(shares[at], 0.75)
        uniforms[at] = shares[at] + 0.125
        if profile == "greedy":
            tokens[at] = 1 - tokens[at]
    scales = [1.0 if profile in WITHOUT_DRAFTS else (1 + dice.below(3)) / 4 for _ in tokens]
    drafted = [_pair(scale, token) for scale, token in zip(scales, tokens, strict=True)]
    targets = [_pair(share * scale, token) for share, scale, token in zip(shares, scales, tokens, strict=True)]
    targets += [grid_row(2, 16)(dice) for _ in range(dice.below(3))]
    return _of_profile(profile, tokens, drafted, targets, uniforms, 0.5)


def _pair(value: float, token: int) -> Row:
    """A row of two tokens, one of them with this probability."""
    return [value, 1 - value] if token == 0 else [1 - value, value]


def _share(profile: str, dice: Dice) -> float:
    """The acceptance probability of a step. A long block is accepted only where nearly all of them are 1."""
    if profile == "block" and not dice.chance(1, 40):
        return 1.0
    return (1 + dice.below(15)) / 16


def _assembled(profile: str, drafts: int, make: Maker, dice: Dice) -> Arguments:
    """Rows, tokens and uniforms put together; each draft row is often near its target row."""
    extra = dice.one_of((1, 1, 1, 1, 0, 2, 4))
    targets = [make(dice) for _ in range(drafts + extra or 1)]
    nearly = dice.chance(1, 2)
    draft_rows = [near_row(targets[i], dice) if nearly else make(dice) for i in range(drafts)]
    tokens = [_token(targets[i], draft_rows[i], profile, dice) for i in range(drafts)]
    uniforms = [_uniform(dice) for _ in range(drafts)]
    return _of_profile(profile, tokens, draft_rows, targets, uniforms, _uniform(dice))


def _token(target: Row, draft: Row, profile: str, dice: Dice) -> int:
    """Mostly a token that both rows hold, else one of the draft row, else any."""
    if profile == "greedy" and not dice.chance(1, 4):
        return max(range(len(target)), key=target.__getitem__)
    for candidates in (
        [y for y, (p, q) in enumerate(zip(target, draft, strict=True)) if p > 0 and q > 0],
        [y for y, q in enumerate(draft) if q > 0],
    ):
        if candidates and not dice.chance(1, 5):
            return dice.one_of(candidates)
    return dice.below(len(target))


def _uniform(dice: Dice) -> float:
    kind = dice.below(16)
    if kind < 11:
        return dice.below(16) / 16
    if kind < 14:
        return dice.below(10**6) / 10**6
    return dice.one_of((0.0, LEAST, 2.0**-30, BELOW_ONE, 1 - 2.0**-24, 1.0))


def _of_profile(
    profile: str, tokens: list[int], drafts: list[Row], targets: list[Row], uniforms: list[float], coin: float
) -> Arguments:
    if profile == "greedy":
        uniforms = []
    elif profile in WITH_COIN:
        uniforms = [*uniforms, coin]
    return {
        "draft_tokens": tokens,
        "draft_probs": None if profile in WITHOUT_DRAFTS else drafts,
        "target_probs": targets,
        "random_samples": uniforms,
    }


@st.composite
def unnormalised_inputs(draw: st.DrawFn, profile: str) -> Arguments:
    """Inputs with a row that does not sum to 1, or has no mass (SV-IN-9, SV-RES-2)."""
    arguments = draw(_plain(profile))
    names = [name for name in ("target_probs", "draft_probs") if arguments[name]]
    dice = draw(_bytes(8))
    name = dice.one_of(names)
    rows = [list(row) for row in arguments[name]]
    at = dice.below(min(len(rows), len(arguments["draft_tokens"]) + 1))
    factor = dice.one_of((2.0, 0.5, 0.75, 1.25, 4.0, 0.0))
    rows[at] = [value * factor for value in rows[at]]
    return {**arguments, name: rows}


@st.composite
def refused_inputs(draw: st.DrawFn, profile: str, *, only_lengths: bool) -> Arguments:
    """Inputs that an input clause refuses; with `only_lengths`, for what the original statement demands."""
    arguments = {name: value and list(value) for name, value in draw(_plain(profile)).items()}
    names = [name for name, value in arguments.items() if value is not None]
    dice = draw(_bytes(16))
    if only_lengths or dice.chance(1, 3):
        arguments = _of_other_length(arguments, dice.one_of(names), dice)
        return _of_other_length(arguments, dice.one_of(names), dice) if dice.chance(1, 3) else arguments
    filled = [name for name in names if arguments[name]]
    return _spoilt(arguments, dice.one_of(filled), dice) if filled else arguments


def _of_other_length(arguments: Arguments, name: str, dice: Dice) -> Arguments:
    """One argument cut short or made longer."""
    value = arguments[name]
    drafts = len(arguments["draft_tokens"])
    if value and dice.chance(1, 2):
        most = drafts if name == "target_probs" and drafts else len(value)
        return {**arguments, name: value[: dice.below(most)]}
    size = len(arguments["target_probs"][0]) if arguments["target_probs"] else 1
    filling: Any = {"draft_tokens": 0, "random_samples": 0.5}.get(name, [1.0, *[0.0] * (size - 1)])
    return {**arguments, name: [*value, *[value[-1] if value else filling] * (1 + dice.below(3))]}


def _spoilt(arguments: Arguments, name: str, dice: Dice) -> Arguments:
    """One token, probability, uniform or row out of its range."""
    values = list(arguments[name])
    at = dice.below(len(values))
    if name == "draft_tokens":
        size = len(arguments["target_probs"][0]) if arguments["target_probs"] else 1
        values[at] = dice.one_of((-1, -size, size, size + 1, -size - 1, 2**31, 2**63))
    elif name == "random_samples":
        values[at] = dice.one_of((-0.25, 1.5, float("nan"), float("inf"), -float("inf"), -LEAST, 1 + 2.0**-52))
    elif dice.chance(1, 2):
        row = list(values[at])
        row[dice.below(len(row))] = dice.one_of((-0.25, float("nan"), float("inf"), -float("inf"), -LEAST))
        values[at] = row
    else:
        values[at] = dice.one_of((values[at][:-1], [*values[at], 0.0], []))
    return {**arguments, name: values}
