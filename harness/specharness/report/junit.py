"""The JUnit XML report, for the test pages of CI systems. It is valid by the schema of Jenkins' xUnit plugin."""

from __future__ import annotations

import io
import platform
from collections import Counter
from collections.abc import Iterator, Mapping
from os.path import splitext
from typing import NamedTuple

from junitparser import Attr, Error, Failure, JUnitXml, Skipped, SystemOut, TestCase, TestSuite

from specharness.implementation.observation import Lost
from specharness.judge.known import passes_although_listed
from specharness.judge.verdict import Status, Verdict
from specharness.report.escape import printable_lines, printable_start
from specharness.report.failure import again, sections, text_lines
from specharness.report.groups import shown_in_full
from specharness.report.result import RunResult
from specharness.report.text import summary_line
from specharness.suite.model import Case
from specharness.version import SPEC_VERSION, VERSION

_OUTPUT_LINES = 100


class _Suite(TestSuite):
    """With an attribute of the schema that the library lacks."""

    file = Attr()


class _Told(NamedTuple):
    """What the report says about a case."""

    case: Case
    seconds: float = 0.0
    problem: Failure | Error | Skipped | None = None
    output: str = ""


def render_junit(result: RunResult) -> str:
    """The report as XML text: a suite for each case file, a test for each case, named by its id, which never changes.

    A failure is a case that failed; an error is one without an answer to judge: its call was lost, or never made.
    Skipped are cases that the run's declarations exclude, those that an interrupt, -x or --max-fail left out, and known
    failures, with their reason. A case that passes although the baseline lists it is a failure. Advice passes, and is
    told as the test's output.
    """
    files: dict[str, list[_Told]] = {}
    for told in _all_told(result):
        files.setdefault(told.case.file, []).append(told)
    properties = _properties(result)
    suites = [_suite(file, inside, properties, shipped=result.setting.shipped) for file, inside in files.items()]
    xml = JUnitXml("specharness")
    xml.extend(suites)
    # not by the library's own sum, which adds an attribute that the schema lacks
    xml.tests = sum(suite.tests for suite in suites)
    xml.failures = sum(suite.failures for suite in suites)
    xml.errors = sum(suite.errors for suite in suites)
    xml.time = round(sum(suite.time for suite in suites), 3)
    written = io.BytesIO()
    xml.write(written)
    return written.getvalue().decode() + "\n"


def _properties(result: RunResult) -> dict[str, str]:
    setting = result.setting
    return {
        "implementation": setting.implementation,
        "language": setting.language,
        "profile": setting.profile,
        "dtype": setting.arithmetic.dtype,
        "space": setting.arithmetic.space,
        **{f"policy {name}": value for name, value in setting.policies},
        "strict": str(setting.strict).lower(),
        "specharness": VERSION,
        "spec": SPEC_VERSION,
        "cases": result.digest,
        "python": platform.python_version(),
        "platform": platform.platform(),
        "outcome": summary_line(result),
        **_diagnosis(result),
    }


def _diagnosis(result: RunResult) -> dict[str, str]:
    if result.diagnosis is None:
        return {}
    from specharness.report.diagnosis_text import first_finding  # imports the catalogue of faults

    return {"diagnosis": first_finding(result.diagnosis)}


def _suite(file: str, inside: list[_Told], properties: Mapping[str, str], *, shipped: bool) -> TestSuite:
    suite = _Suite(printable_start(file))
    if not shipped:
        suite.file = printable_start(file)
    kinds = Counter(type(told.problem) for told in inside)
    suite.tests, suite.failures, suite.errors, suite.skipped = (
        len(inside),
        kinds[Failure],
        kinds[Error],
        kinds[Skipped],
    )
    suite.time = round(sum(told.seconds for told in inside), 3)
    for name, value in properties.items():
        suite.add_property(printable_start(name), printable_start(value))
    group = _group(inside[0].case)
    suite.extend(_test(told, group) for told in inside)
    return suite


def _group(case: Case) -> str:
    """Profile and file as dashboards group tests: in packages and classes, with dots between."""
    parts = [part for part in splitext(case.file)[0].split("/") if part.strip(".")]
    return printable_start(".".join(("specharness", case.profile, *parts)))


def _test(told: _Told, group: str) -> TestCase:
    test = TestCase(told.case.id, group, told.seconds)
    if told.problem is not None:
        test.append(told.problem)
    if told.output:
        test.append(SystemOut(told.output))
    return test


def _all_told(result: RunResult) -> Iterator[_Told]:
    in_full = shown_in_full(result.failures)
    for verdict in result.verdicts:
        yield _told(verdict, result, trace=verdict.case.id in in_full)
    left_out = "interrupted before it" if result.interrupted else f"left out: {result.stopped_after}"
    for case, reason in (*result.skipped, *((case, left_out) for case in result.missing)):
        yield _Told(case, problem=Skipped(printable_start(reason)))


def _told(verdict: Verdict, result: RunResult, *, trace: bool) -> _Told:
    seconds, answer = round(verdict.seconds, 4), verdict.observation.answer
    if passes_although_listed(verdict) and result.baseline:
        message = printable_start(f"passes, although {result.baseline.file} lists it as a known failure; take it out")
        return _Told(verdict.case, seconds, Failure(message, "stale baseline"))
    if verdict.status is Status.PASSED:
        return _Told(verdict.case, seconds)
    if verdict.status is Status.NOT_RUN and isinstance(answer, Lost):
        return _Told(verdict.case, seconds, Error(printable_start(f"not run: {answer.detail}"), "not run"))
    text = "\n".join(_lines(verdict, result, trace=trace))
    if verdict.status is Status.ADVICE:
        return _Told(verdict.case, seconds, output=text)
    if verdict.status is Status.KNOWN and verdict.listed:
        reason = " ".join(filter(None, (verdict.listed.reason, verdict.listed.link)))
        return _Told(verdict.case, seconds, Skipped(printable_start(f"known: {reason}")), text)
    breach = verdict.breaches[0]
    message = printable_start(f"{breach.clause}: {'; '.join(breach.lines)}")
    problem = Error(message, answer.loss.value) if isinstance(answer, Lost) else Failure(message, breach.clause)
    problem.text = text
    output = "\n".join(printable_lines(verdict.observation.output, most=_OUTPUT_LINES))
    return _Told(verdict.case, seconds, problem, output)


def _lines(verdict: Verdict, result: RunResult, *, trace: bool) -> Iterator[str]:
    case = verdict.case
    yield printable_start(case.title)
    yield printable_start(f"{case.file}:{case.line}")
    yield from text_lines(sections(verdict, result, trace=trace))
    if result.setting.again:
        yield f"again: {again(verdict, result)}"
