"""What `--impl` names."""

from __future__ import annotations

import os
import re
import shlex
import sys
from dataclasses import dataclass

from specharness.errors import NotRunnable

FUNCTION = "verify_speculative_tokens"
"""The function's name where `--impl` leaves it out."""

_DOTTED = re.compile(r"[^\W\d]\w*(\.[^\W\d]\w*)*")


@dataclass(frozen=True, slots=True)
class Target:
    """An implementation to start: `text` as it was given, `command` the process to run, in the current folder.

    `worker` is the configuration of the Python worker, None for a process that speaks the protocol itself.
    """

    text: str
    command: tuple[str, ...]
    worker: dict[str, str] | None


def parse_target(text: str, *, python: str = sys.executable) -> Target:
    """Read `module:function`, `path/to/file.py:function`, either without the name, or `exec:COMMAND`.

    `python` is the interpreter for the first two. Raises `NotRunnable`.
    """
    if text.startswith("exec:"):
        return Target(text, _split_command(text), None)
    where, name = _split_name(text)
    if not where:
        raise NotRunnable(
            f"--impl {text!r} names no module; expected module:function, file.py:function or exec:COMMAND"
        )
    if not _DOTTED.fullmatch(name):
        raise NotRunnable(f"--impl {text!r}: {name!r} is no name; expected a function such as {FUNCTION}")
    if os.sep in where and not where.endswith(".py") and os.access(where, os.X_OK) and os.path.isfile(where):
        raise NotRunnable(f"--impl {text!r} is a program; start it with exec:{where}")
    if where.endswith(".py") or os.sep in where:
        return Target(text, (python,), {"path": where, "name": name})
    if not _DOTTED.fullmatch(where):
        raise NotRunnable(f"--impl {text!r}: {where!r} is no module; expected module:function or file.py:function")
    return Target(text, (python,), {"module": where, "name": name})


def _split_name(text: str) -> tuple[str, str]:
    where, colon, name = text.rpartition(":")
    if not colon or os.sep in name or (name.endswith(".py") and os.path.exists(text)):
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
