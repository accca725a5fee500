"""Forks, and lets parent and child both return."""

import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    os.fork()
    return result
