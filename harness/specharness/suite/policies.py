"""The choices in which engines differ on purpose: what a case hangs on, and what a run declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from specharness.errors import UsageError
from specharness.names import did_you_mean
from specharness.suite.model import Case

if TYPE_CHECKING:
    from specreference import Outcome, Policy


def policy_of(case: Case) -> Policy:
    """The policy of the case's profile, with the choices that the case names."""
    return policy_for(case.profile, case.policies)


def policy_for(profile: str, choices: Iterable[tuple[str, str]]) -> Policy:
    """The policy of a profile with these choices, as name and value."""
    from specreference import PROFILES  # not needed where all passes and nothing is declared

    return replace(PROFILES[profile].policy, **dict(choices))


def hanging(arguments: dict[str, Any], profile: str, policy: Policy, outcome: Outcome) -> list[str]:
    """The names of the choices on which the outcome of a valid input hangs; only `sampled` has any."""
    from specreference import POLICIES, explain

    def differs(name: str, value: str) -> bool:
        other = replace(policy, **{name: value})
        return explain(**arguments, profile=profile, policy=other).outcome != outcome

    if profile != "sampled":
        return []
    return [
        name
        for name, values in POLICIES.items()
        if any(differs(name, value) for value in values if value != getattr(policy, name))
    ]


def unmet_policy(case: Case, declared: Mapping[str, str]) -> str | None:
    """The first policy that the case hangs on and the run has otherwise, in words; None where it is applicable."""
    from specreference import PROFILES

    default = PROFILES[case.profile].policy
    for name, value in case.policies:
        if declared.get(name, getattr(default, name)) != value:
            return f"the policy {name} is {value}"
    return None


def check_policies(profile: str, declared: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """The declared policies, each once. Raises `UsageError` for an unknown name or value, or a profile without them."""
    policies = dict(declared)
    if not policies:
        return ()
    from specreference import POLICIES

    if profile != "sampled":
        raise UsageError(f"policies are for the profile sampled; the profile {profile} fixes them")
    for name, value in policies.items():
        if name not in POLICIES:
            raise UsageError(
                f"policy {name!r} is unknown; expected {', '.join(POLICIES)}.{did_you_mean(name, POLICIES)}"
            )
        if value not in POLICIES[name]:
            raise UsageError(f"policy {name}: {value!r} is unknown; expected {' or '.join(POLICIES[name])}")
    return tuple(policies.items())
