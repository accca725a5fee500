"""The matrix of implementations as JSON (spec/schema/matrix.schema.json)."""

from __future__ import annotations

import json
from typing import Any

from specharness.judge.verdict import Status, Verdict
from specharness.report.comparison import Column, Comparison, Row, diagnosis_of, legend
from specharness.report.escape import harmless_json
from specharness.version import SPEC_VERSION, VERSION

_STATUS = {status: status.value.replace(" ", "_") for status in Status}


def render_comparison_json(comparison: Comparison) -> str:
    """The matrix as JSON text, ASCII only."""
    setting = comparison.setting
    content = {
        "format": "specharness matrix 1",
        "specharness": VERSION,
        "spec": SPEC_VERSION,
        "profile": setting.profile,
        "dtype": setting.arithmetic.dtype,
        "space": setting.arithmetic.space,
        "policies": dict(setting.policies),
        "strict": setting.strict,
        "interrupted": comparison.interrupted,
        "exit_code": int(comparison.exit_code),
        "implementations": [_column(column) for column in comparison.columns],
        "skipped": [{"id": case.id, "reason": reason} for case, reason in comparison.skipped],
        "cases": [_row(row) for row in comparison.rows],
    }
    return harmless_json(json.dumps(content, indent=1, allow_nan=False)) + "\n"


def _column(column: Column) -> dict[str, Any]:
    return {
        "letters": column.letters,
        "name": column.name,
        "language": column.result.setting.language if column.result else "",
        "ran": column.result is not None,
        "outcome": legend(column),
        "behaves_like": diagnosis_of(column),
    }


def _row(row: Row) -> dict[str, Any]:
    return {
        "id": row.case.id,
        "title": row.case.title,
        "agree_against_expectation": row.agreed is not None,
        "outcomes": [_outcome(verdict) for verdict in row.verdicts],
    }


def _outcome(verdict: Verdict | None) -> dict[str, Any] | None:
    if verdict is None:
        return None
    breaches = dict.fromkeys((breach.clause, breach.cause) for breach in verdict.breaches)
    return {
        "status": _STATUS[verdict.status],
        "breaches": [{"clause": clause, "cause": cause} for clause, cause in breaches],
    }
