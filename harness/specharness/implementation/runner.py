"""Runs cases on an implementation: an observation for each, whatever the implementation does."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from specharness.errors import NotRunnable
from specharness.implementation.bounds import Bounds, Cost, Limits, Start
from specharness.implementation.observation import Answer, Loss, Lost, Observation
from specharness.implementation.session import Imports, Session, StaleAnswer
from specharness.implementation.target import Target
from specharness.suite.model import Case


class Runner:
    """An implementation that is kept running: started at once, restarted after a loss, given up within bounds.

    `bounds` are those of the run where it has other runners as well. `language` is what the implementation's process
    says it is written in.
    """

    def __init__(
        self,
        target: Target,
        limits: Limits,
        *,
        profile: str = "argmax",
        watch_imports: bool = False,
        bounds: Bounds | None = None,
    ) -> None:
        self._target = target
        self._profile = profile
        self._watch_imports = watch_imports
        self._bounds = bounds or Bounds(limits)
        self._session: Session | None = self._start()
        self._is_lost = False
        self.language = ""

    def _start(self) -> Session:
        limits, until = self._bounds.limits, self._bounds.until
        return Session(self._target, limits, profile=self._profile, watch_imports=self._watch_imports, until=until)

    def wait_ready(self) -> None:
        """Wait until the implementation is loaded. Raises `NotRunnable`."""
        if self._session:
            self._session.wait_ready()
            self.language = self._session.language

    @property
    def is_python(self) -> bool:
        """Whether the implementation is a Python function."""
        return self._target.worker is not None

    @property
    def repeats_stopped(self) -> bool:
        """Whether second calls were left out for lack of time."""
        return self._bounds.repeats_stopped

    def run(self, cases: Sequence[Case]) -> Iterator[Observation]:
        """An observation for each case, in order. One comes when the next case's first answer has, since an
        implementation may answer a call twice.
        """
        for _, observation in self.work(enumerate(cases, start=self._bounds.counted)):
            yield observation

    def work(self, numbered: Iterable[tuple[int, Case]]) -> Iterator[tuple[int, Observation]]:
        """As `run`, for some of a run's cases: each comes and goes with its place among all, from 0."""
        coming = iter(numbered)
        pending: tuple[int, Observation] | None = None
        posted = self._post_next(coming)
        while posted:
            try:
                observation = self._collect(posted)
            except StaleAnswer:  # of the case before, in all likelihood: an older one is not told apart
                pending = pending and (pending[0], replace(pending[1], answer=_ANSWERED_TWICE, repeat=None))
                posted = self._post(posted.place, posted.case)  # to a new process, which has no earlier call to answer
                observation = self._collect(posted)
            collected = posted.place, observation
            posted = self._post_next(coming)  # The next case is under way while this one is judged.
            if pending:
                yield pending
            pending = collected
        if pending:
            if self._session and not self._session.is_over and self._session.answered_again():
                pending = pending[0], replace(pending[1], answer=_ANSWERED_TWICE, repeat=None)
            yield pending

    def observe(self, case: Case) -> Observation:
        """An observation of one case at once, for callers that can't wait for the next case's.

        A second answer that comes only later is told of the next case: the one before is judged by then.
        """
        try:
            observation = self._collect(self._post(self._bounds.counted, case))
            if self._session and not self._session.is_over and self._session.answered_again(patience=0):
                self.abandon()
                return replace(observation, answer=_ANSWERED_TWICE, repeat=None)
            return observation
        except StaleAnswer:
            return Observation(Lost(Loss.ANSWERED_TWICE, "it answered a call of an earlier case again"))
        except BaseException:  # the answers that are still to come must not be taken for those of the next case
            self.abandon()
            raise

    def observe_fresh(self, case: Case) -> Answer | None:
        """The answer to one case in a new process; None where that can't be had in time."""
        if self._bounds.given_up or self._bounds.is_time_up:
            return None
        try:
            with self._start() as session:
                session.wait_ready()
                session.call(case.arguments_json, times=1)
                answer, _ = session.next_answer()
        except (NotRunnable, StaleAnswer):
            return None
        return None if isinstance(answer, Lost) else answer

    def imports(self) -> Imports:
        """What the implementation imported until now."""
        return self._session.ask_imports() if self._session else Imports()

    def abandon(self) -> None:
        """End the implementation at once, without a last word."""
        if self._session:
            self._session.abandon()

    def kill(self) -> None:
        """End the implementation's process at once. Any thread may do so."""
        if session := self._session:
            session.kill()

    def close(self) -> None:
        """End the implementation."""
        if self._session:
            self._session.close()
            self._session = None

    def _post_next(self, coming: Iterator[tuple[int, Case]]) -> _Posted | None:
        numbered = next(coming, None)
        return self._post(*numbered) if numbered else None

    def _post(self, place: int, case: Case) -> _Posted:
        """Send the calls of a case, unless the run is over."""
        starts: list[Start] = []
        session = self._ready_session(starts)
        if session is None:
            if not self._bounds.given_up:
                self._bounds.charge(place, Cost(tuple(starts)))
            return _Posted(place, case, None)
        times = 1 if self._bounds.repeats_stopped else 2
        first = session.call(case.arguments_json, times=times)
        return _Posted(place, case, session, first, times, time.monotonic(), tuple(starts))

    def _collect(self, posted: _Posted) -> Observation:
        """What came of the calls. Raises `StaleAnswer` where an earlier case was answered again."""
        session = posted.session
        if session is None:
            return Observation(Lost(Loss.NOT_RUN, self._bounds.given_up))
        answer, mutated = session.next_answer()
        if isinstance(answer, Lost) and answer.loss is Loss.NOT_RUN:
            self._bounds.charge(posted.place, Cost(posted.starts))
            return Observation(Lost(Loss.NOT_RUN, self._bounds.given_up))
        between = time.monotonic()
        try:
            repeat = session.next_answer()[0] if posted.times == 2 and not session.is_over else None
        except StaleAnswer as stale:
            if stale.number < posted.first:
                raise
            answer, repeat = _ANSWERED_TWICE, None
        if isinstance(repeat, Lost) and repeat.loss is Loss.NOT_RUN:
            repeat = None
        if repeat:
            self._bounds.add_repeating(time.monotonic() - between)
        seconds = between - posted.began
        self._bounds.charge(posted.place, Cost(posted.starts, (answer, repeat) if repeat else (answer,), seconds))
        return Observation(answer, repeat, mutated, session.output(), seconds)

    def _ready_session(self, starts: list[Start]) -> Session | None:
        """A session that is loaded, a new one after a loss; None once the run is over. `starts` are added to."""
        while not self._is_lost and self._bounds.allow_start(starts):
            began = time.monotonic()
            anew = self._session is None or self._session.is_over
            failure = ""
            try:
                if anew:
                    self.close()
                    self._session = self._start()
                self.wait_ready()
            except NotRunnable as error:
                failure = str(error)
            if anew or failure:
                starts.append(Start(time.monotonic() - began if anew else 0, failure))
            if not failure:
                return self._session
        self._is_lost = True
        self.close()
        return None


@dataclass(frozen=True, slots=True)
class _Posted:
    """Calls under way: the id of the first, how many, and when they were sent. Without a session none was sent."""

    place: int
    case: Case
    session: Session | None
    first: int = 0
    times: int = 0
    began: float = 0.0
    starts: tuple[Start, ...] = ()


_ANSWERED_TWICE = Lost(Loss.ANSWERED_TWICE, "it answered one call twice")
