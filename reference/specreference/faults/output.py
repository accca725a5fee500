"""Wrong forms of the result, in profile `argmax`."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from specreference.faults.build import varied
from specreference.faults.call import Call
from specreference.faults.model import fault

Result = dict[str, Any]


class Verification(NamedTuple):
    """A result whose values are attributes."""

    accepted_tokens: list[int]
    bonus_token: int | None
    acceptance_count: int


class ArrayScalar(int):
    """An int of another type, as an array gives it."""


@fault("SV-OUT-1")
@varied("finish")
def result_tuple(result: Result, _: Call) -> Any:
    """The result is a tuple of the three values."""
    return tuple(result.values())


@fault("SV-OUT-1")
@varied("finish")
def result_named_tuple(result: Result, _: Call) -> Any:
    """The result is a named tuple, whose values stand under attributes and not under keys."""
    return Verification(**result)


@fault("SV-OUT-1")
@varied("finish")
def result_json(result: Result, _: Call) -> Any:
    """The result is JSON text."""
    return json.dumps(result)


@fault("SV-OUT-1")
@varied("finish")
def result_none(_: Result, __: Call) -> Any:
    """The result is computed and not returned."""


@fault("SV-OUT-1")
@varied("finish")
def result_in_list(result: Result, _: Call) -> Any:
    """The result is a list of one dict, as for a batch of one request."""
    return [result]


@fault("SV-OUT-1")
@varied("finish")
def keys_in_camel_case(result: Result, _: Call) -> Any:
    """The keys are in camel case."""
    return dict(zip(("acceptedTokens", "bonusToken", "acceptanceCount"), result.values(), strict=True))


@fault("SV-OUT-1")
@varied("finish")
def key_added(result: Result, call: Call) -> Any:
    """The result has a fourth key, `acceptance_rate`."""
    return {**result, "acceptance_rate": result["acceptance_count"] / max(1, call.k)}


@fault("SV-OUT-1")
@varied("finish")
def key_added_on_rejection(result: Result, call: Call) -> Any:
    """After a rejection the result has a fourth key, `rejected_token`."""
    n = result["acceptance_count"]
    return {**result, "rejected_token": call.draft_tokens[n]} if n < call.k else result


@fault("SV-OUT-1")
@varied("finish")
def key_left_out(result: Result, _: Call) -> Any:
    """`bonus_token` is left out where it would be None."""
    return {key: value for key, value in result.items() if value is not None}


@fault("SV-OUT-1")
@varied("finish")
def count_left_out(result: Result, _: Call) -> Any:
    """`acceptance_count` is left out, since the list tells it."""
    return {key: value for key, value in result.items() if key != "acceptance_count"}


@fault("SV-OUT-4")
@varied("finish")
def bonus_in_list(result: Result, _: Call) -> Any:
    """`bonus_token` is a list of one token, or of none."""
    return {**result, "bonus_token": [y for y in [result["bonus_token"]] if y is not None]}


@fault("SV-OUT-4")
@varied("finish")
def bonus_zero_none(result: Result, _: Call) -> Any:
    """`bonus_token` is None in place of 0, by a test for truth."""
    return {**result, "bonus_token": result["bonus_token"] or None}


@fault("SV-OUT-4")
@varied("finish")
def bonus_as_text(result: Result, _: Call) -> Any:
    """`bonus_token` is text."""
    return {**result, "bonus_token": None if result["bonus_token"] is None else str(result["bonus_token"])}


@fault("SV-OUT-6")
@varied("finish")
def bonus_float(result: Result, _: Call) -> Any:
    """`bonus_token` is a float."""
    return {**result, "bonus_token": None if result["bonus_token"] is None else float(result["bonus_token"])}


@fault("SV-OUT-6")
@varied("finish")
def bonus_bool(result: Result, call: Call) -> Any:
    """`bonus_token` is a bool where V = 2, the outcome of a comparison."""
    pair = result["bonus_token"] is not None and len(call.target_probs[0]) == 2
    return {**result, "bonus_token": bool(result["bonus_token"]) if pair else result["bonus_token"]}


@fault("SV-OUT-6")
@varied("recover", "bonus")
def bonus_probability(s: Any) -> Any:
    """`bonus_token` is the greatest weight, not its token."""
    return max(s.weights)


@fault("SV-OUT-5")
@varied("finish")
def numbers_of_array_type(result: Result, _: Call) -> Any:
    """The numbers of the result are ints of another type, as an array gives them."""
    token = result["bonus_token"]
    return {
        "accepted_tokens": list(map(ArrayScalar, result["accepted_tokens"])),
        "bonus_token": None if token is None else ArrayScalar(token),
        "acceptance_count": ArrayScalar(result["acceptance_count"]),
    }
