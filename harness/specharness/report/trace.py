"""The reference's trace in words: the steps, the weights, and the choice."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from fractions import Fraction
from itertools import accumulate

from specharness.report.numbers import number
from specharness.suite.model import Case
from specharness.suite.policies import policy_of
from specreference import Choice, Decision, InvalidInput, Trace, explain
from specreference.exact import Weights

_SHOWN = 8


def trace_of(case: Case) -> Trace | InvalidInput:
    """How the reference verifies a case, or why it raises."""
    try:
        return explain(**case.arguments(), profile=case.profile, policy=policy_of(case))
    except InvalidInput as error:
        return error


def decisive_lines(case: Case, trace: Trace | InvalidInput, accepted: int | None) -> list[str]:
    """What decides a case: the step where an implementation that accepted `accepted` tokens parts ways, the choice.

    `accepted` is None where the implementation accepted what it should have.
    """
    if isinstance(trace, InvalidInput):
        return [f"raises ValueError: {trace}"]
    steps = step_lines(case, trace)
    k = len(case.arguments()["draft_tokens"])
    last = choice_lines(trace)
    if not steps:
        return ["K = 0: no step", *last]
    step = decisive_step(trace, k, accepted)
    return [f"all draft tokens are accepted (K = {k})" if step is None else steps[step], *last]


def decisive_step(trace: Trace, k: int, accepted: int | None) -> int | None:
    """The step of `decisive_lines`: where the ways part, else the last examined; None where all K tokens are accepted.

    `accepted` is as there.
    """
    examined = len(trace.decisions) or min(k, len(trace.choices))
    if accepted is not None and examined:
        return min(accepted, examined - 1)
    return None if len(trace.outcome.accepted_tokens) == k else examined - 1


def whole_lines(case: Case, trace: Trace | InvalidInput) -> list[str]:
    """All of a trace."""
    if isinstance(trace, InvalidInput):
        return [f"raises ValueError: {trace}"]
    steps = step_lines(case, trace)
    if len(steps) > _SHOWN:
        steps = [*steps[: _SHOWN - 2], f"... {len(steps) - _SHOWN + 1} more steps ...", steps[-1]]
    return steps + choice_lines(trace)


def step_lines(case: Case, trace: Trace) -> list[str]:
    """Each examined step in a line."""
    tokens = case.arguments()["draft_tokens"]
    if case.profile == "greedy":
        examined = zip(tokens, trace.choices, strict=False)
        return [_greedy_line(step, token, choice) for step, (token, choice) in enumerate(examined)]
    line = _block_line if case.profile == "block" else _chain_line
    return [line(decision, tokens[decision.step]) for decision in trace.decisions]


def _chain_line(step: Decision, token: int) -> str:
    p, q = number(step.above), number(step.below)
    start = f"step {step.step}: token {token}, p = {p}, q = {q}, u = {number(step.u)}"
    verdict = "accepted" if step.accepted else "rejected"
    if step.below == 0:
        return f"{start}: q = 0 and p {'> 0' if step.above > 0 else '= 0'}, {verdict}"
    relation = _relation(step, "p/q")
    return f"{start}, p/q = {number(step.above / step.below)}: {relation}{_margin(step)}, {verdict}"


def _block_line(step: Decision, token: int) -> str:
    share = step.above / step.below if step.below else Fraction(1)
    relation = _relation(step, "h") if share else "h = 0"
    verdict = f"{step.step + 1} tokens may stay" if step.accepted else "no"
    start = f"step {step.step}: token {token}, h = {number(share)}, u = {number(step.u)}"
    return f"{start}: {relation}{_margin(step)}, {verdict}"


def _greedy_line(step: int, token: int, choice: Choice) -> str:
    verdict = "accepted" if choice.token == token else "rejected"
    return f"step {step}: token {token}, target row {step} is greatest at token {choice.token}: {verdict}"


def _relation(step: Decision, ratio: str) -> str:
    gap = Fraction(step.u) * step.below - step.above
    return f"u {'=' if gap == 0 else '<' if gap < 0 else '>'} {ratio}"


def _margin(step: Decision) -> str:
    """By how much, where it is too little to be seen."""
    left = Fraction(step.u) * step.below
    gap = left - step.above
    return f" by {float(abs(gap / step.below)):.3g}" if 0 < abs(gap) * 1000 < max(left, step.above) else ""


def choice_lines(trace: Trace) -> list[str]:
    """How the last token is taken."""
    kept = len(trace.outcome.accepted_tokens)
    if trace.outcome.bonus_token is None:
        return ["no row K: bonus_token is None"]
    choice = trace.choices[-1]
    names = {
        "target": f"target row {kept}",
        "residual": f"residual of row {kept}",
        "massless": f"the residual of row {kept} has no mass; target row {kept}",
    }
    weights = choice.weights
    lines = [f"{names[choice.kind]}: {_weights(weights)}"]
    if choice.coin is None:
        return [*lines, f"greatest: {_winner(weights, choice.token)}"]
    below = sum(weights.counts[: choice.token]) * weights.unit
    above, mark = below + weights.counts[choice.token] * weights.unit, Fraction(choice.coin) * weights.mass
    if len(weights.counts) <= _SHOWN:
        lines.append(f"cumulative: {_row(list(accumulate(weights.counts)), weights.unit)}")
    drawn = f"token {choice.token} holds {number(below)} to {number(above)}"
    return [*lines, f"coin {number(choice.coin)} of the mass {number(weights.mass)} is {number(mark)}; {drawn}"]


def _weights(weights: Weights) -> str:
    counts, unit = weights.counts, weights.unit
    if len(counts) <= _SHOWN:
        return _row(counts, unit)
    order = heapq.nsmallest(4, range(len(counts)), key=lambda y: (-counts[y], y))
    top = ", ".join(f"token {y}: {number(counts[y] * unit)}" for y in order)
    return f"{len(counts)} entries, the greatest at {top}"


def _row(counts: Sequence[int], unit: Fraction) -> str:
    return "[" + ", ".join(number(count * unit) for count in counts) + "]"


def _winner(weights: Weights, token: int) -> str:
    greatest = weights.counts[token]
    tied = [y for y, count in enumerate(weights.counts) if count == greatest]
    best = number(greatest * weights.unit)
    if len(tied) == 1:
        return f"{best} at token {token}"
    shown = ", ".join(map(str, tied[:_SHOWN])) + (", ..." if len(tied) > _SHOWN else "")
    return f"{best} at tokens {shown}; the lowest index wins: {token}"
