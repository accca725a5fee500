"""A solution with one mistake: equality does not accept."""


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    k = len(draft_tokens)
    if len(draft_probs) != k or len(random_samples) != k or len(target_probs) < k:
        raise ValueError("the lengths of the arguments do not match")
    accepted = []
    for x, q, p, u in zip(draft_tokens, draft_probs, target_probs, random_samples):
        if u < min(1, p[x] / q[x]):
            accepted.append(x)
        else:
            residual = [max(0, a - b) for a, b in zip(p, q)]
            token = residual.index(max(residual))
            return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}
    token = target_probs[k].index(max(target_probs[k])) if len(target_probs) > k else None
    return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}
