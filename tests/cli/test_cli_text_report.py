"""The text of a run: what a failure says, how many are shown, and the command that repeats one."""

import re
import shlex
import sys

import pytest

from specharness.suite.clauses import load_clauses


def flat(text):
    return " ".join(text.replace("|", " ").split())


def test_a_failure_says_where_what_and_why(specharness, wrong, small_suite):
    text = specharness("--impl", wrong, "--cases", small_suite, "--case", "STOP-001").stdout
    line = next(i for i, line in enumerate(small_suite.read_text().splitlines(), 1) if '"STOP-001"' in line)
    assert f"FAIL STOP-001  {small_suite}:{line - 1}" in text
    assert "two drafts, the second of which is rejected" in text
    assert f"SV-ACC-1 (MUST) {load_clauses()['SV-ACC-1'].sentence}" in flat(text)
    assert "accepted_tokens: expected [0], got []" in text
    assert "acceptance_count: expected 1, got 0" in text
    assert "step 0: token 0, p = 1/2, q = 1/2, u = 1/4, p/q = 1: u < p/q, accepted" in flat(text)
    assert text.rstrip().splitlines()[-1] == "nonconformant: 1 of 1 gating case failed, 1 of 4 selected"


def test_only_what_differs_is_shown(command, wrong, small_suite):
    text = command("--impl", wrong, "--cases", small_suite, "--case", "RES-001").stdout
    assert "bonus_token: expected 1, got 0" in text
    assert "accepted_tokens: expected" not in text
    assert "acceptance_count: expected" not in text
    assert "greatest: 3/16 at tokens 1, 2; the lowest index wins: 1" in flat(text)


def test_an_exception_is_shown_with_its_own_frames_only(command, small_suite, tmp_path):
    (tmp_path / "broken.py").write_text(
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    return helper(draft_probs)\n\n\ndef helper(rows):\n    return rows[7]\n"
    )
    text = command("--impl", "broken.py", "--cases", small_suite, "--case", "ACC-001").stdout
    assert "expected a result, got IndexError: list index out of range" in flat(text)
    assert "line 6, in helper" in text
    assert "return rows[7]" in text
    assert "worker.py" not in text


def test_returning_where_an_error_is_due_shows_the_result(command, small_suite, tmp_path):
    (tmp_path / "lenient.py").write_text("def verify_speculative_tokens(a, b, c, d):\n    return {}\n")
    text = command("--impl", "lenient.py", "--cases", small_suite, "--case", "IN-001").stdout
    assert "expected ValueError, got the result {}" in text
    assert "raises ValueError: random_samples: 2 values; expected K = 1 (SV-IN-2)" in flat(text)


def test_a_subclass_of_the_expected_exception_is_right(command, small_suite, tmp_path, right):
    (tmp_path / "strict.py").write_text(
        right.read_text().replace('raise ValueError("the lengths differ")', 'raise UnicodeError("differ")')
    )
    assert command("--impl", "strict.py", "--cases", small_suite).returncode == 0


CAUSES = """
def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    raise type(f"Fault{int(random_samples[0] * 256)}", (Exception,), {})("broken")
"""


def ids_of(text):
    return set(re.findall(r"ACC-[0-9]{3}", text))


ALL = {f"ACC-{number:03}" for number in range(1, 41)}


def test_twenty_failures_are_shown_in_full_and_the_others_named(command, long_suite, tmp_path):
    (tmp_path / "faulty.py").write_text(CAUSES)
    ended = command("--impl", "faulty.py", "--cases", long_suite)
    assert ended.stdout.count("\nFAIL ") == 20
    assert ended.stdout.count("  again: ") == 20
    assert ids_of(ended.stdout) == ALL
    assert ended.last_line == "nonconformant: 40 of 40 gating cases failed"


def test_all_failures_are_shown_in_full_where_asked_for(command, long_suite, tmp_path):
    (tmp_path / "faulty.py").write_text(CAUSES)
    assert command("--impl", "faulty.py", "--cases", long_suite, "-v").stdout.count("\nFAIL ") == 40


