"""Model files: read exactly, complete, bounded, and refused with a place."""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction as F

import pytest

from specharness.errors import BadSuite
from specharness.suite.models import MOST_STREAMS, read_model

_GOOD = """\
drafts: 2
draft:
- {row: [1/2, 1/2]}
target:
- {row: [1/3, 2/3]}
- {at: 1, row: [1/10, 0.9]}
- {after: [0], row: [1, 0]}
- {after: [], row: [0.25, 3/4]}
"""


@pytest.fixture
def read(tmp_path):
    def write_and_read(text):
        path = tmp_path / "model.yaml"
        path.write_text(text)
        return read_model(path)

    return write_and_read


@pytest.fixture
def refusal(read):
    """The one line that is said of a model file, without the file's name."""

    def find(text):
        with pytest.raises(BadSuite) as caught:
            read(text)
        (problem,) = caught.value.problems
        return problem.partition("model.yaml")[2]

    return find


def test_a_row_of_a_prefix_comes_before_that_of_its_length_and_that_before_the_default(read):
    model = read(_GOOD)
    assert (model.drafts, model.vocabulary) == (2, 2)
    assert model.target(()) == [F(1, 4), F(3, 4)]
    assert model.target((0,)) == [1, 0]
    assert model.target((1,)) == [F(1, 10), F(9, 10)]
    assert model.target((0, 1)) == model.target((1, 1)) == [F(1, 3), F(2, 3)]
    for prefix in ((), (0,), (1,), (1, 0)):
        assert model.draft(prefix) == [F(1, 2)] * 2


def test_decimals_mean_what_they_say(read):
    model = read("drafts: 0\ndraft:\n- {row: [0.1, 0.2, 0.7]}\ntarget:\n- {row: [1e-1, .5, 2/5]}\n")
    assert model.draft(()) == [F(1, 10), F(1, 5), F(7, 10)]
    assert model.target(()) == [F(1, 10), F(1, 2), F(2, 5)]


def test_a_model_may_be_given_length_by_length(read):
    text = "drafts: 1\ndraft:\n- {at: 0, row: [1, 0]}\ntarget:\n- {at: 0, row: [0, 1]}\n- {at: 1, row: [1/2, 1/2]}\n"
    model = read(text)
    assert [model.target(prefix) for prefix in ((), (0,), (1,))] == [[0, 1], [F(1, 2)] * 2, [F(1, 2)] * 2]
    with pytest.raises(KeyError):
        model.draft((0,))  # the law never asks for it


def test_the_row_of_the_empty_prefix_stands_for_length_0(read):
    assert read("drafts: 0\ndraft:\n- {after: [], row: [1]}\ntarget:\n- {after: [], row: [1]}\n").vocabulary == 1


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("[1/3, 2/3]", "[1/3, 1/3]", ":5:3: target: a row that sums to 2/3; expected 1 exactly"),
        ("[0.25, 3/4]", "[0.25, 0.7500001]", ":8:3: target: a row that sums to 10000001/10000000; expected 1 exactly"),
        ("[1, 0]", "[1.5, -0.5]", ":7:3: target: a row that sums to 1; expected 1 exactly"),
        ("[1/2, 1/2]", "[1]", ": rows of [1, 2] tokens; expected one vocabulary size"),
        ("{at: 1,", "{at: 1, after: [1],", ":6:3: target: after and at in one entry; expected one of them"),
        ("{after: [0],", "{at: 1,", ":7:3: target: a second row for the same prefixes"),
        ("{after: [], ", "{", ":8:3: target: a second row for the same prefixes"),
        ("{after: [0],", "{after: [2],", ":7:3: target: no stream comes to the prefix [2]"),
        ("{after: [0],", "{after: [0, 0, 0],", ":7:3: target: no stream comes to the prefix [0, 0, 0]"),
        (
            "- {row: [1/2, 1/2]}",
            "- {at: 0, row: [1/2, 1/2]}",
            ": draft: no row for prefixes of length 1; add one with at: 1, or without at",
        ),
        ("- {row: [1/3, 2/3]}\n", "", ": target: no row for prefixes of length 2; add one with at: 2, or without at"),
        ("drafts: 2", "drafts: 2.0", ":1:1: found 2.0; expected an integer"),
        ("drafts: 2", "drafts: 9", ":1:1: found 9; expected 8 or less"),
        ("drafts: 2", "drafts: -1", ":1:1: found -1; expected 0 or more"),
        ("[1/3, 2/3]", "[1/3, two]", "expected "),
        ("[1/3, 2/3]", "[1/0, 1]", "expected "),
        ("[1/3, 2/3]", "[-1/3, 4/3]", "expected "),
        ("[1/3, 2/3]", "[]", "expected at least 1 of it"),
        ("[1/3, 2/3]", "[.nan, 1]", ":5:3: target: a row with a number that is not finite"),
        ("[1/3, 2/3]", "[.inf, 1]", ":5:3: target: a row with a number that is not finite"),
        ("- {row: [1/3, 2/3]}", "- {rows: [1/3, 2/3]}", ""),
        ("- {row: [1/2, 1/2]}", "[]", ""),
        ("drafts: 2\n", "", "the key drafts is missing"),
        ("draft:\n", "drafft:\n", "Did you mean draft"),
    ],
)
def test_a_wrong_model_is_refused_with_its_place(read, old, new, message):
    assert old in _GOOD
    with pytest.raises(BadSuite) as caught:
        read(_GOOD.replace(old, new, 1))
    assert message in str(caught.value)
    assert all("model.yaml" in problem for problem in caught.value.problems)


def test_a_model_of_too_many_streams_is_refused(refusal):
    row = f"[{', '.join(['1/50'] * 50)}]"
    text = f"drafts: 2\ndraft:\n- {{row: {row}}}\ntarget:\n- {{row: {row}}}\n"
    found = f"K = 2 and V = 50 make {50**3:,} streams"
    assert refusal(text) == f": {found}; expected at most {MOST_STREAMS:,}"


def test_a_zero_with_a_huge_exponent_is_zero_at_once(tmp_path):
    """In a process of its own: big-integer arithmetic can't be interrupted."""
    path = tmp_path / "model.yaml"
    path.write_text("drafts: 0\ndraft:\n- {row: [1, 0e999999999]}\ntarget:\n- {row: [1, 0.0e-999999999]}\n")
    program = (
        "import sys, pathlib\nfrom specharness.suite.models import read_model\nread_model(pathlib.Path(sys.argv[1]))"
    )
    try:
        done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, timeout=20)
    except subprocess.TimeoutExpired:
        pytest.fail("still reading after 20 s")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("content", ["", "[]", "a: b: c", "drafts: &a 1", "cases: []\n", "1"])
def test_what_is_no_model_is_refused(read, content):
    with pytest.raises(BadSuite, match=r"model\.yaml"):
        read(content)


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(BadSuite, match=r"none\.yaml: No such file or directory; expected a readable file"):
        read_model(tmp_path / "none.yaml")
