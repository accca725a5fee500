"""The reference's trace in words: the steps, the residual or row K, and the choice."""

from __future__ import annotations

from fractions import Fraction

from specharness.report.numbers import number
from specharness.suite.model import Case
from specreference import Choice, InvalidInput, Step, Trace, explain

_SHOWN = 8


def trace_of(case: Case) -> Trace | InvalidInput:
    """How the reference verifies a case, or why it raises."""
    try:
        return explain(**case.arguments())
    except InvalidInput as error:
        return error


def decisive_lines(trace: Trace | InvalidInput, accepted: int | None) -> list[str]:
    """What decides the case: the step where an implementation that accepted `accepted` tokens parts ways, the choice.

    `accepted` is None where the implementation accepted what it should have.
    """
    if isinstance(trace, InvalidInput):
        return [f"raises ValueError: {trace}"]
    last = len(trace.steps) - 1
    at = last if accepted is None else min(accepted, last)
    lines = [step_line(trace.steps[at])] if trace.steps else ["K = 0: no step"]
    if accepted is None and trace.choice and trace.choice.kind == "bonus":
        lines = [f"all {len(trace.steps)} draft tokens are accepted"] if trace.steps else lines
    return lines + choice_lines(trace.choice)


def whole_lines(trace: Trace | InvalidInput) -> list[str]:
    """All of a trace."""
    if isinstance(trace, InvalidInput):
        return [f"raises ValueError: {trace}"]
    return [step_line(step) for step in trace.steps] + choice_lines(trace.choice)


def step_line(step: Step) -> str:
    """One draft token's decision."""
    start = f"step {step.index}: token {step.token}, p = {number(step.p)}, q = {number(step.q)}, u = {number(step.u)}"
    verdict = "accepted" if step.accepted else "rejected"
    if step.ratio is None:
        return f"{start}: q = 0 and p {'> 0' if step.p > 0 else '= 0'}, {verdict}"
    relation = "u <= p/q" if step.accepted else "u > p/q"
    return f"{start}, p/q = {number(step.ratio)}: {relation}{_margin(step)}, {verdict}"


def _margin(step: Step) -> str:
    """By how much, where it is too little to be seen."""
    gap = Fraction(step.u) * Fraction(step.q) - Fraction(step.p)
    if gap == 0:
        return " (equal)"
    scale = max(Fraction(step.u) * Fraction(step.q), Fraction(step.p))
    return f" (u q - p = {float(gap):.3g})" if abs(gap) * 1000 < scale else ""


def choice_lines(choice: Choice | None) -> list[str]:
    """How the last token is taken."""
    if choice is None:
        return ["no row K: bonus_token is None"]
    names = {
        "recovered": f"residual of row {choice.row}",
        "fallback": f"the residual of row {choice.row} has no mass; target row {choice.row}",
        "bonus": f"target row {choice.row}",
    }
    return [f"{names[choice.kind]}: {_weights(choice)}", f"greatest: {_winner(choice)}"]


def _weights(choice: Choice) -> str:
    if len(choice.weights) <= _SHOWN:
        return "[" + ", ".join(map(number, choice.weights)) + "]"
    order = sorted(range(len(choice.weights)), key=lambda y: (-choice.weights[y], y))[:4]
    top = ", ".join(f"token {y}: {number(choice.weights[y])}" for y in order)
    return f"{len(choice.weights)} entries, the greatest at {top}"


def _winner(choice: Choice) -> str:
    best = number(choice.weights[choice.token])
    if len(choice.tied) == 1:
        return f"{best} at token {choice.token}"
    shown = ", ".join(map(str, choice.tied[:_SHOWN])) + (", ..." if len(choice.tied) > _SHOWN else "")
    return f"{best} at tokens {shown}; the lowest index wins: {choice.token}"
