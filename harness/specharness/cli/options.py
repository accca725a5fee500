"""The options of the command line, apart from what they do."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from specharness.cli.parameters import Assignment, Jobs, Memory, NonEmptyPath, Report, Seconds
from specharness.cli.reports import ReportFile
from specharness.report.formats import FORMATS
from specharness.suite.clauses import Level
from specharness.suite.select import Selection

PROFILE_NAMES = ("argmax", "sampled", "greedy", "one-hot", "block")
DTYPE_NAMES = ("float64", "float32", "float16", "bfloat16")
SPACES = ("prob", "log")

_Function = TypeVar("_Function", bound=Callable[..., Any])

_IMPL = click.option("--impl", metavar="MODULE:FUNCTION", help="What to test; also file.py and exec:COMMAND.")
_PYTHON = click.option(
    "--python", metavar="PATH", help="The interpreter to run the implementation with (3.9 or newer)."
)
_TIMEOUT = click.option("--timeout", type=Seconds(), help="Seconds that one call may take (10).")
_MEMORY = click.option("--memory", type=Memory(), help="Bound of the implementation's address space, such as 1GB.")


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


def process_options(function: _Function) -> _Function:
    """How the implementation's process is run."""
    for option in (_MEMORY, _TIMEOUT, _PYTHON):
        function = option(function)
    return function


def implementation_options(function: _Function) -> _Function:
    """What to test, what it declares, and how it is run, but for the timeout, whose default differs."""
    for option in (_MEMORY, _PYTHON, judging_options, _IMPL):
        function = option(function)
    return function


def run_options(function: _Function) -> _Function:
    """The options of a run."""
    for option in reversed(
        (
            _IMPL,
            suite_options,
            judging_options,
            click.option("--score", is_flag=True, help="Print a score: 100 points, 10 more for plain Python."),
            _PYTHON,
            click.option(
                "--in-process", is_flag=True, help="Run one case in this process, so that breakpoint() works."
            ),
            _TIMEOUT,
            _MEMORY,
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
