"""Several processes of an implementation at once: all that a run says is as with one."""

import json
import shlex
import sys
import time
from pathlib import Path

import pytest

from specharness.errors import NotRunnable
from specharness.implementation import pool as pool_module
from specharness.implementation.observation import Loss, Lost, Raised, Returned

MISBEHAVING = Path(__file__).parent.parent / "misbehaving"

RECORDING = """
import os, sys, time
sys.path.insert(0, {folder!r})
from right import verify_speculative_tokens as right

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    number = int(random_samples[0] * 256)
    with open({log!r}, "a") as file:
        file.write(f"{{os.getpid()}} {{number}}\\n")
    {act}
    return right(draft_tokens, draft_probs, target_probs, random_samples)
"""


@pytest.fixture
def recording(tmp_path):
    """`recording(act)` is a file that writes down process and number of each call; the function reads both."""
    log = tmp_path / "log"

    def write(act="pass"):
        path = tmp_path / "recording.py"
        path.write_text(RECORDING.format(folder=str(MISBEHAVING), log=str(log), act=act))
        return path, lambda: [tuple(map(int, line.split())) for line in log.read_text().splitlines()]

    return write


def _without_times(report):
    cases = [{key: value for key, value in case.items() if key != "seconds"} for case in report["cases"]]
    return {**report, "seconds": 0, "command": [], "cases": cases}


def test_verdicts_reports_and_text_are_those_of_one_process(judge_file, long_suite):
    one = judge_file("mixed", cases=long_suite, timeout=1)
    several = judge_file("mixed", "-j", 3, cases=long_suite, timeout=1)
    assert _without_times(several.report) == _without_times(one.report)
    assert several.ended.stdout == one.ended.stdout
    assert several.ended.returncode == one.ended.returncode == 1
    assert set(one.statuses.values()) == {"passed", "failed", "advice"}
    assert one.cases["ACC-013"]["output"] == "case 13\ncase 13\n"
    assert several.ended.left_behind == []


@pytest.mark.parametrize(
    ("name", "timeout", "options"),
    [
        ("exits_always", 5, []),
        ("mixed", 1, ["--max-fail", "4"]),
    ],
)
def test_a_run_that_ends_early_ends_at_the_same_case(judge_file, long_suite, name, timeout, options):
    one = judge_file(name, *options, cases=long_suite, timeout=timeout)
    several = judge_file(name, *options, "-j", 3, cases=long_suite, timeout=timeout)
    assert _without_times(several.report) == _without_times(one.report)
    assert several.ended.stdout == one.ended.stdout
    assert several.ended.left_behind == []


def test_the_work_is_shared_between_as_many_processes(pool_of, recording, long_cases):
    path, calls = recording("time.sleep(0.005)")
    pool = pool_of(path, jobs=3)
    assert all(isinstance(observation.answer, Returned) for observation in pool.run(long_cases))
    by_process = {}
    for pid, number in calls():
        by_process.setdefault(pid, []).append(number)
    assert len(by_process) == 3
    assert min(map(len, by_process.values())) >= 10
    assert all(numbers == sorted(numbers) for numbers in by_process.values())
    assert sorted(number for _, number in calls()) == sorted([*range(1, 41)] * 2)


def test_no_more_processes_than_cases_are_started(pool_of, recording, long_cases):
    path, calls = recording()
    list(pool_of(path, jobs=200).run(long_cases[:2]))
    assert len({pid for pid, _ in calls()}) <= 2


def test_observations_come_in_order_though_the_first_comes_last(pool_of, recording, long_cases):
    path, _ = recording("time.sleep(0.4 if number == 1 else 0)")
    seconds = [observation.seconds for observation in pool_of(path, jobs=2).run(long_cases)]
    assert seconds[0] >= 0.4
    assert max(seconds[1:]) < 0.4


@pytest.mark.parametrize("slow", [1, 2, 7])
def test_how_far_a_process_gets_ahead_is_bounded_and_blocks_nobody(pool_of, recording, long_cases, monkeypatch, slow):
    monkeypatch.setattr(pool_module, "_AHEAD", 2)
    path, calls = recording(f"time.sleep(0.2 if number == {slow} else 0)")
    assert len(list(pool_of(path, jobs=2).run(long_cases))) == 40
    numbers = [number for _, number in calls()]
    second_call = numbers.index(slow, numbers.index(slow) + 1)
    assert max(numbers[:second_call]) <= slow + 2 * 2 + 1


