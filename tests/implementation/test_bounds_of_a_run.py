"""Every wait has an end. The bounds are tested on the runner itself, which takes them as arguments."""

import shlex
import sys
import time
from pathlib import Path

import pytest

from specharness.errors import NotRunnable
from specharness.implementation.observation import Loss, Lost, Returned

PEER = Path(__file__).parent / "peers" / "peer.py"
NEVER_READY = "exec:" + shlex.join([sys.executable, str(PEER), "never_ready"])


@pytest.mark.parametrize("how", ["a file", "a command"])
def test_an_import_that_hangs_is_ended(runner_of, tmp_path, how):
    path = tmp_path / "hangs.py"
    path.write_text("while True: pass\n")
    began = time.monotonic()
    runner = runner_of(path if how == "a file" else NEVER_READY, loading=0.3)
    with pytest.raises(NotRunnable, match=r"no answer within 0\.3 s"):
        runner.wait_ready()
    assert time.monotonic() - began < 5


def test_what_was_printed_while_loading_is_shown_where_it_hangs(runner_of, tmp_path):
    path = tmp_path / "hangs.py"
    path.write_text("print('fetching weights', flush=True)\nwhile True: pass\n")
    with pytest.raises(NotRunnable, match=r"Its last output:\nfetching weights"):
        runner_of(path, loading=0.35).wait_ready()


def test_loading_does_not_count_as_time_of_the_first_call(runner_of, right, tmp_path, long_cases):
    path = tmp_path / "loads_slowly.py"
    path.write_text(f"import time\ntime.sleep(0.3)\n{right.read_text()}")
    runner = runner_of(path, timeout=0.2)
    (observation,) = runner.run(long_cases[:1])
    assert isinstance(observation.answer, Returned)


def test_a_run_is_given_up_after_so_much_time_at_deadlines(runner_of, long_cases):
    runner = runner_of(Path(__file__).parent.parent / "misbehaving" / "hang_always.py", timeout=0.1, at_deadlines=0.3)
    observations = list(runner.run(long_cases))
    losses = [observation.answer.loss for observation in observations]
    assert losses == [Loss.TIMED_OUT] * 3 + [Loss.NOT_RUN] * 37
    assert observations[-1].answer == Lost(Loss.NOT_RUN, "given up after 0.3 s spent waiting for answers")


def test_a_run_is_given_up_after_so_many_silent_processes(runner_of, long_cases):
    runner = runner_of(Path(__file__).parent.parent / "misbehaving" / "exits_always.py", silent=3)
    observations = list(runner.run(long_cases))
    assert [observation.answer.loss for observation in observations] == [Loss.DIED] * 3 + [Loss.NOT_RUN] * 37


def test_an_answer_sets_the_count_of_silent_processes_back(runner_of, tmp_path, long_cases):
    path = tmp_path / "dies_twice_in_three.py"
    path.write_text(
        "import os\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    if random_samples[0] * 256 % 3:\n"
        "        os._exit(1)\n"
    )
    observations = list(runner_of(path, silent=3).run(long_cases[:9]))
    lost = [isinstance(observation.answer, Lost) for observation in observations]
    assert lost == [True, True, False] * 3
    assert all(
        observation.answer.loss is Loss.DIED for observation in observations if isinstance(observation.answer, Lost)
    )


def test_second_calls_are_left_out_once_they_took_too_long(runner_of, tmp_path, right, long_cases):
    path = tmp_path / "slow.py"
    path.write_text(
        f"import time\n{right.read_text().replace('    k = len', '    time.sleep(0.06)' + chr(10) + '    k = len')}"
    )
    runner = runner_of(path, repeating=0.09)
    observations = list(runner.run(long_cases[:4]))
    assert all(isinstance(observation.answer, Returned) for observation in observations)
    assert [observation.repeat is not None for observation in observations] == [True, True, False, False]
    assert runner.repeats_stopped


@pytest.mark.parametrize("ending", ["hangs", "dies"])
def test_a_second_call_that_is_lost_costs_only_its_own_case(runner_of, tmp_path, long_cases, ending):
    path = tmp_path / "once.py"
    act = "time.sleep(1000)" if ending == "hangs" else "os._exit(1)"
    path.write_text(
        "import os, time\n"
        "seen = set()\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    if random_samples[0] in seen:\n"
        f"        {act}\n"
        "    seen.add(random_samples[0])\n"
    )
    observations = list(runner_of(path, timeout=0.15).run(long_cases[:2]))
    assert [type(observation.answer) for observation in observations] == [Returned] * 2
    assert [type(observation.repeat) for observation in observations] == [Lost] * 2


def test_closing_ends_a_process_that_does_not_end_by_itself(runner_of, tmp_path, long_cases):
    path = tmp_path / "stays.py"
    path.write_text(
        "import atexit, signal, threading, time\n"
        "signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
        "def verify_speculative_tokens(a, b, c, d):\n    threading.Thread(target=time.sleep, args=(1000,)).start()\n"
    )
    runner = runner_of(path)
    list(runner.run(long_cases[:1]))
    began = time.monotonic()
    runner.close()
    assert time.monotonic() - began < 3
