"""The kinds of values that options take."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Any

import click

from specharness.cli.reports import ReportFile
from specharness.names import did_you_mean
from specharness.report.formats import FORMATS

MOST_JOBS = 256

_UNITS = {"": 1, "K": 10**3, "M": 10**6, "G": 10**9, "KI": 2**10, "MI": 2**20, "GI": 2**30}


class Seconds(click.ParamType[float]):
    """A time above 0."""

    name = "seconds"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Read `value`, or fail with a message."""
        try:
            seconds = float(value)
        except ValueError:
            seconds = 0.0
        if not 0 < seconds <= 86_400:
            self.fail(f"{value!r} is no time in seconds; expected a number above 0, at most 86400.", param, ctx)
        return seconds


class Jobs(click.ParamType[int]):
    """A number of processes, or `auto` for that of the CPUs that this process may use."""

    name = "n"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read `value`, or fail with a message."""
        if value == "auto":
            return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
        if not re.fullmatch("[1-9][0-9]{0,2}", str(value), re.ASCII) or int(value) > MOST_JOBS:
            self.fail(f"{value!r} is no number of processes; expected 1 to {MOST_JOBS}, or auto.", param, ctx)
        return int(value)


class Memory(click.ParamType[int]):
    """A bound of a process's memory: a number of bytes, with an optional unit."""

    name = "size"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Read `value`, or fail with a message."""
        if not _can_limit_memory():
            self.fail("it needs the resource limits of a POSIX system, which this one lacks.", param, ctx)
        match = re.fullmatch(r"([0-9]{1,12}(?:\.[0-9]{1,6})?)\s*([KMG]I?|)B?", str(value).upper(), re.ASCII)
        if not match:
            self.fail(f"{value!r} is no size; expected a number and a unit, such as 500MB or 1GB.", param, ctx)
        size = int(float(match[1]) * _UNITS[match[2]])
        if size < 50_000_000:
            self.fail(f"{value!r} is less than a Python process needs to start; expected at least 50MB.", param, ctx)
        return min(size, sys.maxsize)


def _can_limit_memory() -> bool:
    try:
        import resource
    except ImportError:
        return False
    return hasattr(resource, "RLIMIT_AS")


class Assignment(click.ParamType[tuple[str, str]]):
    """A name and its value, as `comparison=lt`."""

    name = "name=value"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, str]:
        """Read `value`, or fail with a message."""
        name, equals, chosen = str(value).partition("=")
        if not equals or not name or not chosen:
            self.fail(f"{value!r}: expected NAME=VALUE, such as comparison=lt.", param, ctx)
        return name, chosen


class NonEmptyPath(click.ParamType[Path]):
    """A path. An empty one would silently mean the current folder."""

    name = "path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Path:
        """Read `value`, or fail with a message."""
        if not str(value):
            self.fail("the path is empty; a variable that is not set, perhaps?", param, ctx)
        if problem := _problem_of_dash(str(value)):
            self.fail(problem, param, ctx)
        return Path(value)


def _problem_of_dash(path: str) -> str:
    """What is wrong where `-` is given, which elsewhere stands for a standard stream, or an empty string."""
    return "expected a file, no standard stream; a file named - is ./-" if path == "-" else ""


class FileReport(click.ParamType[tuple[str, Path]]):
    """One of some formats and a file, as `html=PATH`."""

    name = "format=path"

    def __init__(self, *kinds: str) -> None:
        self._kinds = kinds

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> tuple[str, Path]:
        """Read `value`, or fail with a message."""
        try:
            kind, path = _format_and_path(str(value), self._kinds)
        except ValueError as error:
            self.fail(str(error), param, ctx)
        if problem := _problem_of_dash(path):
            self.fail(f"{value!r}: {problem}", param, ctx)
        return kind, Path(path)


class Report(click.ParamType[ReportFile]):
    """A format and a file, as `json=PATH`."""

    name = "format=path"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> ReportFile:
        """Read `value`, or fail with a message."""
        try:
            return ReportFile(*_format_and_path(str(value), FORMATS))
        except ValueError as error:
            self.fail(str(error), param, ctx)


def _format_and_path(value: str, formats: Collection[str]) -> tuple[str, str]:
    """The parts of `FORMAT=PATH`. Raises `ValueError` with what is wrong."""
    kind, equals, path = value.partition("=")
    if kind not in formats:
        expected = f"expected FORMAT=PATH, with the format {' or '.join(formats)}."
        raise ValueError(f"{value!r}: {expected}{did_you_mean(kind, formats)}")
    if not equals:
        raise ValueError(f"{value!r}: expected FORMAT=PATH, such as {kind}=PATH with the file to write.")
    if not path:
        raise ValueError(f"{value!r}: the path is empty; a variable that is not set, perhaps?")
    return kind, path
