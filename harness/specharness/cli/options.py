"""The options of the command line, apart from what they do."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from specharness.cli.reports import ReportFile
from specharness.names import did_you_mean
from specharness.report.formats import FORMATS
from specharness.suite.clauses import Level
from specharness.suite.select import Selection

PROFILE_NAMES = ("argmax", "sampled", "greedy", "one-hot", "block")
DTYPE_NAMES = ("float64", "float32", "float16", "bfloat16")
SPACES = ("prob", "log")
MOST_JOBS = 256

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}
_Function = TypeVar("_Function", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteOptions:
    """Which cases: the `Selection`, from the shipped suite or from `paths`."""

    selection: Selection
    paths: tuple[Path, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunOptions:
    """What a run was asked to do. What is None was not given."""

    impl: str | None
    suite: SuiteOptions
    dtype: str
    space: str
    policies: tuple[tuple[str, str], ...]
    python: str | None
    in_process: bool
    strict: bool
    timeout: float | None
    memory: int | None
    most_failures: int | None
    most_seconds: float | None
    jobs: int
    baseline: Path | None
    update_baseline: bool
    score: bool
    verbosity: int
    reports: tuple[ReportFile, ...]
    repro: Path | None
    reproducible: bool


class Seconds(click.ParamType[float]):
    """A time above 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read `value`, or fail with a message."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= 86_400:
            self.fail(f"{value!r} is no time in seconds; expected a number above 0, at most 86400.", param, ctx)
        return seconds


class Jobs(click.ParamType[int]):
    """A number of processes, or `auto` for that of the CPUs that this process may use."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read `value`, or fail with a message."""
        if value == "auto":
            return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if not re.fullmatch("[1-9][0-9]{0,2}", str(value), re.ASCII) or int(value) > MOST_JOBS:
            self.fail(f"{value!r} is no number of processes; expected 1 to {MOST_JOBS}, or auto.", param, ctx)
        return int(value)


class Size(click.ParamType[int]):
    """A number of bytes, with an optional unit."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read `value`, or fail with a message."""
        match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([KMG]I?|)B?", str(value).upper(), re.ASCII)
        if not match:
            self.fail(f"{value!r} is no size; expected a number and a unit, such as 500MB or 1GB.", param, ctx)
        size = int(float(match[1]) * _UNITS[match[2]])
        if size < 50_000_000:
            self.fail(f"{value!r} is less than a Python process needs to start; expected at least 50MB.", param, ctx)
        return min(size, sys.maxsize)


class Assignment(click.ParamType[tuple[str, str]]):
    """A name and its value, as `comparison=lt`."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Read `value`, or fail with a message."""
        name, equals, chosen = str(value).partition("=")
        if not equals or not name or not chosen:
            self.fail(f"{value!r}: expected NAME=VALUE, such as comparison=lt.", param, ctx)
        return name, chosen


class NonEmptyPath(click.ParamType[Path]):
    """A path. An empty one would silently mean the current folder."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read `value`, or fail with a message."""
        if not str(value):
            self.fail("the path is empty; a variable that is not set, perhaps?", param, ctx)
        return Path(value)


class FileReport(click.ParamType[tuple[str, Path]]):
    """One of some formats and a file, as `html=PATH`."""

    name = "format=path"

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Path]:
        """Read `value`, or fail with a message."""
        kind, equals, path = str(value).partition("=")
        if not equals or not path or kind not in self._kinds:
            self.fail(f"{value!r}: expected FORMAT=PATH, with the format {' or '.join(self._kinds)}.", param, ctx)
        return kind, Path(path)


class Report(click.ParamType[ReportFile]):
    """A format and a file, as `json=PATH`."""

    name = "format=path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ReportFile:
        """Read `value`, or fail with a message."""
        kind, equals, path = str(value).partition("=")
        if kind not in FORMATS or not equals:
            known = " or ".join(FORMATS)
            self.fail(
                f"{value!r}: expected FORMAT=PATH, with the format {known}.{did_you_mean(kind, FORMATS)}", param, ctx
            )
        if not path:
            self.fail(f"{value!r}: the path is empty; a variable that is not set, perhaps?", param, ctx)
        return ReportFile(kind, path)


def suite_options(function: _Function) -> _Function:
    """The options that choose cases."""
    for option in reversed(
        (
            click.option("--case", "case_globs", multiple=True, metavar="GLOB", help="Only cases whose id matches."),
            click.option("--tag", "tags", multiple=True, metavar="GLOB", help="Only cases with a tag that matches."),
            click.option("--clause", "clause_globs", multiple=True, metavar="GLOB", help="Only cases of a clause."),
            click.option(
                "--level",
                "levels",
                multiple=True,
                type=click.Choice([level.value for level in Level], case_sensitive=False),
                help="Only cases that gate (MUST), or only advice (SHOULD).",
            ),
            click.option(
                "--cases",
                "paths",
                multiple=True,
                type=NonEmptyPath(),
                help="Case files or folders, instead of the shipped ones.",
            ),
            click.option("--profile", type=click.Choice(PROFILE_NAMES), default="argmax", help="The set of rules."),
        )
    ):
        function = option(function)
    return function


