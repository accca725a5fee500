"""The matrix of implementations in its four forms."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import jsonschema
import pytest
from reporting import make_case, raising, returning, right, run

from specharness.exit_codes import ExitCode
from specharness.locations import data_root
from specharness.report.comparison import Column, Comparison, letters_of, outcome_line
from specharness.report.comparison_html import render_comparison_html
from specharness.report.comparison_json import render_comparison_json
from specharness.report.comparison_markdown import render_comparison_markdown
from specharness.report.comparison_text import render_comparison
from specharness.report.result import Setting
from specharness.report.text import Style

_CASES = [make_case(f"CASE-{n:03}") for n in range(1, 4)] + [make_case("CASE-004", ("SV-RES-2",))]
_SCHEMA = data_root() / "spec" / "schema" / "matrix.schema.json"


def _comparison(*functions, cases=_CASES, **changes):
    columns = [
        Column(letters_of(at), f"impl{at}.py", replace(run(function, *cases), evidence=()))
        for at, function in enumerate(functions)
    ]
    return Comparison(Setting(""), columns, cases, **changes)


_RIGHT, _WRONG, _RAISES = returning(right()), returning(right(bonus=0)), raising(KeyError("k"))
_MISSING = Column("C", "nowhere.py", None, "--impl nowhere.py: the file does not exist.")


def _with_missing(comparison):
    return replace(comparison, columns=[*comparison.columns, _MISSING])


def test_the_text_groups_cases_of_one_outcome_and_names_each():
    text = render_comparison(_with_missing(_comparison(_RIGHT, _WRONG)), Style())
    assert text == (
        "4 cases (profile argmax, float64)\n"
        "  A  impl0.py\n"
        "     conformant: 3 gating cases passed\n"
        "  B  impl1.py\n"
        "     nonconformant: 3 of 3 gating cases failed, advice on 1\n"
        "  C  nowhere.py\n"
        "     --impl nowhere.py: the file does not exist.\n\n"
        "FAILS  . passed   F failed   a advice   - not run   x could not be run\n"
        "  A B C\n"
        "  . F x  SV-RES-1 (another bonus_token): CASE-001, CASE-002, CASE-003\n\n"
        "ADVICE  . passed   F failed   a advice   - not run   x could not be run\n"
        "  A B C\n"
        "  . a x  SV-RES-2: CASE-004\n\n"
        "1 of 3 implementations conformant, 1 not run, 3 of 4 cases fail somewhere"
    )
    assert render_comparison(_with_missing(_comparison(_RIGHT, _WRONG)), Style(-1)) == text.splitlines()[-1]


def test_outcomes_that_differ_are_told_by_letters():
    text = render_comparison(_comparison(_WRONG, _RAISES, _WRONG), Style())
    shown = " ".join(text.split())
    assert "F F F A C: SV-RES-1 (another bonus_token); B: SV-RES-1 (raised KeyError): CASE-001, CASE-002" in shown


def test_where_nothing_fails_nothing_is_shown_but_the_implementations():
    text = render_comparison(_comparison(_RIGHT, _RIGHT), Style())
    assert "FAILS" not in text
    assert "ADVICE" not in text
    assert text.endswith("\n\n2 of 2 implementations conformant, no case fails")


def test_agreement_against_the_expectation_is_an_alarm():
    comparison = _comparison(_WRONG, _WRONG)
    assert [row.case.id for row in comparison.suspicious] == ["CASE-001", "CASE-002", "CASE-003"]
    shown = " ".join(render_comparison(comparison, Style()).replace("|", " ").split())
    assert "ALL AGREE in 3 cases all 2 give the same, against the expectation: perhaps the case is wrong" in shown
    expected = "{'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}"
    assert f"CASE-001: expected {expected}, all give {expected.replace('2', '0')}" in shown
    assert outcome_line(comparison).endswith("in 3 all agree against the expectation")


@pytest.mark.parametrize("functions", [(_WRONG, _RIGHT), (_WRONG, returning(right(bonus=1))), (_RIGHT, _RIGHT)])
def test_there_is_no_alarm_where_one_differs_or_all_are_right(functions):
    assert _comparison(*functions).suspicious == []


def test_one_implementation_that_ran_makes_no_alarm():
    assert _with_missing(_comparison(_WRONG)).suspicious == []


def test_the_first_of_many_failures_are_named_and_all_on_request():
    comparison = _comparison(_WRONG, _RIGHT, cases=[make_case(f"CASE-{n:03}") for n in range(1, 31)])
    short, full = (" ".join(render_comparison(comparison, Style(verbosity)).split()) for verbosity in (0, 1))
    assert "CASE-012, ... 30 in all" in short
    assert "CASE-029, CASE-030" in full


def test_many_agreements_are_named_and_shown_on_request():
    cases = [make_case(f"CASE-{n:03}") for n in range(1, 31)]
    comparison = _comparison(_WRONG, _WRONG, cases=cases)
    short, full = (render_comparison(comparison, Style(verbosity)) for verbosity in (0, 1))
    assert "18 more: CASE-013, CASE-014" in short
    assert short.count("all give") == 12
    assert full.count("all give") == 30


@pytest.mark.parametrize(
    ("comparison", "code"),
    [
        (_comparison(_RIGHT, _RIGHT), ExitCode.CONFORMANT),
        (_comparison(_RIGHT, _WRONG), ExitCode.NONCONFORMANT),
        (_with_missing(_comparison(_RIGHT, _WRONG)), ExitCode.NOT_RUNNABLE),
        (_with_missing(_comparison(_RIGHT)), ExitCode.NOT_RUNNABLE),
    ],
    ids=range(4),
)
def test_the_exit_code_is_the_gravest(comparison, code):
    assert comparison.exit_code is code


def _interrupted():
    made = _comparison(_RIGHT, _WRONG)
    cut = replace(made.columns[1].result, verdicts=made.columns[1].result.verdicts[:1], interrupted=True)
    return replace(made, columns=[made.columns[0], replace(made.columns[1], result=cut)])


def test_an_interrupted_comparison_shows_what_there_is():
    comparison = _interrupted()
    assert comparison.exit_code is ExitCode.INTERRUPTED
    text = render_comparison(comparison, Style())
    assert "  . F  SV-RES-1 (another bonus_token): CASE-001\n" in text
    assert text.splitlines()[-1].startswith("interrupted: ")


def test_letters_go_on_after_z():
    assert [letters_of(at) for at in (0, 25, 26, 51, 52, 701, 702)] == ["A", "Z", "AA", "AZ", "BA", "ZZ", "AAA"]


def test_thirty_implementations_stand_in_line_and_in_80_columns():
    comparison = _comparison(*[_RIGHT, _WRONG] * 15)
    lines = render_comparison(comparison, Style()).splitlines()
    at = next(at for at, line in enumerate(lines) if line.startswith("FAILS"))
    letters, signs = lines[at + 1], lines[at + 2]
    assert [letters[i] for i in range(2, 54, 2)] == [chr(65 + i) for i in range(26)]
    assert [signs[i] for i in range(2, 54, 2)] == [".", "F"] * 13
    assert max(map(len, lines)) <= 80


_HOSTILE = "\x1b[31m\r\n::error:: ##[x] | ``` <b>&\u202e"
_ALL = {
    "right": _comparison(_RIGHT, _RIGHT),
    "differs": _with_missing(_comparison(_RIGHT, _WRONG)),
    "agrees": _comparison(_WRONG, _WRONG),
    "interrupted": _interrupted(),
    "skipped": _comparison(_RIGHT, _WRONG, skipped=[(_CASES[0], "not for float16")], selected_of=9),
    "hostile": replace(
        _comparison(raising(KeyError(_HOSTILE)), returning({_HOSTILE: _HOSTILE}), cases=[make_case(title=_HOSTILE)]),
        columns=[
            Column("A", _HOSTILE, run(returning(_HOSTILE), make_case(title=_HOSTILE))),
            Column("B", _HOSTILE + "2", run(returning(_HOSTILE), make_case(title=_HOSTILE))),
            Column("C", _HOSTILE + "3", None, f"{_HOSTILE}\n{_HOSTILE}"),
        ],
    ),
}


@pytest.mark.parametrize("comparison", _ALL.values(), ids=_ALL)
def test_the_json_follows_its_schema_and_has_every_case(comparison):
    content = json.loads(render_comparison_json(comparison))
    jsonschema.Draft202012Validator(json.loads(_SCHEMA.read_text())).validate(content)
    assert len(content["cases"]) == len(comparison.cases)
    assert all(len(case["outcomes"]) == len(comparison.columns) for case in content["cases"])
    assert content["exit_code"] == int(comparison.exit_code)


@pytest.mark.parametrize("comparison", _ALL.values(), ids=_ALL)
@pytest.mark.parametrize(
    "render", [lambda made: render_comparison(made, Style(1)), render_comparison_markdown, render_comparison_html]
)
def test_each_form_tells_the_outcome_and_is_harmless(render, comparison):
    text = render(comparison)
    assert outcome_line(comparison) in " ".join(text.split())
    assert all(char.isprintable() or char == "\n" for char in text)
    assert not any(word in text for word in ("::error", "##[x"))


def test_the_page_escapes_markup_and_loads_nothing():
    page = render_comparison_html(_ALL["hostile"])
    assert "<b>" not in page
    assert "&lt;b&gt;" in page
    assert "<script" not in page
    assert re.findall(r"(?:src|href)=", page) == []
    assert "default-src 'none'" in page


def test_the_page_has_every_case_that_fails_with_its_title():
    page = render_comparison_html(_ALL["differs"])
    for case in _CASES[:3]:
        assert f"<dt>{case.id}</dt><dd>{case.title}</dd>" in page


def test_a_bar_in_a_name_keeps_the_markdown_table_whole():
    for line in render_comparison_markdown(_ALL["hostile"]).splitlines():
        if line.startswith("| C |"):
            assert len(re.findall(r"(?<!\\)\|", line)) == 4
