"""A diff of two reports as JSON (spec/schema/diff.schema.json)."""

from __future__ import annotations

import json
from typing import Any

from specharness.report.diff import CaseChange, Change, Diff
from specharness.report.escape import harmless_json
from specharness.report.published import PublishedCase, PublishedReport
from specharness.version import VERSION


def render_diff_json(diff: Diff) -> str:
    """The diff as JSON text, ASCII only."""
    content = {
        "format": "specharness diff 1",
        "specharness": VERSION,
        "old": _run(diff.old),
        "new": _run(diff.new),
        "differs": list(diff.differs),
        "exit_code": int(diff.exit_code),
        "counts": {
            **{_word(change): len(diff.of(change)) for change in Change},
            "unchanged": diff.unchanged,
        },
        "cases": [_case(change) for change in diff.changes],
    }
    return harmless_json(json.dumps(content, indent=1, allow_nan=False)) + "\n"


def _word(change: Change) -> str:
    return change.value.replace(" ", "_")


def _run(report: PublishedReport) -> dict[str, Any]:
    return {"file": report.file, "whole": report.whole, "declared": dict(report.declared)}


def _case(change: CaseChange) -> dict[str, Any]:
    return {
        "id": change.id,
        "change": _word(change.change),
        "regression": change.is_regression,
        "why": change.why,
        "old": _outcome(change.old),
        "new": _outcome(change.new),
    }


def _outcome(case: PublishedCase | None) -> dict[str, Any] | None:
    if case is None:
        return None
    return {
        "status": case.status,
        "breaches": [{"clause": clause, "cause": cause} for clause, cause in case.breaches],
    }
