"""What the lint demands of cases of a profile: reach, policies, exact numbers, and the order of what it says."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from specharness.errors import BadSuite
from specharness.suite.recipe import MAX_NUMBERS, recipe_size
from specreference import POLICIES, PROFILES, explain

_ROW_K = ["3/4", "1/4"]
_ACCEPTED = {
    "draft_tokens": [0],
    "draft_probs": [["1/2", "1/2"]],
    "target_probs": [["3/4", "1/4"], _ROW_K],
    "random_samples": ["1/4"],
}


def _case(profile="argmax", clauses=("SV-ACC-1",), **changes):
    """A case that expects what the reference gives; keys of the input and of the case may be changed."""
    made = dict(_ACCEPTED)
    if profile in ("sampled", "one-hot", "block"):
        made["random_samples"] = ["1/4", "1/4"]
    if profile in ("greedy", "one-hot"):
        made["draft_probs"] = None
    if profile == "greedy":
        made["random_samples"] = []
    made.update((name, changes.pop(name)) for name in list(changes) if name in made)
    case = {"id": "LINT-001", "title": "a case", "clauses": list(clauses), "input": made, **changes}
    if "expect" not in case:
        policy = replace(PROFILES[profile].policy, **changes.get("policies", {}))
        arguments = {name: _read(value) for name, value in made.items()}
        case["expect"] = explain(**arguments, profile=profile, policy=policy).outcome.as_result()
    return case


def _read(value):
    if isinstance(value, list):
        return [_read(item) for item in value]
    if isinstance(value, str):
        above, _, below = value.partition("/")
        return int(above) / int(below)
    return value


@pytest.fixture
def problems(load_text):
    """What is said of cases of a profile: a line each, without the file's name."""

    def find(*cases, profile="argmax"):
        text = json.dumps({"spec": "1.0", "profile": profile, "cases": cases}, indent=1)
        try:
            load_text(text)
        except BadSuite as bad:
            return [line.partition("cases.yaml:")[2].partition(" ")[2] for line in bad.problems]
        return []

    return find


_REJECTED = {"target_probs": [["1/8", "7/8"], _ROW_K]}
_ONLY_REJECTED = {
    "argmax": ["SV-RES-1", "SV-RES-2", "SV-TIE-1", "SV-STOP-1"],
    "sampled": ["SV-SMP-2", "SV-STOP-1"],
    "greedy": ["SV-GRD-3"],
    "one-hot": ["SV-ONE-3"],
    "block": ["SV-BLK-5"],
}
_ONLY_ACCEPTED = {
    "argmax": ["SV-BON-1", "SV-BON-2", "SV-TIE-2"],
    "sampled": ["SV-SMP-3"],
    "greedy": ["SV-BON-1"],
    "one-hot": ["SV-ONE-4"],
    "block": ["SV-BLK-6"],
}
_PAIRS = [(profile, clause) for profile, names in _ONLY_REJECTED.items() for clause in names]
_OTHER_PAIRS = [(profile, clause) for profile, names in _ONLY_ACCEPTED.items() for clause in names]


@pytest.mark.parametrize(("profile", "clause"), _PAIRS)
def test_a_clause_on_rejections_needs_one(problems, profile, clause):
    found = problems(_case(profile, [clause]), profile=profile)
    assert found == [f"LINT-001: lists {clause}, but all draft tokens are accepted"]
    rejected = {
        **_REJECTED,
        "random_samples": [] if profile == "greedy" else ["7/8", "1/4"][: 1 + (profile != "argmax")],
    }
    assert problems(_case(profile, [clause], **rejected), profile=profile) == []


@pytest.mark.parametrize(("profile", "clause"), _OTHER_PAIRS)
def test_a_clause_on_the_bonus_needs_all_accepted(problems, profile, clause):
    rejected = {
        **_REJECTED,
        "random_samples": [] if profile == "greedy" else ["7/8", "1/4"][: 1 + (profile != "argmax")],
    }
    found = problems(_case(profile, [clause], **rejected), profile=profile)
    assert found == [f"LINT-001: lists {clause}, but draft token 0 is rejected"]
    assert problems(_case(profile, [clause]), profile=profile) == []


