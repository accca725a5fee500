"""A replay that keeps what it saw, so that a failure can show the decisive step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from specreference.exact import greatest, residual
from specreference.outcome import Outcome
from specreference.replay import Replay
from specreference.rules import chain
from specreference.validate import Row, validate


@dataclass(frozen=True, slots=True)
class Step:
    """One draft token: `ratio` is p/q, None where q = 0."""

    index: int
    token: int
    p: float
    q: float
    u: float
    ratio: Fraction | None
    accepted: bool


@dataclass(frozen=True, slots=True)
class Choice:
    """How the last token was taken: the greatest of `weights`, lowest index first.

    `kind` is "recovered" (weights: the residual of row `row`), "fallback" (the residual has no mass, weights: p of row
    `row`) or "bonus" (weights: row K). `tied` are the indices that share the greatest weight, ascending.
    """

    kind: str
    row: int
    weights: tuple[Fraction, ...]
    tied: tuple[int, ...]
    token: int


@dataclass(frozen=True, slots=True)
class Trace:
    """The examined steps, the choice (None where no token follows), and the outcome.

    `hardened` are the SHOULD clauses without which the outcome would be undefined: SV-ACC-4, SV-RES-2.
    """

    steps: tuple[Step, ...]
    choice: Choice | None
    outcome: Outcome
    hardened: tuple[str, ...]


class _Recorder:
    """A `Chance` that asks a `Replay` and keeps each answer."""

    def __init__(self, draft_tokens: Sequence[int], uniforms: Sequence[float]) -> None:
        self._tokens = draft_tokens
        self._uniforms = uniforms
        self._replay = Replay(uniforms)
        self.steps: list[Step] = []
        self.choice: Choice | None = None

    def accept(self, step: int, p: float, q: float) -> bool:
        accepted = self._replay.accept(step, p, q)
        ratio = Fraction(p) / Fraction(q) if q else None
        self.steps.append(Step(step, self._tokens[step], p, q, self._uniforms[step], ratio, accepted))
        return accepted

    def recover(self, p: Row, q: Row) -> int:
        weights = residual(p, q)
        kind = "recovered" if any(weights) else "fallback"
        return self._keep(kind, weights if any(weights) else _fractions(p), self._replay.recover(p, q))

    def bonus(self, p: Row) -> int:
        return self._keep("bonus", _fractions(p), self._replay.bonus(p))

    def _keep(self, kind: str, weights: list[Fraction], token: int) -> int:
        row = len(self.steps) if kind == "bonus" else len(self.steps) - 1
        self.choice = Choice(kind, row, tuple(weights), tuple(greatest(weights)), token)
        return token


def _fractions(row: Row) -> list[Fraction]:
    return [Fraction(value) for value in row]


def explain(
    draft_tokens: Sequence[int],
    draft_probs: Sequence[Row],
    target_probs: Sequence[Row],
    random_samples: Sequence[float],
) -> Trace:
    """Verify as `verify_speculative_tokens` does, and return how.

    Raises `InvalidInput` (a ValueError) as that function does.
    """
    # VALIDATE
    validate(draft_tokens, draft_probs, target_probs, random_samples)
    recorder = _Recorder(draft_tokens, random_samples)
    outcome = chain(recorder, draft_tokens, draft_probs, target_probs)
    hardened = []
    if any(step.ratio is None for step in recorder.steps):
        hardened.append("SV-ACC-4")
    if recorder.choice and recorder.choice.kind == "fallback":
        hardened.append("SV-RES-2")
    return Trace(tuple(recorder.steps), recorder.choice, outcome, tuple(hardened))
