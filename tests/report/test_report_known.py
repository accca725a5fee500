"""What reports say of a baseline: known failures are counted, what no longer holds is shown with what to do."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date

import pytest
from jsonschema import Draft202012Validator
from reporting import CLAUSES, make_case, returning, right, run

from specharness.exit_codes import ExitCode
from specharness.judge.known import find_stale, place
from specharness.judge.verdict import Status
from specharness.locations import data_root
from specharness.report.github import render_github
from specharness.report.html_page import render_html
from specharness.report.json_report import report
from specharness.report.junit import render_junit
from specharness.report.markdown import render_markdown
from specharness.report.text import Style, render, summary_line
from specharness.suite.baseline import Baseline, Entry, KnownAnswer, KnownBreaches

_RES = KnownBreaches((("SV-RES-1", "another bonus_token"),))


def _entry(*names, outcome=_RES, reason="a reason", link="", expires=None, line=3, unmatched=()):
    named = {name: (name,) for name in names} | dict.fromkeys(unmatched, ())
    return Entry(named, reason, link, expires, outcome, line)


def _held(result, *entries, profile="", file="known.yaml"):
    """A result held against a baseline of these entries, in 2030."""
    baseline = Baseline(file, profile, entries, "")
    verdicts = [place(verdict, baseline, strict=False) for verdict in result.verdicts]
    stale = find_stale(baseline, verdicts, date(2030, 1, 1))
    return replace(result, verdicts=verdicts, baseline=baseline, stale=stale)


_CASES = [make_case(f"CASE-{n:03}") for n in range(1, 21)]
_IDS = [case.id for case in _CASES]
_WRONG = run(returning(right(bonus=0)), *_CASES)
_RIGHT = run(returning(right()), *_CASES)


def _flat(result, verbosity=0):
    return " ".join(render(result, Style(verbosity)).replace("|", " ").split())


def test_known_failures_are_counted_and_not_shown():
    result = _held(_WRONG, _entry(*_IDS))
    assert render(result, Style()) == (
        "my solution.py  (profile argmax, float64)\n\n"
        "known: 20 cases, as known.yaml says\n"
        "conformant: 0 gating cases passed, 20 known failures"
    )
    assert (result.passed, result.failures, len(result.known)) == (True, [], 20)


def test_known_failures_are_shown_with_their_reason_on_request():
    entry = _entry(*_IDS[:2], reason="why", link="https://example.org", expires=date(2031, 5, 6), line=7)
    shown = _flat(_held(_WRONG, entry), 1)
    assert (
        "KNOWN known.yaml:7 CASE-001, CASE-002 CASE-001, CASE-002 SV-RES-1 (another bonus_token) why "
        "https://example.org until 2031-05-06"
    ) in shown


def test_entries_without_a_reason_are_counted():
    assert "no reason yet in 1 entry of known.yaml: write why, in place of TODO" in _flat(
        _held(_WRONG, _entry(*_IDS[:2], reason="TODO"), _entry(*_IDS[2:]))
    )
    assert "TODO" not in _flat(_held(_WRONG, _entry(*_IDS)))


_AS = "expected SV-RES-1 (another bonus_token)."


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        (_entry("CASE-001"), f"CASE-001 passes; {_AS} Take the entry out"),
        (_entry("CASE-001", "CASE-002"), f"2 of 2 pass: CASE-001, CASE-002; {_AS} Take the entry out"),
        (_entry("CASE-001", "OTHER-001"), f"1 of 2 pass: CASE-001; {_AS} Take it out"),
        (_entry("CASE-001", "CASE-002", "X-001"), f"2 of 3 pass: CASE-001, CASE-002; {_AS} Take them out"),
        (_entry("CASE-001", outcome=KnownAnswer("raises", "KeyError")), "expected raises KeyError. Take the entry out"),
        (_entry("CASE-001", outcome=KnownAnswer("result", {"a": None})), 'expected result {"a": null}. Take'),
        (_entry(unmatched=["CASE-0O1"]), "no case is named CASE-0O1. Did you mean CASE-0"),
        (_entry(unmatched=["ZZZ", "Y*"]), "no case is named ZZZ, Y*. Take it out"),
        (_entry("CASE-001", expires=date(2029, 12, 31)), "expired after 2029-12-31. Mend the implementation, or set"),
    ],
    ids=range(9),
)
def test_an_entry_that_no_longer_holds_is_shown_with_what_to_do(entry, said):
    result = _held(_RIGHT, entry)
    assert result.exit_code is ExitCode.STALE_BASELINE
    assert not result.passed
    shown = _flat(result)
    assert f"STALE known.yaml:3 {', '.join(entry.patterns)} " in shown
    assert said in shown
    assert summary_line(result) == "stale baseline: 20 gating cases passed, 1 stale baseline entry"


def test_the_command_that_mends_is_given_where_it_mends():
    mends = "To mend the file so that it says what is: specharness --impl 'my solution.py' --update-baseline"
    assert mends in _flat(_held(_RIGHT, _entry("CASE-001")))
    assert mends not in _flat(_held(_WRONG, _entry(*_IDS, expires=date(2029, 1, 1))))
    assert "mend" not in _flat(_held(run(returning(right()), *_CASES, again=()), _entry("CASE-001")))


def test_no_line_is_too_wide_and_what_a_baseline_says_is_harmless():
    hostile = "\x1b[31m\r\n::error:: ##[x] \u202e " * 5
    entries = [
        _entry(*_IDS[:15], reason=hostile, link=hostile, outcome=KnownBreaches((("SV-RES-1", hostile),))),
        _entry(*_IDS[15:], reason=hostile),
    ]
    for result in (_held(_WRONG, *entries, file=hostile), _held(_RIGHT, *entries, file=hostile)):
        text = render(result, Style(1))
        assert all(char.isprintable() or char == "\n" for char in text)
        assert not any(word in text for word in ("::error", "##[x"))
        assert max(len(line) for line in text.splitlines() if "again: " not in line and "To mend" not in line) <= 80


def test_a_failure_that_changed_says_what_was_listed():
    shown = _flat(_held(_WRONG, _entry("CASE-001", outcome=KnownAnswer("lost", "died"))))
    assert "FAIL CASE-001" in shown
    assert "the baseline lists another outcome (known.yaml:3) lost died" in shown


@pytest.mark.parametrize(
    "result",
    [
        _held(_WRONG, _entry(*_IDS, link="l", expires=date(2030, 1, 1))),
        _held(_RIGHT, _entry(*_IDS, unmatched=["X"], expires=date(2001, 1, 1))),
        _held(run(returning(None), *_CASES), _entry(*_IDS)),
        _held(_WRONG),
    ],
    ids=["known", "stale", "changed", "empty"],
)
def test_the_json_report_follows_its_schema_and_tells_the_same(result):
    schema = json.loads((data_root() / "spec" / "schema" / "report.schema.json").read_text())
    data = json.loads(json.dumps(report(result)))
    Draft202012Validator(schema).validate(data)
    assert data["counts"]["gating"]["known"] == len(result.known)
    assert [stale["why"] for stale in data["baseline"]["stale"]] == [stale.why.value for stale in result.stale]
    assert all(("listed" in case) == bool(v.listed) for case, v in zip(data["cases"], result.verdicts, strict=True))
    assert data["exit_code"] == int(result.exit_code)


def test_junit_skips_what_is_known_with_its_reason_and_fails_what_passes():
    xml = render_junit(_held(_WRONG, _entry(*_IDS, reason="why <&>", link="https://example.org")))
    assert xml.count('<skipped message="known: why &lt;&amp;&gt; https://example.org"/>') == 20
    assert 'failures="0"' in xml
    xml = render_junit(_held(_RIGHT, _entry(*_IDS[:2])))
    assert xml.count("passes, although known.yaml lists it as a known failure; take it out") == 2
    assert 'failures="2"' in xml


def test_annotations_and_markdown_leave_out_what_is_known_and_show_what_is_stale():
    known = _held(_WRONG, _entry(*_IDS))
    assert "::error" not in render_github(known)
    assert "20 known failures" in render_github(known)
    assert "`known: 20 cases, as known.yaml says`" in render_markdown(known)
    assert "Failures by cause" not in render_markdown(known)
    stale = _held(_RIGHT, _entry("CASE-001"))
    (error,) = [line for line in render_github(stale).splitlines() if line.startswith("::error")]
    assert "CASE-001 passes" in error
    assert "#### Baseline entries that no longer hold" in render_markdown(stale)
    assert "CASE-001 passes" in render_markdown(stale)


def test_the_page_lists_what_is_known_with_its_reason_and_shows_what_is_stale():
    page = render_html(_held(_WRONG, _entry(*_IDS, reason="why <&>")))
    assert "20 cases differ as the baseline says" in page
    assert page.count("<em>why &lt;&amp;&gt;</em>") == 20
    assert '<details class="case failed"' not in page
    page = render_html(_held(_RIGHT, _entry("CASE-001")))
    assert "Baseline entries that no longer hold" in page
    assert "CASE-001 passes; expected SV-RES-1 (another bonus_token)" in page
    page = render_html(_held(_WRONG, _entry("CASE-001", outcome=KnownAnswer("lost", "died"))))
    assert "The baseline lists another outcome (known.yaml:3)" in page


def test_the_notebook_shows_no_known_failure_as_one():
    html = _held(_WRONG, _entry(*_IDS[1:]))._repr_html_()
    assert html.count("<tr>") == 2
    assert "19 known failures" in html


@pytest.mark.parametrize("status", Status)
def test_each_status_has_an_exit_code(status):
    verdict = replace(_WRONG.verdicts[0], status=status)
    bad = status in (Status.FAILED, Status.NOT_RUN)
    assert replace(_WRONG, verdicts=[verdict]).exit_code is (ExitCode.NONCONFORMANT if bad else ExitCode.CONFORMANT)


def test_a_baseline_of_clauses_is_of_those_of_the_spec():
    assert _RES.pairs[0][0] in CLAUSES
