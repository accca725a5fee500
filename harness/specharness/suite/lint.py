"""The semantic check of cases: right by the reference, settled by the spec, decided in every dtype they run in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from fractions import Fraction
from typing import Any

from specharness.names import did_you_mean
from specharness.suite.build import Written
from specharness.suite.clauses import Clause
from specharness.suite.model import Case
from specharness.suite.numbers import InexactDecimal
from specharness.suite.policies import hanging, policy_of
from specharness.suite.problems import Problem
from specharness.suite.yaml12 import Mark
from specreference import (
    POLICIES,
    InvalidInput,
    Outcome,
    Policy,
    Trace,
    acceptable_outcomes,
    explain,
)
from specreference.dtypes import DTYPES

_OPEN = "an open question (spec/ambiguities.md), which no case may score"
_AS_FRACTIONS = "a decimal tie is often none in binary64, so write fractions n/d"
_CLOSE = Fraction(4, 2**53)


Found = Iterator[tuple[Mark, str]]
"""Places and messages."""


def lint(written: Iterable[Written], clauses: Mapping[str, Clause]) -> list[Problem]:
    """What is wrong with cases of the right shape, in their order."""
    problems: list[Problem] = []
    first_by_id: dict[str, Case] = {}
    first_by_input: dict[tuple[object, ...], Case] = {}
    for item in written:
        case = item.case
        found = list(_check(item, clauses))
        same_id = first_by_id.setdefault(case.id, case)
        same_input = first_by_input.setdefault((case.profile, case.policies, case.arguments_json), case)
        if same_id is not case:
            found.append((item.mark, f"the id is taken by {same_id.file}:{same_id.line}; expected an unused one"))
        elif same_input is not case:
            found.append((item.mark, f"its input is that of {same_input.id} ({same_input.file}:{same_input.line})"))
        problems += [Problem(case.file, mark, case.id, message) for mark, message in found]
    return problems


def takes_decimals(case: Case) -> bool:
    """Whether a file may hold the case's numbers as decimals that are not exact."""
    arguments = {name: _inexact(value) for name, value in case.arguments().items()}
    try:
        trace = explain(**arguments, profile=case.profile, policy=policy_of(case))
    except InvalidInput:
        return True
    return not any(_check_decimals(Written(case, (1, 1), (1, 1), (1, 1), arguments), trace))


def _inexact(value: Any) -> Any:
    if isinstance(value, list):
        return [_inexact(item) for item in value]
    return InexactDecimal(value) if isinstance(value, float) else value


def _check(item: Written, clauses: Mapping[str, Clause]) -> Found:
    case = item.case
    for name in case.clauses:
        if name not in clauses:
            yield item.clauses_mark, f"found the clause {name}, which the spec lacks.{did_you_mean(name, clauses)}"
    policy = policy_of(case)
    try:
        trace = explain(**item.arguments, profile=case.profile, policy=policy)
    except InvalidInput as error:
        yield from _check_raising(item, error)
        return
    if case.expected.raises:
        result = trace.outcome.as_result()
        yield item.expect_mark, f"expects {case.expected.raises}, but the reference gives {result}"
        return
    unclear = [*_check_open_questions(item, trace), *_check_decimals(item, trace), *_check_dtypes(item, policy)]
    yield from unclear or _check_expectation(item, trace)
    yield from _check_reliance(item, trace)
    yield from _check_reach(item, trace)
    yield from _check_policies(item, trace, policy)


def _check_raising(item: Written, error: InvalidInput) -> Found:
    if not item.case.expected.raises:
        yield item.expect_mark, f"expects a result, but the reference raises ValueError: {error}"
    elif error.clause not in item.case.clauses:
        yield item.clauses_mark, f"the reference raises by {error.clause} ({error}), which its clauses lack"


def _check_expectation(item: Written, trace: Trace) -> Found:
    expected, right = item.case.expected.as_result(), trace.outcome.as_result()
    for key, value in right.items():
        if expected[key] != value:
            yield item.expect_mark, f"expects {key} {expected[key]}, but the reference gives {value}"


def _check_reliance(item: Written, trace: Trace) -> Found:
    """A case that hangs on a SHOULD clause lists it, else it would gate by more than the original statement."""
    for name in trace.hardened:
        if name not in item.case.clauses:
            yield item.clauses_mark, f"its outcome hangs on {name}, which its clauses lack"
    for argument in ("draft_probs", "target_probs"):
        for i, row in enumerate(item.arguments[argument] or ()):
            if abs(math.fsum(row) - 1) > 1e-6 and "SV-IN-9" not in item.case.clauses:
                found = f"{argument}[{i}] sums to {math.fsum(row)}"
                yield item.clauses_mark, f"{found}; expected 1, or SV-IN-9 among its clauses"


