"""Leaves threads behind that never end, one of them printing; the result is right."""

import threading
import time

from right import on_marked_case


def chatter():
    while True:
        print("still here")
        time.sleep(0.001)


@on_marked_case
def verify_speculative_tokens(result):
    threading.Thread(target=chatter).start()
    for _ in range(5):
        threading.Thread(target=threading.Event().wait).start()
    return result
