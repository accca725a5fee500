"""Choosing cases: values of one option are alternatives, different options all apply."""

from __future__ import annotations

import json
from fnmatch import fnmatchcase

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from specharness.errors import NothingSelected
from specharness.exit_codes import ExitCode
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.model import Case, Expected
from specharness.suite.select import Selection, level_of, select

_CLAUSES = load_clauses()
_TAGS = ["tie", "bonus", "rejection", "near-miss"]
_SOME_CLAUSES = ["SV-TIE-1", "SV-TIE-2", "SV-BON-1", "SV-IN-9", "SV-RES-2"]


def _case(name, clauses=("SV-TIE-1",), tags=(), profile="argmax"):
    arguments = json.dumps({"draft_tokens": [], "draft_probs": [], "target_probs": [], "random_samples": []})
    return Case(name, "t", tuple(clauses), tuple(tags), (), (), "", profile, "f.yaml", 1, arguments, Expected())


_CASES = [
    _case("TIE-001", ["SV-TIE-1"], ["tie"]),
    _case("TIE-002/1", ["SV-TIE-2"], ["tie", "bonus"]),
    _case("TIE-002/2", ["SV-TIE-2", "SV-IN-9"], ["tie", "bonus"]),
    _case("BON-001", ["SV-BON-1"], ["bonus"]),
    _case("RES-001", ["SV-RES-2"], ["rejection"]),
    _case("TIE-020", ["SV-TIE-1"], []),
]


def _ids(selection, cases=_CASES):
    return [case.id for case in select(cases, selection, _CLAUSES)]


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        (Selection(), [case.id for case in _CASES]),
        (Selection(cases=("TIE-001",)), ["TIE-001"]),
        (Selection(cases=("TIE-002",)), ["TIE-002/1", "TIE-002/2"]),
        (Selection(cases=("TIE-002/2",)), ["TIE-002/2"]),
        (Selection(cases=("TIE-00?",)), ["TIE-001", "TIE-002/1", "TIE-002/2"]),
        (Selection(cases=("*-001",)), ["TIE-001", "BON-001", "RES-001"]),
        (Selection(cases=("TIE-0[02]*",)), ["TIE-001", "TIE-002/1", "TIE-002/2", "TIE-020"]),
        (Selection(cases=("BON-001", "TIE-001")), ["TIE-001", "BON-001"]),
        (Selection(tags=("bonus",)), ["TIE-002/1", "TIE-002/2", "BON-001"]),
        (Selection(tags=("bonus", "rejection")), ["TIE-002/1", "TIE-002/2", "BON-001", "RES-001"]),
        (Selection(tags=("bonus",), cases=("TIE-*",)), ["TIE-002/1", "TIE-002/2"]),
        (Selection(clauses=("SV-TIE-2",)), ["TIE-002/1", "TIE-002/2"]),
        (Selection(clauses=("SV-TIE-*",)), ["TIE-001", "TIE-002/1", "TIE-002/2", "TIE-020"]),
        (Selection(levels=(Level.SHOULD,)), ["TIE-002/2", "RES-001"]),
        (Selection(levels=(Level.MUST,), tags=("tie",)), ["TIE-001", "TIE-002/1"]),
        (Selection(levels=(Level.MUST, Level.SHOULD)), [case.id for case in _CASES]),
    ],
)
def test_the_cases_that_match_are_chosen_in_their_order(selection, ids):
    assert _ids(selection) == ids


@pytest.mark.parametrize(
    ("selection", "message"),
    [
        (Selection(cases=("TIE-01",)), "--case TIE-01: matches no case. Did you mean TIE-001"),
        (Selection(cases=("tie-001",)), "--case tie-001: matches no case. Did you mean TIE-001"),
        (Selection(cases=("TIE-001", "XYZ-9*")), "--case XYZ-9*: matches no case."),
        (Selection(cases=("TIE-002/3",)), "--case TIE-002/3: matches no case. Did you mean TIE-002/2 or TIE-002/1"),
        (Selection(tags=("ties",)), "--tag ties: matches no case. Did you mean tie?"),
        (Selection(tags=("tie", "")), "--tag : matches no case."),
        (Selection(clauses=("SV-TIE-9",)), "--clause SV-TIE-9: the spec has no such clause. Did you mean SV-TIE-"),
        (Selection(clauses=("TIE-1",)), "--clause TIE-1: the spec has no such clause. Did you mean SV-TIE-1"),
        (Selection(clauses=("SV-STOP-1",)), "--clause SV-STOP-1: matches no case."),
        (Selection(cases=("BON-001",), tags=("tie",)), "no case matches all of the selecting options"),
        (Selection(profile="sampled"), "no case of the profile sampled"),
    ],
)
def test_a_name_without_a_match_is_refused_with_the_nearest(selection, message):
    with pytest.raises(NothingSelected) as caught:
        select(_CASES, selection, _CLAUSES)
    assert message in str(caught.value)
    assert caught.value.exit_code is ExitCode.NOTHING_SELECTED


