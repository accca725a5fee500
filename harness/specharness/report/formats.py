"""The formats of reports by name. What renders one is imported where a run asks for it.

A new format is a function here that imports its renderer, and an entry in `FORMATS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from specharness.report.result import RunResult


@dataclass(frozen=True, slots=True)
class Format:
    """One format: `render` gives the whole report as text that UTF-8 can encode.

    `for_log` is whether it is made to be read out of a log. On standard output such a report stands beside the text
    report; any other has standard output for itself, so that a program can read it.
    """

    render: Callable[[RunResult], str]
    for_log: bool = False


def _json(result: RunResult) -> str:
    from specharness.report.json_report import render_json

    return render_json(result)


def _junit(result: RunResult) -> str:
    from specharness.report.junit import render_junit

    return render_junit(result)


def _markdown(result: RunResult) -> str:
    from specharness.report.markdown import render_markdown

    return render_markdown(result)


def _github(result: RunResult) -> str:
    from specharness.report.github import render_github

    return render_github(result)


def _html(result: RunResult) -> str:
    from specharness.report.html_page import render_html

    return render_html(result)


FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        "json": Format(_json),
        "junit": Format(_junit),
        "markdown": Format(_markdown),
        "html": Format(_html),
        "github": Format(_github, for_log=True),
    }
)
