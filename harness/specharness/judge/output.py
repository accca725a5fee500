"""The form of a result: the SV-OUT clauses, judged on every case that expects a result."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from specharness.judge.values import is_bool_or_float, is_tagged, plain_int, show

KEYS = ("accepted_tokens", "bonus_token", "acceptance_count")


@dataclass(frozen=True, slots=True)
class Flaw:
    """A breach of an SV-OUT clause: which, in what, and what was expected and found."""

    clause: str
    cause: str
    line: str


@dataclass(frozen=True, slots=True)
class Read:
    """A result as read: the fields of the right form by name, and the flaws of the others."""

    fields: dict[str, Any]
    flaws: tuple[Flaw, ...]


def read_result(value: Any, vocabulary: int | None) -> Read:
    """Read a result. `vocabulary` is V, None where there are no rows."""
    if not isinstance(value, dict) or is_tagged(value):
        line = f"expected a dict with the keys {', '.join(KEYS)}, got {show(value)}"
        return Read({}, (Flaw("SV-OUT-1", "the result is no dict", line),))
    fields: dict[str, Any] = {}
    flaws = list(_keys(value))
    if "accepted_tokens" in value:
        flaws += _accepted(value["accepted_tokens"], fields)
    if "bonus_token" in value:
        flaws += _bonus(value["bonus_token"], vocabulary, fields)
    if "acceptance_count" in value:
        flaws += _count(value["acceptance_count"], fields)
    return Read(fields, tuple(flaws))


def _keys(value: dict[str, Any]) -> Iterator[Flaw]:
    missing = [key for key in KEYS if key not in value]
    extra = [key for key in value if key not in KEYS]
    if missing:
        yield Flaw("SV-OUT-1", "a key is missing", f"expected the key {', '.join(missing)}, which the result lacks")
    if extra:
        names = ", ".join(map(repr, extra[:5]))
        yield Flaw("SV-OUT-1", "an extra key", f"expected the keys {', '.join(KEYS)}, got also {names}")


def _accepted(value: Any, fields: dict[str, Any]) -> Iterator[Flaw]:
    if not isinstance(value, list):
        line = f"accepted_tokens: expected a list, got {show(value)}"
        yield Flaw("SV-OUT-2", "accepted_tokens is no list", line)
        return
    tokens = [plain_int(item) for item in value]
    for i, (item, token) in enumerate(zip(value, tokens, strict=True)):
        if token is None:
            clause = "SV-OUT-6" if is_bool_or_float(item) else "SV-OUT-2"
            line = f"accepted_tokens[{i}]: expected a token index, got {show(item)}"
            yield Flaw(clause, "an accepted token is no int", line)
            return
    if any(is_tagged(item) for item in value):
        yield Flaw("SV-OUT-5", "numbers are no plain ints", f"accepted_tokens: expected plain ints, got {show(value)}")
    fields["accepted_tokens"] = tokens


def _bonus(value: Any, vocabulary: int | None, fields: dict[str, Any]) -> Iterator[Flaw]:
    token = plain_int(value)
    if value is not None and token is None:
        clause = "SV-OUT-6" if is_bool_or_float(value) else "SV-OUT-4"
        yield Flaw(clause, "bonus_token is no int", f"bonus_token: expected a token index or None, got {show(value)}")
        return
    if token is not None and (token < 0 or (vocabulary is not None and token >= vocabulary)):
        within = f"0 to {vocabulary - 1}" if vocabulary else "0 or more"
        line = f"bonus_token: expected a token index, {within}, or None, got {token}"
        yield Flaw("SV-OUT-4", "bonus_token is no index", line)
        return
    if is_tagged(value):
        yield Flaw("SV-OUT-5", "numbers are no plain ints", f"bonus_token: expected a plain int, got {show(value)}")
    fields["bonus_token"] = token


def _count(value: Any, fields: dict[str, Any]) -> Iterator[Flaw]:
    count = plain_int(value)
    if count is None:
        clause = "SV-OUT-6" if is_bool_or_float(value) else "SV-OUT-3"
        yield Flaw(clause, "acceptance_count is no int", f"acceptance_count: expected an int, got {show(value)}")
        return
    accepted = fields.get("accepted_tokens")
    if accepted is not None and count != len(accepted):
        line = f"acceptance_count: expected {len(accepted)}, the length of accepted_tokens, got {count}"
        yield Flaw("SV-OUT-3", "acceptance_count is another number", line)
        return
    if is_tagged(value):
        line = f"acceptance_count: expected a plain int, got {show(value)}"
        yield Flaw("SV-OUT-5", "numbers are no plain ints", line)
    fields["acceptance_count"] = count
