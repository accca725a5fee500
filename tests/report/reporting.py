"""Results of runs on a few made cases."""

from __future__ import annotations

from dataclasses import replace

from specharness.implementation.inprocess import run_here
from specharness.report.result import RunResult, Setting
from specharness.run import plan_for, run_observations
from specharness.suite.clauses import load_clauses
from specharness.suite.model import Case, Expected, write_arguments
from specreference import InvalidInput, verify_speculative_tokens

CLAUSES = load_clauses()
AGAIN = ("specharness", "--impl", "my solution.py")


def make_case(name="CASE-001", clauses=("SV-RES-1",), *, title="a case", dtypes=(), notes="", tags=(), **arguments):
    """By default two drafts, the second rejected: [1] accepted, 2 recovered."""
    arguments = {
        "draft_tokens": [1, 0],
        "draft_probs": [[0.25, 0.5, 0.25], [0.75, 0.25, 0.0]],
        "target_probs": [[0.25, 0.5, 0.25], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]],
        "random_samples": [0.5, 0.5],
        **arguments,
    }
    try:
        result = verify_speculative_tokens(**arguments)
        expected = Expected(tuple(result["accepted_tokens"]), result["bonus_token"])
    except InvalidInput:
        expected = Expected(raises="ValueError")
    return Case(
        id=name,
        title=title,
        clauses=tuple(clauses),
        tags=tuple(tags),
        dtypes=tuple(dtypes),
        notes=notes,
        profile="argmax",
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


def run(function, *cases, dtype="float64", strict=False, again=AGAIN, output="", **changes) -> RunResult:
    """The result of a run here. `output` is what every call is said to have printed."""
    setting = Setting("my solution.py", dtype=dtype, strict=strict, again=again)
    observations = (replace(each, output=output) for each in run_here(function, list(cases), repeat=True))
    result = run_observations(observations, plan_for(cases, CLAUSES, dtype), setting)
    return replace(result, **changes)


def returning(value):
    return lambda *arguments: value


def raising(error):
    def function(*arguments):
        raise error

    return function
