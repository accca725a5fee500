"""Calls itself for ever."""

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    def deeper(depth):
        return deeper(depth + 1)

    return deeper(0)
