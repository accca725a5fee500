"""Wrong verifiers of profile `block`."""

from __future__ import annotations

from functools import partial
from itertools import takewhile
from typing import Any

from specreference.faults.build import passes, varied
from specreference.faults.call import Call, Refused, Step, Walk, argmax
from specreference.faults.model import fault
from specreference.profiles import verify_sampled

block = partial(varied, profile="block")


def _ratio(p: float, q: float) -> float:
    return p / q if q != 0 else float("inf") if p > 0 else 0.0


@fault("SV-BLK-1", "block")
@passes("SV-BLK-1", profile="block")
def block_extra_uniforms_pass(refused: Refused) -> bool:
    """More than K + 1 uniforms pass, and the last of them is the coin."""
    return len(refused.call.random_samples) > refused.call.k + 1


@fault("SV-BLK-3", "block")
def block_token_by_token(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Verifies token by token, which is lossless and another rule."""
    return verify_sampled(draft_tokens, draft_probs, target_probs, random_samples)


@fault("SV-BLK-4", "block")
@block("walk")
def block_stops_at_failure(call: Call) -> Walk:
    """The first position that fails ends the block."""
    return call.keep(sum(1 for _ in takewhile(bool, call.positions())))


@fault("SV-BLK-4", "block")
@block("walk")
def block_positions_counted(call: Call) -> Walk:
    """As many tokens are kept as there are positions that accept."""
    return call.keep(sum(call.positions()))


@fault("SV-BLK-4", "block")
@block("walk")
def block_first_position(call: Call) -> Walk:
    """The least accepted position is kept, not the greatest."""
    return call.keep(next((n for n, accepted in enumerate(call.positions(), 1) if accepted), 0))


@fault("SV-BLK-2", "block")
@block("extend")
def block_product_uncapped(joint: float, p: float, q: float) -> float:
    """The running product of the ratios is not cut to 1."""
    return joint * _ratio(p, q) if joint else 0.0


@fault("SV-BLK-2", "block")
@block("extend")
def block_ratios_capped(joint: float, p: float, q: float) -> float:
    """Each ratio is cut to 1 before it is multiplied, not the product after it."""
    return joint * min(1.0, _ratio(p, q))


@fault("SV-BLK-2", "block")
@block("extend")
def block_joint_forgotten(_: float, p: float, q: float) -> float:
    """The ratio of each position stands alone, and is multiplied with none."""
    return min(1.0, _ratio(p, q))


@fault("SV-BLK-2", "block")
@block("extend")
def block_zero_draft_rejects(joint: float, p: float, q: float) -> float:
    """A draft probability of 0 makes the joint ratio 0, also where the target probability is above 0."""
    return min(1.0, joint * p / q) if q else 0.0


@fault("SV-BLK-2", "block")
@block("extend")
def block_zero_draft_divides(joint: float, p: float, q: float) -> float:
    """A draft probability of 0 is divided by."""
    return min(1.0, joint * p / q)


@fault("SV-BLK-3", "block")
@block("accept")
def block_by_joint(s: Step) -> bool:
    """Each position is accepted by its joint ratio alone, as if it were the last."""
    return s.joint > 0 and s.u <= s.joint


@fault("SV-BLK-3", "block")
@block("accept")
def block_share_of_own_row(s: Step) -> bool:
    """The residual mass of a position is that of its own rows, not of those that follow."""
    if s.i == s.call.k - 1:
        return s.joint > 0 and s.u <= s.joint
    mass = sum(s.residual)
    below = mass + 1 - s.joint
    return mass > 0 and s.u * below <= mass if below else True


@fault("SV-BLK-3", "block")
@block("accept")
def block_share_without_mass(s: Step) -> bool:
    """The share is R/(1 - P), without R in the denominator."""
    if s.i == s.call.k - 1:
        return s.joint > 0 and s.u <= s.joint
    mass = sum(s.call.at(s.i + 1, s.joint).residual)
    return s.joint == 1 or (mass > 0 and s.u * (1 - s.joint) <= mass)


@fault("SV-BLK-3", "block")
@block("accept")
def block_share_of_one(s: Step) -> bool:
    """The share is R/(R + 1), without P in the denominator."""
    if s.i == s.call.k - 1:
        return s.joint > 0 and s.u <= s.joint
    mass = sum(s.call.at(s.i + 1, s.joint).residual)
    return mass > 0 and s.u <= mass / (mass + 1)


@fault("SV-BLK-3", "block")
@block("accept")
def block_massless_rejects(s: Step) -> bool:
    """Where the share is 0/0 the position is rejected."""
    last = s.i == s.call.k - 1
    return s.share > 0 and s.u <= s.share and (last or any(s.call.at(s.i + 1, s.joint).residual))


@fault("SV-BLK-3", "block")
@block("accept")
def block_accept_strict(s: Step) -> bool:
    """A uniform that equals the share rejects."""
    return s.u < s.share


@fault("SV-BLK-3", "block")
@block("accept")
def block_zero_uniform_accepts(s: Step) -> bool:
    """A uniform of 0 accepts a position whose share is 0."""
    return s.u <= s.share


@fault("SV-BLK-3", "block")
@block("uniform")
def block_uniform_shared(s: Step) -> Any:
    """The first uniform decides every position."""
    return s.call.random_samples[0]


@fault("SV-BLK-3", "block")
@block("uniform")
def block_uniform_shifted(s: Step) -> Any:
    """Position i reads uniform i, counted from 0, so that the last position reads the coin."""
    return s.call.random_samples[s.i + 1]


@fault("SV-BLK-3", "block")
@block("uniform")
def block_uniforms_reversed(s: Step) -> Any:
    """The positions are looked at from the last, and read the uniforms in that order."""
    return s.call.random_samples[s.call.k - 1 - s.i]


@fault("SV-BLK-3", "block")
@block("accept")
def block_last_by_ratio(s: Step) -> bool:
    """The last position is accepted by its own ratio, not by the joint one."""
    ratio = _ratio(s.p[s.x], s.q[s.x])
    return ratio > 0 and s.u <= ratio if s.i == s.call.k - 1 else s.share > 0 and s.u <= s.share


@fault("SV-BLK-5", "block")
@block("recover")
def block_residual_of_step(s: Step) -> int:
    """The residual is max(0, p - q), without the joint ratio."""
    return s.pick(s.call.at(s.i).weights)


@fault("SV-BLK-5", "block")
@block("recover")
def block_residual_scaled_after(s: Step) -> int:
    """The residual is scaled as a whole, P (p - q), and not the target row."""
    return s.pick([s.joint * max(0.0, a - b) for a, b in zip(s.p, s.q, strict=True)] if s.joint else s.p)


@fault("SV-BLK-5", "block")
@block("walk")
def block_residual_joint_next(call: Call) -> Walk:
    """The residual has the joint ratio of the rejected token in it, not that of the tokens kept."""
    n = max((i for i, accepted in enumerate(call.positions(), 1) if accepted), default=0)
    return call.keep(n, call.joints()[min(n + 1, call.k)])


@fault("SV-BLK-5", "block")
@block("recover")
def block_scale_on_draft(s: Step) -> int:
    """The residual is max(0, p - P q): the joint ratio stands with the draft row."""
    rise = [max(0.0, a - s.joint * b) for a, b in zip(s.p, s.q, strict=True)]
    return s.pick(rise if any(rise) else s.p)


@fault("SV-BLK-5", "block")
@block("recover")
def block_recovered_from_target(s: Step) -> int:
    """The recovered token is drawn from the target row itself."""
    return s.pick(s.p)


@fault("SV-BLK-5", "block")
@block("recover")
def block_recovered_argmax(s: Step) -> int:
    """The recovered token is the argmax of the residual."""
    return argmax(s.weights)


@fault("SV-BLK-5", "block")
@block("coin")
def block_coin_next(s: Step) -> Any:
    """The coin is the uniform of the first position not kept, not the last value."""
    return s.call.random_samples[s.i]


@fault("SV-BLK-6", "block")
@block("bonus")
def block_bonus_argmax(s: Step) -> int:
    """The bonus token is the argmax of row K."""
    return argmax(s.p)


@fault("SV-BLK-6", "block")
@block("bonus")
def block_bonus_row_before(s: Step) -> int:
    """The bonus token is drawn from row K - 1; where K = 0, from the last row."""
    return s.pick(s.call.target_probs[s.call.k - 1])


@fault("SV-BLK-6", "block")
@block("bonus")
def block_bonus_missing(s: Step) -> int | None:
    """There is no bonus token after accepted drafts."""
    return None if s.call.k else s.pick(s.p)


@fault("SV-BON-3", "block")
@block("bonus")
def block_no_drafts_no_bonus(s: Step) -> int | None:
    """Where K = 0, there is no bonus token."""
    return s.pick(s.p) if s.call.k else None


@fault("SV-BLK-3", "block")
@block("accept")
def block_strict_at_end(s: Step) -> bool:
    """At the last position a uniform that equals the joint ratio rejects."""
    return s.u < s.share if s.i == s.call.k - 1 else s.share > 0 and s.u <= s.share


@fault("SV-BLK-2", "block")
@block("extend")
def block_zero_revived(joint: float, p: float, q: float) -> float:
    """A joint ratio of 0 becomes 1 again at a draft probability of 0."""
    return min(1.0, joint * p / q) if q else float(p > 0)


@fault("SV-BLK-5", "block")
@block("walk")
def block_residual_joint_last(call: Call) -> Walk:
    """The residual has the joint ratio of all draft tokens in it, not that of the tokens kept."""
    n = max((i for i, accepted in enumerate(call.positions(), 1) if accepted), default=0)
    return call.keep(n, call.joints()[-1])


@fault("SV-BLK-6", "block")
@block("bonus")
def block_bonus_row_last(s: Step) -> int:
    """The bonus token is drawn from the last target row, also where it is beyond row K."""
    return s.pick(s.call.target_probs[-1])
