"""Calls that change their arguments, or that remember earlier ones, in profile `argmax`."""

from __future__ import annotations

import random
from typing import Any

from specreference.faults.build import varied
from specreference.faults.call import Call, Step, argmax
from specreference.faults.model import fault
from specreference.faults.ties import last_of
from specreference.profiles import verify_speculative_tokens

_memory: dict[str, Any] = {}


def forget() -> None:
    """Put all faults back to the state of a new process."""
    _memory.clear()


def _remembered(name: str, value: Any) -> Any:
    """What a fault has kept under a name, `value` to begin with."""
    return _memory.setdefault(name, value)


@fault("SV-PURE-1", seen=("NJUNLP/MCSD#5", "vllm-project/vllm-ascend#2881", "vllm-project/vllm#30846"))
@varied("recover")
def residual_in_place(s: Step) -> int:
    """The residual is written over the target row."""
    s.call.target_probs[s.i][:] = s.weights
    return argmax(s.p)


@fault("SV-PURE-1")
@varied("finish")
def bonus_appended_to_drafts(result: dict[str, Any], call: Call) -> dict[str, Any]:
    """The recovered or bonus token is appended to the caller's draft_tokens."""
    if result["bonus_token"] is not None:
        call.draft_tokens.append(result["bonus_token"])
    return result


@fault("SV-PURE-1")
@varied("finish")
def drafts_cut(result: dict[str, Any], call: Call) -> dict[str, Any]:
    """The caller's draft_tokens are cut to the accepted ones and handed back."""
    del call.draft_tokens[result["acceptance_count"] :]
    return {**result, "accepted_tokens": call.draft_tokens}


@fault("SV-PURE-1")
@varied("finish")
def uniforms_popped(result: dict[str, Any], call: Call) -> dict[str, Any]:
    """The uniforms are popped from the caller's list, one a step."""
    del call.random_samples[: result["acceptance_count"] + 1]
    return result


@fault("SV-PURE-1")
@varied("bonus")
def bonus_row_popped(s: Step) -> int:
    """Row K is popped from the caller's target_probs."""
    return argmax(s.call.target_probs.pop(s.call.k))


@fault("SV-PURE-1")
@varied("bonus")
def bonus_row_sorted(s: Step) -> int:
    """Row K is sorted in place to find its maximum."""
    row = list(s.p)
    s.call.target_probs[s.call.k].sort(reverse=True)
    return row.index(s.p[0])


@fault("SV-PURE-1")
@varied("finish")
def rows_rescaled(result: dict[str, Any], call: Call) -> dict[str, Any]:
    """The caller's target rows are divided by their sums after the call, where these are not 1."""
    for row in call.target_probs:
        total = sum(row)
        if total not in (0, 1):
            row[:] = [value / total for value in row]
    return result


@fault("SV-PURE-2")
@varied("finish")
def accepted_of_earlier_calls(result: dict[str, Any], _: Call) -> dict[str, Any]:
    """A list in a default argument keeps the accepted tokens of earlier calls."""
    kept = _remembered("accepted", [])
    kept += result["accepted_tokens"]
    return {**result, "accepted_tokens": list(kept), "acceptance_count": len(kept)}


@fault("SV-PURE-2")
@varied("finish")
def count_of_all_calls(result: dict[str, Any], _: Call) -> dict[str, Any]:
    """`acceptance_count` is a total over all calls."""
    _memory["count"] = _remembered("count", 0) + result["acceptance_count"]
    return {**result, "acceptance_count": _memory["count"]}


@fault("SV-PURE-2")
@varied("finish")
def bonus_of_earlier_call(result: dict[str, Any], _: Call) -> dict[str, Any]:
    """Where there is no row K, `bonus_token` is what the call before has left."""
    if result["bonus_token"] is None:
        return {**result, "bonus_token": _remembered("bonus", None)}
    _memory["bonus"] = result["bonus_token"]
    return result


