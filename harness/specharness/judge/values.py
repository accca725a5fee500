"""Reading results in the protocol's form by value and type: `True` and `1.0` are no 1, a tuple is no list."""

from __future__ import annotations

import re
from typing import Any


def is_tagged(value: Any) -> bool:
    """Whether `value` stands for an object that JSON has no type for."""
    return isinstance(value, dict) and "$type" in value


def plain_int(value: Any) -> int | None:
    """The int that `value` is or, as a subclass or an integer array scalar, equals; None for anything else."""
    if isinstance(value, bool):
        return None
    if isinstance(value, int):
        return value
    if is_tagged(value) and type(value.get("int")) is int:
        return int(value["int"])
    return None


def is_bool_or_float(value: Any) -> bool:
    """Whether `value` is a bool or a float, NumPy's included, which are no token and no count (SV-OUT-6)."""
    if isinstance(value, bool | float) or value in ("NaN", "Infinity", "-Infinity"):
        return True
    named = is_tagged(value) and any(word in str(value["$type"]).lower() for word in ("bool", "float"))
    return named or (is_tagged(value) and "float" in value)


def show(value: Any, *, most: int = 400) -> str:
    """`value` as Python would write it, with its type where the text does not tell it, cut to `most` characters."""
    text = _show(value)
    return text if len(text) <= most else text[:most] + "..."


def _show(value: Any) -> str:
    if is_tagged(value):
        kind, text = str(value["$type"]), str(value.get("repr", "?"))
        if kind == "list" and "length" in value:
            return f"a list of {value['length']} items"
        return text if kind in ("str", "tuple", "int", "set", "dict", "list") else f"{text} of type {kind}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_show, value[:20])) + (", ..." if len(value) > 20 else "") + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key!r}: {_show(item)}" for key, item in list(value.items())[:20]) + "}"
    return (
        {"NaN": "nan", "Infinity": "inf", "-Infinity": "-inf"}.get(value, repr(value))
        if (isinstance(value, str))
        else repr(value)
    )


def _without_address(value: Any) -> Any:
    """A repr without the addresses in it, which differ between objects that are alike."""
    return re.sub(r"0x[0-9a-fA-F]+", "0x", value) if isinstance(value, str) else value


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal in value and type."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if is_tagged(one) and is_tagged(other) and "int" in one and "int" in other:
        return bool(one["int"] == other["int"] and one["$type"] == other["$type"])  # its repr may name an address
    if is_tagged(one) and is_tagged(other):
        return [_without_address(value) for value in one.values()] == [_without_address(v) for v in other.values()]
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    return bool(one == other)
