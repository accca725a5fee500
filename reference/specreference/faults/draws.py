"""Wrong verifiers of profile `sampled`: the coin, the draw by it, and faults of `argmax` as they show there."""

from __future__ import annotations

import struct
from functools import partial
from itertools import accumulate
from typing import Any

from specreference.faults.build import passes, varied
from specreference.faults.call import Floats, Refused, Step, argmax, draw
from specreference.faults.inputs import softmax
from specreference.faults.model import fault

sampled = partial(varied, profile="sampled")


def search(weights: Floats, threshold: float) -> int:
    """The first token whose cumulative weight exceeds the threshold, or else token V - 1."""
    sums = accumulate(weights)
    return next((y for y, cumulative in enumerate(sums) if cumulative > threshold), len(weights) - 1)


@fault("SV-SMP-1", "sampled")
@passes("SV-SMP-1", profile="sampled")
def sampled_extra_uniforms_pass(refused: Refused) -> bool:
    """More than K + 1 uniforms pass, and the last of them is the coin."""
    return len(refused.call.random_samples) > refused.call.k + 1


@fault("SV-SMP-1", "sampled")
@passes("SV-SMP-1", profile="sampled")
def sampled_coin_optional(refused: Refused) -> bool:
    """K uniforms pass, and the last of them is the coin as well."""
    return 0 < len(refused.call.random_samples) == refused.call.k


@fault("SV-SMP-4", "sampled")
@sampled("coin")
def sampled_coin_next(s: Step) -> Any:
    """The coin is the uniform after the last one used, not the last value."""
    return s.call.random_samples[min(s.i + 1, s.call.k)]


@fault("SV-SMP-4", "sampled", seen=("flashinfer-ai/flashinfer#424", "vllm-project/vllm-ascend#16370"))
@sampled("coin")
def sampled_coin_reused(s: Step) -> Any:
    """The uniform that rejected draws the recovered token as well."""
    return s.call.random_samples[s.i]


@fault("SV-SMP-4", "sampled")
@sampled("coin")
def sampled_coin_left_over(s: Step) -> Any:
    """What the uniform has left after the rejection, stretched to [0, 1), draws the recovered token."""
    if s.i == s.call.k:
        return s.call.random_samples[-1]
    return (s.u - min(1.0, s.ratio)) / (1 - min(1.0, s.ratio)) if s.ratio < 1 else s.u


@fault("SV-SMP-4", "sampled")
@sampled("coin", uniform=lambda s: s.call.random_samples[s.i + 1])
def sampled_coin_first(s: Step) -> Any:
    """The coin is the first value, and the steps have those after it."""
    return s.call.random_samples[0]


@fault("SV-SMP-2", "sampled")
@sampled("coin")
def sampled_coin_complemented(s: Step) -> Any:
    """The coin is taken as 1 - r."""
    return 1 - s.call.random_samples[-1]


@fault("SV-SMP-5", "sampled", seen=("flashinfer-ai/flashinfer#923", "sgl-project/sglang#22643"))
@sampled("recover", "bonus")
def sampled_coin_float32(s: Step) -> int:
    """The coin is rounded to float32, where it may become 1, and token V - 1 is drawn."""
    coin = struct.unpack("<f", struct.pack("<f", s.coin))[0]
    return search(s.weights, coin * sum(s.weights))


@fault("SV-SMP-5", "sampled", seen=("sgl-project/sglang#35771",))
@sampled("recover", "bonus")
def sampled_search_left(s: Step) -> int:
    """The first token whose cumulative weight reaches the threshold is drawn: at a coin of 0, token 0."""
    sums = list(accumulate(s.weights))
    return next(y for y, cumulative in enumerate(sums) if cumulative >= s.coin * sums[-1])


@fault("SV-SMP-2", "sampled")
@sampled("recover", "bonus")
def sampled_knot_left(s: Step) -> int:
    """A coin at the end of a token's interval draws that token, not the next, but none without weight."""
    sums = list(accumulate(s.weights))
    return next(y for y, total in enumerate(sums) if s.weights[y] and total >= s.coin * sums[-1])


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_mass_ignored(s: Step) -> int:
    """The coin is compared with the cumulative residual as it is, without its mass."""
    return search(s.weights, s.coin)


@fault("SV-SMP-2", "sampled")
@sampled("recover", "bonus")
def sampled_heaviest_first(s: Step) -> int:
    """The tokens are drawn from in order of falling weight, not of index."""
    order = sorted(range(len(s.weights)), key=lambda y: -s.weights[y])
    return order[draw([s.weights[y] for y in order], s.coin)]


