"""Failures that depend on earlier calls, told from those that the case itself shows."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from specharness.implementation.observation import Lost
from specharness.judge.known import gates, place
from specharness.judge.verdict import Status, Verdict, judge
from specharness.report.result import Setting
from specharness.suite.baseline import Baseline
from specharness.suite.clauses import Clause

if TYPE_CHECKING:
    from specharness.implementation.pool import Pool
    from specharness.implementation.runner import Runner

_CASES = 3
_SECONDS = 10.0


class Confirmation:
    """Asks a new process about failures: what depends on earlier calls breaks SV-PURE-2, not the case.

    It does so for the first few failures, and for a bounded time in all.
    """

    def __init__(
        self,
        runner: Runner | Pool,
        clauses: Mapping[str, Clause],
        setting: Setting,
        *,
        baseline: Baseline | None = None,
    ) -> None:
        self._runner = runner
        self._clauses = clauses
        self._setting = setting
        self._baseline = baseline
        self._tried = 0
        self._seconds = 0.0

    def confirm(self, verdict: Verdict) -> Verdict:
        """The verdict with a new process's answer where it is a failure; its process must have had earlier calls."""
        if self._tried == _CASES or self._seconds > _SECONDS or not self._may_depend(verdict):
            return verdict
        began = time.monotonic()
        fresh = self._runner.observe_fresh(verdict.case)
        self._seconds += time.monotonic() - began
        self._tried += 1
        if fresh is None:
            return verdict
        judged = judge(
            verdict.case,
            replace(verdict.observation, fresh=fresh),
            self._clauses,
            strict=self._setting.strict,
            arithmetic=self._setting.arithmetic,
        )
        return place(judged, self._baseline, strict=self._setting.strict)

    def _may_depend(self, verdict: Verdict) -> bool:
        """Whether it is a failure with an answer, and has not shown yet that it depends on earlier calls."""
        if verdict.status not in (Status.FAILED, Status.KNOWN) or isinstance(verdict.observation.answer, Lost):
            return False
        gating = any(gates(breach, strict=self._setting.strict) for breach in verdict.breaches)
        return gating and not any(breach.clause == "SV-PURE-2" for breach in verdict.breaches)
