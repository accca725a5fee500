"""What shows that an implementation is wrong: in which way each observation departs from its case."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any

from specharness.implementation.observation import Answer, Lost, Observation, Raised, Returned
from specharness.judge.compare import same_answer
from specharness.judge.values import is_tagged, plain_int, same
from specharness.suite.model import Case

Symptom = tuple[str, str]
"""The kind of a departure and what came instead, in a form that can be compared."""

_LONG = 200

_HEALTHY: frozenset[Symptom] = frozenset()


def symptoms(case: Case, observation: Observation, *, differs: bool = True) -> frozenset[Symptom]:
    """How `observation` departs from what `case` expects; empty where it does not.

    The same wrong answer gives the same symptom, whatever number types it is made of. With `differs` false, the answer
    is taken to be acceptable.
    """
    found = []
    answer = observation.answer
    if differs and (what := _departure(case, answer)):
        found.append(what)
    if isinstance(answer, Returned) and _has_foreign_numbers(answer.value):
        found.append(("form", "numbers are no plain ints"))
    if observation.mutated:
        found.append(("mutated", ", ".join(observation.mutated)))
    if observation.repeat is not None and not same_answer(answer, observation.repeat):
        found.append(("repeat", "another answer to a second call"))
    return frozenset(found) if found else _HEALTHY


def _departure(case: Case, answer: Answer) -> Symptom | None:
    """What `answer` is instead of the expected one; None where it is that."""
    expected = case.expected
    match answer:
        case Lost():
            return "lost", answer.loss.value
        case Raised():
            as_expected = expected.raises is not None and answer.is_a(expected.raises)
            return None if as_expected else ("raised", answer.exception)
        case Returned():
            if expected.raises:
                return "returned", _text(answer.value)
            wanted = expected.as_result()
            if same(answer.value, wanted):
                return None
            text = _text(answer.value)
            return None if text == _text(wanted) else ("returned", text)


def _text(value: Any) -> str:
    """`value` as text that is equal for equal values; of a long one, the beginning and a digest."""
    text = json.dumps(_plain(value), sort_keys=True)
    if len(text) <= _LONG:
        return text
    return f"{text[:_LONG]}... {sha256(text.encode()).hexdigest()}"


def _plain(value: Any) -> Any:
    """`value` with array scalars as the Python numbers that they equal."""
    if is_tagged(value):
        number = plain_int(value)
        return value if number is None else number
    if isinstance(value, list):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {name: _plain(item) for name, item in value.items()}
    return value


def _has_foreign_numbers(value: Any) -> bool:
    """Whether an integer array scalar stands where a plain int should (SV-OUT-5)."""
    if is_tagged(value):
        return plain_int(value) is not None
    if isinstance(value, list):
        return any(map(_has_foreign_numbers, value))
    return isinstance(value, dict) and any(map(_has_foreign_numbers, value.values()))
