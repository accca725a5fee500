"""Which clause a difference shows."""

from __future__ import annotations

from specharness.suite.model import Case

_DECISIONS = (
    "SV-ACC",
    "SV-STOP",
    "SV-NUM-1",
    "SV-IN-9",
    "SV-SMP-6",
    "SV-GRD-2",
    "SV-ONE-2",
    "SV-BLK-2",
    "SV-BLK-3",
    "SV-BLK-4",
)
_CHOICES = (
    "SV-RES",
    "SV-TIE",
    "SV-BON",
    "SV-STOP",
    "SV-ACC-2",
    "SV-NUM-1",
    "SV-IN-9",
    "SV-SMP",
    "SV-GRD-3",
    "SV-ONE-3",
    "SV-ONE-4",
    "SV-BLK-5",
    "SV-BLK-6",
)

_ACCEPTANCE = {
    "argmax": "SV-ACC-1",
    "sampled": "SV-ACC-1",
    "greedy": "SV-GRD-2",
    "one-hot": "SV-ONE-2",
    "block": "SV-BLK-3",
}
_RECOVERED = {
    "argmax": "SV-RES-1",
    "sampled": "SV-SMP-2",
    "greedy": "SV-GRD-3",
    "one-hot": "SV-ONE-3",
    "block": "SV-BLK-5",
}
_BONUS = {"argmax": "SV-BON-1", "sampled": "SV-SMP-3", "greedy": "SV-BON-1", "one-hot": "SV-ONE-4", "block": "SV-BLK-6"}


def clause_of_acceptance(case: Case, *, few: bool) -> str:
    """Another number of tokens is accepted: the first clause of the case that speaks of it, else the profile's.

    Too few tokens say nothing of going on after a rejection.
    """
    found = _first(case, tuple(name for name in _DECISIONS if not few or name != "SV-STOP"))
    return found or _ACCEPTANCE[case.profile]


def clause_of_choice(case: Case, drafts: int) -> str:
    """Another recovered or bonus token: the first clause of the case that speaks of it, else the profile's."""
    if found := _first(case, _CHOICES):
        return found
    if len(case.expected.accepted_tokens) < drafts:
        return _RECOVERED[case.profile]
    return "SV-BON-2" if case.expected.bonus_token is None else _BONUS[case.profile]


def _first(case: Case, family: tuple[str, ...]) -> str | None:
    return next((name for name in case.clauses if name.startswith(family)), None)
