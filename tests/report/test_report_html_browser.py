"""The HTML report in a browser: quiet, without network, filtered by mouse and keyboard, legible in light and dark."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from reporting import CLAUSES, make_case, returning, right, run

from specharness.implementation.observation import Observation, Raised, Returned
from specharness.judge.verdict import judge
from specharness.report.html_page import render_html
from specharness.report.result import RunResult, Setting

WORDS = tuple(enumerate(("first", "second", "third", "fourth", "fifth"), start=1))
VISIBLE = """() => [...document.querySelectorAll('.case, .rows > li')]
    .filter(node => !node.closest('[hidden]')).map(node => node.id.slice(5))"""


@pytest.fixture(scope="module")
def html():
    """Seven failures of two clauses, advice, two passed cases, and one that was skipped."""
    wrong = right(bonus=0)
    coins = {
        "profile": "sampled",
        "random_samples": [0.5, 0.5, 0.25],
        "target_probs": [[0.25, 0.5, 0.25], [0, 0.5, 0.5]],
    }
    given = [
        *((make_case(f"RES-00{n}", title=f"residual {word}", tags=("rejection",)), wrong) for n, word in WORDS),
        (make_case("ACC-001", ("SV-ACC-1",), tags=("boundary", "rejection")), right(accepted=[], bonus=0)),
        (make_case("SMP-001", ("SV-SMP-2",), **coins), wrong),
        (make_case("ADV-001", ("SV-RES-2",), title="advised"), wrong),
        (make_case("RES-006", title="kept", tags=("boundary",)), right()),
        (make_case("ACC-002", ("SV-ACC-1",), title="kept as well"), right()),
    ]
    verdicts = [judge(case, Observation(Returned(value)), CLAUSES) for case, value in given]
    setting = Setting("my solution.py", again=("specharness", "--impl", "my solution.py"))
    return render_html(RunResult(setting, verdicts, CLAUSES, [(make_case("SKIP-001"), "not for float64")]))


def _expect(locator):
    from playwright.sync_api import expect

    expect.set_options(timeout=20_000)
    return expect(locator)


def _shown(page):
    return page.inner_text("#shown")


def _settled(page, count):
    """Wait until so many cases are shown, and give their ids."""
    _expect(page.locator("#shown")).to_have_text(re.compile(rf"^{count} of "))
    return page.evaluate(VISIBLE)


def _hash(page):
    return page.evaluate("location.hash")


def test_it_opens_without_complaint_or_network_and_lets_nothing_else_run(open_page, html):
    page = open_page(html)
    assert _shown(page) == "11 of 11 cases"
    assert page.title() == "my solution.py: nonconformant"
    assert page.complaints == []
    assert len(page.asked) == 1
    blocked = page.evaluate(
        """async () => {
            const blocked = [];
            addEventListener('securitypolicyviolation', event => blocked.push(event.effectiveDirective));
            const script = document.createElement('script');
            try { script.text = 'window.hacked = 1'; } catch { blocked.push('trusted types'); }
            document.body.append(script);
            document.body.insertAdjacentElement('beforeend', document.createElement('img')).src = 'http://127.0.0.1/x.png';
            document.body.setAttribute('style', 'color: red');
            await fetch('http://127.0.0.1/').catch(() => 0);
            await new Promise(done => setTimeout(done, 50));
            return blocked;
        }"""
    )
    assert {"connect-src", "img-src", "style-src-attr", "trusted types"} <= set(blocked)
    assert page.evaluate("window.hacked") is None
    assert [request.failure for request in page.asked] == [None, "csp"]


def test_filters_by_mouse(open_page, html):
    page = open_page(html)
    page.click("[aria-label='5 failed on SV-RES-1']")
    assert _settled(page, 5) == [f"RES-00{n}" for n in range(1, 6)]
    assert _hash(page) == "#clause=SV-RES-1&verdict=failed"
    assert page.is_visible("#failures")
    assert not page.is_visible("#passed")
    page.check("input[name=verdict][value=passed]")
    assert _settled(page, 1) == ["RES-006"]
    assert page.is_visible("text=kept")
    page.select_option("#clause", "")
    page.select_option("#tag", "boundary")
    page.check("input[name=verdict][value='']")
    assert _settled(page, 2) == ["ACC-001", "RES-006"]
    assert _hash(page) == "#tag=boundary"
    page.fill("#q", "no such words")
    assert _settled(page, 0) == []
    assert page.is_visible("#nothing")
    page.click("text=Clear")
    assert len(_settled(page, 11)) == 11
    assert _hash(page) == ""
    assert page.complaints == []


def test_filters_by_keyboard(open_page, html):
    page = open_page(html)
    page.focus("#q")
    page.keyboard.type("THIRD residual")
    assert _settled(page, 1) == ["RES-003"]
    assert _hash(page) == "#q=THIRD+residual"
    page.keyboard.press("Control+A")
    page.keyboard.press("Delete")
    _settled(page, 11)
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowDown")
    chosen = page.input_value("#clause")
    assert chosen
    assert _hash(page) == f"#clause={chosen}"
    page.keyboard.press("Home")
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    assert page.input_value("input[name=verdict]:checked") == "failed"
    assert len(_settled(page, 7)) == 7
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    assert len(_settled(page, 11)) == 11
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('.case').id") == "case-RES-001"
    assert page.is_visible("#case-RES-001 .body")
    page.keyboard.press("Enter")
    assert not page.is_visible("#case-RES-001 .body")


def test_the_address_holds_the_state(open_page, html):
    page = open_page(html, "#clause=SV-RES-1&verdict=failed&q=residual+fourth")
    assert _settled(page, 1) == ["RES-004"]
    assert page.is_visible("#case-RES-004 .body")
    assert page.input_value("#q") == "residual fourth"
    page.evaluate("location.hash = '#verdict=skipped'")
    assert _settled(page, 1) == ["SKIP-001"]
    assert page.is_visible("text=not for float64")
    page.evaluate("location.hash = '#clause=SV-NO-1&verdict=nonsense&tag=%00'")
    assert len(_settled(page, 11)) == 11
    page.evaluate("location.hash = '#case-ACC-002'")
    _expect(page.locator("#case-ACC-002")).to_be_visible()
    page.go_back()
    page.go_back()
    assert _settled(page, 1) == ["SKIP-001"]
    page.evaluate("location.hash = '#%E0%A4%A'")
    assert len(_settled(page, 11)) == 11
    assert page.complaints == []


CONTRASTS = """() => {
    const rgb = text => text.match(/[\\d.]+/g).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map(v => v / 255)
        .map(v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4)
        .reduce((sum, v, at) => sum + v * [0.2126, 0.7152, 0.0722][at], 0);
    const contrast = (one, other) => {
        const [low, high] = [luminance(rgb(one)), luminance(rgb(other))].sort((a, b) => a - b);
        return (high + 0.05) / (low + 0.05);
    };
    const behind = node => {
        for (; node; node = node.parentElement) {
            const colour = getComputedStyle(node).backgroundColor;
            if ((rgb(colour)[3] ?? 1) > 0) return colour;
        }
        return 'none';
    };
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode.parentElement;
        if (!walker.currentNode.data.trim() || !node.checkVisibility()) continue;
        if (node.closest('script, title, desc, select')) continue;
        const style = getComputedStyle(node);
        const colour = node.ownerSVGElement ? style.fill : style.color;
        found.push([contrast(colour, behind(node)), node.className.baseVal ?? node.className, walker.currentNode.data]);
    }
    const card = behind(document.querySelector('.body'));
    const graphic = ['.p', '.q', '.r', '.edge', '.coin', '.tip'].map(name => {
        const style = getComputedStyle(document.querySelector(`.case ${name}`));
        return [contrast(style.stroke === 'none' ? style.fill : style.stroke, card), name];
    });
    const inside = ['.track', '.accepts', '.span', '.drawn'].map(name => {
        const node = document.querySelector(`.case ${name}`);
        return [contrast(getComputedStyle(node).fill, getComputedStyle(document.querySelector('.inside')).fill), name];
    });
    return {text: [...found, ...inside], graphic};
}"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_is_legible(open_page, html, scheme):
    page = open_page(html, color_scheme=scheme, viewport={"width": 400, "height": 800})
    page.evaluate("document.querySelectorAll('details').forEach(node => { node.open = true; })")
    contrasts = page.evaluate(CONTRASTS)
    assert len(contrasts["text"]) > 150
    assert [found for found in contrasts["text"] if found[0] < 4.5] == []
    assert [found for found in contrasts["graphic"] if found[0] < 3] == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 400
    background = page.evaluate("getComputedStyle(document.body).backgroundColor.match(/\\d+/g).map(Number)")
    assert (max(background) < 64) == (scheme == "dark")


