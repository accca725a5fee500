"""The sub-commands that show the suite and the spec."""

from __future__ import annotations

import textwrap
from pathlib import Path
from typing import Any

import click

from specharness.cli.options import PROFILE_NAMES, read_suite_options, suite_options
from specharness.cli.parameters import Assignment, NonEmptyPath
from specharness.cli.terminal import fold, say, width
from specharness.errors import NothingSelected
from specharness.exit_codes import ExitCode
from specharness.names import did_you_mean
from specharness.report.case_text import describe_case
from specharness.report.escape import printable
from specharness.report.words import plural
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.load import load_files, load_suite
from specharness.suite.select import level_of, select


@click.command("list")
@suite_options
def list_cases(**values: Any) -> None:
    """List cases, one a line: id, level, title."""
    options = read_suite_options(values)
    clauses = load_clauses()
    cases = select(load_suite(options.paths), options.selection, clauses)
    longest = max(len(case.id) for case in cases)
    lines = (f"{case.id:{longest}}  {level_of(case, clauses).value:6}  {printable(case.title)}" for case in cases)
    hanging = " " * (longest + 10)
    say("\n".join(fold(line, hanging) for line in lines))


@click.command("show")
@click.argument("case_id", metavar="ID")
@click.option("--cases", "paths", multiple=True, type=NonEmptyPath(), help="Case files or folders to look in.")
def show_case(case_id: str, paths: tuple[Path, ...]) -> None:
    """Show a case, its clauses and the trace."""
    clauses = load_clauses()
    cases = load_suite(paths)
    chosen = [case for case in cases if case_id in (case.id, case.id.partition("/")[0])]
    if not chosen:
        near = did_you_mean(case_id, [case.id for case in cases])
        raise NothingSelected(f"show {case_id}: no case has this id.{near}")
    say("\n\n".join(describe_case(case, clauses, width()) for case in chosen))


@click.command("clauses")
@click.option("--level", type=click.Choice([level.value for level in Level], case_sensitive=False), help="Only these.")
def list_clauses(level: str | None) -> None:
    """List the clauses of the spec: id, level, sentence."""
    clauses = [clause for clause in load_clauses().values() if level in (None, clause.level.value)]
    longest = max(len(clause.id) for clause in clauses)
    lines = (f"{clause.id:{longest}}  {clause.level.value:6}  {clause.sentence}" for clause in clauses)
    say("\n".join(fold(line, " " * (longest + 10)) for line in lines))


@click.command("validate")
@click.argument("paths", metavar="PATH...", nargs=-1, required=True, type=NonEmptyPath())
def validate_files(paths: tuple[Path, ...]) -> None:
    """Check case files."""
    cases = load_files(paths)
    files = {case.file for case in cases}
    say(f"valid: {plural(len(cases), 'case')} in {plural(len(files), 'file')}")


@click.command("law")
@click.argument("profile", type=click.Choice(PROFILE_NAMES))
@click.argument("model", metavar="MODEL", type=NonEmptyPath())
@click.option("--policy", "policies", type=Assignment(), multiple=True, help="A choice of the profile sampled.")
def show_law(profile: str, model: Path, policies: tuple[tuple[str, str], ...]) -> None:
    """Print the exact law of a profile on a model."""
    from specharness.report.law_text import describe_law
    from specharness.suite.models import read_model
    from specharness.suite.policies import check_policies, policy_for
    from specreference import PROFILES, law_of

    rules = PROFILES[profile]
    policy = policy_for(profile, check_policies(profile, policies))
    file = read_model(model)
    law = law_of(rules.rule, file.drafts, file.draft, file.target, draws=rules.draws, policy=policy)
    heading = f"profile {profile} on {printable(str(model))}: K = {file.drafts}, V = {file.vocabulary}"
    say(describe_law(law, file.drafts, file.target, heading=heading))


@click.command("exit-codes")
def list_exit_codes() -> None:
    """List the exit codes and when each is given."""
    longest = max(len(code.title) for code in ExitCode)
    lines = []
    for code in ExitCode:
        start = f"{int(code):3}  {code.title:{longest}}  "
        lines.append(textwrap.fill(start + code.when, width(), subsequent_indent=" " * len(start)))
    say("\n".join(lines))
