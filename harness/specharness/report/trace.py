"""The reference's trace in words: the steps, the weights, and the choice."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from specharness.report.numbers import number
from specharness.suite.model import Case
from specharness.suite.policies import policy_of
from specreference import Choice, Decision, InvalidInput, Trace, explain

_SHOWN = 8


def trace_of(case: Case) -> Trace | InvalidInput:
    """How the reference verifies a case, or why it raises."""
    try:
        return explain(**case.arguments(), profile=case.profile, policy=policy_of(case))
    except InvalidInput as error:
        return error


def decisive_lines(case: Case, accepted: int | None) -> list[str]:
    """What decides a case: the step where an implementation that accepted `accepted` tokens parts ways, the choice.

    `accepted` is None where the implementation accepted what it should have.
    """
    trace = trace_of(case)
    if isinstance(trace, InvalidInput):
        return [f"raises ValueError: {trace}"]
    steps = step_lines(case, trace)
    kept, k = len(trace.outcome.accepted_tokens), len(case.arguments()["draft_tokens"])
    last = choice_lines(trace)
    if not steps:
        return ["K = 0: no step", *last]
    if accepted is not None:
        return [steps[min(accepted, len(steps) - 1)], *last]
    return [f"all draft tokens are accepted (K = {k})" if kept == k else steps[-1], *last]


def whole_lines(case: Case) -> list[str]:
    """All of a trace."""
    trace = trace_of(case)
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
    weights = choice.weights.fractions()
    lines = [f"{names[choice.kind]}: {_weights(weights)}"]
    if choice.coin is None:
        return [*lines, f"greatest: {_winner(weights, choice.token)}"]
    below = sum(weights[: choice.token], Fraction(0))
    above, mark = below + weights[choice.token], Fraction(choice.coin) * sum(weights)
    if len(weights) <= _SHOWN:
        lines.append(f"cumulative: {_weights(list(accumulate(weights)))}")
    drawn = f"token {choice.token} holds {number(below)} to {number(above)}"
    return [*lines, f"coin {number(choice.coin)} of the mass {number(sum(weights))} is {number(mark)}; {drawn}"]


def _weights(weights: list[Fraction]) -> str:
    if len(weights) <= _SHOWN:
        return "[" + ", ".join(map(number, weights)) + "]"
    order = sorted(range(len(weights)), key=lambda y: (-weights[y], y))[:4]
    top = ", ".join(f"token {y}: {number(weights[y])}" for y in order)
    return f"{len(weights)} entries, the greatest at {top}"


def _winner(weights: list[Fraction], token: int) -> str:
    tied = [y for y, weight in enumerate(weights) if weight == weights[token]]
    best = number(weights[token])
    if len(tied) == 1:
        return f"{best} at token {token}"
    shown = ", ".join(map(str, tied[:_SHOWN])) + (", ..." if len(tied) > _SHOWN else "")
    return f"{best} at tokens {shown}; the lowest index wins: {token}"
