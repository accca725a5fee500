"""The judgement of an observation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import TYPE_CHECKING

from specharness.implementation.observation import Loss, Lost, Observation
from specharness.judge.breach import Breach
from specharness.judge.compare import ANOTHER_IN_NEW_PROCESS, compare
from specharness.judge.rounding import Arithmetic
from specharness.suite.clauses import Clause, Level
from specharness.suite.model import Case
from specharness.suite.select import level_of

if TYPE_CHECKING:
    from specharness.suite.baseline import Entry

_FLOAT64 = Arithmetic()


class Status(Enum):
    """What a case came to."""

    PASSED = "passed"
    """Nothing differs."""

    FAILED = "failed"
    """Something differs that gates."""

    ADVICE = "advice"
    """Something differs, but nothing of it gates."""

    KNOWN = "known"
    """Something differs, gating or not, and just as the baseline says."""

    NOT_RUN = "not run"
    """The run was given up before it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """A case, what the implementation did with it, and what that means. `gating` is whether the case itself gates.

    `listed` is the baseline's entry that names the case, whether or not it holds: its outcome and reason.
    """

    case: Case
    observation: Observation
    breaches: tuple[Breach, ...]
    status: Status
    gating: bool
    listed: Entry | None = None

    @property
    def seconds(self) -> float:
        """The time of the first call."""
        return self.observation.seconds


def _rank(breach: Breach, strict: bool) -> int:
    """What depends on earlier calls names the failure, then what gates."""
    if breach.cause == ANOTHER_IN_NEW_PROCESS:
        return 0
    return 1 if strict or breach.level is Level.MUST else 2


def judge(
    case: Case,
    observation: Observation,
    clauses: Mapping[str, Clause],
    *,
    strict: bool = False,
    arithmetic: Arithmetic = _FLOAT64,
) -> Verdict:
    """Judge one observation. With `strict`, SHOULD clauses gate as well."""
    gating = strict or level_of(case, clauses) is Level.MUST
    if isinstance(observation.answer, Lost) and observation.answer.loss is Loss.NOT_RUN:
        return Verdict(case, observation, (), Status.NOT_RUN, gating)
    breaches = compare(case, observation, clauses, arithmetic)
    if any(strict or breach.level is Level.MUST for breach in breaches):
        status = Status.FAILED
        breaches = tuple(sorted(breaches, key=lambda breach: _rank(breach, strict)))
    else:
        status = Status.ADVICE if breaches else Status.PASSED
    return Verdict(case, observation, breaches, status, gating)
