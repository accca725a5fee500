"""The kill matrix as JSON (spec/schema/faults.schema.json)."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from specharness.judge.kills import Kills
from specharness.version import SPEC_VERSION, VERSION
from specreference.faults import FAULTS


def render_kills_json(matrices: Sequence[Kills]) -> str:
    """The matrices of several profiles as JSON text, ASCII only."""
    content = {
        "format": "specharness faults 1",
        "specharness": VERSION,
        "spec": SPEC_VERSION,
        "profiles": [_profile(kills) for kills in matrices],
    }
    return json.dumps(content) + "\n"


def _profile(kills: Kills) -> dict[str, Any]:
    return {
        "profile": kills.profile,
        "cases": [case.id for case in kills.cases],
        "faults": [_fault(name, kills) for name in kills.faults],
        "survivors": kills.survivors,
        "told_apart_by_no_case": kills.unexplained,
        "misjudged_controls": kills.misjudged,
    }


def _fault(name: str, kills: Kills) -> dict[str, Any]:
    fault = FAULTS[name]
    same = fault.equivalent_to
    return {
        "id": name,
        "says": fault.says,
        "clause": fault.clause,
        "group": fault.group,
        "seen": list(fault.seen),
        "equivalent_to": {"id": same.id, "because": same.because} if same else None,
        "own": kills.own(name),
        "killed_by": {
            case: [[symptom.kind, symptom.what] for symptom in sorted(found)]
            for case, found in kills.faults[name].items()
        },
    }
