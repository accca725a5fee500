"""What shows that an implementation is wrong: in which way each observation departs from its case."""

from __future__ import annotations

import json
from hashlib import sha256
from typing import Any, NamedTuple

from specharness.implementation.observation import Answer, Lost, Observation, Raised, Returned
from specharness.judge.compare import same_answer
from specharness.judge.output import read_result
from specharness.judge.values import is_tagged, plain_int, same
from specharness.suite.model import Case

_LONG = 200


class Symptom(NamedTuple):
    """One departure. `what` came instead, in full; `sort` is of what sort that is, whatever the style of the code."""

    kind: str
    what: str
    sort: str


_HEALTHY: frozenset[Symptom] = frozenset()


def symptoms(case: Case, observation: Observation, *, differs: bool = True) -> frozenset[Symptom]:
    """How `observation` departs from what `case` expects; empty where it does not.

    The same wrong answer gives the same symptom, whatever number types it is made of. With `differs` false, the answer
    is taken to be acceptable.
    """
    answer = observation.answer
    wavers = observation.repeat is not None and not same_answer(answer, observation.repeat)
    found = []
    if differs and (departure := _departure(case, answer)):
        found.append(departure._replace(sort="") if wavers else departure)  # it hangs on earlier calls, not on the case
    if isinstance(answer, Returned) and _has_foreign_numbers(answer.value):
        found.append(Symptom("form", "numbers are no plain ints", "numbers are no plain ints"))
    if observation.mutated:
        found.append(Symptom("mutated", ", ".join(observation.mutated), "arguments changed"))
    if wavers:
        found.append(Symptom("repeat", "another answer to a second call", "another answer to a second call"))
    return frozenset(found) if found else _HEALTHY


def _departure(case: Case, answer: Answer) -> Symptom | None:
    """What `answer` is instead of the expected one; None where it is that."""
    expected = case.expected
    match answer:
        case Lost():
            return Symptom("lost", answer.loss.value, answer.loss.value)
        case Raised():
            as_expected = expected.raises is not None and answer.is_a(expected.raises)
            return None if as_expected else Symptom("raised", answer.exception, "an exception")
        case Returned():
            if expected.raises:
                return Symptom("returned", _text(answer.value), "a result")
            wanted = expected.as_result()
            if same(answer.value, wanted):
                return None
            text = _text(answer.value)
            return None if text == _text(wanted) else Symptom("returned", text, _sort(answer.value))


def _sort(value: Any) -> str:
    """The fields of the right form, and what is wrong with the form of the others."""
    read = read_result(value, None)
    flaws = [flaw.cause for flaw in read.flaws if flaw.clause != "SV-OUT-5"]  # which is a symptom of its own
    return _short(json.dumps([sorted(read.fields.items()), flaws]))


def _text(value: Any) -> str:
    """`value` as text that is equal for equal values."""
    return _short(json.dumps(_plain(value), sort_keys=True))


def _short(text: str) -> str:
    """The text, or the beginning and a digest of a long one."""
    return text if len(text) <= _LONG else f"{text[:_LONG]}... {sha256(text.encode()).hexdigest()}"


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
