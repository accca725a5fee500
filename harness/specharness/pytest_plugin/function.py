"""The cases as tests of a function, in a test file of one's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from specharness.api import declare, name_of, paths_of, selection_of
from specharness.implementation.inprocess import adapt_function, run_here
from specharness.judge.verdict import judge
from specharness.pytest_plugin.outcome import marks_of, settle
from specharness.run import exclusion
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_suite
from specharness.suite.model import Case
from specharness.suite.select import select


def conformance_test(
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
) -> Callable[..., None]:
    """A test function for pytest, parametrised by the cases, that calls `function` in the process of the tests.

    Assign it to a name that pytest collects: `test_verify = specharness.conformance_test(verify)`. In a class, wrap it
    in `staticmethod`. The options, and the errors raised, are those of `specharness.check`. There is no deadline, and
    each call is made twice (SV-PURE-2).
    """
    __tracebackhide__ = True
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
    clauses = load_clauses()
    selection = selection_of(case=case, tag=tag, clause=clause, level=level, profile=profile)
    chosen = select(load_suite(paths), selection, clauses)

    def examine(one: Case, item: pytest.Item) -> None:
        __tracebackhide__ = True
        (observation,) = run_here(callable_, [one], repeat=True)
        verdict = judge(one, observation, clauses, strict=setting.strict, arithmetic=setting.arithmetic)
        settle(verdict, item, setting, clauses)

    parameters = [
        pytest.param(each, id=each.id, marks=marks_of(each, clauses, exclusion(each, setting))) for each in chosen
    ]
    parametrise = pytest.mark.parametrize("specharness_case", parameters)
    test = _placed(lambda specharness_case, request: examine(specharness_case, request.node), sys._getframe(1))
    made: Callable[..., None] = parametrise(test)
    return made


def _placed(test: Any, caller: FrameType) -> Any:
    """`test`, which has one line, as though it were written where `caller` is: there pytest says that it stands."""
    test.__code__ = test.__code__.replace(co_filename=caller.f_code.co_filename, co_firstlineno=caller.f_lineno)
    test.__name__ = "conformance"  # pytest marks no function without a name
    test.__module__ = caller.f_globals.get("__name__", test.__module__)
    return test
