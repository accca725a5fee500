"""Running a function in the current process: no deadline, no protection, and a debugger works."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import perf_counter
from typing import Any

from specharness.errors import NotRunnable
from specharness.implementation import worker
from specharness.implementation.observation import Answer, Observation, Raised, Returned
from specharness.implementation.target import Target
from specharness.suite.model import Case


def load_function(target: Target) -> Callable[..., Any]:
    """The function that `target` names, imported here. Raises `NotRunnable`."""
    if target.worker is None:
        raise NotRunnable(f"--impl {target.text}: a command can't run in this process; expected a Python function")
    try:
        return worker.load(target.worker)  # type: ignore[no-any-return, no-untyped-call]  # worker.py is untyped
    except worker.Refusal as refusal:
        raise NotRunnable(f"--impl {target.text}: {refusal}") from None


def adapt_function(function: Any) -> Callable[..., Any]:
    """`function` as one that takes the four arguments by position. Raises `NotRunnable`."""
    try:
        name = getattr(function, "__qualname__", None) or repr(function)
        return worker.adapt(function, name)  # type: ignore[no-any-return, no-untyped-call]  # as above
    except worker.Refusal as refusal:
        raise NotRunnable(str(refusal)) from None


def run_here(function: Callable[..., Any], cases: Sequence[Case], *, repeat: bool) -> Iterator[Observation]:
    """An observation for each case. KeyboardInterrupt passes through."""
    for case in cases:
        yield observe_here(function, list(case.arguments().values()), repeat=repeat)


def observe_here(
    function: Callable[..., Any], arguments: list[Any], *, repeat: bool, traced: bool = True
) -> Observation:
    """What `function` does with the four `arguments`, of which it gets copies.

    Without `traced`, what it raises is known by its class only, which is faster.
    """
    began = perf_counter()
    answer, mutated = _call(function, arguments, traced)
    seconds = perf_counter() - began
    second = _call(function, arguments, traced)[0] if repeat else None
    return Observation(answer, second, mutated, seconds=seconds)


def _call(function: Callable[..., Any], arguments: list[Any], traced: bool) -> tuple[Answer, tuple[str, ...]]:
    message = worker.call(function, arguments, traced)  # type: ignore[no-untyped-call]  # as above
    mutated = tuple(message.get("mutated", ()))
    if message["type"] == "returned":
        return Returned(message["result"]), mutated
    if message["exception"] == "KeyboardInterrupt":
        raise KeyboardInterrupt
    return (
        Raised(message["exception"], tuple(message["bases"]), message["message"], message["traceback"]),
        mutated,
    )