@fault("SV-PURE-2")
def cached_by_tokens(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Results are cached by the draft tokens alone."""
    cache = _remembered("by tokens", {})
    key = tuple(draft_tokens)
    if key not in cache:
        cache[key] = verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    return cache[key]


@fault("SV-PURE-2")
def second_call_refused(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """The same arguments a second time raise RuntimeError."""
    seen = _remembered("seen", set())
    key = repr((draft_tokens, draft_probs, target_probs, random_samples))
    if key in seen:
        raise RuntimeError("these drafts have been verified")
    seen.add(key)
    return verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)


@fault("SV-PURE-2")
@varied("recover", "bonus")
def ties_alternate(s: Step) -> int:
    """Every second tie is broken the other way."""
    if last_of(s.weights) == argmax(s.weights):
        return argmax(s.weights)
    _memory["ties"] = not _remembered("ties", False)
    return argmax(s.weights) if _memory["ties"] else last_of(s.weights)


@fault("SV-PURE-2")
@varied("uniform")
def uniforms_of_its_own(_: Step) -> float:
    """Draws uniforms of its own, and ignores those given."""
    generator = _remembered("generator", random.Random(0))  # noqa: S311  # a fault, not a secret
    return float(generator.random())


@fault("SV-PURE-2")
@varied("walk")
def uniforms_left_over(call: Call) -> Any:
    """Uniforms that a call does not use are kept for the next one, which uses them first."""
    queue = _remembered("queue", [])
    queue += call.random_samples
    call.random_samples = queue[: call.k]
    accepted, token = call.run()
    del queue[: min(call.k, len(accepted) + 1)]
    return accepted, token


@fault("SV-PURE-2")
def error_remembered(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """After invalid input the next call raises as well, whatever its arguments."""
    if _memory.pop("error", False):
        raise RuntimeError("the verifier is in a failed state")
    try:
        return verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    except ValueError:
        _memory["error"] = True
        raise


@fault("SV-PURE-2")
@varied("recover", "bonus")
def vocabulary_remembered(s: Step) -> int:
    """The size of the vocabulary is that of the first call, and tokens beyond it are not looked at."""
    return argmax(s.weights[: _remembered("vocabulary", len(s.weights))])


@fault("SV-PURE-1")
@varied("finish")
def uniforms_turned(result: dict[str, Any], call: Call) -> dict[str, Any]:
    """The caller's uniforms are reversed, so that they could be popped."""
    call.random_samples.reverse()
    return result


@fault("SV-PURE-1")
@varied("finish")
def rows_beyond_dropped(result: dict[str, Any], call: Call) -> dict[str, Any]:
    """Rows beyond row K are deleted from the caller's target_probs."""
    del call.target_probs[call.k + 1 :]
    return result


@fault("SV-PURE-1")
@varied("absent")
def bonus_row_added(s: Step) -> None:
    """Where there is no row K, one of zeros is appended to the caller's target_probs."""
    if s.call.k:
        s.call.target_probs.append([0.0] * len(s.call.target_probs[0]))


@fault("SV-PURE-2")
def cached_without_targets(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Results are cached by draft tokens, draft rows and uniforms, without the target rows."""
    cache = _remembered("without targets", {})
    key = repr((draft_tokens, draft_probs, random_samples))
    if key not in cache:
        cache[key] = verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    return cache[key]


@fault("SV-PURE-2")
def cached_by_first_rows(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Results are cached by the first rows, the tokens, the uniforms and all lengths."""
    cache = _remembered("first rows", {})
    lengths = len(draft_probs), len(target_probs)
    key = repr((draft_tokens, draft_probs[:1], target_probs[:1], random_samples, lengths))
    if key not in cache:
        cache[key] = verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    return cache[key]


@fault("SV-PURE-2")
def errors_collected(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Errors are collected in a default argument, and the next valid call raises them as ValueError."""
    collected = _remembered("errors", [])
    try:
        result = verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    except ValueError as error:
        collected.append(str(error))
        raise
    if collected:
        told = "; ".join(collected)
        collected.clear()
        raise ValueError(told)
    return result


@fault("SV-PURE-2")
@varied("finish")
def seventh_call_stale(result: dict[str, Any], _: Call) -> Any:
    """Every seventh call gives the result of the call before."""
    _memory["calls"] = _remembered("calls", 0) + 1
    before = _remembered("stale", result)
    _memory["stale"] = result
    return result if _memory["calls"] % 7 else before
