"""How many processes, failures and seconds a run may take, end to end."""

import json
import signal

import pytest

HANGS_FROM = """
import os, time
def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    with open("calls", "a") as file:
        file.write(f"{{os.getpid()}}\\n")
    if random_samples[0] * 256 >= {number}:
        time.sleep(1000)
    return {{"accepted_tokens": [1], "bonus_token": 2, "acceptance_count": 1}}
"""


@pytest.fixture
def hangs_from(tmp_path):
    """`hangs_from(n)` is right on the long suite, and never returns from case n on."""
    (tmp_path / "calls").touch()

    def write(number):
        (tmp_path / "hangs.py").write_text(HANGS_FROM.format(number=number))
        return "hangs.py"

    return write


JOBS = [("-j", "1"), ("-j", "2")]


@pytest.mark.parametrize("jobs", JOBS, ids=" ".join)
def test_the_rest_is_not_run_when_the_time_is_over(specharness, long_suite, hangs_from, tmp_path, jobs):
    ended = specharness(
        *("--impl", hangs_from(8), "--cases", long_suite, "--max-time", "2.5", "--report", "json=report.json", *jobs)
    )
    assert ended.returncode == 1
    assert ended.seconds < 8
    assert ended.left_behind == []
    report = json.loads((tmp_path / "report.json").read_text())
    statuses = [case["status"] for case in report["cases"]]
    passed = statuses.count("passed")
    assert passed <= 7
    assert statuses == ["passed"] * passed + ["not_run"] * (40 - passed)
    assert report["counts"]["gating"]["not_run"] == 40 - passed
    assert report["conformant"] is False
    lost = {"lost": "not run", "detail": "the 2.5 s of the run were over (--max-time)"}
    assert all(case["observed"] == lost for case in report["cases"][passed:])
    first = report["cases"][passed]["id"]
    assert report["notes"] == [f"from {first} on nothing was run: the 2.5 s of the run were over (--max-time)"]
    assert report["notes"][0] in ended.stdout
    assert ended.last_line == f"nonconformant: {40 - passed} cases not run"


def test_a_second_call_that_the_end_of_the_time_cuts_off_is_no_failure(command, tmp_path, write_suite, case_of):
    (tmp_path / "once.py").write_text(
        "import time\ncount = 0\n"
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    global count\n    count += 1\n    time.sleep(1000 * (count - 1))\n"
        "    return {'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}\n"
    )
    ended = command("--impl", "once.py", "--cases", write_suite(case_of("ACC-001")), "--max-time", "0.8")
    assert ended.returncode == 0
    assert ended.last_line == "conformant: 1 gating case passed"


@pytest.mark.parametrize("jobs", JOBS, ids=" ".join)
def test_a_run_that_ends_in_time_is_as_without(command, right, long_suite, jobs):
    ended = command("--impl", right, "--cases", long_suite, "--max-time", "50", *jobs)
    assert ended.returncode == 0
    assert ended.last_line == "conformant: 40 gating cases passed"


@pytest.mark.parametrize("jobs", JOBS, ids=" ".join)
def test_loading_is_part_of_the_time(command, tmp_path, small_suite, jobs):
    (tmp_path / "loads.py").write_text("import time\ntime.sleep(1000)\n")
    ended = command("--impl", "loads.py", "--cases", small_suite, "--max-time", "0.3", *jobs)
    assert ended.returncode == 4
    assert "--impl loads.py: no answer within the 0.3 s of the run (--max-time)" in ended.stderr
    assert ended.seconds < 5
    assert ended.left_behind == []


@pytest.mark.parametrize("jobs", JOBS, ids=" ".join)
def test_a_run_stops_after_so_many_failures(command, wrong, long_suite, tmp_path, jobs):
    ended = command("--impl", wrong, "--cases", long_suite, "--max-fail", "3", "--report", "json=report.json", *jobs)
    assert ended.returncode == 1
    assert "stopped after 3 failures (--max-fail); the other cases were not judged" in ended.stdout
    assert ended.last_line == "nonconformant: 3 of 3 gating cases failed"
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["stopped"] is True
    assert [case["id"] for case in report["cases"]] == ["ACC-001", "ACC-002", "ACC-003"]


def test_passes_between_failures_do_not_count(command, wrong, small_suite, right):
    ended = command("--impl", wrong, "--cases", small_suite, "--max-fail", "4")
    assert "stopped" not in ended.stdout
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed"


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143), (signal.SIGHUP, 129)])
def test_a_signal_ends_all_processes_at_once(
    start_specharness, hangs_from, long_suite, wait_until, processes, tmp_path, number, code
):
    process = start_specharness("--impl", hangs_from(5), "--cases", long_suite, "-j", "3")
    wait_until(lambda: (tmp_path / "calls").read_text().count("\n") >= 4 * 2 + 3)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=5)
    assert process.returncode in (code, -number)
    assert stderr == b""
    assert processes.left_behind() == []
    if number == signal.SIGINT:
        assert stdout.decode().splitlines()[-1].startswith("interrupted: ")


def test_auto_is_the_number_of_cpus(command, tmp_path, long_suite, hangs_from, monkeypatch):
    monkeypatch.setattr("os.sched_getaffinity", lambda pid: range(3), raising=False)
    hangs = hangs_from(1000)
    (tmp_path / hangs).write_text((tmp_path / hangs).read_text().replace("    if", "    time.sleep(0.01)\n    if"))
    assert command("--impl", hangs, "--cases", long_suite, "-j", "auto").returncode == 0
    assert len(set((tmp_path / "calls").read_text().split())) == 3


def test_a_score_with_several_processes(command, tmp_path, right, long_suite):
    (tmp_path / "right.py").write_text(right.read_text())
    (tmp_path / "solution.py").write_text("import yaml\nfrom right import verify_speculative_tokens\n")
    plain = command("--impl", "right.py", "--cases", long_suite, "--score", "-j", "2")
    assert "score 100 of 100, bonus 10 of 10: plain Python" in plain.stdout
    other = command("--impl", "solution.py", "--cases", long_suite, "--score", "-j", "2")
    assert "bonus 0 of 10: not plain Python: it imports yaml" in " ".join(other.stdout.split())


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("-j", "0"), "'0' is no number of processes; expected 1 to 256, or auto."),
        (("-j", "257"), "'257' is no number of processes"),
        (("-j", "1.5"), "'1.5' is no number of processes"),
        (("-j", "AUTO"), "'AUTO' is no number of processes"),
        (("-j", ""), "'' is no number of processes"),
        (("--max-fail", "0"), "0 is not in the range x>=1"),
        (("--max-time", "0"), "'0' is no time in seconds"),
        (("-x", "--max-fail", "2"), "-x is --max-fail 1; give one of them."),
        (("--in-process", "-j", "2"), "--jobs needs a process of the implementation's own"),
        (("--in-process", "--max-time", "2"), "--max-time needs a process of the implementation's own"),
    ],
)
def test_a_wrong_limit_is_a_usage_error(command, right, small_suite, words, message):
    ended = command("--impl", right, "--cases", small_suite, *words)
    assert ended.returncode == 2
    assert message in " ".join(ended.stderr.split())
    assert ended.stdout == ""
