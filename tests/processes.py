"""The command as a real process, of which nothing is left behind."""

import os
import signal
import subprocess
import sys
import time
import uuid
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COMMAND = (sys.executable, "-P", "-m", "specharness")
"""-P: like the installed command, it does not look for its own modules in the current folder."""

BOUND = 60.0
"""No process of a test takes longer, in seconds."""

_MARK = "SPECHARNESS_TEST_PROCESS"


@dataclass(frozen=True)
class Ended:
    """A process that ended. `left_behind` are command lines of what it started and did not end."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float
    left_behind: list[str]

    @property
    def last_line(self) -> str:
        return self.stdout.rstrip("\n").rpartition("\n")[2]


class Processes:
    """Starts processes whose environment carries a mark, so that what they leave behind is found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mark = uuid.uuid4().hex
        self._started: list[subprocess.Popen[bytes]] = []

    def environment(self, **changes: str) -> dict[str, str]:
        return {**os.environ, _MARK: self._mark, **changes}

    def run(
        self,
        *command: Any,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        bound: float = BOUND,
        **popen: Any,
    ) -> Ended:
        """Run to the end, which must come within `bound` seconds."""
        began = time.monotonic()
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd or self.folder,
            env=self.environment(**(env or {})),
            timeout=bound,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen},
        )
        seconds = time.monotonic() - began
        text = [(stream or b"").decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr)]
        return Ended(done.returncode, *text, seconds, self.left_behind())

    def start(
        self, *command: Any, cwd: Path | None = None, env: dict[str, str] | None = None, **popen: Any
    ) -> subprocess.Popen[bytes]:
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd or self.folder,
            env=self.environment(**(env or {})),
            preexec_fn=_obey_interrupts,
            **{**streams, **popen},
        )
        self._started.append(process)
        return process

    def left_behind(self, *, patience: float = 1.0) -> list[str]:
        """Command lines of marked processes that still run after `patience` seconds."""
        deadline = time.monotonic() + patience
        while (found := self._marked()) and time.monotonic() < deadline:
            time.sleep(0.01)
        return list(found.values())

    def end(self) -> None:
        """End what still runs."""
        for process in self._started:
            process.kill()
            process.communicate()
        for pid in self._marked():
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass

    def _marked(self) -> dict[int, str]:
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if f"{_MARK}={self._mark}".encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return found


def _obey_interrupts() -> None:
    """Where the tests run in the background of a shell, or under nohup, children ignore these unless told otherwise."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
