"""Case files by example: each in files/good is read, each in files/bad is refused with the texts it names itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from specharness.errors import BadSuite
from specharness.suite.load import load_files

_FILES = Path(__file__).parent / "files"
_GOOD = sorted((_FILES / "good").glob("*.yaml"))
_BAD = sorted((_FILES / "bad").glob("*.yaml"))
_EXPECT = "# expect: "


def _expectations(path: Path) -> list[str]:
    texts = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(_EXPECT):
            break
        texts.append(line.removeprefix(_EXPECT))
    return texts


@pytest.mark.parametrize("path", _GOOD, ids=lambda path: path.stem)
def test_a_good_file_is_read(path):
    assert load_files([path])


@pytest.mark.parametrize("path", _BAD, ids=lambda path: path.stem)
def test_a_bad_file_is_refused_with_what_it_expects(path):
    texts = _expectations(path)
    assert texts, f"{path.name} must begin with lines '{_EXPECT}TEXT'"
    with pytest.raises(BadSuite) as caught:
        load_files([path])
    message = str(caught.value)
    missing = [text for text in texts if text not in message]
    assert not missing, f"missing {missing} in:\n{message}"


def test_the_folders_hold_files():
    assert len(_GOOD) >= 5
    assert len(_BAD) >= 100


def test_no_two_bad_files_are_the_same():
    seen: dict[tuple[str, ...], str] = {}
    for path in _BAD:
        body = tuple(line for line in path.read_text(encoding="utf-8").splitlines() if not line.startswith(_EXPECT))
        assert seen.setdefault(body, path.name) == path.name


def test_the_problems_of_all_files_are_told_at_once():
    with pytest.raises(BadSuite) as caught:
        load_files([_FILES / "bad"])
    told = "\n".join(caught.value.problems)
    shaped = [path for path in _BAD if f"{path.name}:" not in told]
    # a file of the right shape is looked into only where all others have it too
    assert len(_BAD) - len(shaped) > len(_BAD) / 2
    assert len(str(caught.value).splitlines()) == BadSuite.shown + 1
    assert str(caught.value).endswith(f"... and {len(caught.value.problems) - BadSuite.shown} more")
