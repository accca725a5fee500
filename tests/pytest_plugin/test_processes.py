"""The implementation's process: one for each process of pytest, ended with the session however that ends."""

import signal
import sys
import time

import pytest

PLUGIN = ("-p", "specharness.pytest_plugin")
XDIST = (*PLUGIN, "-p", "xdist", "-n", "2")

CONSTANT = """
import specreference


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    return {"accepted_tokens": [], "bonus_token": 0, "acceptance_count": 0}
"""

HANGS = """
from pathlib import Path


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    Path(__file__).with_name("called").touch()
    while True:
        pass
"""

TESTS = """
import specharness
from solution import verify_speculative_tokens

test_right = specharness.conformance_test(verify_speculative_tokens, cases="mixed.yaml", level="MUST")
"""

CASES = [f"mixed.yaml::{name}" for name in ("ACC-001", "STOP-001", "RES-001", "IN-001", "IN-002")]


def test_with_xdist_all_is_as_without(run_on, project):
    (project / "constant.py").write_text(CONSTANT)
    (project / "tests" / "test_right.py").write_text(TESTS)
    result = run_on("constant.py", "-v", plugins=XDIST)
    result.assert_outcomes(passed=1 + 4 + 1, failed=4)
    ran = [line.split()[-1] for line in result.outlines if line.startswith("[gw") and "mixed.yaml" in line]
    assert sorted(ran) == sorted(CASES)
    result.stdout.fnmatch_lines(
        [
            "FAIL ACC-001  mixed.yaml:*",
            "  again: pytest --specharness-impl=constant.py --specharness-cases=mixed.yaml mixed.yaml::ACC-001",
            "the implementation imports specreference, the reference itself",
            "advice on 1 test, *",
            "    | IN-002: expected ValueError, *",
        ]
    )
    assert sum(line.startswith("the implementation imports") for line in result.outlines) == 1


def test_with_xdist_what_cannot_be_loaded_is_a_usage_error(run_on):
    result = run_on("nowhere.py", plugins=XDIST)
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    result.stderr.fnmatch_lines(["ERROR: --specharness-impl nowhere.py: the file nowhere.py does not exist.*"])
    assert "FAILED" not in result.stdout.str()


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 2), (signal.SIGKILL, -9)])
def test_nothing_is_left_behind_where_the_session_is_ended(processes, project, number, code):
    (project / "hangs.py").write_text(HANGS)
    command = (sys.executable, "-m", "pytest", *PLUGIN, "--specharness-impl=hangs.py", "--specharness-cases=mixed.yaml")
    process = processes.start(*command, cwd=project, env={"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"})
    deadline = time.monotonic() + 30
    while not (project / "called").exists():
        assert time.monotonic() < deadline
        time.sleep(0.02)
    process.send_signal(number)
    process.communicate(timeout=30)
    assert process.returncode == code
    assert processes.left_behind(patience=5) == []
