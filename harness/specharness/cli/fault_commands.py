"""The sub-command that shows the known faults and what kills them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

import click

from specharness.cli.files import check_files, write_files
from specharness.cli.parameters import FileReport, NonEmptyPath
from specharness.cli.terminal import fold, say
from specharness.errors import NothingSelected, UsageError
from specharness.exit_codes import ExitCode
from specharness.judge.kills import Kills, kill_matrix
from specharness.names import did_you_mean
from specharness.report.kills_text import describe_fault, fault_list, render_by_case, render_kills
from specharness.report.result import Setting
from specharness.run import exclusion
from specharness.suite.clauses import Clause, load_clauses
from specharness.suite.load import load_suite
from specharness.suite.model import Case
from specharness.suite.select import Selection, select
from specreference import PROFILES
from specreference.faults import FAULTS, Fault


@click.command("faults")
@click.argument("name", metavar="[ID]", required=False)
@click.option("--profile", type=click.Choice(list(PROFILES)), help="Only faults of this profile.")
@click.option("--matrix", is_flag=True, help="Run every fault on every case, and list the cases that kill each.")
@click.option("--by-case", is_flag=True, help="The same by case: the faults that each case kills.")
@click.option("--case", "case_globs", multiple=True, metavar="GLOB", help="Only cases whose id matches.")
@click.option("--cases", "paths", multiple=True, type=NonEmptyPath(), help="Case files, instead of the shipped ones.")
@click.option("--report", "reports", type=FileReport("json", "html"), multiple=True, help="Also write it: json, html.")
@click.option("-v", "--verbose", is_flag=True, help="Name every case and fault.")
def show_faults(
    name: str | None,
    profile: str | None,
    matrix: bool,
    by_case: bool,
    case_globs: tuple[str, ...],
    paths: tuple[Path, ...],
    reports: tuple[tuple[str, Path], ...],
    verbose: bool,
) -> ExitCode:
    """List known faults, and the cases that kill them.

    With --matrix, all of the shipped suite must kill all faults: exit code 1 where one survives.
    """
    matrix = matrix or by_case
    if not matrix and (given := _given(case_globs, paths, reports)):
        raise UsageError(f"{given} is about the matrix; ask for --matrix or --by-case")
    if name is not None:
        if matrix:
            raise UsageError("a fault is shown with its cases; leave out --matrix")
        _show(_fault(name), profile)
        return ExitCode.CONFORMANT
    if not matrix:
        say(fault_list([fault for fault in FAULTS.values() if profile in (None, *fault.profiles)], fold))
        return ExitCode.CONFORMANT
    check_files(reports)
    matrices = _matrices([profile] if profile else list(PROFILES), case_globs, paths)
    write_files(reports, {kind: partial(_render, kind, matrices) for kind in ("json", "html")})
    shipped = _shipped(matrices) if by_case and paths else [None] * len(matrices)
    for kills, other in zip(matrices, shipped, strict=True):
        if by_case:
            say(render_by_case(kills, fold, every=verbose, shipped=other))
        else:
            say(render_kills(kills, fold, every=verbose) + "\n")
    whole = not case_globs and not paths
    full = all(not (kills.survivors or kills.misjudged) for kills in matrices)
    return ExitCode.CONFORMANT if full or not whole else ExitCode.NONCONFORMANT


def _given(case_globs: Sequence[str], paths: Sequence[Path], reports: Sequence[tuple[str, Path]]) -> str:
    """The first option that was given of those that only the matrix reads."""
    options: dict[str, Sequence[object]] = {"--case": case_globs, "--cases": paths, "--report": reports}
    return next((option for option, value in options.items() if value), "")


def _fault(name: str) -> Fault:
    found = FAULTS.get(name.replace("_", "-"))
    if found is None:
        raise NothingSelected(f"faults {name}: no fault has this id.{did_you_mean(name, FAULTS)}")
    return found


def _show(fault: Fault, profile: str | None) -> None:
    if profile not in (None, *fault.profiles):
        raise NothingSelected(f"faults {fault.id}: it is a fault of the profile {', '.join(fault.profiles)}")
    sentences = {clause.id: clause.sentence for clause in load_clauses().values()}
    cases = load_suite(())
    matrices = [kill_matrix(name, _applicable(cases, name), only=[fault.id]) for name in fault.profiles]
    say(describe_fault(fault, matrices, sentences, fold))


def _matrices(profiles: Sequence[str], case_globs: tuple[str, ...], paths: tuple[Path, ...]) -> list[Kills]:
    suite = load_suite(paths)
    if case_globs or paths:
        clauses = load_clauses()
        profiles = [name for name in profiles if any(case.profile == name for case in suite)]
        chosen = _chosen(suite, profiles, case_globs, clauses)
    else:
        chosen = {name: list(suite) for name in profiles}
    found = [(name, _applicable(cases, name)) for name, cases in chosen.items()]
    if not any(cases for _, cases in found):
        raise NothingSelected("no case is left that runs in float64 with the default policies")
    return [kill_matrix(name, cases) for name, cases in found if cases]


def _chosen(
    suite: Sequence[Case], profiles: Sequence[str], case_globs: tuple[str, ...], clauses: Mapping[str, Clause]
) -> dict[str, list[Case]]:
    """The cases that match, of each profile that has any. Raises `NothingSelected` where none has."""
    chosen = {}
    missing: NothingSelected | None = None
    for name in profiles:
        try:
            chosen[name] = select(suite, Selection(cases=case_globs, profile=name), clauses)
        except NothingSelected as error:
            missing = error
    if not chosen:
        raise missing or NothingSelected("no case of this profile")
    return chosen


def _applicable(cases: Sequence[Case], profile: str) -> list[Case]:
    default = Setting(implementation="", profile=profile)
    return [case for case in cases if case.profile == profile and not exclusion(case, default)]


def _shipped(matrices: Sequence[Kills]) -> list[Kills]:
    cases = load_suite(())
    return [kill_matrix(kills.profile, _applicable(cases, kills.profile)) for kills in matrices]


def _render(kind: str, matrices: Sequence[Kills]) -> str:
    """A report's text; what is not asked for is not imported."""
    if kind == "json":
        from specharness.report.kills_json import render_kills_json as render
    else:
        from specharness.report.kills_html import render_kills_html as render
    return render(matrices)
