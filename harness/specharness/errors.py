"""Errors that end the command. Each class carries its exit code; each message says what to do next."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from specharness.exit_codes import ExitCode


class SpecharnessError(Exception):
    """Base of all errors that are reported without a traceback."""

    exit_code: ClassVar[ExitCode] = ExitCode.INTERNAL_ERROR


class UsageError(SpecharnessError):
    """The command line, or the call of `check`, is wrong."""

    exit_code = ExitCode.USAGE


class BadSuite(SpecharnessError):
    """A file of the suite is missing, unreadable, empty or invalid. `problems` has a line for each thing found."""

    exit_code = ExitCode.BAD_SUITE
    shown: ClassVar[int] = 50

    def __init__(self, problems: Sequence[str]) -> None:
        self.problems = tuple(problems)
        lines = list(self.problems[: self.shown])
        if len(self.problems) > self.shown:
            lines.append(f"... and {len(self.problems) - self.shown} more")
        super().__init__("\n".join(lines))


class NotRunnable(SpecharnessError):
    """The implementation can't be found, loaded or called at all."""

    exit_code = ExitCode.NOT_RUNNABLE


class NothingSelected(SpecharnessError):
    """No case is left to run."""

    exit_code = ExitCode.NOTHING_SELECTED
