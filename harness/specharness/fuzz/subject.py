"""What is fuzzed: an implementation that is asked one input at a time, and the judgement of its answers."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from specharness.fuzz.expect import may_lack_mass, pose
from specharness.implementation.observation import Observation
from specharness.judge.rounding import Arithmetic
from specharness.judge.verdict import Status, Verdict, judge
from specharness.suite.clauses import Clause
from specharness.suite.model import Case
from specharness.suite.policies import policy_for
from specreference import Policy

_FLOAT64 = Arithmetic()

Ask = Callable[[Case], Observation]
"""Calls the implementation with the arguments of a case, twice."""


@dataclass(frozen=True, slots=True)
class Rules:
    """What an implementation is judged by. `policies` are those that it declares, as name and value."""

    profile: str
    clauses: Mapping[str, Clause]
    arithmetic: Arithmetic = _FLOAT64
    policies: tuple[tuple[str, str], ...] = ()
    strict: bool = False

    @property
    def policy(self) -> Policy:
        """The policy that results."""
        return policy_for(self.profile, self.policies)


@dataclass(frozen=True, slots=True)
class Seen:
    """An input, what the implementation answered, and the verdict; None where the spec leaves the outcome open."""

    case: Case
    observation: Observation
    verdict: Verdict | None

    @property
    def fails(self) -> bool:
        """Whether it is a finding."""
        return self.verdict is not None and self.verdict.status is Status.FAILED


@dataclass(slots=True)
class Subject:
    """An implementation under `rules`. `calls` counts the inputs that it was asked."""

    ask: Ask
    rules: Rules
    calls: int = 0

    def see(self, arguments: dict[str, Any]) -> Seen:
        """Ask about an input, and judge the answer."""
        posed = pose(arguments, self.rules.profile, self.rules.policy)
        return self.see_case(posed.case, judged=not posed.open)

    def see_case(self, case: Case, *, judged: bool = True) -> Seen:
        """Ask about a case, and judge the answer."""
        self.calls += 1
        if self.rules.policies:
            case = replace(case, policies=self.rules.policies)
        seen = Seen(case, observation := self.ask(case), self.judge(case, observation) if judged else None)
        if seen.fails and may_lack_mass(case, self.rules.policy, self.rules.arithmetic):
            case = replace(case, clauses=tuple(dict.fromkeys((*case.clauses, "SV-RES-2"))))
            return Seen(case, observation, self.judge(case, observation))
        return seen

    def judge(self, case: Case, observation: Observation) -> Verdict:
        """The verdict on an observation under these rules."""
        rules = self.rules
        return judge(case, observation, rules.clauses, strict=rules.strict, arithmetic=rules.arithmetic)
