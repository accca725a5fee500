"""The implementation under test, in a process of its own that lasts as long as the session."""

from __future__ import annotations

from collections.abc import Mapping

from specharness.confirm import Confirmation
from specharness.implementation.bounds import Limits
from specharness.implementation.runner import Runner
from specharness.implementation.target import Target
from specharness.judge.verdict import Verdict, judge
from specharness.report.result import Setting
from specharness.run import notes_on
from specharness.suite.clauses import Clause
from specharness.suite.model import Case


class Subject:
    """Asked one case at a time, and judged at once."""

    def __init__(self, target: Target, limits: Limits, setting: Setting) -> None:
        self.setting = setting
        self._target = target
        self._limits = limits
        self._runner: Runner | None = None
        self._confirmation: Confirmation | None = None

    def start(self) -> None:
        """Start it, without waiting until it is loaded. Raises `NotRunnable` where it can't be started."""
        self._runner = Runner(self._target, self._limits, profile=self.setting.profile)

    def wait_ready(self) -> None:
        """Wait until it is loaded. Raises `NotRunnable`."""
        self._running().wait_ready()

    def judge(self, case: Case, clauses: Mapping[str, Clause]) -> Verdict:
        """Observe and judge a case. Raises `NotRunnable` where it can't be started."""
        observation = self._running().observe(case)
        verdict = judge(case, observation, clauses, strict=self.setting.strict, arithmetic=self.setting.arithmetic)
        if self._confirmation is None:  # the first case has no earlier calls to depend on
            self._confirmation = Confirmation(self._running(), clauses, self.setting)
            return verdict
        return self._confirmation.confirm(verdict)

    def close(self) -> list[str]:
        """End it; what it showed that no case shows."""
        if self._runner is None:
            return []
        runner, self._runner = self._runner, None
        try:
            return notes_on(runner, runner.imports(), self.setting) if self._confirmation else []
        finally:
            runner.close()

    def _running(self) -> Runner:
        if self._runner is None:
            self.start()
        assert self._runner
        return self._runner
