"""Wrong bonus tokens, in profile `argmax`."""

from __future__ import annotations

from specreference.faults.build import varied
from specreference.faults.call import Call, Step, Walk, argmax, draw
from specreference.faults.model import fault


@fault("SV-BON-1", seen=("ohdearquant/lattice#389", "ohdearquant/lattice#509"))
@varied("bonus")
def bonus_missing(s: Step) -> int | None:
    """There is no bonus token after accepted drafts."""
    return None if s.call.k else argmax(s.p)


@fault("SV-BON-1")
@varied("bonus")
def bonus_row_before(s: Step) -> int:
    """The bonus token comes from row K - 1; where K = 0, from the last row."""
    return argmax(s.call.target_probs[s.call.k - 1])


@fault("SV-BON-1", seen=("flashinfer-ai/flashinfer#425",))
@varied("bonus")
def bonus_row_zero(s: Step) -> int:
    """The bonus token comes from row 0."""
    return argmax(s.call.target_probs[0])


@fault("SV-BON-1")
@varied("bonus")
def bonus_row_last(s: Step) -> int:
    """The bonus token comes from the last target row, also where it is beyond row K."""
    return argmax(s.call.target_probs[-1])


@fault("SV-BON-1")
@varied("bonus")
def bonus_only_exact(s: Step) -> int | None:
    """There is a bonus token only where there are exactly K + 1 target rows."""
    return argmax(s.p) if len(s.call.target_probs) == s.call.k + 1 else None


@fault("SV-BON-1")
@varied("bonus")
def bonus_drawn(s: Step) -> int:
    """The bonus token is drawn by the last uniform, or by 1/2 where there is none."""
    return draw(s.p, s.call.random_samples[-1] if s.call.k else 0.5)


@fault("SV-BON-1")
@varied("bonus")
def bonus_residual(s: Step) -> int:
    """The bonus token is the argmax of row K without the last draft row."""
    if not s.call.k:
        return argmax(s.p)
    return argmax([max(0.0, a - b) for a, b in zip(s.p, s.call.draft_probs[-1], strict=True)])


@fault("SV-BON-1")
@varied("bonus")
def bonus_from_draft(s: Step) -> int:
    """The bonus token is the argmax of the last draft row."""
    return argmax(s.call.draft_probs[-1] if s.call.k else s.p)


@fault("SV-BON-1")
@varied("bonus")
def bonus_rows_summed(s: Step) -> int:
    """The bonus token is the argmax of the sum of all target rows, by a reduction over the wrong axis."""
    return argmax([sum(column) for column in zip(*s.call.target_probs, strict=True)])


@fault("SV-BON-1")
@varied("bonus")
def bonus_flattened(s: Step) -> int:
    """The argmax runs over all target rows and gives a position in the flattened array."""
    return argmax([value for row in s.call.target_probs for value in row])


@fault("SV-BON-1")
@varied("bonus")
def bonus_skips_zero(s: Step) -> int:
    """The search for row K's argmax starts at token 1."""
    return argmax([-1.0, *s.p[1:]])


@fault("SV-BON-1")
@varied("bonus")
def bonus_not_repeated(s: Step) -> int:
    """The bonus token is never the draft token accepted last."""
    return argmax([-1.0 if s.call.k and y == s.call.draft_tokens[-1] else a for y, a in enumerate(s.p)])


@fault("SV-TIE-2")
@varied("recover", "bonus")
def argmax_above_zero(s: Step) -> int:
    """The argmax starts from the value 0 and the index -1, which is left where all values are 0."""
    return argmax(s.weights) if any(s.weights) else -1


@fault("SV-BON-2")
@varied("absent")
def bonus_absent_minus_one(_: Step) -> int:
    """Where there is no row K, bonus_token is -1."""
    return -1


@fault("SV-BON-2")
@varied("absent")
def bonus_absent_zero(_: Step) -> int:
    """Where there is no row K, bonus_token is 0."""
    return 0


@fault("SV-BON-2")
@varied("absent")
def bonus_absent_raises(s: Step) -> int:
    """Where there is no row K, it is read all the same, which raises IndexError."""
    return argmax(s.call.target_probs[s.call.k])


@fault("SV-BON-2")
@varied("absent")
def bonus_absent_row_last(s: Step) -> int | None:
    """Where there is no row K, the bonus token comes from the last row that there is."""
    return argmax(s.call.target_probs[-1]) if s.call.k else None


@fault("SV-BON-3", seen=("vllm-project/vllm-ascend#16215", "vllm-project/vllm-ascend#16222"))
@varied("bonus")
def no_drafts_no_bonus(s: Step) -> int | None:
    """Where K = 0, there is no bonus token."""
    return argmax(s.p) if s.call.k else None


@fault("SV-BON-3")
@varied("walk")
def no_drafts_crash(call: Call) -> Walk:
    """Where K = 0, the size of the vocabulary is read from a draft row that is not there."""
    _ = len(call.draft_probs[0])
    return call.run()


@fault("SV-BON-3")
@varied("demand")
def no_drafts_refused(call: Call) -> None:
    """K = 0 raises ValueError."""
    if not call.k:
        raise ValueError("draft_tokens must not be empty")


@fault("SV-BON-3")
@varied("bonus")
def no_drafts_row_last(s: Step) -> int:
    """Where K = 0, the bonus token comes from the last row, by the index -1."""
    return argmax(s.p if s.call.k else s.call.target_probs[-1])


@fault("SV-RES-1")
@varied("finish")
def recovered_or_bonus(result: dict[str, object], call: Call) -> dict[str, object]:
    """A recovered token 0 is taken for none, and gives way to row K's argmax."""
    if not result["bonus_token"] and len(call.target_probs) > call.k:
        result["bonus_token"] = argmax(call.target_probs[call.k])
    return result


@fault("SV-BON-1")
@varied("bonus")
def bonus_row_next(s: Step) -> int:
    """The bonus token comes from row K + 1, if there is one."""
    rows = s.call.target_probs
    return argmax(rows[min(s.call.k + 1, len(rows) - 1)])


@fault("SV-BON-1")
@varied("bonus")
def bonus_new(s: Step) -> int:
    """The bonus token is none of the draft tokens."""
    return argmax([-1.0 if y in s.call.draft_tokens else a for y, a in enumerate(s.p)])


@fault("SV-BON-1")
@varied("bonus")
def bonus_penalised(s: Step) -> int:
    """A penalty of 0.9 on tokens that were accepted is applied to row K."""
    return argmax([0.9 * a if y in s.call.draft_tokens else a for y, a in enumerate(s.p)])
