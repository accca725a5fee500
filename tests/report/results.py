"""Results of every kind that a report has to tell, and one that holds a text in every place that is not ours."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import strategies as st
from reporting import CLAUSES, make_case, raising, returning, right, run

from specharness.implementation.observation import Loss, Lost, Observation, Raised, Returned
from specharness.judge.score import Score
from specharness.judge.verdict import judge
from specharness.report.result import RunResult, Setting

ANY_TEXT = st.text(st.characters(exclude_categories=()))
"""Surrogates and all."""


class MyInt(int):
    pass


def _mutating(tokens, *arguments):
    tokens.append(0)
    return right()


def _cases():
    return [
        make_case(),
        make_case("CASE-002", ("SV-RES-2", "SV-IN-9"), tags=("a", "b")),
        make_case("CASE-003", ("SV-IN-2",), random_samples=[0.5]),
        make_case("CASE-004", dtypes=("float16",)),
    ]


def _sampled_cases():
    sampled = {"profile": "sampled", "random_samples": [0.5, 0.5, 0.5]}
    return [
        make_case("CASE-005", ("SV-SMP-2",), **sampled),
        make_case("CASE-006", ("SV-SMP-4",), policies=[("knot", "right")], **sampled),
    ]


RESULTS = {
    "sampled": run(
        returning(right(bonus=0)), *_sampled_cases(), dtype="float32", space="log", policies=(("knot", "left"),)
    ),
    "right": run(returning(right()), *_cases()),
    "wrong": run(returning(right(bonus=0)), *_cases()),
    "none": run(returning(None), *_cases()),
    "nan": run(returning(right(bonus=float("nan"))), *_cases()),
    "odd-types": run(returning({"accepted_tokens": (1,), "bonus_token": MyInt(2), "x": {1, 2}}), *_cases()),
    "huge": run(returning(right(count=10**100)), *_cases()),
    "raises": run(raising(ValueError("\ud800 \x1b[31m ::error::")), *_cases()),
    "mutates": run(_mutating, *_cases()),
    "strict": run(_mutating, *_cases(), strict=True),
    "float16": run(returning(right()), *_cases(), dtype="float16"),
    "output": run(returning(None), *_cases(), output="\x00\ud800\n"),
    "scored": run(returning(right()), *_cases(), score=Score(100, 10, "r")),
    "interrupted": run(returning(right()), *_cases(), interrupted=True, missing=[make_case("CASE-009")]),
    "stopped": run(returning(None), *_cases(), stopped=True, notes=["n"], missing=[make_case("CASE-009")]),
    "self-check": replace(
        run(returning(right()), *_cases()), setting=Setting("specreference", self_check=True, language="Python 3")
    ),
    "lost": RunResult(
        Setting("x"), [judge(make_case(), Observation(Lost(loss, "d"), output="o"), CLAUSES) for loss in Loss], CLAUSES
    ),
    "empty": RunResult(Setting("x"), [], CLAUSES),
}


def result_with(text: str) -> RunResult:
    """A result in which `text` stands wherever implementations, case files and the command line put theirs."""
    cases = [replace(make_case(f"EVIL-{n:03}", title=text), file=text) for n in range(1, 8)]
    answers = [
        Raised(text, (), text, f"Traceback\n{text}\n{text}"),
        Returned(text),
        Returned({"accepted_tokens": [text], "bonus_token": {"$type": text, "repr": text}, text: 1}),
        Lost(Loss.DIED, text),
        Lost(Loss.NOT_RUN, text),
        Returned(right()),
    ]
    observations = [Observation(answer, output=text) for answer in answers]
    observations.append(replace(observations[-1], mutated=(text,)))
    verdicts = [judge(case, each, CLAUSES) for case, each in zip(cases, observations, strict=True)]
    setting = Setting(
        text, policies=(("knot", text),), again=("specharness", text), command=(text,), shipped=False, language=text
    )
    return RunResult(
        setting,
        verdicts,
        CLAUSES,
        skipped=[(replace(cases[0], id="EVIL-008"), text)],
        missing=[replace(cases[0], id="EVIL-009")],
        notes=[text],
        stopped=True,
        score=Score(0, 0, text),
    )


def many(count: int, failing: int, text: str = "") -> RunResult:
    """So many cases, the first of which fail, each for a cause of its own that holds `text`."""
    case, passed = make_case(), Observation(Returned(right()))
    verdicts = []
    for number in range(count):
        each = replace(case, id=f"MANY-{number}")
        answer = Raised(f"Error{number}", (), text, text) if number < failing else passed.answer
        verdicts.append(judge(each, replace(passed, answer=answer, output=text), CLAUSES))
    return RunResult(Setting("x", again=("specharness",)), verdicts, CLAUSES)
