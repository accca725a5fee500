"""The JUnit report: valid whatever it holds, and what is a failure, an error or skipped.

junit-10.xsd is that of jenkinsci/xunit-plugin (src/main/resources/org/jenkinsci/plugins/xunit/types/model/xsd), under
the MIT licence that stands in it.
"""

from __future__ import annotations

import xml.etree.ElementTree
from dataclasses import replace
from pathlib import Path

import junitparser.junitparser
import lxml.etree
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from reporting import make_case, returning, right, run
from results import ANY_TEXT, RESULTS, many, result_with

from specharness.implementation.observation import Loss
from specharness.judge.verdict import Status
from specharness.report.diagnosis_text import first_finding
from specharness.report.junit import render_junit
from specharness.version import SPEC_VERSION, VERSION

_SCHEMA = lxml.etree.XMLSchema(lxml.etree.parse(Path(__file__).with_name("junit-10.xsd")))


@pytest.fixture(params=[lxml.etree, xml.etree.ElementTree], ids=["lxml", "standard library"])
def either_library(request, monkeypatch):
    """junitparser takes lxml where it is installed."""
    monkeypatch.setattr(junitparser.junitparser, "etree", request.param)


def parsed(result):
    root = lxml.etree.fromstring(render_junit(result).encode(), lxml.etree.XMLParser(huge_tree=True))
    assert _SCHEMA.validate(root), _SCHEMA.error_log
    return root


def by_name(root):
    return {test.get("name"): test for test in root.iter("testcase")}


def kinds_of(root):
    return {name: [child.tag for child in test] for name, test in by_name(root).items()}


@pytest.mark.usefixtures("either_library")
@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_report_follows_its_schema(result):
    root = parsed(result)
    wanted = [verdict.case.id for verdict in result.verdicts]
    wanted += [case.id for case, _ in result.skipped] + [case.id for case in result.missing]
    assert sorted(test.get("name") for test in root.iter("testcase")) == sorted(wanted)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_the_counts_are_those_of_the_tests(result):
    root = parsed(result)
    for holder in (root, *root.iter("testsuite")):
        for attribute, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
            assert int(holder.get(attribute)) == len(list(holder.iter(tag)))
    for suite in root.iter("testsuite"):
        assert int(suite.get("skipped")) == len(list(suite.iter("skipped")))


@settings(max_examples=25, deadline=None)
@given(ANY_TEXT)
@example("]]>")
@example("\ud800\udfff\ufffe\uffff\x00\x0b\x1b[31m\x85\u2028")
@example("<!DOCTYPE a [<!ENTITY b SYSTEM 'file:///etc/passwd'>]>&b;")
@example("/")
@example("..")
@example(".yaml")
def test_any_text_leaves_it_valid(text):
    root = parsed(result_with(text))
    assert set(by_name(root)) == {f"EVIL-{n:03}" for n in range(1, 10)}


@settings(max_examples=15, deadline=None)
@given(st.text(st.characters(categories=("L", "N", "P", "S")), min_size=1).filter(lambda t: "::" not in t))
def test_text_that_can_be_printed_arrives_as_it_was(text):
    root = parsed(run(returning(right(bonus=0)), make_case(title=text)))
    if "##" not in text:
        assert by_name(root)["CASE-001"].findtext("failure").startswith(f"{text}\n")


def test_a_text_of_a_megabyte_is_cut():
    assert len(render_junit(result_with("\x1b<" * 500_000))) < 3_000_000


def test_ten_thousand_cases_with_a_thousand_failures_are_valid():
    root = parsed(many(10_000, 1000, "output\n"))
    assert (root.get("tests"), root.get("failures"), root.get("errors")) == ("10000", "1000", "0")


def test_failures_of_the_first_of_each_cause_show_the_trace_and_all_how_to_repeat_them():
    cases = [make_case(f"SAME-{n:03}", random_samples=[0.5, 0.5 + n / 1024]) for n in range(30)]
    texts = [test.findtext("failure") for test in by_name(parsed(run(returning(right(bonus=0)), *cases))).values()]
    assert [("\nreference\n" in text) for text in texts] == [True] * 3 + [False] * 27
    assert all(f"again: specharness --impl 'my solution.py' --case SAME-{n:03}" in texts[n] for n in range(30))
    assert all("bonus_token: expected 2, got 0" in text for text in texts)


