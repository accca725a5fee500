"""Results of runs on a few made cases."""

from __future__ import annotations

from dataclasses import replace

from specharness.implementation.inprocess import run_here
from specharness.judge.rounding import Arithmetic
from specharness.report.result import RunResult, Setting
from specharness.run import plan_for, run_observations
from specharness.suite.clauses import load_clauses
from specharness.suite.model import Case, Expected, write_arguments
from specreference import PROFILES, InvalidInput, explain

CLAUSES = load_clauses()
AGAIN = ("specharness", "--impl", "my solution.py")


def make_case(
    name="CASE-001",
    clauses=("SV-RES-1",),
    *,
    title="a case",
    dtypes=(),
    policies=(),
    profile="argmax",
    notes="",
    tags=(),
    **arguments,
):
    """By default two drafts, the second rejected: [1] accepted, 2 recovered."""
    arguments = {
        "draft_tokens": [1, 0],
        "draft_probs": [[0.25, 0.5, 0.25], [0.75, 0.25, 0.0]],
        "target_probs": [[0.25, 0.5, 0.25], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]],
        "random_samples": [0.5, 0.5],
        **arguments,
    }
    try:
        policy = replace(PROFILES[profile].policy, **dict(policies))
        outcome = explain(**arguments, profile=profile, policy=policy).outcome
        expected = Expected(outcome.accepted_tokens, outcome.bonus_token)
    except InvalidInput:
        expected = Expected(raises="ValueError")
    return Case(
        id=name,
        title=title,
        clauses=tuple(clauses),
        tags=tuple(tags),
        dtypes=tuple(dtypes),
        policies=tuple(policies),
        notes=notes,
        profile=profile,
        file="cases/made.yaml",
        line=3,
        arguments_json=write_arguments(arguments),
        expected=expected,
    )


def right(accepted=(1,), bonus=2, count=None):
    return {
        "accepted_tokens": list(accepted),
        "bonus_token": bonus,
        "acceptance_count": len(accepted) if count is None else count,
    }


def run(
    function, *cases, dtype="float64", space="prob", policies=(), strict=False, again=AGAIN, output="", **changes
) -> RunResult:
    """The result of a run here. `output` is what every call is said to have printed."""
    setting = Setting(
        "my solution.py",
        profile=cases[0].profile,
        arithmetic=Arithmetic(dtype, space),
        policies=policies,
        strict=strict,
        again=again,
    )
    plan = plan_for(cases, CLAUSES, setting)
    observations = (replace(each, output=output) for each in run_here(function, plan.cases, repeat=True))
    result = run_observations(observations, plan, setting)
    return replace(result, **changes)


def returning(value):
    return lambda *arguments: value


def raising(error):
    def function(*arguments):
        raise error

    return function
