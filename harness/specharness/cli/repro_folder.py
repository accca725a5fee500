"""The folder of --emit-repro: checked before the run, written after it."""

from __future__ import annotations

import os
from pathlib import Path

from specharness.atomic import write_atomically
from specharness.errors import UsageError
from specharness.report.repro import INDEX, Repro, is_ours


def check_folder(folder: Path) -> None:
    """Make sure that `folder` can be written, and holds nothing of others. Raises `UsageError`."""
    problem = _problem(folder)
    if problem:
        raise UsageError(f"--emit-repro {folder}: {problem}")


def _problem(folder: Path) -> str:
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        parent = folder.absolute().parent
        if not parent.is_dir():
            return f"the folder {parent} does not exist"
        return "" if os.access(parent, os.W_OK) else "no permission to make it"
    except NotADirectoryError:
        return "is no folder; expected one that is new, empty, or was written by --emit-repro"
    except OSError as error:
        return f"{error.strerror}; expected a folder that can be written"
    if names and INDEX not in names:
        return "holds other files; expected a folder that is new, empty, or was written by --emit-repro"
    return "" if os.access(folder, os.W_OK) else "no permission to write it"


def write_folder(folder: Path, repro: Repro) -> str:
    """Write the files, and remove those of an earlier run; why that was not possible, or an empty string."""
    try:
        folder.mkdir(exist_ok=True)
        for name, text in repro.files.items():
            write_atomically(folder / name, text.encode())
        for name in os.listdir(folder):
            if is_ours(name) and name not in repro.files:
                os.unlink(folder / name)
    except OSError as error:
        return f"--emit-repro {folder}: {error.strerror}; what it holds is not whole"
    return ""
