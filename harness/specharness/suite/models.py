"""Model files: a draft and a target model in exact numbers, for the law of a profile."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from specharness.errors import BadSuite
from specharness.suite.files import read_document
from specharness.suite.problems import Problem
from specharness.suite.schema import check_shape
from specharness.suite.yaml12 import YamlFloat, locate

MOST_STREAMS = 50_000
"""Larger models are refused: the law lists every stream of K + 1 tokens."""

Prefix = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Rows:
    """A model's rows: by prefix, by length of the prefix, and the default."""

    after: dict[Prefix, list[Fraction]]
    at: dict[int, list[Fraction]]
    default: list[Fraction] | None

    def __call__(self, prefix: Prefix) -> list[Fraction]:
        """The row after `prefix`. Raises KeyError where there is none."""
        row = self.after.get(prefix) or self.at.get(len(prefix)) or self.default
        if row is None:
            raise KeyError(prefix)
        return row


@dataclass(frozen=True, slots=True)
class ModelFile:
    """K, and the draft and the target model."""

    drafts: int
    draft: Rows
    target: Rows
    vocabulary: int


def read_model(path: Path) -> ModelFile:
    """Read and check a model file. Raises `BadSuite`."""
    document = read_document(path, kind="YAML model file", keys="drafts, draft and target")
    problems = check_shape(document, str(path), schema="model")
    if problems:
        raise BadSuite([str(problem) for problem in problems])
    draft, target = (_rows(document, name, path, problems) for name in ("draft", "target"))
    sizes = {len(entry["row"]) for name in ("draft", "target") for entry in document[name]}
    if len(sizes) > 1:
        problems.append(Problem(str(path), None, "", f"rows of {sorted(sizes)} tokens; expected one vocabulary size"))
    k, vocabulary = document["drafts"], max(sizes)
    if vocabulary ** (k + 1) > MOST_STREAMS:
        found = f"K = {k} and V = {vocabulary} make {vocabulary ** (k + 1):,} streams"
        problems.append(Problem(str(path), None, "", f"{found}; expected at most {MOST_STREAMS:,}"))
    if not problems:
        _check_complete(draft, range(k), "draft", path, problems)
        _check_complete(target, range(k + 1), "target", path, problems)
    if problems:
        raise BadSuite([str(problem) for problem in problems])
    return ModelFile(k, draft, target, vocabulary)


def _rows(document: Any, name: str, path: Path, problems: list[Problem]) -> Rows:
    rows = Rows({}, {}, None)
    default: list[Fraction] | None = None
    seen: set[Prefix | int | None] = set()
    for i, entry in enumerate(document[name]):
        mark = locate(document, [name, i])
        if not all(math.isfinite(value) for value in entry["row"] if isinstance(value, float)):
            problems.append(Problem(str(path), mark, "", f"{name}: a row with a number that is not finite"))
            continue
        row = [_exact(value) for value in entry["row"]]
        if sum(row) != 1 or min(row) < 0:
            problems.append(Problem(str(path), mark, "", f"{name}: a row that sums to {sum(row)}; expected 1 exactly"))
        if "after" in entry and "at" in entry:
            problems.append(Problem(str(path), mark, "", f"{name}: after and at in one entry; expected one of them"))
            continue
        key = tuple(entry["after"]) if "after" in entry else entry.get("at")
        if key in seen:
            problems.append(Problem(str(path), mark, "", f"{name}: a second row for the same prefixes"))
        seen.add(key)
        if isinstance(key, tuple):
            if len(key) > document["drafts"] or max(key, default=0) >= len(row):
                problems.append(Problem(str(path), mark, "", f"{name}: no stream comes to the prefix {list(key)}"))
            rows.after[key] = row
        elif key is not None:
            rows.at[key] = row
        else:
            default = row
    return Rows(rows.after, rows.at, default)


def _exact(value: Any) -> Fraction:
    if value == 0:  # also with an exponent of any size
        return Fraction(0)
    return Fraction(value.text if isinstance(value, YamlFloat) else value)


def _check_complete(rows: Rows, lengths: range, name: str, path: Path, problems: list[Problem]) -> None:
    """Without a default each length needs a row of its own; rows of single prefixes may leave gaps."""
    missing = [length for length in lengths if rows.default is None and length not in rows.at]
    if () in rows.after and missing[:1] == [0]:
        missing = missing[1:]
    if missing:
        message = f"{name}: no row for prefixes of length {missing[0]}; add one with at: {missing[0]}, or without at"
        problems.append(Problem(str(path), None, "", message))
