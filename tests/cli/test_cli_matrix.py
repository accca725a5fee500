"""`specharness matrix` end to end."""

import json
import signal
import sys

import pytest


def test_1_where_one_fails_and_the_matrix_says_where(specharness, right, wrong, mixed_suite):
    ended = specharness("matrix", "--impl", right, "--impl", wrong, "--cases", mixed_suite)
    assert (ended.returncode, ended.stderr) == (1, "")
    assert f"  A  {right}\n     conformant: 4 gating cases passed, advice on 1\n" in ended.stdout
    assert "  . F  SV-ACC-1 (accepts too few tokens): ACC-001, STOP-001\n" in ended.stdout
    assert ended.last_line == "1 of 2 implementations conformant, 3 of 5 cases fail somewhere"
    assert ended.left_behind == []


def test_0_where_all_are_conformant(command, right, small_suite, tmp_path):
    (tmp_path / "copy.py").write_text(right.read_text())
    ended = command("matrix", "--impl", right, "--impl", "copy.py", "--cases", small_suite, "-q")
    assert (ended.returncode, ended.stdout) == (0, "2 of 2 implementations conformant, no case fails\n")


def test_4_where_one_can_not_be_run_and_the_others_are(command, right, wrong, small_suite, tmp_path):
    (tmp_path / "broken.py").write_text("import nothing_of_this_name\n")
    impls = ("--impl", "broken.py", "--impl", right, "--impl", "nowhere:verify", "--impl", wrong)
    ended = command("matrix", *impls, "--cases", small_suite)
    assert ended.returncode == 4
    assert "No module named 'nothing_of_this_name'" in ended.stdout
    assert "  x . x F  SV-RES-1 (another bonus_token): RES-001\n" in ended.stdout
    assert ended.last_line == "1 of 4 implementations conformant, 2 not run, 3 of 4 cases fail somewhere"
    assert ended.left_behind == []


def test_all_that_agree_against_the_expectation_raise_an_alarm(command, wrong, small_suite, tmp_path):
    (tmp_path / "copy.py").write_text(wrong.read_text())
    ended = command("matrix", "--impl", wrong, "--impl", "copy.py", "--cases", small_suite)
    assert "ALL AGREE  in 3 cases all 2 give the same" in ended.stdout
    assert "perhaps the case is wrong" in " ".join(ended.stdout.split())


def test_options_of_the_suite_and_of_judging_count(command, right, wrong, mixed_suite):
    words = ("matrix", "--impl", right, "--impl", wrong, "--cases", mixed_suite)
    ended = command(*words, "--case", "IN-00*", "--strict", "--dtype", "float32", "--timeout", "5")
    assert ended.returncode == 1
    assert ended.stdout.startswith("2 of 5 cases (profile argmax, float32, strict)\n")
    assert "  F F  A: SV-IN-6 (" in ended.stdout or "  F F  SV-IN-6 (" in ended.stdout


def test_an_implementation_that_hangs_takes_no_other_with_it(command, right, small_suite, tmp_path):
    (tmp_path / "hangs.py").write_text("def verify_speculative_tokens(*_):\n    while True: pass\n")
    words = ("--impl", "hangs.py", "--impl", right, "--cases", small_suite, "--case", "ACC-001", "--timeout", "0.3")
    ended = command("matrix", *words)
    assert ended.returncode == 1
    assert "  F .  SV-ACC-1 (the call timed out): ACC-001\n" in ended.stdout
    assert ended.left_behind == []


