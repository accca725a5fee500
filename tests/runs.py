"""Runs of the command on an implementation, with their JSON reports."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
from processes import Ended

from specharness.locations import data_root

MISBEHAVING = Path(__file__).parent / "misbehaving"


@dataclass(frozen=True)
class Judged:
    """A run with its JSON report. `cases` are the report's cases by id."""

    ended: Ended
    report: dict[str, Any]

    @property
    def cases(self) -> dict[str, dict[str, Any]]:
        return {case["id"]: case for case in self.report["cases"]}

    @property
    def statuses(self) -> dict[str, str]:
        return {name: case["status"] for name, case in self.cases.items()}

    def clauses(self, case: str) -> list[str]:
        return [breach["clause"] for breach in self.cases[case].get("breaches", [])]

    def lines(self, case: str) -> str:
        return "\n".join(line for breach in self.cases[case].get("breaches", []) for line in breach["lines"])


def judge_implementation(
    run: Callable[..., Ended], folder: Path, impl: Any, *options: Any, cases: Path, timeout: float = 5, **more: Any
) -> Judged:
    """Run the command on an implementation: a file in tests/misbehaving, without its ending, or a path; :function."""
    name, colon, function = str(impl).partition(":")
    target = name if "/" in name else str(MISBEHAVING / f"{name}.py")
    report = folder / f"report-{uuid.uuid4().hex}.json"
    ended = run(
        *("--impl", target + colon + function, "--cases", cases, "--timeout", timeout),
        *("--report", f"json={report}"),
        *options,
        **more,
    )
    assert report.exists(), ended.stderr
    content = json.loads(report.read_text())
    _report_schema().validate(content)
    return Judged(ended, content)


@cache
def _report_schema() -> jsonschema.Draft202012Validator:
    path = data_root() / "spec" / "schema" / "report.schema.json"
    return jsonschema.Draft202012Validator(json.loads(path.read_text()))
