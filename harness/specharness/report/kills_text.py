"""The catalogue of faults and the kill matrix as text."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from specharness.judge.kills import Kills, covered_by
from specreference.faults import FAULTS, Fault

_NAMED = 8

Fold = Callable[[str, str], str]
"""Folds a line to the width of the output; the second text indents the lines after the first."""


def fault_list(faults: Sequence[Fault], fold: Fold) -> str:
    """Id, clause and what is wrong, a line each."""
    longest = max(len(fault.id) for fault in faults)
    clause = max(len(fault.clause) for fault in faults)
    hanging = " " * (longest + clause + 4)
    return "\n".join(fold(f"{f.id:{longest}}  {f.clause:{clause}}  {f.says}", hanging) for f in faults)


def describe_fault(fault: Fault, matrices: Sequence[Kills], clauses: Mapping[str, str], fold: Fold) -> str:
    """One fault in full: what is wrong, where it was seen, and the cases that kill it."""
    lines = [fault.id, f"  {fault.says}", f"  {fault.clause} {clauses[fault.clause]}"]
    lines.append(f"  profile {', '.join(fault.profiles)}; group {fault.group}")
    if fault.seen:
        lines.append(f"  seen in {', '.join(fault.seen)}")
    if fault.equivalent_to:
        lines.append(f"  the same as {fault.equivalent_to.id}: {fault.equivalent_to.because}")
    lines += [f"  killed by {_named(list(kills.faults[fault.id]), None)}" for kills in matrices]
    lines.append(f"  run it: specharness {_run(fault)}")
    return "\n".join(fold(line, "    ") for line in lines)


def render_kills(kills: Kills, fold: Fold, *, every: bool = False) -> str:
    """Each fault with the cases that kill it, those of its own clause first; all of them with `every`."""
    lines = [f"profile {kills.profile}: {len(kills.faults)} faults, {len(kills.cases)} cases"]
    most = None if every else _NAMED
    longest = max(map(len, kills.faults))
    for name, departed in kills.faults.items():
        own = kills.own(name)
        others = [case for case in departed if case not in set(own)]
        parts = [f"{FAULTS[name].clause}: {_named(own, most)}"]
        if others:
            parts.append(f"besides: {_named(others, most)}" if every else f"and {len(others)} besides")
        lines.append(fold(f"  {name:{longest}}  {'; '.join(parts)}", " " * (longest + 4)))
    lines += (fold(line, "  ") for line in conclusions(kills))
    return "\n".join(lines)


def conclusions(kills: Kills) -> Iterator[str]:
    """What the matrix shows as a whole."""
    yield f"killed by no case of their clause: {', '.join(kills.survivors) or 'none'}"
    single = [f"{name} ({found[0]})" for name in kills.faults if len(found := list(kills.faults[name])) == 1]
    yield f"killed by a single case: {', '.join(single) or 'none'}"
    pairs = "; ".join(", ".join(group) for group in kills.unexplained)
    yield f"told apart by no case: {pairs or 'none'}"
    for name in kills.faults:
        if same := FAULTS[name].equivalent_to:
            yield f"equivalent: {name} is the same as {same.id}, {same.because}"
    yield f"controls that are misjudged: {', '.join(kills.misjudged) or 'none'}"


def render_by_case(kills: Kills, fold: Fold, *, every: bool = False, shipped: Kills | None = None) -> str:
    """Each case with the faults that it kills; which case of the `shipped` suite, if given, kills them all as well."""
    most = None if every else _NAMED
    longest = max(len(case.id) for case in kills.cases)
    lines = []
    for case, killed in kills.killers().items():
        line = f"{case:{longest}}  kills {_named(killed, most)}"
        if shipped and killed:
            same = covered_by(shipped, set(killed))
            line += f"; {same} of the shipped suite kills them too" if same else "; no shipped case kills them all"
        lines.append(fold(line, " " * (longest + 2)))
    return "\n".join(lines)


def _named(names: Sequence[str], most: int | None) -> str:
    if not names:
        return "none"
    more = f", ... {len(names)} in all" if most and len(names) > most else ""
    return ", ".join(names[:most]) + more


def _run(fault: Fault) -> str:
    profile = "" if fault.profiles == ("argmax",) else f" --profile {fault.profiles[0]}"
    return f"--impl specreference.faults:{fault.function.__name__}{profile}"
