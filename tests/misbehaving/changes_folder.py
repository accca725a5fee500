"""Goes to another folder and clears the environment; the result is right."""

import os

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    os.chdir("/")
    os.environ.clear()
    os.umask(0o777)
    return result
