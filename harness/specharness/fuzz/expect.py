"""From an input to a case: what the reference makes of it, and by which clauses."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import fsum
from typing import Any

from specharness.judge.attribution import clause_of_acceptance, clause_of_choice
from specharness.judge.rounding import Arithmetic
from specharness.suite.model import Case, Expected, write_arguments
from specharness.suite.policies import hanging
from specreference import POLICIES, InvalidInput, Policy, Trace, acceptable_outcomes, explain
from specreference.dtypes import DTYPES

_OFF = 1e-6
"""Rows that sum to 1 within this need no SV-IN-9."""


@dataclass(frozen=True, slots=True)
class Posed:
    """An input as a case. `open` is whether the spec leaves its outcome open, so that nothing is expected."""

    case: Case
    open: bool = False


def pose(arguments: dict[str, Any], profile: str, policy: Policy) -> Posed:
    """The case of an input, with the reference's expectation and the clauses that it shows."""
    case = Case(
        id="FUZZ-001",
        title="",
        clauses=(),
        tags=("fuzz",),
        dtypes=(),
        policies=(),
        notes="",
        profile=profile,
        file="",
        line=0,
        arguments_json=write_arguments(arguments),
        expected=Expected(raises="ValueError"),
    )
    try:
        trace = explain(**arguments, profile=profile, policy=policy)
    except InvalidInput as error:
        return Posed(replace(case, clauses=(error.clause,)))
    outcome = trace.outcome
    case = replace(case, expected=Expected(tuple(outcome.accepted_tokens), outcome.bonus_token))
    case = replace(case, clauses=_clauses(case, arguments, trace))
    return Posed(case, _is_open(arguments, trace, profile))


def _is_open(arguments: dict[str, Any], trace: Trace, profile: str) -> bool:
    """Whether spec/ambiguities.md leaves the outcome open: Q-1, Q-2, Q-11."""
    if any(u == 1 for u in arguments["random_samples"]):
        return True
    if profile == "argmax" and any(step.u == 0 and step.above == 0 for step in trace.decisions):
        return True
    return profile == "block" and _sums_otherwise(arguments, 1e-9)


def _sums_otherwise(arguments: dict[str, Any], off: float) -> bool:
    rows = [*(arguments["draft_probs"] or ()), *arguments["target_probs"]]
    return any(abs(fsum(row) - 1) > off for row in rows)


def _clauses(case: Case, arguments: dict[str, Any], trace: Trace) -> tuple[str, ...]:
    """The clauses that the outcome shows: of the decision, of the last token, and those beyond the statement."""
    drafts, kept = len(arguments["draft_tokens"]), len(case.expected.accepted_tokens)
    clauses = [clause_of_acceptance(case, few=True)] if drafts else []
    if drafts and kept < drafts and case.profile == "argmax" and _is_tied(trace):
        clauses.append("SV-TIE-1")
    if kept == drafts and case.expected.bonus_token is not None and case.profile == "argmax" and _is_tied(trace):
        clauses.append("SV-TIE-2")
    clauses.append(clause_of_choice(case, drafts) if drafts else "SV-BON-3")
    clauses += trace.hardened
    if _sums_otherwise(arguments, _OFF):
        clauses.append("SV-IN-9")
    return tuple(dict.fromkeys(clauses))


def _is_tied(trace: Trace) -> bool:
    counts = trace.choices[-1].weights.counts if trace.choices else [0]
    return list(counts).count(max(counts)) > 1


def written(case: Case, *, id: str, title: str, notes: str, policy: Policy) -> Case:  # noqa: A002  # the field's name
    """The case as a file should hold it: with the policies that it hangs on, and the dtypes that can tell it."""
    arguments = case.arguments()
    case = replace(case, id=id, title=title, notes=notes)
    if case.expected.raises:
        return case
    possible = [dtype for dtype in DTYPES if is_decided(case, policy, Arithmetic(dtype))]
    dtypes = () if len(possible) == len(DTYPES) else tuple(possible)
    outcome = explain(**arguments, profile=case.profile, policy=policy).outcome
    names = hanging(arguments, case.profile, policy, outcome)
    return replace(case, dtypes=dtypes, policies=tuple((name, getattr(policy, name)) for name in names))


def is_decided(case: Case, policy: Policy, arithmetic: Arithmetic) -> bool:
    """Whether only one outcome of a valid input is acceptable in an arithmetic, so that two calls can be compared."""
    found = acceptable_outcomes(
        **case.arguments(),
        profile=case.profile,
        policy=policy,
        dtype=arithmetic.dtype,
        space=arithmetic.space,
        limit=2,
    )
    return len(found) == 1


def may_lack_mass(case: Case, policy: Policy, arithmetic: Arithmetic) -> bool:
    """Whether the residual may be rounded to no mass at all, so that the outcome hangs on SV-RES-2."""
    if arithmetic == Arithmetic() or case.expected.raises:
        return False
    found = [
        acceptable_outcomes(
            **case.arguments(),
            profile=case.profile,
            policy=replace(policy, massless=massless),
            dtype=arithmetic.dtype,
            space=arithmetic.space,
        )
        for massless in POLICIES["massless"]
    ]
    return any(set(outcomes) != set(found[0]) for outcomes in found[1:])
