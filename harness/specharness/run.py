"""One run: cases, implementation, judge, result."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from specharness.confirm import Confirmation
from specharness.errors import NothingSelected
from specharness.implementation.observation import Lost, Observation
from specharness.implementation.session import Imports
from specharness.judge.known import Stale, find_stale, place
from specharness.judge.score import score
from specharness.judge.verdict import Status, Verdict, judge
from specharness.report.result import RunResult, Setting
from specharness.suite.clauses import Clause
from specharness.suite.model import Case
from specharness.suite.policies import unmet_policy

if TYPE_CHECKING:
    from specharness.implementation.pool import Pool
    from specharness.implementation.runner import Runner
    from specharness.suite.baseline import Baseline

Watch = Callable[[Iterable[Verdict], int], Iterator[Verdict]]
"""Passes verdicts on as they come, of so many in all; where progress is shown."""


@dataclass(frozen=True, slots=True)
class Plan:
    """The cases to run, those that are not applicable with the reason, and the clauses they are judged by.

    The run stops after `most_failures` failures.
    """

    cases: Sequence[Case]
    skipped: Sequence[tuple[Case, str]]
    clauses: Mapping[str, Clause]
    most_failures: int | None = None
    score: bool = False
    selected_of: int | None = None
    baseline: Baseline | None = None


def plan_for(cases: Sequence[Case], clauses: Mapping[str, Clause], setting: Setting, **options: Any) -> Plan:
    """Part the cases by whether they are applicable. Raises `NothingSelected` where none is."""
    reasons = [(case, exclusion(case, setting)) for case in cases]
    runs = [case for case, reason in reasons if not reason]
    skipped = [(case, reason) for case, reason in reasons if reason]
    if not runs:
        raise NothingSelected(f"all {len(cases)} selected cases are skipped: {skipped[0][0].id} {skipped[0][1]}")
    return Plan(runs, skipped, clauses, **options)


def exclusion(case: Case, setting: Setting) -> str:
    """Why a case is not applicable to what `setting` declares, or an empty string."""
    dtype = setting.arithmetic.dtype
    if case.dtypes and dtype not in case.dtypes:
        return f"not for {dtype}"
    unmet = case.policies and unmet_policy(case, dict(setting.policies))
    return f"applies only where {unmet}" if unmet else ""


def run_plan(runner: Runner | Pool, plan: Plan, setting: Setting, watch: Watch) -> RunResult:
    """Run a plan on an implementation in its own process. An interrupt ends it with what was judged until then."""
    began = time.monotonic()
    verdicts: list[Verdict] = []
    interrupted = False
    try:
        stopped = _collect(runner.run(plan.cases), plan, setting, watch, verdicts)
        confirmation = Confirmation(runner, plan.clauses, setting, baseline=plan.baseline)
        for status in (Status.FAILED, Status.KNOWN):  # what is known takes no turn from what is not
            verdicts[1:] = [confirmation.confirm(v) if v.status is status else v for v in verdicts[1:]]
    except KeyboardInterrupt:
        interrupted, stopped = True, False
        runner.abandon()
    setting = replace(setting, language=runner.language)
    imports, scored = Imports(), None
    with suppress(KeyboardInterrupt):
        imports = Imports() if interrupted or stopped else runner.imports()
        if plan.score and not interrupted and not stopped:
            scored = score(verdicts, imports, python=runner.is_python)
    notes = notes_on(runner, imports, setting) + _given_up(verdicts)
    result = _result(verdicts, plan, setting, stopped=stopped, seconds=time.monotonic() - began)
    return replace(result, notes=notes, interrupted=interrupted, score=scored)


def notes_on(runner: Runner | Pool, imports: Imports, setting: Setting) -> list[str]:
    """What a run showed of an implementation that no case shows."""
    notes = []
    if imports.reference and not setting.self_check:
        notes.append("the implementation imports specreference, the reference itself")
    if runner.repeats_stopped:
        notes.append("second calls (SV-PURE-2) were left out after the first part of the run: they took too long")
    return notes


def run_observations(observations: Iterator[Observation], plan: Plan, setting: Setting) -> RunResult:
    """Judge observations that are made in this process."""
    began = time.monotonic()
    verdicts: list[Verdict] = []
    stopped = _collect(observations, plan, setting, lambda passing, total: iter(passing), verdicts)
    return _result(verdicts, plan, setting, stopped=stopped, seconds=time.monotonic() - began)


def _result(verdicts: list[Verdict], plan: Plan, setting: Setting, *, stopped: bool, seconds: float) -> RunResult:
    return RunResult(
        setting=setting,
        verdicts=verdicts,
        clauses=dict(plan.clauses),
        skipped=plan.skipped,
        missing=plan.cases[len(verdicts) :],
        selected_of=plan.selected_of,
        stopped=stopped,
        seconds=seconds,
        baseline=plan.baseline,
        stale=_stale(plan, verdicts),
    )


def _collect(
    observations: Iterator[Observation], plan: Plan, setting: Setting, watch: Watch, verdicts: list[Verdict]
) -> bool:
    """Judge observations into `verdicts`; whether failures stopped it with cases left."""
    judged = (
        _judge(case, observation, plan, setting) for case, observation in zip(plan.cases, observations, strict=False)
    )
    failures = 0
    for verdict in watch(judged, len(plan.cases)):
        verdicts.append(verdict)
        failures += verdict.status is Status.FAILED
        if failures == plan.most_failures:
            return len(verdicts) < len(plan.cases)
    return False


def _judge(case: Case, observation: Observation, plan: Plan, setting: Setting) -> Verdict:
    verdict = judge(case, observation, plan.clauses, strict=setting.strict, arithmetic=setting.arithmetic)
    return place(verdict, plan.baseline, strict=setting.strict)


def _stale(plan: Plan, verdicts: Sequence[Verdict]) -> list[Stale]:
    return find_stale(plan.baseline, verdicts, datetime.now(UTC).date()) if plan.baseline else []


def _given_up(verdicts: Sequence[Verdict]) -> list[str]:
    for verdict in verdicts:
        if verdict.status is Status.NOT_RUN and isinstance(verdict.observation.answer, Lost):
            return [f"from {verdict.case.id} on nothing was run: {verdict.observation.answer.detail}"]
    return []
