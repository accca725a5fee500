"""`Runner.observe`: one observation at once, for callers that don't have all cases in hand."""

import shlex
import signal
import sys
import time
from pathlib import Path

import pytest

from specharness.implementation.observation import Loss, Lost, Returned

MISBEHAVING = Path(__file__).parent.parent / "misbehaving"
PEER = Path(__file__).parent / "peers" / "peer.py"


def peer(mode):
    return "exec:" + shlex.join([sys.executable, str(PEER), mode])


def without_time(observation):
    return observation.answer, observation.repeat, observation.mutated, observation.output


@pytest.mark.parametrize("name", ["right.py", "mutates.py:rows", "remembers.py:in_a_global", "print_flood.py"])
def test_it_observes_what_a_run_does(runner_of, small_cases, name):
    runner = runner_of(MISBEHAVING / name)
    one_by_one = [without_time(runner.observe(case)) for case in small_cases]
    assert one_by_one == list(map(without_time, runner_of(MISBEHAVING / name).run(small_cases)))


def test_a_lost_worker_costs_only_its_own_case(runner_of, small_cases):
    runner = runner_of(MISBEHAVING / "segfault.py")
    lost = [isinstance(runner.observe(case).answer, Lost) for case in small_cases]
    assert lost == [False, True, False, False]


def test_it_gives_up_as_a_run_does(runner_of, long_cases):
    runner = runner_of(MISBEHAVING / "exits_always.py", silent=2)
    losses = [runner.observe(case).answer.loss for case in long_cases[:4]]
    assert losses == [Loss.DIED, Loss.DIED, Loss.NOT_RUN, Loss.NOT_RUN]


def test_an_exception_that_ends_the_wait_mixes_up_no_answers(runner_of, tmp_path, long_cases):
    """Such as the alarm of a test's time limit: the answers that come later belong to no other case."""
    path = tmp_path / "slow_at_first.py"
    path.write_text(
        "import time\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    if random_samples[0] == 1 / 256:\n"
        "        time.sleep(0.5)\n"
        "    return random_samples[0] * 256\n"
    )

    def alarm(number, frame):
        raise TimeoutError

    runner = runner_of(path)
    runner.wait_ready()
    before = signal.signal(signal.SIGALRM, alarm)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(TimeoutError):
            runner.observe(long_cases[0])
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert [runner.observe(case).answer for case in long_cases[1:3]] == [Returned(2.0), Returned(3.0)]


@pytest.mark.parametrize("mode", ["twice", "repetition_twice"])
def test_a_second_answer_is_told_of_its_case(runner_of, small_cases, mode):
    runner = runner_of(peer(mode))
    answers = [runner.observe(case).answer for case in small_cases]
    assert [isinstance(answer, Lost) for answer in answers] == [False, True, False, False]
    assert answers[1] == Lost(Loss.ANSWERED_TWICE, "it answered one call twice")


def test_a_second_answer_that_comes_late_is_told_of_the_next_case(runner_of, small_cases):
    runner = runner_of(peer("repetition_twice_later"))
    answers = [runner.observe(case).answer for case in small_cases[:2]]
    time.sleep(0.3)
    answers += [runner.observe(case).answer for case in small_cases[2:]]
    assert [isinstance(answer, Lost) for answer in answers] == [False, False, True, False]
    assert answers[2] == Lost(Loss.ANSWERED_TWICE, "it answered a call of an earlier case again")
