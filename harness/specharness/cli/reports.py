"""Where the reports of a run go: checked before the run, written after it."""

from __future__ import annotations

import gc
import os
import stat
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from specharness.errors import UsageError
from specharness.report.formats import FORMATS

if TYPE_CHECKING:
    from specharness.report.result import RunResult

STANDARD_OUTPUT = "-"


@dataclass(frozen=True, slots=True)
class ReportFile:
    """A report that was asked for: the name of its format, and its file or `STANDARD_OUTPUT`."""

    kind: str
    path: str

    def __str__(self) -> str:
        return f"--report {self.kind}={self.path}"

    @property
    def takes_output(self) -> bool:
        """Whether it has standard output for itself."""
        return self.path == STANDARD_OUTPUT and not FORMATS[self.kind].for_log


def check_reports(reports: Sequence[ReportFile]) -> None:
    """A report that can't be written is known before the run. Raises `UsageError`."""
    seen: set[str] = set()
    for report in reports:
        target = STANDARD_OUTPUT if report.path == STANDARD_OUTPUT else os.path.realpath(report.path)
        if target in seen:
            raise UsageError(f"{report}: named twice; expected a file of its own for each report")
        seen.add(target)
        problem = _problem_of_output() if target == STANDARD_OUTPUT else problem_of_file(report.path)
        if problem:
            raise UsageError(f"{report}: {problem}")


def _problem_of_output() -> str:
    return "" if sys.stdout is not None else "standard output is closed; name a file"


def problem_of_file(path: str | Path) -> str:
    """Why a file can't be written to `path`, or an empty string."""
    target = os.path.realpath(path)
    folder = os.path.dirname(target)
    try:
        mode = os.stat(path).st_mode  # not of the target: a pipe of the shell has no name but its link
    except (FileNotFoundError, NotADirectoryError):
        mode = 0
    except OSError as error:
        return f"{error.strerror}; expected a file that can be written"
    if stat.S_ISDIR(mode):
        return "is a folder; expected a file"
    is_replaced = mode == 0 or stat.S_ISREG(mode)
    if is_replaced and not os.path.isdir(folder):
        return f"the folder {folder} does not exist, or can't be looked into"
    if (is_replaced and not os.access(folder, os.W_OK)) or (mode and not os.access(path, os.W_OK)):
        return "no permission to write it"
    return ""


def write_report(report: ReportFile, result: RunResult) -> str:
    """Write a report to its file; why that was not possible, or an empty string."""
    from specharness.atomic import write_atomically

    try:
        write_atomically(Path(report.path), render_report(report, result).encode())
    except OSError as error:
        return f"{report}: {error.strerror}; nothing was written"
    return ""


def render_report(report: ReportFile, result: RunResult) -> str:
    """The text of a report."""
    gc.freeze()  # else the collector goes through all that the run made, over and over, while a long report is made
    try:
        return FORMATS[report.kind].render(result)
    finally:
        gc.unfreeze()
