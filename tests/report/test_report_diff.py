"""Two JSON reports compared: read strictly in what is promised, and every case told once."""

from __future__ import annotations

import copy
import json
import math
from collections import Counter
from contextlib import suppress
from dataclasses import replace

import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporting import make_case, raising, returning, right, run

from specharness.errors import BadSuite
from specharness.exit_codes import ExitCode
from specharness.locations import data_root
from specharness.report.diff import Change, compare_reports, summary_of
from specharness.report.diff_json import render_diff_json
from specharness.report.diff_markdown import render_diff_markdown
from specharness.report.diff_text import render_diff
from specharness.report.json_report import render_json, report
from specharness.report.published import PublishedCase, PublishedReport, read_report
from specharness.report.text import Style

_DECLARED = dict.fromkeys(("implementation", "profile", "dtype", "space", "policies", "strict", "spec", "cases"), "x")
_RES, _ACC = ("SV-RES-1", "another bonus_token"), ("SV-ACC-1", "accepts too few tokens")


def _case(name, status="passed", breaches=None, result=0):
    breaches = (() if status == "passed" else (_RES,)) if breaches is None else breaches
    return PublishedCase(name, "t", status, breaches, "a line", None if status == "passed" else {"result": result})


def _report(*cases, skipped=(), whole=True, **declared):
    return PublishedReport(
        "r.json", "x", {**_DECLARED, **declared}, whole, {case.id: case for case in cases}, dict(skipped)
    )


def _changes(old, new):
    diff = compare_reports(_report(_case("A", *old)), _report(_case("A", *new)))
    return [case.change for case in diff.changes], int(diff.exit_code)


@pytest.mark.parametrize(
    ("old", "new", "changes", "code"),
    [
        (("passed",), ("passed",), [], 0),
        (("failed",), ("failed",), [], 0),
        (("failed",), ("known",), [], 0),
        (("passed",), ("failed",), [Change.BROKEN], 1),
        (("advice",), ("failed",), [Change.BROKEN], 1),
        (("passed",), ("not_run",), [Change.BROKEN], 1),
        (("passed",), ("known",), [Change.BROKEN], 0),
        (("failed",), ("passed",), [Change.FIXED], 0),
        (("known",), ("advice",), [Change.FIXED], 0),
        (("not_run",), ("passed",), [Change.FIXED], 0),
        (("passed",), ("advice",), [Change.OTHER], 0),
        (("advice",), ("passed",), [Change.OTHER], 0),
        (("failed",), ("failed", (_ACC,)), [Change.OTHER], 0),
        (("failed",), ("failed", (_RES, _ACC)), [Change.OTHER], 0),
        (("failed", (_ACC, _RES)), ("failed", (_RES, _ACC)), [], 0),
        (("failed", None, 1), ("failed", None, 2), [Change.OTHER], 0),
        (("failed", None, 1), ("failed", None, True), [Change.OTHER], 0),
        (("failed", None, 1), ("failed", None, 1), [], 0),
    ],
)
def test_what_became_of_a_case(old, new, changes, code):
    assert _changes(old, new) == (changes, code)


@pytest.mark.parametrize(
    ("status", "code"), [("passed", 0), ("advice", 0), ("known", 0), ("failed", 1), ("not_run", 1)]
)
def test_a_new_case_that_fails_is_a_regression(status, code):
    diff = compare_reports(_report(), _report(_case("A", status)))
    assert [case.change for case in diff.changes] == [Change.NEW]
    assert int(diff.exit_code) == code


def test_a_case_that_is_gone_is_told_with_the_reason_and_is_no_regression():
    old = _report(_case("A"), _case("B", "failed"))
    skipped = compare_reports(old, _report(skipped=[("A", "not for float16")]))
    assert [(case.id, case.why) for case in skipped.of(Change.GONE)] == [("A", "skipped: not for float16"), ("B", "")]
    early = compare_reports(old, _report(whole=False))
    assert {case.why for case in early.changes} == {"the run ended early"}
    assert not early.exit_code
    assert "r.json: the run ended early, so cases are missing" in render_diff(early, Style())


