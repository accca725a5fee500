"""A diagnosis in words."""

from __future__ import annotations

from dataclasses import dataclass

from specharness.judge.diagnosis import Diagnosis, Match
from specharness.report.words import plural

_NAMED = 6


@dataclass(frozen=True, slots=True)
class Finding:
    """A heading, and lines that belong under it."""

    heading: str
    lines: tuple[str, ...] = ()


def first_finding(diagnosis: Diagnosis) -> str:
    """The surest finding on a line."""
    return findings(diagnosis)[0].heading


def findings(diagnosis: Diagnosis) -> list[Finding]:
    """What a diagnosis says, the surest first."""
    if not diagnosis.matches and not diagnosis.together:
        return [Finding("no known fault, and no two, behave like this")]
    found = []
    if diagnosis.together:
        names = " and ".join(match.fault.id for match in diagnosis.together)
        heading = f"behaves like two faults together, {names}: {every(diagnosis)}"
        lines = [line for match in diagnosis.together for line in (_share(match, diagnosis), *fault_lines(match))]
        found.append(Finding(heading, tuple(lines)))
    for at, match in enumerate(diagnosis.matches if not diagnosis.together else ()):
        found.append(_single(match, diagnosis, first=at == 0))
        if at == 0 and fits_wholly(match, diagnosis):
            break
    return found


def fits_wholly(match: Match, diagnosis: Diagnosis) -> bool:
    """Whether a fault has the outcome of every failing case and fails none that passes."""
    return len(match.cases) == diagnosis.failing and not match.against


def confidence(match: Match, diagnosis: Diagnosis) -> str:
    """How well a fault fits, in words."""
    same, failing = len(match.cases), diagnosis.failing
    start = every(diagnosis) if same == failing else f"{same} of {failing} failing cases, {_outcome(diagnosis, 2)}"
    if not match.against:
        return start
    return f"{start}; but it also fails {plural(len(match.against), 'case')} that {_verb(len(match.against))} here"


def every(diagnosis: Diagnosis) -> str:
    """The words for an outcome that is the same in all failing cases."""
    if diagnosis.failing == 1:
        return f"the one failing case, {_outcome(diagnosis, 1)}"
    return f"all {diagnosis.failing} failing cases, {_outcome(diagnosis, diagnosis.failing)}"


def _outcome(diagnosis: Diagnosis, count: int) -> str:
    word = "outcome" if count == 1 else "outcomes"
    return f"same {word}" if diagnosis.exact else f"{word} of the same sort"


def fault_lines(match: Match) -> list[str]:
    """What a fault does wrong, by which clause, where it was seen, and what else fits as well."""
    fault = match.fault
    lines = [f"{fault.says} ({fault.clause})"]
    if fault.seen:
        lines.append(f"seen in {', '.join(fault.seen)}")
    if match.alike:
        more = f", and {len(match.alike) - _NAMED} more" if len(match.alike) > _NAMED else ""
        names = ", ".join(other.id for other in match.alike[:_NAMED])
        lines.append(f"these cases do not tell it from {names}{more}")
    return lines


def _single(match: Match, diagnosis: Diagnosis, *, first: bool) -> Finding:
    how = "behaves like" if first and fits_wholly(match, diagnosis) else "closest known fault:" if first else "then"
    return Finding(f"{how} {match.fault.id} ({confidence(match, diagnosis)})", tuple(fault_lines(match)))


def _share(match: Match, diagnosis: Diagnosis) -> str:
    return f"{match.fault.id}: {len(match.cases)} of {diagnosis.failing} failing cases"


def _verb(count: int) -> str:
    return "passes" if count == 1 else "pass"
