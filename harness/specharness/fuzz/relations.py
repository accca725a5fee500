"""Metamorphic relations: what must hold between two answers of an implementation, whatever is right.

Each gives another input, and what the first answer has to become. They are compared away from rounding only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from specharness.implementation.observation import Answer, Returned
from specharness.judge.values import plain_int, same
from specreference import Policy

_ROWS = ("draft_probs", "target_probs")

Result = dict[str, Any]
Arguments = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Relation:
    """The other input, what the result has to become there, and the clause that a difference breaks."""

    name: str
    clause: str
    arguments: Arguments
    becomes: Callable[[Result], Result]


def relations(arguments: Arguments, answer: Answer, profile: str, policy: Policy) -> Iterator[Relation]:
    """The relations that hold for a valid input and the answer that it got; none for an answer of another form."""
    result = _result(answer)
    if result is None or not arguments["target_probs"]:
        return
    if profile in ("argmax", "greedy") and not _has_ties(arguments):
        yield _permuted(arguments)
    if policy.massless != "last":
        yield _appended(arguments)
    kept, drafts = result["acceptance_count"], len(arguments["draft_tokens"])
    if profile != "block" and kept < drafts - 1:
        yield _cut(arguments, kept + 1, profile)


def _has_ties(arguments: Arguments) -> bool:
    """Whether the greatest value of a target row or of a residual is there twice."""
    targets, drafts = arguments["target_probs"], arguments["draft_probs"] or ()
    residuals = [[max(0.0, a - b) for a, b in zip(p, q, strict=True)] for p, q in zip(targets, drafts, strict=False)]
    return any(row.count(max(row)) > 1 for row in (*targets, *residuals))


def broken(relation: Relation, before: Answer, after: Answer) -> str:
    """What is wrong between two answers, empty where the relation holds."""
    first, second = _result(before), _result(after)
    if first is None:
        return ""
    expected = relation.becomes(first)
    if second is not None and same(second, expected):
        return ""
    got = second if second is not None else "no result"
    return f"{relation.name}: expected {expected} after {first}, got {got}"


def _result(answer: Answer) -> Result | None:
    """A result of the right form in plain ints, None for anything else."""
    if not isinstance(answer, Returned) or not isinstance(answer.value, dict):
        return None
    value = answer.value
    if set(value) != {"accepted_tokens", "bonus_token", "acceptance_count"}:
        return None
    accepted, bonus, count = value["accepted_tokens"], value["bonus_token"], plain_int(value["acceptance_count"])
    if not isinstance(accepted, list) or count is None or (bonus is not None and plain_int(bonus) is None):
        return None
    tokens = [plain_int(token) for token in accepted]
    if None in tokens:
        return None
    return {
        "accepted_tokens": tokens,
        "bonus_token": bonus if bonus is None else plain_int(bonus),
        "acceptance_count": count,
    }


def _permuted(arguments: Arguments) -> Relation:
    """The vocabulary in reverse order."""
    last = len(arguments["target_probs"][0]) - 1

    def turned(token: int | None) -> int | None:
        return None if token is None else last - token

    def becomes(result: Result) -> Result:
        accepted = [last - token for token in result["accepted_tokens"]]
        return {**result, "accepted_tokens": accepted, "bonus_token": turned(result["bonus_token"])}

    rows = {
        name: arguments[name] and [row[::-1] for row in arguments[name]] for name in ("draft_probs", "target_probs")
    }
    tokens = [last - token for token in arguments["draft_tokens"]]
    return Relation("the vocabulary reversed", "SV-RES-1", {**arguments, **rows, "draft_tokens": tokens}, becomes)


def _appended(arguments: Arguments) -> Relation:
    """One more token, of probability zero."""
    rows = {name: arguments[name] and [[*row, 0.0] for row in arguments[name]] for name in _ROWS}
    return Relation("a token of probability 0 appended", "SV-RES-1", {**arguments, **rows}, dict)


def _cut(arguments: Arguments, length: int, profile: str) -> Relation:
    """The draft ended at the rejected token; a coin stays the last uniform."""
    uniforms = arguments["random_samples"]
    coin = uniforms[-1:] if profile in ("sampled", "one-hot") else []
    shorter = {
        "draft_tokens": arguments["draft_tokens"][:length],
        "draft_probs": arguments["draft_probs"] and arguments["draft_probs"][:length],
        "target_probs": arguments["target_probs"][: length + 1],
        "random_samples": [*uniforms[: length if profile != "greedy" else 0], *coin],
    }
    return Relation("the draft cut after the rejected token", "SV-STOP-1", shorter, dict)
