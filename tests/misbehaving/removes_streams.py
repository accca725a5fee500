"""Sets sys.stdout and sys.stderr to None; the result is right."""

import sys

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    sys.stdout = sys.stderr = None
    return result