@fault("SV-SMP-2", "sampled", seen=("vllm-project/vllm-ascend#16396", "vllm-project/vllm-ascend#16430"))
@sampled("recover", "bonus")
def sampled_position_in_support(s: Step) -> int:
    """Tokens without weight are left out before the draw, and the position in the shorter list is given."""
    return draw([weight for weight in s.weights if weight] or [0.0], s.coin)


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_recovered_argmax(s: Step) -> int:
    """The recovered token is the argmax of the residual, not drawn from it."""
    return argmax(s.weights)


@fault("SV-SMP-2", "sampled", seen=("ShopeeLLM/Spec-RL#14",))
@sampled("recover")
def sampled_recovered_from_target(s: Step) -> int:
    """The recovered token is drawn from the target row itself."""
    return s.pick(s.p)


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_recovered_without_rejected(s: Step) -> int:
    """The recovered token is drawn from the target row without the rejected token."""
    return s.pick([0.0 if y == s.x else a for y, a in enumerate(s.p)])


@fault("SV-SMP-2", "sampled", seen=("openvinotoolkit/openvino.genai#4190", "openvinotoolkit/openvino.genai#4490"))
@sampled("recover")
def sampled_recovered_row_next(s: Step) -> int:
    """The recovered token is drawn from the target row after the rejected step's, if there is one."""
    rows = s.call.target_probs
    return s.pick(rows[s.i + 1] if len(rows) > s.i + 1 else s.weights)


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_residual_inverted(s: Step) -> int:
    """The residual is max(0, q - p)."""
    return s.pick([max(0.0, b - a) for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_residual_absolute(s: Step) -> int:
    """The residual is |p - q|."""
    return s.pick([abs(a - b) for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-SMP-2", "sampled", seen=("flashinfer-ai/flashinfer#425",))
@sampled("recover")
def sampled_residual_row_zero(s: Step) -> int:
    """The residual is that of step 0, whichever step rejects."""
    return draw(s.call.at(0).weights, s.coin)


@fault("SV-SMP-2", "sampled", seen=("huggingface/transformers#28508",))
@sampled("recover")
def sampled_residual_softmax(s: Step) -> int:
    """The residual is normalised by softmax, not by its sum."""
    return s.pick(softmax(s.weights))


@fault("SV-SMP-5", "sampled", seen=("vectorch-ai/ScaleLLM#202",))
@sampled("recover")
def sampled_residual_floored(s: Step) -> int:
    """Residuals are floored at 1e-6, so that a token without any may be drawn."""
    return s.pick([max(1e-6, weight) for weight in s.residual])


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_residual_squared(s: Step) -> int:
    """The residual is sharpened as by a temperature of 1/2 that is applied once more."""
    return s.pick([weight * weight for weight in s.weights])


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_residual_uniform(s: Step) -> int:
    """All tokens with a residual are equally likely."""
    return s.pick([float(weight > 0) for weight in s.weights])


@fault("SV-RES-2", "sampled")
@sampled("recover")
def sampled_massless_last(s: Step) -> int:
    """A residual without mass gives token V - 1, not a draw from the target row."""
    return s.pick(s.residual) if any(s.residual) else len(s.p) - 1


@fault("SV-RES-2", "sampled")
@sampled("recover")
def sampled_massless_divides(s: Step) -> int:
    """A residual without mass is divided by its sum, which raises."""
    residual, mass = s.residual, sum(s.residual)
    return s.pick([weight / mass for weight in residual])


@fault("SV-SMP-2", "sampled")
@sampled("coin")
def sampled_coin_in_1024ths(s: Step) -> Any:
    """The coin is cut to multiples of 1/1024."""
    return int(1024 * s.call.random_samples[-1]) / 1024


@fault("SV-SMP-2", "sampled")
@sampled("recover", "bonus")
def sampled_last_first(s: Step) -> int:
    """The tokens are drawn from in falling order of index."""
    return len(s.weights) - 1 - draw(s.weights[::-1], s.coin)


@fault("SV-SMP-2", "sampled")
@sampled("recover")
def sampled_recovered_of_risen(s: Step) -> int:
    """The recovered token is drawn from the target probabilities of the tokens that p gives more than q."""
    return draw([a if w else 0.0 for a, w in zip(s.p, s.weights, strict=True)], s.coin)


@fault("SV-SMP-5", "sampled")
@sampled("recover", "bonus")
def sampled_weights_raised(s: Step) -> int:
    """1e-9 is added to every weight, so that a token without any may be drawn."""
    return draw([w + 1e-9 for w in s.weights], s.coin)
