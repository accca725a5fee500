"""The input clauses, SV-IN-1 to SV-IN-8, in the order in which the reference reports them."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from math import isfinite

Number = float | Fraction
Row = Sequence[Number]
Rows = Sequence[Row]


class InvalidInput(ValueError):
    """An argument breaks an input clause.

    `clause` is its id, `argument` the parameter's name, `index` where in it (empty for the whole of it).
    """

    def __init__(self, clause: str, argument: str, index: tuple[int, ...], found: str, expected: str) -> None:
        self.clause = clause
        self.argument = argument
        self.index = index
        place = argument + "".join(f"[{i}]" for i in index)
        super().__init__(f"{place}: {found}; expected {expected} ({clause})")


def validate(
    draft_tokens: Sequence[int],
    draft_probs: Rows | None,
    target_probs: Rows,
    random_samples: Sequence[Number],
    *,
    drafts: bool = True,
    uniforms: tuple[str, str] = ("K", "SV-IN-2"),
) -> None:
    """Raise `InvalidInput` for the first broken input clause; lengths come before everything else (SV-IN-4).

    `drafts` is whether the profile takes draft probabilities; `uniforms` are how many uniforms it takes ("0", "K",
    "K + 1") and the clause that says so.
    """
    _validate_lengths(draft_tokens, draft_probs, target_probs, random_samples, drafts, uniforms)
    rows = [("draft_probs", i, row) for i, row in enumerate(draft_probs or ()) if drafts]
    rows += [("target_probs", i, row) for i, row in enumerate(target_probs)]
    for argument, i, row in rows:  # SV-IN-5
        first, at, expected = rows[0]
        if len(row) == 0:
            raise InvalidInput("SV-IN-5", argument, (i,), "a row of no tokens", "at least one token")
        if len(row) != len(expected):
            raise InvalidInput("SV-IN-5", argument, (i,), f"{len(row)} tokens", f"{len(expected)}, as in {first}[{at}]")
    for i, token in enumerate(draft_tokens):
        if rows and not 0 <= token < len(rows[0][2]):
            expected_token = f"0 <= token < V = {len(rows[0][2])}"
            raise InvalidInput("SV-IN-6", "draft_tokens", (i,), f"token {token}", expected_token)
    for argument, i, row in rows:
        _validate_probabilities(argument, i, row)
    for i, u in enumerate(random_samples):
        if not 0 <= u <= 1:
            raise InvalidInput("SV-IN-8", "random_samples", (i,), f"{u!r}", "0 <= u <= 1")


def _validate_lengths(
    draft_tokens: Sequence[int],
    draft_probs: Rows | None,
    target_probs: Rows,
    random_samples: Sequence[Number],
    drafts: bool,
    uniforms: tuple[str, str],
) -> None:
    k = len(draft_tokens)
    if drafts and (draft_probs is None or len(draft_probs) != k):
        found = "None" if draft_probs is None else _counted(len(draft_probs), "row")
        raise InvalidInput("SV-IN-1", "draft_probs", (), found, f"K = {k}, one a draft token")
    wanted, clause = uniforms
    count = {"0": 0, "K": k, "K + 1": k + 1}[wanted]
    if len(random_samples) != count:
        raise InvalidInput(clause, "random_samples", (), _counted(len(random_samples), "value"), f"{wanted} = {count}")
    if len(target_probs) < k:
        raise InvalidInput("SV-IN-3", "target_probs", (), _counted(len(target_probs), "row"), f"at least K = {k}")


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'s' * (count != 1)}"


def _validate_probabilities(argument: str, i: int, row: Row) -> None:
    """Rows need not sum to 1 (SV-IN-9)."""
    if min(row) >= 0 and isfinite(sum(row)):  # quick, and right for whole rows: a NaN makes the sum NaN
        return
    for y, value in enumerate(row):
        if not (isfinite(value) and value >= 0):
            raise InvalidInput("SV-IN-7", argument, (i, y), f"{value!r}", "a finite number, 0 or more")
