"""The kill matrix: which cases each known fault fails, and in what way."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from multiprocessing import parent_process
from threading import Thread
from typing import Any

from specharness.implementation.inprocess import observe_here
from specharness.judge.symptoms import Symptom, symptoms
from specharness.suite.model import Case
from specreference.faults import CONTROLS, FAULTS, Fault, forget

_WORTH_A_PROCESS = 20_000
_ON_EVERY_CASE = ("SV-OUT", "SV-PURE")

Departures = dict[str, frozenset[Symptom]]
"""How a fault departs from each case that it fails, by case id."""


Calls = list[tuple[Case, list[Any]]]
"""Cases with their arguments, read once for all faults."""


def calls_of(cases: Iterable[Case]) -> Calls:
    """The cases with their arguments by position."""
    return [(case, list(case.arguments().values())) for case in cases]


def departures(fault: Fault, calls: Calls) -> Departures:
    """Run a fault on cases, in order and in this process. It begins without memory of earlier calls."""
    forget()
    found = {}
    wavers = fault.clause == "SV-PURE-2"  # the others give every call the same answer
    for case, arguments in calls:
        if shown := symptoms(case, observe_here(fault.function, arguments, repeat=wavers, traced=False)):
            found[case.id] = shown
    return found


@dataclass(frozen=True)
class Kills:
    """The departures of each fault of one profile from its cases. `controls` are kept apart."""

    profile: str
    cases: Sequence[Case]
    faults: Mapping[str, Departures]
    controls: Mapping[str, Departures]

    @cached_property
    def _listing(self) -> dict[str, frozenset[str]]:
        return {case.id: frozenset(case.clauses) for case in self.cases}

    def own(self, name: str) -> list[str]:
        """The cases that kill a fault and list its clause; SV-OUT and SV-PURE are judged on every case."""
        clause = FAULTS[name].clause
        if clause.startswith(_ON_EVERY_CASE):
            return list(self.faults[name])
        return [case for case in self.faults[name] if clause in self._listing[case]]

    @property
    def survivors(self) -> list[str]:
        """The faults that no case kills which lists their clause."""
        return [name for name in self.faults if not self.own(name)]

    @property
    def misjudged(self) -> list[str]:
        """Positive controls that pass a case, and inert ones that fail one."""
        return [
            name
            for name, found in self.controls.items()
            if (len(found) != len(self.cases) if CONTROLS[name].clause else bool(found))
        ]

    @cached_property
    def alike(self) -> list[list[str]]:
        """The faults that no case tells apart, in groups of two and more; those killed by no case are left out."""
        groups: dict[frozenset[tuple[str, frozenset[Symptom]]], list[str]] = {}
        for name, found in self.faults.items():
            if found:
                groups.setdefault(frozenset(found.items()), []).append(name)
        return [group for group in groups.values() if len(group) > 1]

    @property
    def unexplained(self) -> list[list[str]]:
        """The groups of `alike` in which a fault is not declared equivalent to another one of the group."""
        return [group for group in self.alike if len(_roots(group)) > 1]

    def killers(self) -> dict[str, list[str]]:
        """The faults that each case kills, by case id, in the order of the cases."""
        found: dict[str, list[str]] = {case.id: [] for case in self.cases}
        for name, departed in self.faults.items():
            for case in departed:
                found[case].append(name)
        return found


def _roots(group: list[str]) -> set[str]:
    """The faults of a group that are not declared equivalent to another one in it."""
    return {name for name in group if not ((same := FAULTS[name].equivalent_to) and same.id in group)}


def kill_matrix(
    profile: str, cases: Sequence[Case], *, only: Iterable[str] | None = None, processes: int | None = None
) -> Kills:
    """Run every fault and control of a profile on its cases, in as many processes as there are processors.

    With `only`, the faults and controls of these ids.
    """
    known = [fault.id for fault in (*FAULTS.values(), *CONTROLS.values()) if profile in fault.profiles]
    if only is not None:
        known = [name for name in known if name in set(only)]
    workers = min(processes or os.cpu_count() or 1, len(known) * len(cases) // _WORTH_A_PROCESS + 1)
    if workers == 1:
        _read(cases)
        found = list(map(_departures_of, known))
    else:
        with ProcessPoolExecutor(workers, initializer=_begin, initargs=(cases,)) as pool:
            with _signals_wait():
                coming = pool.map(_departures_of, known, chunksize=4)
            found = list(coming)
    table = dict(zip(known, found, strict=True))
    return Kills(
        profile,
        cases,
        {name: departed for name, departed in table.items() if name in FAULTS},
        {name: departed for name, departed in table.items() if name in CONTROLS},
    )


_calls: Calls = []


def _read(cases: Sequence[Case]) -> None:
    _calls[:] = calls_of(cases)


_ENDING = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]


@contextmanager
def _signals_wait() -> Iterator[None]:
    """Keep signals back: a pool that one interrupts while its processes start waits for them for ever."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, _ENDING)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _begin(cases: Sequence[Case]) -> None:
    """Prepare a process of the pool. It ends with the one that started it, which alone is interrupted."""
    for number in _ENDING:
        signal.signal(number, signal.SIG_IGN)
    Thread(target=_end_with_parent, daemon=True).start()
    _read(cases)


def _end_with_parent() -> None:
    """Else a process whose parent was killed would wait for work for ever."""
    if parent := parent_process():
        parent.join()
    os._exit(1)


def _departures_of(name: str) -> Departures:
    return departures({**FAULTS, **CONTROLS}[name], _calls)


def covered_by(kills: Kills, faults: set[str]) -> str | None:
    """The first case that kills all of these faults, None where no single one does."""
    return next((case for case, killed in kills.killers().items() if faults <= set(killed)), None)
