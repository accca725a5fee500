"""Forks, and lets the child raise into the caller."""

import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    if os.fork() == 0:
        raise RuntimeError("in the child")
    return result
