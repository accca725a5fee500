"""What a case is, once read."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

ARGUMENTS = ("draft_tokens", "draft_probs", "target_probs", "random_samples")
"""The parameters, in the order of the call."""

_NON_FINITE = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


@dataclass(frozen=True, slots=True)
class Expected:
    """Either the result, or the exception's name."""

    accepted_tokens: tuple[int, ...] = ()
    bonus_token: int | None = None
    raises: str | None = None

    def as_result(self) -> dict[str, Any]:
        """The expected dict; only where `raises` is None."""
        return {
            "accepted_tokens": list(self.accepted_tokens),
            "bonus_token": self.bonus_token,
            "acceptance_count": len(self.accepted_tokens),
        }


@dataclass(frozen=True, slots=True)
class Case:
    """One vector. `arguments_json` is the JSON text of its arguments as the protocol sends them.

    `file` and `line` say where it was written; `dtypes` is empty where all dtypes may run it. `policies` are the
    choices that its expectation hangs on, as name and value.
    """

    id: str
    title: str
    clauses: tuple[str, ...]
    tags: tuple[str, ...]
    dtypes: tuple[str, ...]
    policies: tuple[tuple[str, str], ...]
    notes: str
    profile: str
    file: str
    line: int
    arguments_json: str
    expected: Expected

    def arguments(self) -> dict[str, Any]:
        """The arguments by name: token indices as ints, probabilities and uniforms as floats. A new copy each time.

        `draft_probs` is None in profiles that take none.
        """
        return read_arguments(self.arguments_json)


def write_arguments(arguments: dict[str, Any]) -> str:
    """The arguments as JSON text. Numbers that JSON lacks travel as "NaN", "Infinity" and "-Infinity"."""
    try:
        return json.dumps(arguments, allow_nan=False)
    except ValueError:
        return json.dumps({name: _spell(value) for name, value in arguments.items()}, allow_nan=False)


def read_arguments(text: str) -> dict[str, Any]:
    """The arguments that `write_arguments` wrote."""
    arguments: dict[str, Any] = json.loads(text)
    return _unspell(arguments) if '"NaN"' in text or 'Infinity"' in text else arguments


def _spell(value: Any) -> Any:
    if isinstance(value, list):
        return [_spell(item) for item in value]
    if isinstance(value, float) and (value != value or abs(value) == float("inf")):
        return "NaN" if value != value else "Infinity" if value > 0 else "-Infinity"
    return value


def _unspell(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _unspell(item) for name, item in value.items()}
    if isinstance(value, list):
        return [_unspell(item) for item in value]
    return _NON_FINITE.get(value, value) if isinstance(value, str) else value
