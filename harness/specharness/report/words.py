"""Numbers and lists of names in a sentence."""

from __future__ import annotations

from collections.abc import Sequence


def plural(count: int, one: str, many: str | None = None) -> str:
    """`3 cases`, `1 case`. `many` is for words that do not take an s."""
    return f"{count} {one if count == 1 else many or one + 's'}"


def named(names: Sequence[str], *, most: int = 12) -> str:
    """The first `most` of `names`, and how many there are where that is not all."""
    return ", ".join(names[:most]) + (f", ... {len(names)} in all" if len(names) > most else "")
