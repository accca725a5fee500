"""Reads address 0."""

import ctypes

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    return ctypes.string_at(0)
