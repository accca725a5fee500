"""Wrong verifiers of profile `one-hot`."""

from __future__ import annotations

from functools import partial
from typing import Any

from specreference.faults.build import passes, varied
from specreference.faults.call import Call, Refused, Step, Walk, argmax, draw
from specreference.faults.draws import search
from specreference.faults.model import fault

one_hot = partial(varied, profile="one-hot")


@fault("SV-ONE-3", "one-hot")
@one_hot("recover")
def one_hot_recovered_from_target(s: Step) -> int:
    """The recovered token is drawn from the whole target row: the rejected token has a second chance."""
    return s.pick(s.p)


@fault("SV-ONE-3", "one-hot")
@one_hot("recover")
def one_hot_index_shifted(s: Step) -> int:
    """The rejected token is deleted from the row, and the tokens after it are named one too low."""
    weights = list(s.weights)
    del weights[s.x]
    return s.pick(weights or [1.0])


@fault("SV-ONE-3", "one-hot")
@one_hot("recover")
def one_hot_mass_ignored(s: Step) -> int:
    """The row without the rejected token is not normalised: the coin is compared with its sums as they are."""
    return search(s.weights, s.coin)


@fault("SV-ONE-3", "one-hot")
@one_hot("recover")
def one_hot_recovered_argmax(s: Step) -> int:
    """The recovered token is the argmax of the row without the rejected token."""
    return argmax(s.weights)


@fault("SV-ONE-3", "one-hot")
@one_hot("coin")
def one_hot_coin_reused(s: Step) -> Any:
    """The uniform that rejected draws the recovered token as well."""
    return s.call.random_samples[s.i]


@fault("SV-ONE-3", "one-hot")
@one_hot("coin")
def one_hot_coin_left_over(s: Step) -> Any:
    """What the uniform has left after the rejection, stretched to [0, 1), draws the recovered token."""
    if s.i == s.call.k:
        return s.call.random_samples[-1]
    return (s.u - s.p[s.x]) / (1 - s.p[s.x]) if s.p[s.x] < 1 else s.u


@fault("SV-ONE-3", "one-hot")
@one_hot("coin")
def one_hot_coin_next(s: Step) -> Any:
    """The coin is the uniform after the last one used, not the last value."""
    return s.call.random_samples[min(s.i + 1, s.call.k)]


@fault("SV-ONE-2", "one-hot")
@one_hot("accept")
def one_hot_accept_strict(s: Step) -> bool:
    """A uniform that equals p(x) rejects."""
    return s.u < s.p[s.x]


@fault("SV-ONE-2", "one-hot")
@one_hot("accept")
def one_hot_zero_uniform_accepts(s: Step) -> bool:
    """A uniform of 0 accepts a token that the target excludes."""
    return s.u <= s.p[s.x]


@fault("SV-ONE-2", "one-hot", seen=("ROCm/ATOM#2318", "sgl-project/sglang#37134"))
@one_hot("accept")
def one_hot_accept_argmax(s: Step) -> bool:
    """Accepts only the target row's argmax."""
    return s.x == argmax(s.p)


@fault("SV-ONE-2", "one-hot")
@one_hot("accept", coin=lambda s: s.call.random_samples[s.i], recover=lambda s: s.pick(s.p))
def one_hot_sample_match(s: Step) -> bool:
    """Each step draws from its row by its own uniform, and accepts what equals the draft: lossless, another rule."""
    return draw(s.p, s.u) == s.x


@fault("SV-ONE-4", "one-hot")
@one_hot("bonus")
def one_hot_bonus_argmax(s: Step) -> int:
    """The bonus token is the argmax of row K."""
    return argmax(s.p)


@fault("SV-ONE-4", "one-hot")
@one_hot("bonus")
def one_hot_bonus_without_last(s: Step) -> int:
    """The bonus token is drawn from row K without the draft token accepted last."""
    last = s.call.draft_tokens[-1] if s.call.k else -1
    return s.pick([0.0 if y == last else a for y, a in enumerate(s.p)])


@fault("SV-ONE-4", "one-hot")
@one_hot("bonus")
def one_hot_bonus_row_before(s: Step) -> int:
    """The bonus token is drawn from row K - 1; where K = 0, from the last row."""
    return s.pick(s.call.target_probs[s.call.k - 1])


@fault("SV-ONE-4", "one-hot")
@one_hot("bonus")
def one_hot_bonus_missing(s: Step) -> int | None:
    """There is no bonus token after accepted drafts."""
    return None if s.call.k else s.pick(s.p)


@fault("SV-ONE-1", "one-hot")
@passes("SV-ONE-1", profile="one-hot")
def one_hot_extra_uniforms_pass(refused: Refused) -> bool:
    """More than K + 1 uniforms pass, and the last of them is the coin."""
    return len(refused.call.random_samples) > refused.call.k + 1


@fault("SV-STOP-1", "one-hot")
@one_hot("walk")
def one_hot_goes_on(call: Call) -> Walk:
    """Later draft tokens are accepted after a rejection too, and the recovered token is that of the first."""
    mask = call.mask()
    return [x for x, accepted in zip(call.draft_tokens, mask, strict=True) if accepted], call.last(call.prefix())


@fault("SV-ONE-2", "one-hot")
@one_hot("accept")
def one_hot_sure_accepts(s: Step) -> bool:
    """A target probability above 0.99 accepts, whatever the uniform."""
    return s.p[s.x] > 0.99 or s.test(s.p[s.x], 1.0)


@fault("SV-ONE-3", "one-hot")
@one_hot("recover")
def one_hot_recovered_new(s: Step) -> int:
    """The recovered token is drawn from the row without the rejected token and those accepted before."""
    used = s.call.draft_tokens[: s.i + 1]
    left = [0.0 if y in used else a for y, a in enumerate(s.p)]
    return s.pick(left if any(left) else s.weights)


@fault("SV-ONE-4", "one-hot")
@one_hot("bonus")
def one_hot_bonus_row_last(s: Step) -> int:
    """The bonus token is drawn from the last target row, also where it is beyond row K."""
    return s.pick(s.call.target_probs[-1])
