"""Results that depend on what was called before."""

from right import verify_speculative_tokens as right

count = 0
by_length = {}


def in_a_default(draft_tokens, draft_probs, target_probs, random_samples, accepted=[]):  # noqa: B006 - the fault
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    accepted += result["accepted_tokens"]
    return {**result, "accepted_tokens": accepted, "acceptance_count": len(accepted)}


def in_a_global(draft_tokens, draft_probs, target_probs, random_samples):
    global count
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    count += 1
    return {**result, "bonus_token": count % 2}


def across_cases(draft_tokens, draft_probs, target_probs, random_samples):
    """Answers by the number of drafts, so that only another case shows it."""
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    return by_length.setdefault(len(draft_tokens), result)
