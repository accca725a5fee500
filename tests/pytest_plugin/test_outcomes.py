"""What a verdict makes of an item, and what is printed."""

import xml.etree.ElementTree as ElementTree

import pytest
from runs import MISBEHAVING
from small_suites import ACCEPTS, RECOVERS, many, suite_text

CHEATS = """
import os
from pathlib import Path

from specreference import verify_speculative_tokens

Path(__file__).with_name(f"loaded-{os.getpid()}").touch()
"""

HOSTILE = """
def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    print("\\x1b[31m::error::printed")
    return "::error::returned"
"""

FILES = {
    "cheats.py": CHEATS,
    "hostile.py": HOSTILE,
    "some_dtypes.yaml": suite_text({**ACCEPTS, "dtypes": ["float64"]}, RECOVERS),
    "long.yaml": suite_text(*many(25)),
}


def on(impl, *arguments, cases="mixed.yaml"):
    return [f"--specharness-impl={impl}", f"--specharness-cases={cases}", *arguments]


RUNS = {
    "right": on("solution.py", "-v", "-k", "not IN-002"),
    "wrong": on("wrong.py", "mixed.yaml::ACC-001", "mixed.yaml::IN-002", "--junitxml=report.xml"),
    "short": on("wrong.py", "mixed.yaml::RES-001", "--tb=line"),
    "first": on("wrong.py", "-x", "mixed.yaml"),
    "advice": on("lenient.py", "-W", "error", "-rP"),
    "quiet": on("lenient.py", "-q"),
    "strict": on("lenient.py", "--specharness-strict"),
    "skipped": on("solution.py", "some_dtypes.yaml", "--specharness-dtype=float32", "-rs", cases="some_dtypes.yaml"),
    "hangs": on(f"{MISBEHAVING}/hang.py", "--specharness-timeout=0.3", "mixed.yaml", "-k", "not IN-002"),
    "impure": on(f"{MISBEHAVING}/remembers.py:across_cases", "mixed.yaml", "-k", "not IN-002"),
    "exits": on(f"{MISBEHAVING}/exits_always.py", "long.yaml", cases="long.yaml"),
    "hostile": on("hostile.py", "mixed.yaml::ACC-001"),
    "cheats": on("cheats.py", "mixed.yaml"),
    "no file": on("nowhere.py"),
    "no command": on("exec:/nowhere/verifier"),
    "no file, not chosen": on("nowhere.py", "-k", "own"),
    "no command, not chosen": on("exec:/nowhere/verifier", "-k", "own"),
}


def test_a_right_implementation_passes(runs):
    assert runs["right"].ret == 0
    runs["right"].assert_outcomes(passed=5, deselected=1)
    runs["right"].stdout.fnmatch_lines(["mixed.yaml::ACC-001 PASSED *"])
    assert "= specharness =" not in runs["right"].stdout.str()


def test_a_failure_reads_as_in_the_command(runs):
    assert runs["wrong"].ret == 1
    runs["wrong"].stdout.fnmatch_lines(
        [
            "_* ACC-001 _*",
            "SV-ACC-1: accepts too few tokens",
            "",
            "FAIL ACC-001  mixed.yaml:*",
            "  a uniform below the ratio accepts",
            "  SV-ACC-1 (MUST) Draft token x_i is accepted if and only if u_i <= min(1,",
            "    p_i(x_i) / q_i(x_i)); equality accepts.",
            "    | accepted_tokens: expected [[]1[]], got [[][]]",
            "  reference",
            "    | step 0: token 1, p = 1/4, q = 1/2, u = 31/64, p/q = 1/2: u < p/q, accepted",
            "  again: pytest --specharness-impl=wrong.py --specharness-cases=mixed.yaml mixed.yaml::ACC-001",
            "FAILED mixed.yaml::ACC-001 - Failed: SV-ACC-1: accepts too few tokens",
        ]
    )
    assert "outcome.py" not in runs["wrong"].stdout.str()


def test_the_place_of_a_failure_is_in_the_case_file(runs):
    lines = (runs["project"] / "mixed.yaml").read_text().splitlines()
    place = lines.index('   "id": "RES-001",')
    assert f"{runs['project']}/mixed.yaml:{place}: Failed: SV-RES-1: another bonus_token" in runs["short"].outlines