def test_the_text_names_each_case_how_it_was_and_is_and_counts_last():
    old = _report(_case("A"), _case("B"), _case("C", "failed"), _case("D", "failed"), _case("G"), _case("S"))
    new = _report(
        *(_case(name, "failed") for name in "AB"),
        _case("C"),
        _case("D", "failed", (_ACC,)),
        _case("N", "advice"),
        _case("S"),
        dtype="float32",
    )
    text = render_diff(compare_reports(old, new), Style())
    assert text == (
        "old  r.json: x (profile x, x, x)\n"
        "new  r.json: x (profile x, float32, x)\n"
        "The runs differ in: dtype\n\n"
        "BROKEN  2 cases\n"
        "  failed SV-RES-1 (another bonus_token): A, B\n"
        "    | A: a line\n\n"
        "FIXED  1 case\n"
        "  was failed SV-RES-1 (another bonus_token): C\n\n"
        "NEW  1 case\n"
        "  advice SV-RES-1 (another bonus_token): N\n\n"
        "GONE  1 case\n"
        "  was passed: G\n\n"
        "ANOTHER OUTCOME  1 case\n"
        "  failed SV-RES-1 (another bonus_token) -> failed SV-ACC-1 (accepts too few\n"
        "    tokens): D\n\n"
        "2 broken, 1 fixed, 1 new, 1 gone, 1 with another outcome, 1 as before"
    )
    assert render_diff(compare_reports(old, new), Style(-1)) == text.splitlines()[-1]


def test_reports_without_a_common_case_say_so():
    diff = compare_reports(_report(_case("A")), _report(_case("B")))
    assert "no case stands in both reports" in render_diff(diff, Style())


_OUTCOMES = st.tuples(
    st.sampled_from(["passed", "advice", "failed", "known", "not_run"]),
    st.sampled_from([(), (_RES,), (_ACC,)]),
    st.integers(0, 1),
)
_CASES = st.dictionaries(st.sampled_from("ABCDEF"), _OUTCOMES)
_REPORTS = st.builds(lambda cases: _report(*(_case(name, *of) for name, of in cases.items())), _CASES)
_REVERSED = {Change.BROKEN: Change.FIXED, Change.FIXED: Change.BROKEN, Change.NEW: Change.GONE, Change.GONE: Change.NEW}


@given(_REPORTS, _REPORTS)
def test_every_case_is_told_once_and_backwards_the_changes_turn_round(old, new):
    forth, back = compare_reports(old, new), compare_reports(new, old)
    assert sorted(case.id for case in forth.changes) == sorted({case.id for case in forth.changes})
    assert forth.unchanged + len(forth.changes) == len(old.cases.keys() | new.cases.keys())
    turned = Counter(_REVERSED.get(case.change, case.change) for case in back.changes)
    assert Counter(case.change for case in forth.changes) == turned
    assert compare_reports(old, old).changes == []
    text, markdown = render_diff(forth, Style()), render_diff_markdown(forth)
    assert text.endswith(summary_of(forth))
    for case in forth.changes:
        assert f"`{case.id}`" in markdown


@given(_REPORTS, _REPORTS)
def test_the_json_follows_its_schema(old, new):
    diff = compare_reports(old, new)
    content = json.loads(render_diff_json(diff))
    _schema("diff").validate({**content, "old": _valid(content["old"]), "new": _valid(content["new"])})
    assert sum(content["counts"].values()) == diff.unchanged + len(content["cases"])
    assert bool(content["exit_code"]) == any(case["regression"] for case in content["cases"])


def _schema(name):
    path = data_root() / "spec" / "schema" / f"{name}.schema.json"
    return jsonschema.Draft202012Validator(json.loads(path.read_text()))


def _valid(made):
    return {**made, "declared": {**made["declared"], "strict": "strict"}}


_HOSTILE = "\x1b[31m\r\n::error:: ##[x] | `` ` <b> \u202e"


def test_what_a_report_says_is_untrusted():
    case = _case(_HOSTILE, "failed", ((_HOSTILE, _HOSTILE),))
    new = replace(_report(replace(case, line=_HOSTILE), implementation=_HOSTILE), file=_HOSTILE, whole=False)
    diff = compare_reports(_report(skipped=[(_HOSTILE, _HOSTILE)]), new)
    for text in (render_diff(diff, Style()), render_diff_markdown(diff)):
        assert all(char.isprintable() or char == "\n" for char in text)
        assert not any(word in text for word in ("::error", "##[x"))
    assert "<b>" not in render_diff_markdown(diff).replace("``` ", "").split("`")[0]


