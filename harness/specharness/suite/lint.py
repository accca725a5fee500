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
from specharness.suite.problems import Problem
from specreference import InvalidInput, Trace, acceptable_outcomes, explain
from specreference.dtypes import DTYPES

_OPEN = "an open question (spec/ambiguities.md), which no case may score"
_AS_FRACTIONS = "write its numbers as fractions n/d, not as decimals"
_CLOSE = Fraction(4, 2**53)


def lint(written: Iterable[Written], clauses: Mapping[str, Clause]) -> list[Problem]:
    """What is wrong with cases of the right shape, in their order."""
    problems: list[Problem] = []
    first_by_id: dict[str, Case] = {}
    first_by_input: dict[tuple[str, str], Case] = {}
    for item in written:
        case = item.case
        messages = list(_check(item, clauses))
        same_id = first_by_id.setdefault(case.id, case)
        same_input = first_by_input.setdefault((case.profile, case.arguments_json), case)
        if same_id is not case:
            messages.append(f"the id is taken by {same_id.file}:{same_id.line}; expected an unused one")
        elif same_input is not case:
            messages.append(f"its input is that of {same_input.id} ({same_input.file}:{same_input.line})")
        problems += [Problem(case.file, item.mark, case.id, message) for message in messages]
    return problems


def _check(item: Written, clauses: Mapping[str, Clause]) -> Iterator[str]:
    case = item.case
    for name in case.clauses:
        if name not in clauses:
            yield f"found the clause {name}, which the spec lacks.{did_you_mean(name, clauses)}"
    try:
        trace = explain(**item.arguments)
    except InvalidInput as error:
        yield from _check_raising(case, error)
        return
    if case.expected.raises:
        yield f"expects {case.expected.raises}, but the reference gives {trace.outcome.as_result()}"
        return
    yield from _check_expectation(case, trace)
    yield from _check_reliance(item, trace)
    yield from _check_open_questions(item, trace)
    yield from _check_decimals(item, trace)
    yield from _check_dtypes(item)


def _check_raising(case: Case, error: InvalidInput) -> Iterator[str]:
    if not case.expected.raises:
        yield f"expects a result, but the reference raises ValueError: {error}"
    elif error.clause not in case.clauses:
        yield f"the reference raises by {error.clause} ({error}), which its clauses lack"


def _check_expectation(case: Case, trace: Trace) -> Iterator[str]:
    expected, right = case.expected.as_result(), trace.outcome.as_result()
    for key, value in right.items():
        if expected[key] != value:
            yield f"expects {key} {expected[key]}, but the reference gives {value}"


def _check_reliance(item: Written, trace: Trace) -> Iterator[str]:
    """A case that hangs on a SHOULD clause lists it, else it would gate by more than the original statement."""
    for name in trace.hardened:
        if name not in item.case.clauses:
            yield f"its outcome hangs on {name}, which its clauses lack"
    for argument in ("draft_probs", "target_probs"):
        for i, row in enumerate(item.arguments[argument]):
            if abs(math.fsum(row) - 1) > 1e-6 and "SV-IN-9" not in item.case.clauses:
                yield f"{argument}[{i}] sums to {math.fsum(row)}; expected 1, or SV-IN-9 among its clauses"


def _check_open_questions(item: Written, trace: Trace) -> Iterator[str]:
    for step in trace.steps:
        if step.u == 0 and step.p == 0 and step.q > 0:
            yield f"step {step.index} has u = 0 and p(x) = 0; {_OPEN}"
    for i, u in enumerate(item.arguments["random_samples"]):
        if u == 1:
            yield f"random_samples[{i}] is 1; {_OPEN}"


def _check_decimals(item: Written, trace: Trace) -> Iterator[str]:
    """A decimal tie is none in binary64, or the other way round, so boundaries and ties are written as fractions."""
    for step in trace.steps:
        left, right = Fraction(step.u) * Fraction(step.q), Fraction(step.p)
        if abs(left - right) <= _CLOSE * max(left, right) and _any_decimal(step.u, step.p, step.q):
            yield f"step {step.index} is at its acceptance boundary; {_AS_FRACTIONS}"
    choice = trace.choice
    if choice is None:
        return
    best = max(choice.weights)
    near = [y for y, weight in enumerate(choice.weights) if best - weight <= _CLOSE * best]
    rows: list[list[float]] = [item.arguments["target_probs"][choice.row]]
    if choice.kind == "recovered":
        rows.append(item.arguments["draft_probs"][choice.row])
    if len(near) > 1 and _any_decimal(*(row[y] for row in rows for y in near)):
        yield f"tokens {near} tie in row {choice.row}; {_AS_FRACTIONS}"


def _any_decimal(*numbers: float) -> bool:
    return any(isinstance(number, InexactDecimal) for number in numbers)


def _check_dtypes(item: Written) -> Iterator[str]:
    """One acceptable outcome in each dtype that the case runs in (SV-NUM-2)."""
    arguments: dict[str, Any] = item.arguments
    for dtype in item.case.dtypes or DTYPES:
        outcomes = acceptable_outcomes(**arguments, dtype=dtype, limit=2)
        if len(outcomes) > 1:
            other = outcomes[1].as_result()
            fine = [name for name in DTYPES if len(acceptable_outcomes(**arguments, dtype=name, limit=2)) == 1]
            mend = f"name the dtypes in which it has one: [{', '.join(fine)}]" if fine else "move it off the boundary"
            yield f"rounding in {dtype} may also give {other}; {mend}"
            return
