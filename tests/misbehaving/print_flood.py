"""Writes 5 MB to each standard stream; the result is right."""

import sys

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    for _ in range(5):
        print("o" * 1_000_000)
        print("e" * 1_000_000, file=sys.stderr)
    print("the end of the flood")
    return result
