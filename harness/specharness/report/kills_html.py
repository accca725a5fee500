"""The kill matrix as one page of HTML: a grid of faults and cases, and a table to read it by."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any

from specharness.judge.kills import Kills
from specharness.report.kills_text import conclusions
from specharness.report.plain_page import render_plain_page
from specreference.faults import FAULTS

CELL = 4
"""Pixels of a cell, either way."""


def render_kills_html(matrices: Sequence[Kills]) -> str:
    """The page. It needs nothing from the network, and no script."""
    return render_plain_page("kills.html", profiles=[_profile(kills) for kills in matrices])


def _profile(kills: Kills) -> dict[str, Any]:
    names = sorted(kills.faults, key=lambda name: FAULTS[name].group)
    return {
        "name": kills.profile,
        "faults": len(kills.faults),
        "cases": len(kills.cases),
        "conclusions": list(conclusions(kills)),
        "topics": _topics(kills),
        "rows": [_row(name, kills) for name in names],
        "width": CELL * len(kills.cases),
        "height": CELL * len(names),
        "cell": CELL,
    }


def _topics(kills: Kills) -> list[dict[str, Any]]:
    """The runs of cases whose ids begin alike, with where they stand in the grid."""
    topics, at = [], 0
    for name, group in groupby(case.id.partition("-")[0] for case in kills.cases):
        size = len(list(group))
        topics.append({"name": name, "x": CELL * at, "width": CELL * size, "size": size})
        at += size
    return topics


def _row(name: str, kills: Kills) -> dict[str, Any]:
    fault, own = FAULTS[name], kills.own(name)
    killed = list(kills.faults[name])
    return {
        "fault": fault,
        "own": own,
        "others": [case for case in killed if case not in set(own)],
        "own_path": "".join(_strokes(set(own), kills)),
        "other_path": "".join(_strokes(set(killed) - set(own), kills)),
    }


def _strokes(cases: set[str], kills: Kills) -> Iterator[str]:
    """Horizontal strokes over the columns of these cases, neighbours in one."""
    at = 0
    for kept, group in groupby(case.id in cases for case in kills.cases):
        size = len(list(group))
        if kept:
            yield f"M{CELL * at} 0h{CELL * size}"
        at += size
