"""Searches on functions of this process."""

from __future__ import annotations

from specharness.fuzz.search import Budget, Search
from specharness.fuzz.subject import Rules, Subject
from specharness.implementation.inprocess import observe_here
from specharness.judge.rounding import Arithmetic
from specharness.suite.clauses import load_clauses

CLAUSES = load_clauses()


def subject(function, profile="argmax", *, dtype="float64", space="prob", policies=(), strict=False):
    """An implementation that is called here."""
    rules = Rules(profile, CLAUSES, Arithmetic(dtype, space), tuple(policies), strict)
    return Subject(lambda case: observe_here(function, list(case.arguments().values()), repeat=True), rules)


def search(function, profile="argmax", *, examples=150, seconds=30.0, seed=0, shipped=(), **declared):
    """What a search of so many examples comes to."""
    return Search(subject(function, profile, **declared), shipped, Budget(examples, seconds, seed)).run()


def result(accepted, bonus):
    return {"accepted_tokens": list(accepted), "bonus_token": bonus, "acceptance_count": len(accepted)}


def causes(outcome):
    return {finding.cause for finding in outcome.findings}
