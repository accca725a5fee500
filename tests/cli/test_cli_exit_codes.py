"""Each exit code end to end, and which one is given where several hold."""

import os
import signal
import sys

import pytest
from processes import COMMAND

from specharness.exit_codes import ExitCode

PATCHED = """
import {module} as module

def fail(*_, **__):
    raise ZeroDivisionError("a fault of ours")

module.{name} = fail
from specharness.cli.main import main
main()
"""


def test_0_where_every_gating_case_passes(specharness, right, mixed_suite):
    ended = specharness("--impl", right, "--cases", mixed_suite)
    assert ended.returncode == 0
    assert ended.last_line == "conformant: 4 gating cases passed, advice on 1"


def test_1_where_a_gating_case_fails(specharness, wrong, small_suite):
    ended = specharness("--impl", wrong, "--cases", small_suite)
    assert ended.returncode == 1
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed"
    assert ended.stderr == ""


def test_1_where_advice_gates(command, right, mixed_suite):
    assert command("--impl", right, "--cases", mixed_suite, "--strict").returncode == 1


def test_2_for_a_wrong_command_line(specharness):
    assert specharness("--no-such-option").returncode == 2


def test_3_for_a_bad_suite(specharness, right, tmp_path):
    ended = specharness("--impl", right, "--cases", tmp_path / "missing.yaml")
    assert ended.returncode == 3
    assert ended.stdout == ""
    assert "missing.yaml: No such file or directory; expected a readable file" in ended.stderr


def test_4_for_an_implementation_that_is_not_there(specharness, small_suite):
    assert specharness("--impl", "nowhere:verify", "--cases", small_suite).returncode == 4


def test_5_where_nothing_is_selected(specharness, right, small_suite):
    assert specharness("--impl", right, "--cases", small_suite, "--case", "ZZZ-001").returncode == 5


def test_5_where_all_selected_cases_are_skipped(command, right, write_suite, case_of):
    suite = write_suite(case_of("ACC-001", dtypes=["float64"]))
    ended = command("--impl", right, "--cases", suite, "--dtype", "float16")
    assert ended.returncode == 5
    assert "all 1 selected cases are skipped: ACC-001 not for float16" in ended.stderr


@pytest.mark.parametrize(
    ("module", "name"), [("specharness.suite.load", "load_suite"), ("specharness.run", "run_plan")]
)
def test_70_for_a_fault_of_the_harness(processes, right, small_suite, module, name):
    code = PATCHED.format(module=module, name=name)
    ended = processes.run(sys.executable, "-P", "-c", code, "--impl", right, "--cases", small_suite)
    assert ended.returncode == 70
    assert ended.stderr.startswith("specharness: internal error, please report it:\nTraceback")
    assert ended.stderr.endswith("ZeroDivisionError: a fault of ours\n")
    assert ended.left_behind == []


NOWHERE = ("--impl", "nowhere:verify")
MISSPELT = ("--case", "ZZZ-001")


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (2, ("--report", "json=nowhere/r.json", "--cases", "missing.yaml", *NOWHERE)),
        (2, ("--report", "json=nowhere/r.json", "--impl", "exec:")),
        (2, ("--in-process", "--score", *NOWHERE, *MISSPELT)),
        (2, ("--timeout", "0", "--cases", "missing.yaml", *NOWHERE)),
        (3, ("--cases", "missing.yaml", "--impl", "WRONG")),
        (3, ("--cases", "missing.yaml", *NOWHERE)),
        (3, ("--cases", "missing.yaml", *MISSPELT, *NOWHERE)),
        (3, ("--cases", "missing.yaml", "--impl", "solution:")),
        (3, ("--cases", "missing.yaml", "--impl", "exec:/nowhere/verifier")),
        (3, ("--cases", "missing.yaml", "--impl", "WRONG", "--python", "/nowhere/python")),
        (3, ("--cases", "missing.yaml", "--in-process", *NOWHERE)),
        (4, ("--cases", "SMALL", *MISSPELT, *NOWHERE)),
        (4, ("--cases", "SMALL", *MISSPELT, "--impl", "exec:/nowhere/verifier")),
        (4, ("--cases", "SMALL", *MISSPELT, "--in-process", *NOWHERE)),
        (5, ("--cases", "SMALL", "--case", "ACC-001", *MISSPELT, "--impl", "WRONG")),
        (1, ("--cases", "SMALL", "--impl", "WRONG")),
    ],
)
def test_of_several_codes_the_gravest_is_given(command, wrong, small_suite, code, words):
    paths = {"SMALL": small_suite, "WRONG": wrong}
    ended = command(*(paths.get(word, word) for word in words))
    assert ended.returncode == code, ended.stderr
    assert "Traceback" not in ended.stderr


