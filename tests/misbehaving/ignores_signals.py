"""Ignores every signal that can be ignored, and never returns."""

import signal

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_IGN)
    while True:
        pass
