"""Writing a file in one step."""

from __future__ import annotations

import os
import stat
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from specharness.atomic import write_atomically


def _names(folder):
    return sorted(path.name for path in folder.iterdir())


def test_a_new_file_is_written_whole(tmp_path):
    write_atomically(tmp_path / "new", b"content")
    assert (tmp_path / "new").read_bytes() == b"content"
    assert _names(tmp_path) == ["new"]


def test_an_old_file_is_replaced(tmp_path):
    (tmp_path / "file").write_bytes(b"a longer old content")
    write_atomically(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert _names(tmp_path) == ["file"]


def test_who_reads_an_open_old_file_sees_the_old_content(tmp_path):
    (tmp_path / "file").write_bytes(b"old")
    with (tmp_path / "file").open("rb") as reader:
        write_atomically(tmp_path / "file", b"new")
        assert reader.read() == b"old"


@pytest.mark.parametrize("step", ["fsync", "chmod", "replace"])
@pytest.mark.parametrize(
    "failure", [OSError(28, "No space left on device"), KeyboardInterrupt()], ids=["full", "interrupt"]
)
def test_the_old_file_stays_and_nothing_is_left_where_a_step_fails(tmp_path, monkeypatch, step, failure):
    (tmp_path / "file").write_bytes(b"old")

    def fail(*arguments):
        raise failure

    monkeypatch.setattr(os, step, fail)
    with pytest.raises(type(failure)):
        write_atomically(tmp_path / "file", b"new")
    monkeypatch.undo()
    assert (tmp_path / "file").read_bytes() == b"old"
    assert _names(tmp_path) == ["file"]


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o664, 0o400, 0o755])
def test_the_permissions_of_the_old_file_are_kept(tmp_path, mode):
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "file").chmod(mode)
    write_atomically(tmp_path / "file", b"new")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_a_new_file_has_the_permissions_that_open_would_give(tmp_path, mask, mode):
    before = os.umask(mask)
    try:
        write_atomically(tmp_path / "file", b"")
        assert os.umask(mask) == mask
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == mode


def test_a_link_stays_and_its_target_is_written(tmp_path):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "target").write_bytes(b"old")
    (tmp_path / "link").symlink_to("there/target")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "there" / "target").read_bytes() == b"new"
    assert _names(tmp_path / "there") == ["target"]


def test_a_link_to_a_file_that_is_not_there_makes_it(tmp_path):
    (tmp_path / "link").symlink_to("target")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_bytes() == b"new"


@pytest.mark.parametrize("name", ["n" * 255, "größe" * 30, ".hidden", "a b"])
def test_any_name_that_a_file_may_have_will_do(tmp_path, name):
    write_atomically(tmp_path / name, b"new")
    assert _names(tmp_path) == [name]


def test_a_folder_in_the_place_of_the_file_stays(tmp_path):
    (tmp_path / "folder").mkdir()
    with pytest.raises(OSError, match="folder"):
        write_atomically(tmp_path / "folder", b"new")
    assert _names(tmp_path) == ["folder"]


def test_a_missing_folder_is_not_made(tmp_path):
    with pytest.raises(FileNotFoundError):
        write_atomically(tmp_path / "none" / "file", b"new")
    assert _names(tmp_path) == []


def test_an_interrupt_just_after_the_new_file_is_in_place_is_told_as_one(tmp_path, monkeypatch):
    def replace_and_stop(*arguments):
        rename(*arguments)
        raise KeyboardInterrupt

    rename = os.replace
    monkeypatch.setattr(os, "replace", replace_and_stop)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "file", b"new")
    assert (tmp_path / "file").read_bytes() == b"new"
    assert _names(tmp_path) == ["file"]


def test_a_pipe_is_written_to_by_the_name_that_a_shell_gives_it():
    reading, writing = os.pipe()
    write_atomically(Path(f"/dev/fd/{writing}"), b"content")
    os.close(writing)
    with open(reading, "rb") as reader:
        assert reader.read() == b"content"


def test_a_pipe_takes_more_than_it_holds(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with ThreadPoolExecutor(1) as pool:
        read = pool.submit((tmp_path / "pipe").read_bytes)
        deadline = time.monotonic() + 10
        while not _is_written(tmp_path / "pipe", b"x" * 1_000_000):
            assert time.monotonic() < deadline
        assert len(read.result(10)) == 1_000_000
    assert (tmp_path / "pipe").is_fifo()


def _is_written(path, content):
    try:
        write_atomically(path, content)
    except OSError:  # the reader is not there yet
        return False
    return True


def test_a_pipe_that_nobody_reads_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="nobody reads this pipe"):
        write_atomically(tmp_path / "pipe", b"content")
