"""YAML 1.2 core schema on PyYAML's C parser, with the place of each value.

Stricter than YAML: duplicate keys, anchors, aliases, tags, more than one document and keys that are no strings are
errors. The file is untrusted: depth and size are bounded, and nothing but plain data comes out.
"""

from __future__ import annotations

import re
from typing import Any, NoReturn

import yaml

Mark = tuple[int, int]
"""Line and column, from 1."""

MAX_DEPTH = 32


class YamlProblem(Exception):
    """The text is no document that we read. `mark` is its place, or None where it has none."""

    def __init__(self, mark: Mark | None, message: str) -> None:
        self.mark = mark
        super().__init__(message)


class YamlFloat(float):
    """A decimal, with the text that it was written as."""

    __slots__ = ("text",)
    text: str

    def __new__(cls, text: str, value: float) -> YamlFloat:
        number = super().__new__(cls, value)
        number.text = text
        return number


class YamlMap(dict[str, Any]):
    """A mapping; `marks` has the place of each key."""

    __slots__ = ("mark", "marks")

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.marks: dict[str, Mark] = {}


class YamlList(list[Any]):
    """A sequence; `marks` has the place of each item."""

    __slots__ = ("mark", "marks")

    def __init__(self, mark: Mark) -> None:
        super().__init__()
        self.mark = mark
        self.marks: list[Mark] = []


def locate(root: Any, path: list[str | int]) -> Mark:
    """The place of the value at `path`, or of the nearest part of it that has one."""
    mark: Mark = getattr(root, "mark", (1, 1))
    node = root
    for part in path:
        try:
            mark = node.marks[part]
            node = node[part]
        except (AttributeError, KeyError, IndexError, TypeError):
            break
    return mark


def parse(text: str, *, keys: str = "spec, profile and cases") -> Any:
    """The one document of `text`, a mapping with `keys`. Raises `YamlProblem`."""
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        return _Composer(yaml.parse(text, Loader=loader)).document(keys)
    except yaml.MarkedYAMLError as error:
        place = error.problem_mark or error.context_mark
        hint = "; a text that begins with * needs quotes" if error.context == "while scanning an alias" else ""
        message = f"not YAML: {error.problem or error.context}{hint}"
        raise YamlProblem(_mark(place) if place else None, message) from None
    except yaml.reader.ReaderError as error:
        code = error.character if isinstance(error.character, int) else ord(str(error.character)[0])
        before = text[: text.find(chr(code))]  # libyaml counts bytes
        mark = (before.count("\n") + 1, len(before) - before.rfind("\n"))
        raise YamlProblem(mark, f"not YAML: the character U+{code:04X} is not allowed") from None
    except (ValueError, UnicodeError) as error:
        raise YamlProblem(None, f"not YAML: {error}") from None


def _mark(mark: Any) -> Mark:
    return mark.line + 1, mark.column + 1


class _Composer:
    """Builds plain data from parse events."""

    def __init__(self, events: Any) -> None:
        self._events = iter(events)

    def document(self, keys: str) -> Any:
        self._next()  # stream start
        event = self._next()
        if isinstance(event, yaml.StreamEndEvent):
            raise YamlProblem(None, f"the file is empty; expected a mapping with {keys}")
        if event.version and event.version != (1, 2):
            self._fail(event, f"a document of YAML {event.version[0]}.{event.version[1]}; expected YAML 1.2")
        value = self._node(self._next(), 0)
        self._next()  # document end
        event = self._next()
        if not isinstance(event, yaml.StreamEndEvent):
            self._fail(event, "a second document; expected one a file")
        return value

    def _next(self) -> Any:
        return next(self._events)

    def _fail(self, event: Any, message: str) -> NoReturn:
        raise YamlProblem(_mark(event.start_mark), message)

    def _node(self, event: Any, depth: int) -> Any:
        if isinstance(event, yaml.AliasEvent):
            self._fail(event, f"the alias *{event.anchor}; aliases are not allowed, write the value out")
        if event.anchor is not None:
            self._fail(event, f"the anchor &{event.anchor}; anchors are not allowed, write the value out")
        if event.tag is not None:
            self._fail(event, f"the tag {event.tag}; tags are not allowed")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event)
        if depth == MAX_DEPTH:
            self._fail(event, f"nested more than {MAX_DEPTH} deep")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._sequence(event, depth)
        return self._mapping(event, depth)

    def _sequence(self, start: Any, depth: int) -> YamlList:
        items = YamlList(_mark(start.start_mark))
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.marks.append(_mark(event.start_mark))
            items.append(self._node(event, depth + 1))
        return items

    def _mapping(self, start: Any, depth: int) -> YamlMap:
        mapping = YamlMap(_mark(start.start_mark))
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, depth + 1)
            if not isinstance(key, str):
                self._fail(event, f"the key {shorten(key)}; expected a string as key")
            if key in mapping:
                self._fail(event, f"the key {shorten(key)} again, first on line {mapping.marks[key][0]}")
            mapping.marks[key] = _mark(event.start_mark)
            mapping[key] = self._node(self._next(), depth + 1)
        return mapping

    def _scalar(self, event: Any) -> Any:
        text: str = event.value
        if not event.implicit[0]:  # quoted or a block: always a string
            return text
        if text in _CONSTANTS:
            return _CONSTANTS[text]
        if _INTEGER.fullmatch(text):
            if len(text) > 400:
                self._fail(event, f"an integer of {len(text)} characters; expected at most 400")
            return int(text, 0) if text[:2] in ("0o", "0x") else int(text)
        if _FLOAT.fullmatch(text):
            return self._float(event, text)
        return text

    def _float(self, event: Any, text: str) -> float:
        if len(text) > 400:
            self._fail(event, f"a decimal of {len(text)} characters; expected at most 400")
        value = float(text)
        if value in (float("inf"), float("-inf")):
            self._fail(event, f"{shorten(text)}, beyond binary64; write .inf where an infinity is meant")
        if value == 0 and re.search("[1-9]", re.split("[eE]", text)[0]):
            self._fail(event, f"{shorten(text)}, which binary64 rounds to 0; expected 0 or at least 2^-60")
        return YamlFloat(text, value)


_CONSTANTS: dict[str, Any] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL")),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
    **dict.fromkeys((".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF"), float("inf")),
    **dict.fromkeys(("-.inf", "-.Inf", "-.INF"), float("-inf")),
    **dict.fromkeys((".nan", ".NaN", ".NAN"), float("nan")),
}
_INTEGER = re.compile(r"[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)
_FLOAT = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?", re.ASCII)


def shorten(value: Any, *, most: int = 60) -> str:
    """A value as a message shows it, in at most `most` characters."""
    text = ascii(value)
    return text if len(text) <= most else text[: most - 3] + "..."
