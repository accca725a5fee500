"""Choices read from bytes: one draw of Hypothesis serves a whole input, and smaller bytes make a simpler one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

_T = TypeVar("_T")


class Dice:
    """Reads numbers from bytes, and zeros once they are used up."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1."""
        size = (bound.bit_length() + 7) // 8
        number = int.from_bytes(self._data[self._at : self._at + size], "big")
        self._at += size
        return number % bound

    def chance(self, share: int, of: int) -> bool:
        """Whether one of `share` chances in `of` comes; false for zeros."""
        return self.below(of) >= of - share

    def one_of(self, items: Sequence[_T]) -> _T:
        """One of `items`, the first for zeros."""
        return items[self.below(len(items))]
