"""Which cases become items, what they are called, and how they are chosen."""

import json

import pytest
from small_suites import ACCEPTS, RECOVERS, suite_text

CASES = [f"mixed.yaml::{name}" for name in ("ACC-001", "STOP-001", "RES-001", "IN-001", "IN-002")]
OWN = "tests/test_own.py::test_own"

CHOICES = {
    "": [OWN, *CASES],
    "tests": [OWN, *CASES],
    "tests tests/test_own.py": [OWN, *CASES],
    "tests/test_own.py::test_own": [OWN, *CASES],
    "mixed.yaml": CASES,
    "mixed.yaml::RES-001 mixed.yaml::ACC-001 ./mixed.yaml::RES-001": [CASES[0], CASES[2]],
    "tests mixed.yaml::IN-002": [OWN, CASES[4]],
    "-k SV-RES-1": [CASES[1], CASES[2]],
    "-k marked": [CASES[1]],
    "-k IN-002": [CASES[4]],
    "-m specharness_should --strict-markers": [CASES[4]],
    "-m specharness_must": CASES[:4],
    "-m specharness": CASES,
    "--deselect mixed.yaml::ACC-001 mixed.yaml": CASES[1:],
}

_MATRIX = ["--specharness-impl=solution.py", "--specharness-cases=matrix.yaml", "--collect-only", "-q"]
_MIXED = ["--specharness-impl=not/there.py", "--specharness-cases=mixed.yaml", "--collect-only"]

RUNS = {
    **{choice: [*_MIXED, "-q", *choice.split()] for choice in CHOICES},
    "a case of a matrix": [*_MATRIX, "matrix.yaml::ACC-001"],
    "a variant": [*_MATRIX, "matrix.yaml::ACC-001/2"],
    "tree": [*_MIXED, "mixed.yaml"],
    "misspelt": [*_MIXED, "mixed.yaml::RSE-001"],
    "unknown file": [*_MIXED, "specharness/tise.yaml"],
}


def _matrix():
    case = json.loads(json.dumps(ACCEPTS))
    uniforms = [case["input"].pop("random_samples"), ["1/64"]]
    return {**case, "matrix": [{"input": {"random_samples": each}} for each in uniforms]}


FILES = {"matrix.yaml": suite_text(_matrix(), RECOVERS)}


def node_ids(result):
    return [line for line in result.outlines if "::" in line and " " not in line]


@pytest.mark.parametrize("choice", CHOICES, ids=str)
def test_cases_are_chosen_by_path_keyword_and_mark(runs, choice):
    assert node_ids(runs[choice]) == CHOICES[choice]


def test_the_shipped_cases_stand_beside_the_tests_of_the_project_or_are_named(run_pytest):
    shipped = ("--specharness-impl=solution.py", "--collect-only", "-q")
    found = node_ids(run_pytest(*shipped))
    assert found[0] == OWN
    assert len(found) > 300
    assert len(found) == len(set(found))
    *examples, tie = node_ids(run_pytest(*shipped, "specharness/examples.yaml", "specharness/ties.yaml::TIE-002"))
    assert tie == "specharness/ties.yaml::TIE-002"
    assert {name.partition("::")[0] for name in examples} == {"specharness/examples.yaml"}
    greedy = node_ids(run_pytest(*shipped, "specharness", "--specharness-profile=greedy"))
    assert {name.partition("::")[0] for name in greedy} == {"specharness/greedy.yaml"}


def test_a_case_with_a_matrix_names_all_its_variants(runs):
    assert node_ids(runs["a case of a matrix"]) == ["matrix.yaml::ACC-001/1", "matrix.yaml::ACC-001/2"]
    assert node_ids(runs["a variant"]) == ["matrix.yaml::ACC-001/2"]


def test_the_tree_shows_files_and_cases_without_starting_the_implementation(runs):
    assert runs["tree"].ret == 0
    runs["tree"].stdout.fnmatch_lines(
        ["specharness: not/there.py", "<CaseFile mixed.yaml>", "  <CaseItem ACC-001>", "  <CaseItem STOP-001>"]
    )


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("misspelt", "not found: mixed.yaml::RSE-001: the file has no case RSE-001 to run. Did you mean RES-001*"),
        ("unknown file", "file or directory not found: specharness/tise.yaml"),
    ],
)
def test_what_is_not_there_is_a_usage_error(runs, run, message):
    assert runs[run].ret == pytest.ExitCode.USAGE_ERROR
    runs[run].stdout.fnmatch_lines([f"ERROR: {message}"])
