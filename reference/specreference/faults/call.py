"""One call of a varied implementation: what its pieces see, and the chance object that the reference's rule asks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from itertools import takewhile
from typing import Any

from specreference import rules
from specreference.profiles import PROFILES, Profile
from specreference.validate import InvalidInput, validate

Floats = Sequence[float]
Walk = tuple[list[int], Any]
Piece = Callable[..., Any]

_ARGUMENTS = ("draft_tokens", "draft_probs", "target_probs", "random_samples")


def argmax(weights: Floats) -> int:
    """The lowest index of the greatest weight."""
    return max(range(len(weights)), key=weights.__getitem__)


def draw(weights: Floats, coin: float) -> int:
    """The smallest token whose cumulative weight exceeds the coin's share of all; the last with weight, at the end."""
    threshold, cumulative, last = coin * sum(weights), 0.0, 0
    for y, weight in enumerate(weights):
        cumulative += weight
        if weight > 0:
            last = y
            if cumulative > threshold:
                return y
    return last


class Step:
    """Step i of a call, or its end where i is K: what a piece can look at."""

    def __init__(self, call: Call, i: int, joint: float = 1.0) -> None:
        self.call, self.i, self.joint = call, i, joint

    @property
    def x(self) -> int:
        """The draft token."""
        x: int = self.call.draft_tokens[self.i]
        return x

    @property
    def p(self) -> Floats:
        """The target row."""
        row: Floats = self.call.target_probs[self.i]
        return row

    @property
    def q(self) -> Floats:
        """The draft row, certain of the draft token where the profile takes none."""
        if self.call.draft_probs is None:
            return [float(y == self.x) for y in range(len(self.p))]
        row: Floats = self.call.draft_probs[self.i]
        return row

    @property
    def u(self) -> float:
        """The uniform."""
        return float(self.call.pieces["uniform"](self))

    @property
    def coin(self) -> float:
        """What draws the last token."""
        return float(self.call.pieces["coin"](self))

    @property
    def ratio(self) -> float:
        """The draft token's p/q; infinite or 0 where q is 0."""
        p, q = self.p[self.x], self.q[self.x]
        return p / q if q != 0 else math.inf if p > 0 else 0.0

    @cached_property
    def residual(self) -> list[float]:
        """The rise of the target row, times the joint ratio, over the draft row."""
        return [max(0.0, self.joint * a - b) for a, b in zip(self.p, self.q, strict=False)]

    @cached_property
    def weights(self) -> Floats:
        """What the last token is taken from: row K, or the residual, or the target row where that has no mass."""
        if self.i == self.call.k:
            return self.p
        return self.residual if any(self.residual) else self.p

    @property
    def share(self) -> float:
        """The acceptance probability of a block's position i + 1, whose joint ratio is `joint` (SV-BLK-3)."""
        if self.i + 1 >= self.call.k:
            return self.joint
        mass = sum(self.call.at(self.i + 1, self.joint).residual)
        below = mass + 1 - self.joint
        return mass / below if below != 0 else 1.0

    def test(self, p: float, q: float, u: float | None = None) -> bool:
        """The acceptance test of the profile, on other numbers."""
        if q == 0 or (p == 0 and self.call.safe):
            return q == 0 and p > 0
        return (self.u if u is None else u) <= p / q

    def pick(self, weights: Floats) -> int:
        """A token by these weights, as the profile takes it."""
        return draw(weights, self.coin) if self.call.draws else argmax(weights)


class Refused:
    """Something in a call that the reference refuses: which clause it breaks, and where it stands."""

    def __init__(self, call: Call, error: InvalidInput) -> None:
        self.call, self.clause, self.argument, self.index = call, error.clause, error.argument, error.index

    @property
    def value(self) -> Any:
        """The value that is refused."""
        value = getattr(self.call, self.argument)
        for i in self.index:
            value = value[i]
        return value

    @property
    def reached(self) -> bool:
        """Whether a step, or the bonus token, comes to this place before verification ends."""
        try:
            return self.index[0] <= len(self.call.run()[0])
        except (IndexError, ZeroDivisionError):
            return True


