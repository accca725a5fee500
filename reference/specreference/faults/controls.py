"""Implementations that no case, or every case, must fail: the reference in other words, and nonsense."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from specreference.faults.model import control
from specreference.profiles import PROFILES
from specreference.validate import validate

Exact = list[Fraction]


@control("SV-OUT-2", *PROFILES)
def control_positive(_tokens: Any, _drafts: Any, _targets: Any, _uniforms: Any) -> Any:
    """Answers nonsense always."""
    return {"accepted_tokens": [-1], "bonus_token": -1, "acceptance_count": -1}


@control("", "argmax")
def control_inert(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """The reference of `argmax` in other words."""
    validate(draft_tokens, draft_probs, target_probs, random_samples)
    target, draft = _exact(target_probs), _exact(draft_probs)
    n = _agreed(draft_tokens, draft, target, random_samples, 0)
    return _answer(draft_tokens, n, _taken(_leftover(n, draft, target), None))


@control("", "sampled")
def control_inert_sampled(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """The reference of `sampled` in other words."""
    validate(draft_tokens, draft_probs, target_probs, random_samples, uniforms=PROFILES["sampled"].uniforms)
    target, draft = _exact(target_probs), _exact(draft_probs)
    n = _agreed(draft_tokens, draft, target, random_samples, 1)
    return _answer(draft_tokens, n, _taken(_leftover(n, draft, target), random_samples[-1]))


@control("", "one-hot")
def control_inert_one_hot(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """The reference of `one-hot` in other words."""
    uniforms = PROFILES["one-hot"].uniforms
    validate(draft_tokens, draft_probs, target_probs, random_samples, drafts=False, uniforms=uniforms)
    target = _exact(target_probs)
    draft = [[Fraction(y == x) for y in range(len(target[0]))] for x in draft_tokens]
    n = _agreed(draft_tokens, draft, target, random_samples, 1)
    return _answer(draft_tokens, n, _taken(_leftover(n, draft, target), random_samples[-1]))


@control("", "greedy")
def control_inert_greedy(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """The reference of `greedy` in other words."""
    uniforms = PROFILES["greedy"].uniforms
    validate(draft_tokens, draft_probs, target_probs, random_samples, drafts=False, uniforms=uniforms)
    stream = [row.index(max(row)) for row in target_probs]
    n = 0
    while n < len(draft_tokens) and draft_tokens[n] == stream[n]:
        n += 1
    return _answer(draft_tokens, n, stream[n] if n < len(stream) else None)


@control("", "block")
def control_inert_block(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """The reference of `block` in other words."""
    validate(draft_tokens, draft_probs, target_probs, random_samples, uniforms=PROFILES["block"].uniforms)
    target, draft = _exact(target_probs), _exact(draft_probs)
    n, joint, kept_joint = 0, Fraction(1), Fraction(1)
    for i, x in enumerate(draft_tokens):
        p, q = target[i][x], draft[i][x]
        joint = min(Fraction(1), joint * p / q) if q else Fraction(joint > 0 and p > 0)
        above, below = joint, Fraction(1)
        if i + 1 < len(draft_tokens):
            above = sum(max(0, joint * a - b) for a, b in zip(target[i + 1], draft[i + 1], strict=True)) + Fraction(0)
            below = above + 1 - joint
        if below == 0 or (above > 0 and random_samples[i] * below <= above):
            n, kept_joint = i + 1, joint
    return _answer(draft_tokens, n, _taken(_leftover(n, draft, target, kept_joint), random_samples[-1]))


def _exact(rows: Any) -> list[Exact]:
    return [list(map(Fraction, row)) for row in rows]


def _agreed(tokens: Any, draft: list[Exact], target: list[Exact], uniforms: Any, least: int) -> int:
    """How many tokens are accepted before the first that is not; with `least` 1, a p(x) of 0 never is."""
    for i, x in enumerate(tokens):
        p, q = target[i][x], draft[i][x]
        impossible = p == 0 and (q == 0 or least)
        if impossible or q * Fraction(uniforms[i]) > p:
            return i
    return len(tokens)


def _leftover(n: int, draft: list[Exact], target: list[Exact], joint: Fraction = Fraction(1)) -> Exact | None:
    """What the last token is taken from after n accepted ones."""
    if n >= len(target):
        return None
    rest = [joint * a - b for a, b in zip(target[n], draft[n], strict=True)] if n < len(draft) else target[n]
    return rest if any(weight > 0 for weight in rest) else target[n]


def _taken(weights: Exact | None, coin: float | None) -> int | None:
    if weights is None:
        return None
    if coin is None:
        return weights.index(max(weights))
    positive = [(y, weight) for y, weight in enumerate(weights) if weight > 0]
    left = Fraction(coin) * sum(weight for _, weight in positive)
    for y, weight in positive:
        left -= weight
        if left < 0:
            return y
    return positive[-1][0] if positive else 0


def _answer(tokens: Any, n: int, token: int | None) -> Any:
    return {"accepted_tokens": list(tokens[:n]), "bonus_token": token, "acceptance_count": n}
