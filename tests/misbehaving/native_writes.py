"""Writes past Python to standard output and to each descriptor from 3 to 20; the result is right."""

import ctypes
import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    libc = ctypes.CDLL(None)
    libc.puts(b"native line")
    libc.fflush(None)
    libc.write(1, b"native bytes\n", 13)
    for descriptor in range(3, 21):
        try:
            os.write(descriptor, b"stray bytes\n")
        except OSError:
            pass
    return result
