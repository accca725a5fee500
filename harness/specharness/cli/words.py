"""The words of commands that are printed to be run again."""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from specharness.cli.options import RunOptions


def command_words() -> list[str]:
    """The words that start this program again."""
    if Path(sys.argv[0]).name != "specharness":
        return [sys.executable, "-m", "specharness"]
    return ["specharness" if shutil.which("specharness") else sys.argv[0]]


def declaring_words(
    *,
    impl: str | None,
    profile: str,
    dtype: str,
    space: str,
    policies: Sequence[tuple[str, str]],
    strict: bool,
    python: str | None,
    timeout: float | None,
    memory: int | None,
) -> Iterator[str]:
    """What is tested, what it declares, and how it is run, as far as it is not the default."""
    given = {
        "--impl": impl,
        "--profile": profile if profile != "argmax" else None,
        "--dtype": dtype if dtype != "float64" else None,
        "--space": space if space != "prob" else None,
        "--python": python,
        "--timeout": timeout and f"{timeout:g}",
        "--memory": memory and str(memory),
    }
    for name, value in given.items():
        if value:
            yield from (name, value)
    for name, value in policies:
        yield from ("--policy", f"{name}={value}")
    if strict:
        yield "--strict"


def words_of_run(options: RunOptions) -> tuple[str, ...]:
    """The command of a run without its selection and its reports."""
    declared = declaring_words(
        impl=options.impl,
        profile=options.suite.selection.profile,
        dtype=options.dtype,
        space=options.space,
        policies=options.policies,
        strict=options.strict,
        python=options.python,
        timeout=options.timeout,
        memory=options.memory,
    )
    cases = [word for path in options.suite.paths for word in ("--cases", str(path))]
    baseline = ["--baseline", str(options.baseline)] if options.baseline else []
    return (*command_words(), *declared, *cases, *baseline)


def selecting_words(options: RunOptions) -> Iterator[str]:
    """The words that choose cases and end the run early."""
    selection = options.suite.selection
    for name, values in (
        ("--case", selection.cases),
        ("--tag", selection.tags),
        ("--clause", selection.clauses),
        ("--level", [level.value for level in selection.levels]),
    ):
        for value in values:
            yield from (name, value)
    if options.most_failures:
        yield from ("--max-fail", str(options.most_failures))