class Call:
    """One call: its arguments, its pieces, and the chance object that the reference's rule asks."""

    one = 1.0

    def __init__(self, profile: str, pieces: Mapping[str, Piece], arguments: tuple[Any, Any, Any, Any]) -> None:
        self.profile = PROFILES[profile]
        self.draws, self.safe = self.profile.draws, self.profile.policy.support == "safe"
        self.pieces = pieces
        self.draft_tokens: Any
        self.draft_probs: Any
        self.target_probs: Any
        self.random_samples: Any
        self.draft_tokens, self.draft_probs, self.target_probs, self.random_samples = arguments
        self._here = 0

    @property
    def k(self) -> int:
        """How many tokens are drafted."""
        return len(self.draft_tokens)

    @property
    def shortest(self) -> int:
        """The least of the four lengths."""
        return min(map(len, (self.draft_tokens, self.draft_probs, self.target_probs, self.random_samples)))

    def at(self, i: int, joint: float = 1.0) -> Step:
        """What there is to see at step i."""
        return Step(self, i, joint)

    def result(self) -> Any:
        """Validate, run the rule, and give the result its form."""
        self.check()
        self.pieces["demand"](self)
        self.pieces["prepare"](self)
        accepted, token = self.pieces["walk"](self)
        result = {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}
        return self.pieces["finish"](result, self)

    def check(self) -> None:
        """Raise `InvalidInput` unless the piece `refuse` lets it pass."""
        arguments = {name: getattr(self, name) for name in _ARGUMENTS}
        while True:
            try:
                validate(**arguments, drafts=self.profile.drafts, uniforms=self.profile.uniforms)
                return
            except InvalidInput as error:
                if self.pieces["refuse"](Refused(self, error), error):
                    raise
                _mend(arguments, error, self.profile)

    def map_rows(self, change: Callable[[Floats], Floats]) -> None:
        """Put changed rows in the place of the call's own."""
        self.draft_probs = self.draft_probs and [change(row) for row in self.draft_probs]
        self.target_probs = [change(row) for row in self.target_probs]

    def run(self) -> Walk:
        """The reference's rule, asking the pieces."""
        outcome = self.rule(self, self.draft_tokens, self.draft_probs, self.target_probs)
        accepted, token = list(outcome.accepted_tokens), outcome.bonus_token
        if len(accepted) == self.k and len(self.target_probs) <= self.k:
            token = self.pieces["absent"](self.at(self.k))
        return accepted, token

    @property
    def rule(self) -> Any:
        """The rule of the profile. At temperature 0 it is the chain as well, with other pieces."""
        return rules.one_hot if self.profile.name == "greedy" else self.profile.rule

    def accepts(self, i: int) -> bool:
        """Whether step i accepts."""
        return bool(self.pieces["accept"](self.at(i)))

    def mask(self) -> list[bool]:
        """Whether each step accepts, those after a rejection too."""
        return [self.accepts(i) for i in range(self.k)]

    def prefix(self, steps: int | None = None) -> int:
        """How many steps, of the first `steps` or of all, accept before the first that rejects."""
        return sum(1 for _ in takewhile(self.accepts, range(self.k if steps is None else steps)))

    def last(self, i: int) -> Any:
        """The last token after i accepted ones."""
        if i < self.k:
            return self.pieces["recover"](self.at(i))
        return self.pieces["bonus" if len(self.target_probs) > i else "absent"](self.at(i))

    def settle(self, n: int) -> Walk:
        """The first n tokens, and the last token for that many."""
        return list(self.draft_tokens[:n]), self.last(n)

    def joints(self) -> list[float]:
        """The joint ratios of a block, from that of no token to that of all."""
        joints = [1.0]
        for i in range(self.k):
            step = self.at(i)
            joints.append(self.pieces["extend"](joints[-1], step.p[step.x], step.q[step.x]))
        return joints

    def positions(self) -> list[bool]:
        """Whether each position of a block accepts, the first for one token."""
        return [self.pieces["accept"](self.at(i, joint)) for i, joint in enumerate(self.joints()[1:])]

    def keep(self, n: int, joint: float | None = None) -> Walk:
        """The first n tokens of a block, and the last token for that many."""
        if n == self.k:
            return self.settle(n)
        joint = self.joints()[n] if joint is None else joint
        return list(self.draft_tokens[:n]), self.pieces["recover"](self.at(n, joint))

    def accept(self, step: int, _p: Any, _q: Any) -> bool:
        """As a chance object."""
        self._here = step
        return self.accepts(step)

    def extend(self, joint: float, p: float, q: float) -> Any:
        """As a chance object."""
        return self.pieces["extend"](joint, p, q)

    def accept_block(self, step: int, joint: float, _following: Any) -> bool:
        """As a chance object."""
        accepted = bool(self.pieces["accept"](self.at(step, joint)))
        self._here = step + 1 if accepted else self._here
        return accepted

    def choose(self, _p: Any, q: Any = None, joint: Any = 1.0) -> Any:
        """As a chance object."""
        name, i = ("bonus", self.k) if q is None else ("recover", self._here)
        return self.pieces[name](self.at(i, joint))


def _mend(arguments: dict[str, Any], error: InvalidInput, profile: Profile) -> None:
    """Change what is refused into something valid, in copies, so that the checks after it can be made."""
    values = arguments[error.argument] = list(arguments[error.argument] or ())
    if not error.index:
        k = len(arguments["draft_tokens"])
        uniforms = {"0": 0, "K": k, "K + 1": k + 1}[profile.uniforms[0]]
        size = uniforms if error.argument == "random_samples" else k
        filler = 0.5 if error.argument == "random_samples" else _a_row(arguments)
        del values[size:]
        values += [filler] * (size - len(values))
    elif error.clause == "SV-IN-5":
        values[error.index[0]] = _a_row(arguments)
    elif len(error.index) == 2:
        values[error.index[0]] = [0.5 if y == error.index[1] else v for y, v in enumerate(values[error.index[0]])]
    else:
        values[error.index[0]] = 0


def _a_row(arguments: Mapping[str, Any]) -> list[float]:
    rows = [*(arguments["draft_probs"] or ()), *arguments["target_probs"]]
    return [0.5] * (len(rows[0]) if rows and rows[0] else 1)
