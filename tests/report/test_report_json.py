"""The JSON report: its schema, and that it tells all of a run."""

from __future__ import annotations

import json
import platform
from dataclasses import replace

import pytest
from reporting import right
from results import RESULTS

from specharness.exit_codes import ExitCode
from specharness.implementation.observation import Loss
from specharness.locations import data_root
from specharness.report.json_report import render_json, report
from specharness.version import SPEC_VERSION, VERSION

_SCHEMA = data_root() / "spec" / "schema" / "report.schema.json"


@pytest.fixture(scope="module")
def validator():
    if not _SCHEMA.exists():
        pytest.skip("the schema is not there yet")
    from jsonschema import Draft202012Validator

    schema = json.loads(_SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_report_follows_its_schema(validator, result):
    data = json.loads(render_json(result))
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(data)]
    assert errors == []


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_a_report_is_ascii_and_strict_json(result):
    text = render_json(result)
    assert text.isascii()
    assert text.endswith("}\n")
    assert all(char.isprintable() or char == "\n" for char in text)
    assert json.loads(text, parse_constant=pytest.fail) == report(result)


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_the_counts_are_those_of_the_cases(result):
    data = report(result)
    for name, gating in (("gating", True), ("advisory", False)):
        for status, count in data["counts"][name].items():
            assert count == sum(case["status"] == status and case["gating"] is gating for case in data["cases"])
    assert sum(sum(counts.values()) for counts in data["counts"].values()) == len(data["cases"]) == len(result.verdicts)


@pytest.mark.parametrize(
    ("name", "code", "conformant"),
    [
        ("right", ExitCode.NONCONFORMANT, False),  # the case that expects an error fails
        ("self-check", ExitCode.NONCONFORMANT, False),
        ("interrupted", ExitCode.INTERRUPTED, False),
        ("empty", ExitCode.CONFORMANT, True),
        ("lost", ExitCode.NONCONFORMANT, False),
    ],
)
def test_the_exit_code_is_told(name, code, conformant):
    data = report(RESULTS[name])
    assert (data["exit_code"], data["conformant"]) == (int(code), conformant)


def test_a_passed_case_is_told_in_short_and_another_in_full():
    passed, advice, failed = report(RESULTS["right"])["cases"]
    assert passed["status"] == "passed"
    assert not {"breaches", "expected", "observed", "output"} & set(passed)
    assert advice == {
        **advice,
        "status": "passed",
        "gating": False,
        "tags": ["a", "b"],
        "clauses": ["SV-RES-2", "SV-IN-9"],
    }
    assert failed["status"] == "failed"
    assert failed["expected"] == {"raises": "ValueError"}
    assert failed["observed"] == {"result": right()}
    assert failed["breaches"] == [
        {
            "clause": "SV-IN-2",
            "level": "MUST",
            "cause": "returned instead of raising ValueError",
            "lines": failed["breaches"][0]["lines"],
        }
    ]


def test_what_an_implementation_did_is_told_as_it_came():
    (first, *_) = report(RESULTS["raises"])["cases"]
    assert first["observed"]["raises"] == "ValueError"
    assert first["observed"]["message"] == "\ud800 \x1b[31m ::error::"
    assert "Traceback" in first["observed"]["traceback"] or "ValueError" in first["observed"]["traceback"]
    assert report(RESULTS["nan"])["cases"][0]["observed"]["result"]["bonus_token"] == "NaN"
    assert [case["observed"] for case in report(RESULTS["lost"])["cases"]] == [
        {"lost": loss.value, "detail": "d"} for loss in Loss
    ]


def test_skipped_cases_are_told_with_their_reason():
    assert report(RESULTS["wrong"])["skipped"] == [{"id": "CASE-004", "reason": "not for float64"}]
    assert report(RESULTS["float16"])["skipped"] == []


def test_profile_dtype_space_and_policies_are_told():
    data = report(RESULTS["sampled"])
    told = {name: data[name] for name in ("profile", "dtype", "space", "policies")}
    assert told == {"profile": "sampled", "dtype": "float32", "space": "log", "policies": {"knot": "left"}}
    assert data["skipped"] == [{"id": "CASE-006", "reason": "applies only where the policy knot is right"}]
    data = report(RESULTS["right"])
    told = {name: data[name] for name in ("profile", "dtype", "space", "policies")}
    assert told == {"profile": "argmax", "dtype": "float64", "space": "prob", "policies": {}}


def test_the_score_is_told_where_there_is_one():
    assert report(RESULTS["scored"])["score"] == {"points": 100, "bonus": 10, "reason": "r"}
    assert report(RESULTS["right"])["score"] is None


def test_what_reproduces_a_run_is_told():
    result = RESULTS["wrong"]
    setting = replace(result.setting, command=("specharness", "--impl", "\udcff"), shipped=False)
    data = json.loads(render_json(replace(result, setting=setting)))
    assert data["command"] == ["specharness", "--impl", "\udcff"]
    assert data["suite"] == {"shipped": False, "cases": 3, "digest": result.digest}
    assert data["harness_python"] == platform.python_version()
    assert (data["specharness"], data["spec"]) == (VERSION, SPEC_VERSION)


def test_each_case_stands_on_a_line_of_its_own():
    text = render_json(RESULTS["wrong"])
    lines = text.rpartition('"cases": [\n')[2].splitlines()
    cases = [json.loads(line.rstrip(",")) for line in lines if line.startswith("  {")]
    assert cases == json.loads(text)["cases"]
