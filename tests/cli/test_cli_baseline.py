"""`--baseline` and `--update-baseline` end to end."""

import json
import os
import signal

import pytest

ENTRY = """\
- cases: {}
  reason: not written yet
  breaches: [{{clause: {}, cause: {}}}]
"""
FEW = ("SV-ACC-1", "accepts too few tokens")
KNOWN = (
    "# of the kernel\nbaseline: 1\nfailures:\n"
    + ENTRY.format("ACC-001", *FEW)
    + ENTRY.format("STOP-001", *FEW)
    + ENTRY.format("RES-001", "SV-RES-1", "another bonus_token")
)


@pytest.fixture
def known(tmp_path):
    """A baseline of what the implementation `wrong` fails on the small suite."""
    path = tmp_path / "known.yaml"
    path.write_text(KNOWN)
    return path


def test_failures_become_known_and_the_gate_opens(specharness, wrong, small_suite, tmp_path):
    words = ("--impl", wrong, "--cases", small_suite, "--baseline", "known.yaml")
    first = specharness(*words, "--update-baseline")
    assert (first.returncode, first.stderr) == (0, "")
    assert "known.yaml is written: 3 cases in 2 new entries\n" in first.stdout
    assert "no reason yet in 2 entries of known.yaml: write why, in place of TODO\n" in first.stdout
    assert "FAIL" not in first.stdout
    text = (tmp_path / "known.yaml").read_text()
    (tmp_path / "known.yaml").write_text(text.replace("TODO", "not written yet"))
    second = specharness(*words)
    assert (second.returncode, second.stderr) == (0, "")
    assert second.stdout.splitlines()[1:] == [
        "",
        "known: 3 cases, as known.yaml says",
        "conformant: 1 gating case passed, 3 known failures",
    ]
    assert specharness(*words, "-q").stdout == "conformant: 1 gating case passed, 3 known failures\n"


def test_1_for_a_failure_that_is_new_or_another_and_it_is_shown(command, wrong, small_suite, known):
    text = known.read_text()
    known.write_text(text.replace("accepts too few tokens", "accepts too many tokens"))
    ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known)
    assert ended.returncode == 1
    shown = " ".join(ended.stdout.replace("|", " ").split())
    assert "FAIL ACC-001" in shown
    assert f"the baseline lists another outcome ({known}:4) SV-ACC-1 (accepts too many tokens)" in shown
    assert f"--baseline {known} --case ACC-001" in shown
    assert ended.last_line == "nonconformant: 2 of 4 gating cases failed, 1 known failure"


def test_6_where_a_listed_failure_passes_and_what_to_do_is_said(specharness, right, small_suite, known):
    ended = specharness("--impl", right, "--cases", small_suite, "--baseline", known)
    assert (ended.returncode, ended.stderr) == (6, "")
    shown = " ".join(ended.stdout.replace("|", " ").split())
    assert (
        f"STALE {known}:4 ACC-001 ACC-001 passes; expected SV-ACC-1 (accepts too few tokens). Take the entry out"
        in shown
    )
    assert f"specharness --impl {right} --cases {small_suite} --baseline {known} --update-baseline" in shown
    assert ended.last_line == "stale baseline: 4 gating cases passed, 3 stale baseline entries"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("  reason: not", "  expires: 2001-01-01\n  reason: not", "expired after 2001-01-01. Mend the implementation"),
        ("cases: ACC-001", "cases: [ACC-001, ACC-999]", "no case is named ACC-999."),
    ],
)
def test_6_where_an_entry_has_expired_or_names_no_case(command, wrong, small_suite, known, old, new, said):
    known.write_text(known.read_text().replace(old, new, 1))
    ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known)
    assert ended.returncode == 6
    assert said in " ".join(ended.stdout.split())
    assert "FAIL" not in ended.stdout


def test_1_before_6(command, wrong, small_suite, known):
    text = known.read_text().replace("cases: ACC-001", "cases: ACC-999")
    known.write_text(text)
    ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known, "-q")
    assert ended.returncode == 1
    assert ended.last_line.endswith("failed, 2 known failures, 1 stale baseline entry")


@pytest.mark.parametrize(
    "selection",
    [("--case", "IN-001"), ("--dtype", "float32", "--tag", "lengths"), ("--case", "ACC-001", "--in-process"), ("-x",)],
    ids=lambda words: words[0],
)
def test_entries_of_cases_that_are_not_run_are_left_alone(command, wrong, small_suite, known, selection):
    assert command("--impl", wrong, "--cases", small_suite, "--baseline", known, *selection).returncode == 0


def test_a_run_with_x_passes_known_failures_by(command, wrong, small_suite, known):
    known.write_text(
        known.read_text()
        .replace("cases: STOP-001", "cases: RES-001", 1)
        .replace("cases: RES-001", "cases: STOP-001", 1)
    )
    lines = known.read_text()
    known.write_text(lines[: lines.rindex("- cases:")])
    ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known, "-x")
    assert ended.returncode == 1
    assert "FAIL RES-001" in ended.stdout
    assert "FAIL ACC-001" not in ended.stdout


