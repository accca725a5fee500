"""Files that reproduce failures: for each a pytest file, and a case file that has just its case."""

from __future__ import annotations

import re
import shlex
import textwrap
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from specharness.implementation import messages
from specharness.implementation.observation import Loss, Lost
from specharness.implementation.target import Target
from specharness.judge.compare import ANOTHER_IN_NEW_PROCESS
from specharness.judge.verdict import Verdict
from specharness.report.escape import printable
from specharness.report.failure import cause_of, sections, text_lines
from specharness.report.groups import by_cause
from specharness.report.repro_pytest import floats_in, pytest_file, source_of
from specharness.report.result import RunResult
from specharness.suite.write import write_cases
from specharness.version import VERSION

INDEX = "specharness-repro.txt"
"""The file that lists the others, and marks a folder as one of these."""

_OURS = re.compile(r"test_[a-z]+_[0-9]{3}(_[0-9]+)?\.py|[a-z]+_[0-9]{3}(_[0-9]+)?\.(yaml|jsonl)")

MOST = 50
"""Failures beyond so many get no files."""

MOST_NUMBERS = 50_000
"""A case with more numbers gets no files."""


@dataclass(frozen=True, slots=True)
class Repro:
    """The files by name, and in one line what they are."""

    files: dict[str, str]
    summary: str


def reproduce(result: RunResult, target: Target, folder: Path, *, timeout: float) -> Repro:
    """The files for the failures of a run, to be written to `folder`: one of each cause before a second of any."""
    excluded = {verdict.case.id: why for verdict in result.failures if (why := _exclusion(verdict))}
    ordered = _one_of_each_first([verdict for verdict in result.failures if verdict.case.id not in excluded])
    excluded |= {verdict.case.id: f"beyond the first {MOST}" for verdict in ordered[MOST:]}
    chosen = {verdict.case.id for verdict in ordered[:MOST]}
    files: dict[str, str] = {INDEX: ""}  # the first to be written, so that the folder is known for what it is
    lines = []
    for verdict in result.failures:
        made = _files(verdict, result, target, folder, timeout) if verdict.case.id in chosen else {}
        files |= made
        told = ", ".join(made) if made else f"no files, {excluded[verdict.case.id]}"
        lines.append(f"{verdict.case.id}  {', '.join(cause_of(verdict))}: {told}")
    files[INDEX] = "\n".join([*_HEAD, "", *(lines or ["nothing failed"])]) + "\n"
    summary = f"repro: files for {len(chosen)} of {len(result.failures)} failures in {folder}"
    return Repro(files, f"{summary}; {INDEX} there says why not for the others" if excluded else summary)


def is_ours(name: str) -> bool:
    """Whether a file of a folder with an index is one that this makes."""
    return bool(_OURS.fullmatch(name))


_HEAD = (
    "Written by specharness --emit-repro, which writes this folder anew each time.",
    "The pytest files run with `python -m pytest` on this folder; a test that passes shows that its failure depends",
    "on calls before it. The case files run with the command at their top.",
)


def _exclusion(verdict: Verdict) -> str:
    """Why a failure gets no files, or an empty string."""
    if verdict.breaches[0].cause == ANOTHER_IN_NEW_PROCESS:
        return "it depends on the calls before it, so that its case alone shows nothing"
    numbers = sum(1 for _ in floats_in(verdict.case.arguments()))
    return f"its input has {numbers:,} numbers; run it with --case" if numbers > MOST_NUMBERS else ""


def _one_of_each_first(verdicts: list[Verdict]) -> list[Verdict]:
    firsts = [group[0] for group in by_cause(verdicts).values()]
    named = {verdict.case.id for verdict in firsts}
    return [*firsts, *(verdict for verdict in verdicts if verdict.case.id not in named)]


def _files(verdict: Verdict, result: RunResult, target: Target, folder: Path, timeout: float) -> dict[str, str]:
    """The files of one failure. What breaks the protocol, or is no Python, can't be shown by pytest."""
    name = verdict.case.id.lower().replace("-", "_").replace("/", "_")
    test, case_path, messages_path = f"test_{name}", folder / f"{name}.yaml", folder / f"{name}.jsonl"
    about = _about(verdict, result)
    run = ["Its case file runs with", f"  {_again(result, case_path)}"]
    files = {}
    source = source_of(target, folder)
    if source and not _breaks_protocol(verdict):
        top = _comment(about, [f"Run it with python -m pytest {printable(str(folder / test))}.py", *run])
        files[f"{test}.py"] = pytest_file(verdict, result, source, name=test, about=top, timeout=timeout)
    if target.worker is None:
        sent = [messages.hello(verdict.case.profile), messages.call(1, verdict.case.arguments_json), messages.bye()]
        files[messages_path.name] = b"".join(sent).decode()
        alone = f"{target.text.removeprefix('exec:')} < {shlex.quote(str(messages_path))}"
        run += ["The messages alone, without a judge:", f"  {printable(alone)}"]
    files[case_path.name] = _comment(about, run) + write_cases([verdict.case])
    return files


def _breaks_protocol(verdict: Verdict) -> bool:
    answers = (verdict.observation.answer, verdict.observation.repeat)
    losses = (Loss.NOT_PROTOCOL, Loss.ANSWERED_TWICE)
    return any(isinstance(answer, Lost) and answer.loss in losses for answer in answers)


def _about(verdict: Verdict, result: RunResult) -> list[str]:
    setting = result.setting
    made = f"specharness {VERSION}, profile {setting.profile}, {setting.arithmetic.dtype}"
    heading = f"{verdict.case.id}: {printable(verdict.case.title)}"
    return [heading, "", *text_lines(sections(verdict, result)), "", made, ""]


def _again(result: RunResult, path: Path) -> str:
    """The command that runs the case file at `path`; a baseline would name cases that it lacks."""
    words = list(result.setting.again)
    for option in ("--cases", "--baseline"):
        while option in words:
            at = words.index(option)
            del words[at : at + 2]
    return printable(shlex.join([*words, "--cases", str(path)]))


def _comment(text: Iterable[str], commands: Iterable[str]) -> str:
    """Printable lines as a comment, for Python and YAML alike; commands are not wrapped, so that they can be copied."""
    lines: list[str] = []
    for line in text:
        hanging = " " * (len(line) - len(line.lstrip()) + 2)
        lines += textwrap.wrap(line, 98, subsequent_indent=hanging, break_long_words=False, break_on_hyphens=False) or [
            ""
        ]
    return "".join(f"# {line}".rstrip() + "\n" for line in [*lines, *commands])
