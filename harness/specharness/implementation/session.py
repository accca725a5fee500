"""A running implementation: greeted, asked case by case, said good-bye to."""

from __future__ import annotations

import json
import math
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any

from specharness.errors import NotRunnable
from specharness.implementation import messages
from specharness.implementation.bounds import Limits
from specharness.implementation.messages import ProtocolError
from specharness.implementation.observation import Answer, Loss, Lost
from specharness.implementation.process import LineProcess, LineTooLong, StartFailed
from specharness.implementation.target import Target

_WORKER = Path(__file__).with_name("worker.py")


@dataclass(frozen=True, slots=True)
class Imports:
    """What the implementation loaded: modules from elsewhere with the reason, and whether the reference is there.

    `known` is whether it was asked and answered.
    """

    foreign: tuple[tuple[str, str], ...] = ()
    reference: bool = False
    known: bool = False


class StaleAnswer(Exception):
    """A call was answered a second time; `number` is its id."""

    def __init__(self, number: int) -> None:
        self.number = number


class Session:
    """One process of an implementation. It is started at once and greeted without waiting for it.

    `language` is what the process says of itself once it is ready. Nothing is waited for after `until` (of
    `time.monotonic`), the end of the run.
    """

    def __init__(
        self,
        target: Target,
        limits: Limits,
        *,
        profile: str = "argmax",
        watch_imports: bool = False,
        until: float = math.inf,
    ) -> None:
        self._target = target
        self._limits = limits
        self._until = until
        self._sent = 0
        self._answered = 0
        self._greeted = False
        self._over = False
        self.language = ""
        command = list(target.command)
        if target.worker is not None:
            configuration = {"target": target.worker, "watch_imports": watch_imports}
            command += [str(_WORKER), json.dumps(configuration)]
        self._deadline = time.monotonic() + limits.loading
        try:
            self._process = LineProcess(command, folder=target.folder, memory=limits.memory)
        except StartFailed as error:
            raise NotRunnable(f"--impl {target.text}: can't start {error}") from None
        self._process.post(messages.hello(profile))

    def __enter__(self) -> Session:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.close()

    @property
    def is_over(self) -> bool:
        """Whether the process can't be asked any more."""
        return self._over

    def wait_ready(self) -> None:
        """Wait until the implementation is loaded. Raises `NotRunnable` with the reason where it can't be."""
        if self._greeted:
            return
        try:
            message = self._read(self._deadline)
        except ProtocolError as error:
            hint = "standard output is for answers, print to standard error"
            raise self._not_runnable(f"does not speak the protocol: {error}; {hint}") from None
        if message is None:
            ending = self._ending(self._deadline, "while loading", self._limits.loading)
            flushed = "" if self._target.worker or "no answer" not in ending else "; are its answers flushed?"
            raise self._not_runnable(ending + flushed)
        line, content = message
        if content["type"] == "refused":
            raise self._not_runnable(str(content.get("message", "no reason given")))
        if content["type"] != "ready" or content.get("protocol") != messages.PROTOCOL:
            raise self._not_runnable(
                f"answered {line[:80].decode('utf-8', 'replace')!a}; expected a ready message of protocol "
                f"{messages.PROTOCOL}"
            )
        self._greeted = True
        self.language = str(content.get("language", ""))[:100]
        self._process.take_output()  # what it printed while loading belongs to no case

    def call(self, arguments_json: str, *, times: int) -> int:
        """Send a call `times` times over; the id of the first. The arguments are a JSON object."""
        first = self._sent + 1
        self._sent += times
        self._process.post(b"".join(messages.call(first + i, arguments_json) for i in range(times)))
        return first

    def next_answer(self) -> tuple[Answer, tuple[str, ...]]:
        """The next outstanding call's answer and the arguments that it changed, within the timeout.

        It is lost as not run where the run ends before the timeout.
        Raises `StaleAnswer` where the process answered an earlier call a second time; the session is over then.
        """
        deadline = time.monotonic() + self._limits.timeout
        expected = self._answered + 1
        try:
            message = self._read(deadline)
            if message is None:
                if deadline > self._until <= time.monotonic():
                    self._over = True
                    return Lost(Loss.NOT_RUN, ""), ()
                timed_out = time.monotonic() >= deadline
                detail = self._ending(deadline, "instead of answering", self._limits.timeout)
                return Lost(Loss.TIMED_OUT if timed_out else Loss.DIED, detail), ()
            line, content = message
            number, answer, mutated = messages.read_answer(content, line)
        except ProtocolError as error:
            self._over = True
            return Lost(Loss.NOT_PROTOCOL, str(error)), ()
        if number == expected:
            self._answered = number
            return answer, mutated
        self._over = True
        if 0 < number <= self._answered:
            raise StaleAnswer(number)
        return Lost(Loss.NOT_PROTOCOL, f"it answered call {number}; expected the answer to call {expected}"), ()

    def output(self) -> str:
        """The end of what the process printed since this was last asked."""
        return self._process.take_output()

    def answered_again(self, *, patience: float = 0.05) -> bool:
        """Whether the process wrote more than was asked of it, or does so within `patience` seconds.

        The Python worker answers once, so it is not waited for.
        """
        return self._process.has_unread(0 if self._target.worker else patience)

    def ask_imports(self) -> Imports:
        """What the Python worker saw imported; nothing for other processes."""
        if self._target.worker is None or self._over:
            return Imports()
        self._process.post(messages.imports())
        try:
            message = self._read(time.monotonic() + self._limits.timeout)
        except ProtocolError:
            return Imports()
        if message is None or message[1]["type"] != "imports":
            return Imports()
        content = message[1]
        return Imports(
            tuple(sorted((item["module"], item["reason"]) for item in content["foreign"])), content["reference"], True
        )

    def abandon(self) -> None:
        """Ask the process nothing any more; `close` kills it."""
        self._over = True

    def kill(self) -> None:
        """End the process at once. Any thread may do so; the one that waits for an answer finds it dead."""
        self._over = True
        self._process.kill()

    def close(self) -> None:
        """End the process and what it started."""
        if not self._over:
            self._process.post(messages.bye())
        self._process.close(grace=0 if self._over else 0.5)
        self._over = True

    def _read(self, deadline: float) -> tuple[bytes, dict[str, Any]] | None:
        try:
            line = self._process.read_line(min(deadline, self._until))
        except LineTooLong:
            raise ProtocolError("it wrote over 16 MB without a line end") from None
        if line is None:
            return None
        return line, messages.read_message(line)

    def _ending(self, deadline: float, when: str, seconds: float) -> str:
        self._over = True
        if time.monotonic() >= deadline:
            return f"no answer within {seconds:g} s"
        if time.monotonic() >= self._until:
            return f"no answer within the {self._limits.whole:g} s of the run (--max-time)"
        status = self._process.wait_status(0.2)
        return f"the process {status} {when}" if status else f"the process closed its output {when}"

    def _not_runnable(self, what: str) -> NotRunnable:
        self._over = True
        output = self._process.take_output().strip()
        printed = f"\nIts last output:\n{output[-1000:]}" if output else ""
        return NotRunnable(f"--impl {self._target.text}: {what}{printed}")
