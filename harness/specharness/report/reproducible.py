"""A result without what differs between two runs that came to the same."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any

from specharness.implementation.observation import Answer, Lost, Observation, Raised, Returned
from specharness.judge.verdict import Verdict
from specharness.report.result import RunResult

_ADDRESS = re.compile(r"0x[0-9a-fA-F]{6,}|(?<=\.\.\.)x?[0-9a-fA-F]{3,}(?=>)")
"""An address in a text, or the end of one in a text that was shortened in the middle."""


def without_variation(result: RunResult) -> RunResult:
    """The result without times, addresses, and what the implementation printed."""
    return replace(
        result,
        verdicts=[_verdict(verdict) for verdict in result.verdicts],
        evidence=None if result.evidence is None else [_verdict(verdict) for verdict in result.evidence],
        notes=[_text(note) for note in result.notes],
        seconds=0.0,
    )


def _verdict(verdict: Verdict) -> Verdict:
    breaches = tuple(
        replace(breach, cause=_text(breach.cause), lines=tuple(map(_text, breach.lines))) for breach in verdict.breaches
    )
    return replace(verdict, observation=_observation(verdict.observation), breaches=breaches)


def _observation(observation: Observation) -> Observation:
    return replace(
        observation,
        answer=_answer(observation.answer),
        repeat=observation.repeat and _answer(observation.repeat),
        fresh=observation.fresh and _answer(observation.fresh),
        output="",
        seconds=0.0,
    )


def _answer(answer: Answer) -> Answer:
    match answer:
        case Returned():
            return Returned(_value(answer.value))
        case Raised():
            return replace(answer, message=_text(answer.message), traceback=_text(answer.traceback))
        case Lost():
            return replace(answer, detail=_text(answer.detail))


def _value(value: Any) -> Any:
    if isinstance(value, dict):
        return {_text(key): _value(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_value(item) for item in value]
    return _text(value) if isinstance(value, str) else value


def _text(text: str) -> str:
    return _ADDRESS.sub("0x...", text)