def test_a_failure_names_its_clause_and_the_difference():
    root = parsed(run(returning(right(bonus=0)), make_case(title="a title"), output="printed\x1b\n"))
    test = by_name(root)["CASE-001"]
    failure = test.find("failure")
    assert failure.get("type") == "SV-RES-1"
    assert failure.get("message") == "SV-RES-1: bonus_token: expected 2, got 0"
    assert failure.text.splitlines()[:2] == ["a title", "cases/made.yaml:3"]
    assert test.findtext("system-out") == "printed\\x1b"


def test_a_lost_call_and_a_case_not_run_are_errors():
    result = RESULTS["lost"]
    errors = list(parsed(result).iter("error"))
    assert [error.get("type") for error in errors] == [loss.value for loss in Loss]
    assert errors[-1].get("message") == "not run: d"
    assert "d" in errors[0].text


def test_advice_passes_and_is_told_as_output():
    root = parsed(RESULTS["mutates"])
    advice = [verdict.case.id for verdict in RESULTS["mutates"].verdicts if verdict.status is Status.ADVICE]
    assert advice
    for name in advice:
        assert kinds_of(root)[name] == ["system-out"]
        assert "SV-PURE-1 (SHOULD)" in by_name(root)[name].findtext("system-out")


@pytest.mark.parametrize(
    ("name", "message"), [("interrupted", "interrupted before it"), ("stopped", "left out: stopped after 3 failures")]
)
def test_cases_without_a_verdict_are_skipped(name, message):
    root = parsed(RESULTS[name])
    assert kinds_of(root)["CASE-009"] == ["skipped"]
    assert by_name(root)["CASE-009"].find("skipped").get("message").startswith(message)
    assert by_name(root)["CASE-004"].find("skipped").get("message") == "not for float64"


def test_suites_are_files_and_groups_are_profiles_and_files():
    cases = [make_case(), replace(make_case("CASE-002"), file="../own/a.b/more.yml")]
    root = parsed(run(returning(right()), *cases))
    assert [suite.get("name") for suite in root] == ["cases/made.yaml", "../own/a.b/more.yml"]
    assert [test.get("classname") for test in root.iter("testcase")] == [
        "specharness.argmax.cases.made",
        "specharness.argmax.own.a.b.more",
    ]
    assert [suite.get("file") for suite in root] == [None, None]


def test_only_files_of_the_user_are_named_as_files():
    result = run(returning(right()), make_case())
    result = replace(result, setting=replace(result.setting, shipped=False))
    assert [suite.get("file") for suite in parsed(result)] == ["cases/made.yaml"]


def test_each_suite_tells_how_the_run_was_made():
    root = parsed(RESULTS["sampled"])
    told = {each.get("name"): each.get("value") for each in root[0].iter("property")}
    assert told == {
        **told,
        "implementation": "my solution.py",
        "profile": "sampled",
        "dtype": "float32",
        "space": "log",
        "policy knot": "left",
        "strict": "false",
        "specharness": VERSION,
        "spec": SPEC_VERSION,
        "cases": RESULTS["sampled"].digest,
    }
    assert told["outcome"].startswith("nonconformant: ")
    assert told["diagnosis"] == first_finding(RESULTS["sampled"].diagnosis)


def test_times_are_plain_decimals():
    result = run(returning(right()), make_case(), make_case("CASE-002", random_samples=[0.5, 0.75]))
    verdicts = [
        replace(verdict, observation=replace(verdict.observation, seconds=seconds))
        for verdict, seconds in zip(result.verdicts, (0.00000123, 1234.56789), strict=True)
    ]
    root = parsed(replace(result, verdicts=verdicts))
    assert [test.get("time") for test in root.iter("testcase")] == ["0.0", "1234.5679"]
    assert root.get("time") == root[0].get("time") == "1234.568"
