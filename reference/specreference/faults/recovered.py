"""Wrong recovered tokens, in profile `argmax`."""

from __future__ import annotations

import math

from specreference.faults.build import varied
from specreference.faults.call import Step, argmax, draw
from specreference.faults.inputs import normalised, softmax
from specreference.faults.model import fault


@fault("SV-RES-1")
@varied("recover")
def residual_inverted(s: Step) -> int:
    """The residual is max(0, q - p)."""
    return argmax([max(0.0, b - a) for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-RES-1")
@varied("recover")
def residual_unclipped(s: Step) -> int:
    """The differences are divided by their sum without being clipped at 0; where that is 0, the target row counts."""
    differences = [a - b for a, b in zip(s.p, s.q, strict=True)]
    total = sum(differences)
    return argmax([value / total for value in differences] if total else s.p)


@fault("SV-RES-1")
@varied("recover")
def residual_absolute(s: Step) -> int:
    """The residual is |p - q|."""
    return argmax([abs(a - b) for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-RES-1", seen=("EricLBuehler/mistral.rs#2424", "ShopeeLLM/Spec-RL#14"))
@varied("recover")
def recovered_from_target(s: Step) -> int:
    """The recovered token is the argmax of the target row itself."""
    return argmax(s.p)


@fault("SV-RES-1")
@varied("recover")
def recovered_without_rejected(s: Step) -> int:
    """The recovered token is the argmax of the target row without the rejected token."""
    return argmax([-1.0 if y == s.x else a for y, a in enumerate(s.p)])


@fault("SV-RES-1")
@varied("recover")
def recovered_of_top_two(s: Step) -> int:
    """The residual is searched among the two most likely tokens of the target row alone."""
    top = sorted(range(len(s.p)), key=lambda y: -s.p[y])[:2]
    return max(sorted(top), key=s.weights.__getitem__)


@fault("SV-RES-1")
@varied("recover")
def recovered_from_draft(s: Step) -> int:
    """The recovered token is the argmax of the draft row."""
    return argmax(s.q)


@fault("SV-RES-1")
@varied("recover")
def recovered_rejected(s: Step) -> int:
    """The rejected token itself is given as the recovered token."""
    return s.x


@fault("SV-RES-1")
@varied("recover")
def recovered_by_ratio(s: Step) -> int:
    """The recovered token is the one with the greatest p/q."""
    return argmax([a / b if b else math.inf if a else 0.0 for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-RES-1")
@varied("recover")
def recovered_least(s: Step) -> int:
    """Of the tokens with a residual the one with the least is taken."""
    return argmax([-w if w else -math.inf for w in s.weights])


@fault("SV-RES-1")
@varied("recover")
def recovered_first(s: Step) -> int:
    """The first token with a residual is taken."""
    return argmax([bool(w) for w in s.weights])


@fault("SV-RES-1")
@varied("recover")
def recovered_drawn(s: Step) -> int:
    """The recovered token is drawn from the residual by the step's own uniform."""
    return draw(s.weights, s.u)


@fault("SV-RES-1", seen=("vllm-project/vllm#8320", "vllm-project/vllm#8562"))
@varied("recover")
def recovered_missing(_: Step) -> None:
    """A rejection brings no recovered token."""


@fault("SV-RES-1")
@varied("recover")
def recovered_overwritten(s: Step) -> int:
    """Row K's argmax, if there is a row K, takes the place of the recovered token."""
    rows = s.call.target_probs
    return argmax(rows[s.call.k] if len(rows) > s.call.k else s.weights)


@fault("SV-RES-1", seen=("openvinotoolkit/openvino.genai#4190", "openvinotoolkit/openvino.genai#4490"))
@varied("recover")
def recovered_row_next(s: Step) -> int:
    """The recovered token is the argmax of the target row after the rejected step's, if there is one."""
    rows = s.call.target_probs
    return argmax(rows[s.i + 1] if len(rows) > s.i + 1 else s.weights)


@fault("SV-RES-1", seen=("flashinfer-ai/flashinfer#425",))
@varied("recover")
def residual_row_zero(s: Step) -> int:
    """The residual is that of step 0, whichever step rejects."""
    return argmax(s.call.at(0).weights)


@fault("SV-RES-1")
@varied("recover")
def residual_row_last(s: Step) -> int:
    """The residual is that of the last step, whichever step rejects."""
    return argmax(s.call.at(s.call.k - 1).weights)


@fault("SV-RES-1")
@varied("recover")
def residual_row_previous(s: Step) -> int:
    """The residual is that of the step before the rejected one, at step 0 its own."""
    return argmax(s.call.at(max(0, s.i - 1)).weights)


@fault("SV-RES-1")
@varied("recover")
def residual_draft_last(s: Step) -> int:
    """The draft row of the last step is subtracted, whichever step rejects."""
    return argmax([max(0.0, a - b) for a, b in zip(s.p, s.call.draft_probs[-1], strict=True)])


@fault("SV-RES-1")
@varied("recover")
def residual_flattened(s: Step) -> int:
    """The argmax runs over the residuals of all steps and gives a position in the flattened array."""
    flat = [value for i in range(s.call.k) for value in s.call.at(i).residual]
    return argmax(flat if any(flat) else s.p)


@fault("SV-RES-1")
@varied("recover")
def residual_scaled(s: Step) -> int:
    """The draft row is subtracted times the uniform."""
    return argmax([max(0.0, a - s.u * b) for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-RES-1", seen=("vectorch-ai/ScaleLLM#202",))
@varied("recover")
def residual_floored(s: Step) -> int:
    """Residuals are floored at 1e-6, so that smaller ones tie with none."""
    return argmax([max(1e-6, w) for w in s.residual])


@fault("SV-RES-1")
@varied("recover")
def residual_small_discarded(s: Step) -> int:
    """A residual with a mass below 1e-8 counts as none, and the target row's argmax follows."""
    return argmax(s.residual if sum(s.residual) >= 1e-8 else s.p)


@fault("SV-RES-1")
@varied("recover")
def residual_of_softmax(s: Step) -> int:
    """The residual is taken between the softmaxes of the two rows."""
    return argmax([max(0.0, a - b) for a, b in zip(softmax(s.p), softmax(s.q), strict=True)])


@fault("SV-IN-9")
@varied("recover")
def residual_renormalised(s: Step) -> int:
    """The residual is taken between the rows divided by their sums."""
    rise = [max(0.0, a - b) for a, b in zip(normalised(s.p), normalised(s.q), strict=True)]
    return argmax(rise if any(rise) else s.p)


@fault("SV-RES-1")
@varied("recover")
def residual_by_rank(s: Step) -> int:
    """The rows are subtracted in sorted order, rank by rank, not token by token."""
    order = sorted(range(len(s.p)), key=lambda y: -s.p[y])
    rise = [s.p[y] - b for y, b in zip(order, sorted(s.q, reverse=True), strict=True)]
    return order[argmax(rise)]


@fault("SV-RES-1")
@varied("recover")
def residual_index_shifted(s: Step) -> int:
    """The rejected token is deleted from the residual, and the tokens after it are named one too low."""
    weights = list(s.weights)
    del weights[s.x]
    return argmax(weights or [0.0])


@fault("SV-RES-1")
@varied("recover")
def recovered_skips_zero(s: Step) -> int:
    """The search for the greatest residual starts at token 1."""
    return argmax([-1.0, *s.weights[1:]])


@fault("SV-RES-1")
@varied("recover", "bonus")
def vocabulary_tail_unseen(s: Step) -> int:
    """Where V is no multiple of 8, the argmax runs over whole blocks of 8 tokens, and the rest is not scanned."""
    return argmax(s.weights[: len(s.weights) // 8 * 8] or s.weights)


@fault("SV-RES-1")
@varied("recover", "bonus")
def index_sixteen_bits(s: Step) -> int:
    """The last token's index is kept in 16 bits."""
    return argmax(s.weights) & 0xFFFF


@fault("SV-RES-1")
@varied("recover")
def recovered_of_risen(s: Step) -> int:
    """Of the tokens that p gives more than q, the one with the greatest target probability is taken."""
    return argmax([a if w else 0.0 for a, w in zip(s.p, s.weights, strict=True)])


@fault("SV-RES-1")
@varied("recover")
def recovered_new(s: Step) -> int:
    """The recovered token is none of those accepted before."""
    return argmax([-1.0 if y in s.call.draft_tokens[: s.i] else w for y, w in enumerate(s.weights)])


@fault("SV-STOP-1")
@varied("recover")
def residual_of_second_rejection(s: Step) -> int:
    """The residual is that of the second step that rejects, where there are two."""
    rejected = [i for i, accepted in enumerate(s.call.mask()) if not accepted]
    return argmax(s.call.at(rejected[:2][-1]).weights)


@fault("SV-RES-1")
@varied("recover")
def residual_scan_ends_at_zero(s: Step) -> int:
    """The search ends at the first token without a residual that follows one with."""
    weights = list(s.weights)
    start = next(y for y, w in enumerate(weights) if w) if any(weights) else 0
    return argmax(weights[: weights.index(0.0, start) if 0.0 in weights[start:] else None])
