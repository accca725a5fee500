"""Changing a baseline in place: the change is made, and every other byte stays."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from specharness.errors import UsageError
from specharness.suite.baseline import KnownAnswer, KnownBreaches
from specharness.suite.baseline_text import Addition, Edit, edit_text, new_text
from specharness.suite.yaml12 import parse
from specharness.suite.yaml_flow import can_be_written, flow, plain

_TEXT = """\
# of the whole file
baseline: 1

failures:   # the list
# Ties, to be fixed
- cases: [TIE-001, TIE-002,
          TIE-003]   # three
  reason: >-
    any of equal entries
    is taken

  breaches:
  - {clause: SV-TIE-2, cause: another bonus_token}

# Residuals
-   # of the residual
  cases:
  - RES-001
  - "RES-01*"
  reason: 'it''s known'
  expires: 2030-12-31  # a date
  breaches:
  - clause: SV-RES-1
    cause: another bonus_token   # the cause
# One line
- {cases: ACC-001, reason: r, observed: {raises: TypeError}}  # in one line
# the end
"""
_ACC = KnownBreaches((("SV-ACC-1", "accepts too few tokens"),))


def _lines_gone_and_new(edits=(), additions=(), text=_TEXT):
    old, new = text.splitlines(), edit_text(text, edits, additions).splitlines()
    return [line for line in old if line not in new], [line for line in new if line not in old]


def test_nothing_to_change_changes_nothing():
    assert edit_text(_TEXT, [], []) == _TEXT


def test_an_entry_goes_with_its_own_lines_and_no_comment_outside_them():
    first = _TEXT[_TEXT.index("- cases: [TIE") : _TEXT.index("\n# Residuals")]
    second = _TEXT[_TEXT.index("-   # of the") : _TEXT.index("# One line")]
    third = _TEXT[_TEXT.index("- {cases: ACC") : _TEXT.index("# the end")]
    for at, part in enumerate((first, second, third)):
        assert edit_text(_TEXT, [Edit(at, ())], []) == _TEXT.replace(part, "")
    assert edit_text(_TEXT, [Edit(0, ()), Edit(2, ())], []) == _TEXT.replace(first, "").replace(third, "")


def test_the_last_entry_leaves_an_empty_list():
    text = edit_text(_TEXT, [Edit(at, ()) for at in range(3)], [])
    assert "failures: []   # the list\n" in text
    assert [line for line in text.splitlines() if line.startswith("#")] == [
        line for line in _TEXT.splitlines() if line.startswith("#")
    ]
    assert plain(parse(text)) == {"baseline": 1, "failures": []}


def test_cases_and_outcomes_are_put_in_place_of_the_old_ones():
    assert _lines_gone_and_new([Edit(0, ("TIE-001",))]) == (
        ["- cases: [TIE-001, TIE-002,", "          TIE-003]   # three"],
        ["- cases: TIE-001   # three"],
    )
    assert _lines_gone_and_new([Edit(1, ("RES-001", "RES-02*"))]) == (
        ["  cases:", "  - RES-001", '  - "RES-01*"'],
        ['  cases: [RES-001, "RES-02*"]'],
    )
    assert _lines_gone_and_new([Edit(1, ("RES-001", "RES-01*"), _ACC)]) == (
        ["  - clause: SV-RES-1", "    cause: another bonus_token   # the cause"],
        ["  breaches: [{clause: SV-ACC-1, cause: accepts too few tokens}]   # the cause"],
    )
    assert _lines_gone_and_new([Edit(2, ("ACC-002",), KnownAnswer("lost", "timed out"))])[1] == [
        "- {cases: ACC-002, reason: r, observed: {lost: timed out}}  # in one line"
    ]


def test_new_entries_stand_at_the_end_as_deep_as_the_others():
    addition = Addition(("ACC-007", "ACC-008/2"), "TODO", _ACC)
    added = (
        "- cases: [ACC-007, ACC-008/2]\n  reason: TODO\n  breaches:\n"
        "  - {clause: SV-ACC-1, cause: accepts too few tokens}\n"
    )
    assert edit_text(_TEXT, [], [addition]) == _TEXT.replace("# the end", f"{added}# the end")
    deep = "failures:\n    - {cases: ACC-001, reason: r, observed: {lost: died}}"
    assert edit_text(deep, [], [addition]) == f"{deep}\n" + "".join(f"    {line}\n" for line in added.splitlines())
    assert edit_text("failures: []", [], [addition]) == f"failures:\n{added}"
    assert edit_text("failures: [ ] # none\nbaseline: 1\n", [], [addition]) == f"failures: # none\n{added}baseline: 1\n"
    assert edit_text("failures: # none\n  []\n", [], [addition]) == f"failures: # none\n  \n{added}"


def test_a_long_list_of_cases_takes_several_lines():
    names = tuple(f"TIE-{n:03}" for n in range(60))
    text = edit_text(new_text("argmax"), [], [Addition(names, "TODO", _ACC)])
    assert max(map(len, text.splitlines())) <= 102
    assert plain(parse(text))["failures"][0]["cases"] == list(names)
    assert plain(parse(edit_text(text, [Edit(0, names[1:])], [])))["failures"][0]["cases"] == list(names[1:])


def test_line_ends_are_kept_as_they_are():
    text = _TEXT.replace("\n", "\r\n")
    edited = edit_text(text, [Edit(0, ()), Edit(1, ("RES-001",))], [Addition(("ACC-007",), "TODO", _ACC)])
    assert edited == edit_text(
        _TEXT, [Edit(0, ()), Edit(1, ("RES-001",))], [Addition(("ACC-007",), "TODO", _ACC)]
    ).replace("\n", "\r\n")


@pytest.mark.parametrize(
    "text",
    [
        '{"baseline": 1, "failures": []}',
        "baseline: 1\nfailures: [{cases: ACC-001, reason: r, observed: {lost: died}}]\n",
    ],
)
def test_flow_style_is_refused(text):
    with pytest.raises(UsageError, match="in flow style"):
        edit_text(text, [], [Addition(("ACC-007",), "TODO", _ACC)])


_DATA = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(_DATA)
def test_flow_text_reads_as_the_data_that_it_was_made_of(value):
    """All but what the reader refuses: characters that no YAML has, and numbers beyond its bounds."""
    assert "\n" not in flow(value)
    if can_be_written(value):
        assert repr(plain(parse(flow([value])))) == repr([value])


@given(st.text(st.characters(exclude_categories=["Cs"])))
def test_any_text_without_surrogates_can_be_written(text):
    assert can_be_written(text)


@pytest.mark.parametrize(
    "value", ["\ud800", 10**400, [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]
)
def test_what_the_reader_refuses_can_not_be_written(value):
    assert not can_be_written(value)


@pytest.mark.parametrize(
    "text", ["null", "True", "1", "1e3", "0o7", ".5", "", "- a", "a: b", "a #b", "*a", "[a", "#", "~"]
)
def test_text_that_yaml_would_read_otherwise_is_quoted(text):
    assert plain(parse(f"a: {flow(text)}")) == {"a": text}
