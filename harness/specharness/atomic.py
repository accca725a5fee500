"""Writing a file so that it is either the old one or the whole new one."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path


def write_atomically(path: Path, content: bytes) -> None:
    """Put `content` in place of `path` in one step. Raises OSError; then the old file is as it was."""
    target = Path(os.path.realpath(path))
    if target.exists() and not target.is_file():  # a device or a pipe is written to, never replaced
        with open(target, "wb") as file:
            file.write(content)
        return
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
        os.unlink(temporary)
        raise
