"""What rounding may make of a rule: the chance object that knows both branches (SV-NUM-2, spec/numerics.md)."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate
from typing import Any

from specreference.dtypes import Dtype
from specreference.exact import Weights, residual, weights_of
from specreference.explore import Path
from specreference.policy import Policy
from specreference.replay import accepts, extend
from specreference.validate import Number, Row

Joint = tuple[Fraction, Fraction, Fraction]
"""A joint ratio: exact, and the least and greatest that rounding may make of it."""


class Acceptable:
    """Follows a path of what rounding may make of each answer, the exact one first.

    `uniform`, `coin` and `policy` are those of `Replay`; `space` is "prob", or "log" where logarithms are compared.
    """

    one: Joint = (Fraction(1), Fraction(1), Fraction(1))

    def __init__(
        self,
        path: Path,
        uniform: Callable[[int], Number],
        coin: Callable[[], Number] | None,
        policy: Policy,
        dtype: Dtype,
        space: str,
    ) -> None:
        self.path, self._uniform, self._coin, self._policy = path, uniform, coin, policy
        self._dtype, self._space = dtype, space

    def accept(self, step: int, p: Number, q: Number) -> bool:
        return self.path.take(decisions(self._uniform(step), p, q, self._policy, self._dtype, self._space))

    def extend(self, joint: Joint, p: Number, q: Number) -> Joint:
        exact = extend(joint[0], p, q)
        if q == 0:
            return exact, exact, exact
        ratio = Fraction(p) / Fraction(q)
        if _sharp(joint) and self._exactly(p, q, ratio, joint[0] * Fraction(p), exact):
            return exact, exact, exact
        blur = 4 * self._dtype.eps + sum(self._dtype.error(v, self._space) / Fraction(v) for v in (p, q) if v)
        least, greatest = joint[1] * ratio * (1 - blur), joint[2] * ratio * (1 + blur)
        return exact, min(Fraction(1), max(Fraction(0), least)), min(Fraction(1), greatest)

    def accept_block(self, step: int, joint: Joint, following: tuple[Row, Row] | None) -> bool:
        exact, least, greatest = joint if following is None else self._shares(*following, joint)
        u, blur = Fraction(self._uniform(step)), self._dtype.error(self._uniform(step))
        answer = exact > 0 and u <= exact
        blurred = (least == 0 or u + blur > least) if answer else (greatest > 0 and u - blur <= greatest)
        return self.path.take([answer, not answer] if blurred else [answer])

    def _shares(self, p: Row, q: Row, joint: Joint) -> Joint:
        """The probability R/(R + 1 - joint): exact, least and greatest."""
        weights, errors = self._residual(p, q, joint)
        mass = weights.mass
        exact = _share(mass, joint[0])
        sums = [count * weights.unit for count in accumulate(weights.counts)]
        if _sharp(joint) and not any(errors) and self._exactly(*sums, mass + 1, mass + 1 - joint[0], exact):
            return exact, exact, exact
        error = sum(errors, Fraction(0)) + 2 * len(errors) * self._dtype.eps * mass
        slack = 3 * self._dtype.eps
        least = _share(max(Fraction(0), mass - error), joint[1], slack) * (1 - slack)
        return exact, least, _share(mass + error, joint[2], -slack) * (1 + slack)

    def choose(self, p: Row, q: Row | None = None, joint: Joint = one) -> int:
        if q is None:
            return self.path.take(self._tokens(*self._own(p), p, None))
        weights, errors = self._residual(p, q, joint)
        if not any(weights.counts):
            return self.path.take(self._fallback(p))
        tokens = self._tokens(weights, errors, p, q)
        if all(w <= e for w, e in zip(weights.fractions(), errors, strict=True)):  # it may round to no mass at all
            tokens += [token for token in self._fallback(p) if token not in tokens]
        return self.path.take(tokens)

    def _own(self, p: Row) -> tuple[Weights, list[Fraction]]:
        return weights_of(p), [self._dtype.error(v, self._space) for v in p]

    def _residual(self, p: Row, q: Row, joint: Joint) -> tuple[Weights, list[Fraction]]:
        """The residual's weights, and by how much each may be off."""
        weights = residual(p, q, joint[0])
        spread = max(joint[2] - joint[0], joint[0] - joint[1])
        errors = []
        for a, b, weight in zip(p, q, weights.fractions(), strict=True):
            if joint == self.one and (a == b or (a < b and self._space == "prob")):  # conversion keeps the order
                errors.append(Fraction(0))
                continue
            error = self._dtype.error(a, self._space) + self._dtype.error(b, self._space) + spread * Fraction(a)
            error += self._dtype.eps * weight if error else 0
            if joint[0] != 1 and not self._exactly(joint[0] * Fraction(a)):
                error += self._dtype.eps * Fraction(a)
            errors.append(error)
        return weights, errors

    def _fallback(self, p: Row) -> list[int]:
        if self._policy.massless != "target":
            return [0 if self._policy.massless == "first" else len(p) - 1]
        return self._tokens(*self._own(p), p, None)

    def _tokens(self, weights: Weights, errors: list[Fraction], p: Row, q: Row | None) -> list[int]:
        if self._coin is not None:
            return draws(weights, errors, self._coin(), self._policy, self._dtype)
        if q is None:
            return greatest(weights.fractions(), errors, keys=list(p), merge=Fraction(0))
        values, keys = weights.fractions(), list(zip(p, q, strict=True))
        for y, error in enumerate(errors):
            errors[y] += (self._dtype.eps * values[y] + 3 * self._dtype.eps * error) if error else 0  # if normalised
        return greatest(values, errors, keys=keys, merge=4 * self._dtype.eps)

    def _exactly(self, *values: Number) -> bool:
        return all(map(self._dtype.represents, values))