def test_what_a_crash_costs_is_one_case_whichever_process_it_ends(pool_of, long_cases):
    kinds = [type(observation.answer) for observation in pool_of(MISBEHAVING / "mixed.py", jobs=2).run(long_cases[:20])]
    assert [number for number, kind in enumerate(kinds, start=1) if kind is Lost] == [5, 15]
    assert [number for number, kind in enumerate(kinds, start=1) if kind is Raised] == [6, 16]


def test_seconds_at_deadlines_add_up(pool_of, long_cases):
    observations = pool_of(MISBEHAVING / "hang_always.py", jobs=2, timeout=0.1, at_deadlines=0.3).run(long_cases)
    assert [observation.answer.loss for observation in observations] == [Loss.TIMED_OUT] * 3 + [Loss.NOT_RUN] * 37


def test_what_can_no_longer_be_started_ends_the_run_at_the_case_that_it_is_noticed_at(pool_of, tmp_path, long_cases):
    path = tmp_path / "fading.py"
    path.write_text(
        "import os\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    if random_samples[0] * 256 >= 3:\n"
        "        if os.path.exists(__file__):\n            os.unlink(__file__)\n"
        "        os._exit(1)\n"
    )
    observations = [observation.answer for observation in pool_of(path, jobs=2, silent=5).run(long_cases)]
    lost = [answer.loss for answer in observations[2:]]
    assert lost[0] is Loss.DIED
    assert set(lost[3:]) == {Loss.NOT_RUN}
    assert "5 workers in a row answered nothing" in observations[-1].detail


def test_a_process_that_can_not_be_loaded_beside_another_is_named(pool_of, tmp_path, right, long_cases):
    path = tmp_path / "exclusive.py"
    path.write_text(f"import os\nos.mkdir({str(tmp_path / 'device')!r})\n{right.read_text()}")
    pool = pool_of(path, jobs=2)
    pool.wait_ready()
    with pytest.raises(NotRunnable, match=r"FileExistsError(.|\n)*That was process 2 of 2; -j 1 starts only one"):
        next(pool.run(long_cases))


def test_imports_of_all_processes_count(pool_of, recording, long_cases):
    path, _ = recording("time.sleep(0.01); [exec('import yaml') for _ in '1' if number == 9]")
    pool = pool_of(path, jobs=2, watch_imports=True)
    list(pool.run(long_cases[:20]))
    imports = pool.imports()
    assert imports.known
    assert ("yaml", "outside the standard library") in imports.foreign
    assert not imports.reference


def test_a_second_answer_is_charged_to_the_case_that_it_answers(pool_of, small_cases):
    arguments = [sys.executable, str(Path(__file__).parent / "peers" / "peer.py"), "twice"]
    one, two = (
        [observation.answer for observation in pool_of("exec:" + shlex.join(arguments), jobs=jobs).run(small_cases)]
        for jobs in (1, 2)
    )
    assert one == two
    assert [isinstance(answer, Lost) and answer.loss for answer in one] == [False, Loss.ANSWERED_TWICE, False, False]


def test_an_error_of_ours_in_a_thread_ends_the_run(pool_of, right, long_cases, monkeypatch):
    pool = pool_of(right, jobs=2)
    monkeypatch.setattr(pool_module.Runner, "_collect", lambda self, posted: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        list(pool.run(long_cases))


def test_closing_in_the_middle_leaves_nothing(pool_of, recording, long_cases):
    path, _ = recording("time.sleep(1000 if number > 20 else 0)")
    pool = pool_of(path, jobs=3)
    observations = pool.run(long_cases)
    next(observations)
    began = time.monotonic()
    pool.close()
    assert time.monotonic() - began < 3
    assert not any(thread.is_alive() for thread in pool._threads)


def test_memory_is_bounded_in_each_process(judge_file):
    judged = judge_file("hogs_memory", "--memory", "300MB", "-j", 2)
    assert json.dumps(judged.statuses) == json.dumps(
        {"ACC-001": "passed", "STOP-001": "failed", "RES-001": "passed", "IN-001": "passed"}
    )
    assert judged.cases["STOP-001"]["observed"]["raises"] == "MemoryError"
