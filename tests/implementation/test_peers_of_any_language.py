"""`--impl exec:COMMAND`: a process that speaks the protocol itself."""

import shlex
import sys
import time
from pathlib import Path

import pytest

from specharness.errors import NotRunnable
from specharness.implementation.observation import Loss, Lost, Raised, Returned

PEER = Path(__file__).parent / "peers" / "peer.py"


def peer(*words):
    return "exec:" + shlex.join([sys.executable, str(PEER), *words])


def test_a_right_peer_passes(specharness, small_suite):
    ended = specharness("--impl", peer("right"), "--cases", small_suite, "-q")
    assert ended.stdout == "conformant: 4 gating cases passed\n"
    assert ended.stderr == ""
    assert ended.returncode == 0
    assert ended.left_behind == []


@pytest.mark.parametrize("mode", ["chatty", "ignores_bye"])
def test_a_peer_that_logs_or_does_not_end_passes(command, small_suite, mode):
    ended = command("--impl", peer(mode), "--cases", small_suite, "-q")
    assert ended.stdout == "conformant: 4 gating cases passed\n"
    assert ended.left_behind == []
    assert ended.seconds < 10


@pytest.fixture
def observe_peer(runner_of, small_cases):
    """Observes a peer; each case but the second must be answered rightly."""

    def observe(mode, **limits):
        began = time.monotonic()
        before, marked, *after = runner_of(peer(mode), **limits).run(small_cases)
        assert time.monotonic() - began < 10
        assert [type(other.answer) for other in (before, *after)] == [Returned, Returned, Raised]
        assert before.answer == before.repeat
        return marked

    return observe


@pytest.mark.parametrize(
    ("mode", "loss", "words"),
    [
        ("garbage", Loss.NOT_PROTOCOL, "it wrote 'accepted: 0', which is no JSON"),
        ("bytes", Loss.NOT_PROTOCOL, "which is no JSON"),
        ("blank_line", Loss.NOT_PROTOCOL, "it wrote '', which is no JSON"),
        ("list", Loss.NOT_PROTOCOL, "expected a JSON object"),
        ("deep", Loss.NOT_PROTOCOL, "which is no JSON"),
        ("cut_off", Loss.DIED, "exited with code 0"),
        ("endless_line", Loss.NOT_PROTOCOL, "over 16 MB without a line end"),
        ("exits", Loss.DIED, "exited with code 5"),
        ("hangs", Loss.TIMED_OUT, "no answer within 0.3 s"),
        ("closes_output", Loss.DIED, "closed its output"),
        ("no_type", Loss.NOT_PROTOCOL, 'expected a JSON object with "type"'),
        ("unknown_type", Loss.NOT_PROTOCOL, "expected an answer of the type returned or raised"),
        ("no_result", Loss.NOT_PROTOCOL, "expected an answer of the type returned or raised"),
        ("wrong_id", Loss.NOT_PROTOCOL, "it answered call 1003; expected the answer to call 3"),
        ("id_of_text", Loss.NOT_PROTOCOL, 'expected the call\'s "id"'),
        ("id_of_true", Loss.NOT_PROTOCOL, 'expected the call\'s "id"'),
        ("negative_id", Loss.NOT_PROTOCOL, "it answered call -1; expected the answer to call 3"),
        ("mutated_no_list", Loss.NOT_PROTOCOL, 'expected "mutated" to be a list of names'),
        ("exception_no_text", Loss.NOT_PROTOCOL, "expected an answer of the type returned or raised"),
        ("twice", Loss.ANSWERED_TWICE, "it answered one call twice"),
        ("repetition_twice", Loss.ANSWERED_TWICE, "it answered one call twice"),
        ("nan", Loss.NOT_PROTOCOL, "which is no JSON"),
        ("long_number", Loss.NOT_PROTOCOL, "which is no JSON"),
    ],
)
def test_a_peer_that_breaks_the_protocol_loses_that_case_only(observe_peer, mode, loss, words):
    answer = observe_peer(mode, timeout=0.3 if mode == "hangs" else 5).answer
    assert isinstance(answer, Lost)
    assert answer.loss is loss
    assert words in answer.detail
    assert len(answer.detail) < 300


def test_a_peer_that_breaks_the_protocol_fails_the_run(specharness, small_suite):
    ended = specharness("--impl", peer("garbage"), "--cases", small_suite)
    assert ended.returncode == 1
    assert ended.last_line == "nonconformant: 1 of 4 gating cases failed"
    assert "it wrote 'accepted: 0', which is no JSON" in ended.stdout
    assert ended.left_behind == []


