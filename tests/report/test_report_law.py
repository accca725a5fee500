"""The exact law of a profile in words."""

from __future__ import annotations

import re
from fractions import Fraction as F

import pytest

from specharness.report.law_text import describe_law
from specreference import PROFILES, law_of, lossless_defect, total_variation


def _model(*rows):
    return lambda prefix: [F(value) for value in rows[min(len(prefix), len(rows) - 1)]]


def _told(name, k, draft, target):
    profile = PROFILES[name]
    law = law_of(profile.rule, k, draft, target, draws=profile.draws, policy=profile.policy)
    return law, describe_law(law, k, target, heading="the heading")


_DRAFT = _model([F(1, 2), F(1, 2)])
_TARGET = _model([F(1, 3), F(2, 3)], [F(1, 4), F(3, 4)])


@pytest.mark.parametrize("name", ["sampled", "block", "one-hot"])
def test_a_lossless_law_is_called_so(name):
    law, text = _told(name, 1, _DRAFT, _TARGET)
    assert text.splitlines()[:4] == [
        "the heading",
        "total variation from the target over the next 2 tokens: 0",
        "lossless on this model: each token is a fresh draw from its target row",
        "law of the emitted tokens",
    ]
    assert len(text.splitlines()) == 4 + len(law)


def test_a_lossy_law_is_told_with_its_worst_node_and_how_far_it_is_off():
    law, text = _told("argmax", 1, _DRAFT, _TARGET)
    defect, node = lossless_defect(law, _TARGET)
    assert defect > 0
    distance = total_variation(law, 1, _TARGET)
    lines = text.splitlines()
    assert lines[1] == f"total variation from the target over the next 2 tokens: {distance} ({float(distance):.6g})"
    assert lines[2] == f"not lossless: the worst node is token {node[-1]} after {list(node[:-1])}"
    assert lines[4].startswith(f"  Pr(output extends {list(node)}) = ")
    assert lines[4].endswith(f", off by {defect}")
    extends, expected = map(F, re.findall(r"(?:= |expected )([\d/]+)", lines[4]))
    assert abs(extends - expected) == defect


def test_the_law_is_listed_in_order_with_fractions_that_sum_to_1():
    law, text = _told("sampled", 2, _DRAFT, _TARGET)
    listed = [line.split("]") for line in text.partition("law of the emitted tokens\n")[2].splitlines()]
    tokens = [tuple(map(int, emitted.strip(" [").split(", "))) for emitted, _ in listed]
    assert tokens == sorted(law)
    probabilities = [F(rest.split()[0]) for _, rest in listed]
    assert probabilities == [law[emitted] for emitted in tokens]
    assert sum(probabilities) == 1


def test_one_token_is_called_one():
    _, text = _told("sampled", 0, _DRAFT, _TARGET)
    assert "total variation from the target over the next token: 0" in text


def test_a_long_law_is_cut():
    row = [F(1, 8)] * 8
    law, text = _told("sampled", 1, _model(row), _model(row))
    assert len(law) == 64
    assert text.endswith("\n  and 24 more")
    assert len(text.splitlines()) == 4 + 40 + 1
