"""Whatever a case file holds, it is read, or refused as a bad suite."""

from __future__ import annotations

import copy
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from specharness.errors import BadSuite
from specharness.suite.load import load_files
from specharness.suite.model import Case
from specharness.suite.schema import check_shape

_CASE = {
    "id": "FUZZ-001",
    "title": "one draft token, accepted",
    "clauses": ["SV-BON-1", "SV-ACC-1"],
    "tags": ["a"],
    "dtypes": ["float64"],
    "notes": "none",
    "input": {
        "draft_tokens": [0],
        "draft_probs": [["1/2", 0.5]],
        "target_probs": [[0.5, "1/2"], [0.25, 0.75]],
        "random_samples": ["1/2"],
    },
    "expect": {"accepted_tokens": [0], "bonus_token": 1, "acceptance_count": 1},
}
_MATRIX = {
    **_CASE,
    "id": "FUZZ-002",
    "matrix": [{"title": "v", "input": {"random_samples": ["1/4"]}}, {"expect": _CASE["expect"]}],
}
_RECIPE = {
    "id": "FUZZ-003",
    "title": "a recipe",
    "clauses": ["SV-IN-3"],
    "recipe": {"distribution": "flat", "vocabulary": 3, "drafts": 2, "seed": 1, "target_rows": 1},
    "expect": {"raises": "ValueError"},
}
_DOCUMENT = {"spec": "1.0", "profile": "argmax", "cases": [_CASE, _MATRIX, _RECIPE]}

_WORDS = [
    *("1/3", "0/1", "-1/2", "3/2", "ValueError", "SV-RES-1", "SV-NO-1", "float16", "argmax", "1.0", "", "\n", "::"),
    *("FUZZ-001", "sparse", "\x1b[31m", "é" * 200),
]
_KEYS = ["id", "title", "input", "recipe", "matrix", "expect", "raises", "draft_tokens", "seed", "$ref", "", "x\n"]
_INTEGERS = st.integers(-3, 9) | st.sampled_from([64, 65, 2**63, 2**64, 10**30, -(10**30)])
_REALS = st.sampled_from([0.0, -0.0, 0.25, 0.1, 1.0, 1.5, -1.0, 1e-19, 1e-17, 1e300, 1.0000001])
_SCALARS = st.none() | st.booleans() | _INTEGERS | _REALS | st.sampled_from(_WORDS)
_VALUES = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=3),
    max_leaves=6,
)


def _loaded(path):
    """The cases and the problems of a file, of which one is empty."""
    try:
        return load_files([path]), ()
    except BadSuite as bad:
        return [], bad.problems


def _paths(node, path=()):
    yield path
    items = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    for key, value in items:
        yield from _paths(value, (*path, key))


@st.composite
def _damaged(draw):
    """The document with up to three values replaced, removed, added or put under another key."""
    document = copy.deepcopy(_DOCUMENT)
    for _ in range(draw(st.integers(1, 3))):
        *parents, last = draw(st.sampled_from([path for path in _paths(document) if path]))
        holder = document
        for key in parents:
            holder = holder[key]
        match draw(st.sampled_from(["replace", "remove", "rename", "add"])):
            case "remove":
                del holder[last]
            case "rename" if isinstance(holder, dict):
                holder[draw(st.sampled_from(_KEYS))] = holder.pop(last)
            case "add" if isinstance(holder, list):
                holder.append(draw(_VALUES))
            case _:
                holder[last] = draw(_VALUES)
    return document


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(_damaged())
def test_a_damaged_document_is_read_or_refused_with_a_place(tmp_path, document):
    path = tmp_path / "cases.yaml"
    path.write_text(json.dumps(document, indent=1))
    cases, problems = _loaded(path)
    assert bool(cases) is not bool(problems)
    assert all(isinstance(case, Case) for case in cases)
    assert all(problem.startswith(f"{path}:") and problem.isprintable() for problem in problems)


@settings(max_examples=200, deadline=None)
@given(_VALUES)
def test_any_data_has_a_shape_that_is_right_or_a_problem(document):
    problems = check_shape(document, "f.yaml")
    assert problems
    assert all(str(problem).startswith("f.yaml:") for problem in problems)


@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=80))
def test_any_bytes_are_refused_as_a_bad_suite(tmp_path, content):
    path = tmp_path / "cases.yaml"
    path.write_bytes(content)
    with pytest.raises(BadSuite):
        load_files([path])


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.integers(0, 10**4), st.binary(min_size=1, max_size=3), st.booleans())
def test_a_good_file_with_some_bytes_changed_is_read_or_refused(tmp_path, at, new, insert):
    path = tmp_path / "cases.yaml"
    content = json.dumps(_DOCUMENT).encode()
    at %= len(content)
    path.write_bytes(content[:at] + new + content[at + (0 if insert else len(new)) :])
    cases, problems = _loaded(path)
    assert bool(cases) is not bool(problems)
