"""The suite on a function of this process, for notebooks and tests."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from specharness.errors import UsageError
from specharness.implementation.inprocess import adapt_function, run_here
from specharness.names import did_you_mean
from specharness.report.result import RunResult, Setting
from specharness.run import plan_for, run_observations
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.load import load_files, load_shipped
from specharness.suite.select import Selection, select
from specreference.dtypes import DTYPES


def check(
    function: Callable[..., Any],
    *,
    case: str | Sequence[str] = (),
    tag: str | Sequence[str] = (),
    clause: str | Sequence[str] = (),
    level: str | Sequence[str] = (),
    cases: str | Path | Sequence[str | Path] = (),
    profile: str = "argmax",
    dtype: str = "float64",
    strict: bool = False,
) -> RunResult:
    """Run the suite on `function` here, without a process of its own and without deadlines.

    `function` takes the four arguments of `verify_speculative_tokens`. The selecting options are those of the command:
    glob patterns or names, one or several; `cases` are files or folders to use instead of the shipped cases. The result
    tells `passed`, `failures` and `advice`, and prints as a summary.

    Raises `UsageError` for an unknown option value, `NotRunnable` where `function` can't be called with four arguments,
    `NothingSelected` and `BadSuite`. KeyboardInterrupt passes through.
    """
    if dtype not in DTYPES:
        raise UsageError(
            f"dtype {dtype!r} is unknown; expected one of {', '.join(DTYPES)}.{did_you_mean(dtype, DTYPES)}"
        )
    callable_ = adapt_function(function)
    clauses = load_clauses()
    selection = Selection(_several(case), _several(tag), _several(clause), _levels(_several(level)), profile)
    suite = load_files([Path(path) for path in _several(cases)]) if cases else load_shipped()
    plan = plan_for(select(suite, selection, clauses), clauses, dtype)
    name = getattr(function, "__qualname__", None) or type(function).__qualname__
    setting = Setting(implementation=name, profile=profile, dtype=dtype, strict=strict)
    return run_observations(run_here(callable_, plan.cases, repeat=True), plan, setting)


def _several(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str | Path) else tuple(value)


def _levels(names: tuple[str, ...]) -> tuple[Level, ...]:
    try:
        return tuple(Level(name.upper()) for name in names)
    except ValueError as error:
        raise UsageError(f"{error}; expected MUST or SHOULD") from None
