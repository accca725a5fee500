"""Leaves an alarm behind that kills the process."""

import signal
import time

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    signal.setitimer(signal.ITIMER_REAL, 0.01)
    time.sleep(10)
    return result
