"""The command that looks for inputs on which an implementation is wrong."""

import json
import signal
import sys
import time

import pytest

from specharness.suite.load import load_files

FEW = ("--max-examples", "40")
STRICT_LESS = "specreference.faults:accept_strict"
GOES_ON = "specreference.faults:greedy_goes_on"
REFERENCE = "specreference:verify_speculative_tokens"


def test_a_right_implementation_ends_with_0_and_writes_nothing(specharness, tmp_path):
    ended = specharness("fuzz", "--impl", REFERENCE, *FEW)
    assert ended.returncode == 0
    assert ended.last_line.startswith("nothing found in 40 examples, ")
    assert list(tmp_path.iterdir()) == []
    assert ended.left_behind == []


def test_a_finding_ends_with_1_and_is_written_as_a_case_that_fails_alike(specharness, tmp_path):
    ended = specharness("fuzz", "--impl", STRICT_LESS, *FEW, "--seed", "7")
    assert ended.returncode == 1
    assert "1 distinct cause found in " in ended.last_line
    assert "DIAGNOSIS behaves like accept-strict" in ended.stdout
    path = tmp_path / "fuzz-findings.yaml"
    (case,) = load_files([path])
    assert case.title.startswith("to complete: ")
    assert case.notes.startswith("Found by specharness fuzz --profile argmax --seed 7 --max-examples 40, version ")
    assert case.tags == ("fuzz",)
    assert f"{path.name}:{case.line}" in ended.stdout
    again = specharness("--impl", STRICT_LESS, "--cases", path, "--report", "json=r.json")
    assert again.returncode == 1
    assert specharness("--impl", REFERENCE, "--cases", path).returncode == 0
    (report,) = json.loads((tmp_path / "r.json").read_text())["cases"]
    assert report["breaches"][0]["clause"] == "SV-ACC-1"


def test_the_same_seed_writes_the_same_bytes(specharness, tmp_path):
    for name in ("a.yaml", "b.yaml"):
        specharness("fuzz", "--impl", GOES_ON, "--profile", "greedy", *FEW, "--output", name)
    assert (tmp_path / "a.yaml").read_bytes() == (tmp_path / "b.yaml").read_bytes()


def test_findings_that_are_there_are_not_written_over(specharness, tmp_path):
    (tmp_path / "fuzz-findings.yaml").write_text("mine")
    assert specharness("fuzz", "--impl", GOES_ON, "--profile", "greedy", *FEW).returncode == 1
    assert (tmp_path / "fuzz-findings.yaml").read_text() == "mine"
    assert load_files([tmp_path / "fuzz-findings-2.yaml"])


@pytest.mark.parametrize("profile", ["sampled", "block", "one-hot"])
def test_the_other_profiles_are_searched_by_their_rules(command, profile, tmp_path):
    name = {"one-hot": "one_hot_goes_on", "greedy": "greedy_goes_on"}.get(profile, f"{profile}_accept_strict")
    known = {"sampled": "sampled_coin_float32"}.get(profile, name)
    ended = command(
        "fuzz", "--impl", f"specreference.faults:{known}", "--profile", profile, "--max-examples", "150",
        "--output", tmp_path / "f.yaml",
    )  # fmt: skip
    assert ended.returncode == 1
    assert load_files([tmp_path / "f.yaml"])
    assert f"--profile {profile}" in ended.stdout


def test_rounding_of_the_declared_dtype_is_no_finding(command, tmp_path):
    (tmp_path / "single.py").write_text(
        "import numpy as np\n"
        "from specreference import verify_speculative_tokens as verify\n"
        "def verify_speculative_tokens(x, q, p, u):\n"
        "    one = lambda row: [float(np.float32(v)) for v in row]\n"
        "    return verify(x, [one(r) for r in q], [one(r) for r in p], one(u))\n"
    )
    assert command("fuzz", "--impl", "single.py", "--dtype", "float32", "--max-examples", "150").returncode == 0