_NEEDS_ALL = ("SV-BON-1", "SV-BON-2", "SV-TIE-2", "SV-SMP-3", "SV-ONE-4", "SV-BLK-6")
_NEEDS_REJECTION = ("SV-RES-1", "SV-RES-2", "SV-TIE-1", "SV-STOP-1", "SV-SMP-2", "SV-GRD-3", "SV-ONE-3", "SV-BLK-5")


def _check_reach(item: Written, trace: Trace) -> Found:
    """A case comes to where its clauses speak."""
    kept, drafts = len(trace.outcome.accepted_tokens), len(item.arguments["draft_tokens"])
    for name in item.case.clauses:
        if name in _NEEDS_ALL and kept < drafts:
            yield item.clauses_mark, f"lists {name}, but draft token {kept} is rejected"
        elif name in _NEEDS_REJECTION and kept == drafts:
            yield item.clauses_mark, f"lists {name}, but all draft tokens are accepted"
        elif name == "SV-BON-3" and drafts:
            yield item.clauses_mark, f"lists {name}, but K is {drafts}"


def _check_policies(item: Written, trace: Trace, policy: Policy) -> Found:
    """A case names the policies that its outcome hangs on, and no others; only `sampled` has any to name."""
    case, named = item.case, dict(item.case.policies)
    if case.profile != "sampled":
        if named:
            yield item.mark, f"names the policy {', '.join(named)}; only the profile sampled has policies"
        return
    hangs = hanging(item.arguments, case.profile, policy, trace.outcome)
    for name in POLICIES:
        if name in hangs and name not in named:
            yield (
                item.mark,
                f"its outcome hangs on the policy {name}; write policies: {{{name}: {getattr(policy, name)}}}",
            )
        elif named.get(name) and name not in hangs:
            yield item.mark, f"names the policy {name}, on which its outcome does not hang"


def _check_open_questions(item: Written, trace: Trace) -> Found:
    for step in trace.decisions:
        if item.case.profile == "argmax" and step.u == 0 and step.above == 0:
            yield item.mark, f"step {step.step} has u = 0 and p(x) = 0; {_OPEN}"
    for i, u in enumerate(item.arguments["random_samples"]):
        if u == 1:
            yield item.mark, f"random_samples[{i}] is 1; {_OPEN}"


def _check_decimals(item: Written, trace: Trace) -> Found:
    """A decimal tie is none in binary64, or the other way round, so boundaries and ties are written as fractions."""
    rows = [*(item.arguments["draft_probs"] or ()), *item.arguments["target_probs"], item.arguments["random_samples"]]
    if item.case.profile != "argmax":
        if any(_any_decimal(*row) for row in rows):
            yield item.mark, f"holds a decimal that is no binary64 number; {_AS_FRACTIONS}"
        return
    p, q = item.arguments["target_probs"], item.arguments["draft_probs"]
    for step, x in zip(trace.decisions, item.arguments["draft_tokens"], strict=False):
        left, right, at = Fraction(step.u) * step.below, step.above, step.step
        if abs(left - right) <= _CLOSE * max(left, right) and _any_decimal(step.u, p[at][x], q[at][x]):
            yield item.mark, f"step {at} is at its acceptance boundary; {_AS_FRACTIONS}"
    if trace.choices:
        choice, row = trace.choices[-1], len(trace.outcome.accepted_tokens)
        weights = choice.weights.fractions()
        best = max(weights)
        near = [y for y, weight in enumerate(weights) if best - weight <= _CLOSE * best]
        used = [p[row], q[row]] if choice.kind == "residual" else [p[row]]
        if len(near) > 1 and _any_decimal(*(values[y] for values in used for y in near)):
            tied = " and ".join(map(str, near))
            kind = "the residual of row" if choice.kind == "residual" else "target row"
            yield item.mark, f"tokens {tied} tie, or almost, in {kind} {row}; {_AS_FRACTIONS}"


def _any_decimal(*numbers: object) -> bool:
    return any(isinstance(number, InexactDecimal) for number in numbers)


def _check_dtypes(item: Written, policy: Policy) -> Found:
    """One acceptable outcome in each dtype that the case runs in (SV-NUM-2)."""

    def possible(dtype: str) -> list[Outcome]:
        return acceptable_outcomes(**item.arguments, profile=item.case.profile, policy=policy, dtype=dtype, limit=2)

    for dtype in item.case.dtypes or DTYPES:
        if len(outcomes := possible(dtype)) > 1:
            fine = [name for name in DTYPES if len(possible(name)) == 1]
            mend = f"name the dtypes in which it has one: [{', '.join(fine)}]" if fine else "move it off the boundary"
            yield item.mark, f"rounding in {dtype} may also give {outcomes[1].as_result()}; {mend}"
            return
