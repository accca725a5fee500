"""The matrix of implementations as one page of HTML."""

from __future__ import annotations

from typing import Any

from specharness.judge.verdict import Status
from specharness.report.comparison import (
    Column,
    Comparison,
    Group,
    agreement_line,
    diagnosis_of,
    legend,
    outcome_line,
)
from specharness.report.escape import printable, printable_start
from specharness.report.plain_page import render_plain_page


def render_comparison_html(comparison: Comparison) -> str:
    """The page. It needs nothing from the network, and no script."""
    return render_plain_page(
        "comparison.html",
        outcome=outcome_line(comparison),
        setting=comparison.setting,
        cases=len(comparison.rows),
        columns=[_column(column) for column in comparison.columns],
        tables=[
            {"heading": heading, "groups": [_group(group, comparison) for group in groups]}
            for heading, groups in (("Failures", comparison.failing), ("Advice that differs", comparison.advised))
            if groups
        ],
        suspicious=[printable_start(agreement_line(row), 2000) for row in comparison.suspicious],
    )


def _column(column: Column) -> dict[str, Any]:
    return {
        "letters": column.letters,
        "name": printable_start(column.name),
        "lines": [printable(line) for line in legend(column).splitlines()],
        "diagnosis": printable(diagnosis_of(column)),
        "good": column.result is not None and column.result.passed,
    }


_KINDS: dict[Status | None, str] = {
    Status.FAILED: "bad",
    Status.NOT_RUN: "bad",
    Status.ADVICE: "mild",
    Status.PASSED: "good",
}


def _group(group: Group, comparison: Comparison) -> dict[str, Any]:
    columns, statuses = comparison.columns, group.rows[0].statuses
    words = map(_word, columns, statuses)
    cells = zip(group.signs(columns), words, statuses, strict=True)
    return {
        "cells": [{"sign": sign, "word": word, "kind": _KINDS.get(status, "soft")} for sign, word, status in cells],
        "why": printable_start(group.why, 1000),
        "cases": [(printable(row.case.id), printable(row.case.title)) for row in group.rows],
    }


def _word(column: Column, status: Status | None) -> str:
    if column.result is None:
        return "could not be run"
    return status.value if status else "no verdict"
