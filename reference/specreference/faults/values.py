"""Wrong checks of rows, tokens and values, in profile `argmax`."""

from __future__ import annotations

import math
from itertools import takewhile

from specreference.faults.build import passes, varied
from specreference.faults.call import Call, Refused, argmax
from specreference.faults.model import fault
from specreference.validate import InvalidInput


@fault("SV-IN-5")
@passes("SV-IN-5")
def ragged_rows_cut(_: Refused) -> bool:
    """Rows of different sizes are cut to the shorter one."""
    return True


@fault("SV-IN-5")
@passes("SV-IN-5")
def ragged_pairs_only(refused: Refused) -> bool:
    """Only the two rows of one step are compared in size."""
    pairs = zip(refused.call.draft_probs, refused.call.target_probs, strict=False)
    return all(0 < len(q) == len(p) for q, p in pairs)


@fault("SV-IN-5")
@passes("SV-IN-5")
def ragged_rows_checked_late(refused: Refused) -> bool:
    """Sizes are checked when a step comes to the row: not after a rejection, nor beyond row K."""
    return not refused.reached


@fault("SV-IN-5")
@passes("SV-IN-5", bonus=lambda s: argmax(s.p) if s.p else None)
def empty_rows_pass(refused: Refused) -> bool:
    """A row of no tokens from row K on passes, and gives no token."""
    return refused.argument == "target_probs" and refused.index[0] >= refused.call.k and not refused.value


@fault("SV-IN-6", seen=("flashinfer-ai/flashinfer#879", "vllm-project/vllm#46533", "vllm-project/vllm-ascend#10043"))
@passes("SV-IN-6")
def token_wraps(refused: Refused) -> bool:
    """A negative draft token counts from the end of the vocabulary."""
    return bool(refused.value < 0)


@fault("SV-IN-6")
@passes("SV-IN-6")
def token_unchecked(_: Refused) -> bool:
    """Draft tokens are not checked: IndexError at a token of V or more, once it is reached."""
    return True


@fault("SV-IN-6")
@passes("SV-IN-6")
def token_off_by_one(refused: Refused) -> bool:
    """Draft token V passes the check, and raises IndexError once it is reached."""
    return bool(refused.value == len(refused.call.target_probs[0]))


@fault("SV-IN-6")
@passes("SV-IN-6")
def token_checked_late(refused: Refused) -> bool:
    """A draft token is checked when its step is reached."""
    return not refused.reached


def _until_placeholder(call: Call) -> None:
    call.draft_tokens = list(takewhile(lambda x: x != -1, call.draft_tokens))


def _without_placeholders(call: Call) -> None:
    kept, k = [i for i, x in enumerate(call.draft_tokens) if x != -1], call.k
    call.draft_tokens, call.draft_probs, call.random_samples = (
        [values[i] for i in kept] for values in (call.draft_tokens, call.draft_probs, call.random_samples)
    )
    call.target_probs = [call.target_probs[i] for i in kept] + call.target_probs[k:]


@fault("SV-IN-6")
@passes("SV-IN-6", prepare=_until_placeholder)
def placeholder_ends(refused: Refused) -> bool:
    """Draft token -1 is a placeholder that ends the drafts."""
    return bool(refused.value == -1)


@fault("SV-IN-6", seen=("vllm-project/vllm#54137",))
@passes("SV-IN-6", prepare=_without_placeholders)
def placeholder_skipped(refused: Refused) -> bool:
    """Draft token -1 is a placeholder that is passed over, and drafts after it may be accepted."""
    return bool(refused.value == -1)


@fault("SV-IN-7")
@passes("SV-IN-7")
def nan_unchecked(refused: Refused) -> bool:
    """A probability that is NaN passes, since NaN is not below 0."""
    return math.isnan(refused.value)


