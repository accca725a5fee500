"""`specharness diff` end to end."""

import json

import pytest


@pytest.fixture
def reports(command, right, wrong, mixed_suite, tmp_path):
    """right.json and wrong.json, of the mixed suite."""
    for name, impl in (("right", right), ("wrong", wrong)):
        command("--impl", impl, "--cases", mixed_suite, "--report", f"json={name}.json", "-q")
    return tmp_path


def test_1_where_a_case_broke(specharness, reports):
    ended = specharness("diff", "right.json", "wrong.json")
    assert (ended.returncode, ended.stderr) == (1, "")
    assert "BROKEN  3 cases\n  failed SV-ACC-1 (accepts too few tokens): ACC-001, STOP-001\n" in ended.stdout
    assert "The runs differ in: implementation\n" in ended.stdout
    assert ended.last_line == "3 broken, 0 fixed, 0 new, 0 gone, 1 with another outcome, 1 as before"
    assert all(len(line) <= 80 or "/" in line for line in ended.stdout.splitlines())


def test_0_where_nothing_is_worse(specharness, reports):
    ended = specharness("diff", "wrong.json", "right.json", "-q")
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "0 broken, 3 fixed, 0 new, 0 gone, 1 with another outcome, 1 as before\n"


def test_what_the_new_baseline_knows_is_no_regression(command, reports, wrong, mixed_suite):
    words = ("--impl", wrong, "--cases", mixed_suite, "--baseline", "known.yaml", "--report", "json=known.json")
    command(*words, "--update-baseline")
    ended = command("diff", "right.json", "known.json")
    assert ended.returncode == 0
    assert "known SV-ACC-1 (accepts too few tokens)" in ended.stdout


def test_the_diff_is_written_as_json_and_markdown(command, reports):
    words = ("diff", "right.json", "wrong.json", "--report", "json=d.json", "--report", "markdown=d.md")
    assert command(*words).returncode == 1
    assert json.loads((reports / "d.json").read_text())["counts"]["broken"] == 3
    assert (reports / "d.md").read_text().startswith("### specharness: worse\n")


def test_3_where_a_file_is_no_report_and_all_of_them_are_named(command, reports):
    (reports / "bad.json").write_text('{"format": "specharness report 9"}')
    ended = command("diff", "missing.json", "bad.json")
    assert (ended.returncode, ended.stdout) == (3, "")
    assert "missing.json: No such file or directory" in ended.stderr
    assert (
        "bad.json: a 'specharness report 9'; this version of specharness reads 'specharness report 1'" in ended.stderr
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("right.json",), "Missing argument 'NEW.json'"),
        (("right.json", "wrong.json", "right.json"), "unexpected extra argument"),
        (("right.json", ""), "the path is empty"),
        (("right.json", "wrong.json", "--report", "junit=x"), "with the format json or markdown"),
        (("right.json", "wrong.json", "--report", "json=no/x"), "--report json=no/x: the folder"),
        (("right.json", "wrong.json", "--report", "json=x", "--report", "markdown=x"), "named twice"),
        (("right.json", "wrong.json", "--report", "json=./right.json"), "is read as well"),
        (("right.json", "wrong.json", "--report", "markdown=wrong.json"), "is read as well"),
    ],
    ids=range(8),
)
def test_2_for_a_wrong_command_line(command, reports, words, said):
    ended = command("diff", *words)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert said in " ".join(ended.stderr.split())