def test_an_implementation_that_is_not_runnable_ends_with_4(command):
    assert command("fuzz", "--impl", "nowhere:nothing", *FEW).returncode == 4


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((), "name one with --impl"),
        (("--impl", REFERENCE, "--output", "."), "is a folder"),
        (("--impl", REFERENCE, "--output", "nowhere/f.yaml"), "does not exist"),
        (("--impl", REFERENCE, "--seed", "-1"), "-1 is not in the range"),
        (("--impl", REFERENCE, "--policy", "comparison=lt"), "policies are for the profile sampled"),
        (("--impl", REFERENCE, "--max-time", "0"), "no time in seconds"),
    ],
)
def test_wrong_words_are_explained(command, words, told):
    ended = command("fuzz", *words)
    assert ended.returncode == 2
    assert told in " ".join(ended.stderr.split())


def test_without_hypothesis_it_says_what_to_install(processes, tmp_path):
    hidden = (
        "import sys, runpy; sys.modules['hypothesis'] = None; sys.argv = ['specharness', 'fuzz', '--impl', 'x:y']; "
    )
    ended = processes.run(sys.executable, "-c", hidden + "runpy.run_module('specharness', run_name='__main__')")
    assert ended.returncode == 2
    assert "pip install 'specharness[fuzz]'" in ended.stderr


def test_an_implementation_that_hangs_is_given_up_in_bounded_time(specharness, tmp_path):
    (tmp_path / "hangs.py").write_text("import time\ndef verify_speculative_tokens(*a):\n    time.sleep(100)\n")
    ended = specharness("fuzz", "--impl", "hangs.py", "--timeout", "0.3", *FEW)
    assert ended.returncode == 1
    assert "given up after 3 calls without an answer" in " ".join(ended.stdout.split())
    assert ended.left_behind == []


def test_an_interrupt_ends_with_130_and_tells_what_was_found(start_specharness, processes):
    process = start_specharness("fuzz", "--impl", STRICT_LESS, "--max-examples", "100000")
    time.sleep(4)
    process.send_signal(signal.SIGINT)
    stdout, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert b"interrupted" in stdout
    assert processes.left_behind() == []


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_search_that_is_ended_from_outside_ends_quietly(start_specharness, processes, tmp_path, number):
    (tmp_path / "slow.py").write_text(
        "import time\ndef verify_speculative_tokens(*a):\n    open('called', 'w')\n    time.sleep(0.02)\n"
    )
    process = start_specharness("fuzz", "--impl", "slow.py", "--output", "found.yaml")
    deadline = time.monotonic() + 30
    while not (tmp_path / "called").exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.send_signal(number)
    stdout, stderr = process.communicate(timeout=30)
    assert (process.returncode, stdout, stderr) == (128 + number, b"", b"")
    assert processes.left_behind() == []
    assert not (tmp_path / "found.yaml").exists()


def test_what_the_implementation_says_is_escaped(command, tmp_path):
    (tmp_path / "says.py").write_text("def verify_speculative_tokens(*a):\n    return '::error::\\x1b[31m'\n")
    ended = command("fuzz", "--impl", "says.py", "--profile", "greedy", "--max-examples", "5")
    assert "\x1b" not in ended.stdout
    assert "::error" not in ended.stdout
    assert "\x1b" not in (tmp_path / "fuzz-findings.yaml").read_text()


def test_own_tests_can_use_the_strategies(processes, tmp_path):
    (tmp_path / "test_mine.py").write_text(
        "from hypothesis import Phase, given, settings\n"
        "from specharness.testing import assert_conforms, inputs\n"
        "from specreference import verify_speculative_tokens\n"
        "from specreference.faults import FAULTS\n"
        "@settings(max_examples=10, deadline=None, database=None)\n"
        "@given(inputs())\n"
        "def test_right(arguments):\n"
        "    assert_conforms(verify_speculative_tokens, arguments)\n"
        "@settings(max_examples=400, deadline=None, database=None, phases=[Phase.generate])\n"
        "@given(inputs(refused=False))\n"
        "def test_wrong(arguments):\n"
        "    assert_conforms(FAULTS['tie-last'].function, arguments)\n"
    )
    ended = processes.run(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "test_mine.py")
    assert "1 failed, 1 passed" in ended.stdout
    assert "lower token" in ended.stdout
