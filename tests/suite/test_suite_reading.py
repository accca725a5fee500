"""Case files as files: kinds, sizes, encodings, folders."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from specharness.errors import BadSuite
from specharness.exit_codes import ExitCode
from specharness.suite.files import MAX_BYTES, find_case_files, read_document
from specharness.suite.load import load_files

_GOOD = (Path(__file__).parent / "files" / "good" / "minimal.yaml").read_text()


def _refusal(paths):
    with pytest.raises(BadSuite) as caught:
        load_files(paths)
    assert caught.value.exit_code is ExitCode.BAD_SUITE
    return str(caught.value)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty; expected a mapping with spec, profile and cases"),
        (b"\n# nothing\n", "the file is empty; expected a mapping"),
        (b"\x7fELF\x00\x01", "a binary file (byte 4 is NUL); expected YAML text"),
        (_GOOD.encode("utf-16"), "is NUL); expected YAML text"),
        (b"title: caf\xe9\n", "not UTF-8 text (byte 10); expected a YAML case file"),
        (b"\xff", "not UTF-8 text (byte 0); expected a YAML case file"),
        (b"\xed\xa0\x80", "not UTF-8 text (byte 0)"),
        (b"PK\x03\x04", ":1:3: not YAML: the character U+0003 is not allowed"),
    ],
    ids=["empty", "comments", "elf", "utf-16", "latin-1", "byte-ff", "surrogate", "zip"],
)
def test_a_file_that_is_no_yaml_text_is_refused_with_its_kind(tmp_path, content, message):
    path = tmp_path / "cases.yaml"
    path.write_bytes(content)
    text = _refusal([path])
    assert text.startswith(str(path))
    assert message in text


@pytest.mark.parametrize(
    "content",
    [
        b"\xef\xbb\xbf" + _GOOD.encode(),
        _GOOD.replace("\n", "\r\n").encode(),
        b"\xef\xbb\xbf" + _GOOD.replace("\n", "\r\n").encode(),
        _GOOD.rstrip("\n").encode(),
        _GOOD.encode() + b"\n\n# end\n",
        _GOOD.replace("title: ", "title:\t").encode(),
    ],
    ids=["byte-order-mark", "crlf", "both", "no-last-newline", "more-newlines", "tab-after-colon"],
)
def test_what_editors_leave_in_a_file_changes_nothing(load_text, content):
    assert [(case.id, case.line) for case in load_text(content)] == [("GOOD-001", 4)]


def test_a_file_over_16_mb_is_refused_unread(tmp_path):
    path = tmp_path / "large.yaml"
    with path.open("wb") as file:
        file.truncate(MAX_BYTES + 1)  # holds NUL bytes, which reading would tell
    assert "16,000,001 bytes; a YAML case file of over 16,000,000 bytes is refused unread" in _refusal([path])


def test_a_missing_file_is_named(tmp_path):
    assert _refusal([tmp_path / "none.yaml"]) == f"{tmp_path / 'none.yaml'}: No such file or directory; " + (
        "expected a readable file"
    )


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path):
    os.mkfifo(tmp_path / "pipe.yaml")
    assert "pipe.yaml: no regular file; expected a YAML case file" in _refusal([tmp_path])
    assert "/dev/zero: no regular file" in _refusal([Path("/dev/zero")])


def test_a_loop_of_links_is_refused(tmp_path):
    (tmp_path / "loop.yaml").symlink_to("loop.yaml")
    assert "expected a readable file" in _refusal([tmp_path / "loop.yaml"])


@pytest.mark.parametrize(
    "name", ["nul\0.yaml", "n" * 300 + ".yaml", "n/" * 3000], ids=["nul", "long-name", "long-path"]
)
def test_a_path_that_no_file_can_have_is_refused(tmp_path, name):
    assert _refusal([tmp_path / name])


@pytest.mark.skipif(os.geteuid() == 0, reason="the superuser may read everything")
def test_a_file_or_folder_without_permission_is_refused(tmp_path):
    path = tmp_path / "folder" / "cases.yaml"
    path.parent.mkdir()
    path.write_text(_GOOD)
    path.chmod(0)
    assert "Permission denied" in _refusal([path])
    path.parent.chmod(0)
    try:
        assert "Permission denied" in _refusal([path.parent])
        assert "Permission denied" in _refusal([path])
    finally:
        path.parent.chmod(0o700)


def test_a_folder_is_searched_for_yaml_files_in_a_fixed_order(tmp_path):
    for name in ("b.yaml", "a.yml", "c/d.yaml", "c/a/z.yml", "notes.md", "x.json", "c/yaml"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    found = [path.relative_to(tmp_path).as_posix() for path in find_case_files([tmp_path])]
    assert found == ["a.yml", "b.yaml", "c/d.yaml", "c/a/z.yml"]


def test_a_file_named_twice_is_read_once(tmp_path):
    path = tmp_path / "cases.yaml"
    path.write_text(_GOOD)
    assert find_case_files([path, tmp_path, path]) == [path]
    assert len(load_files([path, tmp_path])) == 1


def test_a_file_that_is_named_is_read_whatever_its_ending(tmp_path):
    path = tmp_path / "cases.txt"
    path.write_text(_GOOD)
    assert len(load_files([path])) == 1


def test_a_folder_without_case_files_is_refused(tmp_path):
    (tmp_path / "readme.md").write_text("")
    assert "no case file in this folder; expected files that end in .yaml or .yml" in _refusal([tmp_path])


def test_the_problems_of_several_files_are_told_together(tmp_path):
    for name, text in (("a", "[1"), ("b", _GOOD.replace("title", "titel")), ("c", _GOOD)):
        (tmp_path / f"{name}.yaml").write_text(text)
    message = _refusal([tmp_path / "missing.yaml", *sorted(tmp_path.iterdir())])
    assert [line.partition(".yaml")[0].rpartition("/")[2] for line in message.splitlines()] == [
        "missing",
        "a",
        "b",
        "b",
    ]


def test_an_id_or_input_may_not_come_twice_in_different_files(tmp_path):
    first, second, third = (tmp_path / name for name in ("1.yaml", "2.yaml", "3.yaml"))
    first.write_text(_GOOD)
    second.write_text(_GOOD.replace("[1/2]\n", "[1/4]\n"))
    third.write_text(_GOOD.replace("GOOD-001", "GOOD-002"))
    message = _refusal([first, second, third])
    assert f"{second}:4:3: GOOD-001: the id is taken by {first}:4; expected an unused one" in message
    assert f"{third}:4:3: GOOD-002: its input is that of GOOD-001 ({first}:4)" in message


def test_cases_come_in_the_order_of_files_and_lines(tmp_path):
    ids = [["Z-002", "A-001"], ["M-001"]]
    for number, names in enumerate(ids):
        entries = [
            _GOOD.partition("cases:\n")[2].replace("GOOD-001", name).replace("[1/2]\n", f"[{number}{at}/512]\n")
            for at, name in enumerate(names)
        ]
        (tmp_path / f"{number}.yaml").write_text(_GOOD.partition("- id")[0] + "".join(entries))
    assert [case.id for case in load_files([tmp_path])] == ["Z-002", "A-001", "M-001"]


def test_a_document_is_plain_data(tmp_path):
    path = tmp_path / "cases.yaml"
    path.write_text("a: [1, x]\n")
    assert read_document(path) == {"a": [1, "x"]}


_HOSTILE = {
    "zero-with-a-huge-exponent": "0e99999999",
    "zero-with-a-huge-negative-exponent": "0.0e-99999999",
    "five-thousand-digits": "0." + "5" * 5000,
    "five-thousand-zeros": "0.5" + "0" * 5000,
    "huge-mantissa-and-exponent": "1" * 5000 + "e-5000",
}


@pytest.mark.parametrize("number", _HOSTILE.values(), ids=_HOSTILE)
def test_a_hostile_number_is_read_or_refused_at_once(tmp_path, number):
    _load_in_time(tmp_path, _GOOD.replace("[1/2]\n", f"[{number}]\n"))


def test_a_long_list_of_items_of_several_types_is_refused_at_once(tmp_path):
    items = ", ".join(f"{n}, word-{n}" for n in range(10_000))
    _load_in_time(tmp_path, _GOOD.replace("  input:", f"  tags: [{items}]\n  input:"))


def _load_in_time(tmp_path, text):
    """In a process of its own: big-integer arithmetic can't be interrupted."""
    path = tmp_path / "cases.yaml"
    path.write_text(text)
    program = (
        "import sys, pathlib\n"
        "from specharness.errors import BadSuite\n"
        "from specharness.suite.load import load_files\n"
        "try:\n    load_files([pathlib.Path(sys.argv[1])])\n"
        "except BadSuite as bad:\n    print(bad)\n"
    )
    try:
        done = subprocess.run([sys.executable, "-c", program, path], capture_output=True, text=True, timeout=5)
    except subprocess.TimeoutExpired:
        pytest.fail("still reading after 5 s")
    assert done.returncode == 0, done.stderr
