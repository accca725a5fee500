"""What a replay saw, so that a failure can show the decisive step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from specreference.outcome import Outcome
from specreference.policy import Policy
from specreference.profiles import Call
from specreference.replay import Choice, Decision
from specreference.validate import Number, Rows


@dataclass(frozen=True, slots=True)
class Trace:
    """The decisions and choices in their order, and the outcome.

    `hardened` are the SHOULD clauses without which the outcome would be undefined: SV-ACC-4, SV-RES-2.
    """

    decisions: tuple[Decision, ...]
    choices: tuple[Choice, ...]
    outcome: Outcome
    hardened: tuple[str, ...]


def explain(
    draft_tokens: Sequence[int],
    draft_probs: Rows | None,
    target_probs: Rows,
    random_samples: Sequence[Number],
    *,
    profile: str = "argmax",
    policy: Policy | None = None,
) -> Trace:
    """Verify in a profile and return how it went. Raises `InvalidInput` as the profile's function does."""
    call = Call(profile, draft_tokens, draft_probs, target_probs, random_samples, policy)
    replay = call.replay()
    outcome = call.run(replay)
    found = {
        "SV-ACC-4": profile != "block" and any(decision.below == 0 for decision in replay.decisions),
        "SV-RES-2": any(choice.kind == "massless" for choice in replay.choices),
    }
    hardened = tuple(clause for clause, relied in found.items() if relied)
    return Trace(tuple(replay.decisions), tuple(replay.choices), outcome, hardened)
