"""What the session says at its end: advice by clause, and notes on the implementation.

It is loaded in every run, and imports only pytest and the standard library until there is something to say.
"""

from __future__ import annotations

from typing import Any

import pytest

ADVICE = "specharness_advice"
"""The name of the test property that holds advice, as "CLAUSE: what differs"."""

_NOTES = "specharness_notes"
_NAME = "specharness-summary"
_NAMED = 3


def add_summary(config: pytest.Config) -> None:
    """Let the session say it."""
    config.pluginmanager.register(_Summary(), _NAME)


def tell_notes(config: pytest.Config, notes: list[str]) -> None:
    """Add notes to the summary; under xdist, to that of the controlling process."""
    if hasattr(config, "workeroutput"):
        config.workeroutput[_NOTES] = notes
        return
    summary = config.pluginmanager.get_plugin(_NAME)
    assert isinstance(summary, _Summary)
    summary.notes.update(dict.fromkeys(notes))


class _Summary:
    """Gathers advice from the reports of tests."""

    def __init__(self) -> None:
        self.notes: dict[str, None] = {}
        self._advice: dict[str, list[tuple[str, str]]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Keep the advice of a test."""
        if report.when != "call" or not report.user_properties:
            return
        for name, value in report.user_properties:
            if name == ADVICE:
                clause, _, difference = str(value).partition(": ")
                self._advice.setdefault(clause, []).append((report.nodeid, difference))

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        """A process of xdist has ended."""
        self.notes.update(dict.fromkeys(getattr(node, "workeroutput", {}).get(_NOTES, ())))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Say it."""
        if not self._advice and not self.notes:
            return
        terminalreporter.section("specharness")
        for note in self.notes:
            terminalreporter.write_line(note)
        if self._advice:
            self._write_advice(terminalreporter)

    def _write_advice(self, terminalreporter: pytest.TerminalReporter) -> None:
        from specharness.suite.clauses import load_clauses

        clauses = load_clauses()
        count = sum(map(len, self._advice.values()))
        tests = "1 test" if count == 1 else f"{count} tests"
        terminalreporter.write_line(f"advice on {tests}, beyond the original statement; in full with -rP")
        if terminalreporter.verbosity < 0:
            return
        for name in sorted(self._advice, key=[*clauses].index):
            given = self._advice[name]
            cases = list(dict.fromkeys(_name_of(nodeid) for nodeid, _ in given))
            named = ", ".join(cases[:_NAMED]) + (f", and {len(cases) - _NAMED} more" if len(cases) > _NAMED else "")
            _write_wrapped(terminalreporter, f"{name} {clauses[name].sentence}", "  ", "    ")
            _write_wrapped(terminalreporter, f"{named}: {given[0][1]}", "    | ", "    |   ")


def _name_of(nodeid: str) -> str:
    """The id of the case."""
    name = nodeid.rpartition("::")[2]
    return name.partition("[")[2].rstrip("]") or name


def _write_wrapped(terminalreporter: pytest.TerminalReporter, text: str, first: str, others: str) -> None:
    import shutil
    import textwrap

    wrapper = textwrap.TextWrapper(
        max(40, min(100, shutil.get_terminal_size((80, 24)).columns)),
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
    for line in wrapper.wrap(text):
        terminalreporter.write_line(line)
