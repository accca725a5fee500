"""Leaves by sys.exit."""

import sys

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    sys.exit(0)
