"""The chance object that replays given uniforms: the meaning of a vector."""

from __future__ import annotations

from collections.abc import Sequence

from specreference.exact import accepts, argmax, residual_argmax
from specreference.validate import Row


class Replay:
    """Answers from `uniforms`, one a step, in exact arithmetic."""

    def __init__(self, uniforms: Sequence[float]) -> None:
        self._uniforms = uniforms

    def accept(self, step: int, p: float, q: float) -> bool:
        return accepts(self._uniforms[step], p, q)

    def recover(self, p: Row, q: Row) -> int:
        token = residual_argmax(p, q)
        return argmax(p) if token is None else token  # SV-RES-2

    def bonus(self, p: Row) -> int:
        return argmax(p)
