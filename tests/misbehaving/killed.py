"""Is killed, as the system does where memory runs out."""

import os
import signal

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    os.kill(os.getpid(), signal.SIGKILL)
    return result
