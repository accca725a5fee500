"""A child process that speaks lines: never blocks past a deadline, and always ends."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import time
from collections.abc import Callable, Sequence
from functools import partial

MAX_LINE = 16_000_000
"""A longer line is no answer."""

_NEEDS_POSIX = (
    "a process of its own needs the signals and pipes of a POSIX system, such as Linux, macOS or WSL; here "
    "--in-process runs one --case, and specharness.check(function) runs all"
)
_TAIL = 4_000
_CHUNK = 1 << 16
_SLICE = 0.05


class StartFailed(Exception):
    """The process could not be started."""


class LineTooLong(Exception):
    """The process wrote more than `MAX_LINE` bytes without a line end."""


class LineProcess:
    """A process in a session of its own, with lines over its standard streams.

    Its standard error is read and thrown away, but for the tail. It runs in `folder`, else in the current one. `memory`
    bounds its address space, in bytes.
    """

    def __init__(self, command: Sequence[str], *, folder: str | None = None, memory: int | None = None) -> None:
        if not hasattr(os, "killpg"):
            raise StartFailed(f"{command[0]}: {_NEEDS_POSIX}")
        limit = None if memory is None else _memory_limit(memory)
        try:
            self._process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=folder,
                start_new_session=True,
                preexec_fn=limit,
            )
        except (OSError, ValueError, subprocess.SubprocessError) as error:
            reason = error.strerror if isinstance(error, OSError) else error
            raise StartFailed(f"{command[0]}: {reason}") from None
        pipes = (self._process.stdin, self._process.stdout, self._process.stderr)
        self._stdin, self._stdout, self._stderr = (pipe.fileno() for pipe in pipes if pipe)
        self._selector = selectors.DefaultSelector()
        for descriptor in (self._stdin, self._stdout, self._stderr):
            os.set_blocking(descriptor, False)
        self._selector.register(self._stdout, selectors.EVENT_READ)
        self._selector.register(self._stderr, selectors.EVENT_READ)
        self._unsent = bytearray()
        self._unread = bytearray()
        self._scanned = 0
        self._tail = bytearray()
        self._ended = False

    def post(self, data: bytes) -> None:
        """Queue `data`, and send what the pipe takes at once."""
        waiting = bool(self._unsent)
        self._unsent += data
        if not waiting:
            self._send()

    def read_line(self, deadline: float) -> bytes | None:
        """The next line, or None at the end of the stream or at `deadline` (of `time.monotonic`).

        Raises `LineTooLong`.
        """
        while True:
            end = self._unread.find(b"\n", self._scanned)
            if end >= 0:
                line = bytes(self._unread[:end])
                del self._unread[: end + 1]
                self._scanned = 0
                return line
            self._scanned = len(self._unread)
            if self._scanned > MAX_LINE:
                raise LineTooLong
            if self._ended:
                return None
            remaining = deadline - time.monotonic()
            exited = self._process.poll() is not None
            self._pump(0 if exited else min(max(remaining, 0), _SLICE))
            if len(self._unread) == self._scanned:
                if remaining <= 0:
                    return None
                self._ended |= exited  # a child of its may hold the pipe open

    def has_unread(self, seconds: float) -> bool:
        """Whether it wrote something that nobody asked for yet, or does so within `seconds`."""
        self._pump(seconds)
        return bool(self._unread)

    def take_output(self) -> str:
        """The end of what it wrote to standard error since the last call."""
        self._pump(0)
        text = self._tail.decode("utf-8", "backslashreplace")
        self._tail.clear()
        return text

    def wait_status(self, seconds: float) -> str | None:
        """How it ended, in words, or None if it still runs after `seconds`."""
        try:
            status = self._process.wait(seconds)
        except subprocess.TimeoutExpired:
            return None
        if status >= 0:
            return f"exited with code {status}"
        try:
            return f"was killed by {signal.Signals(-status).name}"
        except ValueError:
            return f"was killed by signal {-status}"

    def kill(self) -> None:
        """Kill it and what it started in its session. Any thread may do so; `close` is for the one that reads."""
        try:
            os.killpg(self._process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()

    def close(self, *, grace: float = 0.0) -> None:
        """End it and what it started in its session: by itself within `grace` seconds, else killed."""
        if grace:
            self.wait_status(grace)
        self.kill()
        self._process.wait()
        self._selector.close()
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe:
                pipe.close()

    def _pump(self, seconds: float) -> bool:
        """Move what can be moved; whether anything could."""
        events = self._selector.select(seconds)
        for key, _ in events:
            if key.fd == self._stdin:
                self._send()
            elif key.fd == self._stdout:
                self._receive()
            else:
                self._receive_output()
        return bool(events)

    def _send(self) -> None:
        try:
            while self._unsent:
                del self._unsent[: os.write(self._stdin, self._unsent[:_CHUNK])]
        except BlockingIOError:
            pass
        except OSError:  # it closed its input or ended: the reading side will tell
            self._unsent.clear()
        registered = self._stdin in self._selector.get_map()
        if self._unsent and not registered:
            self._selector.register(self._stdin, selectors.EVENT_WRITE)
        elif registered and not self._unsent:
            self._selector.unregister(self._stdin)

    def _receive(self) -> None:
        data = os.read(self._stdout, _CHUNK)
        self._unread += data
        if not data:
            self._ended = True
            self._selector.unregister(self._stdout)

    def _receive_output(self) -> None:
        data = os.read(self._stderr, _CHUNK)
        self._tail += data
        del self._tail[:-_TAIL]
        if not data:
            self._selector.unregister(self._stderr)


def _memory_limit(size: int) -> Callable[[], None]:
    """Bounds the address space of the process that calls it. All it needs is imported before the fork."""
    import resource

    return partial(resource.setrlimit, resource.RLIMIT_AS, (size, size))
