"""Making an input small: fewer steps, fewer tokens, rounder numbers, as long as it still shows the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from specharness.fuzz.rows import Row
from specharness.fuzz.sharpen import Arguments

_ROWS = ("draft_probs", "target_probs")
_ROUND = (0.5, 0.25, 0.75, 0.125)
_GRIDS = (4, 16, 64, 256)


def shrunk(arguments: Arguments, shows: Callable[[Arguments], bool]) -> Arguments:
    """The smallest input that greedy steps lead to. `shows` asks; it says no once time is over."""
    smaller = True
    while smaller:
        smaller = False
        for candidates in (_fewer_steps, _fewer_rows, _fewer_tokens, _plainer_uniforms, _rounder_rows):
            found = _first(candidates(arguments), shows)
            while found is not None:
                arguments, smaller = found, True
                found = _first(candidates(arguments), shows)
    return arguments


def _first(candidates: Iterator[Arguments], shows: Callable[[Arguments], bool]) -> Arguments | None:
    return next((candidate for candidate in candidates if shows(candidate)), None)


def _fewer_steps(arguments: Arguments) -> Iterator[Arguments]:
    """Without a stretch of steps, long stretches first."""
    drafts = len(arguments["draft_tokens"])
    size = drafts
    while size >= 1:
        for at in range(0, drafts - size + 1, size):
            yield {name: value and value[:at] + value[at + size :] for name, value in arguments.items()}
        size //= 2


def _fewer_rows(arguments: Arguments) -> Iterator[Arguments]:
    """Without the last target row."""
    if arguments["target_probs"]:
        yield {**arguments, "target_probs": arguments["target_probs"][:-1]}


def _fewer_tokens(arguments: Arguments) -> Iterator[Arguments]:
    """Without a stretch of tokens, whose mass the token before or behind takes."""
    widths = {len(row) for name in _ROWS for row in arguments[name] or ()}
    if len(widths) != 1:
        return
    vocabulary = widths.pop()
    size = vocabulary // 2
    while size >= 1:
        for at in range(0, vocabulary - size + 1, size):
            for taker in dict.fromkeys((max(at - 1, 0), min(at, vocabulary - size - 1))):
                yield _without_tokens(arguments, at, size, taker)
        size //= 2


def _without_tokens(arguments: Arguments, at: int, size: int, taker: int) -> Arguments:
    def shorter(row: Row) -> Row:
        left = row[:at] + row[at + size :]
        if mass := sum(row[at : at + size]):
            left[taker] += mass
        return left

    def renamed(token: int) -> int:
        return token if token < at else taker if token < at + size else token - size

    rows = {name: arguments[name] and [shorter(row) for row in arguments[name]] for name in _ROWS}
    return {**arguments, **rows, "draft_tokens": [renamed(token) for token in arguments["draft_tokens"]]}


def _plainer_uniforms(arguments: Arguments) -> Iterator[Arguments]:
    uniforms = arguments["random_samples"]
    for at, old in enumerate(uniforms):
        if old in _ROUND:
            continue
        for new in (*_ROUND, round(old * 16) / 16, round(old * 256) / 256):
            if _digits(new) < _digits(old):
                yield {**arguments, "random_samples": [*uniforms[:at], new, *uniforms[at + 1 :]]}


def _rounder_rows(arguments: Arguments) -> Iterator[Arguments]:
    """With a row of coarser numbers, which sums as before."""
    for name in _ROWS:
        rows = arguments[name] or ()
        for at, row in enumerate(rows):
            for grid in _GRIDS:
                new = _rounded(row, grid)
                if new and sum(map(_digits, new)) < sum(map(_digits, row)):
                    yield {**arguments, name: [*rows[:at], new, *rows[at + 1 :]]}


def _rounded(row: Row, grid: int) -> Row | None:
    """The row in multiples of 1/`grid`, the greatest entry taking what is left; None where that is not possible."""
    if not row or not all(0 <= value <= 2 for value in row):
        return None
    counts = [round(value * grid) for value in row]
    best = max(range(len(row)), key=row.__getitem__)
    counts[best] += grid * round(sum(row)) - sum(counts)
    return [count / grid for count in counts] if counts[best] >= 0 else None


def _digits(value: float) -> int:
    return len(repr(value))
