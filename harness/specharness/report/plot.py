"""Figures as shapes: where everything of a drawing goes."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from specharness.report.cumulative import Cumulative, Span
from specharness.report.drawing import Comparison, Figure, Step
from specharness.report.numbers import number
from specharness.report.rows import Rows, TokenBars, short
from specharness.report.shapes import WIDTH, Box, Label, Plot, Shape, Stroke

_LEFT, _RIGHT = 2, WIDTH - 2
_SPAN = _RIGHT - _LEFT
_LETTER = 6.2
"""What a letter takes, more or less."""


def plot(figure: Figure) -> Plot:
    """Lay out a figure."""
    match figure:
        case Comparison():
            parts = [_step(step, figure.bound, at * _STEP) for at, step in enumerate(figure.steps)]
            height = _STEP * len(parts) - _GAP
        case Rows():
            pitch = _HEAD + _BAR * len(figure.series) + _GAP
            greatest = max((value for bars in figure.bars for value in bars.values), default=Fraction(0))
            parts = [_bars(bars, figure.series, greatest, at * pitch) for at, bars in enumerate(figure.bars)]
            height = pitch * len(parts) - _GAP
        case Cumulative():
            parts, height = [_cumulative(figure)], _STRIP
    shapes = tuple(shape for part in parts for shape in part)
    return Plot(figure.title, figure.words, figure.note, height, shapes)


_STEP = 84


def _step(step: Step, bound: str, top: float) -> Iterator[Shape]:
    """A line from 0 to 1: what is accepted, the bound below it, and u above it."""
    u, edge = _place(step.u), _place(step.bound)
    yield Label(_LEFT, top + 12, f"step {step.number}, token {step.token}", "name")
    yield Label(_RIGHT, top + 12, "accepted" if step.accepted else "rejected", "strong", "end")
    yield _label(u, top + 30, f"u = {number(step.u)}", "strong")
    yield Box(_LEFT, top + 40, _SPAN, 16, "track")
    yield Box(_LEFT, top + 40, _rounded(edge - _LEFT), 16, "accepts")
    if edge - _LEFT > _NAMED:
        yield Label(_LEFT + 6, top + 52, "accepts", "inside")
    if _RIGHT - edge > _NAMED:
        yield Label(_RIGHT - 6, top + 52, "rejects", "inside", "end")
    yield Stroke(f"M{u:g} {top + 35:g}v26", "coin")
    yield Stroke(f"M{u:g} {top + 40:g}l-4-6h8z", "tip")
    yield Stroke(f"M{edge:g} {top + 38:g}v22", "edge")
    yield _label(edge, top + 72, f"{bound} = {number(step.bound)}", "name")


_HEAD, _BAR, _GAP = 18, 13, 9
_BARS_FROM, _BARS_TO = 58, 250
_NAMED = 60
"""What is narrower has no name inside."""

_KINDS = {"p": "p", "q": "q", "residual": "r"}


def _bars(bars: TokenBars, series: tuple[str, ...], greatest: Fraction, top: float) -> Iterator[Shape]:
    """A token and a bar for each of its values, to the scale of the greatest of all."""
    kind, aside = "strong" if bars.marks else "name", ", ".join(bars.marks)
    yield Label(_LEFT, top + 12, f"token {bars.token}", kind, aside=aside)
    for at, (label, value) in enumerate(zip(series, bars.values, strict=True)):
        y = top + _HEAD + at * _BAR
        length = _rounded((_BARS_TO - _BARS_FROM) * float(value / greatest)) if greatest else 0
        yield Label(_BARS_FROM - 5, y + 9, label, "quiet", "end")
        yield Stroke(f"M{_BARS_FROM} {y:g}v{_BAR - 2}", "edge")
        if length:
            yield Box(_BARS_FROM, y + 1, length, _BAR - 4, _KINDS[label])
        yield Label(_BARS_FROM + length + 5, y + 9, short(value), "value")


_STRIP = 76
_LONG = 44


def _cumulative(figure: Cumulative) -> Iterator[Shape]:
    """A strip of intervals, the coin above it, the expected token and the one given below it."""
    width = figure.high - figure.low

    def place(value: Fraction) -> float:
        return _place((min(max(value, figure.low), figure.high) - figure.low) / width)

    at = place(figure.at)
    coin = f"coin {number(figure.coin)}"
    reached = f"{coin} of {number(figure.mass)} is {number(figure.at)}"
    yield _label(at, 12, reached if len(reached) < _LONG else coin, "strong")
    for span in figure.spans:
        yield from _interval(span, place(span.low), place(span.high), at)
    yield Stroke(f"M{at:g} 17v32", "coin")
    yield Stroke(f"M{at:g} 24l-4-6h8z", "tip")


def _interval(span: Span, left: float, right: float, coin: float) -> Iterator[Shape]:
    yield Box(left, 24, _rounded(right - left), 20, "drawn" if "expected" in span.marks else "span")
    inside = str(span.first) if span.first == span.last else f"{span.first} … {span.last}"
    middle = _rounded((left + right) / 2)
    half = _LETTER * len(inside) / 2
    apart = half + 4 < abs(coin - middle)
    if apart and 2 * half + 6 < right - left:
        yield Label(middle, 38, inside, "inside", "middle")
    elif coin - left > 2 * half + 8:
        yield Label(left + 5, 38, inside, "inside")
    for mark, y in (("expected", 60), ("got", 74)):
        if mark in span.marks:
            held = f"{mark}: token {span.first}, {short(span.low)} to {short(span.high)}"
            yield _label(middle, y, held, "strong" if mark == "expected" else "name")


def _place(part: Fraction) -> float:
    """Where a part of the whole width is."""
    return _rounded(_LEFT + _SPAN * float(part))


def _label(x: float, y: float, text: str, kind: str) -> Label:
    """A text over or under `x`, kept within the drawing."""
    half = _LETTER * len(text) / 2
    if x - half < _LEFT:
        return Label(_LEFT, y, text, kind)
    return Label(_RIGHT, y, text, kind, "end") if x + half > _RIGHT else Label(x, y, text, kind, "middle")


def _rounded(value: float) -> float:
    return round(value, 1)
