"""A solution of the exercise in plain Python."""


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    k = len(draft_tokens)
    if len(draft_probs) != k or len(random_samples) != k or len(target_probs) < k:
        raise ValueError("the lengths of the arguments do not match")
    accepted = []
    for i, x in enumerate(draft_tokens):
        p, q = target_probs[i], draft_probs[i]
        if random_samples[i] <= min(1, p[x] / q[x]):
            accepted.append(x)
            continue
        residual = [max(0, a - b) for a, b in zip(p, q)]
        total = sum(residual)
        return result(accepted, argmax([r / total for r in residual]))
    return result(accepted, argmax(target_probs[k]) if len(target_probs) > k else None)


def argmax(row):
    return max(range(len(row)), key=row.__getitem__)


def result(accepted, token):
    return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}
