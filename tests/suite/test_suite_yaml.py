"""YAML 1.2 core schema: what scalars mean, where things stand, and that no text does anything but parse or fail."""

from __future__ import annotations

import math
import re

import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from specharness.suite.yaml12 import YamlFloat, YamlProblem, locate, parse, shorten

_NAN = float("nan")


def _alike(one, other):
    """Equality of plain data in which NaN equals itself and 1, 1.0 and True differ."""
    if isinstance(one, float) and isinstance(other, float):
        return repr(float(one)) == repr(float(other))
    if isinstance(one, bool) or isinstance(other, bool) or type(one) is int or type(other) is int:
        return type(one) is type(other) and one == other
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(_alike, one, other))
    if isinstance(one, dict) and isinstance(other, dict):
        return list(one) == list(other) and all(_alike(one[key], other[key]) for key in one)
    return one == other


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("1e-3", 0.001),
        ("1E3", 1000.0),
        ("1.5e+2", 150.0),
        (".5", 0.5),
        ("5.", 5.0),
        ("-.5e1", -5.0),
        ("+1.25", 1.25),
        ("0.0", 0.0),
        ("-0.0", -0.0),
        ("1e308", 1e308),
        ("5e-324", 5e-324),
        (".inf", math.inf),
        (".Inf", math.inf),
        ("+.INF", math.inf),
        ("-.inf", -math.inf),
        (".nan", _NAN),
        (".NaN", _NAN),
        (".NAN", _NAN),
        ("0", 0),
        ("-0", 0),
        ("12", 12),
        ("+12", 12),
        ("-12", -12),
        ("010", 10),
        ("-010", -10),
        ("0o17", 15),
        ("0x1F", 31),
        ("0xff", 255),
        ("~", None),
        ("null", None),
        ("Null", None),
        ("NULL", None),
        ("", None),
        ("true", True),
        ("True", True),
        ("TRUE", True),
        ("false", False),
        ("FALSE", False),
    ],
)
def test_a_plain_scalar_of_the_core_schema_has_its_type(text, value):
    assert _alike(parse(f"- {text}\n"), [value])


@pytest.mark.parametrize(
    "text",
    [
        *("yes", "Yes", "YES", "no", "No", "on", "On", "off", "OFF", "y", "n"),
        *("nULL", "tRUE", "FALSe", "nil", "None", "~0"),
        *("nan", "NaN", "inf", "Infinity", "-inf", ".INf", "+.nan"),
        *("1/2", "1_000", "0b11", "0o8", "0O17", "0X1F", "-0x1F", "+0o1", "0x", "0o", "1:30", "1e", "e1", "."),
        *("1.2.3", "1e1.5", "2001-12-14", "2001-12-14t21:59:43.10-05:00", "=", "<<", "--1", "1-", "+"),
        *("\u0661", "\uff11", "½"),
    ],
)
def test_a_plain_scalar_outside_the_core_schema_is_a_string(text):
    assert parse(f"- {text}\n") == [text]


@pytest.mark.parametrize("text", ["1", "1e-3", "true", "null", "~", ".nan", "0x1F", "", "no"])
@pytest.mark.parametrize("style", ['"{}"', "'{}'"])
def test_a_quoted_scalar_is_a_string(text, style):
    assert parse(f"- {style.format(text)}\n") == [text]


@pytest.mark.parametrize("block", ["|-", ">-"])
def test_a_block_scalar_is_a_string(block):
    assert parse(f"{block}\n  12\n") == "12"


def test_a_decimal_keeps_its_text():
    number = parse("[0.10]")[0]
    assert isinstance(number, YamlFloat)
    assert (number, number.text) == (0.1, "0.10")


def test_a_document_may_say_that_it_is_yaml_1_2_and_where_it_ends():
    assert parse("%YAML 1.2\n---\n[1]\n...\n") == [1]


def test_a_byte_order_mark_counts_as_no_character():
    assert parse("\ufeffa: 1\n") == {"a": 1}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_in_any_way(end):
    document = parse(f"a: 1{end}b:{end}  - 2{end}c: |{end}  d{end}  e{end}")
    assert document == {"a": 1, "b": [2], "c": "d\ne\n"}
    assert document.marks["c"] == (4, 1)


def test_depth_is_bounded_at_32():
    assert parse("[" * 32 + "]" * 32)
    with pytest.raises(YamlProblem, match="nested more than 32 deep") as caught:
        parse("[" * 33 + "]" * 33)
    assert caught.value.mark == (1, 33)


def test_ten_thousand_levels_are_refused_as_33_are():
    with pytest.raises(YamlProblem, match=r"nested more than 32 deep|nesting depth"):
        parse("[" * 10_000)
    with pytest.raises(YamlProblem, match="nested more than 32 deep"):
        parse("- " * 10_000)


def test_an_alias_bomb_is_refused_at_its_first_anchor():
    levels = [f"l{i}: &l{i} [{', '.join([f'*l{i - 1}'] * 9) if i else 'lol'}]" for i in range(20)]
    with pytest.raises(YamlProblem, match="the anchor &l0") as caught:
        parse("\n".join(levels))
    assert caught.value.mark == (1, 5)


@pytest.mark.parametrize("code", [0x00, 0x01, 0x07, 0x08, 0x0B, 0x1B, 0x7F, 0x80, 0x9F, 0xFFFE, 0xFFFF])
def test_a_control_character_is_refused_where_it_stands(code):
    with pytest.raises(YamlProblem, match=f"not YAML: the character U\\+{code:04X} is not allowed") as caught:
        parse(f"a: 1\nb: x{chr(code)}y\n")
    assert caught.value.mark == (2, 5)


