"""Leaves a child of a session of its own behind, which holds every descriptor, and ends."""

import os
import time

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    if os.fork() == 0:
        os.setsid()
        time.sleep(1000)
    time.sleep(0.05)
    os._exit(0)
