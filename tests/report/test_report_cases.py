"""A case as text, and results as HTML."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from reporting import CLAUSES, make_case, raising, returning, right, run

from specharness.report.case_text import describe_case
from specharness.report.notebook import render_summary
from specharness.report.trace import decisive_lines, trace_of, whole_lines
from specharness.suite.load import load_shipped


def test_a_case_is_told_with_its_clauses_input_expectation_and_trace():
    case = make_case(
        "SHOW-001", ("SV-RES-1", "SV-IN-9"), title="a title", notes="a note", tags=("x", "y"), dtypes=("float64",)
    )
    lines = describe_case(case, CLAUSES, 80).splitlines()
    text = "\n".join(lines)
    assert lines[:5] == ["SHOW-001  SHOULD  cases/made.yaml:3", "a title", "a note", "tags: x, y", "runs in: float64"]
    for part in (
        "  SV-RES-1 (MUST) After a rejection",
        "  SV-IN-9 (SHOULD) Rows are used as given",
        "  draft_tokens  [1, 0]",
        "    [1/4, 1/2, 1/4]",
        "  random_samples  [1/2, 1/2]",
        "expected  {'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}",
        "  step 0: token 1,",
        "  step 1: token 0,",
        "  residual of row 1: [0, 0, 1/2]",
    ):
        assert part in text


def test_a_case_that_raises_is_told_with_the_reason():
    text = describe_case(make_case(clauses=("SV-IN-2",), random_samples=[]), CLAUSES, 80)
    assert "expected  raises ValueError" in text
    assert "raises ValueError: random_samples: 0 values" in text


def _is_large(case):
    return len(case.arguments_json) > 50_000


@pytest.mark.parametrize("width", [80, 100])
def test_every_shipped_case_can_be_told_in_lines_of_the_width(width):
    for case in load_shipped():
        if _is_large(case) and width > 80:
            continue  # told the same, but for the breaks
        text = describe_case(case, CLAUSES, width)
        assert case.id in text
        wide = [line for line in text.splitlines() if len(line) > width and len(line.split()) > 1]
        assert wide == [], case.id


def test_every_shipped_case_has_a_trace_and_decisive_lines():
    for case in load_shipped():
        trace = trace_of(case)
        assert whole_lines(case, trace)
        for accepted in (None,) if _is_large(case) else (None, 0, 1, 99):
            lines = decisive_lines(case, trace, accepted)
            assert lines
            assert all(line.isprintable() for line in lines)


class _Checker(HTMLParser):
    def __init__(self):
        super().__init__()
        self.open, self.text, self.tags = [], [], set()

    def handle_starttag(self, tag, attrs):
        self.open.append(tag)
        self.tags.add(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text.append(data)


def _parsed(html):
    checker = _Checker()
    checker.feed(html)
    checker.close()
    assert checker.open == []
    return checker


_MARKUP = "<script>alert(1)</script>&amp;<b a='\"'>"


@pytest.mark.parametrize(
    "function", [returning(_MARKUP), returning({_MARKUP: 1}), raising(ValueError(_MARKUP)), returning(right())]
)
def test_html_is_well_formed_and_holds_no_markup_of_others(function):
    result = run(function, make_case(title=f"title {_MARKUP}"), make_case("CASE-002", ("SV-RES-2",)))
    checker = _parsed(result._repr_html_())
    assert checker.tags <= {"p", "strong", "table", "thead", "tbody", "tr", "th", "td"}


def test_html_lists_what_differs_up_to_a_bound():
    cases = [make_case(f"MANY-{n:03}", random_samples=[0.5, 0.5 + n / 1024]) for n in range(30)]
    html = render_summary(run(returning(right(bonus=0)), *cases), most=4)
    assert len(re.findall("<tr>", html)) == 5
    assert "and 26 more" in html
    assert "nonconformant: 30 of 30 gating cases failed" in html


def test_html_of_a_run_without_differences_is_one_line():
    html = render_summary(run(returning(right()), make_case()))
    assert "<table" not in html
    assert "conformant: 1 gating case passed" in html
