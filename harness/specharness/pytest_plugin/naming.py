"""How case files are called in node ids, and which arguments of the command line name cases."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from specharness.locations import data_root
from specharness.names import did_you_mean
from specharness.suite.model import Case

SHIPPED = "specharness"
"""What the node ids of shipped cases begin with."""


@dataclass(frozen=True, slots=True)
class CaseSource:
    """A case file with those of its cases that are to be tested.

    `name` is what its node ids begin with, `argument` what names it on the command line.
    """

    name: str
    argument: str
    path: Path
    cases: tuple[Case, ...]


def sources_of(cases: Iterable[Case], config: pytest.Config, *, shipped: bool) -> list[CaseSource]:
    """The files of `cases`, in order."""
    files: dict[str, list[Case]] = {}
    for case in cases:
        files.setdefault(case.file, []).append(case)
    return [_source(file, tuple(inside), config, shipped=shipped) for file, inside in files.items()]


def _source(file: str, cases: tuple[Case, ...], config: pytest.Config, *, shipped: bool) -> CaseSource:
    if shipped:
        name = f"{SHIPPED}/{file.removeprefix('cases/')}"
        return CaseSource(name, name, data_root() / file, cases)
    path = Path(os.path.abspath(config.invocation_params.dir / file))
    return CaseSource(Path(os.path.relpath(path, config.rootpath)).as_posix(), file, path, cases)


def part_arguments(
    arguments: Sequence[str], sources: Sequence[CaseSource], folder: Path
) -> tuple[list[str], list[CaseSource] | None]:
    """The arguments that name no cases, and the sources cut down to what the others name; None where none does.

    Raises `pytest.UsageError` for a case that its file does not have.
    """
    rest: list[str] = []
    named: dict[str, set[str]] = {}
    for argument in arguments:
        file, *inside = argument.split("::")
        found = [source for source in sources if _is_named(source, file, folder, whole=not inside)]
        if not found:
            rest.append(argument)
        for source in found:
            named.setdefault(source.name, set()).update(_ids_named(source, inside, argument))
    if len(rest) == len(arguments):
        return rest, None
    return rest, [_cut_down(source, named[source.name]) for source in sources if source.name in named]


def _is_named(source: CaseSource, file: str, folder: Path, *, whole: bool) -> bool:
    """Whether `file` is the source, or with `whole` a folder that it is in; a file that is really there comes first."""
    path = folder / file
    if path.exists():
        return path.is_file() and path.samefile(source.path)
    return source.name == file or (whole and source.name.startswith(file.rstrip("/") + "/"))


def _ids_named(source: CaseSource, inside: list[str], argument: str) -> set[str]:
    ids = [case.id for case in source.cases]
    if not inside:
        return set(ids)
    name = "::".join(inside)
    found = {each for each in ids if name in (each, each.partition("/")[0])}
    if not found:
        raise pytest.UsageError(f"not found: {argument}: the file has no case {name} to run.{did_you_mean(name, ids)}")
    return found


def _cut_down(source: CaseSource, ids: set[str]) -> CaseSource:
    cases = tuple(case for case in source.cases if case.id in ids)
    return CaseSource(source.name, source.argument, source.path, cases)


def is_case_file(argument: str) -> bool:
    """Whether an argument of the command line looks like a case file, or a case in one."""
    return argument.partition("::")[0].endswith((".yaml", ".yml"))


def is_test_file(argument: str, folder: Path) -> bool:
    """Whether it names a file of tests, or a test in one."""
    return (folder / argument.partition("::")[0]).is_file() and not is_case_file(argument)
