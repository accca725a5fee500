"""The protocol's messages, as the harness writes and reads them (spec/protocol.md)."""

from __future__ import annotations

import json
import math
from typing import Any

from specharness.implementation.observation import Answer, Raised, Returned

PROTOCOL = 1


class ProtocolError(Exception):
    """A line that is no message, or not the expected one."""


def hello(profile: str) -> bytes:
    """The first message."""
    return _line({"type": "hello", "protocol": PROTOCOL, "profile": profile})


def call(number: int, arguments_json: str) -> bytes:
    """A call; `arguments_json` is the JSON object of the arguments, which is not parsed again."""
    return f'{{"type": "call", "id": {number}, {arguments_json[1:]}\n'.encode()


def imports() -> bytes:
    """The question what the implementation imported."""
    return _line({"type": "imports"})


def bye() -> bytes:
    """The last message."""
    return _line({"type": "bye"})


def _line(message: dict[str, Any]) -> bytes:
    return json.dumps(message).encode() + b"\n"


def read_message(line: bytes) -> dict[str, Any]:
    """The JSON object of a line. Raises `ProtocolError`."""
    try:
        message = json.loads(line, parse_constant=_refuse, parse_float=_float)
    except (ValueError, RecursionError):
        raise ProtocolError(f"it wrote {_quoted(line)}, which is no JSON") from None
    if not isinstance(message, dict) or not isinstance(message.get("type"), str):
        raise ProtocolError(f'it wrote {_quoted(line)}; expected a JSON object with "type"')
    return message


def _refuse(word: str) -> Any:
    raise ValueError(word)


def _float(text: str) -> float | str:
    value = float(text)
    return value if math.isfinite(value) else "Infinity" if value > 0 else "-Infinity"


def read_answer(message: dict[str, Any], line: bytes) -> tuple[int, Answer, tuple[str, ...]]:
    """Id, answer and changed arguments of a `returned` or `raised` message. Raises `ProtocolError`."""
    number, mutated = message.get("id"), message.get("mutated", [])
    if type(number) is not int:
        raise ProtocolError(f'it wrote {_quoted(line)}; expected the call\'s "id"')
    if not _strings(mutated):
        raise ProtocolError(f'it wrote {_quoted(line)}; expected "mutated" to be a list of names')
    if message["type"] == "returned" and "result" in message:
        return number, Returned(message["result"]), tuple(mutated)
    if message["type"] == "raised":
        texts = [message.get("exception"), message.get("message", ""), message.get("traceback", "")]
        bases = message.get("bases", [])
        if _strings(texts) and _strings(bases):
            exception, text, traceback = texts
            return number, Raised(exception, tuple(bases), text, traceback), tuple(mutated)
    raise ProtocolError(f"it wrote {_quoted(line)}; expected an answer of the type returned or raised")


def _strings(values: Any) -> bool:
    return isinstance(values, list) and all(isinstance(value, str) for value in values)


def _quoted(line: bytes) -> str:
    text = line[:200].decode("utf-8", "backslashreplace").strip()
    return ascii(text if len(text) <= 80 else text[:77] + "...")
