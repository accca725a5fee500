"""Wrong lists of accepted tokens, and wrong counts, in profile `argmax`."""

from __future__ import annotations

from itertools import groupby
from typing import Any

from specreference.faults.build import varied
from specreference.faults.call import Call
from specreference.faults.model import fault

Result = dict[str, Any]


@fault("SV-OUT-2")
@varied("finish")
def accepted_tuple(result: Result, _: Call) -> Any:
    """`accepted_tokens` is a tuple."""
    return {**result, "accepted_tokens": tuple(result["accepted_tokens"])}


@fault("SV-OUT-2")
@varied("finish")
def accepted_none_if_empty(result: Result, _: Call) -> Any:
    """`accepted_tokens` is None where nothing is accepted."""
    return {**result, "accepted_tokens": result["accepted_tokens"] or None}


@fault("SV-OUT-2")
@varied("finish")
def accepted_as_text(result: Result, _: Call) -> Any:
    """`accepted_tokens` holds the tokens as text."""
    return {**result, "accepted_tokens": [str(x) for x in result["accepted_tokens"]]}


@fault("SV-OUT-2", seen=("lucidrains/speculative-decoding#3",))
@varied("finish")
def accepted_with_rejected(result: Result, call: Call) -> Any:
    """A token is appended before it is tested, so that the rejected one is among the accepted."""
    n = result["acceptance_count"] + 1
    return {**result, "accepted_tokens": list(call.draft_tokens[:n]), "acceptance_count": min(n, call.k)}


@fault("SV-OUT-2")
@varied("finish")
def accepted_with_recovered(result: Result, call: Call) -> Any:
    """The recovered token is appended to the accepted tokens and counted."""
    if result["acceptance_count"] == call.k:
        return result
    accepted = [*result["accepted_tokens"], result["bonus_token"]]
    return {**result, "accepted_tokens": accepted, "acceptance_count": len(accepted)}


@fault("SV-OUT-2")
@varied("finish")
def accepted_with_bonus(result: Result, call: Call) -> Any:
    """The bonus token is appended to the accepted tokens and counted."""
    if result["acceptance_count"] < call.k or result["bonus_token"] is None:
        return result
    accepted = [*result["accepted_tokens"], result["bonus_token"]]
    return {**result, "accepted_tokens": accepted, "acceptance_count": len(accepted)}


@fault("SV-OUT-2")
@varied("finish")
def accepted_as_emitted(result: Result, _: Call) -> Any:
    """`accepted_tokens` holds all that is emitted, the recovered or bonus token last, and the count leaves it out."""
    last = [result["bonus_token"]] if result["bonus_token"] is not None else []
    return {**result, "accepted_tokens": result["accepted_tokens"] + last}


@fault("SV-OUT-2")
@varied("finish")
def accepted_all_drafts(result: Result, call: Call) -> Any:
    """`accepted_tokens` holds all draft tokens, and the count tells how many of them stay."""
    return {**result, "accepted_tokens": list(call.draft_tokens)}


@fault("SV-OUT-2")
@varied("finish")
def accepted_padded(result: Result, call: Call) -> Any:
    """`accepted_tokens` is padded to length K with -1."""
    return {**result, "accepted_tokens": (result["accepted_tokens"] + [-1] * call.k)[: call.k]}


@fault("SV-OUT-2", seen=("vllm-project/vllm#54137",))
@varied("finish")
def accepted_padded_with_zero(result: Result, call: Call) -> Any:
    """`accepted_tokens` is padded to length K with token 0."""
    return {**result, "accepted_tokens": (result["accepted_tokens"] + [0] * call.k)[: call.k]}


@fault("SV-OUT-2")
@varied("finish")
def accepted_positions(result: Result, _: Call) -> Any:
    """`accepted_tokens` holds the positions, not the tokens."""
    return {**result, "accepted_tokens": list(range(result["acceptance_count"]))}


@fault("SV-OUT-2")
@varied("finish")
def accepted_mask(result: Result, call: Call) -> Any:
    """`accepted_tokens` holds a 1 or 0 for each draft token."""
    n = result["acceptance_count"]
    return {**result, "accepted_tokens": [1] * n + [0] * (call.k - n)}


@fault("SV-OUT-2")
@varied("finish")
def accepted_sorted(result: Result, _: Call) -> Any:
    """`accepted_tokens` is sorted."""
    return {**result, "accepted_tokens": sorted(result["accepted_tokens"])}


@fault("SV-OUT-2")
@varied("finish")
def accepted_reversed(result: Result, _: Call) -> Any:
    """`accepted_tokens` is in reverse order, the last accepted first."""
    return {**result, "accepted_tokens": result["accepted_tokens"][::-1]}


