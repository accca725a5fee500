"""Writes to every descriptor that it can find, the protocol's included."""

import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    for descriptor in range(3, 300):
        try:
            os.write(descriptor, b"stray bytes\n")
        except OSError:
            pass
    return result
