"""`--emit-repro`, end to end: what it writes runs, and fails as the run did."""

import os
import shlex
import sys
from pathlib import Path

import pytest

PEER = Path(__file__).parent.parent / "implementation" / "peers" / "peer.py"
INDEX = "specharness-repro.txt"


@pytest.fixture
def run_pytest(processes):
    """`run_pytest(path)` runs pytest on it, from another folder, and gives what came of it."""

    def run(path, *options):
        return processes.run(
            *(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *options, path), cwd="/"
        )

    return run


def _commands(path):
    """The commands in the comments of a file."""
    lines = [line.removeprefix("# ").strip() for line in path.read_text().splitlines() if line.startswith("#")]
    return [line for line in lines if "--impl " in line]


WRONG = """
def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    if len(draft_tokens) == 2:
        {marked}
    return {{"accepted_tokens": [], "bonus_token": 0.0, "acceptance_count": False}}

class Verifier:
    def check(self, *, draft_tokens, draft_probs, target_probs, random_samples):
        return None
"""


def test_files_fail_as_the_run_did_and_pass_once_the_implementation_is_right(
    command, run_pytest, wrong, small_suite, tmp_path, right
):
    ended = command("--impl", wrong.name, "--cases", small_suite, "--emit-repro", "repro")
    assert "repro: files for 3 of 3 failures in repro" in ended.stdout
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed"
    assert sorted(os.listdir(tmp_path / "repro")) == [
        *("acc_001.yaml", "res_001.yaml", INDEX, "stop_001.yaml"),
        *("test_acc_001.py", "test_res_001.py", "test_stop_001.py"),
    ]
    done = run_pytest(tmp_path / "repro")
    assert done.returncode == 1
    assert "3 failed" in done.stdout
    assert "import specharness" not in (tmp_path / "repro" / "test_acc_001.py").read_text()
    (again,) = _commands(tmp_path / "repro" / "acc_001.yaml")
    ended = command(*shlex.split(again)[1:])
    assert ended.last_line == "nonconformant: 1 of 1 gating case failed"
    wrong.write_text(right.read_text())
    assert "3 passed" in run_pytest(tmp_path / "repro").stdout


def test_results_that_equal_the_right_one_but_for_their_types_fail(command, run_pytest, tmp_path, small_suite):
    (tmp_path / "wrong.py").write_text(WRONG.format(marked="raise OverflowError"))
    command("--impl", "wrong:verify_speculative_tokens", "--cases", small_suite, "--emit-repro", "repro")
    done = run_pytest(tmp_path / "repro")
    assert "4 failed" in done.stdout
    assert "DID NOT RAISE" in done.stdout
    assert "OverflowError" in done.stdout


def test_a_method_whose_arguments_have_names_only_is_called_as_in_the_run(command, run_pytest, tmp_path, small_suite):
    (tmp_path / "wrong.py").write_text(WRONG.format(marked="pass"))
    command("--impl", "wrong.py:Verifier.check", "--cases", small_suite, "--emit-repro", "repro", "--case", "ACC-001")
    done = run_pytest(tmp_path / "repro")
    assert "assert None ==" in done.stdout
    assert "1 failed" in done.stdout


@pytest.mark.parametrize(
    ("act", "words"),
    [("os._exit(0)", "assert 0 == 42"), ("time.sleep(1000)", "TimeoutExpired")],
)
def test_a_call_that_does_not_come_back_fails_one_test_and_not_pytest(
    command, run_pytest, tmp_path, small_suite, act, words
):
    (tmp_path / "wrong.py").write_text(f"import os, time\n{WRONG.format(marked=act)}")
    command("--impl", "wrong.py", "--cases", small_suite, "--emit-repro", "repro", "--timeout", "1")
    done = run_pytest(tmp_path / "repro" / "test_stop_001.py")
    assert "1 failed" in done.stdout
    assert words in done.stdout
    assert done.left_behind == []


@pytest.mark.parametrize(("profile", "arguments"), [("greedy", "None"), ("one-hot", "None"), ("sampled", "[[")])
def test_other_profiles_get_their_own_arguments(command, tmp_path, profile, arguments):
    (tmp_path / "wrong.py").write_text(WRONG.format(marked="pass"))
    ended = command(
        *("--impl", "wrong.py", "--profile", profile, "--level", "must", "--max-fail", "2", "--emit-repro", "repro")
    )
    assert "repro: files for 2 of 2 failures" in ended.stdout
    tests = list((tmp_path / "repro").glob("test_*.py"))
    assert all(f'"draft_probs": {arguments}' in path.read_text() for path in tests)
    (again,) = _commands(next((tmp_path / "repro").glob("*.yaml")))
    assert f"--profile {profile}" in again
    assert command(*shlex.split(again)[1:]).last_line == "nonconformant: 1 of 1 gating case failed"