def test_another_interpreter_runs_the_functions_and_no_command(command, right, small_suite, tmp_path):
    """The interpreter is a script that leaves a trace; a command speaks the protocol itself."""
    (tmp_path / "copy.py").write_text(right.read_text())
    (tmp_path / "interpreter").write_text(f'#!/bin/sh\necho x >> starts\nexec {sys.executable} "$@"\n')
    (tmp_path / "interpreter").chmod(0o755)
    impls = ("--impl", right, "--impl", "copy.py", "--impl", "exec:./no-such-command")
    words = (*impls, "--cases", small_suite, "--python", "./interpreter", "--memory", "2GB")
    ended = command("matrix", *words)
    assert ended.returncode == 4
    assert "can't start ./no-such-command" in ended.stdout
    assert ended.last_line.startswith("2 of 3 implementations conformant")
    assert (tmp_path / "starts").read_text() == "x\nx\n"


def test_the_matrix_is_written_in_each_form(command, right, wrong, small_suite, tmp_path):
    reports = [word for kind in ("json", "markdown", "html") for word in ("--report", f"{kind}=m.{kind}")]
    assert command("matrix", "--impl", right, "--impl", wrong, "--cases", small_suite, *reports).returncode == 1
    content = json.loads((tmp_path / "m.json").read_text())
    assert [column["name"] for column in content["implementations"]] == [str(right), str(wrong)]
    assert (tmp_path / "m.markdown").read_text().startswith("### specharness: implementations\n")
    assert (tmp_path / "m.html").read_text().startswith("<!doctype html>\n")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ((), 2, "name two or more, each with --impl MODULE:FUNCTION"),
        (("--impl", "RIGHT"), 2, "name two or more"),
        (("--impl", "RIGHT", "--impl", "RIGHT"), 2, "named twice"),
        (("--impl", "RIGHT", "--impl", " "), 2, "--impl is empty; a variable that is not set, perhaps?"),
        (("--impl", "RIGHT", "--impl", "WRONG", "-q", "-v"), 2, "-q and -v exclude each other"),
        (("--impl", "RIGHT", "--impl", "WRONG", "--report", "html=no/x"), 2, "--report html=no/x: the folder"),
        (("--impl", "RIGHT", "--impl", "WRONG", "--report", "junit=x"), 2, "json or markdown or html"),
        (
            ("--impl", "RIGHT", "--impl", "WRONG", "--policy", "comparison=lt"),
            2,
            "policies are for",
        ),
        (("--impl", "RIGHT", "--impl", "nowhere:x", "--cases", "missing.yaml"), 3, "missing.yaml: No such file"),
        (("--impl", "exec:a", "--impl", "exec:b", "--python", "p"), 2, "--python is for Python functions"),
        (("--impl", "RIGHT", "--impl", "nowhere:x", "--case", "ZZZ-001"), 4, "nowhere"),
        (("--impl", "RIGHT", "--impl", "WRONG", "--case", "ZZZ-001"), 5, "--case ZZZ-001: matches no case"),
    ],
    ids=range(12),
)
def test_what_is_wrong_is_known_before_anything_runs(command, right, wrong, small_suite, words, code, said):
    paths = {"RIGHT": right, "WRONG": wrong}
    cases = () if "--cases" in words else ("--cases", small_suite)
    ended = command("matrix", *(paths.get(word, word) for word in words), *cases)
    assert (ended.returncode, ended.stdout) == (code, "")
    assert said in " ".join(ended.stderr.split())
    assert ended.left_behind == []


def test_130_and_what_there_is_when_interrupted(start_specharness, right, long_suite, tmp_path, wait_until):
    (tmp_path / "slow.py").write_text(
        "import time\ndef verify_speculative_tokens(*_):\n    open('calls', 'a').write('x')\n    time.sleep(0.05)\n"
    )
    (tmp_path / "calls").touch()
    process = start_specharness("matrix", "--impl", "slow.py", "--impl", right, "--cases", long_suite)
    wait_until(lambda: len((tmp_path / "calls").read_text()) >= 5)
    process.send_signal(signal.SIGINT)
    stdout, stderr = process.communicate(timeout=5)
    assert process.returncode == 130
    assert stderr == b""
    assert f"  B  {right}\n     interrupted before it was run\n" in stdout.decode()
    assert "\ninterrupted: 0 of 2 implementations conformant" in stdout.decode()
