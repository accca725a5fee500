"""The summary that a notebook shows."""

from __future__ import annotations

from html import escape

from specharness.report.escape import printable
from specharness.report.result import RunResult
from specharness.report.text import summary_line


def render_summary(result: RunResult, *, most: int = 20) -> str:
    """A fragment of HTML: the outcome, and a table of what differs. It takes the page's own colours."""
    rows = []
    differing = [*result.failures, *result.advice]
    for verdict in differing[:most]:
        breach = verdict.breaches[0]
        cells = (verdict.status.value, verdict.case.id, verdict.case.title, breach.clause, "; ".join(breach.lines))
        rows.append("<tr>" + "".join(map(_cell, cells)) + "</tr>")
    head = f"<p><strong>{escape(printable(summary_line(result)))}</strong></p>"
    if not rows:
        return head
    names = ("status", "case", "title", "clause", "expected and got")
    header = "<tr>" + "".join(f'<th scope="col">{name}</th>' for name in names) + "</tr>"
    more = f"<p>and {len(differing) - most} more</p>" if len(differing) > most else ""
    return f"{head}<table><thead>{header}</thead><tbody>{''.join(rows)}</tbody></table>{more}"


def _cell(text: str) -> str:
    """A table cell; ids are kept on one line."""
    style = ' style="white-space: nowrap"' if " " not in text else ""
    return f"<td{style}>{escape(printable(text))}</td>"
