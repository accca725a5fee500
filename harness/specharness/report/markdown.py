"""The Markdown report, for the summary of a step in GitHub Actions, which may hold 1 MiB."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from specharness.judge.verdict import Status, Verdict
from specharness.report.failure import again, sections, text_lines
from specharness.report.groups import FULL, by_cause
from specharness.report.known import known_lines, stale_sections
from specharness.report.markdown_text import code, code_block
from specharness.report.result import RunResult
from specharness.report.text import NAMED, summary_line
from specharness.report.words import plural
from specharness.suite.clauses import Level
from specharness.version import SPEC_VERSION, VERSION

ROOM = 300_000
"""After so many bytes of failures the rest is only counted."""


def render_markdown(result: RunResult) -> str:
    """The report as Markdown: the outcome, the counts, a failure of each cause in full, and the advice by clause.

    Known failures are counted; the entries of a baseline that no longer hold are shown.
    """
    parts = (_outcome, _table, _facts, _failures, _diagnosis, _stale, _advice)
    return "\n".join(line for part in parts for line in part(result)).rstrip("\n") + "\n"


def _outcome(result: RunResult) -> Iterator[str]:
    word, _, rest = summary_line(result).partition(": ")
    setting = result.setting
    yield from (f"### specharness: {word}", "", f"**{rest}**", "")
    words = [code(setting.implementation), f"profile {setting.profile}", setting.arithmetic.dtype]
    words += ["log space"] if setting.arithmetic.space == "log" else []
    words += [code(f"{name} {value}") for name, value in setting.policies]
    words += ["strict"] if setting.strict else []
    yield from (f"{', '.join(words)}. specharness {VERSION}, spec {SPEC_VERSION}.", "")
    if setting.self_check:
        yield from ("Nothing of yours was tested: the shipped cases ran on the reference.", "")


def _table(result: RunResult) -> Iterator[str]:
    yield f"| cases | {' | '.join(status.value for status in Status)} |"
    yield "| --- |" + " ---: |" * len(Status)
    for name, gating in (("gating", True), ("advisory", False)):
        yield f"| {name} | {' | '.join(str(result.counts[gating, status]) for status in Status)} |"
    yield ""


def _facts(result: RunResult) -> Iterator[str]:
    facts = [code(note, most=500) for note in (*result.notes, *known_lines(result))]
    reasons: dict[str, int] = {}
    for _, reason in result.skipped:
        reasons[reason] = reasons.get(reason, 0) + 1
    facts += [f"{_cases(count)} skipped: {code(reason)}" for reason, count in reasons.items()]
    if result.missing:
        why = "interrupted" if result.interrupted else result.stopped_after
        facts.append(f"{_cases(len(result.missing))} without a verdict: {why}")
    if result.score is not None:
        score = result.score
        facts.append(f"score {score.points} of 100, bonus {score.bonus} of 10: {code(score.reason, most=500)}")
    if facts:
        yield from (*(f"- {fact}" for fact in facts), "")


def _failures(result: RunResult) -> Iterator[str]:
    groups = list(by_cause(result.failures).items())
    if groups:
        yield from ("#### Failures by cause", "")
    room = ROOM
    for at, ((clause, cause), verdicts) in enumerate(groups):
        if at == FULL or room < 0:
            left = [verdict for _, group in groups[at:] for verdict in group]
            causes = plural(len(groups) - at, "more cause")
            yield from (f"Left out: {causes} of {plural(len(left), 'failure')}: {_ids(left)}.", "")
            return
        lines = _cause(clause, cause, verdicts, result)
        room -= sum(len(line.encode()) for line in lines)
        yield from lines


def _cause(clause: str, cause: str, verdicts: Sequence[Verdict], result: RunResult) -> list[str]:
    first, case = verdicts[0], verdicts[0].case
    named, *others = sections(first, result)  # the clause that names the failure comes first
    command = [f"again: {again(first, result)}"] if result.setting.again else []
    rest = [f"{len(verdicts) - 1} more like it: {_ids(verdicts[1:])}.", ""] if verdicts[1:] else []
    return [
        f"**{clause}** ({result.clauses[clause].level.value}) {result.clauses[clause].sentence}",
        "",
        f"{code(cause)}, {_cases(len(verdicts))}. {code(case.id)} at {code(f'{case.file}:{case.line}')}:",
        "",
        *code_block([case.title, *(f"  {line}" for line in named.lines), *text_lines(others), *command]),
        "",
        *rest,
    ]


def _diagnosis(result: RunResult) -> Iterator[str]:
    if result.diagnosis is None:
        return
    from specharness.report.diagnosis_text import findings  # imports the catalogue of faults

    lines = [
        line for found in findings(result.diagnosis) for line in (found.heading, *(f"  {each}" for each in found.lines))
    ]
    yield from ("#### Diagnosis", "", *code_block(lines), "")


def _stale(result: RunResult) -> Iterator[str]:
    if result.stale:
        yield from ("#### Baseline entries that no longer hold", "")
        yield from (*code_block(text_lines(list(stale_sections(result)))), "")


def _advice(result: RunResult) -> Iterator[str]:
    groups: dict[str, list[Verdict]] = {}
    for verdict in result.advice:
        groups.setdefault(verdict.breaches[0].clause, []).append(verdict)
    if groups:
        yield from ("#### Advice", "", "Beyond the original statement; it gates with `--strict`.", "")
    for name in filter(groups.__contains__, result.clauses):
        clause, verdicts = result.clauses[name], groups[name]
        where = " On cases that also list a SHOULD clause." if clause.level is Level.MUST else ""
        first = code(verdicts[0].breaches[0].lines[0], most=500)
        yield f"- **{name}** {clause.sentence}{where} {_cases(len(verdicts))}: {_ids(verdicts)}. First: {first}"


def _ids(verdicts: Sequence[Verdict]) -> str:
    named = ", ".join(code(verdict.case.id) for verdict in verdicts[:NAMED])
    return named + (f" and {len(verdicts) - NAMED} more" if len(verdicts) > NAMED else "")


def _cases(count: int) -> str:
    return plural(count, "case")
