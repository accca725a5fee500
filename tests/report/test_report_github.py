"""Annotations: what the runner of GitHub Actions reads from them."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace

import pytest
from hypothesis import example, given, settings
from reporting import make_case, raising, returning, right, run
from results import ANY_TEXT, RESULTS, many, result_with

from specharness.report.diagnosis_text import first_finding
from specharness.report.github import SHOWN, render_github


@dataclass
class Command:
    level: str
    properties: dict[str, str]
    message: str


def read(line):
    """A line as the runner takes it apart: up to the second `::`, a blank, commas, equals signs."""
    assert line.startswith("::")
    info, found, data = line[2:].partition("::")
    assert found
    level, _, rest = info.partition(" ")
    pairs = (pair.split("=", 1) for pair in rest.split(","))
    more = (("%3A", ":"), ("%2C", ","))
    return Command(level, {name: unescaped(value, *more) for name, value in pairs}, unescaped(data))


def unescaped(text, *more):
    for code, char in (("%0D", "\r"), ("%0A", "\n"), *more, ("%25", "%")):
        text = text.replace(code, char)
    return text


def commands(result):
    text = render_github(result)
    assert text.endswith("\n")
    return [read(line) for line in text.removesuffix("\n").split("\n")]


def of_level(result, level):
    return [command for command in commands(result) if command.level == level]


@pytest.fixture(autouse=True)
def no_workspace(monkeypatch):
    monkeypatch.delenv("GITHUB_WORKSPACE", raising=False)


def own(result):
    return replace(result, setting=replace(result.setting, shipped=False))


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_every_result_ends_with_its_outcome_and_keeps_the_limits(result):
    told = commands(result)
    assert [command.level for command in told[-1:]] == ["notice"]
    levels = [command.level for command in told]
    assert levels == sorted(levels, key=("error", "warning", "notice").index)
    assert levels.count("error") <= 10
    assert levels.count("warning") <= 10
    assert levels.count("notice") == 1


@settings(max_examples=25, deadline=None)
@given(ANY_TEXT)
@example("\r\n::error file=forged::\n%0A::stop-commands::x")
@example("%3A,%2C:%25,=")
@example("a,title=forged")
@example("\x00")
def test_any_text_makes_no_command_of_its_own(text):
    told = commands(result_with(text))
    harmless = commands(result_with("x"))
    assert [command.level for command in told] == [command.level for command in harmless]
    for command in told:
        assert set(command.properties) <= {"file", "line", "title"}
        assert command.properties["title"].startswith(("EVIL-", "specharness"))
        assert all(char.isprintable() for char in command.properties["title"])
        assert all(char.isprintable() or char == "\n" for char in command.message)
        assert not any(line.startswith("::") for line in command.message.split("\n"))


def test_long_text_is_cut():
    assert len(render_github(result_with("\x1b" * 1_000_000))) < 200_000


def test_a_failure_is_an_error_at_the_line_of_its_own_case():
    (error,) = of_level(own(run(returning(right(bonus=0)), make_case(title="50%: a, b"))), "error")
    assert error.properties == {"file": "cases/made.yaml", "line": "3", "title": "CASE-001: 50%: a, b"}
    assert error.message.split("\n") == [
        error.message.split("\n")[0],
        "  bonus_token: expected 2, got 0",
        "again: specharness --impl 'my solution.py' --case CASE-001",
    ]
    assert error.message.startswith("SV-RES-1 (MUST) After a rejection")


def test_a_shipped_case_claims_no_file():
    (error,) = of_level(run(returning(right(bonus=0)), make_case()), "error")
    assert set(error.properties) == {"title"}


@pytest.mark.parametrize("absolute", [False, True])
def test_a_file_is_named_as_seen_from_the_workspace(tmp_path, monkeypatch, absolute):
    (tmp_path / "repository" / "engine").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / "repository" / "engine")
    monkeypatch.setenv("GITHUB_WORKSPACE", str(tmp_path / "repository"))
    file = str(tmp_path / "repository" / "engine" / "own.yaml") if absolute else "own.yaml"
    (error,) = of_level(own(run(returning(right(bonus=0)), replace(make_case(), file=file))), "error")
    assert error.properties["file"] == os.path.join("engine", "own.yaml")
    outside = str(tmp_path / "own.yaml") if absolute else "../../own.yaml"
    (error,) = of_level(own(run(returning(right(bonus=0)), replace(make_case(), file=outside))), "error")
    assert set(error.properties) == {"title"}


def test_one_of_each_cause_comes_before_a_second_of_any():
    def mixed(tokens, drafts, targets, uniforms):
        if uniforms[1] > 0.7:
            raise KeyError
        return right(bonus=0) if uniforms[1] > 0.6 else right(accepted=[])

    cases = [make_case(f"MIX-{n:03}", random_samples=[0.5, 0.5 + n / 64]) for n in range(16)]
    told = [error.properties["title"][:7] for error in of_level(run(mixed, *cases), "error")]
    assert told[:3] == ["MIX-000", "MIX-007", "MIX-013"]
    assert len(told) == SHOWN
    rest = [error.message for error in of_level(run(mixed, *cases), "error") if "more like it" in error.message]
    assert sum(int(message.partition(" more like it")[0].rpartition("\n")[2]) for message in rest) == 16 - SHOWN


def test_causes_beyond_the_limit_are_counted_in_the_notice():
    told = commands(replace(many(30, 25), evidence=()))
    assert [command.level for command in told] == ["error"] * 10 + ["notice"]
    assert told[-1].message == (
        "nonconformant: 25 of 30 gating cases failed; 15 more causes than a step may have annotations: see the log"
    )
    assert "more cause" not in commands(many(30, 10))[-1].message


def test_the_notice_tells_the_diagnosis():
    outcome, diagnosis = commands(RESULTS["wrong"])[-1].message.split("\n")
    assert outcome.startswith("nonconformant: ")
    assert diagnosis == first_finding(RESULTS["wrong"].diagnosis)


def test_advice_is_a_warning_by_clause_and_a_right_run_only_a_notice():
    assert [w.message.split(" ")[0] for w in of_level(RESULTS["mutates"], "warning")] == ["SV-PURE-1"]
    (notice,) = commands(run(returning(right()), make_case()))
    assert (notice.level, notice.properties) == ("notice", {"title": "specharness"})
    assert notice.message == "conformant: 1 gating case passed"


def test_cases_that_were_not_run_are_one_error_for_which_room_is_kept():
    errors = of_level(RESULTS["lost"], "error")
    assert len(errors) == 5
    assert errors[-1].message == "1 case not run, from CASE-001 on"
    verdicts = [*many(30, 25).verdicts, RESULTS["lost"].verdicts[-1]]
    errors = of_level(replace(many(1, 0), verdicts=verdicts), "error")
    assert len(errors) == 10
    assert errors[-1].properties == {"title": "specharness: not run"}


def test_an_error_of_the_implementation_shows_its_traceback():
    (error,) = of_level(run(raising(KeyError("k")), make_case()), "error")
    assert "KeyError: 'k'" in error.message
