"""The nodes of pytest's tree: case files, and their cases as items."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from os import PathLike
from typing import Any

import pytest

from specharness.errors import NotRunnable
from specharness.judge.compare import ANOTHER_IN_NEW_PROCESS
from specharness.judge.verdict import Verdict
from specharness.pytest_plugin.messages import in_words_of_pytest
from specharness.pytest_plugin.naming import CaseSource
from specharness.pytest_plugin.outcome import marks_of, settle
from specharness.pytest_plugin.subject import Subject
from specharness.run import exclusion
from specharness.suite.clauses import Clause
from specharness.suite.model import Case


@dataclass(frozen=True, slots=True)
class Context:
    """What all items share. `again` are the words of a command that runs all of them again."""

    subject: Subject
    clauses: Mapping[str, Clause]
    again: tuple[str, ...]


class CaseFile(pytest.Collector):
    """A case file. It is no `pytest.File`: --lf passes over files that it knows no failure of by their path."""

    def __init__(self, *, source: CaseSource, context: Context, **node: Any) -> None:
        super().__init__(**node)
        self._source = source
        self._context = context

    @classmethod
    def of(cls, session: pytest.Session, source: CaseSource, context: Context) -> CaseFile:
        """The node of a case file."""
        node = {"name": source.name, "nodeid": source.name, "path": source.path}
        made: CaseFile = cls.from_parent(session, source=source, context=context, **node)
        return made

    def collect(self) -> Iterator[CaseItem]:
        """An item for each case."""
        for case in self._source.cases:
            yield CaseItem.of(self, case, self._source, self._context)


class CaseItem(pytest.Item):
    """One case."""

    def __init__(self, *, case: Case, source: CaseSource, context: Context, **node: Any) -> None:
        super().__init__(**node)
        self._case = case
        self._source = source
        self._context = context
        self.extra_keyword_matches.update((*case.clauses, *case.tags))
        for mark in marks_of(case, context.clauses, exclusion(case, context.subject.setting)):
            self.add_marker(mark)

    @classmethod
    def of(cls, parent: CaseFile, case: Case, source: CaseSource, context: Context) -> CaseItem:
        """The item of a case."""
        made: CaseItem = cls.from_parent(parent, name=case.id, case=case, source=source, context=context)
        return made

    def reportinfo(self) -> tuple[PathLike[str] | str, int | None, str]:
        """Where the case is written."""
        return self.path, self._case.line - 1, self.name

    @cached_property
    def location(self) -> tuple[str, int | None, str]:
        """As pytest's, with the file as node ids have it: the shipped cases lie deep in some environment."""
        return self._source.name, self._case.line - 1, self.name

    def runtest(self) -> None:
        """Observe, judge, and settle."""
        try:
            verdict = self._context.subject.judge(self._case, self._context.clauses)
        except NotRunnable as error:
            pytest.fail(in_words_of_pytest(str(error)), pytrace=False)
        again = self._again(verdict)
        settle(verdict, self, self._context.subject.setting, self._context.clauses, again=again)

    def repr_failure(self, excinfo: pytest.ExceptionInfo[BaseException], style: Any = None) -> Any:
        """As pytest's; where it says in short what failed, that is a line, at the place of the case."""
        shown = super().repr_failure(excinfo, style)
        crash = getattr(shown, "reprcrash", None)
        if crash is not None and isinstance(excinfo.value, pytest.fail.Exception):
            crash.path, crash.lineno = str(self.path), self._case.line
            crash.message = crash.message.partition("\n")[0]
        return shown

    def _again(self, verdict: Verdict) -> str:
        if any(breach.cause == ANOTHER_IN_NEW_PROCESS for breach in verdict.breaches):
            return shlex.join(self._context.again) + "  (it depends on the calls before it)"
        return shlex.join([*self._context.again, f"{self._source.argument}::{self.name}"])


class Unreadable(pytest.Collector):
    """Stands for cases that can't be had."""

    def __init__(self, *, reason: str, **node: Any) -> None:
        super().__init__(**node)
        self._reason = reason

    @classmethod
    def of(cls, session: pytest.Session, reason: str) -> Unreadable:
        """The node, which can't be collected for `reason`."""
        made: Unreadable = cls.from_parent(session, name="specharness", nodeid="specharness", reason=reason)
        return made

    def collect(self) -> Iterator[CaseItem]:
        """Tell the reason as an error of collection."""
        raise self.CollectError(self._reason)
