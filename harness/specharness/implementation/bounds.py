"""When a run is given up: costs are counted in the order of the cases, whichever process they arose in and when."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass
from threading import Lock

from specharness.implementation.observation import Answer, Loss, Lost, Observation


@dataclass(frozen=True, slots=True)
class Limits:
    """Bounds of a run, in seconds and bytes.

    `timeout` is for one call, `loading` for start and import, `whole` for the run, from its start. The run is given up
    after `silent` workers in a row that answered nothing, after `at_deadlines` seconds in all spent waiting for answers
    that did not come, after `reloading` seconds of loading anew, or after `timeouts` times the timeout in all calls.
    `repeating` bounds the second calls.
    """

    timeout: float = 10.0
    loading: float = 60.0
    whole: float = math.inf
    memory: int | None = None
    silent: int = 20
    at_deadlines: float = 60.0
    reloading: float = 60.0
    repeating: float = 10.0
    timeouts: int = 150


@dataclass(frozen=True, slots=True)
class Start:
    """A start after a loss: how long it took, and why it failed, empty where it did not."""

    seconds: float
    failure: str = ""


@dataclass(frozen=True, slots=True)
class Cost:
    """What a case cost: starts before it, answers to its calls, the first call's time. No answers: it did not run."""

    starts: tuple[Start, ...] = ()
    answers: tuple[Answer, ...] = ()
    calling: float = 0.0


class Bounds:
    """What a run has cost and may cost. Shared by the threads of a run.

    `until` is the end of the run's time (of `time.monotonic`). `given_up` says why the run was given up, empty while it
    goes on.
    """

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.until = time.monotonic() + limits.whole
        self.given_up = ""
        self._lock = Lock()
        self._costs: dict[int, Cost] = {}
        self._next = 0
        self._silent = 0
        self._last = ""
        self._at_deadlines = 0.0
        self._reloading = 0.0
        self._calling = 0.0
        self._repeating = 0.0
        self._first_not_run = 0
        self._no_starts = False

    @property
    def counted(self) -> int:
        """How many cases were counted, from the first on without a gap."""
        return self._next

    @property
    def is_time_up(self) -> bool:
        """Whether the time of the run is over."""
        return time.monotonic() >= self.until

    @property
    def repeats_stopped(self) -> bool:
        """Whether second calls are left out for lack of time."""
        return self._repeating >= self.limits.repeating

    def add_repeating(self, seconds: float) -> None:
        """Count the time of a second call."""
        with self._lock:
            self._repeating += seconds

    def allow_start(self, failed: list[Start]) -> bool:
        """Whether to try once more after starts that failed for one case. Where not, its cost ends the run."""
        limits = self.limits
        if self.given_up or self._no_starts or self.is_time_up:
            return False
        spent = self._reloading + sum(start.seconds for start in failed)
        return len(failed) < limits.silent and spent < limits.reloading

    def forbid_starts(self) -> None:
        """Let no process be started any more."""
        self._no_starts = True

    def charge(self, place: int, cost: Cost) -> None:
        """Count what the case at `place` (from 0) cost, as soon as those of all cases before it are known."""
        with self._lock:
            self._costs[place] = cost
            while not self.given_up and self._next in self._costs:
                self._count(self._costs.pop(self._next))
                self._next += 1

    def not_run(self, place: int) -> Observation | None:
        """The observation of a case that comes after the end of a run that was given up; None for others."""
        if self.given_up and place >= self._first_not_run:
            return Observation(Lost(Loss.NOT_RUN, self.given_up))
        return None

    def _count(self, cost: Cost) -> None:
        self._first_not_run = self._next
        for start in cost.starts:
            self._reloading += start.seconds
            if start.failure:
                self._silent += 1
                self._last = start.failure
                self._give_up()
        if self.given_up:
            return
        if not cost.answers:
            self.given_up = f"the {self.limits.whole:g} s of the run were over (--max-time)"
            return
        self._first_not_run += 1
        self._calling += cost.calling
        if not isinstance(cost.answers[0], Lost):
            self._silent = 0
        for answer in cost.answers:
            if isinstance(answer, Lost):
                self._last = answer.detail
                self._silent += answer is cost.answers[0]
                self._at_deadlines += self.limits.timeout if answer.loss is Loss.TIMED_OUT else 0
        self._give_up()

    def _give_up(self) -> None:
        limits = self.limits
        if self.given_up:
            return
        if self._silent >= limits.silent:
            self.given_up = f"given up after {self._silent} workers in a row answered nothing; the last: {self._last}"
        elif self._at_deadlines >= limits.at_deadlines:
            self.given_up = f"given up after {self._at_deadlines:g} s spent waiting for answers"
        elif self._reloading >= limits.reloading:
            self.given_up = f"given up after {limits.reloading:g} s spent loading it anew"
        elif self._calling >= limits.timeouts * limits.timeout:
            total = limits.timeouts * limits.timeout
            self.given_up = f"given up after {total:g} s of calls, {limits.timeouts} times the timeout"
