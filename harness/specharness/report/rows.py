"""The rows of a step, token by token: p, q and the residual, or the target row alone."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from specharness.report.numbers import number
from specreference import Choice
from specreference.exact import Weights
from specreference.validate import Row

ALL_OF = 8
"""A row of so many tokens is drawn whole."""

MOST_TOKENS = 6
"""So many are drawn of a longer one."""


@dataclass(frozen=True, slots=True)
class Source:
    """What a token is taken from: the rows p and q (None: p alone), and the weights. `token` is the reference's.

    `kind` is as in `Choice`. `drawn` is whether a coin takes the token, or it is the greatest.
    """

    kind: str
    p: Row
    q: Row | None
    joint: Fraction
    weights: Weights
    token: int | None
    drawn: bool

    @classmethod
    def of(cls, choice: Choice) -> Source:
        """What the reference chose from."""
        return cls(choice.kind, choice.p, choice.q, choice.joint, choice.weights, choice.token, choice.coin is not None)

    def values(self, token: int) -> tuple[Fraction, ...]:
        """p, q and residual of a token, or p."""
        p = Fraction(self.p[token])
        if self.q is None:
            return (p,)
        q = Fraction(self.q[token])
        return (p, q, max(Fraction(0), self.joint * p - q))


@dataclass(frozen=True, slots=True)
class TokenBars:
    """A token, what it is to the case ("draft", "expected", "got"), and its values."""

    token: int
    marks: tuple[str, ...]
    values: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """Bars of some tokens. `series` names their values; `words` say all that is drawn; `note` what is left out."""

    title: str
    words: str
    series: tuple[str, ...]
    bars: tuple[TokenBars, ...]
    note: str


def rows_of(source: Source, row: int, *, draft: int | None, given: int | None) -> Rows:
    """The bars of a row, of which `draft` is the draft token and `given` what the implementation took."""
    roles = {"draft": draft, "expected": source.token, "got": given}
    shown = _shown(source, [token for token in roles.values() if token is not None])
    bars = tuple(
        TokenBars(token, tuple(name for name, of in roles.items() if of == token), source.values(token))
        for token in shown
    )
    series = ("p",) if source.q is None else ("p", "q", "residual")
    title = f"Target row {row}" if source.q is None else f"Row {row}: {_residual_name(source.joint)}"
    words = "; ".join(_words(bar, series) for bar in bars)
    return Rows(title, words, series, bars, " ".join(_notes(source, shown, given)))


def _residual_name(joint: Fraction) -> str:
    if joint == 1:
        return "p, q and the residual max(0, p - q)"
    return f"p, q and the residual max(0, P p - q), P = {number(joint)}"


def _shown(source: Source, wanted: Sequence[int]) -> list[int]:
    counts = source.weights.counts
    if len(counts) <= ALL_OF:
        return list(range(len(counts)))
    greatest = heapq.nsmallest(MOST_TOKENS, range(len(counts)), key=lambda y: (-counts[y], y))
    tokens = [token for token in wanted if 0 <= token < len(counts)]
    return sorted(list(dict.fromkeys([*tokens, *greatest]))[:MOST_TOKENS])


def _notes(source: Source, shown: list[int], given: int | None) -> list[str]:
    counts, unit = source.weights.counts, source.weights.unit
    notes = []
    if given is not None and not 0 <= given < len(counts):
        notes.append(f"Token {given}, which the implementation gave, is none of this row.")
    if source.kind == "massless" or not source.weights.mass:
        notes.append("The residual has no mass.")
    if len(shown) == len(counts):
        return notes
    what = "residual" if source.kind == "residual" else "p"
    left = len(counts) - len(shown)
    drawn = set(shown)
    if source.drawn:
        mass = (sum(counts) - sum(counts[token] for token in shown)) * unit
        more = f"they hold {short(mass)} of {short(source.weights.mass)}"
    else:
        greatest = max(count for token, count in enumerate(counts) if token not in drawn) * unit
        more = f"the greatest {what} among them is {short(greatest)}"
    return [*notes, f"{left:,} of {len(counts):,} tokens are left out; {more}."]


def _words(bar: TokenBars, series: Sequence[str]) -> str:
    role = f" ({', '.join(bar.marks)})" if bar.marks else ""
    values = ", ".join(f"{name} {number(value)}" for name, value in zip(series, bar.values, strict=True))
    return f"token {bar.token}{role}: {values}"


def short(value: Fraction) -> str:
    """`value` exactly where that is short, else in four digits."""
    text = number(value)
    if len(text) <= 9:
        return text
    try:
        return f"{float(value):.4g}"
    except OverflowError:
        return text