def test_the_place_of_a_control_character_counts_characters_not_bytes():
    with pytest.raises(YamlProblem, match="not YAML: the character ") as caught:
        parse("a: größer als 👍\nb: é\x07\n")
    assert caught.value.mark == (2, 5)


@pytest.mark.parametrize("text", ["a:\t1\n", "a: 1\t# comment\n", "[1,\t2]\n"])
def test_a_tab_may_separate(text):
    assert parse(text) in ({"a": 1}, [1, 2])


@pytest.mark.parametrize("text", ["a:\n\t- 1\n", "\ta: 1\n", "a:\n  b: 1\n\tc: 2\n"])
def test_a_tab_does_not_indent(text):
    with pytest.raises(YamlProblem, match=r"not YAML: .*(tab|token)"):
        parse(text)


def test_locate_gives_the_place_of_a_value_or_of_the_nearest_part_that_has_one():
    document = parse("a:\n  b:\n  - [1, 22, 3]\n  - x\nc: 1\n")
    assert locate(document, []) == (1, 1)
    assert locate(document, ["a"]) == (1, 1)
    assert locate(document, ["a", "b"]) == (2, 3)
    assert locate(document, ["a", "b", 0, 1]) == (3, 9)
    assert locate(document, ["a", "b", 1]) == (4, 5)
    assert locate(document, ["c"]) == (5, 1)
    assert locate(document, ["a", "b", 0, 9]) == (3, 5)
    assert locate(document, ["a", "z", "y"]) == (1, 1)
    assert locate(5, ["a"]) == (1, 1)


@given(st.integers() | st.text() | st.binary(), st.integers(10, 60))
def test_shorten_is_one_ascii_line_of_bounded_length(value, most):
    text = shorten(value, most=most)
    assert len(text) <= most
    assert text.isascii()
    assert text.isprintable()


_CORE_NUMBER = re.compile(r"[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?|0o[0-7]+|0x[0-9a-fA-F]+", re.ASCII)


class _Dumper(yaml.SafeDumper):
    """YAML 1.1 without aliases."""

    def ignore_aliases(self, data):
        return True


def _means_the_same_in_both_versions(text):
    """YAML 1.1 writes `1e3`, `08` and the like without quotes, for they are no numbers to it."""
    return not _CORE_NUMBER.fullmatch(text)


_STRINGS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30).filter(_means_the_same_in_both_versions)
_WORDS = st.sampled_from(["yes", "no", "on", "null", "~", "true", ".nan", "1_000", "1:30", "=", "<<", "- a", "a: b"])
_SCALARS = st.none() | st.booleans() | st.integers(-(10**300), 10**300) | st.floats() | _STRINGS | _WORDS
_DATA = st.recursive(
    _SCALARS,
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(_STRINGS | _WORDS, inner, max_size=5),
    max_leaves=25,
)


@settings(max_examples=200, deadline=None)
@given(_DATA, st.sampled_from([None, True, False]))
def test_plain_data_that_pyyaml_dumps_is_read_back_as_it_was(data, flow):
    text = yaml.dump(data, Dumper=_Dumper, default_flow_style=flow, sort_keys=False)
    assert _alike(parse(text), data)


@settings(max_examples=150, deadline=None)
@given(_DATA)
def test_every_value_has_a_place_at_which_its_text_begins(data):
    text = yaml.dump({"k": data}, Dumper=_Dumper, default_flow_style=False, width=10**6)
    lines = text.split("\n")

    def check(node):
        if isinstance(node, dict):
            for key, value in node.items():
                line, column = node.marks[key]
                assert lines[line - 1][column - 1 :].startswith((key[:1] or "'", "'", '"', "?"))
                check(value)
        elif isinstance(node, list):
            for item, (line, column) in zip(node, node.marks, strict=True):
                assert 1 <= line <= len(lines)
                assert 1 <= column <= len(lines[line - 1]) + 1
                check(item)

    check(parse(text))


_SPECIAL = st.text(st.sampled_from(list("[]{}:,-?&*!|>'\"%@` \n\t#~ab01./e=<\\\r\ufeff\x07\x85\u2028")), max_size=60)
_PIECES = st.lists(
    st.sampled_from(["- ", "a: ", "\n", "  ", "? ", ": ", "[", "]", "{", "}", ", ", "&a ", "*a", "!t ", "|\n", ">-\n"])
    | st.sampled_from(
        ["%YAML 1.2\n", "---\n", "...\n", "'", '"', "1e400", "0x", "1/2", ".nan", "# c\n", "\\x", "1e-400"]
    ),
    max_size=30,
).map("".join)


@settings(max_examples=400, deadline=None)
@given(st.text(max_size=60) | _SPECIAL | _PIECES)
def test_any_text_parses_to_plain_data_or_is_refused(text):
    try:
        document, problem = parse(text), None
    except YamlProblem as caught:
        document, problem = None, caught
    if problem:
        assert problem.mark is None or min(problem.mark) >= 1
        assert str(problem)
    pending = [document]
    while pending:
        value = pending.pop()
        assert isinstance(value, dict | list | str | float | int | None)
        if isinstance(value, dict):
            assert all(type(key) is str for key in value)
            pending += value.values()
        elif isinstance(value, list):
            pending += value
