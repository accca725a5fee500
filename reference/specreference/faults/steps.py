"""Steps that use rows, uniforms or tokens of other steps, in profile `argmax`."""

from __future__ import annotations

import math

from specreference.faults.build import varied
from specreference.faults.call import Call, Step
from specreference.faults.model import fault


@fault("SV-ACC-2")
@varied("uniform")
def uniform_first(s: Step) -> float:
    """The first uniform decides every step."""
    return float(s.call.random_samples[0])


@fault("SV-ACC-2")
@varied("uniform")
def uniform_previous(s: Step) -> float:
    """Step i reads uniform i - 1, step 0 the last one."""
    return float(s.call.random_samples[s.i - 1])


@fault("SV-ACC-2")
@varied("uniform")
def uniform_next(s: Step) -> float:
    """Step i reads uniform i + 1, the last step its own."""
    return float(s.call.random_samples[min(s.i + 1, s.call.k - 1)])


@fault("SV-ACC-2")
@varied("uniform")
def uniforms_reversed(s: Step) -> float:
    """The uniforms are taken from the end, as from a stack."""
    return float(s.call.random_samples[-1 - s.i])


@fault("SV-ACC-2")
@varied("uniform")
def uniforms_on_demand(s: Step) -> float:
    """A step with p(x) >= q(x) uses up no uniform, so that later steps read earlier ones."""
    before = [s.call.at(j) for j in range(s.i)]
    return float(s.call.random_samples[sum(t.ratio < 1 for t in before)])


@fault("SV-ACC-2")
@varied("accept")
def ratio_cumulative(s: Step) -> bool:
    """The uniform is compared with the product of all ratios so far."""
    return s.u <= math.prod(s.call.at(j).ratio for j in range(s.i + 1))


@fault("SV-ACC-2")
@varied("accept")
def ratio_cumulative_capped(s: Step) -> bool:
    """The uniform is compared with the product of all acceptance probabilities so far."""
    return s.u <= math.prod(min(1.0, s.call.at(j).ratio) for j in range(s.i + 1))


@fault("SV-ACC-2")
@varied("accept")
def draft_row_zero(s: Step) -> bool:
    """Every step's draft probability is read from draft row 0."""
    return s.test(s.p[s.x], s.call.draft_probs[0][s.x])


@fault("SV-ACC-2")
@varied("accept")
def target_row_zero(s: Step) -> bool:
    """Every step's target probability is read from target row 0."""
    return s.test(s.call.target_probs[0][s.x], s.q[s.x])


@fault("SV-ACC-2")
@varied("accept")
def target_row_next(s: Step) -> bool:
    """Step i's target probability is read from row i + 1, if there is one."""
    row = s.call.target_probs[min(s.i + 1, len(s.call.target_probs) - 1)]
    return s.test(row[s.x], s.q[s.x])


@fault("SV-ACC-2")
@varied("accept")
def target_row_previous(s: Step) -> bool:
    """Step i's target probability is read from row i - 1, at step 0 from the last row."""
    return s.test(s.call.target_probs[s.i - 1][s.x], s.q[s.x])


@fault("SV-ACC-2")
@varied("accept")
def target_row_last(s: Step) -> bool:
    """Every step's target probability is read from the last target row."""
    return s.test(s.call.target_probs[-1][s.x], s.q[s.x])


@fault("SV-ACC-2")
@varied("accept")
def target_rows_least(s: Step) -> bool:
    """The target probability is the least of all rows, by a reduction over the wrong axis."""
    return s.test(min(row[s.x] for row in s.call.target_probs), s.q[s.x])


@fault("SV-ACC-2")
@varied("prepare")
def target_stride_short(call: Call) -> None:
    """The target rows are read from one buffer with a stride of V - 1."""
    buffer = [value for row in call.target_probs for value in row]
    v = len(call.target_probs[0]) if call.target_probs else 0
    call.target_probs = [buffer[i * (v - 1) :][:v] for i in range(len(call.target_probs))]


@fault("SV-ACC-2")
@varied("accept")
def token_next(s: Step) -> bool:
    """The target probability is that of the next draft token, at the last step of its own."""
    following = s.call.draft_tokens[min(s.i + 1, s.call.k - 1)]
    return s.test(s.p[following], s.q[s.x])


@fault("SV-ACC-2")
@varied("accept")
def token_found_by_value(s: Step) -> bool:
    """The step is looked up by the draft token's value, so that a repeated token is tested where it stood first."""
    first = s.call.at(list(s.call.draft_tokens).index(s.x))
    return s.test(first.p[s.x], first.q[s.x], first.u)


@fault("SV-ACC-2")
@varied("uniform")
def uniforms_sorted(s: Step) -> float:
    """The uniforms are put in rising order before they are used."""
    return float(sorted(s.call.random_samples)[s.i])


@fault("SV-ACC-2")
@varied("prepare")
def rows_of_last_repeat(call: Call) -> None:
    """The draft rows are kept by token, so that a repeated token has the row of its last place everywhere."""
    rows = dict(zip(call.draft_tokens, call.draft_probs, strict=True))
    call.draft_probs = [rows[x] for x in call.draft_tokens]
