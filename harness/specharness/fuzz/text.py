"""What a search found, as text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from specharness.fuzz.search import Finding, Outcome
from specharness.report.escape import printable
from specharness.report.result import RunResult
from specharness.report.text import Style, diagnosis_block, heading, in_full, wrapped
from specharness.report.words import plural


def render_fuzz(outcome: Outcome, result: RunResult, style: Style, *, closing: Sequence[str]) -> str:
    """The whole report: each cause once, what they look like, and what was done."""
    blocks = []
    if style.verbosity >= 0:
        blocks.append(heading(result))
        blocks += [in_full(verdict, result, style) for verdict in result.verdicts]
        blocks += _relations(outcome.findings, style)
        blocks.append(diagnosis_block(result, style))
    blocks.append("\n".join(wrapped(printable(line), style, hanging="  ") for line in [*closing, summary(outcome)]))
    return "\n\n".join(block for block in blocks if block)


def _relations(findings: Sequence[Finding], style: Style) -> Iterator[str]:
    for finding in findings:
        if finding.relation:
            lines = [f"{style.paint('FAIL', 'red')} two answers that do not go together ({finding.cause[0]})"]
            lines += [wrapped(printable(finding.relation), style, indent="    | ", hanging="    |   ")]
            shown = printable(finding.seen.case.arguments_json[:600])
            lines += [wrapped(f"the second input: {shown}", style, indent="    | ", hanging="    |   ")]
            yield "\n".join(lines)


def summary(outcome: Outcome) -> str:
    """The outcome in one line."""
    count = len(outcome.findings)
    found = f"{plural(count, 'distinct cause')} found" if count else "nothing found"
    early = f", {outcome.ended}" if outcome.ended else ""
    return f"{found} in {outcome.examples:,} examples, {outcome.calls:,} inputs, {outcome.seconds:.0f} s{early}"
