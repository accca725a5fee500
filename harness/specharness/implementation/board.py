"""Hands cases out to threads in order, and gives their observations back in order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Condition, get_ident

from specharness.implementation.bounds import Bounds
from specharness.implementation.observation import Observation
from specharness.suite.model import Case

_POLL = 0.1


class Board:
    """The cases of a run and what became of them. At most `ahead` are out or wait for an earlier one, or a few more."""

    def __init__(self, cases: Sequence[Case], *, ahead: int) -> None:
        self._cases = cases
        self._ahead = ahead
        self._changed = Condition()
        self._handed_out = 0
        self._given_back = 0
        self._holders: dict[int, int] = {}
        self._observed: dict[int, Observation] = {}
        self._error: BaseException | None = None
        self._is_stopped = False

    @property
    def is_done(self) -> bool:
        """Whether all cases were observed, so that no thread works any more."""
        return self._handed_out == len(self._cases) and not self._holders

    def take(self) -> Iterator[tuple[int, Case]]:
        """Cases for the thread that iterates, with their places. Waits while too many are out."""
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._is_stopped or not self._must_wait())
                if self._is_stopped or self._handed_out == len(self._cases):
                    return
                place = self._handed_out
                self._handed_out += 1
                self._holders[place] = get_ident()
            yield place, self._cases[place]

    def _must_wait(self) -> bool:
        """A thread holds an observation until it has its next case, so the holder of the oldest never waits."""
        is_full = self._handed_out < len(self._cases) and self._handed_out - self._given_back >= self._ahead
        return is_full and self._holders.get(self._given_back) != get_ident()

    def put(self, place: int, observation: Observation) -> None:
        """Say what became of the case at `place`."""
        with self._changed:
            del self._holders[place]
            self._observed[place] = observation
            self._changed.notify_all()

    def fail(self, error: BaseException) -> None:
        """Let `error` end the run: a thread can't go on."""
        with self._changed:
            self._error = error
            self._changed.notify_all()

    def stop(self) -> None:
        """Hand out no more."""
        with self._changed:
            self._is_stopped = True
            self._changed.notify_all()

    def give_back(self, bounds: Bounds) -> Iterator[Observation]:
        """The observation of each case, in order. What comes after the end of a run given up is not waited for."""
        for place in range(len(self._cases)):
            with self._changed:
                while not (observation := bounds.not_run(place) or self._observed.pop(place, None)):
                    if self._error:
                        raise self._error
                    self._changed.wait(_POLL)
                self._given_back += 1
                self._changed.notify_all()
            yield observation