def test_a_command_gets_case_files_and_messages_to_replay(command, processes, tmp_path, small_suite):
    impl = f"exec:{shlex.join([sys.executable, str(PEER), 'bonus'])}".replace(" bonus", " unknown_exception")
    ended = command("--impl", impl, "--cases", small_suite, "--emit-repro", "repro")
    assert ended.returncode == 1
    assert sorted(os.listdir(tmp_path / "repro")) == [INDEX, "stop_001.jsonl", "stop_001.yaml"]
    (again,) = _commands(tmp_path / "repro" / "stop_001.yaml")
    assert command(*shlex.split(again)[1:]).last_line == "nonconformant: 1 of 1 gating case failed"
    lines = (tmp_path / "repro" / "stop_001.yaml").read_text().splitlines()
    replay = lines[lines.index("# The messages alone, without a judge:") + 1].removeprefix("#").strip()
    done = processes.run("sh", "-c", replay, cwd=tmp_path)
    assert '"type": "ready"' in done.stdout
    assert "std::runtime_error" in done.stdout


def test_a_second_run_replaces_what_the_first_wrote_and_nothing_else(command, wrong, right, small_suite, tmp_path):
    command("--impl", wrong, "--cases", small_suite, "--emit-repro", "repro")
    (tmp_path / "repro" / "mine.py").write_text("kept")
    ended = command("--impl", right, "--cases", small_suite, "--emit-repro", "repro")
    assert ended.returncode == 0
    assert "repro: files for 0 of 0 failures in repro" in ended.stdout
    assert sorted(os.listdir(tmp_path / "repro")) == ["mine.py", INDEX]


@pytest.mark.parametrize(
    ("make", "name", "words"),
    [
        (
            lambda path: (path.mkdir(), (path / "mine.py").touch()),
            "repro",
            "holds other files; expected",
        ),
        (lambda path: path.touch(), "repro", "is no folder"),
        (lambda path: None, "nowhere/repro", "nowhere does not exist"),
        (lambda path: None, "", "the path is empty"),
    ],
)
def test_a_folder_that_can_not_be_used_is_known_before_the_run(
    command, wrong, small_suite, tmp_path, make, name, words
):
    make(tmp_path / "repro")
    ended = command("--impl", wrong, "--cases", small_suite, "--emit-repro", name)
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert words in ended.stderr
    assert not (tmp_path / "repro").is_dir() or os.listdir(tmp_path / "repro") == ["mine.py"]


def test_a_folder_that_fails_while_it_is_written_is_told(command, wrong, small_suite, monkeypatch):
    from specharness.cli import repro_folder

    def full(path, content):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(repro_folder, "write_atomically", full)
    ended = command("--impl", wrong, "--cases", small_suite, "--emit-repro", "repro")
    assert ended.returncode == 2
    assert "--emit-repro repro: No space left on device; what it holds is not whole" in ended.stderr
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed"


def test_known_failures_get_no_files_and_the_baseline_is_left_out_of_commands(command, wrong, small_suite, tmp_path):
    observed = "{result: {accepted_tokens: [], bonus_token: 0, acceptance_count: 0}}"
    known = f"baseline: 1\nfailures:\n- {{cases: ACC-001, reason: known, observed: {observed}}}\n"
    (tmp_path / "known.yaml").write_text(known)
    command("--impl", wrong, "--cases", small_suite, "--baseline", "known.yaml", "--emit-repro", "repro")
    files = sorted(os.listdir(tmp_path / "repro"))
    assert [name for name in files if name.endswith(".yaml")] == ["res_001.yaml", "stop_001.yaml"]
    (again,) = _commands(tmp_path / "repro" / "res_001.yaml")
    ended = command(*shlex.split(again)[1:])
    assert (ended.returncode, ended.last_line) == (1, "nonconformant: 1 of 1 gating case failed")


def test_files_are_written_for_what_failed_before_the_run_stopped(command, wrong, small_suite, tmp_path):
    command("--impl", wrong, "--cases", small_suite, "--emit-repro", "repro", "-x", "-j", "2")
    assert sorted(os.listdir(tmp_path / "repro")) == ["acc_001.yaml", INDEX, "test_acc_001.py"]
