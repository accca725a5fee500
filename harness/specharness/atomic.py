"""Writing a file so that it is either the old one or the whole new one."""

from __future__ import annotations

import errno
import os
import tempfile
from contextlib import suppress
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in place of `path` in one step. Raises OSError; then the old file is as it was."""
    if path.exists() and not path.is_file():
        _write_into(path, content)
        return
    target = Path(os.path.realpath(path))
    descriptor, temporary = tempfile.mkstemp(prefix=f".{target.name[:50]}.", dir=target.parent)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(descriptor)
        mask = os.umask(0)
        os.umask(mask)
        os.chmod(temporary, target.stat().st_mode & 0o777 if target.exists() else 0o666 & ~mask)
        os.replace(temporary, target)
    except BaseException:
        with suppress(FileNotFoundError):  # an interrupt may come when it has just been renamed
            os.unlink(temporary)
        raise


def _write_into(path: Path, content: bytes) -> None:
    """Write to a device or a pipe, which is never replaced, and has no other name where the shell made it.

    A pipe that nobody reads is an error: to open it would wait for a reader, without end.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | getattr(os, "O_NONBLOCK", 0))
    except OSError as error:
        if error.errno == errno.ENXIO and path.is_fifo():
            raise OSError(error.errno, "nobody reads this pipe", str(path)) from None
        raise
    with open(descriptor, "wb") as file:
        if hasattr(os, "set_blocking"):  # Windows has it from Python 3.12
            os.set_blocking(descriptor, True)
        file.write(content)
