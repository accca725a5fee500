"""Changing a baseline's text in place: what is not changed keeps each byte, comments included.

Values and entries are cut out and put in at the places that the YAML parser tells. An emitter would lay out the whole
file anew, and take the comment before an entry away together with the entry above it.
"""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

from specharness.errors import UsageError
from specharness.suite.baseline import KnownAnswer, KnownBreaches
from specharness.suite.yaml_flow import flow

Outcome = KnownBreaches | KnownAnswer

_BREAK = re.compile("\r\n|[\n\r\x85\u2028\u2029]")
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Edit:
    """What becomes of entry number `at`. Without patterns it is taken out; `outcome` is None where it stays."""

    at: int
    patterns: tuple[str, ...]
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True)
class Addition:
    """An entry to be added at the end."""

    patterns: tuple[str, ...]
    reason: str
    outcome: Outcome


def new_text(profile: str) -> str:
    """A baseline without entries."""
    heading = "# Known failures. Each needs a reason; a link, and a date in expires, help to get rid of it."
    return f"{heading}\nbaseline: 1\nprofile: {profile}\nfailures: []\n"


def edit_text(text: str, edits: Sequence[Edit], additions: Sequence[Addition]) -> str:
    """The text of a baseline that was read, changed. Raises `UsageError` where it is laid out in flow style."""
    root: Any = yaml.compose(text, Loader=getattr(yaml, "CSafeLoader", yaml.SafeLoader))
    key, value = next((key, value) for key, value in root.value if key.value == "failures")
    if root.flow_style or (value.flow_style and value.value):
        raise UsageError(
            "its entries are in flow style, as JSON is; only those that stand on lines of their own, after '- ', can "
            "be changed in place"
        )
    left = len(value.value) - sum(not edit.patterns for edit in edits) + len(additions)
    changes = [change for edit in edits for change in _changes(text, value, edit)]
    if value.flow_style and additions:
        start = _after_colon(text, key)
        start = value.start_mark.index if text[start : value.start_mark.index].strip() else start
        changes.append((start, value.end_mark.index, ""))
    elif not value.flow_style and not left:
        after = _after_colon(text, key)
        changes.append((after, after, " []"))
    if additions:
        column = key.start_mark.column if value.flow_style else value.start_mark.column
        at = _line_end(text, _end(text, value))
        before = "" if at == 0 or _BREAK.fullmatch(text[at - 1]) else "\n"
        changes.append((at, at, before + "".join(_entry_text(addition, column) for addition in additions)))
    newline = "\r\n" if (first := _BREAK.search(text)) and first[0] == "\r\n" else "\n"
    for start, end, replacement in sorted(changes, reverse=True):
        text = text[:start] + replacement.replace("\n", newline) + text[end:]
    return text


def _changes(text: str, entries: Any, edit: Edit) -> Iterator[tuple[int, int, str]]:
    """Where to cut, and what to put in."""
    entry = entries.value[edit.at]
    if not edit.patterns:
        yield _line_of_dash(text, entry, entries.start_mark.column), _line_end(text, _end(text, entry)), ""
        return
    column = entry.start_mark.column
    for key, value in entry.value:
        if key.value == "cases" and _written(value) != edit.patterns:
            yield _after_colon(text, key), _end(text, value), " " + _cases(edit.patterns, column)
        elif key.value in ("breaches", "observed") and edit.outcome is not None:
            yield _after_colon(text, key), _end(text, value), " " + flow(_plain(edit.outcome))


def _written(cases: Any) -> tuple[str, ...]:
    if isinstance(cases, yaml.ScalarNode):
        return (cases.value,)
    return tuple(item.value for item in cases.value)


def _end(text: str, node: Any) -> int:
    """Where a node's own text ends. The parser's mark of a block is where the next thing begins."""
    while not isinstance(node, yaml.ScalarNode) and not node.flow_style:
        last = node.value[-1]
        node = last[1] if isinstance(node, yaml.MappingNode) else last
    return len(text[: node.end_mark.index].rstrip())


def _line_end(text: str, at: int) -> int:
    """The start of the line after `at`."""
    found = _BREAK.search(text, at)
    return found.end() if found else len(text)


def _line_of_dash(text: str, entry: Any, column: int) -> int:
    """The start of the line with the dash of an entry, which comments may part from its first key."""
    starts = [0, *(found.end() for found in _BREAK.finditer(text, 0, entry.start_mark.index))]
    dash = " " * column + "-"
    return next(start for start in reversed(starts) if text.startswith(dash, start))


def _after_colon(text: str, key: Any) -> int:
    return text.index(":", key.end_mark.index) + 1


def _cases(patterns: Sequence[str], column: int) -> str:
    """One pattern, or a list in lines that are indented below its key."""
    if len(patterns) == 1:
        return flow(patterns[0])
    words = flow(list(patterns))
    hanging = " " * (column + 2)
    lines = textwrap.wrap(
        words,
        _WIDTH,
        initial_indent=hanging + "cases",
        subsequent_indent=hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return "\n".join(lines).removeprefix(hanging + "cases")


def _entry_text(addition: Addition, column: int) -> str:
    indent = " " * column
    lines = [
        f"- cases: {_cases(addition.patterns, column + 2)}",
        f"  reason: {flow(addition.reason)}",
    ]
    if isinstance(addition.outcome, KnownBreaches):
        lines += ["  breaches:", *(f"  - {flow(pair)}" for pair in _plain(addition.outcome))]
    else:
        lines.append(f"  observed: {flow(_plain(addition.outcome))}")
    return "".join(f"{indent}{line}\n" for line in lines)


def _plain(outcome: Outcome) -> Any:
    if isinstance(outcome, KnownBreaches):
        return [{"clause": clause, "cause": cause} for clause, cause in outcome.pairs]
    return {outcome.kind: outcome.value}
