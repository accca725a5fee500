"""Cases of a small suite, one of each kind. Numbers are dyadic."""

import json
from typing import Any

ACCEPTS: dict[str, Any] = {
    "id": "ACC-001",
    "title": "a uniform below the ratio accepts",
    "clauses": ["SV-ACC-1"],
    "tags": ["bonus"],
    "input": {
        "draft_tokens": [1],
        "draft_probs": [["4/16", "8/16", "4/16"]],
        "target_probs": [["9/16", "4/16", "3/16"], ["2/16", "2/16", "12/16"]],
        "random_samples": ["31/64"],
    },
    "expect": {"accepted_tokens": [1], "bonus_token": 2, "acceptance_count": 1},
}
MARKED: dict[str, Any] = {
    "id": "STOP-001",
    "title": "two drafts, the second of which is rejected",
    "clauses": ["SV-STOP-1", "SV-RES-1"],
    "tags": ["rejection", "marked"],
    "input": {
        "draft_tokens": [0, 1],
        "draft_probs": [["8/16", "8/16"], ["4/16", "12/16"]],
        "target_probs": [["8/16", "8/16"], ["12/16", "4/16"], ["8/16", "8/16"]],
        "random_samples": ["4/16", "12/16"],
    },
    "expect": {"accepted_tokens": [0], "bonus_token": 0, "acceptance_count": 1},
}
RECOVERS: dict[str, Any] = {
    "id": "RES-001",
    "title": "a rejection recovers the argmax of the residual",
    "clauses": ["SV-RES-1", "SV-ACC-1"],
    "tags": ["rejection"],
    "input": {
        "draft_tokens": [0],
        "draft_probs": [["8/16", "2/16", "6/16"]],
        "target_probs": [["2/16", "5/16", "9/16"]],
        "random_samples": ["12/16"],
    },
    "expect": {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0},
}
RAISES: dict[str, Any] = {
    "id": "IN-001",
    "title": "a uniform too many",
    "clauses": ["SV-IN-2"],
    "tags": ["lengths"],
    "input": {
        "draft_tokens": [0],
        "draft_probs": [["8/16", "8/16"]],
        "target_probs": [["8/16", "8/16"]],
        "random_samples": ["1/16", "2/16"],
    },
    "expect": {"raises": "ValueError"},
}
ADVISES: dict[str, Any] = {
    "id": "IN-002",
    "title": "a token outside the vocabulary",
    "clauses": ["SV-IN-6"],
    "tags": ["values"],
    "input": {
        "draft_tokens": [2],
        "draft_probs": [["8/16", "8/16"]],
        "target_probs": [["8/16", "8/16"]],
        "random_samples": ["1/16"],
    },
    "expect": {"raises": "ValueError"},
}

BY_ID = {case["id"]: case for case in (ACCEPTS, MARKED, RECOVERS, RAISES, ADVISES)}


def suite_text(*cases: dict[str, Any]) -> str:
    """The text of a case file; JSON is YAML."""
    return json.dumps({"spec": "1.0", "profile": "argmax", "cases": cases}, indent=1)


def many(count: int) -> list[dict[str, Any]]:
    """Gating cases ACC-001 and on, of one draft token each; the uniform of number n is n/256."""
    return [
        {**ACCEPTS, "id": f"ACC-{number:03}", "input": {**ACCEPTS["input"], "random_samples": [f"{number}/256"]}}
        for number in range(1, count + 1)
    ]
