"""Choosing the cases of a run."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fnmatch import fnmatchcase

from specharness.errors import NothingSelected
from specharness.names import did_you_mean
from specharness.suite.clauses import Clause, Level
from specharness.suite.model import Case


@dataclass(frozen=True, slots=True)
class Selection:
    """What was asked for. Values of one field are alternatives, different fields all apply, empty ones ask nothing."""

    cases: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()
    clauses: tuple[str, ...] = ()
    levels: tuple[Level, ...] = ()
    profile: str = "argmax"

    @property
    def is_partial(self) -> bool:
        """Whether it leaves out cases of its profile."""
        return bool(self.cases or self.tags or self.clauses or self.levels)


def level_of(case: Case, clauses: Mapping[str, Clause]) -> Level:
    """MUST if all its clauses are, else SHOULD."""
    must = all(clauses[name].level is Level.MUST for name in case.clauses)
    return Level.MUST if must else Level.SHOULD


def size_of_profile(cases: Sequence[Case], selection: Selection) -> int | None:
    """How many cases a partial selection is made from; None where it leaves out none."""
    return sum(case.profile == selection.profile for case in cases) if selection.is_partial else None


def select(cases: Sequence[Case], selection: Selection, clauses: Mapping[str, Clause]) -> list[Case]:
    """The cases that match, in order. Raises `NothingSelected` for a name without a match, or if none is left."""
    of_profile = [case for case in cases if case.profile == selection.profile]
    if not of_profile:
        raise NothingSelected(f"no case of the profile {selection.profile}; the cases read are of other profiles")
    _check_names("--case", selection.cases, of_profile, _case_names, lambda case: [case.id])
    _check_names("--tag", selection.tags, of_profile, lambda case: case.tags, lambda case: case.tags)
    for name in selection.clauses:
        if not any(fnmatchcase(known, name) for known in clauses):
            raise NothingSelected(f"--clause {name}: the spec has no such clause.{did_you_mean(name, clauses)}")
    for name in selection.clauses:
        if name.startswith(("SV-OUT", "SV-PURE")) and not any(_any_match((name,), case.clauses) for case in of_profile):
            raise NothingSelected(f"--clause {name}: it is judged on every case and no case lists it; run all cases")
    _check_names("--clause", selection.clauses, of_profile, lambda case: case.clauses, lambda case: case.clauses)
    chosen = [case for case in of_profile if _matches(case, selection, clauses)]
    if not chosen:
        raise NothingSelected("no case matches all of the selecting options; drop one of them, or see specharness list")
    return chosen


def is_named(case: Case, pattern: str) -> bool:
    """Whether a pattern of `--case` takes a case: by its id, or by the id of the case whose variant it is."""
    return _any_match((pattern,), _case_names(case))


def _case_names(case: Case) -> Sequence[str]:
    return (case.id, case.id.partition("/")[0])


def _matches(case: Case, selection: Selection, clauses: Mapping[str, Clause]) -> bool:
    return (
        _any_match(selection.cases, _case_names(case))
        and _any_match(selection.tags, case.tags)
        and _any_match(selection.clauses, case.clauses)
        and (not selection.levels or level_of(case, clauses) in selection.levels)
    )


def _any_match(patterns: Sequence[str], names: Sequence[str]) -> bool:
    return not patterns or any(fnmatchcase(name, pattern) for pattern in patterns for name in names)


def _check_names(
    option: str,
    patterns: Iterable[str],
    cases: Sequence[Case],
    names: Callable[[Case], Sequence[str]],
    suggested: Callable[[Case], Sequence[str]],
) -> None:
    for pattern in patterns:
        if not any(_any_match((pattern,), names(case)) for case in cases):
            known = dict.fromkeys(name for case in cases for name in suggested(case))
            begins = any(name.startswith(pattern) for name in known)
            hint = f" Did you mean '{pattern}*'?" if begins else did_you_mean(pattern, known)
            raise NothingSelected(f"{option} {pattern}: matches no case.{hint}")
