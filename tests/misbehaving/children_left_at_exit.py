"""Leaves a child behind that holds the streams open, and ends."""

import os
import subprocess
import sys

from right import on_marked_case


@on_marked_case
def verify_speculative_tokens(result):
    subprocess.Popen([sys.executable, "-c", "import time; time.sleep(1000)"], close_fds=False)
    os._exit(0)