def test_the_clause_on_no_drafts_needs_none(problems):
    assert problems(_case(clauses=["SV-BON-3"])) == ["LINT-001: lists SV-BON-3, but K is 1"]
    empty = {"draft_tokens": [], "draft_probs": [], "random_samples": [], "target_probs": [_ROW_K]}
    assert problems(_case(clauses=["SV-BON-3"], **empty)) == []


# inputs on which each policy decides: what is changed in a case of `sampled`, by the policy's name
_HANGING = {
    "comparison": {
        "draft_probs": [["1/2", "1/2"]],
        "target_probs": [["1/4", "3/4"], _ROW_K],
        "random_samples": ["1/2", "0/1"],
    },
    "zero_draft": {"draft_probs": [["0/1", "1/1"]], "clauses": ["SV-ACC-4"]},
    "massless": {
        "draft_probs": [["1/1", "1/1"]],
        "target_probs": [["1/2", "1/2"], _ROW_K],
        "random_samples": ["3/4", "1/4"],
        "clauses": ["SV-RES-2", "SV-IN-9"],
    },
    "support": {"target_probs": [["0/1", "1/1"], _ROW_K], "random_samples": ["0/1", "1/4"]},
    "knot": {"random_samples": ["1/4", "3/4"]},
}


@pytest.mark.parametrize("name", _HANGING)
def test_a_case_that_hangs_on_a_policy_names_it(problems, name):
    changes = dict(_HANGING[name])
    default = getattr(PROFILES["sampled"].policy, name)
    found = problems(_case("sampled", **{"clauses": ["SV-SMP-4"], **changes}), profile="sampled")
    assert f"LINT-001: its outcome hangs on the policy {name}; write policies: {{{name}: {default}}}" in found
    named = _case("sampled", **{"clauses": ["SV-SMP-4"], **changes}, policies={name: default})
    assert not [line for line in problems(named, profile="sampled") if f"policy {name}" in line]


@pytest.mark.parametrize("name", ["comparison", "knot", "support"])
def test_the_policies_that_a_case_names_are_those_that_it_is_judged_by(problems, name):
    other = None
    for value in POLICIES[name]:
        also = {"comparison": "le"} if value == "letter" else {}  # u = 0 equals the ratio 0
        case = _case("sampled", **{"clauses": ["SV-SMP-4"], **_HANGING[name]}, policies={name: value, **also})
        assert problems(case, profile="sampled") == []
        assert dict(case["expect"]) != other
        other = case["expect"]
    case["expect"] = _case("sampled", **{"clauses": ["SV-SMP-4"], **_HANGING[name]})["expect"]
    assert any("but the reference gives" in line for line in problems(case, profile="sampled"))


def test_cases_of_one_input_and_several_policies_are_several(problems):
    cases = [
        {**_case("sampled", ["SV-SMP-4"], **_HANGING["knot"], policies={"knot": value}), "id": f"LINT-00{number}"}
        for number, value in enumerate(("right", "left"))
    ]
    assert problems(*cases, profile="sampled") == []


def test_a_policy_that_is_named_needlessly_is_refused(problems):
    case = _case("sampled", ["SV-SMP-3"], policies={"knot": "right"})
    assert problems(case, profile="sampled") == ["LINT-001: names the policy knot, on which its outcome does not hang"]


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "sampled"])
def test_other_profiles_have_no_policies(problems, profile):
    case = _case(profile, ["SV-NUM-1"])
    assert problems(case, profile=profile) == []
    found = problems({**case, "policies": {"knot": "right", "support": "safe"}}, profile=profile)
    assert found == ["LINT-001: names the policy knot, support; only the profile sampled has policies"]


