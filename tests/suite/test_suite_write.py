"""Cases as text, and back."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specharness.suite.build import build_cases
from specharness.suite.lint import lint
from specharness.suite.load import load_shipped
from specharness.suite.model import Case, Expected, write_arguments
from specharness.suite.schema import check_shape
from specharness.suite.write import write_cases
from specharness.suite.yaml12 import parse

_CASE = Case(
    id="ACC-001",
    title="a case",
    clauses=("SV-ACC-1",),
    tags=(),
    dtypes=(),
    policies=(),
    notes="",
    profile="argmax",
    file="",
    line=0,
    arguments_json=write_arguments(
        {"draft_tokens": [0], "draft_probs": [[1.0]], "target_probs": [[1.0]], "random_samples": [0.5]}
    ),
    expected=Expected((0,), None),
)


def _with_uniforms(*uniforms: float, **changes) -> Case:
    arguments = {**_CASE.arguments(), "random_samples": list(uniforms)}
    return replace(_CASE, arguments_json=write_arguments(arguments), **changes)


def _read(text):
    """The cases of a text, built but not linted."""
    document = parse(text)
    assert check_shape(document, "") == []
    problems = []
    written = build_cases(document, "", problems)
    assert problems == []
    return written


def _same(case: Case, read: Case) -> bool:
    return replace(read, file=case.file, line=case.line) == replace(case, id=case.id.partition("/")[0])


def test_every_shipped_case_is_read_back_as_it_was():
    small = [case for case in load_shipped() if len(case.arguments_json) < 20_000]
    for profile in {case.profile for case in small}:
        of_profile = [case for case in small if case.profile == profile]
        renamed = [replace(case, id=f"ALL-{number:03}") for number, case in enumerate(of_profile)]
        read = _read(write_cases(renamed))
        assert all(_same(case, item.case) for case, item in zip(renamed, read, strict=True)), profile


def test_what_is_written_of_shipped_cases_is_valid(clauses):
    """Also at boundaries, where the lint refuses decimals."""
    small = [case for case in load_shipped() if len(case.arguments_json) < 2_000][::8]
    for case in small:
        assert lint(_read(write_cases([case])), clauses) == []


def test_cases_of_one_profile_stand_in_one_file(clauses):
    cases = [case for case in load_shipped() if case.id.startswith("TIE") and "/" not in case.id]
    read = _read(write_cases(cases))
    assert all(_same(case, item.case) for case, item in zip(cases, read, strict=True))
    assert lint(read, clauses) == []


_NUMBER = st.floats(width=64).filter(lambda x: not 0 < abs(x) < 2**-60) | st.integers(0, 64).map(lambda n: n / 64)


@given(st.lists(_NUMBER, max_size=6))
def test_any_number_is_read_back_bit_for_bit(uniforms):
    case = _with_uniforms(*uniforms)
    assert _read(write_cases([case]))[0].case.arguments_json == case.arguments_json


_TEXT = st.text(min_size=1, max_size=160) | st.from_regex(r"[-+.:#&*!|>%@`'\"a-z0-9_/ \n\[\]{}]{1,40}", fullmatch=True)


@given(_TEXT.filter(lambda text: not any("\ud800" <= char <= "\udfff" for char in text)))
def test_any_title_is_read_back(title):
    assert _read(write_cases([replace(_CASE, title=title)]))[0].case.title == title


@pytest.mark.parametrize(
    "title", ["no", "1e3", "0o17", "0x1F", "1_000", "12:30:00", "~", "null", "Null", "=", "2001-01-01"]
)
def test_a_title_that_looks_like_something_else_stays_text(title):
    assert _read(write_cases([replace(_CASE, title=title)]))[0].case.title == title


def test_small_fractions_are_fractions_and_others_the_shortest_decimal():
    assert "random_samples: [1/2, 3/1024]" in write_cases([_with_uniforms(0.5, 3 / 1024)])
    assert "random_samples: [0.5, 0.1]" in write_cases([_with_uniforms(0.5, 0.1)])


def test_at_a_boundary_and_in_other_profiles_all_numbers_are_exact():
    at_boundary = {"draft_tokens": [0], "draft_probs": [[0.3, 0.7]], "target_probs": [[0.15, 0.85]]}
    case = replace(_CASE, arguments_json=write_arguments({**at_boundary, "random_samples": [0.5]}))
    assert "- [5404319552844595/18014398509481984, 3152519739159347/4503599627370496]" in write_cases([case])
    sampled = _with_uniforms(0.1, 0.1, profile="sampled")
    assert "[3602879701896397/36028797018963968, 3602879701896397/36028797018963968]" in write_cases([sampled])


def test_a_profile_without_draft_rows_leaves_them_out():
    arguments = {"draft_tokens": [0], "draft_probs": None, "target_probs": [[1.0]], "random_samples": []}
    case = replace(_CASE, profile="greedy", arguments_json=write_arguments(arguments))
    assert "draft_probs" not in write_cases([case])
    assert _read(write_cases([case]))[0].case.arguments_json == case.arguments_json


def test_what_no_case_file_can_say_is_refused():
    with pytest.raises(ValueError, match="0 profiles"):
        write_cases([])
    with pytest.raises(ValueError, match="2 profiles"):
        write_cases([_CASE, replace(_CASE, id="ACC-002", profile="block")])
    with pytest.raises(ValueError, match="the id ACC-001 twice"):
        write_cases([replace(_CASE, id="ACC-001/1"), replace(_CASE, id="ACC-001/2")])
    with pytest.raises(ValueError, match=r"at least 2\^-60"):
        write_cases([_with_uniforms(math.ulp(0.0))])
