"""What a verdict makes of a test: it passes, fails with the report's text, or passes with advice."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from specharness.implementation.observation import Lost
from specharness.judge.verdict import Status, Verdict
from specharness.pytest_plugin.summary import ADVICE
from specharness.report.escape import printable_start
from specharness.report.failure import cause_of
from specharness.report.result import RunResult, Setting
from specharness.report.text import Style, in_full
from specharness.suite.clauses import Clause, Level
from specharness.suite.model import Case
from specharness.suite.select import level_of


def settle(
    verdict: Verdict, item: pytest.Item, setting: Setting, clauses: Mapping[str, Clause], *, again: str = ""
) -> None:
    """Fail the test of a failed case; note advice on the item."""
    __tracebackhide__ = True
    if verdict.status is Status.PASSED:
        return
    if verdict.status is Status.NOT_RUN:
        assert isinstance(verdict.observation.answer, Lost)
        pytest.fail(f"not run: {printable_start(verdict.observation.answer.detail)}", pytrace=False)
    text = in_full(verdict, RunResult(setting, [verdict], dict(clauses)), Style())
    if verdict.status is Status.FAILED:
        pytest.fail(
            "\n".join([": ".join(cause_of(verdict)), "", text, *([f"  again: {again}"] if again else [])]),
            pytrace=False,
        )
    breach = verdict.breaches[0]
    item.user_properties.append((ADVICE, printable_start(f"{breach.clause}: {breach.lines[0]}")))
    item.add_report_section("call", "advice", text)


def marks_of(case: Case, clauses: Mapping[str, Clause], exclusion: str) -> list[pytest.MarkDecorator]:
    """The marks of a case's test; it is skipped for the reason `exclusion`, unless that is empty."""
    must = level_of(case, clauses) is Level.MUST
    level = pytest.mark.specharness_must if must else pytest.mark.specharness_should
    return [pytest.mark.specharness, level, *([pytest.mark.skip(reason=exclusion)] if exclusion else [])]