def decisions(u: Number, p: Number, q: Number, policy: Policy, dtype: Dtype, space: str) -> list[bool]:
    """What u <= min(1, p/q) can come to, the exact answer first.

    With inputs that the dtype represents an exact acceptance is never rejected; a rejection may be accepted where
    0 < u q - p <= eps u q (for u < p/q the mirror image). Converted inputs blur both sides.
    """
    exact = accepts(u, p, q, policy)
    safe = policy.support == "safe"
    if q == 0 or u == 0:
        lost_p, lost_q = _underflows(p, dtype), _underflows(q, dtype)
        blurred = (lost_p and (q == 0 or safe)) or (lost_q and not safe and (p == 0 or lost_p))
        blurred = blurred or (lost_q and policy.zero_draft == "reject")
        return [exact, not exact] if blurred else [exact]
    if p == 0 and (safe or space == "log"):
        return [exact, not exact] if _underflows(u, dtype) and not safe else [exact]
    left, right = Fraction(u) * Fraction(q), Fraction(p)
    eta = dtype.eta * max(Fraction(1), Fraction(q))
    converted = not all(map(dtype.represents, (u, p, q)))
    if space == "log":
        ln_u, ln_p, ln_q = math.log(u), math.log(p), math.log(q)
        sizes = 2 * (abs(ln_u) + abs(ln_p) + abs(ln_q)) + abs(ln_p - ln_q) + 3 * converted
        blurred = abs(ln_u + ln_q - ln_p) <= float(dtype.eps) * sizes + 2**-52 * (abs(ln_u) + abs(ln_p) + abs(ln_q))
    elif converted:
        off_u, off_p, off_q = map(dtype.error, (u, p, q))
        off = off_u * Fraction(q) + off_q * Fraction(u) + off_u * off_q + off_p
        blurred = abs(left - right) <= off + dtype.eps * (max(left, right) + off) + 2 * eta
    else:
        lenient = left - right if policy.comparison == "le" else right - left
        blurred = (exact is (policy.comparison == "lt")) and 0 <= lenient <= dtype.eps * left + eta
    return [exact, not exact] if blurred else [exact]


def greatest(
    values: Sequence[Fraction], errors: Sequence[Fraction], *, keys: Sequence[Any], merge: Fraction
) -> list[int]:
    """The tokens that an argmax can give, the exact one first.

    Each value is known to its error. Subtraction and division by one sum are monotone: they may merge values closer
    than `merge`, relative, into a tie, which the lower index wins, and never invert an order. Entries that are computed
    from equal inputs, or exactly, from equal values, come out equal, so only the first of them can win.
    """
    best = max(range(len(values)), key=values.__getitem__)
    same = [(value,) if error == 0 else key for key, value, error in zip(keys, values, errors, strict=True)]
    winners, seen = [best], {same[best]}
    for y, value in enumerate(values):
        error = errors[best] + errors[y]
        if same[y] in seen or (merge > 0 and value + errors[y] <= 0):  # a residual of 0 never wins
            continue
        seen.add(same[y])
        gap = values[best] - value
        if (error > 0 and gap <= error) or (y < best and gap <= error + merge * values[best]):
            winners.append(y)
    return winners


def draws(weights: Weights, errors: Sequence[Fraction], coin: Number, policy: Policy, dtype: Dtype) -> list[int]:
    """The tokens that a coin can draw, the exact one first: those whose interval, widened by w, contains it.

    At the end of token y's interval w is the rounding of the partial sums up to there and the total's share of it, and
    the errors of the weights and the coin. It is 0 where coin, weights and partial sums are exact and the total is a
    power of two.
    """
    exact = weights.draw(coin, knot=policy.knot)
    total, eps = weights.mass, dtype.eps
    sums = [count * weights.unit for count in accumulate(weights.counts)]
    power = total.numerator & (total.numerator - 1) == 0 and total.denominator & (total.denominator - 1) == 0
    if power and not any(errors) and all(map(dtype.represents, [coin, *weights.fractions(), *sums])):
        return [exact]
    whole = max(sum(sums[1:], Fraction(0)) / total, Fraction(len(sums).bit_length())) + 3
    at, below, tokens = Fraction(coin) * total, Fraction(0), [exact]
    spread = Fraction(coin) * sum(errors, Fraction(0)) + dtype.error(coin) * total
    before = after = spread
    for y, above in enumerate(sums):
        after += errors[y] + eps * (above if y else 0)
        start, end = below - before - eps * whole * below, above + after + eps * whole * above
        if y != exact and above - below + errors[y] > 0 and start <= at <= end:
            tokens.append(y)
        below, before = above, after
    return tokens


def _underflows(value: Number, dtype: Dtype) -> bool:
    return 0 < value <= dtype.eta and not dtype.represents(value)


def _sharp(joint: Joint) -> bool:
    return joint[0] == joint[1] == joint[2]


def _share(mass: Fraction, joint: Fraction, slack: Fraction = Fraction(0)) -> Fraction:
    """R/(R + 1 - P), the sum off by `slack` of its terms, since R + 1 may be rounded before P is taken away."""
    below = max(mass, mass + 1 - joint + slack * (1 + mass))
    return mass / below if below else Fraction(1)
