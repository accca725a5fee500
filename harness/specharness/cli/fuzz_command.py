"""The sub-command that looks for inputs on which an implementation is wrong."""

from __future__ import annotations

import os
import shlex
from dataclasses import replace
from importlib.util import find_spec
from itertools import count
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

import click

from specharness.atomic import write_atomically
from specharness.cli.options import PROFILE_NAMES, implementation_options
from specharness.cli.parameters import NonEmptyPath, Seconds
from specharness.cli.terminal import complain, paint, progress_bar, say, width
from specharness.cli.words import command_words, declaring_words
from specharness.errors import UsageError
from specharness.exit_codes import ExitCode
from specharness.implementation.bounds import Limits
from specharness.implementation.runner import Runner
from specharness.implementation.target import parse_target
from specharness.judge.rounding import Arithmetic
from specharness.judge.verdict import Status
from specharness.report.result import RunResult, Setting
from specharness.report.text import Style
from specharness.run import exclusion
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_shipped
from specharness.suite.policies import check_policies

if TYPE_CHECKING:
    from specharness.fuzz.search import Outcome

_FILE = "fuzz-findings"


@click.command("fuzz")
@implementation_options
@click.option("--timeout", type=Seconds(), default=5.0, show_default=True, help="Seconds that one call may take.")
@click.option("--profile", type=click.Choice(PROFILE_NAMES), default="argmax", help="The set of rules.")
@click.option("--max-examples", type=click.IntRange(min=1), default=4000, show_default=True, help="Inputs to generate.")
@click.option("--max-time", type=Seconds(), default=20.0, show_default=True, help="Seconds to generate them in.")
@click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help="Another gives other inputs.")
@click.option("--output", type=NonEmptyPath(), metavar="FILE", help=f"Where to write cases ({_FILE}.yaml).")
@click.option("-q", "--quiet", is_flag=True, help="Print the last lines only.")
def fuzz(
    impl: str | None,
    profile: str,
    max_examples: int,
    max_time: float,
    seed: int,
    output: Path | None,
    quiet: bool,
    **declared: Any,
) -> ExitCode:
    """Look for inputs on which an implementation is wrong.

    Each distinct cause is told once, on a small input, and written as a case. Exit code 1 where one is found.
    """
    if impl is None:
        raise UsageError("fuzz needs an implementation: name one with --impl module:function")
    if find_spec("hypothesis") is None:
        raise UsageError("fuzz needs Hypothesis, which is not installed: pip install 'specharness[fuzz]'")
    _check_output(output)
    setting = Setting(
        implementation=impl,
        profile=profile,
        arithmetic=Arithmetic(declared["dtype"], declared["space"]),
        policies=check_policies(profile, declared["policies"]),
        strict=declared["strict"],
        again=(*command_words(), *declaring_words(impl=impl, profile=profile, **declared)),
    )
    limits = Limits(timeout=declared["timeout"], memory=declared["memory"])
    runner = Runner(parse_target(impl, python=declared["python"]), limits, profile=profile)
    try:
        runner.wait_ready()
        outcome = _search(runner, setting, max_examples, max_time, seed)
    finally:
        runner.close()
    command = f"specharness fuzz --profile {profile} --seed {seed} --max-examples {max_examples}"
    return _report(outcome, setting, output, provenance=command, quiet=quiet)


def _check_output(output: Path | None) -> None:
    """A file that can't be written is known before the search."""
    folder = (output or Path(_FILE)).absolute().parent
    if output is not None and output.is_dir():
        raise UsageError(f"--output {output}: is a folder; expected a file")
    if not folder.is_dir():
        raise UsageError(f"--output {output}: the folder {folder} does not exist")
    if not os.access(folder, os.W_OK):
        raise UsageError(f"--output {output or folder}: no permission to write there; name another file with --output")


def _search(runner: Runner, setting: Setting, examples: int, seconds: float, seed: int) -> Outcome:
    from hypothesis.configuration import set_hypothesis_home_dir

    from specharness.fuzz.search import Budget, Search
    from specharness.fuzz.subject import Rules, Subject

    shipped = [case for case in load_shipped() if case.profile == setting.profile and not exclusion(case, setting)]
    rules = Rules(setting.profile, load_clauses(), setting.arithmetic, setting.policies, setting.strict)
    with TemporaryDirectory() as home, progress_bar("examples", examples) as advance:
        set_hypothesis_home_dir(home)  # else it leaves a folder where the command is called
        search = Search(
            Subject(runner.observe, rules),
            shipped,
            Budget(examples, seconds, seed),
            fresh=runner.observe_fresh,
            progress=advance,
        )
        return search.run()


def _report(outcome: Outcome, setting: Setting, output: Path | None, *, provenance: str, quiet: bool) -> ExitCode:
    """Write the cases, and print what was found."""
    from specharness.fuzz.cases import case_file, located, numbered
    from specharness.fuzz.text import render_fuzz

    path = output or _free_name()
    setting = replace(setting, again=(*setting.again, "--cases", str(path)))
    verdicts = numbered(outcome.findings, setting, path, provenance=provenance)
    text, left = case_file([verdict.case for verdict in verdicts])
    kept, closing = _write(text, path, setting)
    closing = [*(f"{case.id} can't be written as a case: {why}" for case, why in left), *closing]
    verdicts = located(verdicts, text)
    evidence = outcome.shipped if any(v.status is Status.FAILED for v in outcome.shipped) else verdicts
    result = RunResult(setting=setting, verdicts=verdicts, clauses=load_clauses(), evidence=evidence)
    say(render_fuzz(outcome, result, Style(-1 if quiet else 0, width(), paint), closing=closing))
    if outcome.interrupted:
        return ExitCode.INTERRUPTED
    if not kept:
        return ExitCode.USAGE
    return ExitCode.NONCONFORMANT if outcome.findings else ExitCode.CONFORMANT


def _free_name() -> Path:
    """A file that is not there: one that is may hold titles that somebody has written."""
    names = (Path(f"{_FILE}{'' if number == 1 else f'-{number}'}.yaml") for number in count(1))
    return next(name for name in names if not name.exists())


def _write(text: str, path: Path, setting: Setting) -> tuple[bool, list[str]]:
    """Write the cases; whether nothing went wrong, and what to say about it."""
    if not text:
        return True, []
    try:
        write_atomically(path, text.encode())
    except OSError as error:
        complain(f"--output {path}: {error.strerror}; nothing was written")
        return False, []
    again = shlex.join(setting.again)
    return True, [f"written to {path}, with titles to complete; to run them again:", f"  {again}"]
