"""From a document of the right shape to cases: numbers read, recipes and matrices expanded."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from specharness.suite.model import ARGUMENTS, Case, Expected, write_arguments
from specharness.suite.numbers import NumberProblem, read_number
from specharness.suite.problems import Problem
from specharness.suite.recipe import MAX_NUMBERS, expand_recipe, recipe_size
from specharness.suite.yaml12 import Mark, locate

MOST_PROBLEMS = 1000
"""After so many nothing more is looked for."""

WITH_COIN = ("sampled", "one-hot", "block")
"""Profiles whose calls have K + 1 uniforms, the last of which draws the recovered or bonus token."""

WITHOUT_DRAFTS = ("greedy", "one-hot")
"""Profiles whose calls have None for `draft_probs`; cases may leave it out."""


@dataclass(frozen=True, slots=True)
class Written:
    """A case with what only the check of its file needs: where it stands, and its numbers as they were written."""

    case: Case
    mark: Mark
    expect_mark: Mark
    clauses_mark: Mark
    arguments: dict[str, Any]


def build_cases(document: Any, file: str, problems: list[Problem]) -> list[Written]:
    """The cases of a document that `check_shape` found nothing in. What can't be built is added to `problems`."""
    built: list[Written] = []
    for at, entry in enumerate(document["cases"]):
        mark = locate(document, ["cases", at])
        base = _base_arguments(entry, document["profile"], file, problems)
        for name, title, variant_mark, variant in _variants(entry, mark):
            arguments = {**base, **_numbers(variant.get("input", {}), entry["id"], file, problems)}
            if document["profile"] in WITHOUT_DRAFTS:
                arguments.setdefault("draft_probs", None)
            missing = [argument for argument in ARGUMENTS if argument not in arguments]
            if missing:
                problems.append(Problem(file, variant_mark, name, f"its input lacks {', '.join(missing)}"))
                continue
            ordered = {argument: arguments[argument] for argument in ARGUMENTS}
            expect = variant.get("expect", entry["expect"])
            if "raises" not in expect and expect["acceptance_count"] != len(expect["accepted_tokens"]):
                found = f"expects acceptance_count {expect['acceptance_count']}"
                wanted = f"{len(expect['accepted_tokens'])}, the length of accepted_tokens"
                place = locate(variant if "expect" in variant else entry, ["expect"])
                problems.append(Problem(file, place, name, f"{found}; expected {wanted}"))
            case = Case(
                id=name,
                title=title,
                clauses=tuple(entry["clauses"]),
                tags=tuple(entry.get("tags", ())),
                dtypes=tuple(entry.get("dtypes", ())),
                policies=tuple(entry.get("policies", {}).items()),
                notes=entry.get("notes", "").strip(),
                profile=document["profile"],
                file=file,
                line=variant_mark[0],
                arguments_json=write_arguments(ordered),
                expected=_expected(expect),
            )
            holder = variant if "expect" in variant else entry
            marks = variant_mark, locate(holder, ["expect"]), locate(entry, ["clauses"])
            built.append(Written(case, *marks, ordered))
    return built


def _variants(entry: Any, mark: Mark) -> Iterator[tuple[str, str, Mark, Any]]:
    """Id, title, place and overriding part of each case that an entry stands for."""
    if "matrix" not in entry:
        yield entry["id"], entry["title"], mark, {}
        return
    for number, variant in enumerate(entry["matrix"], start=1):
        place = locate(entry, ["matrix", number - 1])
        yield f"{entry['id']}/{number}", variant.get("title", entry["title"]), place, variant


def _base_arguments(entry: Any, profile: str, file: str, problems: list[Problem]) -> dict[str, Any]:
    made: dict[str, Any] = {}
    if "recipe" in entry and (numbers := recipe_size(**entry["recipe"])) > MAX_NUMBERS:
        message = f"the recipe makes {numbers:,} numbers; expected at most {MAX_NUMBERS:,}"
        problems.append(Problem(file, locate(entry, ["recipe"]), entry["id"], message))
    elif "recipe" in entry:
        made = expand_recipe(**entry["recipe"], uniforms=1 if profile in WITH_COIN else 0)
        made.update({"draft_probs": None} if profile in WITHOUT_DRAFTS else {})
        made.update({"random_samples": []} if profile == "greedy" else {})
    return {**made, **_numbers(entry.get("input", {}), entry["id"], file, problems)}


def _numbers(written: Any, case: str, file: str, problems: list[Problem]) -> dict[str, Any]:
    """The arguments of an `input` mapping: token indices as ints, probabilities and uniforms as floats."""
    arguments: dict[str, Any] = {}
    for argument, value in written.items():
        if argument == "draft_tokens":
            arguments[argument] = [int(token) for token in value]
        elif value is None:
            arguments[argument] = None
        elif argument == "random_samples":
            arguments[argument] = _row(written, [argument], value, case, file, problems)
        else:
            rows = enumerate(value)
            arguments[argument] = [_row(written, [argument, i], row, case, file, problems) for i, row in rows]
    return arguments


def _row(written: Any, path: list[str | int], row: Any, case: str, file: str, problems: list[Problem]) -> list[float]:
    numbers: list[float] = []
    for i, value in enumerate(row):
        if len(problems) >= MOST_PROBLEMS:
            break
        try:
            numbers.append(read_number(value))
        except NumberProblem as problem:
            place = path[0] if len(path) == 1 else f"{path[0]}[{path[1]}]"
            problems.append(Problem(file, locate(written, [*path, i]), case, f"{place}[{i}]: {problem}"))
    return numbers


def _expected(expect: Any) -> Expected:
    if "raises" in expect:
        return Expected(raises=expect["raises"])
    bonus = expect["bonus_token"]
    return Expected(tuple(map(int, expect["accepted_tokens"])), None if bonus is None else int(bonus))
