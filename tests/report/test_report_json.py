"""The JSON report: its schema, and that it tells all of a run."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from reporting import CLAUSES, make_case, raising, returning, right, run

from specharness.exit_codes import ExitCode
from specharness.implementation.observation import Loss, Lost, Observation
from specharness.judge.score import Score
from specharness.judge.verdict import judge
from specharness.locations import data_root
from specharness.report.json_report import render_json, report
from specharness.report.result import RunResult, Setting

_SCHEMA = data_root() / "spec" / "schema" / "report.schema.json"


@pytest.fixture(scope="module")
def validator():
    if not _SCHEMA.exists():
        pytest.skip("the schema is not there yet")
    from jsonschema import Draft202012Validator

    schema = json.loads(_SCHEMA.read_text())
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


class MyInt(int):
    pass


def _mutating(tokens, *arguments):
    tokens.append(0)
    return right()


def _cases():
    return [
        make_case(),
        make_case("CASE-002", ("SV-RES-2", "SV-IN-9"), tags=("a", "b")),
        make_case("CASE-003", ("SV-IN-2",), random_samples=[0.5]),
        make_case("CASE-004", dtypes=("float16",)),
    ]


def _sampled_cases():
    sampled = {"profile": "sampled", "random_samples": [0.5, 0.5, 0.5]}
    return [
        make_case("CASE-005", ("SV-SMP-2",), **sampled),
        make_case("CASE-006", ("SV-SMP-4",), policies=[("knot", "right")], **sampled),
    ]


_RESULTS = {
    "sampled": run(
        returning(right(bonus=0)), *_sampled_cases(), dtype="float32", space="log", policies=(("knot", "left"),)
    ),
    "right": run(returning(right()), *_cases()),
    "wrong": run(returning(right(bonus=0)), *_cases()),
    "none": run(returning(None), *_cases()),
    "nan": run(returning(right(bonus=float("nan"))), *_cases()),
    "odd-types": run(returning({"accepted_tokens": (1,), "bonus_token": MyInt(2), "x": {1, 2}}), *_cases()),
    "huge": run(returning(right(count=10**100)), *_cases()),
    "raises": run(raising(ValueError("\ud800 \x1b[31m ::error::")), *_cases()),
    "mutates": run(_mutating, *_cases()),
    "strict": run(_mutating, *_cases(), strict=True),
    "float16": run(returning(right()), *_cases(), dtype="float16"),
    "output": run(returning(None), *_cases(), output="\x00\ud800\n"),
    "scored": run(returning(right()), *_cases(), score=Score(100, 10, "r")),
    "interrupted": run(returning(right()), *_cases(), interrupted=True),
    "stopped": run(returning(None), *_cases(), stopped=True, notes=["n"]),
    "self-check": replace(
        run(returning(right()), *_cases()), setting=Setting("specreference", self_check=True, language="Python 3")
    ),
    "lost": RunResult(
        Setting("x"), [judge(make_case(), Observation(Lost(loss, "d"), output="o"), CLAUSES) for loss in Loss], CLAUSES
    ),
    "empty": RunResult(Setting("x"), [], CLAUSES),
}


@pytest.mark.parametrize("result", _RESULTS.values(), ids=_RESULTS)
def test_a_report_follows_its_schema(validator, result):
    data = json.loads(render_json(result))
    errors = [f"{list(error.absolute_path)}: {error.message}" for error in validator.iter_errors(data)]
    assert errors == []


@pytest.mark.parametrize("result", _RESULTS.values(), ids=_RESULTS)
def test_a_report_is_ascii_and_strict_json(result):
    text = render_json(result)
    assert text.isascii()
    assert text.endswith("}\n")
    assert all(char.isprintable() or char == "\n" for char in text)
    assert json.loads(text, parse_constant=pytest.fail) == report(result)


@pytest.mark.parametrize("result", _RESULTS.values(), ids=_RESULTS)
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
    data = report(_RESULTS[name])
    assert (data["exit_code"], data["conformant"]) == (int(code), conformant)


def test_a_passed_case_is_told_in_short_and_another_in_full():
    passed, advice, failed = report(_RESULTS["right"])["cases"]
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
    (first, *_) = report(_RESULTS["raises"])["cases"]
    assert first["observed"]["raises"] == "ValueError"
    assert first["observed"]["message"] == "\ud800 \x1b[31m ::error::"
    assert "Traceback" in first["observed"]["traceback"] or "ValueError" in first["observed"]["traceback"]
    assert report(_RESULTS["nan"])["cases"][0]["observed"]["result"]["bonus_token"] == "NaN"
    assert [case["observed"] for case in report(_RESULTS["lost"])["cases"]] == [
        {"lost": loss.value, "detail": "d"} for loss in Loss
    ]


def test_skipped_cases_are_told_with_their_reason():
    assert report(_RESULTS["wrong"])["skipped"] == [{"id": "CASE-004", "reason": "not for float64"}]
    assert report(_RESULTS["float16"])["skipped"] == []


def test_profile_dtype_space_and_policies_are_told():
    data = report(_RESULTS["sampled"])
    told = {name: data[name] for name in ("profile", "dtype", "space", "policies")}
    assert told == {"profile": "sampled", "dtype": "float32", "space": "log", "policies": {"knot": "left"}}
    assert data["skipped"] == [{"id": "CASE-006", "reason": "applies only where the policy knot is right"}]
    data = report(_RESULTS["right"])
    told = {name: data[name] for name in ("profile", "dtype", "space", "policies")}
    assert told == {"profile": "argmax", "dtype": "float64", "space": "prob", "policies": {}}


def test_the_score_is_told_where_there_is_one():
    assert report(_RESULTS["scored"])["score"] == {"points": 100, "bonus": 10, "reason": "r"}
    assert report(_RESULTS["right"])["score"] is None