def test_a_baseline_of_another_profile_counts_nothing(command, wrong, small_suite, known):
    known.write_text(KNOWN.replace("baseline: 1", "baseline: 1\nprofile: greedy"))
    ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known)
    assert ended.returncode == 1
    assert f"{known} is of the profile greedy; none of its entries counts here" in " ".join(ended.stdout.split())
    assert "known failure" not in ended.last_line


def test_3_for_a_bad_baseline_before_the_run_and_before_what_is_less_grave(command, wrong, small_suite, tmp_path):
    (tmp_path / "known.yaml").write_text(KNOWN + ENTRY.format("ACC-001", *FEW))
    for words in (("--impl", wrong), ("--impl", "nowhere:verify"), ("--impl", wrong, "--case", "ZZZ-001")):
        ended = command(*words, "--cases", small_suite, "--baseline", "known.yaml", "--report", "json=r.json")
        assert (ended.returncode, ended.stdout) == (3, "")
        assert "known.yaml:13:3: ACC-001 again, first on line 4 with the same outcome" in ended.stderr
    assert not (tmp_path / "r.json").exists()


UPDATE = ("--baseline", "k.yaml", "--update-baseline")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--update-baseline",), "--update-baseline needs a file: name one with --baseline FILE"),
        ((*UPDATE, "--case", "A*"), "needs a run of all cases; leave out a selection"),
        ((*UPDATE, "--level", "must"), "needs a run of all cases; leave out a selection"),
        ((*UPDATE, "-x"), "needs a run of all cases; leave out -x and --max-fail"),
        ((*UPDATE, "--in-process"), "needs a run of all cases; leave out --in-process"),
        (("--baseline", "no/k.yaml", "--update-baseline"), "--baseline no/k.yaml: the folder"),
        (("--baseline", ".", "--update-baseline"), "--baseline .: is a folder; expected a file"),
        (("--baseline", "k.yaml", "--report", "json=k.yaml"), "a report is to go to this file; expected another one"),
        (("--baseline", ""), "the path is empty"),
    ],
)
def test_2_for_options_that_do_not_fit(command, wrong, small_suite, tmp_path, words, said):
    ended = command("--impl", wrong, "--cases", small_suite, *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in " ".join(ended.stderr.split())
    assert list(tmp_path.glob("k.yaml")) == []


def test_2_for_an_update_in_another_profile(command, wrong, small_suite, tmp_path):
    (tmp_path / "k.yaml").write_text("baseline: 1\nprofile: greedy\nfailures: []\n")
    ended = command("--impl", wrong, "--cases", small_suite, *UPDATE)
    assert ended.returncode == 2
    assert "k.yaml is of the profile greedy, not of argmax" in ended.stderr


def test_2_and_an_unchanged_file_where_cases_were_not_run(command, long_suite, tmp_path):
    (tmp_path / "dies.py").write_text("import os\ndef verify_speculative_tokens(*_): os._exit(1)\n")
    words = ("--impl", "dies.py", "--cases", long_suite, *UPDATE)
    ended = command(*words)
    assert ended.returncode == 2
    assert "--baseline k.yaml: 20 cases were not run; nothing was written" in ended.stderr
    assert ended.last_line == "nonconformant: 20 of 40 gating cases failed, 20 cases not run"
    assert not (tmp_path / "k.yaml").exists()


def test_2_where_the_file_can_no_longer_be_written(command, small_suite, tmp_path):
    """The implementation removes the folder of the baseline."""
    (tmp_path / "there").mkdir()
    (tmp_path / "remover.py").write_text(
        "import shutil\ndef verify_speculative_tokens(a, b, c, d):\n    shutil.rmtree('there', ignore_errors=True)\n"
    )
    ended = command("--impl", "remover.py", "--cases", small_suite, "--baseline", "there/k.yaml", "--update-baseline")
    assert ended.returncode == 2
    assert "--baseline there/k.yaml: No such file or directory; nothing was written" in ended.stderr
    assert ended.last_line == "nonconformant: 4 of 4 gating cases failed"


def test_130_and_an_unchanged_file_when_interrupted(start_specharness, long_suite, tmp_path, wait_until):
    (tmp_path / "slow.py").write_text(
        "import time\ndef verify_speculative_tokens(*_):\n    open('calls', 'a').write('x')\n    time.sleep(0.05)\n"
    )
    (tmp_path / "calls").touch()
    process = start_specharness("--impl", "slow.py", "--cases", long_suite, *UPDATE)
    wait_until(lambda: len((tmp_path / "calls").read_text()) >= 3)
    process.send_signal(signal.SIGINT)
    _, stderr = process.communicate(timeout=5)
    assert process.returncode == 130
    assert stderr == b"specharness: --baseline k.yaml: interrupted; nothing was written\n"
    assert not (tmp_path / "k.yaml").exists()


def test_an_update_keeps_comments_order_and_mode_and_the_next_one_changes_nothing(
    command, wrong, small_suite, tmp_path
):
    path = tmp_path / "k.yaml"
    old = KNOWN.replace("RES-001", "[IN-001, RES-001]").replace("- cases: STOP", "# stops\n- cases: STOP")
    path.write_text(old)
    path.chmod(0o640)
    words = ("--impl", wrong, "--cases", small_suite, *UPDATE)
    assert command(*words).returncode == 0
    text = path.read_text()
    assert text == old.replace("[IN-001, RES-001]", "RES-001")
    assert path.stat().st_mode & 0o777 == 0o640
    before = os.stat(path).st_ino
    ended = command(*words)
    assert "k.yaml is as it was: nothing to update" in ended.stdout
    assert (path.read_text(), os.stat(path).st_ino) == (text, before)
    assert command("--impl", wrong, "--cases", small_suite, "--baseline", "k.yaml").returncode == 0


def test_with_strict_advice_is_a_failure_that_can_be_known(command, right, mixed_suite, tmp_path):
    words = ("--impl", right, "--cases", mixed_suite, "--baseline", "k.yaml")
    assert command(*words, "--strict", "--update-baseline").returncode == 0
    assert command(*words, "--strict").last_line == "conformant: 4 gating cases passed, 1 known failure"
    assert command(*words).last_line == "conformant: 4 gating cases passed, 1 known failure"
    (tmp_path / "k.yaml").unlink()
    assert command(*words, "--update-baseline").last_line == "conformant: 4 gating cases passed, advice on 1"
    assert "failures: []" in (tmp_path / "k.yaml").read_text()


def test_a_state_that_shows_in_a_new_process_only_is_known_again(command, long_suite, tmp_path):
    """Only a few failures are asked again in a new process; which ones must not open or close the gate."""
    (tmp_path / "stateful.py").write_text(
        "calls = 0\n"
        "def verify_speculative_tokens(a, b, c, d):\n"
        "    global calls\n"
        "    calls += 1\n"
        "    bonus = 2 if calls < 21 else 0\n"
        "    return {'accepted_tokens': [1], 'bonus_token': bonus, 'acceptance_count': 1}\n"
    )
    words = ("--impl", "stateful.py", "--cases", long_suite, "--baseline", "k.yaml")
    assert command(*words, "--update-baseline").returncode == 0
    text = (tmp_path / "k.yaml").read_text()
    assert text.count("another result in a new process") == 1
    assert command(*words).returncode == 0
    assert "nothing to update" in command(*words, "--update-baseline").stdout


def test_the_json_report_has_the_entries(judge_file, wrong, small_suite, known):
    judged = judge_file(wrong, "--baseline", known)
    assert judged.statuses == {"ACC-001": "known", "STOP-001": "known", "RES-001": "known", "IN-001": "passed"}
    assert judged.cases["ACC-001"]["listed"] == {"line": 4, "reason": "not written yet"}
    assert judged.cases["ACC-001"]["breaches"][0]["cause"] == "accepts too few tokens"
    assert "listed" not in judged.cases["IN-001"]
    assert judged.report["counts"]["gating"] == {"passed": 1, "failed": 0, "advice": 0, "known": 3, "not_run": 0}
    assert judged.report["baseline"] == {"file": str(known), "entries": 3, "stale": []}
    assert (judged.report["exit_code"], judged.report["conformant"]) == (0, True)


def test_the_json_report_has_what_no_longer_holds(judge_file, right, small_suite, known):
    judged = judge_file(right, "--baseline", known)
    assert judged.report["baseline"]["stale"][0] == {
        "line": 4,
        "cases": ["ACC-001"],
        "why": "passes",
        "names": ["ACC-001"],
    }
    assert judged.cases["ACC-001"]["listed"]["reason"] == "not written yet"
    assert (judged.report["exit_code"], judged.report["conformant"]) == (6, False)


def test_the_score_does_not_count_what_is_known(command, wrong, small_suite, known):
    ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known, "--score")
    assert "score 25 of 100" in ended.stdout


