"""The main form of the command: run the suite on an implementation."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from specharness.atomic import write_atomically
from specharness.cli.options import RunOptions
from specharness.cli.terminal import complain, paint, say, width, with_progress
from specharness.errors import NotRunnable, SpecharnessError, UsageError
from specharness.exit_codes import ExitCode
from specharness.implementation.runner import Runner
from specharness.implementation.session import Limits
from specharness.implementation.target import Target, parse_target
from specharness.judge.rounding import Arithmetic
from specharness.report.json_report import render_json
from specharness.report.result import RunResult, Setting
from specharness.report.text import Style, render
from specharness.run import Plan, plan_for, run_observations, run_plan
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_suite
from specharness.suite.policies import check_policies
from specharness.suite.select import select, size_of_profile

REFERENCE = "specreference:verify_speculative_tokens"
_RENDERERS: dict[str, Callable[[RunResult], str]] = {"json": render_json}


def run(options: RunOptions) -> ExitCode:
    """Run as asked, print and write the reports, and give the exit code. Raises `SpecharnessError`."""
    _check_combination(options)
    setting = _setting(options)
    _check_report_paths(options)
    result = _run_here(options, setting) if options.in_process else _run_apart(options, setting)
    written = _write_reports(options, result)
    say(render(result, Style(options.verbosity, width(), paint)))
    return result.exit_code if written else ExitCode.USAGE


def _target(options: RunOptions) -> Target:
    text = REFERENCE if options.impl is None else options.impl
    if options.python is None:
        return parse_target(text)
    if Path(options.python).is_dir():
        raise UsageError(f"--python {options.python}: is a folder; expected an interpreter, such as .../bin/python")
    return parse_target(text, python=options.python)


def _run_apart(options: RunOptions, setting: Setting) -> RunResult:
    limits = Limits(memory=options.memory)
    if options.timeout:
        limits = replace(limits, timeout=options.timeout)
    try:
        runner = Runner(_target(options), limits, profile=setting.profile, watch_imports=options.score)
    except NotRunnable:
        load_suite(options.suite.paths)  # a bad suite outranks it
        raise
    try:
        plan = _plan(options, setting, runner.wait_ready)
        runner.wait_ready()
        return run_plan(runner, plan, setting, with_progress)
    finally:
        runner.close()


def _run_here(options: RunOptions, setting: Setting) -> RunResult:
    from specharness.implementation.inprocess import load_function, run_here

    loaded: list[Callable[..., Any]] = []
    plan = _plan(options, setting, lambda: loaded.append(load_function(_target(options))))
    if len(plan.cases) != 1:
        raise UsageError(f"--in-process runs one case, {len(plan.cases)} are selected; name one with --case")
    function = loaded[0] if loaded else load_function(_target(options))
    return run_observations(run_here(function, plan.cases, repeat=False), plan, setting)


def _plan(options: RunOptions, setting: Setting, before_selection: Callable[[], None]) -> Plan:
    """What to run. `before_selection` may raise: an implementation that can't run outranks an empty selection."""
    clauses = load_clauses()
    cases = load_suite(options.suite.paths)
    try:
        chosen = select(cases, options.suite.selection, clauses)
        return plan_for(
            chosen,
            clauses,
            setting,
            stop_at_failure=options.stop_at_failure,
            score=options.score,
            selected_of=size_of_profile(cases, options.suite.selection),
        )
    except SpecharnessError:
        before_selection()
        raise


def _setting(options: RunOptions) -> Setting:
    return Setting(
        implementation=REFERENCE if options.impl is None else options.impl,
        profile=options.suite.selection.profile,
        arithmetic=Arithmetic(options.dtype, options.space),
        policies=check_policies(options.suite.selection.profile, options.policies),
        strict=options.strict,
        self_check=options.impl is None,
        again=_again(options),
    )


def _again(options: RunOptions) -> tuple[str, ...]:
    """The command without its selection and its reports."""
    words = _command()
    if options.impl:
        words += ["--impl", options.impl]
    for path in options.suite.paths:
        words += ["--cases", str(path)]
    if options.suite.selection.profile != "argmax":
        words += ["--profile", options.suite.selection.profile]
    if options.dtype != "float64":
        words += ["--dtype", options.dtype]
    if options.space != "prob":
        words += ["--space", options.space]
    for name, value in options.policies:
        words += ["--policy", f"{name}={value}"]
    if options.strict:
        words.append("--strict")
    if options.python:
        words += ["--python", options.python]
    if options.timeout:
        words += ["--timeout", f"{options.timeout:g}"]
    if options.memory:
        words += ["--memory", str(options.memory)]
    return tuple(words)


def _command() -> list[str]:
    """The words that start this program again."""
    if Path(sys.argv[0]).name != "specharness":
        return [sys.executable, "-m", "specharness"]
    return ["specharness" if shutil.which("specharness") else sys.argv[0]]


def _check_combination(options: RunOptions) -> None:
    if options.in_process:
        given = {
            "--score": options.score,
            "--python": options.python,
            "--timeout": options.timeout,
            "--memory": options.memory,
        }
        for name, value in given.items():
            if value:
                raise UsageError(f"{name} needs a process of the implementation's own; leave out --in-process")
    for name, text in (("--impl", options.impl), ("--python", options.python)):
        if text is not None and not text.strip():
            raise UsageError(f"{name} is empty; a variable that is not set, perhaps?")
    if options.python and (options.impl or "").startswith("exec:"):
        raise UsageError("--python is for Python functions; an exec: command names its own program")
    if options.memory and not _can_limit_memory():
        raise UsageError("--memory needs the resource limits of a POSIX system, which this one lacks")


def _can_limit_memory() -> bool:
    try:
        import resource
    except ImportError:
        return False
    return hasattr(resource, "RLIMIT_AS")


def _check_report_paths(options: RunOptions) -> None:
    """A report that can't be written is known before the run."""
    seen: set[Path] = set()
    for _, path in options.reports:
        folder = path.absolute().parent
        if path.absolute() in seen:
            raise UsageError(f"--report {path}: named twice; expected a file of its own for each report")
        seen.add(path.absolute())
        if os.path.isdir(path):
            raise UsageError(f"--report {path}: is a folder; expected a file")
        if not os.path.isdir(folder):
            raise UsageError(f"--report {path}: the folder {folder} does not exist, or can't be looked into")
        if not os.access(folder, os.W_OK) or (os.path.exists(path) and not os.access(path, os.W_OK)):
            raise UsageError(f"--report {path}: no permission to write it")


def _write_reports(options: RunOptions, result: RunResult) -> bool:
    """Write each report, or say why not; whether all were written."""
    written = True
    for kind, path in options.reports:
        try:
            write_atomically(path, _RENDERERS[kind](result).encode())
        except OSError as error:
            complain(f"--report {path}: {error.strerror}; nothing was written")
            written = False
    return written
