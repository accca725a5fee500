"""A right implementation, and a way to let it misbehave on one case only, or on each case in a way of its own."""

import os


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    k = len(draft_tokens)
    if len(draft_probs) != k or len(random_samples) != k or len(target_probs) < k:
        raise ValueError("the lengths differ")
    accepted = []
    for i, token in enumerate(draft_tokens):
        q, p = draft_probs[i], target_probs[i]
        if random_samples[i] > min(1, p[token] / q[token]):
            return _result(accepted, _argmax([max(0, p[y] - q[y]) for y in range(len(p))]))
        accepted.append(token)
    return _result(accepted, _argmax(target_probs[k]) if len(target_probs) > k else None)


def on_marked_case(misbehave):
    """The right implementation, but a call with two drafts gives `misbehave(right result)`."""

    def verify(draft_tokens, draft_probs, target_probs, random_samples):
        result = verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
        return misbehave(result) if len(draft_tokens) == 2 else result

    return verify


def by_kind(kinds):
    """The right implementation, but the nth case of the long suite gives `kinds[name](right result)`.

    `name` is the nth in the variable KINDS of the environment; cases beyond them stay right.
    """
    names = os.environ["KINDS"].split(",")

    def verify(draft_tokens, draft_probs, target_probs, random_samples):
        result = verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
        number = int(random_samples[0] * 256)
        return kinds[names[number - 1]](result) if number <= len(names) else result

    return verify


def _argmax(row):
    return row.index(max(row))


def _result(accepted, token):
    return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}
