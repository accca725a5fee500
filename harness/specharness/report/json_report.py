"""The JSON report (spec/schema/report.schema.json)."""

from __future__ import annotations

import json
import platform
from typing import Any

from specharness.implementation.observation import Answer, Raised, Returned
from specharness.judge.verdict import Status, Verdict
from specharness.report.escape import harmless_json
from specharness.report.result import RunResult
from specharness.suite.baseline import Entry
from specharness.version import SPEC_VERSION, VERSION

_STATUS = {status: status.value.replace(" ", "_") for status in Status}


def render_json(result: RunResult) -> str:
    """The report as JSON text, ASCII only, with each case on a line of its own."""
    encode = json.JSONEncoder(allow_nan=False).encode
    cases = ",\n  ".join(encode(_case(verdict)) for verdict in result.verdicts)
    head = json.dumps(_run(result), indent=1, allow_nan=False).removesuffix("\n}")
    return harmless_json(f'{head},\n "cases": [\n  {cases}\n ]\n}}\n')


def report(result: RunResult) -> dict[str, Any]:
    """The report as plain data."""
    return {**_run(result), "cases": [_case(verdict) for verdict in result.verdicts]}


def _run(result: RunResult) -> dict[str, Any]:
    """All but the cases."""
    setting = result.setting
    return {
        "format": "specharness report 1",
        "specharness": VERSION,
        "spec": SPEC_VERSION,
        "implementation": {"name": setting.implementation, "language": setting.language},
        "suite": {"shipped": setting.shipped, "cases": len(result.verdicts), "digest": result.digest},
        "command": list(setting.command),
        "harness_python": platform.python_version(),
        "platform": platform.platform(),
        "profile": setting.profile,
        "dtype": setting.arithmetic.dtype,
        "space": setting.arithmetic.space,
        "policies": dict(setting.policies),
        "strict": setting.strict,
        "self_check": setting.self_check,
        "exit_code": int(result.exit_code),
        "conformant": result.passed,
        "interrupted": result.interrupted,
        "stopped": result.stopped,
        "seconds": round(result.seconds, 3),
        "counts": _counts(result),
        "score": _score(result),
        "diagnosis": _diagnosis(result),
        "notes": list(result.notes),
        "baseline": _baseline(result),
        "skipped": [{"id": case.id, "reason": reason} for case, reason in result.skipped],
    }


def _counts(result: RunResult) -> dict[str, dict[str, int]]:
    return {
        name: {word: result.counts[gating, status] for status, word in _STATUS.items()}
        for name, gating in (("gating", True), ("advisory", False))
    }


def _score(result: RunResult) -> dict[str, Any] | None:
    if result.score is None:
        return None
    return {"points": result.score.points, "bonus": result.score.bonus, "reason": result.score.reason}


def _diagnosis(result: RunResult) -> dict[str, Any] | None:
    if result.diagnosis is None:
        return None
    from specharness.report.diagnosis_text import confidence, fits_wholly

    diagnosis = result.diagnosis
    return {
        "failing": diagnosis.failing,
        "exact": diagnosis.exact,
        "behaves_like": [
            {
                "fault": match.fault.id,
                "says": match.fault.says,
                "clause": match.fault.clause,
                "seen": list(match.fault.seen),
                "same_outcomes": len(match.cases),
                "against": list(match.against),
                "wholly": fits_wholly(match, diagnosis),
                "confidence": confidence(match, diagnosis),
                "alike": [other.id for other in match.alike],
            }
            for match in diagnosis.matches
        ],
        "together": [match.fault.id for match in diagnosis.together],
    }


def _baseline(result: RunResult) -> dict[str, Any] | None:
    if result.baseline is None:
        return None
    stale = [
        {
            "line": stale.entry.line,
            "cases": list(stale.entry.patterns),
            "why": stale.why.value,
            "names": list(stale.names),
        }
        for stale in result.stale
    ]
    return {"file": result.baseline.file, "entries": len(result.baseline.entries), "stale": stale}


def _listed(entry: Entry) -> dict[str, Any]:
    listed: dict[str, Any] = {"line": entry.line, "reason": entry.reason}
    if entry.link:
        listed["link"] = entry.link
    if entry.expires:
        listed["expires"] = entry.expires.isoformat()
    return listed


def _case(verdict: Verdict) -> dict[str, Any]:
    case = verdict.case
    entry: dict[str, Any] = {
        "id": case.id,
        "title": case.title,
        "file": case.file,
        "line": case.line,
        "clauses": list(case.clauses),
        "tags": list(case.tags),
        "gating": verdict.gating,
        "status": _STATUS[verdict.status],
        "seconds": round(verdict.seconds, 6),
    }
    if verdict.listed:
        entry["listed"] = _listed(verdict.listed)
    if verdict.status is Status.PASSED:
        return entry
    expected = case.expected
    entry["breaches"] = [
        {"clause": breach.clause, "level": breach.level.value, "cause": breach.cause, "lines": list(breach.lines)}
        for breach in verdict.breaches
    ]
    entry["expected"] = {"raises": expected.raises} if expected.raises else {"result": expected.as_result()}
    entry["observed"] = _answer(verdict.observation.answer)
    entry["output"] = verdict.observation.output
    return entry


def _answer(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, Returned):
        return {"result": answer.value}
    if isinstance(answer, Raised):
        return {"raises": answer.exception, "message": answer.message, "traceback": answer.traceback}
    return {"lost": answer.loss.value, "detail": answer.detail}
