"""Several processes of one implementation at once: cases go out in order, and observations come in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from threading import Event, Thread

from specharness.errors import NotRunnable
from specharness.implementation.board import Board
from specharness.implementation.bounds import Bounds, Limits
from specharness.implementation.observation import Answer, Observation
from specharness.implementation.runner import Runner
from specharness.implementation.session import Imports
from specharness.implementation.target import Target
from specharness.suite.model import Case

_AHEAD = 16
"""So many cases of each process may be out or wait for an earlier one."""


class Pool:
    """Up to `jobs` runners with a thread for each, used as one `Runner`. The limits hold for all together.

    The first process starts at once, the others when it is known how many cases there are.
    """

    def __init__(
        self, target: Target, limits: Limits, *, jobs: int, profile: str = "argmax", watch_imports: bool = False
    ) -> None:
        self._jobs = jobs
        self._bounds = Bounds(limits)
        self._new_runner = partial(
            Runner, target, limits, profile=profile, watch_imports=watch_imports, bounds=self._bounds
        )
        self._runners = [self._new_runner()]
        self._threads: list[Thread] = []
        self._board: Board | None = None
        self._closing = Event()

    def wait_ready(self) -> None:
        """Wait until the implementation is loaded in the first process. Raises `NotRunnable`."""
        self._runners[0].wait_ready()

    @property
    def language(self) -> str:
        """What the implementation's process says it is written in."""
        return self._runners[0].language

    @property
    def is_python(self) -> bool:
        """Whether the implementation is a Python function."""
        return self._runners[0].is_python

    @property
    def repeats_stopped(self) -> bool:
        """Whether second calls were left out for lack of time."""
        return self._bounds.repeats_stopped

    def run(self, cases: Sequence[Case]) -> Iterator[Observation]:
        """An observation for each case, in order; only once. Raises `NotRunnable` where a process can't be loaded."""
        self._start_others(min(self._jobs, len(cases)))
        board = self._board = Board(cases, ahead=_AHEAD * len(self._runners))
        self._threads = [Thread(target=self._work, args=(runner, board), daemon=True) for runner in self._runners]
        for thread in self._threads:
            thread.start()
        try:
            yield from board.give_back(self._bounds)
        finally:
            board.stop()

    def observe_fresh(self, case: Case) -> Answer | None:
        """The answer to one case in a new process; None where that can't be had in time."""
        return self._runners[0].observe_fresh(case)

    def imports(self) -> Imports:
        """What the implementation imported, in any of its processes. Not known before all cases were observed."""
        if not self._board or not self._board.is_done:
            return Imports()
        told = [imports for runner in self._runners if (imports := runner.imports()).known]
        foreign = {found for imports in told for found in imports.foreign}
        return Imports(tuple(sorted(foreign)), any(imports.reference for imports in told), bool(told))

    def abandon(self) -> None:
        """End all processes at once, without a last word."""
        self._bounds.forbid_starts()
        for runner in self._runners:
            runner.kill()

    def close(self) -> None:
        """End all processes. Those that are idle get a last word."""
        self._closing.set()
        is_idle = self._board is None or self._board.is_done
        if self._board:
            self._board.stop()
        while any(thread.is_alive() for thread in self._threads):
            if not is_idle:
                self.abandon()  # again, where a thread was just about to start a process
            for thread in self._threads:
                thread.join(0.05)
        for runner in self._runners:
            runner.close()

    def _start_others(self, count: int) -> None:
        self.wait_ready()
        while len(self._runners) < count:
            self._runners.append(self._new_runner())
        for number, runner in enumerate(self._runners[1:], start=2):
            try:
                runner.wait_ready()
            except NotRunnable as error:
                raise NotRunnable(f"{error}\nThat was process {number} of {count}; -j 1 starts only one") from None

    def _work(self, runner: Runner, board: Board) -> None:
        """A thread's work. It stays until the pool is closed: Linux ends a process with the thread that started it."""
        try:
            for place, observation in runner.work(board.take()):
                board.put(place, observation)
        except BaseException as error:
            board.fail(error)
        self._closing.wait()
        runner.close()
