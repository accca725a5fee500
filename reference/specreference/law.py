"""The exact law of a rule on a model, and how far it is from the target's."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from specreference.exact import greatest, residual, weights_of
from specreference.explore import Path, explore
from specreference.outcome import Outcome
from specreference.policy import DEFAULT, Policy
from specreference.replay import extend
from specreference.rules import Chance
from specreference.validate import Number, Row, Rows

Prefix = tuple[int, ...]
Law = dict[Prefix, Fraction]
Rule = Callable[[Chance, Sequence[int], Any, Rows], Outcome]
Model = Callable[[Prefix], Row]
"""A row of exact probabilities that sum to 1, for each prefix of tokens."""


class Enumerate:
    """Follows a path; `probability` is that of all choices taken."""

    one = Fraction(1)

    def __init__(self, path: Path, *, draws: bool, policy: Policy) -> None:
        self.path = path
        self.probability = Fraction(1)
        self._draws = draws
        self._policy = policy

    def accept(self, step: int, p: Number, q: Number) -> bool:
        if q == 0:
            return p > 0 and self._policy.zero_draft == "accept"
        return self._coin(min(Fraction(1), Fraction(p) / Fraction(q)))

    def extend(self, joint: Fraction, p: Number, q: Number) -> Fraction:
        return extend(joint, p, q)

    def accept_block(self, step: int, joint: Fraction, following: tuple[Row, Row] | None) -> bool:
        if following is None:
            return self._coin(joint)
        mass = residual(*following, joint).mass
        below = mass + 1 - joint
        return self._coin(mass / below if below else Fraction(1))

    def choose(self, p: Row, q: Row | None = None, joint: Fraction = one) -> int:
        weights = weights_of(p) if q is None else residual(p, q, joint)
        if q is not None and not any(weights.counts):
            if self._policy.massless != "target":
                return 0 if self._policy.massless == "first" else len(p) - 1
            weights = weights_of(p)
        if not self._draws:
            return greatest(weights.counts)
        total = sum(weights.counts)
        token: int = self._take([(y, Fraction(count, total)) for y, count in enumerate(weights.counts) if count])
        return token

    def _coin(self, probability: Fraction) -> bool:
        return bool(self._take([(way, pr) for way, pr in ((True, probability), (False, 1 - probability)) if pr]))

    def _take(self, ways: list[tuple[Any, Fraction]]) -> Any:
        way, probability = self.path.take(ways)
        self.probability *= probability
        return way


def law_of(rule: Rule, k: int, draft: Model, target: Model, *, draws: bool = True, policy: Policy = DEFAULT) -> Law:
    """The probability of each emitted sequence when `draft` proposes K tokens and `rule` verifies them."""
    law: Law = {}
    for tokens, drafted in _streams(draft, k):
        prefixes = [tokens[:i] for i in range(k + 1)]
        qs, ps = [draft(prefix) for prefix in prefixes[:k]], [target(prefix) for prefix in prefixes]
        make = lambda path: Enumerate(path, draws=draws, policy=policy)  # noqa: E731
        for chance, outcome in explore(make, lambda chance: rule(chance, tokens, qs, ps)):  # noqa: B023
            law[outcome.emitted] = law.get(outcome.emitted, Fraction(0)) + drafted * chance.probability
    return law


def lossless_defect(law: Law, target: Model) -> tuple[Fraction, Prefix]:
    """The largest |Pr(extends xy) - p(y | x) Pr(strictly extends x)| over nodes x and tokens y, and its xy.

    A rule is lossless if and only if it is 0 on every model.
    """
    extends: Law = {}
    strictly: Law = {}
    for emitted, probability in law.items():
        for length in range(len(emitted) + 1):
            extends[emitted[:length]] = extends.get(emitted[:length], Fraction(0)) + probability
            if length < len(emitted):
                strictly[emitted[:length]] = strictly.get(emitted[:length], Fraction(0)) + probability
    worst: tuple[Fraction, Prefix] = (Fraction(0), ())
    for node, mass in strictly.items():
        for y, p in enumerate(target(node)):
            defect = abs(extends.get((*node, y), Fraction(0)) - Fraction(p) * mass)
            worst = max(worst, (defect, (*node, y)), key=lambda pair: pair[0])
    return worst


def total_variation(law: Law, k: int, target: Model) -> Fraction:
    """Between the stream's first K + 1 tokens, the target going on after what is emitted, and the target's own."""
    stream: Law = {}
    for emitted, probability in law.items():
        for rest, pr in _streams(lambda prefix: target((*emitted, *prefix)), k + 1 - len(emitted)):  # noqa: B023
            stream[(*emitted, *rest)] = stream.get((*emitted, *rest), Fraction(0)) + probability * pr
    own = dict(_streams(target, k + 1))
    zero = Fraction(0)
    return sum((abs(stream.get(s, zero) - own.get(s, zero)) for s in {*stream, *own}), zero) / 2


def _streams(model: Model, length: int) -> Iterator[tuple[Prefix, Fraction]]:
    """Each sequence of tokens that the model gives a chance, with its probability."""
    stack: list[tuple[Prefix, Fraction]] = [((), Fraction(1))]
    while stack:
        prefix, probability = stack.pop()
        if len(prefix) == length:
            yield prefix, probability
            continue
        stack.extend(((*prefix, y), probability * Fraction(pr)) for y, pr in enumerate(model(prefix)) if pr)
