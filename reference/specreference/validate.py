"""The input clauses, SV-IN-1 to SV-IN-8, in the order in which the reference reports them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import isfinite

Row = Sequence[float]


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
    draft_probs: Sequence[Row],
    target_probs: Sequence[Row],
    random_samples: Sequence[float],
) -> None:
    """Raise `InvalidInput` for the first broken input clause; lengths come before everything else (SV-IN-4)."""
    validate_lengths(draft_tokens, draft_probs, target_probs, random_samples)
    rows = [*_rows("draft_probs", draft_probs), *_rows("target_probs", target_probs)]
    validate_vocabulary(rows)
    if rows:
        validate_tokens(draft_tokens, len(rows[0][2]))
    validate_probabilities(rows)
    validate_uniforms(random_samples)


def validate_lengths(
    draft_tokens: Sequence[int],
    draft_probs: Sequence[Row],
    target_probs: Sequence[Row],
    random_samples: Sequence[float],
) -> None:
    """SV-IN-1 to SV-IN-3: K rows of q, K uniforms, at least K rows of p."""
    k = len(draft_tokens)
    if len(draft_probs) != k:
        raise InvalidInput("SV-IN-1", "draft_probs", (), f"{len(draft_probs)} rows", f"K = {k}, one a draft token")
    if len(random_samples) != k:
        raise InvalidInput("SV-IN-2", "random_samples", (), f"{len(random_samples)} values", f"K = {k}")
    if len(target_probs) < k:
        raise InvalidInput("SV-IN-3", "target_probs", (), f"{len(target_probs)} rows", f"at least K = {k}")


def validate_vocabulary(rows: Sequence[tuple[str, int, Row]]) -> None:
    """SV-IN-5: all rows have one size, and it is not 0."""
    for argument, i, row in rows:
        if len(row) == 0:
            raise InvalidInput("SV-IN-5", argument, (i,), "a row of no tokens", "at least one token")
        if len(row) != len(rows[0][2]):
            first = f"{rows[0][0]}[{rows[0][1]}]"
            raise InvalidInput("SV-IN-5", argument, (i,), f"{len(row)} tokens", f"{len(rows[0][2])}, as in {first}")


def validate_tokens(draft_tokens: Sequence[int], vocabulary: int) -> None:
    """SV-IN-6: each draft token is an index into the vocabulary."""
    for i, token in enumerate(draft_tokens):
        if not 0 <= token < vocabulary:
            raise InvalidInput("SV-IN-6", "draft_tokens", (i,), f"token {token}", f"0 <= token < V = {vocabulary}")


def validate_probabilities(rows: Sequence[tuple[str, int, Row]]) -> None:
    """SV-IN-7: each probability is finite and not negative. Rows need not sum to 1 (SV-IN-9)."""
    for argument, i, row in rows:
        if min(row) >= 0 and isfinite(sum(row)):  # quick, and right for whole rows: a NaN makes the sum NaN
            continue
        for y, value in enumerate(row):
            if not (isfinite(value) and value >= 0):
                raise InvalidInput("SV-IN-7", argument, (i, y), f"{value!r}", "a finite number, 0 or more")


def validate_uniforms(random_samples: Sequence[float]) -> None:
    """SV-IN-8: each uniform lies in [0, 1]."""
    for i, u in enumerate(random_samples):
        if not 0 <= u <= 1:
            raise InvalidInput("SV-IN-8", "random_samples", (i,), f"{u!r}", "0 <= u <= 1")


def _rows(argument: str, rows: Sequence[Row]) -> Iterator[tuple[str, int, Row]]:
    return ((argument, i, row) for i, row in enumerate(rows))
