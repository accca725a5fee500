"""One case, one implementation, one verdict."""

from __future__ import annotations

from specharness.implementation.inprocess import run_here
from specharness.implementation.observation import Observation
from specharness.judge.verdict import judge
from specharness.suite.clauses import load_clauses
from specharness.suite.model import Case, Expected, write_arguments
from specreference import InvalidInput, verify_speculative_tokens

CLAUSES = load_clauses()


def make_case(clauses=("SV-RES-1",), *, name="CASE-001", dtypes=(), **arguments):
    """A case of these arguments, by default one with two drafts of which the second is rejected.

    It expects what the reference gives: {'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}.
    """
    arguments = {
        "draft_tokens": [1, 0],
        "draft_probs": [[0.25, 0.5, 0.25], [0.75, 0.25, 0.0]],
        "target_probs": [[0.25, 0.5, 0.25], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]],
        "random_samples": [0.5, 0.5],
        **arguments,
    }
    try:
        result = verify_speculative_tokens(**arguments)
    except InvalidInput:
        expected = Expected(raises="ValueError")
    else:
        expected = Expected(tuple(result["accepted_tokens"]), result["bonus_token"])
    return Case(
        id=name,
        title="a case",
        clauses=tuple(clauses),
        tags=(),
        dtypes=tuple(dtypes),
        notes="",
        profile="argmax",
        file="cases/made.yaml",
        line=3,
        arguments_json=write_arguments(arguments),
        expected=expected,
    )


def right(accepted=(1,), bonus=2, count=None, **more):
    """The result that `make_case()` expects, or one that differs from it."""
    return {
        "accepted_tokens": list(accepted),
        "bonus_token": bonus,
        "acceptance_count": len(accepted) if count is None else count,
        **more,
    }


def observe(case, function, *, repeat=True):
    (observation,) = run_here(function, [case], repeat=repeat)
    return observation


def verdict_of(case, function, **options):
    """The verdict on a function of the four arguments."""
    return judge(case, observe(case, function), CLAUSES, **options)


def verdict_on(case, value, **options):
    """The verdict on an implementation that returns `value`."""
    return verdict_of(case, lambda *arguments: value, **options)


def verdict_on_answer(case, answer, **options):
    return judge(case, Observation(answer), CLAUSES, **options)


def breaches(verdict):
    """Clause and level of each breach, in their order."""
    return [(breach.clause, breach.level.value) for breach in verdict.breaches]
