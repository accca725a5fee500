"""What a search found as verdicts to report and cases to keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from specharness.fuzz.expect import written
from specharness.fuzz.search import Finding
from specharness.implementation.observation import Lost, Raised, Returned
from specharness.judge.values import show
from specharness.judge.verdict import Verdict
from specharness.report.escape import printable_start
from specharness.report.result import Setting
from specharness.suite.model import Case
from specharness.suite.policies import policy_for
from specharness.suite.write import write_cases
from specharness.version import VERSION

_MOST_TEXT = 200


def numbered(findings: Sequence[Finding], setting: Setting, path: Path, *, provenance: str) -> list[Verdict]:
    """The verdicts that fail, each on its case as the file at `path` should hold it."""
    policy = policy_for(setting.profile, setting.policies)
    found: list[Verdict] = []
    for finding in findings:
        verdict = finding.seen.verdict
        if verdict is None or finding.relation:
            continue
        clause, cause = finding.cause
        case = written(
            finding.seen.case,
            id=f"FUZZ-{len(found) + 1:03}",
            title=f"to complete: {printable_start(cause, _MOST_TEXT)} ({clause})",
            notes=f"Found by {provenance}, version {VERSION}. {_answered(verdict)}",
            policy=policy,
        )
        found.append(replace(verdict, case=replace(case, file=str(path))))
    return found


def located(verdicts: Sequence[Verdict], text: str) -> list[Verdict]:
    """The verdicts with the line of their case in a case file's text."""
    lines = {line: number for number, line in enumerate(text.splitlines(), start=1)}
    return [replace(v, case=replace(v.case, line=lines.get(f"- id: {v.case.id}", 0))) for v in verdicts]


def case_file(cases: Sequence[Case]) -> tuple[str, list[tuple[Case, str]]]:
    """The text of a case file, empty for no cases, and the cases that no file can hold with the reason."""
    kept: list[Case] = []
    left: list[tuple[Case, str]] = []
    for case in cases:
        try:
            write_cases([case])
        except ValueError as error:
            left.append((case, str(error)))
        else:
            kept.append(case)
    return write_cases(kept) if kept else "", left


def _answered(verdict: Verdict) -> str:
    """What the implementation did, in a sentence. It is untrusted text."""
    answer = verdict.observation.answer
    match answer:
        case Returned():
            what = f"returned {show(answer.value, most=_MOST_TEXT)}"
        case Raised():
            what = f"raised {answer.exception}"
        case Lost():
            what = f"gave no answer: {answer.detail}"
    return f"The implementation {printable_start(what, 2 * _MOST_TEXT)}."