HOSTILE = "\\x1b[31m::error::forged ##[error]\\r\\n\\u202e"


def test_what_a_baseline_says_is_untrusted(command, wrong, small_suite, known):
    text = (
        known.read_text()
        .replace("not written yet", f'"{HOSTILE}"')
        .replace("cases: ACC-001", "cases: [ACC-001, ZZZ-001]")
    )
    known.write_text(text.replace("accepts too few tokens", f'"{HOSTILE}"'))
    for verbosity in ("-v", "--report=json=r.json"):
        ended = command("--impl", wrong, "--cases", small_suite, "--baseline", known, verbosity)
        assert ended.returncode == 1
        for harm in ("\x1b", "::error", "##[", "\u202e", "\r"):
            assert harm not in ended.stdout


def test_check_takes_a_baseline(small_suite, known):
    import specharness

    def wrong(draft_tokens, draft_probs, target_probs, random_samples):
        if len(draft_tokens) != len(random_samples):
            raise ValueError("lengths")
        return {"accepted_tokens": [], "bonus_token": 0, "acceptance_count": 0}

    result = specharness.check(wrong, cases=small_suite, baseline=known)
    assert result.passed
    assert [verdict.case.id for verdict in result.known] == ["ACC-001", "STOP-001", "RES-001"]
    assert result.failures == result.unexpected_passes == []
    assert "3 known failures" in repr(result)
    assert json.dumps(str(result))
