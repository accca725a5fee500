"""Untrusted text made safe for a terminal and a CI log.

What an implementation returns, raises or prints may hold control characters, ANSI escapes, and lines that a CI system
obeys (`::set-output`, `##[command]`, `##vso[`).
"""

from __future__ import annotations

import re

_COMMAND = re.compile(r":(?=:)|#(?=#(?:\[|vso|teamcity))")

LONGEST = 2000
"""Longer lines of others are cut; a peer may send megabytes."""


def printable(text: str) -> str:
    """`text` on one line, with everything escaped that a terminal or CI system would obey."""
    if text.isprintable() and "::" not in text and "##" not in text:
        return text
    safe = "".join(char if char.isprintable() else _escaped(char) for char in text)
    return _COMMAND.sub(lambda match: _escaped(match[0]), safe)


def printable_start(text: str, most: int = LONGEST) -> str:
    """As `printable`, of the first `most` characters; how many are left out is told."""
    if len(text) <= most:
        return printable(text)
    return f"{printable(text[:most])} ... {len(text) - most} more characters"


def printable_lines(text: str, *, most: int) -> list[str]:
    """The last `most` lines of `text`, each made safe and cut where it is very long."""
    lines = [line for line in re.split(r"\r\n|\n|\r", text.expandtabs(4)) if line.strip()]
    return [printable_start(line) for line in lines[-most:]]


def harmless_json(text: str) -> str:
    """JSON text of the same value, in which no CI system finds a command; some look for one anywhere in a line."""
    return text.replace("##", "#\\u0023")


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"
