"""Fails in many ways, with texts that differ from process to process."""

import os
import sys
import time

from right import verify_speculative_tokens as right


class Token:
    pass


class TokenOfAVeryLongName:
    def __repr__(self):
        return f"<{'token ' * 20}at {id(self):#x}>"


def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    number = int(random_samples[0] * 256)
    print(os.getpid(), time.time(), file=sys.stderr)
    time.sleep(os.getpid() % 5 / 1000)
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    match number % 8:
        case 1:
            raise LookupError(f"nothing for {Token()}")
        case 2:
            return {**result, "bonus_token": Token()}
        case 3:
            return {**result, "accepted_tokens": [TokenOfAVeryLongName()]}
        case 5:
            raise LookupError({f"a{n}" for n in range(9)})
        case 6 if number == 6:
            os._exit(6)
    return result
