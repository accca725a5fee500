"""One case, one implementation, one verdict."""

from __future__ import annotations

from dataclasses import replace

from specharness.implementation.inprocess import run_here
from specharness.implementation.observation import Observation
from specharness.judge.rounding import Arithmetic
from specharness.judge.verdict import judge
from specharness.suite.clauses import load_clauses
from specharness.suite.model import Case, Expected, write_arguments
from specreference import PROFILES, InvalidInput, explain

CLAUSES = load_clauses()


def make_case(clauses=("SV-RES-1",), *, name="CASE-001", dtypes=(), profile="argmax", policies=(), **arguments):
    """A case of these arguments, by default one with two drafts of which the second is rejected.

    It expects what the reference gives: {'accepted_tokens': [1], 'bonus_token': 2, 'acceptance_count': 1}. The defaults
    are those of the profile `argmax`.
    """
    arguments = {
        "draft_tokens": [1, 0],
        "draft_probs": [[0.25, 0.5, 0.25], [0.75, 0.25, 0.0]],
        "target_probs": [[0.25, 0.5, 0.25], [0.25, 0.25, 0.5], [1.0, 0.0, 0.0]],
        "random_samples": [0.5, 0.5],
        **arguments,
    }
    try:
        outcome = explain(
            **arguments, profile=profile, policy=replace(PROFILES[profile].policy, **dict(policies))
        ).outcome
    except InvalidInput:
        expected = Expected(raises="ValueError")
    else:
        expected = Expected(outcome.accepted_tokens, outcome.bonus_token)
    return Case(
        id=name,
        title="a case",
        clauses=tuple(clauses),
        tags=(),
        dtypes=tuple(dtypes),
        policies=tuple(policies),
        notes="",
        profile=profile,
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
    """The verdict on a function of the four arguments. Options are those of `judge`, `dtype` and `space`."""
    arithmetic = Arithmetic(options.pop("dtype", "float64"), options.pop("space", "prob"))
    return judge(case, observe(case, function), CLAUSES, arithmetic=arithmetic, **options)


def verdict_on(case, value, **options):
    """The verdict on an implementation that returns `value`."""
    return verdict_of(case, lambda *arguments: value, **options)


def verdict_on_answer(case, answer, **options):
    return judge(case, Observation(answer), CLAUSES, **options)


def breaches(verdict):
    """Clause and level of each breach, in their order."""
    return [(breach.clause, breach.level.value) for breach in verdict.breaches]
