"""Closes every descriptor of the process."""

import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    os.closerange(0, 4096)
    return result