def test_cases_of_other_profiles_are_left_out():
    cases = [_case("A-001"), _case("A-002", profile="sampled")]
    assert _ids(Selection(), cases) == ["A-001"]
    assert _ids(Selection(profile="sampled"), cases) == ["A-002"]
    with pytest.raises(NothingSelected):
        _ids(Selection(cases=("A-002",)), cases)


@pytest.mark.parametrize(
    ("clauses", "level"),
    [
        (["SV-TIE-1"], Level.MUST),
        (["SV-TIE-1", "SV-RES-1"], Level.MUST),
        (["SV-RES-2"], Level.SHOULD),
        (["SV-TIE-1", "SV-IN-9"], Level.SHOULD),
        (["SV-IN-9", "SV-TIE-1"], Level.SHOULD),
    ],
)
def test_a_case_is_must_if_all_its_clauses_are(clauses, level):
    assert level_of(_case("A-001", clauses), _CLAUSES) is level


def test_a_selection_is_partial_if_it_asks_for_anything_but_a_profile():
    assert not Selection().is_partial
    assert not Selection(profile="sampled").is_partial
    for field, value in (("cases", "*"), ("tags", "*"), ("clauses", "*"), ("levels", Level.MUST)):
        assert Selection(**{field: (value,)}).is_partial


_NAMES = st.builds("{}-{:03}{}".format, st.sampled_from("AB"), st.integers(0, 3), st.sampled_from(["", "/1", "/2"]))
_MANY_CASES = st.lists(
    st.builds(
        _case,
        _NAMES,
        st.lists(st.sampled_from(_SOME_CLAUSES), min_size=1, max_size=3, unique=True),
        st.lists(st.sampled_from(_TAGS), max_size=3, unique=True),
        st.sampled_from(["argmax", "argmax", "sampled"]),
    ),
    max_size=12,
    unique_by=lambda case: case.id,
)
_PATTERNS = st.builds(
    "{}-{}{}".format, st.sampled_from("AB*"), st.sampled_from(["000", "00?", "*"]), st.sampled_from(["", "/1"])
)
_SELECTIONS = st.builds(
    Selection,
    st.lists(_PATTERNS, max_size=2).map(tuple),
    st.lists(st.sampled_from([*_TAGS, "*"]), max_size=2).map(tuple),
    st.lists(st.sampled_from([*_SOME_CLAUSES, "SV-TIE-*"]), max_size=2).map(tuple),
    st.lists(st.sampled_from(Level), max_size=2).map(tuple),
)


def _chosen(cases, selection):
    """The ids, or None where the selection is refused."""
    try:
        return _ids(selection, cases)
    except NothingSelected:
        return None


@settings(max_examples=200, deadline=None)
@given(_MANY_CASES, _SELECTIONS)
def test_the_choice_is_the_conjunction_over_options_of_alternatives(cases, selection):
    def fits(case):
        names = {case.id, case.id.split("/")[0]}
        level = "SHOULD" if {"SV-IN-9", "SV-RES-2"} & set(case.clauses) else "MUST"
        return (
            (not selection.cases or any(fnmatchcase(name, p) for name in names for p in selection.cases))
            and (not selection.tags or any(fnmatchcase(tag, p) for tag in case.tags for p in selection.tags))
            and (not selection.clauses or any(fnmatchcase(c, p) for c in case.clauses for p in selection.clauses))
            and (not selection.levels or level in [wanted.value for wanted in selection.levels])
            and case.profile == "argmax"
        )

    chosen = _chosen(cases, selection)
    expected = [case.id for case in cases if fits(case)]
    assert chosen in (None, expected)
    if chosen is None:
        names_nothing = any(
            not any(fits_alone(case) for case in cases if case.profile == "argmax")
            for fits_alone in [
                *(
                    lambda case, p=p: fnmatchcase(case.id, p) or fnmatchcase(case.id.split("/")[0], p)
                    for p in selection.cases
                ),
                *(lambda case, p=p: any(fnmatchcase(tag, p) for tag in case.tags) for p in selection.tags),
                *(lambda case, p=p: any(fnmatchcase(c, p) for c in case.clauses) for p in selection.clauses),
            ]
        )
        assert not expected or names_nothing


@settings(max_examples=100, deadline=None)
@given(_MANY_CASES, st.lists(_PATTERNS, min_size=1, max_size=3))
def test_alternatives_choose_what_each_of_them_chooses(cases, patterns):
    together = _chosen(cases, Selection(cases=tuple(patterns)))
    alone = [_chosen(cases, Selection(cases=(pattern,))) for pattern in patterns]
    assume(None not in alone)
    assert together is not None
    assert set(together) == set().union(*alone)


@settings(max_examples=100, deadline=None)
@given(_MANY_CASES, st.sampled_from(_TAGS), st.sampled_from(_SOME_CLAUSES))
def test_different_options_choose_what_all_of_them_choose(cases, tag, clause):
    by_tag, by_clause = _chosen(cases, Selection(tags=(tag,))), _chosen(cases, Selection(clauses=(clause,)))
    assume(by_tag is not None and by_clause is not None)
    both = _chosen(cases, Selection(tags=(tag,), clauses=(clause,)))
    assert (both or []) == [name for name in by_tag if name in by_clause]
