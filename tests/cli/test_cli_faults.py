"""The command that lists known faults and shows what kills them."""

import json
import os
import signal
from html.parser import HTMLParser

import jsonschema
import pytest
from small_suites import many

from specharness.locations import data_root
from specreference.faults import FAULTS

QUICK = ("--profile", "greedy")


def test_faults_are_listed_with_clause_and_sentence(specharness):
    ended = specharness("faults")
    assert ended.returncode == 0
    lines = ended.stdout.splitlines()
    assert [line.split()[0] for line in lines] == list(FAULTS)
    assert len(lines) >= 70
    assert f"SV-TIE-1   {FAULTS['tie-last'].says}" in next(line for line in lines if line.startswith("tie-last "))


@pytest.mark.skipif((os.cpu_count() or 1) < 2, reason="only with several processors are there several processes")
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGKILL], ids=lambda number: number.name)
def test_the_processes_of_a_matrix_end_with_the_command(start_specharness, processes, wait_until, write_suite, number):
    suite = write_suite(*many(120))
    process = start_specharness("faults", "--matrix", "--cases", suite, start_new_session=True)
    wait_until(lambda: len(processes.left_behind(patience=0)) > 2)
    if number is signal.SIGINT:  # as a terminal sends it
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, stderr = process.communicate(timeout=20)
    assert (process.returncode in (130, 143, -number), stderr.strip()) == (True, b"")
    assert processes.left_behind() == []


def test_a_profile_has_its_own_faults(command):
    lines = command("faults", *QUICK).stdout.splitlines()
    assert [line.split()[0] for line in lines] == [f.id for f in FAULTS.values() if "greedy" in f.profiles]


@pytest.mark.parametrize("name", ["tie-last", "tie_last"])
def test_one_fault_is_shown_with_sources_and_the_cases_that_kill_it(command, name):
    ended = command("faults", name)
    assert ended.returncode == 0
    assert "ohdearquant/lattice#280" in ended.stdout
    assert "TIE-001" in ended.stdout
    assert "--impl specreference.faults:tie_last" in ended.stdout


def test_what_it_says_to_run_runs(command):
    (line,) = (line for line in command("faults", "greedy-near-accepts").stdout.splitlines() if "run it:" in line)
    words = line.split("specharness ", 1)[1].split()
    assert command(*words).returncode == 1


def test_an_unknown_fault_gets_the_likely_one(command):
    ended = command("faults", "tie-lats")
    assert ended.returncode == 5
    assert "no fault has this id. Did you mean tie-last" in ended.stderr


def test_a_fault_of_another_profile_is_no_fault_of_this_one(command):
    assert command("faults", "tie-last", *QUICK).returncode == 5


def test_the_matrix_names_the_killing_cases_and_what_is_missing(command):
    ended = command("faults", "--matrix", *QUICK)
    assert ended.returncode == 0
    assert "killed by no case of their clause: none" in ended.stdout
    assert "told apart by no case: none" in ended.stdout
    assert "controls that are misjudged: none" in ended.stdout


def test_the_matrix_by_case_names_the_faults_that_each_kills(command):
    lines = command("faults", "--by-case", *QUICK, "--case", "GRD-01*").stdout.splitlines()
    assert lines
    assert all(line.startswith("GRD-01") and "  kills " in line for line in lines)


def test_an_own_case_is_held_against_the_shipped_ones(command, tmp_path):
    case = {
        "id": "MINE-001",
        "title": "a greedy mismatch",
        "clauses": ["SV-GRD-2"],
        "input": {"draft_tokens": [0], "target_probs": [["1/4", "3/4"], ["3/4", "1/4"]], "random_samples": []},
        "expect": {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0},
    }
    path = tmp_path / "mine.yaml"
    path.write_text(json.dumps({"spec": "1.0", "profile": "greedy", "cases": [case]}))
    ended = command("faults", "--by-case", "--cases", path)
    assert ended.returncode == 0
    assert "MINE-001  kills " in ended.stdout
    assert "of the shipped suite kills them too" in ended.stdout or "no shipped case kills them all" in ended.stdout


def test_a_selection_leaves_survivors_without_failing(command):
    ended = command("faults", "--matrix", *QUICK, "--case", "GRD-015")
    assert ended.returncode == 0
    assert "killed by no case of their clause: none" not in ended.stdout


def test_the_matrix_is_written_as_json_by_its_schema_and_as_a_page(command, tmp_path):
    ended = command(
        "faults",
        "--matrix",
        *QUICK,
        "--report",
        f"json={tmp_path / 'm.json'}",
        "--report",
        f"html={tmp_path / 'm.html'}",
    )
    assert ended.returncode == 0
    content = json.loads((tmp_path / "m.json").read_text())
    schema = json.loads((data_root() / "spec" / "schema" / "faults.schema.json").read_text())
    jsonschema.Draft202012Validator(schema).validate(content)
    (profile,) = content["profiles"]
    assert {fault["id"] for fault in profile["faults"]} == {f.id for f in FAULTS.values() if "greedy" in f.profiles}
    assert all(fault["own"] for fault in profile["faults"])
    page = (tmp_path / "m.html").read_text()
    HTMLParser().feed(page)
    assert all(f'class="id">{fault["id"]}<' in page for fault in profile["faults"])
    assert "<script" not in page
    assert "http:" not in page.replace("http://www.w3.org", "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("--case", "TIE-001"), "--case is about the matrix"),
        (("--report", "json=m.json"), "--report is about the matrix"),
        (("tie-last", "--matrix"), "leave out --matrix"),
        (("--matrix", "--report", "xml=m.xml"), "expected FORMAT=PATH, with the format json or html"),
        (("--matrix", "--report", "html="), "the path is empty"),
        (("--matrix", "--profile", "greedy", "--report", "json=nowhere/m.json"), "does not exist"),
    ],
)
def test_wrong_words_are_explained(command, words, told):
    ended = command("faults", *words)
    assert ended.returncode == 2
    assert told in " ".join(ended.stderr.split())


def test_cases_that_do_not_exist_select_nothing(command):
    assert command("faults", "--matrix", "--case", "NOPE-001").returncode == 5
