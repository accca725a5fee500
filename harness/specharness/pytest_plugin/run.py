"""A run with an implementation: what is collected; when the implementation is started, waited for and ended."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import suppress

import pytest

from specharness.api import declare
from specharness.errors import NotRunnable, SpecharnessError, UsageError
from specharness.implementation.bounds import Limits
from specharness.implementation.target import parse_target
from specharness.pytest_plugin.messages import in_words_of_pytest
from specharness.pytest_plugin.naming import is_case_file, is_test_file, part_arguments, sources_of
from specharness.pytest_plugin.nodes import CaseFile, CaseItem, Context, Unreadable
from specharness.pytest_plugin.options import Options
from specharness.pytest_plugin.subject import Subject
from specharness.pytest_plugin.summary import tell_notes
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_suite
from specharness.suite.select import Selection, select


def start_run(session: pytest.Session, options: Options) -> None:
    """Start the implementation, read the cases, and take part in the session. Raises `pytest.UsageError`."""
    subject = _subject(session.config, options)
    if options.from_ini and _asks_for_test_files(session.config):
        return
    run = _Run(session.config, subject)
    session.config.pluginmanager.register(run, "specharness-run")
    run.start()
    run.collectors = _collectors(session, options, subject)


class _Run:
    """The part of a session that has an implementation.

    Under xdist each worker process runs it. The controlling process, which runs no item, asks whether it can be loaded,
    since only there an error ends the session in good order.
    """

    def __init__(self, config: pytest.Config, subject: Subject) -> None:
        self.collectors: list[pytest.Collector] = []
        self._subject = subject
        self._collects_only = bool(config.option.collectonly)
        self._controls = config.pluginmanager.hasplugin("dsession")
        self._is_controlled = hasattr(config, "workerinput")

    def start(self) -> None:
        """Start the implementation; it loads while all is collected. Why it can't is told where it is needed."""
        if not self._collects_only:
            with suppress(NotRunnable):
                self._subject.start()

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
        self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """The case files stand beside what the session collects; once, since there is one session."""
        report = yield
        if isinstance(collector, pytest.Session) and report.passed:
            report.result.extend(self.collectors)
        return report

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> None:
        """All is collected and selected: wait for the implementation, where it is needed."""
        goes_on = not session.testsfailed or session.config.option.continue_on_collection_errors
        if self._collects_only or self._is_controlled or not goes_on:
            return
        if self._controls or any(isinstance(item, CaseItem) for item in session.items):
            try:
                self._subject.wait_ready()
            except NotRunnable as error:
                raise pytest.UsageError(in_words_of_pytest(str(error))) from None
        if self._controls:
            self._subject.close()

    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """End the implementation."""
        tell_notes(session.config, self._subject.close())


def _subject(config: pytest.Config, options: Options) -> Subject:
    try:
        setting = declare(
            options.impl,
            profile=options.profile,
            dtype=options.dtype,
            space=options.space,
            policies=options.policies,
            strict=options.strict,
            shipped=not options.cases,
        )
        target = parse_target(options.impl, python=options.python, folder=options.folder, search=_search_path(config))
    except (UsageError, NotRunnable) as error:
        raise pytest.UsageError(in_words_of_pytest(str(error))) from None
    return Subject(target, Limits(timeout=options.timeout), setting)


def _search_path(config: pytest.Config) -> list[str]:
    """The folders that pytest is told to find modules in."""
    try:
        return [str(path) for path in config.getini("pythonpath")]
    except (KeyError, ValueError):  # the plugin that knows it is left out
        return []


def _collectors(session: pytest.Session, options: Options, subject: Subject) -> list[pytest.Collector]:
    """The nodes of the case files that are asked for. Takes the arguments that name cases from pytest's."""
    config = session.config
    folder = config.invocation_params.dir
    try:
        clauses = load_clauses()
        cases = select(load_suite(options.cases), Selection(profile=options.profile), clauses)
    except SpecharnessError as error:
        config.args = [argument for argument in config.args if not is_case_file(argument)]
        return [Unreadable.of(session, in_words_of_pytest(str(error)))]
    except ImportError as error:
        return [Unreadable.of(session, f"{error}; install specharness again")]
    sources = sources_of(cases, config, shipped=not options.cases)
    config.args, named = part_arguments(config.args, sources, folder)
    context = Context(subject, clauses, ("pytest", *options.again))
    return [CaseFile.of(session, source, context) for source in (sources if named is None else named)]


def _asks_for_test_files(config: pytest.Config) -> bool:
    """Whether the command line names test files or what is in them, and nothing else."""
    folder = config.invocation_params.dir
    given = config.args_source is pytest.Config.ArgsSource.ARGS
    return given and all(is_test_file(argument, folder) for argument in config.args)
