"""Raises the recursion limit, and calls itself through C code until the stack ends."""

import sys

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    sys.setrecursionlimit(1_000_000)

    def deeper(depth):
        return max([depth], key=lambda value: deeper(value + 1))

    return deeper(0)
