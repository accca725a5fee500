"""Takes its time; the result is right."""

import time

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    time.sleep(0.3)
    return result
