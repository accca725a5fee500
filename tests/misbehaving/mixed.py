"""Takes a time of its own for each call, and treats the cases of the long suite in many ways, by their numbers."""

import os
import sys
import time

from right import verify_speculative_tokens as right


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    number = int(random_samples[0] * 256)
    time.sleep((os.getpid() * 7 + number * 3) % 5 / 1000)
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    match number % 10:
        case 3:
            print("case", number, file=sys.stderr)
            return {**result, "bonus_token": 0}
        case 5:
            os._exit(number)
        case 6:
            raise IndexError(f"case {number}")
        case 8:
            draft_tokens.clear()
    if number == 27:
        time.sleep(1000)
    return result
