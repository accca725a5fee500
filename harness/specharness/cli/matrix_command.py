"""The sub-command that runs several implementations on the same cases."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import click

from specharness.cli.files import check_files, write_files
from specharness.cli.options import SuiteOptions, judging_options, process_options, read_suite_options, suite_options
from specharness.cli.parameters import FileReport
from specharness.cli.terminal import paint, say, width, with_progress
from specharness.errors import NotRunnable, SpecharnessError, UsageError
from specharness.exit_codes import ExitCode
from specharness.implementation.bounds import Limits
from specharness.implementation.runner import Runner
from specharness.implementation.target import parse_target
from specharness.judge.rounding import Arithmetic
from specharness.report.comparison import Column, Comparison, letters_of
from specharness.report.comparison_text import render_comparison
from specharness.report.result import Setting
from specharness.report.text import Style
from specharness.run import Plan, plan_for, run_plan
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_suite
from specharness.suite.policies import check_policies
from specharness.suite.select import select, size_of_profile

_StartRunner = Callable[[str], Runner]
"""Starts an implementation by its name."""


@click.command("matrix")
@click.option("--impl", "impls", multiple=True, metavar="MODULE:FUNCTION", help="What to run; two or more.")
@suite_options
@judging_options
@process_options
@click.option("-q", "--quiet", is_flag=True, help="Print the last line only.")
@click.option("-v", "--verbose", is_flag=True, help="Name every case.")
@click.option(
    "--report",
    "reports",
    type=FileReport("json", "markdown", "html"),
    multiple=True,
    help="Also write it: json, markdown, html.",
)
def run_matrix(
    impls: tuple[str, ...],
    dtype: str,
    space: str,
    policies: tuple[tuple[str, str], ...],
    strict: bool,
    python: str | None,
    timeout: float | None,
    memory: int | None,
    quiet: bool,
    verbose: bool,
    reports: tuple[tuple[str, Path], ...],
    **values: Any,
) -> ExitCode:
    """Show where implementations fail and differ.

    They run one after the other, on the same cases. Where all of them agree against the expectation, perhaps the case
    is wrong.
    """
    if quiet and verbose:
        raise UsageError("-q and -v exclude each other")
    _check_implementations(impls, python)
    check_files(reports)
    suite = read_suite_options(values)
    profile = suite.selection.profile
    setting = Setting(
        implementation="",
        profile=profile,
        arithmetic=Arithmetic(dtype, space),
        policies=check_policies(profile, policies),
        strict=strict,
        shipped=not suite.paths,
    )
    limits = Limits(memory=memory)
    if timeout:
        limits = replace(limits, timeout=timeout)
    start = partial(_start, python=python, limits=limits, profile=profile)
    plan = _plan(suite, setting, impls, start)
    columns = _columns(impls, plan, setting, start)
    comparison = Comparison(setting, columns, plan.cases, plan.skipped, plan.selected_of)
    write_files(reports, {kind: partial(_render, kind, comparison) for kind in ("json", "markdown", "html")})
    say(render_comparison(comparison, Style(verbose - quiet, width(), paint)))
    return comparison.exit_code


def _check_implementations(impls: Sequence[str], python: str | None) -> None:
    if len(impls) < 2:
        raise UsageError("matrix compares implementations: name two or more, each with --impl MODULE:FUNCTION")
    for at, name in enumerate(impls):
        if not name.strip():
            raise UsageError("--impl is empty; a variable that is not set, perhaps?")
        if name in impls[:at]:
            raise UsageError(f"--impl {name}: named twice")
    if python is not None and all(map(_is_command, impls)):
        raise UsageError("--python is for Python functions; an exec: command names its own program")


def _plan(suite: SuiteOptions, setting: Setting, impls: Sequence[str], start: _StartRunner) -> Plan:
    """The cases to run. An implementation that can't run outranks an empty selection. Raises `SpecharnessError`."""
    clauses = load_clauses()
    cases = load_suite(suite.paths)
    try:
        chosen = select(cases, suite.selection, clauses)
        return plan_for(chosen, clauses, setting, selected_of=size_of_profile(cases, suite.selection))
    except SpecharnessError:
        for name in impls:
            runner = start(name)
            try:
                runner.wait_ready()
            finally:
                runner.close()
        raise


def _columns(impls: Sequence[str], plan: Plan, setting: Setting, start: _StartRunner) -> list[Column]:
    """A column for each implementation; after an interrupt the others are not run."""
    columns: list[Column] = []
    interrupted = False
    for at, name in enumerate(impls):
        if interrupted:
            columns.append(Column(letters_of(at), name, None, "interrupted before it was run"))
            continue
        columns.append(_column(letters_of(at), name, plan, setting, start))
        result = columns[-1].result
        interrupted = result is not None and result.interrupted
    return columns


def _column(letters: str, name: str, plan: Plan, setting: Setting, start: _StartRunner) -> Column:
    runner = None
    try:
        runner = start(name)
        runner.wait_ready()
        return Column(letters, name, run_plan(runner, plan, replace(setting, implementation=name), with_progress))
    except NotRunnable as error:
        return Column(letters, name, None, str(error))
    finally:
        if runner:
            runner.close()


def _start(name: str, *, python: str | None, limits: Limits, profile: str) -> Runner:
    target = parse_target(name, python=None if _is_command(name) else python)
    return Runner(target, limits, profile=profile)


def _is_command(name: str) -> bool:
    return name.startswith("exec:")


def _render(kind: str, comparison: Comparison) -> str:
    """A report's text; what is not asked for is not imported."""
    match kind:
        case "json":
            from specharness.report.comparison_json import render_comparison_json as render
        case "markdown":
            from specharness.report.comparison_markdown import render_comparison_markdown as render
        case _:
            from specharness.report.comparison_html import render_comparison_html as render
    return render(comparison)
