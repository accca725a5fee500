"""Wrong verifiers of profile `sampled`, apart from the draw: acceptance, prefix and bonus token."""

from __future__ import annotations

from typing import Any

from specreference.faults.call import Call, Step, Walk, argmax
from specreference.faults.draws import sampled
from specreference.faults.model import fault


@fault("SV-SMP-3", "sampled")
@sampled("bonus")
def sampled_bonus_argmax(s: Step) -> int:
    """The bonus token is the argmax of row K, not drawn from it."""
    return argmax(s.p)


@fault("SV-SMP-3", "sampled", seen=("ohdearquant/lattice#389", "ohdearquant/lattice#509"))
@sampled("bonus")
def sampled_bonus_missing(s: Step) -> int | None:
    """There is no bonus token after accepted drafts."""
    return None if s.call.k else s.pick(s.p)


@fault("SV-SMP-3", "sampled")
@sampled("bonus")
def sampled_bonus_row_before(s: Step) -> int:
    """The bonus token is drawn from row K - 1; where K = 0, from the last row."""
    return s.pick(s.call.target_probs[s.call.k - 1])


@fault("SV-SMP-3", "sampled", seen=("flashinfer-ai/flashinfer#425",))
@sampled("bonus")
def sampled_bonus_row_zero(s: Step) -> int:
    """The bonus token is drawn from row 0."""
    return s.pick(s.call.target_probs[0])


@fault("SV-SMP-3", "sampled")
@sampled("bonus")
def sampled_bonus_row_last(s: Step) -> int:
    """The bonus token is drawn from the last target row, also where it is beyond row K."""
    return s.pick(s.call.target_probs[-1])


@fault("SV-SMP-3", "sampled")
@sampled("bonus")
def sampled_bonus_residual(s: Step) -> int:
    """The bonus token is drawn from row K without the last draft row."""
    if not s.call.k:
        return s.pick(s.p)
    return s.pick([max(0.0, a - b) for a, b in zip(s.p, s.call.draft_probs[-1], strict=True)])


@fault("SV-BON-3", "sampled", seen=("vllm-project/vllm-ascend#16215", "vllm-project/vllm-ascend#16222"))
@sampled("bonus")
def sampled_no_drafts_no_bonus(s: Step) -> int | None:
    """Where K = 0, there is no bonus token."""
    return s.pick(s.p) if s.call.k else None


@fault("SV-SMP-6", "sampled", seen=("sgl-project/sglang#35771", "sgl-project/sglang#35798"))
@sampled("accept")
def sampled_zero_uniform_accepts(s: Step) -> bool:
    """A uniform of 0 accepts a token that the target excludes."""
    return s.u == 0 or s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1", "sampled")
@sampled("accept")
def sampled_accept_strict(s: Step) -> bool:
    """The comparison is strict, though the policy says that equality accepts."""
    return s.u < min(1.0, s.ratio)


@fault("SV-ACC-1", "sampled", seen=("huggingface/transformers#28508", "vllm-project/vllm-ascend#13470"))
@sampled("accept")
def sampled_accept_always(_: Step) -> bool:
    """Every draft token is accepted."""
    return True


@fault("SV-ACC-1", "sampled", seen=("sgl-project/sglang#9877", "sgl-project/sglang#10308"))
@sampled("accept")
def sampled_accept_by_target(s: Step) -> bool:
    """Accepts where u <= p(x): the draft probability plays no part."""
    return s.u <= s.p[s.x] > 0


@fault("SV-ACC-1", "sampled", seen=("vllm-project/vllm-project.github.io#80",))
@sampled("accept")
def sampled_accept_without_uniform(s: Step) -> bool:
    """Accepts where p(x) >= q(x) and looks at no uniform."""
    return s.p[s.x] >= s.q[s.x] and s.p[s.x] > 0


@fault("SV-ACC-1", "sampled", seen=("ROCm/ATOM#2318", "sgl-project/sglang#37134"))
@sampled("accept")
def sampled_accept_argmax(s: Step) -> bool:
    """Accepts only the target row's argmax, and draws the last token alone."""
    return s.x == argmax(s.p)


@fault("SV-ACC-1", "sampled", seen=("alibaba/rtp-llm#1295", "alibaba/rtp-llm#1311"))
@sampled("accept")
def sampled_accept_drawn_too(s: Step) -> bool:
    """A draft token that the coin draws from the target row is accepted as well."""
    return s.test(s.p[s.x], s.q[s.x]) or s.pick(s.p) == s.x


@fault("SV-ACC-1", "sampled")
@sampled("accept")
def sampled_ratio_inverted(s: Step) -> bool:
    """The ratio is q/p."""
    return s.test(s.q[s.x], s.p[s.x])


@fault("SV-ACC-2", "sampled")
@sampled("uniform")
def sampled_uniform_first(s: Step) -> Any:
    """The first uniform decides every step."""
    return s.call.random_samples[0]


@fault("SV-ACC-2", "sampled")
@sampled("accept")
def sampled_target_row_next(s: Step) -> bool:
    """Step i's target probability is read from row i + 1, if there is one."""
    row = s.call.target_probs[min(s.i + 1, len(s.call.target_probs) - 1)]
    return s.test(row[s.x], s.q[s.x])


@fault("SV-ACC-4", "sampled")
@sampled("accept")
def sampled_zero_draft_accepts(s: Step) -> bool:
    """A draft probability of 0 accepts, also where the target probability is 0."""
    return s.q[s.x] == 0 or s.test(s.p[s.x], s.q[s.x])


@fault("SV-STOP-1", "sampled")
@sampled("walk")
def sampled_goes_on(call: Call) -> Walk:
    """Later draft tokens are accepted after a rejection too, and the recovered token is that of the first."""
    mask = call.mask()
    return [x for x, accepted in zip(call.draft_tokens, mask, strict=True) if accepted], call.last(call.prefix())


@fault("SV-STOP-1", "sampled")
@sampled("walk")
def sampled_mask_summed(call: Call) -> Walk:
    """The prefix is as long as there are positions that accept, before and after the first rejection."""
    return call.settle(sum(call.mask()))


@fault("SV-OUT-3", "sampled")
@sampled("finish")
def sampled_count_with_last(result: dict[str, Any], _: Call) -> Any:
    """`acceptance_count` counts the recovered or bonus token as well."""
    return {**result, "acceptance_count": result["acceptance_count"] + (result["bonus_token"] is not None)}


@fault("SV-ACC-1", "sampled")
@sampled("accept")
def sampled_strict_at_end(s: Step) -> bool:
    """The comparison is strict at the last draft token, though the policy says that equality accepts."""
    return s.test(s.p[s.x], s.q[s.x]) and not (s.i == s.call.k - 1 and s.u == s.ratio)


@fault("SV-SMP-3", "sampled")
@sampled("bonus")
def sampled_bonus_row_next(s: Step) -> int:
    """The bonus token is drawn from row K + 1, if there is one."""
    rows = s.call.target_probs
    return s.pick(rows[min(s.call.k + 1, len(rows) - 1)])
