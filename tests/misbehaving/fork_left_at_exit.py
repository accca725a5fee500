"""Leaves a forked child behind, which has every descriptor of the process, and ends."""

import os
import time

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    if os.fork() == 0:
        time.sleep(1000)
    os._exit(0)
