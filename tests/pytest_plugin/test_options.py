"""What is said of wrong options and case files."""

import pytest
from small_suites import ACCEPTS, RECOVERS, suite_text

SAMPLED = """
spec: "1.0"
profile: sampled
cases:
- id: SMP-001
  title: equality
  clauses: [SV-SMP-6]
  policies: {comparison: lt}
  input:
    draft_tokens: [0]
    draft_probs: [[1/2, 1/2]]
    target_probs: [[1/4, 3/4], [1/4, 3/4]]
    random_samples: [1/2, 0]
  expect: {accepted_tokens: [], bonus_token: 1, acceptance_count: 0}
"""

FILES = {
    "sampled.yaml": SAMPLED,
    "bad.yaml": suite_text(ACCEPTS, {**RECOVERS, "clauses": ["SV-RSE-1"]}),
    "worse.yaml": "spec: '1.0'\nprofile: argmax\ncases:\n- id: [\n",
    "strict.py": """
def verify(draft_tokens, draft_probs, target_probs, random_samples):
    return {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0}
""",
}


def on(*arguments, impl="solution.py", cases="mixed.yaml"):
    return [f"--specharness-impl={impl}", f"--specharness-cases={cases}", *arguments]


WRONG = {
    "--specharness-impl=": "--specharness-impl is empty; a variable that is not set, perhaps?",
    "--specharness-impl=no.such-module:verify": "'no.such-module' is no module; expected module:function or",
    "--specharness-profile=sample": "profile 'sample' is unknown; expected one of argmax, * Did you mean sampled?",
    "--specharness-profile=": "profile '' is unknown",
    "--specharness-dtype=float8": "dtype 'float8' is unknown",
    "--specharness-space=lin": "space 'lin' is unknown; expected one of prob, log",
    "--specharness-policy=comparison": "--specharness-policy 'comparison': expected NAME=VALUE, such as comparison=lt",
    "--specharness-policy=comparison=lt": "policies are for the profile sampled",
    "--specharness-python=": "--specharness-python is empty",
    "--specharness-python=tests": "tests: is a folder; expected an interpreter",
    "--specharness-python=./nowhere": "can't start */./nowhere: No such file or directory",
    "--specharness-timeout=10s": "--specharness-timeout '10s' is no time in seconds",
    "--specharness-timeout=0": "--specharness-timeout '0' is no time in seconds",
    "--specharness-cases=": "--specharness-cases: the path is empty",
}

RUNS = {
    **{word: on(word) for word in WRONG},
    "no implementation": ["--specharness-strict"],
    "policy": on("sampled.yaml", "--specharness-profile=sampled", impl="strict.py:verify", cases="sampled.yaml"),
    "policy lt": on(
        *("sampled.yaml", "--specharness-profile=sampled", "--specharness-policy=comparison=lt"),
        impl="strict.py:verify",
        cases="sampled.yaml",
    ),
    "bad": on(cases="bad.yaml"),
    "bad, named": on("bad.yaml::ACC-001", cases="bad.yaml"),
    "worse": on(cases="worse.yaml"),
    "missing": on(cases="missing.yaml"),
    "other profile": on(cases="sampled.yaml"),
}


@pytest.mark.parametrize("word", WRONG)
def test_a_wrong_option_is_a_usage_error(runs, word):
    assert runs[word].ret == pytest.ExitCode.USAGE_ERROR
    runs[word].stdout.fnmatch_lines([f"ERROR: *{WRONG[word]}*"])
    assert "passed" not in runs[word].stdout.str()


def test_an_option_without_an_implementation_is_a_usage_error(runs):
    assert runs["no implementation"].ret == pytest.ExitCode.USAGE_ERROR
    message = "ERROR: --specharness-strict needs an implementation: name one with --specharness-impl"
    runs["no implementation"].stdout.fnmatch_lines([message])


def test_a_policy_decides_whether_a_case_applies(runs):
    runs["policy"].assert_outcomes(skipped=1)
    runs["policy lt"].assert_outcomes(passed=1)


@pytest.mark.parametrize(
    ("run", "message"),
    [
        ("bad", "bad.yaml:*:*: RES-001: *SV-RSE-1*"),
        ("bad, named", "bad.yaml:*:*: RES-001: *SV-RSE-1*"),
        ("worse", "worse.yaml:*:*: *"),
        ("missing", "missing.yaml: No such file or directory*"),
        ("other profile", "no case of the profile argmax; the cases read are of other profiles"),
    ],
)
def test_case_files_that_cannot_be_used_are_one_error_of_collection(runs, run, message):
    assert runs[run].ret == pytest.ExitCode.INTERRUPTED
    runs[run].assert_outcomes(errors=1)
    runs[run].stdout.fnmatch_lines(["*_ ERROR collecting specharness _*", message])
    assert "Traceback" not in runs[run].stdout.str()


def test_an_interpreter_of_its_own_runs_the_implementation(run_on, project):
    """It is looked for from the current folder, with what it says in its own place."""
    (project / "python").write_text("#!/bin/sh\necho no such environment >&2\nexit 3\n")
    (project / "python").chmod(0o755)
    result = run_on("solution.py", "--specharness-python=./python")
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["*exited with code 3 while loading", "Its last output:", "no such environment"])
