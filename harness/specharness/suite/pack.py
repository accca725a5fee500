"""The packed suite: cases that were read and checked once, kept with the digest of all that decided them.

A pack is a header line (format, key, digest of the rest) and the cases as JSON. One that is missing, damaged, stale or
unreadable counts as none, and one that can't be written is not written.
"""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from specharness.atomic import write_atomically
from specharness.suite.model import Case, Expected

_FORMAT = "specharness pack 2"


def digest_of(files: Iterable[tuple[str, Path]]) -> str:
    """The digest of named files: names, sizes and contents. Raises OSError."""
    whole = hashlib.sha256(_FORMAT.encode())
    for name, path in files:
        content = path.read_bytes()
        whole.update(f"\n{len(name)} {len(content)} {name}".encode())
        whole.update(content)
    return whole.hexdigest()


def read_pack(path: Path, key: str) -> list[Case] | None:
    """The cases of a pack made for `key`, or None."""
    try:
        header, _, payload = path.read_bytes().partition(b"\n")
        if header.decode() != _header(key, payload):
            return None
        return [_unpack(*fields) for fields in json.loads(payload)]
    except (OSError, ValueError, TypeError):
        return None


def write_pack(path: Path, key: str, cases: Sequence[Case]) -> bool:
    """Keep `cases` for `key`; False where that is not possible."""
    payload = json.dumps([_fields(case) for case in cases]).encode()
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, _header(key, payload).encode() + b"\n" + payload)
    except OSError:
        return False
    return True


def remove_oldest(folder: Path, *, keep: int = 8) -> None:
    """Leave only the newest packs: several checkouts and versions may share the folder."""
    try:
        packs = sorted(folder.glob("suite-*.pack"), key=lambda path: path.stat().st_mtime, reverse=True)
        for path in packs[keep:]:
            os.unlink(path)
    except OSError:
        pass


def _header(key: str, payload: bytes) -> str:
    return f"{_FORMAT} {key} {hashlib.sha256(payload).hexdigest()}"


_PLAIN = ("id", "title", "clauses", "tags", "dtypes", "policies", "notes", "profile", "file", "line", "arguments_json")


def _fields(case: Case) -> list[Any]:
    expected = case.expected
    return [
        *(getattr(case, name) for name in _PLAIN),
        [expected.accepted_tokens, expected.bonus_token, expected.raises],
    ]


def _unpack(*fields: Any) -> Case:
    plain = dict(zip(_PLAIN, fields[:-1], strict=True))
    accepted, bonus, raises = fields[-1]
    for name in ("clauses", "tags", "dtypes"):
        plain[name] = tuple(plain[name])
    plain["policies"] = tuple((name, value) for name, value in plain["policies"])
    return Case(**plain, expected=Expected(tuple(accepted), bonus, raises))
