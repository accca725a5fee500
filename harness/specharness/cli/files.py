"""Files that commands beside a run write: checked before their work, written after it."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from specharness.atomic import write_atomically
from specharness.cli.reports import problem_of_file
from specharness.errors import UsageError


def check_files(reports: Sequence[tuple[str, Path]], *, inputs: Sequence[Path] = ()) -> None:
    """A report that can't be written, or would replace one of `inputs`, is known before the work.

    Raises `UsageError`.
    """
    read = {os.path.realpath(path) for path in inputs}
    seen: set[str] = set()
    for kind, path in reports:
        target = os.path.realpath(path)
        if target in seen:
            raise UsageError(f"--report {kind}={path}: named twice; expected a file of its own for each report")
        seen.add(target)
        if target in read:
            raise UsageError(f"--report {kind}={path}: is read as well, and would be replaced; expected another file")
        if problem := problem_of_file(path):
            raise UsageError(f"--report {kind}={path}: {problem}")


def write_files(reports: Sequence[tuple[str, Path]], renderers: Mapping[str, Callable[[], str]]) -> None:
    """Write each report as its renderer makes it. Raises `UsageError` where one can't be written."""
    for kind, path in reports:
        try:
            write_atomically(path, renderers[kind]().encode())
        except OSError as error:
            raise UsageError(f"--report {kind}={path}: {error.strerror}; nothing was written") from None
