"""Reads standard input, which is at its end; the result is right."""

import os
import sys

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    assert sys.stdin.read() == ""
    assert os.read(0, 10) == b""
    return result


@on_marked_case
def asks(result):
    input("which token? ")
    return result
