"""Wrong prefixes and counts of steps, in profile `argmax`."""

from __future__ import annotations

from specreference.faults.build import varied
from specreference.faults.call import Call, Step, Walk, argmax
from specreference.faults.model import fault


@fault("SV-STOP-1")
@varied("walk")
def goes_on(call: Call) -> Walk:
    """Later draft tokens are accepted after a rejection too, and the recovered token is that of the first."""
    mask = call.mask()
    return [x for x, accepted in zip(call.draft_tokens, mask, strict=True) if accepted], call.last(call.prefix())


@fault("SV-STOP-1", seen=("vllm-project/vllm-ascend#7808",))
@varied("walk")
def kept_to_last_accepted(call: Call) -> Walk:
    """Everything up to the last position that accepts is kept, rejected tokens between included."""
    return call.settle(max((i + 1 for i, accepted in enumerate(call.mask()) if accepted), default=0))


@fault("SV-STOP-1")
@varied("walk")
def mask_summed(call: Call) -> Walk:
    """The prefix is as long as there are positions that accept, before and after the first rejection."""
    return call.settle(sum(call.mask()))


@fault("SV-BON-1")
@varied("walk")
def argmin_of_mask(call: Call) -> Walk:
    """The first rejection is looked up by an argmin, which gives step 0 where all are accepted."""
    n = call.prefix()
    return call.settle(n if n < call.k else 0)


@fault("SV-STOP-1")
@varied("walk")
def rejection_at_zero_missed(call: Call) -> Walk:
    """The index of the first rejection is tested for truth: at step 0 it counts as none, and all tokens stay."""
    return call.settle(call.prefix() or call.k)


@fault("SV-STOP-1")
@varied("walk")
def last_rejection_decides(call: Call) -> Walk:
    """Each later rejection overwrites the recovered token of the first."""
    rejected = [i for i, accepted in enumerate(call.mask()) if not accepted]
    return list(call.draft_tokens[: call.prefix()]), call.last(rejected[-1] if rejected else call.k)


@fault("SV-STOP-1")
@varied("walk")
def stops_one_late(call: Call) -> Walk:
    """The rejection is looked at one step late, so that one more token may be accepted."""
    n = call.prefix()
    accepted = list(call.draft_tokens[:n])
    if n + 1 < call.k and call.accepts(n + 1):
        accepted.append(call.draft_tokens[n + 1])
    return accepted, call.last(n)


@fault("SV-STOP-1")
@varied("walk")
def rejection_forgotten(call: Call) -> Walk:
    """The flag of a rejection lasts for a block of four steps, and the next block accepts again."""
    mask = call.mask()
    kept = [i for i in range(call.k) if all(mask[i - i % 4 : i + 1])]
    return [call.draft_tokens[i] for i in kept], call.last(call.prefix())


@fault("SV-STOP-1")
@varied("walk")
def recovered_continues(call: Call) -> Walk:
    """Verification goes on where the recovered token is the rejected step's next draft token."""
    accepted: list[int] = []
    for i, x in enumerate(call.draft_tokens):
        if call.accepts(i):
            accepted.append(x)
        elif call.last(i) not in call.draft_tokens[i + 1 : i + 2]:
            return accepted, call.last(i)
    return accepted, call.last(call.k)


@fault("SV-STOP-1")
@varied("walk")
def ratios_up_front(call: Call) -> Walk:
    """The ratios of all steps are computed first, and a later q(x) = 0 is divided by."""
    n = call.prefix()
    for step in map(call.at, range(n + 1, call.k)):
        _ = step.p[step.x] / step.q[step.x]
    return call.settle(n)


@fault("SV-STOP-1")
@varied("walk")
def residuals_up_front(call: Call) -> Walk:
    """The residuals of all steps are normalised first, and one without mass is divided by."""
    for step in map(call.at, range(call.k)):
        _ = 1 / sum(step.residual)
    return call.settle(call.prefix())


@fault("SV-OUT-2")
@varied("walk")
def prefix_discarded(call: Call) -> Walk:
    """A rejection anywhere throws away the tokens accepted before it."""
    n = call.prefix()
    return (list(call.draft_tokens) if n == call.k else []), call.last(n)


@fault("SV-RES-1")
@varied("walk")
def rejection_at_end_missed(call: Call) -> Walk:
    """A rejection at the last step falls through to row K's token."""
    n = call.prefix()
    return list(call.draft_tokens[:n]), call.last(call.k if n == call.k - 1 else n)


@fault("SV-ACC-1")
@varied("accept")
def last_draft_untested(s: Step) -> bool:
    """The last draft token is accepted untested."""
    return s.i == s.call.k - 1 or s.test(s.p[s.x], s.q[s.x])


@fault("SV-BON-1")
@varied("walk")
def last_draft_unseen(call: Call) -> Walk:
    """The loop ends one step early: the last draft token is never accepted, and row K - 1 follows."""
    n = min(call.prefix(), max(0, call.k - 1))
    if n < call.k - 1 or call.k == 0:
        return call.settle(n)
    return list(call.draft_tokens[:n]), argmax(call.target_probs[n])


@fault("SV-BON-2")
@varied("walk")
def steps_by_target_rows(call: Call) -> Walk:
    """There is a step for each target row but the last, so that without a row K the last draft token is not seen."""
    rows = max(0, len(call.target_probs) - 1)
    n = call.prefix(min(call.k, rows))
    return call.settle(n) if n < rows or rows >= call.k else (list(call.draft_tokens[:n]), argmax(call.target_probs[n]))


@fault("SV-BON-1")
@varied("prepare")
def eight_drafts(call: Call) -> None:
    """The drafts after the eighth are dropped, as by a buffer of fixed size."""
    call.draft_tokens = call.draft_tokens[:8]


@fault("SV-OUT-2")
@varied("walk")
def token_zero_dropped(call: Call) -> Walk:
    """Token 0 is taken for padding and left out of the accepted tokens."""
    accepted, token = call.run()
    return [x for x in accepted if x], token


@fault("SV-OUT-2")
@varied("walk")
def token_zero_ends(call: Call) -> Walk:
    """An accepted token 0 is taken for the end of the text, and the tokens after it are cut off."""
    accepted, token = call.run()
    return accepted[: accepted.index(0) + 1] if 0 in accepted else accepted, token


@fault("SV-STOP-1")
@varied("walk")
def goes_on_and_refuses(call: Call) -> Walk:
    """After a rejection the steps go on to be checked, and a later p(x) of 0 raises ValueError."""
    n = call.prefix()
    if any(step.p[step.x] == 0 for step in map(call.at, range(n + 1, call.k))):
        raise ValueError("the target gives a draft token no probability")
    return call.settle(n)
