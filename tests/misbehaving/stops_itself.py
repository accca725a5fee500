"""Stops its own process, which then neither answers nor ends."""

import os
import signal

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    os.kill(os.getpid(), signal.SIGSTOP)
    return result
