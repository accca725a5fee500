"""Terminals, and waiting for a process to get somewhere."""

import fcntl
import os
import struct
import termios
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest


@dataclass(frozen=True)
class OnTerminal:
    """What a process wrote to its terminal, and to its standard output where that was none."""

    returncode: int
    screen: str
    piped: str


@pytest.fixture
def on_terminal(start_specharness: Any) -> Any:
    """`on_terminal(*args, stdout=, stderr=)` runs the command with these streams on a terminal."""

    def run(*args: Any, stdout: bool = True, stderr: bool = True, columns: int = 80, **environment: str) -> OnTerminal:
        master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        written = bytearray()

        def read() -> None:
            try:
                while data := os.read(master, 65536):
                    written.extend(data)
            except OSError:  # how Linux tells the end
                pass

        streams = {"stdout": slave} if stdout else {}
        streams |= {"stderr": slave} if stderr else {}
        process = start_specharness(*args, env={"TERM": "xterm", **environment}, **streams)
        os.close(slave)
        reader = threading.Thread(target=read)
        reader.start()
        piped, _ = process.communicate(timeout=60)
        reader.join(10)
        os.close(master)
        return OnTerminal(process.returncode, written.decode(), (piped or b"").decode())

    return run


@pytest.fixture
def wait_until() -> Any:
    """`wait_until(condition)` waits until it holds, for a minute at most, which a busy machine may need."""

    def wait(condition: Callable[[], Any]) -> None:
        deadline = time.monotonic() + 60
        while not condition():
            assert time.monotonic() < deadline, "it did not happen in time"
            time.sleep(0.01)

    return wait


@pytest.fixture
def wrong(tmp_path: Path) -> Path:
    """An implementation that is right in form, and wrong in each case of the small suite that has a result."""
    path = tmp_path / "wrong.py"
    path.write_text(
        "def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):\n"
        "    if len(draft_tokens) != len(random_samples):\n"
        "        raise ValueError('lengths')\n"
        "    return {'accepted_tokens': [], 'bonus_token': 0, 'acceptance_count': 0}\n"
    )
    return path
