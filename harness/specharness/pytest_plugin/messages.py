"""Messages of the harness, made fit for pytest."""

from __future__ import annotations

import re

from specharness.report.escape import printable

_OPTION = re.compile(r"(?<![\w-])--(?=(?:impl|python)\b)")


def in_words_of_pytest(message: str) -> str:
    """A message that speaks of the command's options, and may quote untrusted text."""
    return "\n".join(map(printable, _OPTION.sub("--specharness-", message).splitlines()))