def judging_options(function: _Function) -> _Function:
    """The options that say by what a result is judged."""
    for option in reversed(
        (
            click.option(
                "--dtype",
                type=click.Choice(DTYPE_NAMES),
                default="float64",
                help="What the implementation computes in.",
            ),
            click.option(
                "--space",
                type=click.Choice(SPACES),
                default="prob",
                help="Whether it compares probabilities or logarithms.",
            ),
            click.option(
                "--policy", "policies", type=Assignment(), multiple=True, help="A choice of the profile sampled."
            ),
            click.option("--strict", is_flag=True, help="Let SHOULD clauses gate as well."),
        )
    ):
        function = option(function)
    return function


def implementation_options(function: _Function) -> _Function:
    """What to test, what it declares, and how it is run."""
    for option in reversed(
        (
            click.option("--impl", metavar="MODULE:FUNCTION", help="What to test; also file.py and exec:COMMAND."),
            judging_options,
            click.option(
                "--python", metavar="PATH", help="The interpreter to run the implementation with (3.9 or newer)."
            ),
            click.option("--timeout", type=Seconds(), help="Seconds that one call may take."),
            click.option("--memory", type=Size(), help="Bound of the implementation's address space, such as 1GB."),
        )
    ):
        function = option(function)
    return function


def run_options(function: _Function) -> _Function:
    """The options of a run."""
    for option in reversed(
        (
            click.option("--impl", metavar="MODULE:FUNCTION", help="What to test; also file.py and exec:COMMAND."),
            suite_options,
            judging_options,
            click.option("--score", is_flag=True, help="Print a score: 100 points, 10 more for plain Python."),
            click.option(
                "--python", metavar="PATH", help="The interpreter to run the implementation with (3.9 or newer)."
            ),
            click.option(
                "--in-process", is_flag=True, help="Run one case in this process, so that breakpoint() works."
            ),
            click.option("--timeout", type=Seconds(), help="Seconds that one call may take (10)."),
            click.option("--memory", type=Size(), help="Bound of the implementation's address space, such as 1GB."),
            click.option("--max-time", "most_seconds", type=Seconds(), help="Seconds that the whole run may take."),
            click.option("-j", "--jobs", type=Jobs(), default=1, help="Processes to run at once (1), or auto."),
            click.option("--baseline", type=NonEmptyPath(), metavar="FILE", help="Known failures (spec/baseline.md)."),
            click.option(
                "--update-baseline", is_flag=True, help="Write into the baseline what fails now, and out what passes."
            ),
            click.option("-x", "stop_at_failure", is_flag=True, help="Stop at the first failure."),
            click.option(
                "--max-fail", "most_failures", metavar="N", type=click.IntRange(min=1), help="Stop after N failures."
            ),
            click.option("-q", "--quiet", is_flag=True, help="Print the last line only."),
            click.option("-v", "--verbose", is_flag=True, help="Print every failure and advice in full."),
            click.option(
                "--report",
                "reports",
                type=Report(),
                multiple=True,
                help=f"Also write a report: {', '.join(FORMATS)}; - is standard output.",
            ),
            click.option(
                "--emit-repro",
                "repro",
                metavar="DIR",
                type=NonEmptyPath(),
                help="Write a pytest file and a case file for each failure.",
            ),
            click.option(
                "--reproducible", is_flag=True, help="Leave out of reports what differs between two runs alike."
            ),
        )
    ):
        function = option(function)
    return function


def read_suite_options(values: dict[str, Any]) -> SuiteOptions:
    """Take the options of `suite_options` out of click's values."""
    return SuiteOptions(
        selection=Selection(
            cases=values.pop("case_globs"),
            tags=values.pop("tags"),
            clauses=values.pop("clause_globs"),
            levels=tuple(Level(name) for name in values.pop("levels")),
            profile=values.pop("profile"),
        ),
        paths=values.pop("paths"),
    )


def read_run_options(values: dict[str, Any]) -> RunOptions:
    """The options of `run_options` from click's values. Raises `click.UsageError`."""
    quiet, verbose = values.pop("quiet"), values.pop("verbose")
    if quiet and verbose:
        raise click.UsageError("-q and -v exclude each other.")
    if values.pop("stop_at_failure"):
        if values["most_failures"]:
            raise click.UsageError("-x is --max-fail 1; give one of them.")
        values["most_failures"] = 1
    return RunOptions(suite=read_suite_options(values), verbosity=verbose - quiet, **values)