def test_failures_of_one_cause_are_told_together(command, long_suite, tmp_path):
    (tmp_path / "none.py").write_text("def verify_speculative_tokens(a, b, c, d):\n    return None\n")
    ended = command("--impl", "none.py", "--cases", long_suite)
    assert ended.stdout.count("\nFAIL ") == 3
    assert "37 more of this cause: ACC-004, ACC-005," in flat(ended.stdout)
    assert "all with -v" in ended.stdout
    assert len(ended.stdout.splitlines()) < 70


def test_one_cause_does_not_hide_another(command, long_suite, tmp_path):
    (tmp_path / "two.py").write_text(
        "def verify_speculative_tokens(a, b, c, d):\n    return None if d[0] * 256 != 40 else {}[0]\n"
    )
    text = command("--impl", "two.py", "--cases", long_suite).stdout
    assert "FAIL ACC-040" in text
    assert "KeyError" in text


def test_advice_is_told_in_short_and_in_full_where_asked_for(command, right, mixed_suite):
    short = command("--impl", right, "--cases", mixed_suite)
    assert short.returncode == 0
    assert "ADVICE beyond the original statement; gates with --strict, in full with -v" in short.stdout
    assert "1 case: IN-002" in short.stdout
    assert "ADVICE IN-002" not in short.stdout
    full = command("--impl", right, "--cases", mixed_suite, "-v")
    assert "ADVICE IN-002" in full.stdout
    assert "again: " in full.stdout


@pytest.mark.parametrize(("name", "line"), [("right", "conformant: 4 gating cases passed, advice on 1"), (None, None)])
def test_quiet_prints_the_last_line_only(command, right, wrong, mixed_suite, name, line):
    ended = command("--impl", right if name else wrong, "--cases", mixed_suite, "-q")
    assert ended.stdout.count("\n") == 1
    assert ended.last_line == (line or "nonconformant: 3 of 4 gating cases failed, advice on 1")
    assert ended.stderr == ""


def test_x_stops_at_the_first_failure(command, wrong, small_suite):
    ended = command("--impl", wrong, "--cases", small_suite, "-x")
    assert ended.returncode == 1
    assert "FAIL ACC-001" in ended.stdout
    assert "STOP-001" not in ended.stdout
    assert "stopped after the first failure (-x); the other cases were not judged" in ended.stdout
    assert ended.last_line == "nonconformant: 1 of 1 gating case failed"


def test_x_does_not_stop_at_advice(command, right, write_suite, case_of):
    ended = command("--impl", right, "--cases", write_suite(case_of("IN-002"), case_of("ACC-001")), "-x")
    assert ended.returncode == 0
    assert "stopped" not in ended.stdout


def test_x_says_nothing_where_the_last_case_fails(command, wrong, small_suite):
    ended = command("--impl", wrong, "--cases", small_suite, "--case", "ACC-001", "-x")
    assert "stopped" not in ended.stdout


def test_skipped_cases_are_told(command, right, write_suite, case_of):
    suite = write_suite(case_of("ACC-001", dtypes=["float64", "float32"]), case_of("RES-001"))
    text = command("--impl", right, "--cases", suite, "--dtype", "float16").stdout
    assert "skipped, not for float16: 1 case (ACC-001)" in text
    assert "conformant: 1 gating case passed" in text


def test_the_reference_is_recognised(command, small_suite):
    text = command("--impl", "specreference:verify_speculative_tokens", "--cases", small_suite).stdout
    assert "the implementation imports specreference, the reference itself" in flat(text)


HUNGRY = """
import json, sys
from right import verify_speculative_tokens as right

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    {fault}
    return right(draft_tokens, draft_probs, target_probs, random_samples)
"""


