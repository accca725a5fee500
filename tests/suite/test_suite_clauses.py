"""The clause index, read from text."""

from __future__ import annotations

import pytest

from specharness.errors import BadSuite
from specharness.suite import clauses as module
from specharness.suite.clauses import Level, load_clauses, parse_clauses

_TEXT = """# Title

### SV-IN-1 (MUST)

The first sentence,
over two lines.

Reason: because
of this.

More text.

### SV-IN-12 (SHOULD)

Another one.

Reason: none.
"""


def test_clauses_are_read_in_order_with_level_sentence_reason_and_line():
    clauses = parse_clauses(_TEXT)
    assert list(clauses) == ["SV-IN-1", "SV-IN-12"]
    first, second = clauses.values()
    assert (first.id, first.level, first.line) == ("SV-IN-1", Level.MUST, 3)
    assert (first.sentence, first.reason) == ("The first sentence, over two lines.", "because of this.")
    assert (second.level, second.sentence, second.reason, second.line) == (Level.SHOULD, "Another one.", "none.", 13)


def test_line_ends_of_other_systems_change_nothing():
    assert parse_clauses(_TEXT.replace("\n", "\r\n")) == parse_clauses(_TEXT)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no clause found; expected headings such as '### SV-IN-1 \\(MUST\\)'"),
        ("# Only prose\n", "no clause found"),
        (_TEXT + "\n### SV-IN-1 (MUST)\n\nAgain.\n\nReason: x.\n", "line 19: SV-IN-1 again, first on line 3"),
        (_TEXT.replace("Reason: because", "Because"), "line 3: SV-IN-1 needs a sentence and a paragraph that begins"),
        ("### SV-IN-1 (MUST)\n", "line 1: SV-IN-1 needs a sentence"),
        ("### SV-IN-1 (MUST)\n\nReason: no sentence.\n", "line 1: SV-IN-1 needs a sentence"),
        ("### SV-IN-1 (MUST)\n\nA sentence.\n\n### SV-IN-2 (MUST)\n\nB.\n\nReason: r.\n", "line 1: SV-IN-1 needs"),
        ("### SV-IN-1 (MUST)\n\nA.\n\nB.\n\nReason: too late.\n", "line 1: SV-IN-1 needs"),
    ],
    ids=["empty", "prose", "repeated", "no-reason", "nothing", "no-sentence", "next-clause", "two-sentences"],
)
def test_a_text_without_proper_clauses_is_refused(text, message):
    with pytest.raises(ValueError, match=message):
        parse_clauses(text)


@pytest.mark.parametrize(
    "heading",
    [
        "### SV-IN-2",
        "### SV-IN-2 (MAY)",
        "### SV-IN-2 (must)",
        "### SV-IN-2 MUST",
        "### SV-in-2 (MUST)",
        "### SV-IN (MUST)",
        "#### SV-IN-2 (MUST)",
        "## SV-IN-2 (MUST)",
        "### SV-IN-2 (MUST) extra",
    ],
)
def test_a_heading_that_is_nearly_a_clause_is_no_silent_loss_of_one(heading):
    with pytest.raises(ValueError, match="line 19"):
        parse_clauses(f"{_TEXT}\n{heading}\n\nA sentence.\n\nReason: r.\n")


def test_the_shipped_clauses_are_read(clauses):
    assert clauses["SV-IN-1"].level is Level.MUST
    assert clauses["SV-OUT-5"].level is Level.SHOULD
    assert clauses["SV-BLK-6"].level is Level.MUST
    assert all(clause.sentence.endswith(".") and clause.reason.endswith(".") for clause in clauses.values())


@pytest.fixture
def spec_folder(tmp_path, monkeypatch):
    """The folder of a spec of two files, in the place of the shipped one."""
    (tmp_path / "spec").mkdir()
    (tmp_path / "spec" / "verification.md").write_text(_TEXT)
    (tmp_path / "spec" / "profiles.md").write_text(_TEXT.replace("SV-IN", "SV-SMP"))
    monkeypatch.setattr(module, "data_root", lambda: tmp_path)
    return tmp_path / "spec"


def test_the_clauses_of_both_files_are_read_in_order(spec_folder):
    assert list(load_clauses()) == ["SV-IN-1", "SV-IN-12", "SV-SMP-1", "SV-SMP-12"]


@pytest.mark.parametrize("name", ["verification.md", "profiles.md"])
@pytest.mark.parametrize(
    "content", [None, b"", b"\xff", b"# no clause\n"], ids=["missing", "empty", "no-text", "prose"]
)
def test_a_spec_that_can_not_be_read_is_a_bad_suite(spec_folder, name, content):
    (spec_folder / name).unlink()
    if content is not None:
        (spec_folder / name).write_bytes(content)
    with pytest.raises(BadSuite, match=name.replace(".", r"\.")):
        load_clauses()


def test_a_clause_in_two_files_is_a_bad_suite(spec_folder):
    (spec_folder / "profiles.md").write_text(_TEXT)
    with pytest.raises(BadSuite, match=r"profiles\.md: SV-IN-1 stands in two files"):
        load_clauses()
