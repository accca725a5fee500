"""Right verifiers in other styles, and one that follows the original statement and nothing more."""

from __future__ import annotations

from fractions import Fraction
from itertools import takewhile


def to_the_letter(draft_tokens, draft_probs, target_probs, random_samples):
    """Divides by whatever is there, and looks at no value."""
    k = len(draft_tokens)
    if len(draft_probs) != k or len(target_probs) < k or len(random_samples) != k:
        raise ValueError("mismatched input lengths")
    accepted_tokens = []
    for i in range(k):
        token = draft_tokens[i]
        if random_samples[i] <= min(1, target_probs[i][token] / draft_probs[i][token]):
            accepted_tokens.append(token)
            continue
        adjusted = [max(0, target - draft) for target, draft in zip(target_probs[i], draft_probs[i])]  # noqa: B905
        total = sum(adjusted)
        adjusted = [value / total for value in adjusted]
        bonus_token = max(range(len(adjusted)), key=lambda y: (adjusted[y], -y))
        break
    else:
        bonus_token = None
        if len(target_probs) > k:
            bonus_token = max(range(len(target_probs[k])), key=lambda y: (target_probs[k][y], -y))
    return {
        "accepted_tokens": accepted_tokens,
        "bonus_token": bonus_token,
        "acceptance_count": len(accepted_tokens),
    }


def in_exact_arithmetic(draft_tokens, draft_probs, target_probs, random_samples):
    """Recursion over fractions, without a loop over steps."""
    k, rows = len(draft_tokens), [*draft_probs, *target_probs]
    if (len(draft_probs), len(random_samples)) != (k, k) or len(target_probs) < k:
        raise ValueError("lengths")
    if len({len(row) for row in rows}) > 1 or not all(rows):
        raise ValueError("sizes")
    if not all(x in range(len(rows[0])) for x in draft_tokens):
        raise ValueError("tokens")
    if not all(0 <= u <= 1 for u in random_samples):
        raise ValueError("uniforms")
    try:
        p, q = ([[Fraction(value) for value in row] for row in side] for side in (target_probs, draft_probs))
    except (ValueError, OverflowError):
        raise ValueError("probabilities") from None
    if min((value for row in p + q for value in row), default=0) < 0:
        raise ValueError("probabilities")

    def best(weights):
        return sorted(range(len(weights)), key=lambda y: (-weights[y], y))[0]

    def step(i):
        if i == k:
            return [], best(p[k]) if len(p) > k else None
        x = draft_tokens[i]
        if (p[i][x] > 0) if q[i][x] == 0 else Fraction(random_samples[i]) * q[i][x] <= p[i][x]:
            rest, token = step(i + 1)
            return [x, *rest], token
        weights = [max(Fraction(0), a - b) for a, b in zip(p[i], q[i], strict=True)]
        return [], best(weights if sum(weights) else p[i])

    accepted, token = step(0)
    return {"acceptance_count": len(accepted), "accepted_tokens": accepted, "bonus_token": token}


class Verifier:
    """An object with state that no caller notices."""

    def __init__(self):
        self.calls = 0

    def __call__(self, draft_tokens, draft_probs, target_probs, random_samples):
        self.calls += 1
        steps = list(zip(draft_tokens, draft_probs, target_probs, random_samples, strict=False))
        if not len(draft_tokens) == len(draft_probs) == len(random_samples) <= len(target_probs):
            raise ValueError
        kept = [x for x, *_ in takewhile(lambda s: s[3] * s[1][s[0]] <= s[2][s[0]], steps)]
        count = len(kept)
        if count < len(steps):
            _, q, p, _ = steps[count]
            weights = [a - b for a, b in zip(p, q, strict=False)]
        else:
            weights = target_probs[count] if len(target_probs) > count else None
        token = None if weights is None else weights.index(max(weights))
        return dict(zip(("accepted_tokens", "bonus_token", "acceptance_count"), (kept, token, count), strict=True))


def in_arrays_of(scalar):
    """A verifier that computes with NumPy in one dtype: vectorised, with plain ints in the result."""
    import numpy

    def verify(draft_tokens, draft_probs, target_probs, random_samples):
        k = len(draft_tokens)
        if len(draft_probs) != k or len(random_samples) != k or len(target_probs) < k:
            raise ValueError("lengths")
        rows = draft_probs + target_probs
        if len({len(row) for row in rows}) > 1 or not all(rows):
            raise ValueError("sizes")
        if not all(0 <= x < len(rows[0]) for x in draft_tokens):
            raise ValueError("tokens")
        if any(not numpy.isfinite(row).all() or min(row) < 0 for row in rows):
            raise ValueError("probabilities")
        if not all(0 <= u <= 1 for u in random_samples):
            raise ValueError("uniforms")
        p, q = ([numpy.array(row).astype(scalar) for row in side] for side in (target_probs, draft_probs))
        u = [scalar(value) for value in random_samples]
        at = range(k)
        p_x, q_x = ([side[i][x] for i, x in zip(at, draft_tokens, strict=True)] for side in (p, q))
        accepted = [bool(p_x[i] > 0) if q_x[i] == 0 else bool(u[i] * q_x[i] <= p_x[i]) for i in at]
        count = accepted.index(False) if False in accepted else k
        if count < k:
            residual = numpy.maximum(p[count] - q[count], scalar(0))
            token = int(numpy.argmax(residual if residual.any() else p[count]))
        else:
            token = int(numpy.argmax(p[k])) if len(p) > k else None
        return {"accepted_tokens": draft_tokens[:count], "bonus_token": token, "acceptance_count": count}

    return verify