def test_2_before_1_where_a_report_can_no_longer_be_written(specharness, small_suite, tmp_path):
    """The implementation removes the folder that the report was to go to."""
    (tmp_path / "reports").mkdir()
    (tmp_path / "remover.py").write_text(
        "import shutil\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    shutil.rmtree('reports', ignore_errors=True)\n"
    )
    ended = specharness("--impl", "remover.py", "--cases", small_suite, "--report", "json=reports/r.json")
    assert ended.returncode == 2
    assert "--report json=reports/r.json: No such file or directory; nothing was written" in ended.stderr
    assert ended.last_line == "nonconformant: 4 of 4 gating cases failed"


SLOW = """
import time
def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    with open("calls", "a") as file:
        file.write("call\\n")
    time.sleep({seconds})
    return {{"accepted_tokens": [1], "bonus_token": 2, "acceptance_count": 1}}
"""


@pytest.fixture
def start_slow(start_specharness, tmp_path, wait_until, long_suite):
    """Starts a run whose calls take `seconds`, and waits until the implementation was called `calls` times."""
    (tmp_path / "calls").touch()

    def start(*options, seconds, calls):
        (tmp_path / "slow.py").write_text(SLOW.format(seconds=seconds))
        process = start_specharness("--impl", "slow.py", "--cases", long_suite, *options)
        wait_until(lambda: (tmp_path / "calls").read_text().count("\n") >= calls)
        return process

    return start


def test_130_with_a_partial_summary_when_interrupted(start_slow, processes, tmp_path):
    process = start_slow("--report", "json=report.json", seconds=0.07, calls=5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=5)
    assert process.returncode == 130
    assert stdout.decode().splitlines()[-1] in {"interrupted: 1 case judged", "interrupted: 2 cases judged"}
    assert stderr == b""
    assert '"interrupted": true' in (tmp_path / "report.json").read_text()
    assert processes.left_behind() == []


def test_an_interrupt_ends_a_run_at_once_where_a_call_hangs(start_slow, processes):
    """The timeout is ten seconds, but who presses Ctrl-C does not want to wait for it."""
    process = start_slow(seconds=1000, calls=1)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=4)
    assert process.returncode == 130
    assert stdout.decode().splitlines()[-1] == "interrupted: 0 cases judged"
    assert processes.left_behind() == []


def test_an_interrupt_while_loading_ends_the_run_at_once(
    start_specharness, small_suite, tmp_path, wait_until, processes
):
    """Python may end by the signal itself, where that came while it ran generated code."""
    (tmp_path / "hangs.py").write_text("open('loading', 'w').close()\nwhile True: pass\n")
    process = start_specharness("--impl", "hangs.py", "--cases", small_suite)
    wait_until((tmp_path / "loading").exists)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=30)
    assert process.returncode in (130, -signal.SIGINT)  # a shell shows 130 for both
    assert b"Traceback" not in stderr
    assert processes.left_behind() == []


def test_a_hang_up_that_the_caller_ignores_ends_nothing(processes, wait_until, right, small_suite, tmp_path):
    """As after nohup."""
    (tmp_path / "waits.py").write_text(
        f"import os, sys, time\nsys.path.insert(0, {str(right.parent)!r})\nfrom right import *\n"
        "open('loading', 'w')\nwhile not os.path.exists('go'): time.sleep(0.01)\n"
    )
    words = ("sh", "-c", 'trap "" HUP; exec "$@"', "sh", *COMMAND)
    process = processes.start(*words, "--impl", "waits.py", "--cases", small_suite, "-q")
    wait_until((tmp_path / "loading").exists)
    process.send_signal(signal.SIGHUP)
    (tmp_path / "go").touch()
    output, _ = process.communicate(timeout=60)
    assert (process.returncode, output) == (0, b"conformant: 4 gating cases passed\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_no_process_stays_when_the_harness_is_ended_from_outside(start_slow, processes, number):
    process = start_slow(seconds=1000, calls=1)
    process.send_signal(number)
    _, stderr = process.communicate(timeout=4)
    assert process.returncode in (128 + number, -number)
    assert stderr == b""
    assert processes.left_behind() == []


@pytest.mark.skipif(not os.path.isdir("/proc"), reason="tells what runs from /proc")
def test_a_worker_whose_harness_was_killed_ends_with_its_call(start_slow, processes):
    process = start_slow(seconds=0.2, calls=1)
    process.kill()
    process.wait()
    assert processes.left_behind() == []


def test_the_table_of_codes_is_printed(specharness):
    ended = specharness("exit-codes")
    text = " ".join(ended.stdout.split())
    assert ended.returncode == 0
    for code in ExitCode:
        assert f"{int(code)} {code.title} {code.when}" in text
