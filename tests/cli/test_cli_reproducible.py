"""`--reproducible`: two runs that come to the same give the same bytes, in each report and the text."""

import json

import pytest
from runs import MISBEHAVING

from specharness.report.formats import FORMATS


@pytest.fixture
def run_twice(specharness, long_suite, tmp_path):
    """Text and reports of a run in one process and of one in three, by name, with other names for their files."""

    def run(*options):
        made = []
        for name, jobs in (("one", 1), ("two", 3)):
            folder = tmp_path / name
            folder.mkdir()
            reports = [word for kind in FORMATS for word in ("--report", f"{kind}={folder / kind}")]
            ended = specharness(
                *("--impl", MISBEHAVING / "varies.py", "--cases", long_suite, "-j", jobs, *reports, *options)
            )
            assert ended.returncode == 1
            made.append({"text": ended.stdout, **{kind: (folder / kind).read_text() for kind in FORMATS}})
        return made

    return run


def test_two_runs_give_the_same_bytes(run_twice):
    one, two = run_twice("--reproducible", "-v")
    for name in one:
        assert one[name] == two[name], name
    report = json.loads(one["json"])
    assert report["seconds"] == 0
    assert {case["seconds"] for case in report["cases"]} == {0}
    assert {case["output"] for case in report["cases"] if "output" in case} == {""}
    assert "0x..." in one["text"]
    assert {case["status"] for case in report["cases"]} == {"passed", "failed"}


def test_without_it_times_output_and_addresses_are_told(judge_file, long_suite):
    judged = judge_file("varies", cases=long_suite)
    assert judged.report["seconds"] > 0
    assert judged.cases["ACC-001"]["output"]
    assert " at 0x" in judged.lines("ACC-001")
    assert "0x..." not in judged.ended.stdout


def test_the_command_is_told_without_what_changes_nothing(command, wrong, small_suite, tmp_path, monkeypatch):
    monkeypatch.setenv("PYTHONHASHSEED", "0")
    command(
        *("--impl", wrong, "--cases", small_suite, "--case", "*-001", "--level", "must", "-x", "-j", "2"),
        *("--reproducible", "--report", "json=r.json", "--timeout", "7", "-v"),
    )
    words = json.loads((tmp_path / "r.json").read_text())["command"]
    given = words[words.index("--impl") :]
    assert dict(zip(given[::2], given[1::2], strict=True)) == {
        "--impl": str(wrong),
        "--cases": str(small_suite),
        "--timeout": "7",
        "--case": "*-001",
        "--level": "MUST",
        "--max-fail": "1",
    }


def test_sets_are_printed_in_one_order(command, small_suite, tmp_path, monkeypatch):
    """An implementation's own seed stays where the environment names one."""
    monkeypatch.setenv("PYTHONHASHSEED", "")
    monkeypatch.delenv("PYTHONHASHSEED")  # what the command sets here is undone
    (tmp_path / "seed.py").write_text(
        "import os\n"
        "def verify_speculative_tokens(a, b, c, d):\n    raise LookupError(os.environ.get('PYTHONHASHSEED'))\n"
    )
    options = ("--impl", "seed.py", "--cases", small_suite, "--reproducible", "--case", "ACC-001")
    assert "LookupError: 0" in command(*options).stdout
    assert "LookupError: 7" in command(*options, env={"PYTHONHASHSEED": "7"}).stdout
