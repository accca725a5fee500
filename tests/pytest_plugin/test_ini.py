"""The ini file: what it sets, from where its paths start, and when the cases run that it names."""

import pytest
from small_suites import ACCEPTS, ADVISES, RECOVERS, suite_text

INI = """
[pytest]
specharness_impl = impl_here
specharness_cases = given cases
specharness_dtype = float32
specharness_strict = true
specharness_timeout = 5
pythonpath = sources
"""

FILES = {
    "pytest.ini": INI,
    "impl_here.py": "from only_in_sources import verify_speculative_tokens\n",
    "sources/only_in_sources.py": "def verify_speculative_tokens(a, b, c, d):\n"
    "    return {'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}\n",
    "given cases/suite.yaml": suite_text(ACCEPTS, ADVISES, {**RECOVERS, "dtypes": ["float64"]}),
    "tests/test_own.py": "import os\n\ndef test_own():\n    os.chdir('/')\n",
}

RUNS = {
    "by the ini file": ["-v", "-rs"],
    "outranked": [
        *("--specharness-impl=wrong.py", "--specharness-cases=mixed.yaml", "--specharness-dtype=float64"),
        *("-o", "specharness_strict=false"),
    ],
    "file": ["tests/test_own.py"],
    "test": ["tests/test_own.py::test_own"],
    "tests": ["tests"],
    "case": ["given cases/suite.yaml::ACC-001", "tests/test_own.py"],
    "none": ["-o", "specharness_impl="],
    "wrong": ["-o", "specharness_timeout=soon"],
}

ALL = {"passed": 2, "failed": 1, "skipped": 1}


def test_the_ini_file_sets_what_the_command_line_does_not(runs):
    runs["by the ini file"].assert_outcomes(**ALL)
    runs["by the ini file"].stdout.fnmatch_lines(
        [
            "specharness: impl_here",
            "tests/test_own.py::test_own PASSED *",
            "given cases/suite.yaml::ACC-001 PASSED *",
            "given cases/suite.yaml::IN-002 FAILED *",
            "given cases/suite.yaml::RES-001 SKIPPED (not for float32) *",
            "  again: pytest 'given cases/suite.yaml::IN-002'",
        ]
    )


def test_the_command_line_outranks_the_ini_file(runs):
    runs["outranked"].assert_outcomes(passed=3, failed=3)
    assert runs["wrong"].ret == pytest.ExitCode.USAGE_ERROR


@pytest.mark.parametrize(
    ("run", "outcomes"),
    [
        ("file", {"passed": 1}),
        ("test", {"passed": 1}),
        ("tests", ALL),
        ("case", {"passed": 2}),
        ("none", {"passed": 1}),
    ],
)
def test_where_the_ini_file_names_it_test_files_run_alone(runs, run, outcomes):
    runs[run].assert_outcomes(**outcomes)
    assert ("specharness: impl_here" in runs[run].outlines) == (run != "none")


def test_paths_of_the_ini_file_start_from_it(run_pytest, project, monkeypatch):
    """And a test that changes the current folder loses nothing."""
    for name, text in FILES.items():
        (project / name).parent.mkdir(exist_ok=True)
        (project / name).write_text(text)
    monkeypatch.chdir(project / "tests")
    result = run_pytest("-v")
    result.assert_outcomes(**ALL)
    result.stdout.fnmatch_lines([f"FAIL IN-002  {project}/given cases/suite.yaml:*"])