@fault("SV-IN-7", seen=("vllm-project/vllm-ascend#14116",))
@passes("SV-IN-7", prepare=lambda call: call.map_rows(lambda row: [v if math.isfinite(v) else 0.0 for v in row]))
def nan_zeroed(refused: Refused) -> bool:
    """A probability that is NaN or infinite is replaced by 0."""
    return not math.isfinite(refused.value)


@fault("SV-IN-7")
@passes("SV-IN-7")
def infinity_unchecked(refused: Refused) -> bool:
    """An infinite probability passes."""
    return math.isinf(refused.value)


@fault("SV-IN-7")
@passes("SV-IN-7")
def negative_unchecked(refused: Refused) -> bool:
    """A negative probability passes."""
    return bool(-math.inf < refused.value < 0)


@fault("SV-IN-7")
@passes("SV-IN-7", prepare=lambda call: call.map_rows(lambda row: [max(0.0, value) for value in row]))
def negative_zeroed(refused: Refused) -> bool:
    """A negative probability is replaced by 0."""
    return bool(refused.value < 0)


@fault("SV-IN-7")
@passes("SV-IN-7")
def values_checked_late(refused: Refused) -> bool:
    """Probabilities are checked when a step comes to their row: not after a rejection, nor beyond row K."""
    return not refused.reached


@fault("SV-IN-7")
@passes("SV-IN-7")
def values_checked_of_drafts(refused: Refused) -> bool:
    """Only the draft tokens' own probabilities are checked."""
    i, y = refused.index
    return i >= refused.call.k or refused.call.draft_tokens[i] != y


@fault("SV-IN-7")
@passes("SV-IN-7")
def values_beyond_unchecked(refused: Refused) -> bool:
    """Probabilities of rows beyond row K - 1 are not checked."""
    return refused.index[0] >= refused.call.k


@fault("SV-IN-7")
@varied("refuse")
def values_arithmetic_error(refused: Refused, error: InvalidInput) -> bool:
    """Values that are no probabilities raise ArithmeticError."""
    if refused.clause in ("SV-IN-7", "SV-IN-8"):
        raise ArithmeticError(str(error))
    return True


@fault("SV-IN-8")
@passes("SV-IN-8")
def uniform_values_unchecked(_: Refused) -> bool:
    """The uniforms' values are not checked."""
    return True


@fault("SV-IN-8")
@passes("SV-IN-8")
def uniform_nan_unchecked(refused: Refused) -> bool:
    """A uniform that is NaN passes, since it is neither below 0 nor above 1."""
    return math.isnan(refused.value)


@fault("SV-IN-8")
@passes("SV-IN-8", uniform=lambda s: min(1.0, max(0.0, s.call.random_samples[s.i])))
def uniforms_clamped(refused: Refused) -> bool:
    """Uniforms outside of [0, 1] are cut to it."""
    return not math.isnan(refused.value)


@fault("SV-IN-8")
@passes("SV-IN-8")
def uniforms_checked_late(refused: Refused) -> bool:
    """A uniform is checked when its step is reached."""
    return not refused.reached


@fault("SV-IN-9")
@varied("demand")
def sums_demanded(call: Call) -> None:
    """A row whose sum is not within 1e-6 of 1 raises ValueError."""
    if any(abs(sum(row) - 1) > 1e-6 for row in (*call.draft_probs, *call.target_probs)):
        raise ValueError("a row does not sum to 1")


@fault("SV-IN-9")
@varied("demand")
def sums_demanded_exactly(call: Call) -> None:
    """A row whose sum in floating point is not 1 raises ValueError."""
    if any(sum(row) != 1 for row in (*call.draft_probs, *call.target_probs)):
        raise ValueError("a row does not sum to 1")


@fault("SV-IN-9")
@varied("demand")
def above_one_refused(call: Call) -> None:
    """A probability above 1 raises ValueError."""
    if any(max(row) > 1 for row in (*call.draft_probs, *call.target_probs)):
        raise ValueError("a probability is above 1")
