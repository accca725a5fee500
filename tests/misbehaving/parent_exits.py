"""Forks, ends the parent, and lets the child return."""

import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    if os.fork():
        os._exit(0)
    return result
