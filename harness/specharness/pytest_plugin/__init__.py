"""The plugin for pytest: the cases as test items.

It is loaded in every run of every project that has specharness installed. So until an implementation is named it
imports only pytest and the standard library, and does nothing that can fail.
"""

from __future__ import annotations

import pytest

from specharness.pytest_plugin.options import ask_options, declare_options, named_implementation
from specharness.pytest_plugin.summary import add_summary

PARAMETER = "specharness_case"
"""The parameter of `conformance_test` functions that holds the case."""

_MARKERS = (
    "specharness: a conformance case.",
    "specharness_must: a conformance case that gates.",
    "specharness_should: a conformance case that gives advice, and gates only where that is asked for.",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Declare the options and ini keys."""
    declare_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    """Register what `conformance_test` needs, too."""
    for line in _MARKERS:
        config.addinivalue_line("markers", line)
    add_summary(config)


def pytest_report_header(config: pytest.Config) -> str | None:
    """Name the implementation."""
    impl = named_implementation(config)
    return f"specharness: {impl}" if impl else None


@pytest.hookimpl(tryfirst=True)
def pytest_collection(session: pytest.Session) -> None:
    """Get ready to collect the cases, where an implementation is named."""
    options = ask_options(session.config)
    if options is None:
        return
    try:
        from specharness.pytest_plugin.run import start_run
    except ImportError as error:
        raise pytest.UsageError(f"specharness can't be used: {error}; install it again") from None
    start_run(session, options)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let -k choose among the cases of `conformance_test` by clause and tag."""
    for item in items:
        case = getattr(getattr(item, "callspec", None), "params", {}).get(PARAMETER)
        if case is not None:
            item.extra_keyword_matches.update((*case.clauses, *case.tags))
