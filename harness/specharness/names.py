"""Suggestions for misspelt names."""

from __future__ import annotations

from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str], *, most: int = 3) -> str:
    """` Did you mean X or Y?` for the nearest of `known`, or an empty string."""
    from difflib import get_close_matches

    folded: dict[str, str] = {}
    for candidate in known:
        folded.setdefault(candidate.casefold(), candidate)
    near = [folded[match] for match in get_close_matches(name.casefold(), folded, n=most, cutoff=0.6)]
    return f" Did you mean {' or '.join(near)}?" if near else ""
