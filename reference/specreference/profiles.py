"""The profiles: which rule, from which arguments, with which choices (spec/profiles.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from specreference import rules
from specreference.acceptable import Acceptable
from specreference.dtypes import DTYPES
from specreference.explore import Path, explore
from specreference.law import Rule
from specreference.outcome import Outcome
from specreference.policy import DEFAULT, Policy
from specreference.replay import Replay
from specreference.validate import Number, Rows, validate


@dataclass(frozen=True, slots=True)
class Profile:
    """A rule and the shape of its call.

    `draws` is whether the last token is drawn by a coin, the last of K + 1 uniforms, or is an argmax. `drafts` is
    whether `draft_probs` is taken (else it is None). `uniforms` is their number and the clause that says so.
    """

    name: str
    rule: Rule
    draws: bool
    drafts: bool = True
    uniforms: tuple[str, str] = ("K + 1", "SV-SMP-1")
    policy: Policy = DEFAULT
    lossless: bool = True


PROFILES = {
    profile.name: profile
    for profile in (
        Profile("argmax", rules.chain, False, True, ("K", "SV-IN-2"), Policy(support="letter"), False),
        Profile("sampled", rules.chain, True),
        Profile("greedy", rules.greedy, False, False, ("0", "SV-GRD-1"), lossless=False),
        Profile("one-hot", rules.one_hot, True, False, ("K + 1", "SV-ONE-1")),
        Profile("block", rules.block, True, True, ("K + 1", "SV-BLK-1")),
    )
}
"""The profiles of the spec by name."""


@dataclass(frozen=True, slots=True)
class Call:
    """The arguments of one call and the profile that gives them a meaning, validated.

    Raises `InvalidInput` (a ValueError) naming argument, index, value and clause; KeyError for an unknown profile.
    """

    profile: str
    draft_tokens: Sequence[int]
    draft_probs: Rows | None
    target_probs: Rows
    random_samples: Sequence[Number]
    policy: Policy | None = None

    def __post_init__(self) -> None:
        # VALIDATE
        profile = PROFILES[self.profile]
        validate(
            self.draft_tokens,
            self.draft_probs,
            self.target_probs,
            self.random_samples,
            drafts=profile.drafts,
            uniforms=profile.uniforms,
        )

    def run(self, chance: Any) -> Outcome:
        """Follow the rule with a chance object."""
        return PROFILES[self.profile].rule(chance, self.draft_tokens, self.draft_probs, self.target_probs)

    def acceptable(self, path: Path, dtype: str, space: str) -> Acceptable:
        """The chance object that follows one way of rounding. KeyError for an unknown dtype."""
        return Acceptable(path, *self._randomness(), DTYPES[dtype], space)

    def replay(self) -> Replay:
        """The chance object that replays the call's own uniforms."""
        return Replay(*self._randomness())

    def _randomness(self) -> tuple[Any, Any, Policy]:
        profile = PROFILES[self.profile]
        coin = (lambda: self.random_samples[-1]) if profile.draws else None
        return self.random_samples.__getitem__, coin, self.policy or profile.policy


def acceptable_outcomes(
    draft_tokens: Sequence[int],
    draft_probs: Rows | None,
    target_probs: Rows,
    random_samples: Sequence[Number],
    *,
    profile: str = "argmax",
    policy: Policy | None = None,
    dtype: str = "float64",
    space: str = "prob",
    limit: int = 1000,
) -> list[Outcome]:
    """The outcomes that conform when the implementation computes in `dtype`, the exact one first, at most `limit`.

    `space` is "log" where it compares logarithms. Raises `InvalidInput` as the profile's function does, and KeyError
    for an unknown dtype.
    """
    call = Call(profile, draft_tokens, draft_probs, target_probs, random_samples, policy)
    found: dict[Outcome, None] = {}
    for _, outcome in explore(lambda path: call.acceptable(path, dtype, space), call.run):
        found[outcome] = None
        if len(found) == limit:
            break
    return list(found)


def _function(profile: str) -> Any:
    def verify(
        draft_tokens: Sequence[int], draft_probs: Rows | None, target_probs: Rows, random_samples: Sequence[Number]
    ) -> dict[str, Any]:
        call = Call(profile, draft_tokens, draft_probs, target_probs, random_samples)
        return call.run(call.replay()).as_result()

    verify.__doc__ = f"""The reference of profile `{profile}`, in exact arithmetic on the numbers given.

    `draft_tokens` holds K token indices, `draft_probs` K rows of V probabilities (None in greedy and one-hot),
    `target_probs` K or more rows of V, `random_samples` the uniforms in [0, 1]. Returns a dict of `accepted_tokens`
    (list), `bonus_token` (int or None) and `acceptance_count` (int). Raises `InvalidInput` (a ValueError).
    """
    return verify


verify_speculative_tokens = _function("argmax")
verify_sampled = _function("sampled")
verify_greedy = _function("greedy")
verify_one_hot = _function("one-hot")
verify_block = _function("block")
