"""The cumulative distribution that a coin draws from, as intervals of tokens."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate

from specharness.report.numbers import number
from specharness.report.rows import ALL_OF, short
from specreference import Choice

_NARROW = Fraction(1, 25)
"""An interval that is a smaller part of the mass is drawn enlarged."""

_AROUND = 4
"""So many of its widths are then drawn on either side."""


@dataclass(frozen=True, slots=True)
class Span:
    """The interval of one token, or of the tokens `first` to `last`. `marks` as in `TokenBars`."""

    first: int
    last: int
    low: Fraction
    high: Fraction
    marks: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        return f"token {self.first}" if self.first == self.last else f"tokens {self.first} to {self.last}"


@dataclass(frozen=True, slots=True)
class Cumulative:
    """Intervals of the mass, and the point `at` to which the coin goes. Drawn is the part from `low` to `high`."""

    title: str
    words: str
    spans: tuple[Span, ...]
    low: Fraction
    high: Fraction
    coin: Fraction
    mass: Fraction
    at: Fraction
    note: str


def cumulative_of(choice: Choice, row: int, *, given: int | None) -> Cumulative | None:
    """What the coin of `choice` draws from; `given` is what the implementation took there."""
    assert choice.coin is not None
    weights = choice.weights
    ends = list(accumulate(weights.counts))
    mass = ends[-1] * weights.unit
    token = choice.token
    low, high = (ends[token] - weights.counts[token]) * weights.unit, ends[token] * weights.unit
    if low == high:
        return None
    start, stop = Fraction(0), mass
    if high - low < _NARROW * mass:
        around = _AROUND * (high - low)
        start, stop = max(start, low - around), min(stop, high + around)
    roles = {"expected": token, "got": given}
    spans = tuple(span for span in _spans(ends, weights.unit, roles) if max(start, span.low) < min(stop, span.high))
    coin = Fraction(choice.coin)
    source = "residual of row" if choice.kind == "residual" else "target row"
    words = "; ".join(f"{span.name}: {number(span.low)} to {number(span.high)}" for span in spans)
    words = f"coin {number(coin)} of the mass {number(mass)} is {number(coin * mass)}; {words}"
    notes = []
    if stop - start < mass:
        notes.append(f"Enlarged: {short(start)} to {short(stop)} of 0 to {short(mass)}; the rest is left out.")
    if given is not None and 0 <= given < len(ends) and not weights.counts[given]:
        notes.append(f"Token {given}, which the implementation gave, has no weight.")
    title = f"The coin draws from the {source} {row}"
    return Cumulative(title, words, spans, start, stop, coin, mass, coin * mass, " ".join(notes))


def _spans(ends: list[int], unit: Fraction, roles: dict[str, int | None]) -> Iterator[Span]:
    """One interval for each token where they are few, else for those with a role and for what is between them."""
    alone = range(len(ends)) if len(ends) <= ALL_OF else sorted({y for y in roles.values() if y is not None})
    begin = 0
    for token in (*alone, len(ends)):
        if not begin <= token <= len(ends):
            continue
        if begin < token:
            yield _span(ends, unit, begin, token - 1, ())
        if token < len(ends):
            yield _span(ends, unit, token, token, tuple(name for name, of in roles.items() if of == token))
        begin = token + 1


def _span(ends: list[int], unit: Fraction, first: int, last: int, marks: tuple[str, ...]) -> Span:
    before = ends[first - 1] if first else 0
    return Span(first, last, before * unit, ends[last] * unit, marks)
