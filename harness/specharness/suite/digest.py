"""A digest that says whether two runs had the same cases."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

from specharness.suite.model import Case


def digest_of_cases(cases: Iterable[Case]) -> str:
    """`sha256:` and the digest of ids, profiles, arguments and expectations, whatever the order and the files.

    Titles, tags, clauses and places do not count.
    """
    lines = sorted(map(_line, cases))
    return "sha256:" + hashlib.sha256("".join(lines).encode()).hexdigest()


def _line(case: Case) -> str:
    """The case on a line. The arguments stand as the protocol sends them."""
    expected = case.expected
    wanted = expected.raises or f"{list(expected.accepted_tokens)} {expected.bonus_token}"
    return f"{case.id}\t{case.profile}\t{case.arguments_json}\t{wanted}\n"
