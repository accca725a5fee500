"""Finding and reading case files and their like. They are untrusted: nothing is read before kind and size are known."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from specharness.errors import BadSuite
from specharness.suite.problems import Problem
from specharness.suite.yaml12 import YamlProblem, parse

_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
"""A pipe is opened without waiting for its writer. Each system has some of them."""

CASE_FILE = "YAML case file"
MAX_BYTES = 16_000_000
"""Larger files of YAML are refused unread."""


def find_case_files(paths: Iterable[Path]) -> list[Path]:
    """The files that `paths` name, folders searched for `.yaml` and `.yml`. Raises `BadSuite`."""
    found: dict[Path, None] = {}
    problems: list[str] = []
    for path in paths:
        if not os.path.isdir(path):  # pathlib's raises where the path is too long
            found[path] = None
            continue
        inside = _files_below(path, problems)
        found.update(dict.fromkeys(inside))
        if not inside and not problems:
            problems.append(f"{path}: no case file in this folder; expected files that end in .yaml or .yml")
    if problems:
        raise BadSuite(problems)
    return list(found)


def _files_below(folder: Path, problems: list[str]) -> list[Path]:
    inside: list[Path] = []
    for root, folders, names in os.walk(
        folder, onerror=lambda error: problems.append(f"{error.filename}: {error.strerror}")
    ):
        folders.sort()
        inside += [Path(root, name) for name in sorted(names) if name.endswith((".yaml", ".yml"))]
    return inside


def read_document(path: Path, *, kind: str = CASE_FILE, keys: str = "spec, profile and cases") -> Any:
    """The parsed YAML of one file, a mapping with `keys`. Raises `BadSuite` with place and reason."""
    return parse_document(read_text(path, kind=kind), path, keys=keys)


def parse_document(text: str, path: Path, *, keys: str) -> Any:
    """The parsed YAML of a file's text. Raises `BadSuite` with place and reason."""
    try:
        return parse(text, keys=keys)
    except YamlProblem as problem:
        raise BadSuite([str(Problem(str(path), problem.mark, "", str(problem)))]) from None


def read_text(path: Path, *, kind: str, most: int = MAX_BYTES) -> str:
    """The text of a file of at most so many bytes. Raises `BadSuite`, which names its kind, such as "JSON report"."""
    try:
        return _read_text(path, kind, most)
    except UnicodeDecodeError as error:
        raise BadSuite([f"{path}: not UTF-8 text (byte {error.start}); expected a {kind}"]) from None
    except OSError as error:
        raise BadSuite([f"{path}: {error.strerror}; expected a readable file"]) from None
    except ValueError as error:  # a path with a NUL character
        raise BadSuite([f"{str(path)!r}: {error}"]) from None


def _read_text(path: Path, kind: str, most: int) -> str:
    descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    with open(descriptor, "rb") as file:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            raise BadSuite([f"{path}: no regular file; expected a {kind}"])
        if status.st_size > most:
            hint = " Split it, or write large inputs as recipes (spec/recipes.md)" if kind == CASE_FILE else ""
            found = f"{path}: {status.st_size:,} bytes"
            raise BadSuite([f"{found}; a {kind} of over {most:,} bytes is refused unread.{hint}"])
        content = file.read(most + 1)
    if b"\0" in content:
        raise BadSuite([f"{path}: a binary file (byte {content.index(0)} is NUL); expected {kind.split()[0]} text"])
    return content.decode("utf-8-sig")
