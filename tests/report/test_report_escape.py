"""Untrusted text: nothing that a terminal or CI system obeys is left of it."""

from __future__ import annotations

import json
import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from specharness.report.escape import LONGEST, harmless_json, printable, printable_lines, printable_start

_HOSTILE = st.text(
    st.sampled_from(list(":#[]vso\n\r\t\x00\x07\x1b\x7f\x85\x9b\u2028\u202e\u200b\ufeff\ud800\U000e0041aé👍 \\x3")),
    max_size=30,
)


def _is_harmless(text):
    return (
        all(char.isprintable() for char in text)
        and "::" not in text
        and "##[" not in text
        and "##vso" not in text
        and not re.search(r"[\x00-\x1f\x7f-\x9f]", text)
    )


@settings(max_examples=500)
@given(st.text() | _HOSTILE)
@example(":::")
@example("::::")
@example(":::::set-output name=x")
@example("###[error]")
@example("####vso[task]")
@example("##\n[command]")
@example(":\n:")
def test_no_text_keeps_anything_that_is_obeyed(text):
    assert _is_harmless(printable(text))


@given(st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E, exclude_characters=":#")))
def test_harmless_text_is_left_as_it_is(text):
    assert printable(text) == text


@pytest.mark.parametrize("text", ["größer", "大きさ 👍", "a: b", "# title", "## title", "a#b", "x:y:z", "[0]"])
def test_text_in_any_language_is_left_as_it_is(text):
    assert printable(text) == text


@pytest.mark.parametrize(
    ("text", "safe"),
    [
        ("a\nb", "a\\x0ab"),
        ("\x1b[31mred\x1b[0m", "\\x1b[31mred\\x1b[0m"),
        ("\x9b31m", "\\x9b31m"),
        ("::error::x", "\\x3a:error\\x3a:x"),
        ("##[error]x", "\\x23#[error]x"),
        ("##vso[task.complete]", "\\x23#vso[task.complete]"),
        ("\u202egnp.exe", "\\u202egnp.exe"),
        ("\ud800", "\\ud800"),
        ("\U000e0041", "\\U000e0041"),
        ("a\u2028b", "a\\u2028b"),
    ],
)
def test_what_is_escaped_can_be_recognised(text, safe):
    assert printable(text) == safe


@given(_HOSTILE | st.text(), st.integers(1, 9))
def test_lines_are_harmless_and_no_more_than_asked_for(text, most):
    lines = printable_lines(text, most=most)
    assert len(lines) <= most
    assert all(map(_is_harmless, lines))


def test_the_last_lines_are_kept_whatever_ends_them_and_blank_ones_dropped():
    assert printable_lines("1\n2\r\n\n3\r4\n  \n\tx\n", most=3) == ["3", "4", "    x"]
    assert printable_lines("", most=3) == []


@given(st.text() | _HOSTILE, st.integers(0, 10))
def test_a_start_is_harmless_and_tells_how_much_is_left_out(text, most):
    start = printable_start(text, most)
    assert _is_harmless(start)
    assert start == printable(text) if len(text) <= most else start.endswith(f" ... {len(text) - most} more characters")


def test_a_very_long_line_is_cut():
    (line,) = printable_lines("x" * 10_000_000, most=3)
    assert line == "x" * LONGEST + f" ... {10_000_000 - LONGEST} more characters"


@given(st.recursive(st.text('#[:\\"x'), lambda inner: st.lists(inner) | st.dictionaries(st.text('#\\"'), inner)))
def test_json_keeps_its_value_and_no_command(value):
    text = harmless_json(json.dumps(value))
    assert json.loads(text) == value
    assert "##" not in text
