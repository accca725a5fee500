"""Answers, and ends the process when asked again."""

import os

from right import on_marked_case

calls = []


@on_marked_case
def verify_speculative_tokens(result):
    calls.append(1)
    if len(calls) == 2:
        os._exit(3)
    return result
