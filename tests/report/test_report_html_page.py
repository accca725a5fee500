"""The HTML report without a browser: what is in it, that it holds no markup of others, and how large it gets."""

from __future__ import annotations

import base64
import hashlib
import re
import subprocess
import sys
from dataclasses import replace
from html.parser import HTMLParser

import pytest
from reporting import CLAUSES, make_case, raising, returning, right, run

from specharness.implementation.observation import Loss, Lost, Observation, Raised, Returned
from specharness.judge.score import Score
from specharness.judge.verdict import judge
from specharness.report.groups import ALIKE
from specharness.report.html_page import render_html
from specharness.report.page_content import FAILURES_IN_FULL, clause_counts, groups_of
from specharness.report.result import RunResult, Setting
from specharness.version import VERSION

VOID = {"meta", "link", "input"}


class _Page(HTMLParser):
    """The page's elements, and the text of each that has an id or class asked for."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements, self.texts = [], [], []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes)))

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        if self.open and self.open[-1] not in ("script", "style"):
            self.texts.append(data)

    @property
    def text(self):
        return " ".join(" ".join(self.texts).split())

    def ids(self, prefix=""):
        found = [given["id"] for _, given in self.elements if "id" in given and given["id"].startswith(prefix)]
        assert len(found) == len(set(found))
        return found


def _cases(count, **changes):
    return [make_case(f"CASE-{n:03}", random_samples=[0.5, 0.5 + n / 2**14], **changes) for n in range(1, count + 1)]


def test_the_page_tells_the_run_its_outcome_and_how_to_make_it_again():
    result = run(returning(right(bonus=0)), *_cases(2), dtype="float32", strict=True, seconds=1.234, selected_of=9)
    result = replace(result, notes=["a note"], score=Score(40, 5, "because"), stopped=True)
    text = _Page(render_html(result)).text
    for part in (
        "Nonconformant 2 of 2 gating cases failed, 2 of 9 selected",
        "2 failed 2 gating, 0 advisory",
        "my solution.py",
        "argmax",
        "float32",
        "MUST and SHOULD (strict)",
        "Exit code 1",
        "1.23 s",
        f"specharness {VERSION}, spec 1.0",
        "specharness --impl 'my solution.py'",
        "a note",
        "Stopped after the first failure",
        "40 of 100, bonus 5 of 10: because",
    ):
        assert part in text


def test_a_failure_tells_what_differs_why_and_the_command():
    case = make_case(title="the second of two drafts is rejected", tags=("one", "two"))
    page = _Page(render_html(run(returning(right(bonus=0)), case, output="printed\nat the end")))
    for part in (
        "CASE-001 the second of two drafts is rejected",
        CLAUSES["SV-RES-1"].sentence.replace("`", " ").split()[0],
        "bonus_token: expected 2, got 0",
        "step 1: token 0, p = 1/4, q = 3/4, u = 1/2, p/q = 1/3: u > p/q, rejected",
        "greatest: 1/2 at token 2",
        "Its output ended with printed at the end",
        "Again specharness --impl 'my solution.py' --case CASE-001",
        "cases/made.yaml:3",
        "one two",
    ):
        assert part in page.text, part
    images = [given for tag, given in page.elements if tag == "svg" and given.get("role") == "img"]
    assert len(images) == 2
    for image in images:
        title, words = image["aria-labelledby"].split()
        assert {title, words} <= set(page.ids())
    assert "u against min(1, p/q)" in page.text


def test_every_case_is_listed_once_under_what_it_came_to():
    lost = Lost(Loss.NOT_RUN, "given up")
    cases = [make_case(f"CASE-{n:03}") for n in range(1, 6)]
    advised = make_case("CASE-006", ("SV-RES-2",))
    observations = [right(), right(bonus=0), right(), right()]
    verdicts = [judge(case, Observation(Returned(v)), CLAUSES) for case, v in zip(cases, observations, strict=False)]
    verdicts.append(judge(advised, Observation(Returned(right(bonus=0))), CLAUSES))
    verdicts.append(judge(cases[4], Observation(lost), CLAUSES))
    skipped = [(make_case("CASE-007"), "not for float32")]
    page = _Page(render_html(RunResult(Setting("x"), verdicts, CLAUSES, skipped)))
    assert sorted(page.ids("case-")) == [f"case-CASE-00{n}" for n in range(1, 8)]
    assert page.ids("case-")[0] == "case-CASE-002"
    for part in ("1 failed", "1 not run", "1 advice", "3 passed", "1 skipped", "not for float32"):
        assert part in page.text
    assert "Again" not in page.text
    assert "Command" not in page.text


@pytest.mark.parametrize(
    ("changes", "part"),
    [
        ({"interrupted": True, "missing": [make_case("CASE-002")]}, "Interrupted; 1 case was not judged."),
        (
            {"stopped": True, "missing": [make_case("CASE-002"), make_case("CASE-003")]},
            "(-x); 2 other cases were not judged.",
        ),
        ({"setting": Setting("x", self_check=True)}, "Self-check: nothing of yours was tested."),
        ({"verdicts": []}, "Conformant no gating case was selected"),
    ],
    ids=["interrupted", "stopped", "self-check", "empty"],
)
def test_unusual_runs_are_told(changes, part):
    assert part in _Page(render_html(replace(run(returning(right()), make_case()), **changes))).text


def test_clauses_are_counted_by_the_cases_that_break_or_keep_them():
    cases = [make_case("CASE-001", ("SV-RES-1", "SV-TIE-1")), make_case("CASE-002", ("SV-RES-1",))]
    values = [{**right(bonus=0), "more": 1}, right()]
    verdicts = [judge(c, Observation(Returned(v)), CLAUSES) for c, v in zip(cases, values, strict=True)]
    counts = clause_counts(RunResult(Setting("x"), verdicts, CLAUSES))
    assert [(row.clause.id, row.failed, row.advice, row.passed, row.first) for row in counts] == [
        ("SV-RES-1", 1, 0, 1, "CASE-001"),
        ("SV-OUT-1", 1, 0, 0, "CASE-001"),
    ]


def test_advice_on_a_failing_case_counts_as_advice():
    case = make_case()
    value = {**right(bonus=0), "acceptance_count": {"$type": "numpy.int64", "int": 1, "repr": "1"}}
    verdicts = [judge(case, Observation(Returned(value)), CLAUSES)]
    counts = {row.clause.id: row for row in clause_counts(RunResult(Setting("x"), verdicts, CLAUSES))}
    assert (counts["SV-RES-1"].failed, counts["SV-OUT-5"].failed, counts["SV-OUT-5"].advice) == (1, 0, 1)


def test_the_first_of_each_cause_are_in_full_and_the_page_says_of_how_many():
    result = run(returning(right(bonus=0)), *_cases(ALIKE + 4))
    (group,) = groups_of(result.failures, result, full=FAILURES_IN_FULL)
    assert [bool(entry.plots) for entry in group.entries] == [True] * ALIKE + [False] * 4
    assert all(entry.differences and entry.again for entry in group.entries)
    assert (
        f"{ALIKE + 4} cases; the first {ALIKE} in full, the others without a trace or a drawing"
        in _Page(render_html(result)).text
    )


def test_large_arguments_are_in_full_until_their_bound_only():
    rows = [[1.0] + [0.0] * 149_999]
    cases = [
        make_case(f"CASE-{n:03}", draft_tokens=[0], draft_probs=rows, target_probs=rows, random_samples=[n / 8])
        for n in range(1, 4)
    ]
    result = run(returning(right(accepted=[], bonus=0)), *cases)
    (group,) = groups_of(result.failures, result, full=FAILURES_IN_FULL)
    assert group.in_full == 1
    assert group.entries[0].plots


HOSTILE = (
    "<script>window.hacked = 1</script></script></style></title>--><!--<img src=x onerror='window.hacked=1'>"
    "\"'`{{7*7}}{% raw %}${7*7}javascript:alert(1)\x1b[31m\u202e\ud800\x00&lt;svg/onload=1>"
)


@pytest.mark.parametrize(
    "function",
    [returning(HOSTILE), returning({HOSTILE: 1}), returning({"accepted_tokens": [HOSTILE]}), raising(OSError(HOSTILE))],
)
def test_text_of_others_is_text(function):
    case = make_case(title=f"title {HOSTILE}", tags=(HOSTILE,))
    setting = Setting(HOSTILE, again=("specharness", "--impl", HOSTILE), language=HOSTILE)
    result = run(function, case, make_case("CASE-002", notes=HOSTILE), output=HOSTILE)
    text = render_html(replace(result, setting=setting, notes=[HOSTILE], skipped=[(make_case("CASE-009"), HOSTILE)]))
    page, plain = _Page(text), _Page(render_html(run(function, make_case())))
    assert {tag for tag, _ in page.elements} <= {tag for tag, _ in plain.elements} | {"ol", "li", "b", "i", "em"}
    assert sum(tag == "script" for tag, _ in page.elements) == 1
    for _, given in page.elements:
        assert not any(name.startswith("on") or name in ("style", "src") for name in given)
        assert given.get("href", "#").startswith(("#", "data:,"))
    assert "{{7*7}}" in page.text
    assert not re.search("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202e\ud800]", text)
    text.encode()


def test_the_policy_allows_just_the_page_s_own_script_and_style():
    text = render_html(run(returning(right(bonus=0)), make_case()))
    policy = next(
        given["content"] for tag, given in _Page(text).elements if given.get("http-equiv") == "Content-Security-Policy"
    )
    for tag in ("script", "style"):
        (content,) = re.findall(f"<{tag}>(.*?)</{tag}>", text, re.DOTALL)
        digest = base64.b64encode(hashlib.sha256(content.encode()).digest()).decode()
        assert f"{tag}-src 'sha256-{digest}'" in policy
    assert policy.startswith("default-src 'none';")
    assert not re.search(r"unsafe|https?:", policy)


def test_the_same_result_gives_the_same_page():
    result = run(returning(right(bonus=0)), *_cases(3))
    assert render_html(result) == render_html(replace(result))


def test_ten_thousand_cases_with_a_thousand_failures_stay_under_five_megabytes():
    case = make_case(title="t" * 120, clauses=("SV-RES-1", "SV-ACC-1"), tags=("rejection", "position-last", "dense"))
    passed = judge(case, Observation(Returned(right())), CLAUSES)
    failed = judge(case, Observation(Returned(right(bonus=0)), output="o" * 4_000), CLAUSES)
    verdicts = [
        replace(failed if n % 10 == 0 else passed, case=replace(case, id=f"CASE{n // 1000}-{n % 1000:03}"))
        for n in range(10_000)
    ]
    setting = Setting("x", again=("specharness", "--impl", "x"))
    text = render_html(RunResult(setting, verdicts, CLAUSES, evidence=()))  # no diagnosis, which takes its time
    assert len(text.encode()) < 5_000_000
    assert text.count('<details class="case failed"') == 1_000


def test_strings_of_a_megabyte_are_cut():
    huge = "\x1b<&\U000e0041" * 250_000
    answers = [Raised(huge, (), huge, huge), Lost(Loss.DIED, huge), Returned({huge: huge, "accepted_tokens": huge})]
    case = make_case(title=huge)
    verdicts = [
        judge(replace(case, id=f"CASE-{n:03}"), Observation(answer, output=huge), CLAUSES)
        for n, answer in enumerate(answers)
    ]
    text = render_html(RunResult(Setting("x", again=("specharness",)), verdicts, CLAUSES, notes=[huge]))
    assert len(text) < 500_000


def test_nothing_of_it_is_imported_by_a_run_without_it():
    code = "import sys, specharness.cli.run_suite, specharness.api; print({'jinja2', 'markupsafe'} & set(sys.modules))"
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout == "set()\n"
