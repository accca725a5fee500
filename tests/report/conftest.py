"""A browser for the HTML report, one for all tests of a process."""

import os
from pathlib import Path

import pytest
from browsers import find_browser


@pytest.fixture(scope="session")
def browser():
    """A headless Chromium. Without one the test is skipped, unless SPECHARNESS_BROWSER says that there is one."""
    if os.environ.get("SPECHARNESS_BROWSER"):
        import playwright.sync_api as api
    else:
        api = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    path = find_browser()
    if path is None:
        named = os.environ.get("SPECHARNESS_BROWSER")
        assert not named, f"SPECHARNESS_BROWSER={named}: not found, or can't be run"
        pytest.skip("no Chromium found; .ci/browser gets one")
    with api.sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path)
        yield chromium
        chromium.close()


@pytest.fixture
def open_page(browser, tmp_path):
    """`open_page(html, fragment, **options)` opens a page. What it complains of and asks for is kept with it."""
    contexts = []

    def open_(html: str, fragment: str = "", **options):
        path = Path(tmp_path, "page.html")
        path.write_text(html, encoding="utf-8")
        contexts.append(browser.new_context(**options))
        page = contexts[-1].new_page()
        page.complaints, page.asked = [], []
        page.on("console", lambda message: page.complaints.append(message.text))
        page.on("pageerror", lambda error: page.complaints.append(str(error)))
        page.on("dialog", lambda dialog: (page.complaints.append(dialog.message), dialog.dismiss()))
        page.on("request", lambda request: page.asked.append(request))
        page.goto(path.as_uri() + fragment)
        return page

    yield open_
    for context in contexts:
        context.close()
