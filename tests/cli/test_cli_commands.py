"""The commands beside a run, the self-check, and the help."""

import re

import click
import pytest

from specharness.cli.main import cli
from specharness.locations import cache_folder
from specharness.suite.clauses import load_clauses
from specharness.version import SPEC_VERSION, VERSION


def test_a_run_without_anything_says_that_nothing_of_yours_was_tested(specharness):
    ended = specharness()
    assert ended.returncode == 0
    assert ended.stdout.startswith(
        "self-check: nothing of yours was tested. The shipped cases ran on the reference.\n"
        "Name your own:  specharness --impl module:function  (or --impl solution.py)\n"
    )
    assert ended.last_line.startswith("conformant: ")


def test_the_shipped_cases_are_found_from_any_folder(specharness, right, tmp_path):
    (tmp_path / "cases").mkdir()
    (tmp_path / "cases" / "other.yaml").write_text("nonsense")
    ended = specharness("--impl", right, "--tag", "tie", "-q")
    assert ended.returncode == 0
    assert ended.last_line.startswith("conformant: ")


def test_a_user_without_a_home_is_no_fault_of_ours(monkeypatch):
    """As in a container that runs as a user whom it does not know."""

    def unknown(_):
        raise KeyError

    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.delenv("HOME", raising=False)
    monkeypatch.setattr("pwd.getpwuid", unknown)
    assert cache_folder().name == "specharness"


def test_list_has_a_case_a_line_id_first(command, mixed_suite):
    assert command("list", "--cases", mixed_suite).stdout.splitlines() == [
        "ACC-001   MUST    a uniform below the ratio accepts",
        "STOP-001  MUST    two drafts, the second of which is rejected",
        "RES-001   MUST    a rejection recovers the argmax of the residual",
        "IN-001    MUST    a uniform too many",
        "IN-002    SHOULD  a token outside the vocabulary",
    ]


def test_list_without_options_lists_the_shipped_cases(command):
    lines = command("list").stdout.splitlines()
    assert len(lines) >= 200
    assert all(line.split()[1] in ("MUST", "SHOULD") for line in lines)


def test_show_has_the_input_the_clauses_and_the_trace(specharness, mixed_suite):
    ended = specharness("show", "RES-001", "--cases", mixed_suite)
    text = " ".join(ended.stdout.split())
    assert ended.returncode == 0
    assert ended.stdout.startswith(f"RES-001  MUST  {mixed_suite}:")
    assert "a rejection recovers the argmax of the residual tags: rejection" in text
    assert f"SV-RES-1 (MUST) {load_clauses()['SV-RES-1'].sentence}" in text
    assert "draft_tokens [0]" in text
    assert "draft_probs [1/2, 1/8, 3/8]" in text
    assert "random_samples [3/4]" in text
    assert "{'accepted_tokens': [], 'bonus_token': 1, 'acceptance_count': 0}" in text
    assert "step 0: token 0, p = 1/8, q = 1/2, u = 3/4, p/q = 1/4: u > p/q, rejected" in text
    assert "residual of row 0: [0, 3/16, 3/16] greatest: 3/16 at tokens 1, 2; the lowest index wins: 1" in text


def test_show_of_a_case_that_raises_says_why(command, mixed_suite):
    text = " ".join(command("show", "IN-001", "--cases", mixed_suite).stdout.split())
    assert "expected raises ValueError" in text
    assert "raises ValueError: random_samples: 2 values; expected K = 1 (SV-IN-2)" in text


def test_show_of_a_family_shows_each_variant(command, write_suite, case_of):
    suite = write_suite(case_of("ACC-001", matrix=[{"input": {"random_samples": [f"{n}/64"]}} for n in (1, 2)]))
    text = command("show", "ACC-001", "--cases", suite).stdout
    assert "ACC-001/1" in text
    assert "ACC-001/2" in text
    assert "ACC-001/1" not in command("show", "ACC-001/2", "--cases", suite).stdout


def test_show_of_a_misspelt_id_names_the_likely_one(command, mixed_suite):
    ended = command("show", "RSE-001", "--cases", mixed_suite)
    assert ended.returncode == 5
    assert "show RSE-001: no case has this id. Did you mean RES-001" in ended.stderr


def test_clauses_are_listed_with_level_and_sentence(command):
    text = " ".join(command("clauses").stdout.split())
    for clause in load_clauses().values():
        assert f"{clause.id} {clause.level.value} {clause.sentence}" in text


def test_clauses_of_one_level(command):
    lines = command("clauses", "--level", "should").stdout.splitlines()
    listed = [line.split()[0] for line in lines if line.startswith("SV-")]
    assert listed == [clause.id for clause in load_clauses().values() if clause.level.value == "SHOULD"]


def test_validate_counts_what_it_checked(specharness, mixed_suite, write_suite, case_of):
    other = write_suite(
        case_of("ACC-001", id="ACC-002", input={**case_of("ACC-001")["input"], "random_samples": ["1/64"]})
    )
    assert specharness("validate", mixed_suite).stdout == "valid: 5 cases in 1 file\n"
    assert specharness("validate", mixed_suite, other).stdout == "valid: 6 cases in 2 files\n"


def test_the_version_names_the_spec(specharness):
    assert specharness("--version").stdout == f"specharness {VERSION} (spec {SPEC_VERSION})\n"


@pytest.mark.parametrize("words", [("--help",), ("-h",), ("list", "--help"), ("show", "-h"), ("validate", "--help")])
def test_help_is_printed(command, words):
    ended = command(*words)
    assert ended.returncode == 0
    assert ended.stdout.startswith("Usage: specharness ")
    assert ended.stderr == ""


def test_help_names_every_command(specharness):
    text = specharness("--help").stdout
    context = click.Context(cli)
    for name in cli.list_commands(context):
        about = cli.get_command(context, name).get_short_help_str(limit=200)
        assert re.search(rf"^  {name} +{re.escape(about)}$", text, re.MULTILINE)


def test_help_wins_over_a_missing_implementation(command):
    assert command("--strict", "--help").returncode == 0
    assert command("--help", env={"CI": "true"}).returncode == 0
