"""`specharness.conformance_test`: the cases as tests of a function, in a test file."""

import pytest
from small_suites import ACCEPTS, RECOVERS, suite_text

TESTS = """
import specharness
from lenient import verify_speculative_tokens as lenient
from solution import verify_speculative_tokens as right
from wrong import verify_speculative_tokens as wrong


def helper():
    pass


test_right = specharness.conformance_test(right, cases="mixed.yaml", level="MUST")
test_wrong = specharness.conformance_test(wrong, cases=["mixed.yaml"], case=["ACC-*", "RES-001"])
test_lenient = specharness.conformance_test(lenient, cases="mixed.yaml", tag="values")
test_strict = specharness.conformance_test(lenient, cases="mixed.yaml", tag="values", strict=True)
test_float32 = specharness.conformance_test(right, cases="some_dtypes.yaml", dtype="float32")


class TestInAClass:
    test_right = staticmethod(specharness.conformance_test(right, cases="mixed.yaml", clause="SV-RES-1"))
"""

FILES = {
    "test_conformance.py": TESTS,
    "some_dtypes.yaml": suite_text({**ACCEPTS, "dtypes": ["float64"]}, RECOVERS),
    "broken.py": "import specharness\n\ntest_it = specharness.conformance_test(7)\n",
    "misspelt.py": "import specharness\n\ntest_it = specharness.conformance_test(print, profile='sample')\n",
    "no_cases.py": "import specharness\n\ntest_it = specharness.conformance_test(print, cases='nowhere.yaml')\n",
}

ERRORS = {
    "broken.py": "*NotRunnable: 7 is of type int; expected a function",
    "misspelt.py": "*UsageError: profile 'sample' is unknown; *Did you mean sampled?",
    "no_cases.py": "*BadSuite: nowhere.yaml: No such file or directory*",
}

_FILE = "test_conformance.py"

RUNS = {
    "all": [_FILE, "-v", "-ra", "--strict-markers"],
    "by clause": [_FILE, "-k", "right and SV-RES-1", "--collect-only", "-q"],
    "by mark": [_FILE, "-m", "specharness_should", "--strict-markers", "--collect-only", "-q"],
    "by id": [f"{_FILE}::test_right[STOP-001]", "-v"],
    "short": [f"{_FILE}::test_wrong", "--tb=line"],
    **{name: [name] for name in ERRORS},
}


def node_ids(result):
    return [line.partition("::")[2] for line in result.outlines if "::" in line and " " not in line]


def test_each_case_is_a_test_of_its_own(runs):
    runs["all"].assert_outcomes(passed=4 + 1 + 1 + 2, failed=2 + 1, skipped=1)
    runs["all"].stdout.fnmatch_lines(
        [
            "test_conformance.py::test_right[[]ACC-001[]] PASSED *",
            "test_conformance.py::test_wrong[[]RES-001[]] FAILED *",
            "test_conformance.py::test_lenient[[]IN-002[]] PASSED *",
            "test_conformance.py::test_float32[[]ACC-001[]] SKIPPED (not for float32) *",
            "test_conformance.py::TestInAClass::test_right[[]STOP-001[]] PASSED *",
        ]
    )


def test_a_failure_reads_as_in_the_command(runs):
    runs["all"].stdout.fnmatch_lines(
        [
            "_* test_wrong[[]ACC-001[]] _*",
            "SV-ACC-1: accepts too few tokens",
            "",
            "FAIL ACC-001  mixed.yaml:*",
            "    | accepted_tokens: expected [[]1[]], got [[][]]",
            "  reference",
            "    | step 0: token 1, p = 1/4, q = 1/2, u = 31/64, p/q = 1/2: u < p/q, accepted",
            "FAILED test_conformance.py::test_wrong[[]ACC-001[]] - Failed: SV-ACC-1: *",
        ]
    )
    assert "pytest_plugin" not in runs["all"].stdout.str().partition("FAILURES")[2]


def test_advice_is_told_and_fails_where_it_is_strict(runs):
    runs["all"].stdout.fnmatch_lines(
        [
            "advice on 1 test, beyond the original statement; in full with -rP",
            "    | IN-002: expected ValueError, *",
            "FAILED test_conformance.py::test_strict[[]IN-002[]] - Failed: SV-IN-6: *",
        ]
    )


def test_the_place_of_a_test_is_where_it_is_made(runs):
    line = 1 + TESTS.splitlines().index(next(line for line in TESTS.splitlines() if line.startswith("test_wrong")))
    runs["short"].stdout.fnmatch_lines([f"{runs['project']}/test_conformance.py:{line}: Failed: SV-ACC-1: *"])
    assert " <- " not in runs["all"].stdout.str()


def test_cases_are_chosen_by_id_clause_and_mark(runs):
    assert node_ids(runs["by clause"]) == [
        "test_right[STOP-001]",
        "test_right[RES-001]",
        "TestInAClass::test_right[STOP-001]",
        "TestInAClass::test_right[RES-001]",
    ]
    assert node_ids(runs["by mark"]) == ["test_lenient[IN-002]", "test_strict[IN-002]"]
    runs["by id"].assert_outcomes(passed=1)


@pytest.mark.parametrize("name", ERRORS)
def test_what_cannot_be_tested_is_an_error_of_that_file(runs, name):
    runs[name].assert_outcomes(errors=1)
    runs[name].stdout.fnmatch_lines([f"{name}:3: in <module>", f"E   {ERRORS[name]}"])
