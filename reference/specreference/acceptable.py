"""The outcomes that correct arithmetic of a dtype may give: both branches where rounding can decide (SV-NUM-2)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TypeVar

from specreference.dtypes import DTYPES, Dtype
from specreference.exact import accepts, residual
from specreference.outcome import Outcome
from specreference.rules import chain
from specreference.validate import Row, validate

_T = TypeVar("_T")


def acceptable_outcomes(
    draft_tokens: Sequence[int],
    draft_probs: Sequence[Row],
    target_probs: Sequence[Row],
    random_samples: Sequence[float],
    *,
    dtype: str = "float64",
    limit: int = 1000,
) -> list[Outcome]:
    """All outcomes that conform when the implementation computes in `dtype`, each once, the exact one first.

    Arguments as for `verify_speculative_tokens`. Stops after `limit` outcomes. Raises `InvalidInput` as it does, and
    KeyError for an unknown dtype.
    """
    validate(draft_tokens, draft_probs, target_probs, random_samples)
    outcomes: dict[Outcome, None] = {}
    for script in _scripts(random_samples, DTYPES[dtype]):
        outcomes[chain(script, draft_tokens, draft_probs, target_probs)] = None
        if len(outcomes) >= limit:
            break
    return list(outcomes)


def possible_decisions(u: float, p: float, q: float, dtype: Dtype) -> list[bool]:
    """What `u <= min(1, p/q)` can come to, the exact answer first.

    With inputs that the dtype represents an exact acceptance is never rejected; a rejection may be accepted where
    0 < u q - p <= eps u q. Converted inputs blur both sides by 4 eps max(p, u q).
    """
    exact = accepts(u, p, q)
    if q == 0:
        return [exact]
    left, right = Fraction(u) * Fraction(q), Fraction(p)
    eta = dtype.eta * max(Fraction(1), Fraction(q))
    if all(map(dtype.represents, (u, p, q))):
        blurred = not exact and left - right <= dtype.eps * left + eta
    else:
        blurred = abs(left - right) <= 4 * dtype.eps * max(left, right) + 4 * eta
    return [exact, not exact] if blurred else [exact]


def possible_bonus(row: Row, dtype: Dtype) -> list[int]:
    """The tokens that an argmax over `row` can give, the exact one first: a conversion may merge neighbours."""
    values = [Fraction(value) for value in row]
    errors = [Fraction(0) if dtype.represents(v) else dtype.eps * Fraction(v) + dtype.eta for v in row]
    return _possible_argmax(values, errors, keys=list(row))


def possible_recovered(p: Row, q: Row, dtype: Dtype) -> list[int]:
    """The tokens that the argmax of max(0, p - q), normalised or not, can give, the exact one first.

    Subtraction and division by one sum are monotone: with inputs that the dtype represents they merge residuals less
    than 4 eps apart into a tie, which the lower index wins, and never invert an order.
    """
    weights = residual(p, q)
    if not any(weights):
        return possible_bonus(p, dtype)
    exact_inputs = [dtype.represents(a) and dtype.represents(b) for a, b in zip(p, q, strict=True)]
    errors = [
        Fraction(0) if exact else 2 * dtype.eps * (Fraction(a) + Fraction(b)) + 2 * dtype.eta
        for exact, a, b in zip(exact_inputs, p, q, strict=True)
    ]
    keys = [("exact", w) if exact else (a, b) for exact, w, a, b in zip(exact_inputs, weights, p, q, strict=True)]
    tokens = _possible_argmax(weights, errors, keys=keys, merge=4 * dtype.eps)
    if all(weight <= error for weight, error in zip(weights, errors, strict=True)):
        tokens += [token for token in possible_bonus(p, dtype) if token not in tokens]
    return tokens


def _possible_argmax(
    values: Sequence[Fraction], errors: Sequence[Fraction], *, keys: Sequence[object], merge: Fraction = Fraction(0)
) -> list[int]:
    """Indices that can win: each value is known to its error, and values closer than `merge`, relative, may tie.

    Entries with equal keys compute to equal values, so only the first of them can win.
    """
    best = max(range(len(values)), key=values.__getitem__)
    winners, seen = [best], {keys[best]}
    for y, value in enumerate(values):
        if y == best or keys[y] in seen or value + errors[y] <= 0:
            continue
        seen.add(keys[y])
        gap, error = values[best] - value, errors[best] + errors[y]
        may_pass = error > 0 and gap <= error
        may_tie = y < best and gap <= error + merge * values[best]
        if may_pass or may_tie:
            winners.append(y)
    return winners


class _Script:
    """A `Chance` that follows `path`, and the first possibility beyond its end, noting how many there were."""

    def __init__(self, uniforms: Sequence[float], dtype: Dtype, path: Sequence[int]) -> None:
        self._uniforms = uniforms
        self._dtype = dtype
        self._path = path
        self.widths: list[int] = []

    def accept(self, step: int, p: float, q: float) -> bool:
        return self._take(possible_decisions(self._uniforms[step], p, q, self._dtype))

    def recover(self, p: Row, q: Row) -> int:
        return self._take(possible_recovered(p, q, self._dtype))

    def bonus(self, p: Row) -> int:
        return self._take(possible_bonus(p, self._dtype))

    def _take(self, possibilities: list[_T]) -> _T:
        at = len(self.widths)
        self.widths.append(len(possibilities))
        return possibilities[self._path[at] if at < len(self._path) else 0]


def _scripts(uniforms: Sequence[float], dtype: Dtype) -> Iterator[_Script]:
    """Scripts for every path, depth first. The caller runs each before it asks for the next."""
    pending: list[list[int]] = [[]]
    while pending:
        path = pending.pop()
        script = _Script(uniforms, dtype, path)
        yield script
        taken = path + [0] * (len(script.widths) - len(path))
        for at in range(len(path), len(taken)):
            pending.extend([*taken[:at], other] for other in range(1, script.widths[at]))