def test_it_is_read_without_script_and_on_paper(open_page, html):
    page = open_page(html, java_script_enabled=False)
    assert page.is_visible("text=residual first")
    assert page.is_visible("#case-RES-001 .body svg")
    assert not page.is_visible("#filter")
    page.click("#case-RES-002 summary")
    assert page.is_visible("#case-RES-002 .body")
    page.click("#passed summary")
    assert page.is_visible("#case-ACC-002")
    page.emulate_media(media="print", color_scheme="dark")
    assert page.locator("#case-RES-005 .body").bounding_box()["height"] > 50
    assert page.locator("#case-RES-005 .lines").is_visible()


def test_hostile_text_stays_text(open_page):
    hostile = (
        "<script>window.hacked = 1</script></script><img src=x onerror='window.hacked=1'>"
        "\"'{{7*7}}javascript:alert(1)\x1b[31m\u202eRTL" + "x" * 1_000_000
    )
    case = make_case(title=hostile, tags=(hostile[:80],))
    raised = judge(case, Observation(Raised(hostile, (), hostile, hostile), output=hostile), CLAUSES)
    given = run(returning({hostile[:200]: hostile}), make_case("CASE-002")).verdicts[0]
    setting = Setting(hostile[:100], again=("specharness", "--impl", hostile[:100]))
    result = RunResult(setting, [raised, given], CLAUSES, [(replace(case, id="CASE-003"), hostile)], notes=[hostile])
    page = open_page(render_html(result))
    assert _shown(page) == "3 of 3 cases"
    assert page.evaluate("window.hacked") is None
    assert page.complaints == []
    assert len(page.asked) == 1
    assert page.locator("img").count() == 0
    assert page.locator("a[href^='javascript']").count() == 0
    assert "<script>window.hacked = 1</script>" in page.inner_text("#case-CASE-001")
    page.fill("#q", "<script>window.hacked {{7*7}}")
    assert len(_settled(page, 3)) == 3
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