@pytest.mark.parametrize(
    ("policies", "message"),
    [({"knots": "left"}, "Did you mean knot?"), ({"knot": "middle"}, "found 'middle'; expected one of "), ({}, "")],
)
def test_a_policy_of_another_name_or_value_is_refused_by_the_schema(problems, policies, message):
    found = problems(
        _case("sampled", ["SV-SMP-4"], **_HANGING["knot"], expect={"raises": "ValueError"}, policies={})
        | {"policies": policies},
        profile="sampled",
    )
    assert found
    assert message in found[0]


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "argmax"])
def test_a_decimal_that_is_no_binary64_number_is_refused_in_the_profiles_that_write_fractions(problems, profile):
    case = _case(profile, ["SV-NUM-1"])
    case["input"]["target_probs"] = [[0.7, 0.3], _ROW_K]
    (found,) = problems(case, profile=profile)
    assert found.startswith("LINT-001: holds a decimal that is no binary64 number; ")
    case["input"]["target_probs"] = [[0.75, 0.25], _ROW_K]
    assert problems(case, profile=profile) == []


def test_a_decimal_at_the_boundary_is_told_and_not_the_expectation_that_it_upsets(problems):
    case = _case()
    case["input"] |= {
        "draft_probs": [[0.07, 0.93]],
        "target_probs": [[0.0007, 0.9993], _ROW_K],
        "random_samples": [0.01],
    }
    found = problems(case)
    assert found[0].startswith("LINT-001: step 0 is at its acceptance boundary")
    assert not any("but the reference gives" in line for line in found)


def test_an_open_question_is_told_and_not_the_expectation_of_its_answer(problems):
    case = _case(random_samples=["0/1"])
    case["input"]["target_probs"] = [[0, 1], _ROW_K]
    case["expect"] = {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0}
    (found,) = problems(case)
    assert (
        found
        == "LINT-001: step 0 has u = 0 and p(x) = 0; an open question (spec/ambiguities.md), which no case may score"
    )
    for profile in ("argmax", "sampled"):
        one = _case(profile, ["SV-NUM-1"], random_samples=["1/4", "1/1"][profile == "argmax" :])
        (found,) = problems(one, profile=profile)
        assert "is 1; an open question" in found


def test_what_is_wrong_with_the_expectation_or_the_clauses_is_told_at_their_lines(load_text):
    case = _case(clauses=["SV-BON-2", "SV-NO-1"])
    case["expect"]["bonus_token"] = 1
    text = json.dumps({"spec": "1.0", "profile": "argmax", "cases": [case]}, indent=1)
    with pytest.raises(BadSuite) as caught:
        load_text(text)
    lines = text.splitlines()
    for problem in caught.value.problems:
        line = int(problem.partition("cases.yaml:")[2].partition(":")[0])
        assert lines[line - 1].strip().startswith('"expect"' if "expects" in problem else '"clauses"')
    assert len(caught.value.problems) == 2


@pytest.mark.parametrize(
    "recipe",
    [
        {"vocabulary": 250_000, "drafts": 8, "target_rows": 9},
        {"vocabulary": 262_144, "drafts": 8},
        {"vocabulary": 200_001, "drafts": 0, "target_rows": 20},
    ],
)
def test_the_numbers_of_a_recipe_are_bounded_before_any_is_made(problems, recipe):
    size = recipe_size(**recipe)
    assert size > MAX_NUMBERS
    case = {
        "id": "LINT-001",
        "title": "a large recipe",
        "clauses": ["SV-IN-2"],
        "recipe": {"distribution": "flat", "seed": 1, **recipe},
        "expect": {"raises": "ValueError"},
    }
    message = f"LINT-001: the recipe makes {size:,} numbers; expected at most {MAX_NUMBERS:,}"
    assert message in problems(case)


def test_a_recipe_s_size_is_that_of_its_rows():
    assert recipe_size(vocabulary=10, drafts=3) == 70
    assert recipe_size(vocabulary=10, drafts=3, target_rows=1) == 40
    assert recipe_size(vocabulary=7, drafts=0, distribution="flat", seed=3) == 7
    assert MAX_NUMBERS == 4_000_000
