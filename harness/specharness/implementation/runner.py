"""Runs cases on an implementation: an observation for each, whatever the implementation does."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from specharness.errors import NotRunnable
from specharness.implementation.observation import Answer, Loss, Lost, Observation
from specharness.implementation.session import Imports, Limits, Session, StaleAnswer
from specharness.implementation.target import Target
from specharness.suite.model import Case


class Runner:
    """An implementation that is kept running: started at once, restarted after a loss, given up within bounds."""

    def __init__(self, target: Target, limits: Limits, *, profile: str = "argmax", watch_imports: bool = False) -> None:
        self._target = target
        self._limits = limits
        self._profile = profile
        self._watch_imports = watch_imports
        self._session: Session | None = self._start()
        self._silent = 0
        self._at_deadlines = 0.0
        self._repeating = 0.0
        self._reloading = 0.0
        self._calling = 0.0
        self._given_up = ""

    def _start(self) -> Session:
        return Session(self._target, self._limits, profile=self._profile, watch_imports=self._watch_imports)

    def wait_ready(self) -> None:
        """Wait until the implementation is loaded. Raises `NotRunnable`."""
        if self._session:
            self._session.wait_ready()

    @property
    def language(self) -> str:
        """What the implementation's process says it is written in."""
        return self._session.language if self._session else ""

    @property
    def is_python(self) -> bool:
        """Whether the implementation is a Python function."""
        return self._target.worker is not None

    @property
    def repeats_stopped(self) -> bool:
        """Whether second calls were left out for lack of time."""
        return self._repeating >= self._limits.repeating

    def run(self, cases: Sequence[Case]) -> Iterator[Observation]:
        """An observation for each case, in order. One comes when the next case's first answer has, since an
        implementation may answer a call twice.
        """
        pending: Observation | None = None
        posted = self._post(cases[0]) if cases else None
        for following, case in enumerate(cases, start=1):
            try:
                observation = self._collect(posted)
            except StaleAnswer:  # of the case before, in all likelihood: an older one is not told apart
                pending = pending and replace(pending, answer=_ANSWERED_TWICE, repeat=None)
                observation = self._collect(self._post(case))  # in a new process, which has no earlier call to answer
            # The next case is under way while this one is judged.
            posted = self._post(cases[following]) if following < len(cases) else None
            if pending:
                yield pending
            pending = observation
        if pending:
            if self._session and not self._session.is_over and self._session.answered_again():
                pending = replace(pending, answer=_ANSWERED_TWICE, repeat=None)
            yield pending

    def observe(self, case: Case) -> Observation:
        """An observation of one case at once, for callers that can't wait for the next case's.

        A second answer that comes only later is told of the next case: the one before is judged by then.
        """
        try:
            observation = self._collect(self._post(case))
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
        if self._given_up:
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

    def close(self) -> None:
        """End the implementation."""
        if self._session:
            self._session.close()
            self._session = None

    def _post(self, case: Case) -> _Posted | None:
        """Send the calls of a case; None once the run is given up."""
        session = self._ready_session()
        if session is None:
            return None
        times = 1 if self.repeats_stopped else 2
        return _Posted(session, session.call(case.arguments_json, times=times), times, time.monotonic())

    def _collect(self, posted: _Posted | None) -> Observation:
        """What came of the calls. Raises `StaleAnswer` where an earlier case was answered again."""
        if posted is None:
            return Observation(Lost(Loss.NOT_RUN, self._given_up))
        session = posted.session
        answer, mutated = session.next_answer()
        between = time.monotonic()
        try:
            repeat = session.next_answer()[0] if posted.times == 2 and not session.is_over else None
        except StaleAnswer as stale:
            if stale.number < posted.first:
                raise
            answer, repeat = _ANSWERED_TWICE, None
        if repeat:
            self._repeating += time.monotonic() - between
        self._count(answer, repeat, between - posted.began)
        return Observation(answer, repeat, mutated, session.output(), between - posted.began)

    def _ready_session(self) -> Session | None:
        """A session that is loaded, a new one after a loss; None once the run is given up."""
        while not self._given_up:
            began = time.monotonic()
            anew = self._session is None or self._session.is_over
            try:
                if self._session is None or self._session.is_over:
                    self.close()
                    self._session = self._start()
                self._session.wait_ready()
                return self._session
            except NotRunnable as error:
                self._silent += 1
                self._give_up_after(str(error))
            finally:
                self._reloading += time.monotonic() - began if anew else 0
        self.close()
        return None

    def _count(self, answer: Answer, repeat: Answer | None, seconds: float) -> None:
        self._calling += seconds
        if not isinstance(answer, Lost):
            self._silent = 0
        last = ""
        for given in (answer, repeat):
            if isinstance(given, Lost):
                last = given.detail
                self._silent += given is answer
                self._at_deadlines += self._limits.timeout if given.loss is Loss.TIMED_OUT else 0
        self._give_up_after(last)

    def _give_up_after(self, last: str) -> None:
        limits = self._limits
        if self._silent >= limits.silent:
            self._given_up = f"given up after {self._silent} workers in a row answered nothing; the last: {last}"
        elif self._at_deadlines >= limits.at_deadlines:
            self._given_up = f"given up after {self._at_deadlines:g} s spent waiting for answers"
        elif self._reloading >= limits.reloading:
            self._given_up = f"given up after {self._reloading:.0f} s spent loading it anew"
        elif self._calling >= limits.timeouts * limits.timeout:
            self._given_up = f"given up after {self._calling:.0f} s of calls, {limits.timeouts} times the timeout"


@dataclass(frozen=True, slots=True)
class _Posted:
    """Calls under way: the id of the first, how many, and when they were sent."""

    session: Session
    first: int
    times: int
    began: float


_ANSWERED_TWICE = Lost(Loss.ANSWERED_TWICE, "it answered one call twice")
