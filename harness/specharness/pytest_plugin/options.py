"""The plugin's options and ini keys. The command line outranks the ini file."""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

_FLAG, _LINES = "bool", "linelist"


@dataclass(frozen=True, slots=True)
class _Option:
    """`kind` is the type of the ini key, None for a text."""

    name: str
    metavar: str
    help: str
    kind: str | None = None
    default: Any = ""


OPTIONS = (
    _Option("impl", "MODULE:FUNCTION", "What to test; also file.py and exec:COMMAND."),
    _Option("profile", "NAME", "The set of rules (argmax).", default="argmax"),
    _Option("dtype", "NAME", "What the implementation computes in (float64).", default="float64"),
    _Option("space", "NAME", "Whether it compares probabilities (prob) or logarithms (log).", default="prob"),
    _Option("policy", "NAME=VALUE", "A choice of the profile sampled. Repeats.", _LINES, []),
    _Option("strict", "", "Let SHOULD clauses gate as well.", _FLAG, False),
    _Option("cases", "PATH", "Case files or folders, instead of the shipped ones. Repeats.", _LINES, []),
    _Option("python", "PATH", "The interpreter to run the implementation with (3.9 or newer)."),
    _Option("timeout", "SECONDS", "Seconds that one call may take (10).", default="10"),
)
"""The options by name: `--specharness-NAME`, and the ini key `specharness_NAME`."""


@dataclass(frozen=True, slots=True)
class Options:
    """What was asked for. `python` is None where not given; `timeout` is in seconds.

    The implementation is looked for in `folder`: where pytest was started, or where the ini file is that names it
    (`from_ini`). `again` are the words of the command line that a further run needs.
    """

    impl: str
    folder: str
    from_ini: bool
    profile: str
    dtype: str
    space: str
    policies: tuple[tuple[str, str], ...]
    strict: bool
    cases: tuple[Path, ...]
    python: str | None
    timeout: float
    again: tuple[str, ...]


def declare_options(parser: pytest.Parser) -> None:
    """Declare each option, and the ini key of its name."""
    group = parser.getgroup("specharness", "conformance of a verification step of speculative decoding")
    for option in OPTIONS:
        if option.kind == _FLAG:
            form: dict[str, Any] = {"action": "store_true", "default": None}
        else:
            form = {"action": "append" if option.kind == _LINES else "store", "metavar": option.metavar}
        group.addoption(f"--specharness-{option.name}", help=option.help, **form)
        ini: dict[str, Any] = {"type": option.kind, "default": option.default}
        parser.addini(f"specharness_{option.name}", f"As --specharness-{option.name}.", **ini)


def named_implementation(config: pytest.Config) -> str:
    """The implementation, an empty text where none is named."""
    given = config.getoption("specharness_impl")
    return str(config.getini("specharness_impl") if given is None else given)


def ask_options(config: pytest.Config) -> Options | None:
    """What was asked for, None where no implementation is named. Raises `pytest.UsageError`."""
    asked = _Asked(config)
    if asked.given["impl"] is None and not config.getini("specharness_impl"):
        for name, value in asked.given.items():
            if value is not None:
                raise pytest.UsageError(
                    f"--specharness-{name} needs an implementation: name one with --specharness-impl"
                )
        return None
    from_ini = asked.given["impl"] is None
    return Options(
        impl=asked.value("impl"),
        folder=asked.ini if from_ini else asked.started,
        from_ini=from_ini,
        profile=asked.value("profile"),
        dtype=asked.value("dtype"),
        space=asked.value("space"),
        policies=tuple(map(_assignment, asked.value("policy"))),
        strict=asked.value("strict"),
        cases=tuple(Path(asked.path("cases", text)) for text in asked.value("cases")),
        python=asked.python(),
        timeout=_seconds(asked.value("timeout")),
        again=tuple(asked.words()),
    )


class _Asked:
    """What stands on the command line (None for what does not), else in the ini file."""

    def __init__(self, config: pytest.Config) -> None:
        self._config = config
        self.given = {option.name: config.getoption(f"specharness_{option.name}") for option in OPTIONS}
        self.started = str(config.invocation_params.dir)
        self.ini = str(config.inipath.parent) if config.inipath else self.started

    def value(self, name: str) -> Any:
        given = self.given[name]
        return self._config.getini(f"specharness_{name}") if given is None else given

    def path(self, name: str, text: str) -> str:
        """The path `text`; one in the ini file starts from there."""
        if not text:
            raise pytest.UsageError(f"--specharness-{name}: the path is empty; a variable that is not set, perhaps?")
        if self.given[name] is not None:
            return text
        path = os.path.normpath(os.path.join(self.ini, text))
        return os.path.relpath(path, self.started) if path.startswith(self.started + os.sep) else path

    def python(self) -> str | None:
        given: str | None = self.given["python"]
        if given is not None:
            return os.path.join(self.started, given) if os.sep in given else given
        text: str = self._config.getini("specharness_python")
        return os.path.join(self.ini, text) if os.sep in text else text or None

    def words(self) -> Iterator[str]:
        for name, value in self.given.items():
            if value is True:
                yield f"--specharness-{name}"
            for each in value if isinstance(value, list) else [value] if isinstance(value, str) else []:
                yield f"--specharness-{name}={each}"


def _assignment(text: str) -> tuple[str, str]:
    name, _, value = text.partition("=")
    if not name or not value:
        raise pytest.UsageError(f"--specharness-policy {text!r}: expected NAME=VALUE, such as comparison=lt")
    return name, value


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds <= 86_400:
        raise pytest.UsageError(
            f"--specharness-timeout {text!r} is no time in seconds; expected a number above 0, at most 86400"
        )
    return seconds