@pytest.mark.parametrize("mode", ["twice", "repetition_twice"])
def test_a_second_answer_to_the_last_call_of_a_run_is_seen(runner_of, small_cases, mode):
    (marked,) = runner_of(peer(mode)).run(small_cases[1:2])
    assert marked.answer == Lost(Loss.ANSWERED_TWICE, "it answered one call twice")


@pytest.mark.parametrize(
    ("mode", "token"), [("spelt_nan", "NaN"), ("beyond", "Infinity"), ("exponent", 0.0), ("fraction", 0.0)]
)
def test_numbers_with_a_fraction_or_exponent_stay_floats(observe_peer, mode, token):
    got = observe_peer(mode).answer.value["bonus_token"]
    assert (got, type(got)) == (token, type(token))


@pytest.mark.parametrize(("mode", "shown"), [("spelt_nan", "got nan"), ("beyond", "got inf"), ("exponent", "got 0.0")])
def test_a_float_of_a_peer_is_no_token(command, small_suite, mode, shown):
    ended = command("--impl", peer(mode), "--cases", small_suite)
    assert "SV-OUT-6" in ended.stdout
    assert shown in ended.stdout


def test_an_exception_of_another_language_is_named(observe_peer):
    assert observe_peer("unknown_exception").answer == Raised("std::runtime_error", (), "out of range", "")


@pytest.mark.parametrize(
    ("mode", "words"),
    [
        ("exits_at_once", "the process exited with code 3 while loading"),
        ("refuses", "no CUDA device"),
        ("refuses_without_reason", "no reason given"),
        ("other_protocol", "expected a ready message of protocol 1"),
        ("no_greeting", "expected a ready message of protocol 1"),
        ("greets_in_prose", "does not speak the protocol: it wrote 'verifier 1.0 ready', which is no JSON"),
    ],
)
def test_a_peer_that_never_gets_ready_is_not_runnable(runner_of, mode, words):
    with pytest.raises(NotRunnable, match=r"^--impl exec:") as caught:
        runner_of(peer(mode)).wait_ready()
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("command", "words"),
    [
        ("exec:/nowhere/verifier", "can't start /nowhere/verifier: No such file or directory"),
        ("exec:no-such-command-anywhere --fast", "can't start no-such-command-anywhere: No such file or directory"),
        ("exec:.", "can't start .: Permission denied"),
        ("exec:./notes.txt", "can't start ./notes.txt: Permission denied"),
        ("exec:", "names no command; expected exec:COMMAND"),
        ("exec:   ", "names no command; expected exec:COMMAND"),
        ("exec:'./verifier", "No closing quotation; expected exec:COMMAND, quoted as for a shell"),
    ],
)
def test_a_command_that_cannot_be_started_is_not_runnable(runner_of, tmp_path, monkeypatch, command, words):
    (tmp_path / "notes.txt").write_text("no program")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(NotRunnable, match=r"^--impl ['\"]?exec:") as caught:
        runner_of(command)
    assert words in str(caught.value)


@pytest.mark.parametrize("command", [peer("refuses"), "exec:/nowhere/verifier"])
def test_what_is_not_runnable_ends_the_command_with_its_reason(specharness, small_suite, command):
    ended = specharness("--impl", command, "--cases", small_suite)
    assert ended.returncode == 4
    assert ended.stdout == ""
    assert ended.stderr.startswith("specharness: --impl exec:")
    assert "no CUDA device" in ended.stderr or "No such file or directory" in ended.stderr
    assert ended.left_behind == []


def test_what_a_command_prints_before_it_ends_is_shown(specharness, small_suite):
    ended = specharness("--impl", "exec:sh -c 'echo libcuda.so is missing >&2; exit 9'", "--cases", small_suite)
    assert ended.returncode == 4
    assert "exited with code 9 while loading\nIts last output:\nlibcuda.so is missing" in ended.stderr


def test_a_command_is_found_from_the_current_folder(specharness, small_suite, tmp_path):
    program = tmp_path / "verifier"
    program.write_text(f"#!/bin/sh\nexec {shlex.quote(sys.executable)} {shlex.quote(str(PEER))} right\n")
    program.chmod(0o755)
    ended = specharness("--impl", "exec:./verifier", "--cases", small_suite, "-q")
    assert ended.last_line == "conformant: 4 gating cases passed"
