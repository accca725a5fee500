"""What `--impl` names."""

from __future__ import annotations

import os
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from specharness.errors import NotRunnable, UsageError

FUNCTION = "verify_speculative_tokens"
"""The function's name where `--impl` leaves it out."""

_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class Target:
    """An implementation to start: `text` as it was given, `command` the process to run.

    `worker` is the configuration of the Python worker, None for a process that speaks the protocol itself. `folder` is
    where it runs, None for the current one.
    """

    text: str
    command: tuple[str, ...]
    worker: dict[str, Any] | None
    folder: str | None = None


def parse_target(
    text: str, *, python: str | None = None, folder: str | None = None, search: Sequence[str] = ()
) -> Target:
    """Read `module:function`, `path/to/file.py:function`, either without the name, or `exec:COMMAND`.

    `python` is the interpreter for the first two, and `search` are folders in which their modules are looked for beside
    `folder`. Raises `NotRunnable` and `UsageError`.
    """
    _check_given("--impl", text)
    _check_given("--python", python)
    if text.startswith("exec:"):
        if python:
            raise UsageError("--python is for Python functions; an exec: command names its own program")
        return Target(text, _split_command(text), None, folder)
    if python and os.path.isdir(os.path.join(folder or "", python)):
        raise UsageError(f"--python {python}: is a folder; expected an interpreter, such as .../bin/python")
    where = _parse_function(text, folder or "")
    return Target(text, (python or sys.executable,), {**where, "search": list(search)}, folder)


def _check_given(option: str, value: str | None) -> None:
    if value is not None and not value.strip():
        raise UsageError(f"{option} is empty; a variable that is not set, perhaps?")


def _parse_function(text: str, folder: str) -> dict[str, str]:
    """Where the worker finds the function: "module" or "path", and "name"."""
    where, name = _split_name(text, folder)
    if not where:
        raise NotRunnable(
            f"--impl {text!r} names no module; expected module:function, file.py:function or exec:COMMAND"
        )
    if not _DOTTED.fullmatch(name):
        raise NotRunnable(f"--impl {text!r}: {name!r} is no name; expected a function such as {FUNCTION}")
    path = os.path.join(folder, where)
    if os.sep in where and not where.endswith(".py") and os.access(path, os.X_OK) and os.path.isfile(path):
        raise NotRunnable(f"--impl {text!r} is a program; start it with exec:{where}")
    if where.endswith(".py") or os.sep in where:
        return {"path": where, "name": name}
    if not _DOTTED.fullmatch(where):
        raise NotRunnable(f"--impl {text!r}: {where!r} is no module; expected module:function or file.py:function")
    return {"module": where, "name": name}


def _split_name(text: str, folder: str) -> tuple[str, str]:
    where, colon, name = text.rpartition(":")
    if not colon or os.sep in name or (name.endswith(".py") and os.path.exists(os.path.join(folder, text))):
        return text, FUNCTION
    return where, name


def _split_command(text: str) -> tuple[str, ...]:
    try:
        command = tuple(shlex.split(text.removeprefix("exec:")))
    except ValueError as error:
        raise NotRunnable(f"--impl {text!r}: {error}; expected exec:COMMAND, quoted as for a shell") from None
    if not command:
        raise NotRunnable(f"--impl {text!r} names no command; expected exec:COMMAND")
    return command
