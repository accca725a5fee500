"""One case in full: what was expected, what came, why, and how to run it again."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING

from specharness.implementation.observation import Raised, Returned
from specharness.judge.compare import ANOTHER_IN_NEW_PROCESS
from specharness.judge.values import plain_int
from specharness.judge.verdict import Verdict
from specharness.report.escape import printable_lines, printable_start
from specharness.report.result import RunResult

if TYPE_CHECKING:
    from specreference import InvalidInput, Trace


@dataclass(frozen=True, slots=True)
class Section:
    """A heading and its lines, all safe to print."""

    heading: str
    lines: tuple[str, ...]


def sections(verdict: Verdict, result: RunResult, *, trace: bool = True) -> list[Section]:
    """The parts of a failure's text. The reference is run for its trace."""
    parts = [_clause_section(clause, verdict, result) for clause in dict.fromkeys(b.clause for b in verdict.breaches)]
    parts += listed_sections(verdict, result)
    if trace and hangs_on_rule(verdict):
        from specharness.report.trace import trace_of  # imports the reference

        parts.append(trace_section(verdict, trace_of(verdict.case)))
    return [*parts, *printed_sections(verdict)]


def listed_sections(verdict: Verdict, result: RunResult) -> list[Section]:
    """Another outcome that the baseline lists, if it lists the case."""
    if verdict.listed is None or result.baseline is None:
        return []
    heading = f"the baseline lists another outcome ({printable_start(result.baseline.file)}:{verdict.listed.line})"
    return [Section(heading, (printable_start(str(verdict.listed.outcome)),))]


def trace_section(verdict: Verdict, trace: Trace | InvalidInput) -> Section:
    """How the reference decides the case."""
    from specharness.report.trace import decisive_lines, whole_lines

    has_result = isinstance(verdict.observation.answer, Returned)
    case, accepted = verdict.case, parting(verdict)
    lines = decisive_lines(case, trace, accepted) if has_result else whole_lines(case, trace)
    return Section("reference", tuple(lines))


def printed_sections(verdict: Verdict) -> list[Section]:
    """The end of a traceback, and of what the implementation printed."""
    parts = []
    answer = verdict.observation.answer
    if isinstance(answer, Raised) and answer.traceback:
        parts.append(Section("traceback", tuple(printable_lines(answer.traceback, most=12))))
    if verdict.observation.output.strip():
        parts.append(Section("its output ended with", tuple(printable_lines(verdict.observation.output, most=6))))
    return parts


def hangs_on_rule(verdict: Verdict) -> bool:
    """Whether the reference's trace has to do with it: the result's form and purity are judged without."""
    return any(not breach.clause.startswith(("SV-OUT", "SV-PURE")) for breach in verdict.breaches)


def text_lines(parts: list[Section]) -> list[str]:
    """The parts as lines, those under a heading indented."""
    return [line for part in parts for line in (part.heading, *(f"  {line}" for line in part.lines))]


def again(verdict: Verdict, result: RunResult) -> str:
    """The command that runs just this case, or all where it depends on the calls before it."""
    if verdict.breaches[0].cause == ANOTHER_IN_NEW_PROCESS:
        return printable_start(shlex.join(result.setting.again)) + "  (it depends on the calls before it)"
    return printable_start(shlex.join([*result.setting.again, "--case", verdict.case.id]))


def cause_of(verdict: Verdict) -> tuple[str, str]:
    """Clause and kind of the difference that names a failure."""
    breach = verdict.breaches[0]
    return breach.clause, printable_start(breach.cause, 200)


def parting(verdict: Verdict) -> int | None:
    """How many tokens the implementation accepted before it parted from the reference, None where it did not."""
    answer = verdict.observation.answer
    if not isinstance(answer, Returned) or not isinstance(answer.value, dict) or verdict.case.expected.raises:
        return None
    accepted = answer.value.get("accepted_tokens")
    expected = list(verdict.case.expected.accepted_tokens)
    if not isinstance(accepted, list) or accepted == expected:
        return None
    accepted = [plain_int(token) for token in accepted]
    if accepted == expected:
        return None
    shorter = min(len(accepted), len(expected))
    return next((i for i in range(shorter) if accepted[i] != expected[i]), shorter)


def _clause_section(name: str, verdict: Verdict, result: RunResult) -> Section:
    clause = result.clauses[name]
    lines = (line for breach in verdict.breaches if breach.clause == name for line in breach.lines)
    return Section(f"{clause.id} ({clause.level.value}) {clause.sentence}", tuple(map(printable_start, lines)))
