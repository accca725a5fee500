"""Changed arguments and results that depend on earlier calls (SV-PURE)."""

import pytest


@pytest.mark.parametrize(
    ("name", "changed"),
    [
        ("rows", "target_probs"),
        ("lists", "draft_tokens, random_samples"),
        ("with_objects", "draft_probs"),
        ("types_only", "draft_tokens"),
    ],
)
def test_changed_arguments_are_advice_only(judge_file, name, changed):
    judged = judge_file(f"mutates:{name}")
    assert judged.ended.returncode == 0
    assert judged.statuses["STOP-001"] == "advice"
    assert judged.clauses("STOP-001") == ["SV-PURE-1"]
    assert judged.lines("STOP-001") == f"changed by the call: {changed}"
    assert "SV-PURE-1" in judged.ended.stdout


def test_changed_arguments_gate_when_strict(judge_file):
    judged = judge_file("mutates:rows", "--strict")
    assert judged.ended.returncode == 1
    assert judged.statuses["STOP-001"] == "failed"


def test_arguments_changed_before_raising_are_seen(judge_file):
    judged = judge_file("mutates:before_raising")
    assert judged.statuses == {"ACC-001": "passed", "STOP-001": "passed", "RES-001": "passed", "IN-001": "advice"}
    assert judged.clauses("IN-001") == ["SV-PURE-1"]


@pytest.mark.parametrize("name", ["in_a_default", "in_a_global"])
def test_a_second_call_with_another_result_fails(judge_file, name):
    judged = judge_file(f"remembers:{name}")
    assert judged.ended.returncode == 1
    assert "SV-PURE-2" in judged.clauses("ACC-001")
    assert "in a second call" in judged.lines("ACC-001")


def test_a_result_that_an_earlier_case_decided_is_named_by_purity(judge_file):
    """The case itself is right in a new process, so none of its own clauses is broken."""
    judged = judge_file("remembers:across_cases")
    assert judged.statuses == {"ACC-001": "passed", "STOP-001": "passed", "RES-001": "failed", "IN-001": "passed"}
    assert "SV-PURE-2" in judged.clauses("RES-001")
    assert "in a new process {'accepted_tokens': [], 'bonus_token': 1" in judged.lines("RES-001")
    assert "SV-PURE-2" in judged.ended.stdout


def test_a_case_with_nothing_before_it_is_right_by_itself(judge_file):
    judged = judge_file("remembers:across_cases", "--case", "RES-001")
    assert judged.ended.returncode == 0