def test_the_junit_file_has_each_case_with_its_clause(runs):
    failed, advised = ElementTree.parse(runs["project"] / "report.xml").iter("testcase")
    assert (failed.get("classname"), failed.get("name")) == ("mixed.yaml", "ACC-001")
    failure = failed.find("failure")
    assert failure.get("message") == "Failed: SV-ACC-1: accepts too few tokens"
    assert "FAIL ACC-001" in failure.text
    assert advised.find("failure") is None
    (advice,) = advised.iter("property")
    assert advice.get("name") == "specharness_advice"
    assert advice.get("value").startswith("SV-IN-6: expected ValueError, got ")


def test_a_run_stops_at_a_failure_where_asked(runs):
    runs["first"].assert_outcomes(failed=1)
    assert runs["first"].ret == 1


def test_advice_is_told_and_is_no_failure_even_where_warnings_are(runs):
    assert runs["advice"].ret == 0
    runs["advice"].assert_outcomes(passed=6)
    runs["advice"].stdout.fnmatch_lines(
        [
            "*- Captured advice call -*",
            "ADVICE IN-002  mixed.yaml:*",
            "*= specharness =*",
            "advice on 1 test, beyond the original statement; in full with -rP",
            "  SV-IN-6 A draft token outside [[]0, V) raises ValueError wherever it stands; a",
            "    negative id does not count from the end.",
            "    | IN-002: expected ValueError, got the result {'accepted_tokens': [[][]],",
        ]
    )


def test_advice_is_one_line_where_little_is_wanted(runs):
    runs["quiet"].stdout.fnmatch_lines(["advice on 1 test, beyond the original statement; in full with -rP"])
    runs["quiet"].stdout.no_fnmatch_line("*SV-IN-6*")


def test_advice_fails_where_it_is_strict(runs):
    runs["strict"].assert_outcomes(passed=5, failed=1)
    runs["strict"].stdout.fnmatch_lines(["FAILED mixed.yaml::IN-002 - Failed: SV-IN-6: *"])


def test_a_case_that_the_dtype_excludes_is_skipped(runs):
    runs["skipped"].assert_outcomes(passed=1, skipped=1)
    runs["skipped"].stdout.fnmatch_lines(["SKIPPED [[]1[]] some_dtypes.yaml*: not for float32"])


def test_a_lost_case_fails_and_the_others_go_on(runs):
    runs["hangs"].assert_outcomes(failed=1, passed=3, deselected=1)
    runs["hangs"].stdout.fnmatch_lines(
        ["*| no answer within 0.3 s", "FAILED mixed.yaml::STOP-001 - Failed: SV-STOP-1: the call timed out"]
    )


def test_what_depends_on_earlier_calls_is_told_as_such(runs):
    runs["impure"].assert_outcomes(failed=1, passed=3, deselected=1)
    again = "pytest --specharness-impl=*remembers.py:across_cases --specharness-cases=mixed.yaml  (it depends on *"
    runs["impure"].stdout.fnmatch_lines(["SV-PURE-2: another result in a new process", f"  again: {again}"])


def test_cases_that_are_not_run_fail(runs):
    runs["exits"].assert_outcomes(failed=25)
    message = "not run: given up after 20 workers in a row answered nothing; the last: *"
    runs["exits"].stdout.fnmatch_lines([message] * 5, consecutive=False)


def test_what_an_implementation_prints_and_returns_is_escaped(runs):
    assert runs["hostile"].ret == 1
    text = runs["hostile"].stdout.str()
    assert "printed" in text
    assert "returned" in text
    assert "\x1b" not in text
    assert "::error" not in text


def test_an_implementation_that_imports_the_reference_is_told(runs):
    runs["cheats"].assert_outcomes(passed=5)
    runs["cheats"].stdout.fnmatch_lines(["the implementation imports specreference, the reference itself"])


def test_one_process_is_asked_all_cases(runs):
    assert len(list(runs["project"].glob("loaded-*"))) == 1


@pytest.mark.parametrize(("run", "impl"), [("no file", "nowhere.py"), ("no command", "exec:/nowhere/verifier")])
def test_an_implementation_that_cannot_be_loaded_is_a_usage_error(runs, run, impl):
    assert runs[run].ret == pytest.ExitCode.USAGE_ERROR
    assert "FAILED" not in runs[run].stdout.str()
    runs[run].stdout.fnmatch_lines([f"ERROR: --specharness-impl {impl}: *"])


@pytest.mark.parametrize("run", ["no file, not chosen", "no command, not chosen"])
def test_it_need_not_be_there_where_no_case_is_chosen(runs, run):
    runs[run].assert_outcomes(passed=1, deselected=5)
    assert runs[run].ret == 0
