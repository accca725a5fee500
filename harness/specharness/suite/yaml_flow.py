"""Plain data as YAML text in flow style, which the strict reader (yaml12.py) reads as the same data."""

from __future__ import annotations

import re
from typing import Any

_PLAIN = re.compile(r"[A-Za-z](?:[A-Za-z0-9_./ -]*[A-Za-z0-9_.])?", re.ASCII)
_CONSTANTS = ("null", "true", "false")
_ESCAPES = {'"': '\\"', "\\": "\\\\", "\n": "\\n", "\t": "\\t"}


def flow(value: Any) -> str:
    """`value` on one line: JSON's types, strings without quotes where they need none."""
    if value is None:
        return "null"
    if isinstance(value, str):
        return _string(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(map(flow, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{flow(key)}: {flow(item)}" for key, item in value.items()) + "}"
    return repr(value)


def _string(text: str) -> str:
    if _PLAIN.fullmatch(text) and text.lower() not in _CONSTANTS:
        return text
    return '"' + "".join(_ESCAPES.get(char) or (char if char.isprintable() else _escaped(char)) for char in text) + '"'


def _escaped(char: str) -> str:
    code = ord(char)
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def can_be_written(value: Any) -> bool:
    """Whether the strict reader reads `flow(value)` as `value`, also as deep as it stands in a baseline."""
    from specharness.suite.yaml12 import YamlProblem, parse

    try:
        nested = [[[{"value": value}]]]
        return repr(plain(parse(flow(nested)))) == repr(nested)
    except (YamlProblem, RecursionError):
        return False


def plain(value: Any) -> Any:
    """The reader's mappings, lists and decimals as plain ones, which compare by type."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    return float(value) if isinstance(value, float) else value