@pytest.mark.parametrize(
    ("options", "fault"),
    [
        ((), "return None"),
        (("--strict",), "draft_tokens = [0]"),
        (("--dtype", "float32"), "return None"),
        (("--timeout", "0.15"), "__import__('time').sleep(0.3)"),
        (("--memory", "300MB"), "bytearray(400_000_000)"),
        (("--python", "PYTHON"), "return None"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_the_printed_command_repeats_just_that_case(command, write_suite, case_of, right, tmp_path, options, fault):
    """It ends as the run did, since each option that decides the verdict is in it."""
    (tmp_path / "it's mine").mkdir()
    implementation = tmp_path / "it's mine" / "my $olution.py"
    implementation.write_text(HUNGRY.format(fault=fault))
    (implementation.parent / "right.py").write_text(right.read_text())
    id_ = "IN-002" if options == ("--strict",) else "ACC-001"
    variants = [{"input": {"random_samples": [f"{number}/64"]}} for number in (1, 2)]
    suite = write_suite(
        case_of(id_, matrix=variants) if id_ == "ACC-001" else case_of(id_), case_of("RES-001"), name="a suite.yaml"
    )
    words = [sys.executable if word == "PYTHON" else word for word in options]
    first = command("--impl", implementation, "--cases", suite.name, *words)
    line = [line for line in first.stdout.splitlines() if line.startswith("  again: ")][-1 if id_ == "IN-002" else 1]
    program, *again = shlex.split(line.removeprefix("  again: "))
    assert program == "specharness"
    second = command(*again)
    case = "ACC-001/2" if id_ == "ACC-001" else id_
    assert first.returncode == second.returncode == 1
    assert f"FAIL {case}" in second.stdout
    assert second.last_line.startswith("nonconformant: 1 of 1 gating case failed, 1 of ")


def test_in_process_prints_go_to_the_terminal_and_the_case_is_judged(specharness, small_suite, tmp_path):
    (tmp_path / "chatty.py").write_text(
        "def verify_speculative_tokens(a, b, c, d):\n    print('looking at', d)\n    return None\n"
    )
    ended = specharness("--impl", "chatty.py", "--cases", small_suite, "--case", "ACC-001", "--in-process")
    assert ended.returncode == 1
    assert ended.stdout.startswith("looking at [0.484375]\n")
    assert "FAIL ACC-001" in ended.stdout


def test_in_process_calls_once_so_that_a_breakpoint_is_met_once(command, small_suite, tmp_path, right):
    (tmp_path / "counted.py").write_text(right.read_text().replace("    k = len", "    print('called')\n    k = len"))
    ended = command("--impl", "counted.py", "--cases", small_suite, "--case", "ACC-001", "--in-process")
    assert ended.returncode == 0
    assert ended.stdout.count("called") == 1


def test_in_process_a_breakpoint_stops_and_takes_input(specharness, small_suite, tmp_path, right, processes):
    (tmp_path / "stops.py").write_text(right.read_text().replace("    k = len", "    breakpoint()\n    k = len"))
    (tmp_path / "input").write_text("p draft_tokens\nc\n")
    options = ("--cases", small_suite, "--case", "ACC-001", "--in-process")
    with open(tmp_path / "input") as file:
        ended = specharness("--impl", "stops.py", *options, stdin=file)
    assert "[1]" in ended.stdout
    assert ended.returncode == 0


@pytest.mark.parametrize(
    ("body", "code", "words"),
    [
        ("raise SystemExit(0)", 1, "got SystemExit: 0"),
        ("raise RuntimeError('broken')", 1, "got RuntimeError: broken"),
        ("raise KeyboardInterrupt", 130, ""),
    ],
)
def test_in_process_exceptions_of_the_implementation_are_its_own(command, small_suite, tmp_path, body, code, words):
    (tmp_path / "raising.py").write_text(f"def verify_speculative_tokens(a, b, c, d):\n    {body}\n")
    ended = command("--impl", "raising.py", "--cases", small_suite, "--case", "ACC-001", "--in-process")
    assert ended.returncode == code
    assert words in ended.stdout
    assert "Traceback" not in ended.stderr


def test_in_process_a_command_is_not_runnable(command, small_suite):
    ended = command("--impl", "exec:./verifier", "--cases", small_suite, "--case", "ACC-001", "--in-process")
    assert ended.returncode == 4
    assert "a command can't run in this process; expected a Python function" in ended.stderr
