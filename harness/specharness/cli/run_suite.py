"""A run of the suite on an implementation that has been started: plan, run, report."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

from specharness.cli.options import RunOptions
from specharness.cli.reports import STANDARD_OUTPUT, render_report, write_report
from specharness.cli.terminal import complain, paint, say, width, with_progress
from specharness.cli.words import command_words, selecting_words, words_of_run
from specharness.errors import NotRunnable, SpecharnessError, UsageError
from specharness.exit_codes import ExitCode
from specharness.implementation.bounds import Limits
from specharness.implementation.target import Target
from specharness.judge.rounding import Arithmetic
from specharness.report.result import RunResult, Setting
from specharness.report.text import Style, render
from specharness.run import Plan, plan_for, run_observations, run_plan
from specharness.suite.clauses import Clause, load_clauses
from specharness.suite.load import load_suite
from specharness.suite.model import Case
from specharness.suite.policies import check_policies
from specharness.suite.select import select, size_of_profile

if TYPE_CHECKING:
    from specharness.implementation.pool import Pool
    from specharness.implementation.runner import Runner
    from specharness.suite.baseline import Baseline


def run_suite(options: RunOptions, implementation: Runner | Pool | Target | NotRunnable) -> ExitCode:
    """Run the suite on a started implementation, or in this process on a target; print and write the reports."""
    setting = _setting(options)
    suite = _load(options)  # a bad suite outranks an implementation that can't run
    match implementation:
        case Target() as target:
            result = _run_here(options, setting, suite, target)
        case NotRunnable() as error:
            raise error
        case runner:
            result = _run_apart(options, setting, suite, runner)
    updated = True
    if options.update_baseline:
        result, updated = _update_baseline(options, result, suite)
    if options.reproducible:
        from specharness.report.reproducible import without_variation

        result = without_variation(result)
    reproduced, result = _write_repro(options, result)
    written = _write_reports(options, result) and reproduced and updated
    _say_all(options, result)
    return result.exit_code if written else ExitCode.USAGE


@dataclass(frozen=True, slots=True)
class _Suite:
    """All cases that were read, the clauses, and the known failures among them where a baseline was named."""

    cases: Sequence[Case]
    clauses: Mapping[str, Clause]
    baseline: Baseline | None


def _load(options: RunOptions) -> _Suite:
    clauses = load_clauses()
    cases = load_suite(options.suite.paths)
    baseline = None
    if options.baseline:
        from specharness.suite.baseline_file import read_baseline

        profile = options.suite.selection.profile
        baseline = read_baseline(options.baseline, cases, clauses, new=profile if options.update_baseline else None)
        if options.update_baseline and baseline.profile not in ("", profile):
            raise UsageError(
                f"--update-baseline: {baseline.file} is of the profile {baseline.profile}, not of {profile}"
            )
    return _Suite(cases, clauses, baseline)


def _update_baseline(options: RunOptions, result: RunResult, suite: _Suite) -> tuple[RunResult, bool]:
    """The result as the renewed baseline has it, or as it is with the reason; and whether it is written."""
    from specharness.cli.update_baseline import update_baseline

    assert options.baseline is not None  # _check_update
    if result.interrupted:
        complain(f"--baseline {options.baseline}: interrupted; nothing was written")
        return result, True
    try:
        return update_baseline(options.baseline, result, suite.cases), True
    except UsageError as error:
        complain(str(error))
        return result, False


def _run_apart(options: RunOptions, setting: Setting, suite: _Suite, runner: Runner | Pool) -> RunResult:
    plan = _plan(options, setting, suite, runner.wait_ready)
    runner.wait_ready()
    return run_plan(runner, plan, setting, with_progress)


def _run_here(options: RunOptions, setting: Setting, suite: _Suite, target: Target) -> RunResult:
    from specharness.implementation.inprocess import load_function, run_here

    loaded: list[Callable[..., Any]] = []
    plan = _plan(options, setting, suite, lambda: loaded.append(load_function(target)))
    if len(plan.cases) != 1:
        raise UsageError(f"--in-process runs one case, {len(plan.cases)} are selected; name one with --case")
    function = loaded[0] if loaded else load_function(target)
    return run_observations(run_here(function, plan.cases, repeat=False), plan, setting)


def _plan(options: RunOptions, setting: Setting, suite: _Suite, before_selection: Callable[[], None]) -> Plan:
    """What to run. `before_selection` may raise: an implementation that can't run outranks an empty selection."""
    try:
        chosen = select(suite.cases, options.suite.selection, suite.clauses)
        return plan_for(
            chosen,
            suite.clauses,
            setting,
            most_failures=options.most_failures,
            score=options.score,
            selected_of=size_of_profile(suite.cases, options.suite.selection),
            baseline=suite.baseline,
        )
    except SpecharnessError:
        before_selection()
        raise


def _setting(options: RunOptions) -> Setting:
    return Setting(
        implementation=options.impl or "specreference:verify_speculative_tokens",
        profile=options.suite.selection.profile,
        arithmetic=Arithmetic(options.dtype, options.space),
        policies=check_policies(options.suite.selection.profile, options.policies),
        strict=options.strict,
        self_check=options.impl is None,
        again=words_of_run(options),
        command=(*words_of_run(options), *selecting_words(options))
        if options.reproducible
        else (*command_words(), *sys.argv[1:]),
        shipped=not options.suite.paths,
    )


def _write_repro(options: RunOptions, result: RunResult) -> tuple[bool, RunResult]:
    """Write the files that reproduce failures; whether they were written, and the result with a note of them."""
    if options.repro is None:
        return True, result
    from specharness.cli.repro_folder import write_folder
    from specharness.cli.run_command import target_of
    from specharness.report.repro import reproduce

    repro = reproduce(result, target_of(options), options.repro, timeout=options.timeout or Limits().timeout)
    problem = write_folder(options.repro, repro)
    if problem:
        complain(problem)
        return False, result
    return True, replace(result, notes=[*result.notes, repro.summary])


def _write_reports(options: RunOptions, result: RunResult) -> bool:
    """Write each report to its file, or say why not; whether all were written."""
    files = [report for report in options.reports if report.path != STANDARD_OUTPUT]
    problems = [problem for report in files if (problem := write_report(report, result))]
    for problem in problems:
        complain(problem)
    return not problems


def _say_all(options: RunOptions, result: RunResult) -> None:
    """The text report, and those that go to standard output: one has it for itself, or stands before the text."""
    alone = any(report.takes_output for report in options.reports)
    for report in options.reports:
        if report.path == STANDARD_OUTPUT:
            say(render_report(report, result).removesuffix("\n"), document=report.takes_output)
    style = Style(options.verbosity, width(error=alone), partial(paint, error=alone))
    say(render(result, style), error=alone)