@pytest.fixture
def written(tmp_path):
    """`written(change)` writes a real report, changed by a function, and gives its path."""

    def write(change=lambda data: data, result=None, name="r.json"):
        path = tmp_path / name
        data = report(result or run(returning(right(bonus=0)), make_case(), make_case("CASE-002", dtypes=["float32"])))
        content = change(data)
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def test_a_real_report_is_read(written):
    read = read_report(written())
    assert (read.implementation, read.whole, read.skipped) == ("my solution.py", True, {"CASE-002": "not for float64"})
    assert read.declared["cases"].startswith("sha256:")
    (case,) = read.cases.values()
    assert (case.id, case.status, case.breaches, case.observed) == (
        "CASE-001",
        "failed",
        (_RES,),
        {"result": right(bonus=0)},
    )


def test_real_reports_are_compared(written):
    old = read_report(written(result=run(returning(right()), make_case())))
    new = read_report(written(result=run(raising(KeyError("k")), make_case())))
    diff = compare_reports(old, new)
    assert diff.exit_code is ExitCode.NONCONFORMANT
    assert "failed SV-RES-1 (raised KeyError): CASE-001" in render_diff(diff, Style())


def test_fields_of_a_later_version_are_passed_over(written):
    def extend(data):
        data["later"] = data["cases"][0]["later"] = data["cases"][0]["breaches"][0]["later"] = {"a": 1}
        return data

    assert read_report(written(extend)).cases == read_report(written()).cases


def _without(*path):
    def change(data):
        inner = data
        for part in path[:-1]:
            inner = inner[part]
        del inner[path[-1]]
        return data

    return change


def _with(value, *path):
    def change(data):
        inner = data
        for part in path[:-1]:
            inner = inner[part]
        inner[path[-1]] = value
        return data

    return change


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda data: "", "not JSON: Expecting value: line 1 column 1 (char 0); expected a report of --report"),
        (lambda data: '{"format": ', "not JSON: Expecting value"),
        (lambda data: "[" * 100_000, "not JSON: "),
        (_with(math.nan, "seconds"), "not JSON: found NaN, which JSON lacks; expected a report of --report"),
        (_with(1, "interrupted"), "interrupted: found 1; expected true or false"),
        (_with("", "suite", "digest"), "suite.digest: found ''; expected text such as sha256:e3b0c44298"),
        (lambda data: "[]", "no report of specharness; expected a report of --report json=PATH"),
        (lambda data: '{"format": 1}', "no report of specharness"),
        (_with("specharness faults 1", "format"), "no report of specharness"),
        (_with("specharness report 2", "format"), "a 'specharness report 2'; this version of specharness reads"),
        (_without("cases"), "the key cases is missing"),
        (_without("cases", 0, "id"), "cases[0]: the key id is missing"),
        (_with("fine", "cases", 0, "status"), "cases[0].status: found 'fine'; expected one of passed, failed, advice"),
        (_with(1, "cases", 0, "breaches", 0, "cause"), "cases[0].breaches[0].cause: found 1; expected a string"),
        (_with([], "policies"), "policies: found []; expected a mapping"),
        (lambda data: {**data, "cases": data["cases"] * 2}, "the case 'CASE-001' stands in it twice; expected each"),
    ],
    ids=range(16),
)
def test_a_file_that_is_no_report_is_refused_with_what_was_found(written, change, message):
    path = written(change)
    with pytest.raises(BadSuite) as caught:
        read_report(path)
    assert f"{path}: {message}" in str(caught.value)


def _places(value, path=()):
    """The path of each value in plain data."""
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from _places(inner, (*path, key))


@pytest.mark.parametrize("value", [None, -1, "x\x1b"], ids=repr)
def test_a_report_with_any_one_value_changed_is_read_or_refused(written, value):
    path = written()
    data = json.loads(path.read_text())
    for place in _places(data):
        changed = _with(value, *place)(copy.deepcopy(data)) if place else value
        path.write_text(json.dumps(changed))
        with suppress(BadSuite):
            read_report(path)


def test_a_report_that_is_too_large_or_no_file_is_refused_unread(tmp_path):
    path = tmp_path / "large.json"
    with open(path, "wb") as file:
        file.truncate(200_000_001)
    with pytest.raises(BadSuite, match="200,000,001 bytes; a JSON report of over 200,000,000 bytes is refused unread"):
        read_report(path)
    with pytest.raises(BadSuite, match="Is a directory; expected a readable file"):
        read_report(tmp_path)
    with pytest.raises(BadSuite, match="No such file"):
        read_report(tmp_path / "missing.json")


def test_a_report_is_read_as_it_is_written(tmp_path):
    path = tmp_path / "r.json"
    path.write_text(render_json(run(returning(None), make_case())))
    assert read_report(path).cases["CASE-001"].status == "failed"
