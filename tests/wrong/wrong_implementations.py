"""Deliberately wrong verifiers, each a right one with one thing changed, and the clause that it breaks."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

WRONG: dict[str, tuple[str, Callable[..., Any]]] = {}
"""Name to clause and function."""


def breaks(clause):
    def keep(function):
        WRONG[function.__name__] = (clause, function)
        return function

    return keep


# ---- a right verifier, with each of its decisions open to change


def check(tokens, draft_probs, target_probs, uniforms):
    k = len(tokens)
    if len(draft_probs) != k or len(uniforms) != k or len(target_probs) < k:
        raise ValueError("the lengths of the arguments do not match")


def check_values(tokens, draft_probs, target_probs, uniforms):
    rows = [*draft_probs, *target_probs]
    sizes = {len(row) for row in rows}
    if len(sizes) > 1 or 0 in sizes:
        raise ValueError("the rows differ in size")
    if any(not 0 <= x < size for x in tokens for size in sizes):
        raise ValueError("a token outside the vocabulary")
    if any(not 0 <= value < float("inf") for row in rows for value in row):
        raise ValueError("no probability")
    if any(not 0 <= u <= 1 for u in uniforms):
        raise ValueError("no uniform")


def accepts(u, p, q):
    return p > 0 if q == 0 else u <= p / q


def residual(p, q):
    return [max(0.0, a - b) for a, b in zip(p, q, strict=True)]


def recover(p, q):
    weights = residual(p, q)
    return first_argmax(weights if any(weights) else p)


def first_argmax(row):
    return row.index(max(row))


def last_argmax(row):
    return max(range(len(row)), key=lambda y: (row[y], y))


def bonus(tokens, target_probs):
    return first_argmax(target_probs[len(tokens)]) if len(target_probs) > len(tokens) else None


def result(accepted, token):
    return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}


def verify(
    tokens,
    draft_probs,
    target_probs,
    uniforms,
    *,
    check=check,
    check_values=check_values,
    accepts=accepts,
    recover=recover,
    bonus=bonus,
    result=result,
):
    check(tokens, draft_probs, target_probs, uniforms)
    check_values(tokens, draft_probs, target_probs, uniforms)
    accepted = []
    for x, q, p, u in zip(tokens, draft_probs, target_probs, uniforms, strict=False):
        if not accepts(u, p[x], q[x]):
            return result(accepted, recover(p, q))
        accepted.append(x)
    return result(accepted, bonus(tokens, target_probs))


def nothing(*arguments):
    """Checks nothing."""


# ---- inputs


@breaks("SV-IN-1")
def a_draft_row_too_many_is_ignored(*a):
    def lengths(tokens, draft_probs, target_probs, uniforms):
        check(tokens, draft_probs[: len(tokens)], target_probs, uniforms)

    return verify(*a, check=lengths)


@breaks("SV-IN-1")
def draft_rows_are_not_counted(*a):
    def lengths(tokens, draft_probs, target_probs, uniforms):
        check(tokens, tokens, target_probs, uniforms)

    return verify(*a, check=lengths)


@breaks("SV-IN-2")
def uniforms_are_not_counted(*a):
    def lengths(tokens, draft_probs, target_probs, uniforms):
        check(tokens, draft_probs, target_probs, tokens)

    return verify(*a, check=lengths)


@breaks("SV-IN-2")
def a_uniform_for_the_bonus_token_is_demanded(*a):
    def lengths(tokens, draft_probs, target_probs, uniforms):
        check(tokens, draft_probs, target_probs, tokens)
        if len(uniforms) != len(tokens) + 1:
            raise ValueError

    return verify(*a, check=lengths)


@breaks("SV-IN-3")
def a_row_for_the_bonus_token_is_demanded(*a):
    def lengths(tokens, draft_probs, target_probs, uniforms):
        check([*tokens, 0], [*draft_probs, 0], target_probs, [*uniforms, 0])

    return verify(*a, check=lengths)


@breaks("SV-IN-3")
def more_than_one_row_beyond_the_drafts_is_refused(*a):
    def lengths(tokens, draft_probs, target_probs, uniforms):
        check(tokens, draft_probs, target_probs, uniforms)
        if len(target_probs) > len(tokens) + 1:
            raise ValueError

    return verify(*a, check=lengths)


@breaks("SV-IN-3")
def a_target_row_too_few_is_an_index_error(tokens, draft_probs, target_probs, uniforms):
    check(tokens, draft_probs, tokens, uniforms)
    for i in range(len(tokens)):
        target_probs[i]
    return verify(tokens, draft_probs, target_probs, uniforms)


@breaks("SV-IN-4")
def lengths_are_checked_step_by_step(tokens, draft_probs, target_probs, uniforms):
    accepted = []
    for i, x in enumerate(tokens):
        if i >= min(len(draft_probs), len(target_probs), len(uniforms)):
            raise ValueError
        if not accepts(uniforms[i], target_probs[i][x], draft_probs[i][x]):
            return result(accepted, recover(target_probs[i], draft_probs[i]))
        accepted.append(x)
    check(tokens, draft_probs, target_probs, uniforms)
    return result(accepted, bonus(tokens, target_probs))


@breaks("SV-IN-5")
def rows_are_cut_to_the_shortest(tokens, draft_probs, target_probs, uniforms):
    size = min(map(len, [*draft_probs, *target_probs]), default=0)
    return verify(tokens, [q[:size] for q in draft_probs], [p[:size] for p in target_probs], uniforms)


@breaks("SV-IN-6")
def a_negative_token_counts_from_the_end(*a):
    def values(tokens, draft_probs, target_probs, uniforms):
        size = min(map(len, [*draft_probs, *target_probs]), default=0)
        check_values([x % size if -size <= x < 0 else x for x in tokens], draft_probs, target_probs, uniforms)

    return verify(*a, check_values=values)


@breaks("SV-IN-7")
def a_nan_is_taken_for_a_number(*a):
    def values(tokens, draft_probs, target_probs, uniforms):
        clean = [[[0.0 if v != v else v for v in row] for row in rows] for rows in (draft_probs, target_probs)]
        check_values(tokens, *clean, uniforms)

    return verify(*a, check_values=values)


@breaks("SV-IN-7")
def values_are_checked_as_far_as_steps_go(tokens, draft_probs, target_probs, uniforms):
    def values(*_):
        check_values(tokens, draft_probs, target_probs[: len(tokens)], uniforms)

    return verify(tokens, draft_probs, target_probs, uniforms, check_values=values)


@breaks("SV-IN-8")
def uniforms_are_clamped(tokens, draft_probs, target_probs, uniforms):
    return verify(tokens, draft_probs, target_probs, [min(max(u, 0.0), 1.0) for u in uniforms])


@breaks("SV-IN-9")
def rows_are_normalised_first(tokens, draft_probs, target_probs, uniforms):
    def normalised(row):
        total = sum(row)
        return [value / total for value in row] if total > 0 and abs(total - 1) > 1e-9 else row

    check(tokens, draft_probs, target_probs, uniforms)
    return verify(tokens, [normalised(q) for q in draft_probs], [normalised(p) for p in target_probs], uniforms)


@breaks("SV-IN-9")
def a_row_that_does_not_sum_to_one_is_refused(*a):
    def values(tokens, draft_probs, target_probs, uniforms):
        check_values(tokens, draft_probs, target_probs, uniforms)
        if any(abs(sum(row) - 1) > 1e-6 for row in [*draft_probs, *target_probs]):
            raise ValueError

    return verify(*a, check_values=values)


# ---- acceptance


@breaks("SV-ACC-1")
def equality_rejects(*a):
    return verify(*a, accepts=lambda u, p, q: p > 0 if q == 0 else u < p / q or p >= q)


@breaks("SV-ACC-1")
def everything_is_accepted(*a):
    return verify(*a, accepts=lambda u, p, q: True)


@breaks("SV-ACC-1")
def the_ratio_is_turned_round(*a):
    return verify(*a, accepts=lambda u, p, q: p > 0 if q == 0 or p == 0 else u <= q / p)


@breaks("SV-ACC-1")
def the_draft_probability_is_ignored(*a):
    return verify(*a, accepts=lambda u, p, q: u <= p)


@breaks("SV-ACC-1")
def the_uniform_is_ignored(*a):
    return verify(*a, accepts=lambda u, p, q: p >= q)


@breaks("SV-ACC-1")
def an_epsilon_is_added_to_the_denominator(*a):
    return verify(*a, accepts=lambda u, p, q: u <= p / (q + 1e-10))


@breaks("SV-ACC-2")
def the_first_uniform_decides_every_step(tokens, draft_probs, target_probs, uniforms):
    check(tokens, draft_probs, target_probs, uniforms)
    return verify(tokens, draft_probs, target_probs, [uniforms[0] if 0 <= u <= 1 else u for u in uniforms])


@breaks("SV-ACC-2")
def uniforms_are_used_from_the_end(tokens, draft_probs, target_probs, uniforms):
    return verify(tokens, draft_probs, target_probs, uniforms[::-1])


@breaks("SV-ACC-2")
def the_next_target_row_decides(tokens, draft_probs, target_probs, uniforms):
    check(tokens, draft_probs, target_probs, uniforms)
    return verify(tokens, draft_probs, [*target_probs[1:], target_probs[0]] if tokens else target_probs, uniforms)


@breaks("SV-ACC-2")
def the_first_draft_row_decides_every_step(tokens, draft_probs, target_probs, uniforms):
    check(tokens, draft_probs, target_probs, uniforms)
    return verify(tokens, draft_probs[:1] * len(tokens), target_probs, uniforms)


@breaks("SV-ACC-3")
def a_ratio_above_one_rejects(*a):
    return verify(*a, accepts=lambda u, p, q: p > 0 if q == 0 else u <= p / q <= 1)


@breaks("SV-ACC-4")
def no_draft_probability_accepts(*a):
    return verify(*a, accepts=lambda u, p, q: u * q <= p)


@breaks("SV-ACC-4")
def no_draft_probability_rejects(*a):
    return verify(*a, accepts=lambda u, p, q: q > 0 and u <= p / q)


# ---- stopping, recovery, ties


@breaks("SV-STOP-1")
def verification_goes_on_after_a_rejection(tokens, draft_probs, target_probs, uniforms):
    check(tokens, draft_probs, target_probs, uniforms)
    check_values(tokens, draft_probs, target_probs, uniforms)
    accepted, token = [], None
    for x, q, p, u in zip(tokens, draft_probs, target_probs, uniforms, strict=False):
        if accepts(u, p[x], q[x]):
            accepted.append(x)
        elif token is None:
            token = recover(p, q)
    return result(accepted, bonus(tokens, target_probs) if len(accepted) == len(tokens) else token)


@breaks("SV-STOP-1")
def the_last_rejection_recovers(tokens, draft_probs, target_probs, uniforms):
    outcome = verify(tokens, draft_probs, target_probs, uniforms)
    steps = list(zip(tokens, draft_probs, target_probs, uniforms, strict=False))
    rejected = [(p, q) for x, q, p, u in steps if not accepts(u, p[x], q[x])]
    return {**outcome, "bonus_token": recover(*rejected[-1])} if rejected else outcome


@breaks("SV-RES-1")
def the_target_row_recovers(*a):
    return verify(*a, recover=lambda p, q: first_argmax(p))


@breaks("SV-RES-1")
def the_residual_is_turned_round(*a):
    return verify(*a, recover=lambda p, q: recover(q, p))


@breaks("SV-RES-1")
def the_residual_is_an_absolute_difference(*a):
    return verify(*a, recover=lambda p, q: first_argmax([abs(x - y) for x, y in zip(p, q, strict=True)]))


@breaks("SV-RES-1")
def the_first_row_recovers(tokens, draft_probs, target_probs, uniforms):
    rows = (target_probs, draft_probs)
    return verify(tokens, draft_probs, target_probs, uniforms, recover=lambda p, q: recover(rows[0][0], rows[1][0]))


@breaks("SV-RES-1")
def nothing_is_recovered(*a):
    return verify(*a, recover=lambda p, q: None)


@breaks("SV-RES-2")
def a_residual_without_mass_recovers_the_last_token(*a):
    return verify(*a, recover=lambda p, q: recover(p, q) if any(residual(p, q)) else len(p) - 1)


@breaks("SV-RES-2")
def a_residual_without_mass_is_an_error(*a):
    def by_the_letter(p, q):
        total = sum(residual(p, q))
        return first_argmax([value / total for value in residual(p, q)])

    return verify(*a, recover=by_the_letter)


@breaks("SV-TIE-1")
def the_higher_of_tied_residuals_wins(*a):
    return verify(*a, recover=lambda p, q: last_argmax(residual(p, q)) if any(residual(p, q)) else recover(p, q))


@breaks("SV-TIE-1")
def the_more_probable_of_tied_residuals_wins(*a):
    def by_probability(p, q):
        weights = residual(p, q)
        return max(range(len(p)), key=lambda y: (weights[y], p[y], -y)) if any(weights) else recover(p, q)

    return verify(*a, recover=by_probability)


@breaks("SV-TIE-2")
def the_higher_of_tied_bonus_tokens_wins(*a):
    def last(tokens, target_probs):
        return last_argmax(target_probs[len(tokens)]) if len(target_probs) > len(tokens) else None

    return verify(*a, bonus=last)


@breaks("SV-TIE-3")
def values_within_a_tolerance_tie(*a):
    def tolerant(row):
        least = max(row) - 1e-9
        return next(y for y, value in enumerate(row) if value >= least)

    return verify(*a, recover=lambda p, q: tolerant(residual(p, q)) if any(residual(p, q)) else recover(p, q))


@breaks("SV-TIE-3")
def bonus_rows_are_rounded(*a):
    def rounded(tokens, target_probs):
        return bonus(tokens, [[round(value, 6) for value in row] for row in target_probs])

    return verify(*a, bonus=rounded)


# ---- bonus


@breaks("SV-BON-1")
def the_last_row_gives_the_bonus(*a):
    def last(tokens, target_probs):
        return first_argmax(target_probs[-1]) if len(target_probs) > len(tokens) else None

    return verify(*a, bonus=last)


@breaks("SV-BON-1")
def the_last_draft_s_row_gives_the_bonus(*a):
    def before(tokens, target_probs):
        return first_argmax(target_probs[max(0, len(tokens) - 1)]) if len(target_probs) > len(tokens) else None

    return verify(*a, bonus=before)


@breaks("SV-BON-1")
def there_is_no_bonus(*a):
    return verify(*a, bonus=lambda tokens, target_probs: None)


@breaks("SV-BON-2")
def a_missing_row_repeats_the_last_one(*a):
    def repeated(tokens, target_probs):
        return first_argmax(target_probs[min(len(tokens), len(target_probs) - 1)]) if target_probs else None

    return verify(*a, bonus=repeated)


@breaks("SV-BON-2")
def a_missing_row_is_an_error(*a):
    return verify(*a, bonus=lambda tokens, target_probs: first_argmax(target_probs[len(tokens)]))


@breaks("SV-BON-3")
def no_draft_tokens_are_an_error(tokens, *a):
    if not tokens:
        raise ValueError("no draft tokens")
    return verify(tokens, *a)


@breaks("SV-BON-3")
def no_draft_tokens_give_nothing(tokens, *a):
    return verify(tokens, *a) if tokens else {**verify(tokens, *a), "bonus_token": None}


# ---- results, purity, numbers


@breaks("SV-OUT-1")
def the_result_is_a_tuple(*a):
    return verify(*a, result=lambda accepted, token: (accepted, token, len(accepted)))


@breaks("SV-OUT-1")
def the_result_has_another_key(*a):
    return {**verify(*a), "rejected": False}


@breaks("SV-OUT-2")
def the_last_token_is_among_the_accepted(*a):
    outcome = verify(*a)
    return {**outcome, "accepted_tokens": [*outcome["accepted_tokens"], outcome["bonus_token"]]}


@breaks("SV-OUT-2")
def accepted_tokens_are_a_tuple(*a):
    outcome = verify(*a)
    return {**outcome, "accepted_tokens": tuple(outcome["accepted_tokens"])}


@breaks("SV-OUT-3")
def the_count_includes_the_last_token(*a):
    outcome = verify(*a)
    return {**outcome, "acceptance_count": outcome["acceptance_count"] + 1}


@breaks("SV-OUT-4")
def no_token_is_minus_one(*a):
    outcome = verify(*a)
    return {**outcome, "bonus_token": -1 if outcome["bonus_token"] is None else outcome["bonus_token"]}


@breaks("SV-OUT-4")
def token_zero_is_none(*a):
    outcome = verify(*a)
    return {**outcome, "bonus_token": outcome["bonus_token"] or None}


@breaks("SV-OUT-5")
def numbers_are_of_a_kind_of_their_own(*a):
    class Token(int):
        pass

    outcome = verify(*a)
    return {**outcome, "acceptance_count": Token(outcome["acceptance_count"])}


@breaks("SV-OUT-6")
def the_token_is_a_float(*a):
    outcome = verify(*a)
    token = outcome["bonus_token"]
    return {**outcome, "bonus_token": token if token is None else float(token)}


@breaks("SV-OUT-6")
def a_count_of_one_is_true(*a):
    outcome = verify(*a)
    return {**outcome, "acceptance_count": True if outcome["acceptance_count"] == 1 else outcome["acceptance_count"]}


@breaks("SV-PURE-1")
def the_residual_is_written_into_the_target_row(*a):
    def in_place(p, q):
        token = recover(p, q)
        p[:] = residual(p, q)
        return token

    return verify(*a, recover=in_place)


@breaks("SV-PURE-1")
def accepted_tokens_are_taken_from_the_argument(tokens, *a):
    outcome = verify(tokens, *a)
    del tokens[: outcome["acceptance_count"]]
    return outcome


@breaks("SV-PURE-2")
def accepted_tokens_pile_up(*a, kept=[]):  # noqa: B006  # that is the fault
    outcome = verify(*a)
    kept += outcome["accepted_tokens"]
    return result(list(kept), outcome["bonus_token"])


@breaks("SV-NUM-1")
def arithmetic_is_of_float32(tokens, draft_probs, target_probs, uniforms):
    def narrow(value):
        return struct.unpack("f", struct.pack("f", value))[0]

    check(tokens, draft_probs, target_probs, uniforms)
    rows = [[[narrow(value) for value in row] for row in rows] for rows in (draft_probs, target_probs)]
    return verify(tokens, *rows, [narrow(u) for u in uniforms])
