"""The chance object that replays given numbers, in exact arithmetic: the meaning of a vector."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from specreference.exact import Weights, greatest, greatest_residual, residual, weights_of
from specreference.policy import DEFAULT, Policy
from specreference.validate import Number, Row


@dataclass(frozen=True, slots=True)
class Decision:
    """One step's answer: u against min(1, above/below), or against 1 where below is 0 in a block."""

    step: int
    above: Fraction
    below: Fraction
    u: Number
    accepted: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """How the last token was taken, from p or max(0, joint p - q).

    `kind` is "target", "residual" or "massless"; `coin` is None for an argmax.
    """

    kind: str
    p: Row
    q: Row | None
    joint: Fraction
    coin: Number | None
    token: int

    @property
    def weights(self) -> Weights:
        """What the token was taken from."""
        return residual(self.p, self.q, self.joint) if self.q and self.kind == "residual" else weights_of(self.p)


class Replay:
    """Answers from `uniform(step)`; tokens are drawn by `coin()`, or the greatest is taken where it is None.

    `decisions` and `choices` keep the answers in their order.
    """

    one = Fraction(1)

    def __init__(
        self, uniform: Callable[[int], Number], coin: Callable[[], Number] | None, policy: Policy = DEFAULT
    ) -> None:
        self._uniform = uniform
        self._coin = coin
        self._policy = policy
        self.decisions: list[Decision] = []
        self.choices: list[Choice] = []

    def accept(self, step: int, p: Number, q: Number) -> bool:
        u = self._uniform(step)
        return self._decide(step, u, Fraction(p), Fraction(q), accepts(u, p, q, self._policy))

    def extend(self, joint: Fraction, p: Number, q: Number) -> Fraction:
        return extend(joint, p, q)

    def accept_block(self, step: int, joint: Fraction, following: tuple[Row, Row] | None) -> bool:
        u = self._uniform(step)
        mass = residual(*following, joint).mass if following else joint
        below = mass + 1 - joint if following else Fraction(1)
        accepted = below == 0 or (mass > 0 and Fraction(u) * below <= mass)
        return self._decide(step, u, mass, below, accepted)

    def choose(self, p: Row, q: Row | None = None, joint: Fraction = one) -> int:
        coin = None if self._coin is None else self._coin()
        kind, token = "target" if q is None else "residual", self._pick(p, q, joint, coin)
        if token is None:
            kind, token = "massless", {"first": 0, "last": len(p) - 1}.get(self._policy.massless)
            token = self._pick(p, None, joint, coin) if token is None else token
        self.choices.append(Choice(kind, p, q, joint, coin, token or 0))
        return token or 0

    def _pick(self, p: Row, q: Row | None, joint: Fraction, coin: Number | None) -> int | None:
        """The token by argmax or coin; None where the residual has no mass."""
        if coin is None:
            return greatest(p) if q is None else greatest_residual(p, q)
        weights = weights_of(p) if q is None else residual(p, q, joint)
        return weights.draw(coin, knot=self._policy.knot) if q is None or any(weights.counts) else None

    def _decide(self, step: int, u: Number, above: Fraction, below: Fraction, accepted: bool) -> bool:
        self.decisions.append(Decision(step, above, below, u, accepted))
        return accepted


def accepts(u: Number, p: Number, q: Number, policy: Policy) -> bool:
    """Whether u <= min(1, p/q) for u in [0, 1], without dividing (SV-ACC-1, SV-ACC-4, and the policies on both)."""
    if q == 0:
        return p > 0 and policy.zero_draft == "accept"
    if p == 0 and policy.support == "safe":
        return False
    left, right = Fraction(u) * Fraction(q), Fraction(p)
    return left < right if policy.comparison == "lt" else left <= right


def extend(joint: Fraction, p: Number, q: Number) -> Fraction:
    """min(1, joint p/q), where a positive p over 0 is infinite and 0/0 is 0 (SV-BLK-2)."""
    if q == 0:
        return Fraction(joint > 0 and p > 0)
    return min(Fraction(1), joint * Fraction(p) / Fraction(q))


def Sample(rng: random.Random, policy: Policy = DEFAULT) -> Replay:  # noqa: N802  # an interpreter like the others
    """The chance object that draws: a `Replay` of fresh uniforms."""
    return Replay(lambda step: rng.random(), rng.random, policy)