@fault("SV-OUT-2")
@varied("finish")
def accepted_without_repeats(result: Result, _: Call) -> Any:
    """A token that is accepted twice is listed and counted once."""
    accepted = list(dict.fromkeys(result["accepted_tokens"]))
    return {**result, "accepted_tokens": accepted, "acceptance_count": len(accepted)}


@fault("SV-OUT-3")
@varied("finish")
def count_with_last(result: Result, _: Call) -> Any:
    """`acceptance_count` counts the recovered or bonus token as well."""
    return {**result, "acceptance_count": result["acceptance_count"] + (result["bonus_token"] is not None)}


@fault("SV-OUT-3")
@varied("finish")
def count_with_bonus(result: Result, call: Call) -> Any:
    """`acceptance_count` counts the bonus token as well, but no recovered token."""
    bonus = result["acceptance_count"] == call.k and result["bonus_token"] is not None
    return {**result, "acceptance_count": result["acceptance_count"] + bonus}


@fault("SV-OUT-3")
@varied("finish")
def count_of_drafts(result: Result, call: Call) -> Any:
    """`acceptance_count` is K."""
    return {**result, "acceptance_count": call.k}


@fault("SV-OUT-3")
@varied("finish")
def count_of_steps(result: Result, call: Call) -> Any:
    """`acceptance_count` is the number of steps taken, the rejected one included."""
    return {**result, "acceptance_count": min(call.k, result["acceptance_count"] + 1)}


@fault("SV-OUT-3")
@varied("finish")
def count_of_mask(result: Result, call: Call) -> Any:
    """`acceptance_count` counts the positions that accept, also after the rejection."""
    return {**result, "acceptance_count": sum(call.mask())}


@fault("SV-OUT-3")
@varied("finish")
def count_of_rejected(result: Result, call: Call) -> Any:
    """`acceptance_count` is the number of draft tokens that do not stay."""
    return {**result, "acceptance_count": call.k - result["acceptance_count"]}


@fault("SV-OUT-3")
@varied("finish")
def count_empty_list(result: Result, _: Call) -> Any:
    """`acceptance_count` is an empty list where nothing is accepted, by `accepted and len(accepted)`."""
    return {**result, "acceptance_count": result["accepted_tokens"] and result["acceptance_count"]}


@fault("SV-OUT-6")
@varied("finish")
def count_float(result: Result, _: Call) -> Any:
    """`acceptance_count` is a float."""
    return {**result, "acceptance_count": float(result["acceptance_count"])}


@fault("SV-OUT-6")
@varied("finish")
def count_bool(result: Result, call: Call) -> Any:
    """`acceptance_count` is a bool where K = 1."""
    return {**result, "acceptance_count": call.k == 1 and result["acceptance_count"] == 1} if call.k == 1 else result


@fault("SV-OUT-6")
@varied("finish")
def accepted_floats(result: Result, _: Call) -> Any:
    """`accepted_tokens` holds floats."""
    return {**result, "accepted_tokens": list(map(float, result["accepted_tokens"]))}


@fault("SV-OUT-2")
@varied("finish")
def accepted_with_bonus_uncounted(result: Result, call: Call) -> Any:
    """The bonus token is appended to the accepted tokens, a recovered one is not, and the count leaves it out."""
    if result["acceptance_count"] < call.k or result["bonus_token"] is None:
        return result
    return {**result, "accepted_tokens": [*result["accepted_tokens"], result["bonus_token"]]}


@fault("SV-OUT-2")
@varied("finish")
def accepted_with_none(result: Result, _: Call) -> Any:
    """Where there is no bonus token, `accepted_tokens` ends with None."""
    ending = [None] if result["bonus_token"] is None else []
    return {**result, "accepted_tokens": result["accepted_tokens"] + ending}


@fault("SV-OUT-2")
@varied("finish")
def accepted_set(result: Result, _: Call) -> Any:
    """`accepted_tokens` is made of a set, sorted and without repeats, and counted before."""
    return {**result, "accepted_tokens": sorted(set(result["accepted_tokens"]))}


@fault("SV-OUT-2")
@varied("finish")
def accepted_runs_collapsed(result: Result, _: Call) -> Any:
    """A token that is accepted twice in a row is listed and counted once."""
    accepted = [x for x, _ in groupby(result["accepted_tokens"])]
    return {**result, "accepted_tokens": accepted, "acceptance_count": len(accepted)}


@fault("SV-OUT-2")
@varied("finish")
def accepted_without_last_token(result: Result, _: Call) -> Any:
    """Accepted tokens that equal the recovered or bonus token are left out."""
    accepted = [x for x in result["accepted_tokens"] if x != result["bonus_token"]]
    return {**result, "accepted_tokens": accepted, "acceptance_count": len(accepted)}


@fault("SV-OUT-3")
@varied("finish")
def count_of_distinct(result: Result, _: Call) -> Any:
    """`acceptance_count` is the number of different tokens."""
    return {**result, "acceptance_count": len(set(result["accepted_tokens"]))}
