"""Wrong verifiers of profile `greedy`."""

from __future__ import annotations

from functools import partial

from specreference.faults.build import passes, varied
from specreference.faults.call import Call, Refused, Step, Walk, argmax
from specreference.faults.model import fault
from specreference.faults.ties import last_of

greedy = partial(varied, profile="greedy")


@fault("SV-GRD-1", "greedy")
@passes("SV-GRD-1", profile="greedy")
def greedy_uniforms_pass(_: Refused) -> bool:
    """Uniforms pass, and are ignored."""
    return True


@fault("SV-GRD-2", "greedy", seen=("ohdearquant/lattice#280", "ohdearquant/lattice#281", "ohdearquant/lattice#386"))
@greedy("accept", recover=lambda s: last_of(s.p), bonus=lambda s: last_of(s.p))
def greedy_tie_last(s: Step) -> bool:
    """Of equal probabilities the highest token index wins."""
    return s.x == last_of(s.p)


@fault("SV-GRD-2", "greedy")
@greedy("accept")
def greedy_tied_accepts(s: Step) -> bool:
    """Each of several tokens with the greatest probability is accepted."""
    return s.p[s.x] == max(s.p)


@fault("SV-GRD-2", "greedy")
@greedy("accept")
def greedy_near_accepts(s: Step) -> bool:
    """A draft token within 1e-6 of the greatest probability is accepted."""
    return s.x == argmax(s.p) or 0 < max(s.p) - s.p[s.x] <= 1e-6


@fault("SV-GRD-2", "greedy")
@greedy("accept")
def greedy_top_two(s: Step) -> bool:
    """The second most likely token is accepted as well."""
    return s.x in sorted(range(len(s.p)), key=lambda y: -s.p[y])[:2]


@fault("SV-GRD-2", "greedy")
@greedy("accept")
def greedy_by_threshold(s: Step) -> bool:
    """A draft token is accepted where its probability is at least 1/2."""
    return s.p[s.x] >= 0.5


@fault("SV-GRD-2", "greedy")
@greedy("accept")
def greedy_row_next(s: Step) -> bool:
    """Draft token i is compared with the argmax of row i + 1, if there is one."""
    return s.x == argmax(s.call.target_probs[min(s.i + 1, len(s.call.target_probs) - 1)])


@fault("SV-GRD-3", "greedy")
@greedy("recover")
def greedy_recovered_row_next(s: Step) -> int:
    """After a rejection the argmax of the row after the rejected step's is given, if there is one."""
    return argmax(s.call.target_probs[min(s.i + 1, len(s.call.target_probs) - 1)])


@fault("SV-GRD-3", "greedy")
@greedy("recover")
def greedy_recovered_missing(_: Step) -> None:
    """A rejection brings no token."""


@fault("SV-GRD-3", "greedy")
@greedy("walk")
def greedy_goes_on(call: Call) -> Walk:
    """Later draft tokens are accepted after a rejection too."""
    mask = call.mask()
    return [x for x, accepted in zip(call.draft_tokens, mask, strict=True) if accepted], call.last(call.prefix())


@fault("SV-BON-1", "greedy", seen=("ohdearquant/lattice#389", "ohdearquant/lattice#509"))
@greedy("bonus")
def greedy_bonus_missing(s: Step) -> int | None:
    """There is no bonus token after accepted drafts."""
    return None if s.call.k else argmax(s.p)


@fault("SV-BON-1", "greedy")
@greedy("bonus")
def greedy_bonus_row_before(s: Step) -> int:
    """The bonus token comes from row K - 1; where K = 0, from the last row."""
    return argmax(s.call.target_probs[s.call.k - 1])


@fault("SV-BON-3", "greedy")
@greedy("bonus")
def greedy_no_drafts_no_bonus(s: Step) -> int | None:
    """Where K = 0, there is no bonus token."""
    return argmax(s.p) if s.call.k else None


@fault("SV-GRD-3", "greedy")
@greedy("recover")
def greedy_tie_last_recovered(s: Step) -> int:
    """After a rejection the highest token index of equal probabilities is given."""
    return last_of(s.p)


@fault("SV-BON-1", "greedy")
@greedy("bonus")
def greedy_bonus_row_last(s: Step) -> int:
    """The bonus token comes from the last target row, also where it is beyond row K."""
    return argmax(s.call.target_probs[-1])


@fault("SV-GRD-2", "greedy")
@greedy("accept")
def greedy_tail_unseen(s: Step) -> bool:
    """The argmax that a draft token is compared with runs over whole blocks of 4 tokens."""
    return s.x == argmax(s.p[: len(s.p) // 4 * 4] or s.p)
