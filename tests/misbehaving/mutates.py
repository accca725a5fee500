"""Changes its arguments; the results are right."""

from right import verify_speculative_tokens as right


def rows(draft_tokens, draft_probs, target_probs, random_samples):
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    target_probs[0][0] += 1
    return result


def lists(draft_tokens, draft_probs, target_probs, random_samples):
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    draft_tokens.reverse()
    draft_tokens.append(1)
    random_samples.clear()
    return result


def with_objects(draft_tokens, draft_probs, target_probs, random_samples):
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    draft_probs.append(object())
    return result


def types_only(draft_tokens, draft_probs, target_probs, random_samples):
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    draft_tokens[:] = map(float, draft_tokens)
    return result


def before_raising(draft_tokens, draft_probs, target_probs, random_samples):
    try:
        return right(draft_tokens, draft_probs, target_probs, random_samples)
    except ValueError:
        random_samples.pop()
        raise
