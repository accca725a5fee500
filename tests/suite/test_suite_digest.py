"""The digest of cases: equal where the cases are, whatever their order, files and words."""

from __future__ import annotations

import hashlib
from dataclasses import replace

import pytest

from specharness.suite.digest import digest_of_cases
from specharness.suite.model import Case, Expected

ARGUMENTS = '{"draft_tokens": [], "draft_probs": [], "target_probs": [], "random_samples": []}'


def _case(name, expected):
    return Case(name, "t", ("SV-BON-2",), (), (), (), "", "argmax", "f.yaml", 1, ARGUMENTS, expected)


CASES = [_case("B-001", Expected((1, 0), None)), _case("A-002", Expected((), 3)), _case("C-001", Expected(raises="E"))]


def test_the_digest_is_that_of_a_line_a_case_in_order():
    """Reports of different versions can be compared: this form stays."""
    text = f"A-002\targmax\t{ARGUMENTS}\t[] 3\nB-001\targmax\t{ARGUMENTS}\t[1, 0] None\nC-001\targmax\t{ARGUMENTS}\tE\n"
    assert digest_of_cases(CASES) == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_order_places_and_words_do_not_count():
    others = [replace(case, title="u", tags=("x",), file="g.yaml", line=9, notes="n") for case in reversed(CASES)]
    assert digest_of_cases(others) == digest_of_cases(CASES)


@pytest.mark.parametrize(
    "change",
    [
        {"id": "B-002"},
        {"profile": "greedy"},
        {"arguments_json": ARGUMENTS.replace("[]", "[1]", 1)},
        {"expected": Expected((1,), None)},
        {"expected": Expected((1, 0), 0)},
        {"expected": Expected(raises="ValueError")},
    ],
    ids=lambda change: next(iter(change)),
)
def test_what_decides_a_case_counts(change):
    assert digest_of_cases([replace(CASES[0], **change), *CASES[1:]]) != digest_of_cases(CASES)


def test_a_case_more_or_less_counts():
    assert len({digest_of_cases(CASES[:n]) for n in range(4)}) == 4
