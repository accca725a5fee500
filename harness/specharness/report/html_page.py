"""The HTML report: one page that needs no network, no other file and no script to be read.

What comes from an implementation or a case file is text: Jinja escapes the markup in it, and `printable` what a reader
would not see. The page's own policy lets no other script or style run than those written into it.
"""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from specharness.judge.verdict import Status
from specharness.report import page_content as content
from specharness.report.escape import printable, printable_start
from specharness.report.known import stale_sections
from specharness.report.result import RunResult
from specharness.report.text import summary_line
from specharness.version import SPEC_VERSION, VERSION

if TYPE_CHECKING:
    from specharness.report.diagnosis_text import Finding

_FOLDER = Path(__file__).parent / "templates" / "page"
_LINE = 500
"""Longer lines are cut: a page with a thousand of them must open."""


def render_html(result: RunResult) -> str:
    """The page, the same for the same result."""
    style, script = (_own(name) for name in ("page.css", "page.js"))
    template = _environment().get_template("page.html")
    page = template.render(
        style=style,
        script=script,
        policy=_policy(style, script),
        result=result,
        setting=result.setting,
        summary=summary_line(result),
        versions=f"specharness {VERSION}, spec {SPEC_VERSION}",
        command=content.command_of(result),
        clauses=content.clause_counts(result),
        tags=content.tags_of(result),
        failures=list(content.groups_of(result.failures, result, full=content.FAILURES_IN_FULL)),
        advice=list(content.groups_of(result.advice, result, full=content.ADVICE_IN_FULL)),
        findings=_findings(result),
        not_run=[*(verdict.case for verdict in content.of_status(result, Status.NOT_RUN)), *result.missing],
        known=[(verdict.case, verdict.listed.reason if verdict.listed else "") for verdict in result.known],
        stale=list(stale_sections(result)),
        passed=content.of_status(result, Status.PASSED),
        counts={status.value: _count(result, status) for status in Status},
    )
    return page + "\n"


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        undefined=StrictUndefined,
        finalize=_finalize,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters["line"] = _line
    environment.filters["prose"] = _prose
    environment.filters["count"] = lambda count: f"{count:,}"
    environment.filters["marks"] = lambda marks: " ".join(f"{clause}={mark}" for clause, mark in marks.items())
    return environment


def _finalize(value: Any) -> Any:
    """Every text that a template puts out, but for its own markup."""
    return printable(value) if type(value) is str else value


def _line(text: str) -> str:
    """A line of bounded length, also where each of its characters is escaped."""
    safe = printable_start(text, _LINE)
    return safe if len(safe) <= 2 * _LINE else safe[: 2 * _LINE] + "..."


def _prose(sentence: str) -> Markup:
    """A sentence of the spec, whose names stand in backticks."""
    return Markup().join(
        Markup("<code>{}</code>").format(part) if at % 2 else part for at, part in enumerate(sentence.split("`"))
    )


def _own(name: str) -> Markup:
    return Markup((_FOLDER / name).read_text(encoding="utf-8"))  # noqa: S704  # a file of this package


def _policy(style: Markup, script: Markup) -> str:
    """The content security policy: nothing from anywhere, and of scripts and styles just these two."""
    return (
        f"default-src 'none'; style-src '{_digest(style)}'; script-src '{_digest(script)}'; img-src data:; "
        "base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'"
    )


def _digest(text: str) -> str:
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _findings(result: RunResult) -> list[Finding]:
    """Which known faults the failures look like."""
    if result.diagnosis is None:
        return []
    from specharness.report.diagnosis_text import findings  # imports the catalogue of faults

    return findings(result.diagnosis)


def _count(result: RunResult, status: Status) -> tuple[int, int]:
    """Gating and advisory cases of a status."""
    return result.counts[True, status], result.counts[False, status]
