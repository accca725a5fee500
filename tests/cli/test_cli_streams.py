"""Where text goes: closed pipes, full disks, terminals, colours, progress."""

import os
import re
import signal
import sys

import pytest

ESCAPE = "\x1b["


@pytest.fixture
def closed_pipe():
    """The writing end of a pipe that nobody reads."""
    reading, writing = os.pipe()
    os.close(reading)
    yield writing
    os.close(writing)


COMMANDS = [("--help",), ("--version",), ("list",), ("validate", "SUITE")]


@pytest.mark.parametrize("words", COMMANDS, ids=lambda words: words[0])
def test_output_that_nobody_reads_ends_quietly(specharness, small_suite, closed_pipe, words):
    given = [small_suite if word == "SUITE" else word for word in words]
    ended = specharness(*given, stdout=closed_pipe)
    assert ended.stderr == ""
    assert ended.returncode in (0, -13, 141)


@pytest.mark.parametrize("passes", [True, False])
def test_a_run_that_nobody_reads_keeps_its_exit_code(specharness, right, wrong, small_suite, closed_pipe, passes):
    ended = specharness("--impl", right if passes else wrong, "--cases", small_suite, stdout=closed_pipe)
    assert ended.stderr == ""
    assert ended.returncode == (0 if passes else 1)


def test_errors_that_nobody_reads_keep_their_exit_code(specharness, closed_pipe):
    assert specharness("--impl", "nowhere:f", stderr=closed_pipe).returncode == 4


def test_usage_errors_that_nobody_reads_keep_their_exit_code(specharness, closed_pipe):
    assert specharness("--no-such-option", stderr=closed_pipe).returncode == 2


def test_the_first_line_is_enough_for_a_reader(start_specharness, wrong, long_suite):
    process = start_specharness("--impl", wrong, "--cases", long_suite, "-v")
    assert b"wrong.py" in process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == b""
    assert process.wait(10) == 1


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [*COMMANDS, ("--impl", "RIGHT", "--cases", "SUITE")], ids=lambda words: words[0])
def test_a_full_disk_is_told_in_a_sentence(specharness, right, small_suite, words):
    given = [{"SUITE": small_suite, "RIGHT": right}.get(word, word) for word in words]
    with open("/dev/full", "w") as full:
        ended = specharness(*given, stdout=full)
    assert "No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert "Exception" not in ended.stderr
    assert len(ended.stderr.splitlines()) == 1
    assert ended.returncode not in (0, 1, 70)


@pytest.mark.parametrize(("start", "stream"), [("list", 1), ("--impl", 0), ("--impl", 1), ("--impl", 2)])
def test_a_standard_stream_that_is_closed_is_no_fault_of_ours(processes, wrong, small_suite, start, stream):
    """As under some schedulers, or with >&- in a shell."""
    given = ("--impl", wrong, "--cases", small_suite) if start == "--impl" else (start, "--cases", small_suite)
    started = (sys.executable, "-P", "-m", "specharness", *given)
    ended = processes.run("sh", "-c", f'exec "$@" {stream}>&-', "sh", *started)
    assert "Traceback" not in ended.stderr
    assert ended.returncode == (1 if start == "--impl" else 0)


def test_titles_that_the_terminal_can_not_show_are_escaped(specharness, write_suite, case_of):
    suite = write_suite(case_of("ACC-001", title="p ≥ q accepts for every u"))
    for encoding in ("ascii", "latin-1"):
        ended = specharness("list", "--cases", suite, env={"PYTHONIOENCODING": encoding, "PYTHONUTF8": "0"})
        assert ended.stdout == "ACC-001  MUST    p \\u2265 q accepts for every u\n"


def test_a_pipe_gets_no_colours(specharness, wrong, small_suite):
    ended = specharness("--impl", wrong, "--cases", small_suite, env={"TERM": "xterm", "FORCE_COLOR": "1"})
    assert ESCAPE not in ended.stdout + ended.stderr


def test_a_terminal_gets_colours(on_terminal, wrong, small_suite):
    done = on_terminal("--impl", wrong, "--cases", small_suite)
    assert done.returncode == 1
    assert f"{ESCAPE}31mFAIL{ESCAPE}0m" in done.screen
    assert f"{ESCAPE}31mnonconformant: 3 of 4 gating cases failed{ESCAPE}0m" in done.screen


def test_success_on_a_terminal_is_green(on_terminal, right, small_suite):
    assert (
        f"{ESCAPE}32mconformant: 4 gating cases passed{ESCAPE}0m"
        in on_terminal("--impl", right, "--cases", small_suite).screen
    )


@pytest.mark.parametrize("setting", [{"NO_COLOR": "0"}, {"TERM": "dumb"}], ids=str)
def test_colours_can_be_declined(on_terminal, wrong, small_suite, setting):
    done = on_terminal("--impl", wrong, "--cases", small_suite, **setting)
    assert "FAIL ACC-001" in done.screen
    assert ESCAPE not in done.screen


def test_colours_are_for_standard_output_only_where_that_is_the_terminal(on_terminal, wrong, small_suite):
    done = on_terminal("--impl", wrong, "--cases", small_suite, stdout=False)
    assert ESCAPE not in done.piped
    assert done.screen == ""


@pytest.mark.parametrize("columns", [1, 40])
def test_a_terminal_of_any_width_is_written_to(on_terminal, wrong, small_suite, columns):
    done = on_terminal("--impl", wrong, "--cases", small_suite, columns=columns, NO_COLOR="1")
    assert "please report it" not in done.screen
    assert done.returncode == 1
    assert " ".join(done.screen.split()).endswith("nonconformant: 3 of 4 gating cases failed")


@pytest.mark.parametrize("words", [("clauses",), ("show", "ACC-001")], ids=lambda words: words[0])
def test_the_commands_write_to_the_narrowest_terminal(on_terminal, words):
    done = on_terminal(*words, columns=1)
    assert done.returncode == 0
    assert "please report it" not in done.screen


SLOW = """
import time
from right import verify_speculative_tokens as right

def verify_speculative_tokens(*arguments):
    time.sleep({seconds})
    return right(*arguments)
"""


@pytest.fixture
def slow(tmp_path, right):
    (tmp_path / "right.py").write_text(right.read_text())

    def write(seconds):
        (tmp_path / "slow.py").write_text(SLOW.format(seconds=seconds))
        return tmp_path / "slow.py"

    return write


def test_a_quick_run_shows_no_progress(on_terminal, right, small_suite):
    assert "4/4" not in on_terminal("--impl", right, "--cases", small_suite).screen


def test_progress_shows_on_a_terminal_after_a_second_and_leaves_it_as_it_was(start_specharness, slow, long_suite):
    """Here an interrupt ends the run. The bar hides the cursor, and must show it again."""
    master, slave = os.openpty()
    process = start_specharness("--impl", slow(0.1), "--cases", long_suite, stderr=slave, env={"TERM": "xterm"})
    os.close(slave)
    screen = b""
    interrupted = False
    try:
        while data := os.read(master, 65536):
            screen += data
            if not interrupted and re.search(rb"[1-9][0-9]?/40", screen):
                process.send_signal(signal.SIGINT)
                interrupted = True
    except OSError:  # how Linux tells the end
        pass
    stdout, _ = process.communicate(timeout=10)
    os.close(master)
    assert process.returncode == 130
    assert stdout.splitlines()[-1].startswith(b"interrupted: ")
    assert re.search(rb"cases .*\b[1-9][0-9]?/40", screen)
    assert not re.search(rb"\b1/40", screen)
    assert screen.rfind(b"\x1b[?25l") < screen.rfind(b"\x1b[?25h")
