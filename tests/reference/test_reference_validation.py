"""What the reference says of a bad input: which argument, where in it, what was found, by which clause."""

from __future__ import annotations

import math

import pytest

from specreference import InvalidInput, acceptable_outcomes, explain, verify_speculative_tokens


def _valid(k=2, v=3, rows=None):
    row = [0.5] + [0.25] * (v - 2) + [0.25]
    return {
        "draft_tokens": [0] * k,
        "draft_probs": [list(row) for _ in range(k)],
        "target_probs": [list(row) for _ in range(k + 1 if rows is None else rows)],
        "random_samples": [0.5] * k,
    }


def _with(path, value, **sizes):
    arguments = _valid(**sizes)
    *parents, last = path
    holder = arguments
    for part in parents:
        holder = holder[part]
    holder[last] = value
    return arguments


_BAD = [
    ("no draft rows", _with(["draft_probs"], []), "SV-IN-1", "draft_probs", (), "0 rows"),
    ("a draft row too many", _with(["draft_probs"], [[1.0]] * 3), "SV-IN-1", "draft_probs", (), "3 rows"),
    ("a draft row without drafts", _with(["draft_probs"], [[1.0]], k=0), "SV-IN-1", "draft_probs", (), "1 row"),
    ("no uniforms", _with(["random_samples"], []), "SV-IN-2", "random_samples", (), "0 values"),
    ("a uniform too many", _with(["random_samples"], [0.5] * 3), "SV-IN-2", "random_samples", (), "3 values"),
    ("a target row too few", _valid(rows=1), "SV-IN-3", "target_probs", (), "1 row"),
    ("no target rows", _valid(rows=0), "SV-IN-3", "target_probs", (), "0 rows"),
    ("an empty draft row", _with(["draft_probs", 1], []), "SV-IN-5", "draft_probs", (1,), "0 tokens|no tokens"),
    ("an empty row beyond K", _with(["target_probs", 3], [], rows=4), "SV-IN-5", "target_probs", (3,), "no tokens"),
    ("a longer draft row", _with(["draft_probs", 1], [0.25] * 4), "SV-IN-5", "draft_probs", (1,), "4 tokens"),
    ("a shorter target row", _with(["target_probs", 0], [0.5, 0.5]), "SV-IN-5", "target_probs", (0,), "2 tokens"),
    ("a token of V", _with(["draft_tokens", 1], 3), "SV-IN-6", "draft_tokens", (1,), "token 3"),
    ("a token of -1", _with(["draft_tokens", 0], -1), "SV-IN-6", "draft_tokens", (0,), "token -1"),
    ("NaN", _with(["draft_probs", 0, 2], math.nan), "SV-IN-7", "draft_probs", (0, 2), "nan"),
    ("NaN first", _with(["target_probs", 1, 0], math.nan), "SV-IN-7", "target_probs", (1, 0), "nan"),
    ("infinity", _with(["target_probs", 2, 1], math.inf), "SV-IN-7", "target_probs", (2, 1), "inf"),
    ("minus infinity", _with(["draft_probs", 1, 1], -math.inf), "SV-IN-7", "draft_probs", (1, 1), "-inf"),
    ("a negative", _with(["target_probs", 3, 1], -0.25, rows=4), "SV-IN-7", "target_probs", (3, 1), "-0.25"),
    ("the least negative", _with(["target_probs", 0, 1], -5e-324), "SV-IN-7", "target_probs", (0, 1), "-5e-324"),
    ("a negative uniform", _with(["random_samples", 1], -0.5), "SV-IN-8", "random_samples", (1,), "-0.5"),
    (
        "a uniform above 1",
        _with(["random_samples", 0], 1 + 2**-52),
        "SV-IN-8",
        "random_samples",
        (0,),
        "1.0000000000000002",
    ),
    ("a uniform of NaN", _with(["random_samples", 1], math.nan), "SV-IN-8", "random_samples", (1,), "nan"),
    ("an infinite uniform", _with(["random_samples", 1], math.inf), "SV-IN-8", "random_samples", (1,), "inf"),
]


@pytest.mark.parametrize("function", [verify_speculative_tokens, explain, acceptable_outcomes])
@pytest.mark.parametrize(
    ("arguments", "clause", "argument", "index", "found"), [row[1:] for row in _BAD], ids=[row[0] for row in _BAD]
)
def test_an_invalid_input_is_named_by_clause_argument_index_and_value(
    function, arguments, clause, argument, index, found
):
    with pytest.raises(InvalidInput, match=found) as caught:
        function(**arguments)
    error = caught.value
    assert isinstance(error, ValueError)
    assert (error.clause, error.argument, error.index) == (clause, argument, index)
    place = argument + "".join(f"[{i}]" for i in index)
    assert str(error).startswith(f"{place}: ")
    assert "; expected " in str(error)
    assert str(error).endswith(f"({clause})")


@pytest.mark.parametrize("name", ["random_samples", "draft_probs", "target_probs"])
def test_a_length_is_checked_though_an_earlier_step_is_rejected_and_other_values_are_wrong(name):
    arguments = _valid()
    arguments["target_probs"][0] = [0.0, 0.5, 0.5]
    arguments["draft_tokens"][1] = 99
    del arguments[name][1:]
    with pytest.raises(InvalidInput) as caught:
        verify_speculative_tokens(**arguments)
    assert caught.value.argument == name


@pytest.mark.parametrize(
    "arguments",
    [
        _valid(),
        _valid(k=0, rows=0),
        _valid(k=0, rows=1),
        _valid(k=0, rows=5),
        _valid(rows=2),
        _valid(rows=9),
        _with(["random_samples", 0], 0.0),
        _with(["random_samples", 0], -0.0),
        _with(["random_samples", 0], 1.0),
        _with(["draft_probs", 0], [0.0, 0.0, -0.0]),
        _with(["draft_probs", 0], [1.7e308, 1.7e308, 1.7e308]),
        _with(["target_probs", 1], [9.0, 9.0, 9.0]),
        _with(["draft_tokens", 1], 2),
        {"draft_tokens": [0], "draft_probs": [[1]], "target_probs": [[1]], "random_samples": [0]},
    ],
)
def test_an_input_at_the_limit_is_valid(arguments):
    verify_speculative_tokens(**arguments)
