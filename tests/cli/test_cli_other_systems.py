"""What Windows lacks is said, where it is needed and only there."""

import sys

import pytest

WITHOUT = """
import os, signal, sys
for name in ("killpg", "set_blocking", "O_NONBLOCK", "O_CLOEXEC", "sched_getaffinity", "fork", "geteuid"):
    delattr(os, name)
for name in ("SIGHUP", "SIGKILL"):
    delattr(signal, name)
sys.modules["resource"] = sys.modules["fcntl"] = None
sys.argv[0] = "specharness"
from specharness.cli.main import main
main()
"""


@pytest.fixture
def elsewhere(processes):
    """The command on a system that lacks what POSIX has and Windows does not."""
    return lambda *args, **options: processes.run(sys.executable, "-c", WITHOUT, *args, **options)


@pytest.mark.parametrize("jobs", ["1", "auto"])
def test_a_process_of_its_own_is_not_runnable(elsewhere, right, small_suite, jobs):
    ended = elsewhere("--impl", right, "--cases", small_suite, "-j", jobs)
    assert ended.returncode == 4
    assert ended.stdout == ""
    assert "needs the signals and pipes of a POSIX system, such as Linux, macOS or WSL" in ended.stderr
    assert "--in-process runs one --case, and specharness.check(function) runs all" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_bound_on_memory_is_a_usage_error(elsewhere, right, small_suite):
    ended = elsewhere("--impl", right, "--cases", small_suite, "--memory", "1GB")
    assert ended.returncode == 2
    assert "'--memory': it needs the resource limits of a POSIX system" in " ".join(ended.stderr.split())


def test_what_was_named_as_the_way_out_works(elsewhere, right, small_suite, processes, tmp_path):
    ended = elsewhere("--impl", right, "--cases", small_suite, "--case", "ACC-001", "--in-process")
    assert ended.returncode == 0
    assert ended.last_line == "conformant: 1 gating case passed, 1 of 4 selected"
    program = WITHOUT.replace("from specharness.cli.main import main\nmain()", "import specharness, right\n") + (
        f"assert specharness.check(right.verify_speculative_tokens, cases={str(small_suite)!r}).passed\n"
    )
    done = processes.run(sys.executable, "-c", program, env={"PYTHONPATH": str(right.parent)})
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("words", [("clauses",), ("--help",)])
def test_the_commands_that_run_nothing_work(elsewhere, words):
    assert elsewhere(*words).returncode == 0


def test_case_files_are_read(elsewhere, small_suite):
    assert elsewhere("validate", small_suite).stdout == "valid: 4 cases in 1 file\n"
