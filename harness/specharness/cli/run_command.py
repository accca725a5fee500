"""The main form of the command, as far as it is known before anything is loaded: check, and start the implementation.

It starts before the harness has imported what reads, judges and reports, so that its own start overlaps.
"""

from __future__ import annotations

import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from specharness.cli.options import RunOptions
from specharness.cli.reports import STANDARD_OUTPUT, check_reports, problem_of_file
from specharness.errors import NotRunnable, UsageError
from specharness.exit_codes import ExitCode
from specharness.implementation.bounds import Limits
from specharness.implementation.runner import Runner
from specharness.implementation.target import Target, parse_target

if TYPE_CHECKING:
    from specharness.implementation.pool import Pool

REFERENCE = "specreference:verify_speculative_tokens"


def run(options: RunOptions) -> ExitCode:
    """Run as asked, print and write the reports, and give the exit code. Raises `SpecharnessError`."""
    _check_combination(options)
    check_reports(options.reports)
    if options.repro:
        from specharness.cli.repro_folder import check_folder

        check_folder(options.repro)
    if options.reproducible:
        os.environ.setdefault("PYTHONHASHSEED", "0")  # for the implementation, which may print a set
    if options.baseline:
        _check_baseline(options, options.baseline)
    runner: Runner | Pool | NotRunnable | None = None if options.in_process else _start(options)
    try:
        from specharness.cli.run_suite import run_suite

        return run_suite(options, runner or target_of(options))
    finally:
        if runner and not isinstance(runner, NotRunnable):
            runner.close()


def _start(options: RunOptions) -> Runner | Pool | NotRunnable:
    """The started implementation, or why it can't be: a bad suite outranks that, and is looked for first."""
    limits = Limits(memory=options.memory)
    if options.timeout:
        limits = replace(limits, timeout=options.timeout)
    if options.most_seconds:
        limits = replace(limits, whole=options.most_seconds)
    profile = options.suite.selection.profile
    try:
        if options.jobs == 1:
            return Runner(target_of(options), limits, profile=profile, watch_imports=options.score)
        from specharness.implementation.pool import Pool

        return Pool(target_of(options), limits, jobs=options.jobs, profile=profile, watch_imports=options.score)
    except NotRunnable as error:
        return error


def target_of(options: RunOptions) -> Target:
    """What to run. Raises `NotRunnable` and `UsageError`."""
    text = REFERENCE if options.impl is None else options.impl
    return parse_target(text, python=options.python)


def _check_combination(options: RunOptions) -> None:
    if options.in_process:
        given = {
            "--score": options.score,
            "--python": options.python,
            "--timeout": options.timeout,
            "--memory": options.memory,
            "--max-time": options.most_seconds,
            "--jobs": options.jobs > 1,
        }
        for name, value in given.items():
            if value:
                raise UsageError(f"{name} needs a process of the implementation's own; leave out --in-process")
        for report in options.reports:
            if report.takes_output:
                raise UsageError(f"{report}: with --in-process the implementation prints there as well; name a file")
    if options.update_baseline:
        _check_update(options)


def _check_update(options: RunOptions) -> None:
    """A baseline is written from a run of all cases, in a process that lets each be judged."""
    if options.baseline is None:
        raise UsageError("--update-baseline needs a file: name one with --baseline FILE")
    for name, given in (
        ("--in-process", options.in_process),
        ("-x and --max-fail", options.most_failures),
        ("a selection", options.suite.selection.is_partial),
    ):
        if given:
            raise UsageError(f"--update-baseline needs a run of all cases; leave out {name}")


def _check_baseline(options: RunOptions, path: Path) -> None:
    """A baseline that can't be written is known before the run."""
    target = os.path.realpath(path)
    if any(report.path != STANDARD_OUTPUT and os.path.realpath(report.path) == target for report in options.reports):
        raise UsageError(f"--baseline {path}: a report is to go to this file; expected another one")
    if options.update_baseline and (problem := problem_of_file(path)):
        raise UsageError(f"--baseline {path}: {problem}")
