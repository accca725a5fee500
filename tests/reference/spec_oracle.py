"""spec/verification.md read aloud in Python: slow, literal, and written without a look at the reference.

Every number becomes a fraction at once; every clause is one function or one line that names it.
"""

from __future__ import annotations

from fractions import Fraction

_INFINITE = (float("inf"), float("-inf"))


def broken_clauses(draft_tokens, draft_probs, target_probs, random_samples):
    """The ids of all input clauses that the arguments break."""
    broken = set()
    k = sum(1 for _ in draft_tokens)
    if len(draft_probs) != k:
        broken.add("SV-IN-1")
    if len(random_samples) != k:
        broken.add("SV-IN-2")
    if len(target_probs) < k:
        broken.add("SV-IN-3")
    every_row = list(draft_probs) + list(target_probs)
    sizes = {len(row) for row in every_row}
    if len(sizes) > 1 or 0 in sizes:
        broken.add("SV-IN-5")
    for token in draft_tokens:
        for size in sizes:
            if token not in range(size):
                broken.add("SV-IN-6")
    for row in every_row:
        for value in row:
            if value != value or value in _INFINITE or value < 0:
                broken.add("SV-IN-7")
    for u in random_samples:
        if u != u or u < 0 or u > 1:
            broken.add("SV-IN-8")
    return broken


def is_accepted(u, p, q):
    """SV-ACC-1 and SV-ACC-4."""
    u, p, q = Fraction(u), Fraction(p), Fraction(q)
    if q == 0:
        return p != 0
    return u <= min(Fraction(1), p / q)


def lowest_index_of_the_greatest(values):
    """SV-TIE-1, SV-TIE-2, SV-TIE-3."""
    winner = 0
    for index, value in enumerate(values):
        if value > values[winner]:
            winner = index
    return winner


def recovered_token(p, q):
    """SV-RES-1, by the letter with the normalisation; SV-RES-2."""
    residual = []
    for y in range(len(p)):
        difference = Fraction(p[y]) - Fraction(q[y])
        residual.append(difference if difference > 0 else Fraction(0))
    mass = sum(residual)
    if mass == 0:
        return lowest_index_of_the_greatest([Fraction(value) for value in p])
    return lowest_index_of_the_greatest([entry / mass for entry in residual])


def result(draft_tokens, draft_probs, target_probs, random_samples):
    """The dict for arguments that break no clause."""
    k = len(draft_tokens)
    decisions = [
        is_accepted(random_samples[i], target_probs[i][draft_tokens[i]], draft_probs[i][draft_tokens[i]])
        for i in range(k)
    ]
    if False in decisions:  # SV-STOP-1
        i = decisions.index(False)
        bonus = recovered_token(target_probs[i], draft_probs[i])
        kept = draft_tokens[:i]
    else:
        kept = draft_tokens[:]
        row = target_probs[k : k + 1]  # SV-BON-1 to SV-BON-3
        bonus = lowest_index_of_the_greatest([Fraction(value) for value in row[0]]) if row else None
    return {"accepted_tokens": kept, "bonus_token": bonus, "acceptance_count": len(kept)}
