"""Untrusted text in Markdown: always as code, which no link, mention, tag or table can come out of."""

from __future__ import annotations

import re
from collections.abc import Sequence

from specharness.report.escape import printable_start


def code(text: str, *, most: int = 200) -> str:
    """The first `most` characters of `text` as a code span on one line."""
    safe = printable_start(text, most)
    if not safe.strip():
        return "(blank)"
    marks = _longer_than_in(safe, least=1)
    pad = " " if "`" in (safe[0], safe[-1]) else ""
    return f"{marks}{pad}{safe}{pad}{marks}"


def code_block(lines: Sequence[str], *, most_lines: int = 60, most: int = 500) -> list[str]:
    """Lines in a block of code, cut to so many of at most so many characters."""
    safe = [printable_start(line, most) for line in lines[:most_lines]]
    if len(lines) > most_lines:
        safe.append(f"... {len(lines) - most_lines} more lines")
    marks = _longer_than_in("\n".join(safe), least=3)
    return [f"{marks}text", *safe, marks]


def _longer_than_in(text: str, *, least: int) -> str:
    """More backticks than stand together anywhere in `text`."""
    return "`" * max(least, 1 + max(map(len, re.findall("`+", text)), default=0))
