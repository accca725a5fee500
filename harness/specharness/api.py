"""The suite on a function of this process, for notebooks and tests."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from specharness.errors import UsageError
from specharness.implementation.inprocess import adapt_function, run_here
from specharness.judge.rounding import Arithmetic
from specharness.names import did_you_mean
from specharness.report.result import RunResult, Setting
from specharness.run import plan_for, run_observations
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.load import load_suite
from specharness.suite.policies import check_policies
from specharness.suite.select import Selection, select, size_of_profile
from specreference import PROFILES
from specreference.dtypes import DTYPES, SPACES


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
    space: str = "prob",
    policies: Mapping[str, str] | None = None,
    strict: bool = False,
    baseline: str | Path | None = None,
) -> RunResult:
    """Run the suite on `function` here, without a process of its own and without deadlines.

    `function` takes the four arguments of `verify_speculative_tokens`. The selecting options are those of the command:
    glob patterns or names, one or several; `cases` are files or folders to use instead of the shipped cases, `baseline`
    is a file of known failures. The result tells `passed`, `failures` and `advice`, and prints as a summary.

    Raises `UsageError` for an unknown option value, `NotRunnable` where `function` can't be called with four arguments,
    `NothingSelected` and `BadSuite`. KeyboardInterrupt passes through.
    """
    paths = paths_of(cases)
    setting = declare(
        name_of(function),
        profile=profile,
        dtype=dtype,
        space=space,
        policies=(policies or {}).items(),
        strict=strict,
        shipped=not paths,
    )
    callable_ = adapt_function(function)
    clauses, suite = load_clauses(), load_suite(paths)
    selection = selection_of(case=case, tag=tag, clause=clause, level=level, profile=profile)
    chosen = select(suite, selection, clauses)
    listed = None
    if baseline is not None:
        from specharness.suite.baseline_file import read_baseline

        listed = read_baseline(Path(baseline), suite, clauses)
    plan = plan_for(chosen, clauses, setting, selected_of=size_of_profile(suite, selection), baseline=listed)
    return run_observations(run_here(callable_, plan.cases, repeat=True), plan, setting)


def declare(
    implementation: str,
    *,
    profile: str,
    dtype: str,
    space: str,
    policies: Iterable[tuple[str, str]],
    strict: bool,
    shipped: bool,
) -> Setting:
    """The setting of a run of `implementation`. Raises `UsageError` for an unknown value."""
    for name, value, known in (("dtype", dtype, DTYPES), ("space", space, SPACES), ("profile", profile, PROFILES)):
        check_known(name, value, known)
    return Setting(
        implementation=implementation,
        profile=profile,
        arithmetic=Arithmetic(dtype, space),
        policies=check_policies(profile, policies),
        strict=strict,
        shipped=shipped,
    )


def check_known(name: str, value: str, known: Collection[str]) -> None:
    """Raises `UsageError` where the value of an option is none of the known ones."""
    if value not in known:
        near = did_you_mean(value, known)
        raise UsageError(f"{name} {value!r} is unknown; expected one of {', '.join(known)}.{near}")


def name_of(function: Callable[..., Any]) -> str:
    """What reports call a function."""
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def selection_of(
    *,
    case: str | Sequence[str],
    tag: str | Sequence[str],
    clause: str | Sequence[str],
    level: str | Sequence[str],
    profile: str,
) -> Selection:
    """The selection that the options of `check` stand for. Raises `UsageError` for an unknown level."""
    return Selection(_several(case), _several(tag), _several(clause), _levels(_several(level)), profile)


def paths_of(cases: str | Path | Sequence[str | Path]) -> list[Path]:
    """The paths that the option `cases` of `check` stands for."""
    return [Path(path) for path in _several(cases)]


def _several(value: Any) -> tuple[Any, ...]:
    return (value,) if isinstance(value, str | Path) else tuple(value)


def _levels(names: tuple[str, ...]) -> tuple[Level, ...]:
    try:
        return tuple(Level(name.upper()) for name in names)
    except ValueError as error:
        raise UsageError(f"{error}; expected MUST or SHOULD") from None
