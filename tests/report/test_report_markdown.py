"""The Markdown report: what it tells, that text of others stays code, and that it is bounded."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from markdown_it import MarkdownIt
from reporting import make_case, returning, right, run
from results import ANY_TEXT, RESULTS, many, result_with

from specharness.report.diagnosis_text import findings
from specharness.report.markdown import ROOM, render_markdown
from specharness.report.markdown_text import code, code_block

_PARSER = MarkdownIt("commonmark").enable(["table", "strikethrough"])
MARK = "zqzq"


def tokens(text):
    """The tokens of blocks, and those inside them."""
    for token in _PARSER.parse(text):
        yield token
        yield from token.children or ()


def structure(text):
    return [token.type for token in tokens(text)]


@pytest.mark.parametrize("result", RESULTS.values(), ids=RESULTS)
def test_every_report_is_of_few_kinds_of_parts_without_html_and_links(result):
    kinds = {kind.removesuffix("_open").removesuffix("_close") for kind in structure(render_markdown(result))}
    cells = {"table", "thead", "tbody", "tr", "th", "td"}
    assert kinds <= {
        *cells,
        *("heading", "paragraph", "inline", "text", "strong", "fence", "code_inline", "bullet_list", "list_item"),
    }


BREAKS = [
    "`",
    "```",
    "````\n# x\n~~~",
    "</code></pre><script>alert(1)</script>",
    "<!--",
    "| a | b |\n| --- | --- |",
    "[x](http://a.b) ![x](y) <http://a.b> www.a.b",
    "@user #123 GH-1 :tada:",
    "\n\n# heading\n- item\n> quote\n***\n",
    "\\`\\",
    "$$x$$ $`x`$",
    "&lt;&#96;",
    " `` ` ",
    "::error::x\x1b[31m\ud800\u202e",
]


@pytest.mark.parametrize("text", BREAKS)
def test_text_that_would_break_out_stays_code(text):
    check_stays_code(text)


@settings(max_examples=20, deadline=None)
@given(ANY_TEXT)
@example("`" * 300)
def test_any_text_stays_code(text):
    check_stays_code(text)


def check_stays_code(text):
    """The report has the parts that it has with harmless text in these places, and nothing of it outside of code."""
    marked = render_markdown(result_with(f"{MARK}{text}{MARK}"))
    assert structure(marked) == structure(render_markdown(result_with(MARK)))
    assert [token.content for token in tokens(marked) if token.type == "text" and MARK in token.content] == []
    assert all(char.isprintable() or char == "\n" for char in marked)
    marked.encode()


PRINTABLE = ANY_TEXT.filter(lambda text: text.isprintable() and "::" not in text and "##" not in text)


@settings(max_examples=25)
@given(PRINTABLE.filter(str.strip))
@example("`")
@example("` ``` ``")
def test_a_code_span_holds_its_text(text):
    (inline,) = [token for token in _PARSER.parse(f"a {code(text, most=10_000)} b") if token.type == "inline"]
    assert [child.type for child in inline.children] == ["text", "code_inline", "text"]
    assert inline.children[1].content.strip() == text.strip()


@settings(max_examples=25)
@given(PRINTABLE)
@example("```")
@example("~~~")
def test_a_code_block_holds_its_lines(text):
    (block,) = _PARSER.parse("\n".join(code_block([text, "last"], most=10_000)))
    assert (block.type, block.content) == ("fence", f"{text}\nlast\n")


def test_long_text_is_cut_and_what_is_left_out_is_counted():
    assert code("x" * 300) == f"`{'x' * 200} ... 100 more characters`"
    assert code_block(["x"] * 62)[-2:] == ["... 2 more lines", "```"]
    assert code(" ") == "(blank)"


def test_a_failure_says_what_where_by_which_clause_why_and_how_to_repeat_it():
    text = render_markdown(run(returning(right(bonus=0)), make_case(title="a title")))
    for part in (
        "### specharness: nonconformant\n\n**1 of 1 gating case failed**",
        "`my solution.py`, profile argmax, float64. specharness ",
        "| cases | passed | failed | advice | known | not run |",
        "| gating | 0 | 1 | 0 | 0 | 0 |",
        "| advisory | 0 | 0 | 0 | 0 | 0 |",
        "**SV-RES-1** (MUST) After a rejection",
        "`another bonus_token`, 1 case. `CASE-001` at `cases/made.yaml:3`:",
        "```text\na title\n  bonus_token: expected 2, got 0\nreference\n  step 1: token 0,",
        "again: specharness --impl 'my solution.py' --case CASE-001\n```",
    ):
        assert part in text
    assert "more like it" not in text


def test_failures_of_one_cause_are_told_together():
    cases = [make_case(f"SAME-{n:03}", random_samples=[0.5, 0.5 + n / 1024]) for n in range(30)]
    text = render_markdown(run(returning(right(bonus=0)), *cases))
    assert text.count("```text\na case\n") == 1
    assert "29 more like it: `SAME-001`, " in text
    assert "`SAME-012` and 17 more." in text


def test_advice_is_told_by_clause():
    text = render_markdown(RESULTS["mutates"])
    assert "- **SV-PURE-1** " in text
    assert "changed by the call: draft_tokens`" in text
    assert "#### Advice" not in render_markdown(RESULTS["float16"])


def test_the_diagnosis_is_told_between_failures_and_advice():
    text = render_markdown(RESULTS["mutates"])
    (finding, *_) = findings(RESULTS["mutates"].diagnosis)
    assert f"#### Diagnosis\n\n```text\n{finding.heading}\n  {finding.lines[0]}" in text
    assert text.index("#### Failures") < text.index("#### Diagnosis") < text.index("#### Advice")
    assert "#### Diagnosis" not in render_markdown(replace(RESULTS["mutates"], evidence=()))


@pytest.mark.parametrize(
    ("name", "part"),
    [
        ("stopped", "- 1 case without a verdict: stopped after 3 failures (--max-fail)"),
        ("interrupted", "- 1 case without a verdict: interrupted"),
        ("stopped", "- `n`"),
        ("right", "- 1 case skipped: `not for float64`"),
        ("scored", "- score 100 of 100, bonus 10 of 10: `r`"),
        ("sampled", "profile sampled, float32, log space, `knot left`."),
        ("strict", ", strict."),
        ("self-check", "Nothing of yours was tested"),
        ("interrupted", "### specharness: interrupted"),
    ],
)
def test_what_a_run_was_like_is_told(name, part):
    assert part in render_markdown(RESULTS[name])


def left_out(report, failures):
    """How many of so many failures, each of a cause of its own, are left out."""
    left = failures - report.count("text\na case\n")
    assert f"Left out: {left} more causes of {left} failures: " in report
    return left


def test_a_thousand_causes_in_ten_thousand_cases_are_told_in_short():
    report = render_markdown(many(10_000, 1000))
    assert len(report.encode()) < 50_000
    assert left_out(report, 1000) == 980


@pytest.mark.parametrize("text", ["\U0001f600" * 300_000, "\x1b" * 1_000_000, "`\n" * 100_000], ids=range(3))
def test_long_text_does_not_fill_the_report(text):
    report = render_markdown(many(22, 22, text))
    assert len(report.encode()) < ROOM
    assert left_out(report, 22) == 2


def test_the_report_stays_far_below_the_limit_of_a_step():
    report = render_markdown(many(22, 22, ("\U0001f600" * 500 + "\n") * 50))
    assert ROOM < len(report.encode()) < 2**19
    assert left_out(report, 22) > 2
