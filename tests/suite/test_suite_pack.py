"""The pack of read cases: it may save time, and never changes a result."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from specharness.errors import BadSuite
from specharness.locations import data_root
from specharness.suite import clauses as clauses_module
from specharness.suite import load as load_module
from specharness.suite.build import build_cases
from specharness.suite.files import read_document
from specharness.suite.load import load_files, load_shipped, shipped_files, suite_key
from specharness.suite.model import Case, Expected
from specharness.suite.pack import digest_of, read_pack, remove_oldest, write_pack

_KEY = "k" * 64
_CASES = [
    Case(
        id="PACK-001",
        title="a title: größer",
        clauses=("SV-RES-1", "SV-TIE-1"),
        tags=("a", "b"),
        dtypes=("float64",),
        policies=(("knot", "left"), ("support", "letter")),
        notes="two\nlines",
        profile="argmax",
        file="cases/x.yaml",
        line=7,
        arguments_json='{"draft_tokens": [], "draft_probs": [], "target_probs": [["NaN"]], "random_samples": []}',
        expected=Expected((0, 2), None),
    ),
]
_CASES.append(
    replace(_CASES[0], id="PACK-002/1", dtypes=(), policies=(), notes="", expected=Expected(raises="ValueError"))
)


@pytest.fixture(scope="module")
def small_pack(tmp_path_factory):
    path = tmp_path_factory.mktemp("pack") / "suite.pack"
    assert write_pack(path, _KEY, _CASES)
    return path.read_bytes()


@pytest.fixture
def cache(tmp_path, monkeypatch):
    """The folder that packs are kept in, not yet there."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path / "cache" / "specharness"


@pytest.fixture
def small_suite_root(tmp_path, monkeypatch, cache):
    """The root of a suite of two case files that may be changed, in the place of the shipped one."""
    root = tmp_path / "root"
    shutil.copytree(data_root() / "spec", root / "spec")
    (root / "cases").mkdir()
    good = (Path(__file__).parent / "files" / "good" / "minimal.yaml").read_text()
    (root / "cases" / "a.yaml").write_text(good)
    (root / "cases" / "b.yaml").write_text(good.replace("GOOD", "MORE").replace("[1/2]\n", "[1/4]\n"))
    for module in (load_module, clauses_module):
        monkeypatch.setattr(module, "data_root", lambda: root)
    return root


@pytest.fixture
def right_cases(small_suite_root):
    return load_files(shipped_files(small_suite_root), shown_from=small_suite_root)


def _pack_in(cache):
    (path,) = cache.iterdir()
    return path


def test_a_pack_gives_back_the_cases_that_it_was_made_of(tmp_path):
    path = tmp_path / "new" / "folder" / "suite.pack"
    assert write_pack(path, _KEY, _CASES)
    assert read_pack(path, _KEY) == _CASES


def test_a_pack_is_for_one_key(tmp_path):
    path = tmp_path / "suite.pack"
    write_pack(path, _KEY, _CASES)
    assert read_pack(path, "l" * 64) is None
    assert read_pack(path, "") is None


def test_a_pack_with_any_byte_changed_counts_as_none(tmp_path, small_pack):
    path = tmp_path / "suite.pack"
    for at in range(len(small_pack)):
        for change in (1, 0x80):
            damaged = bytearray(small_pack)
            damaged[at] ^= change
            path.write_bytes(damaged)
            assert read_pack(path, _KEY) is None, f"byte {at} changed by {change}"


def test_a_pack_cut_at_any_place_counts_as_none(tmp_path, small_pack):
    path = tmp_path / "suite.pack"
    for length in range(len(small_pack)):
        path.write_bytes(small_pack[:length])
        assert read_pack(path, _KEY) is None, f"cut to {length} bytes"


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.binary(max_size=200))
@example(b"\n[]")
@example(b"\xff\n")
def test_any_bytes_count_as_none(tmp_path, content):
    path = tmp_path / "suite.pack"
    path.write_bytes(content)
    assert read_pack(path, _KEY) is None


@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(max_size=5),
        lambda inner: st.lists(inner, max_size=12) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
        max_leaves=20,
    ).filter(lambda content: content not in ([], {}, ""))
)
def test_a_pack_of_the_right_digest_that_holds_no_cases_counts_as_none(tmp_path, content):
    path = tmp_path / "suite.pack"
    write_pack(path, _KEY, [])
    head, _, _ = path.read_bytes().partition(b"\n")
    payload = json.dumps(content).encode()
    path.write_bytes(head.replace(_digest(b"[]"), _digest(payload)) + b"\n" + payload)
    assert read_pack(path, _KEY) is None


def _digest(payload):
    return hashlib.sha256(payload).hexdigest().encode()


def test_a_pack_that_can_not_be_written_is_not_written(tmp_path):
    (tmp_path / "file").write_text("")
    (tmp_path / "folder.pack").mkdir()
    assert write_pack(tmp_path / "file" / "suite.pack", _KEY, _CASES) is False
    assert write_pack(tmp_path / "folder.pack", _KEY, _CASES) is False
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "folder.pack"]


def test_a_pack_that_is_a_folder_or_missing_counts_as_none(tmp_path):
    assert read_pack(tmp_path, _KEY) is None
    assert read_pack(tmp_path / "none.pack", _KEY) is None


def test_the_cases_are_packed_once_and_read_back_the_same(cache, right_cases):
    assert load_shipped() == right_cases
    pack = _pack_in(cache)
    before = pack.stat().st_mtime_ns
    assert load_shipped() == right_cases
    assert _pack_in(cache).stat().st_mtime_ns == before


def test_the_shipped_suite_is_the_same_from_its_files_and_from_its_pack():
    root, problems, written = data_root(), [], []
    for path in shipped_files(root):
        written += build_cases(read_document(path), path.relative_to(root).as_posix(), problems)
    assert problems == []
    assert load_shipped() == [item.case for item in written] == load_shipped()


def test_a_pack_is_in_fact_used(cache, small_suite_root):
    load_shipped()
    write_pack(_pack_in(cache), suite_key(small_suite_root), _CASES)
    assert load_shipped() == _CASES


def _empty(pack):
    pack.write_bytes(b"")


def _cut(pack):
    pack.write_bytes(pack.read_bytes()[:-1])


def _changed(pack):
    content = bytearray(pack.read_bytes())
    content[len(content) // 2] ^= 1
    pack.write_bytes(content)


def _of_another_key(pack):
    write_pack(pack, "0" * 64, _CASES)


def _without_cases(pack):
    head, _, _ = pack.read_bytes().partition(b"\n")
    write_pack(pack, head.split()[3].decode(), [])


def _a_folder(pack):
    pack.unlink()
    pack.mkdir()


def _a_link_to_nothing(pack):
    pack.unlink()
    pack.symlink_to("nowhere")


def _a_link_to_itself(pack):
    pack.unlink()
    pack.symlink_to(pack.name)


@pytest.mark.parametrize(
    "damage",
    [_empty, _cut, _changed, _of_another_key, _without_cases, _a_folder, _a_link_to_nothing, _a_link_to_itself],
    ids=lambda damage: damage.__name__.strip("_"),
)
def test_a_pack_that_was_tampered_with_changes_no_result(cache, right_cases, damage):
    load_shipped()
    damage(_pack_in(cache))
    assert load_shipped() == right_cases
    assert load_shipped() == right_cases


def test_a_damaged_pack_is_made_anew(cache, small_suite_root):
    load_shipped()
    pack = _pack_in(cache)
    content = pack.read_bytes()
    _changed(pack)
    load_shipped()
    assert pack.read_bytes() == content


@pytest.mark.parametrize("place", ["a-file", "below-a-file", "null-device", "relative", "empty", "long"])
def test_a_cache_folder_that_can_not_be_used_changes_no_result(tmp_path, monkeypatch, right_cases, place):
    (tmp_path / "file").write_text("")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    value = {
        "a-file": str(tmp_path / "file"),
        "below-a-file": str(tmp_path / "file" / "x"),
        "null-device": "/dev/null",
        "relative": "file",
        "empty": "",
        "long": "/" + "n" * 300,
    }[place]
    monkeypatch.setenv("XDG_CACHE_HOME", value)
    assert load_shipped() == right_cases
    assert (tmp_path / "file").read_text() == ""


def test_a_cache_without_a_home_changes_no_result(monkeypatch, right_cases):
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", "/nonexistent/home")
    assert load_shipped() == right_cases


def _touch(path, seconds):
    path.write_text("")
    os.utime(path, (seconds, seconds))


def test_the_oldest_packs_are_removed_when_one_is_made_and_nothing_else(cache, small_suite_root):
    """Several checkouts may share the folder, so the newest packs stay."""
    cache.mkdir(parents=True)
    for number in range(10):
        _touch(cache / f"suite-{number}.pack", 1000 + number)
    for name in ("notes.txt", "suite-x.txt", "other.pack"):
        _touch(cache / name, 1)
    load_shipped()
    packs = {path.name for path in cache.glob("suite-*.pack")}
    made = f"suite-{suite_key(small_suite_root)[:16]}.pack"
    assert packs == {made, *(f"suite-{number}.pack" for number in range(3, 10))}
    assert {path.name for path in cache.iterdir()} - packs == {"notes.txt", "suite-x.txt", "other.pack"}
    load_shipped()
    assert {path.name for path in cache.glob("suite-*.pack")} == packs


def test_remove_oldest_keeps_as_many_as_it_is_told_to(tmp_path):
    for number, name in enumerate(("suite-b.pack", "suite-c.pack", "suite-a.pack")):
        _touch(tmp_path / name, 1000 + number)
    remove_oldest(tmp_path, keep=2)
    assert {path.name for path in tmp_path.iterdir()} == {"suite-c.pack", "suite-a.pack"}
    remove_oldest(tmp_path / "none", keep=0)


def test_a_folder_in_the_place_of_an_old_pack_is_left_alone(tmp_path):
    (tmp_path / "suite-folder.pack").mkdir()
    remove_oldest(tmp_path, keep=0)
    assert [path.name for path in tmp_path.iterdir()] == ["suite-folder.pack"]


def test_a_changed_added_removed_or_renamed_case_file_makes_the_pack_stale(small_suite_root):
    cases = small_suite_root / "cases"

    def titles():
        return [(case.id, case.title, case.file) for case in load_shipped()]

    title = "one draft token, accepted"
    assert titles() == [("GOOD-001", title, "cases/a.yaml"), ("MORE-001", title, "cases/b.yaml")]
    text = (cases / "a.yaml").read_text()
    (cases / "a.yaml").write_text(text.replace("accepted\n", "kept\n"))
    assert titles()[0][1] == "one draft token, kept"
    (cases / "a.yaml").rename(cases / "z.yaml")
    assert [name for name, _, _ in titles()] == ["MORE-001", "GOOD-001"]
    (cases / "b.yaml").unlink()
    assert [name for name, _, _ in titles()] == ["GOOD-001"]


def test_a_case_that_becomes_wrong_is_refused_though_a_pack_of_the_right_one_exists(small_suite_root):
    load_shipped()
    path = small_suite_root / "cases" / "a.yaml"
    path.write_text(path.read_text().replace("bonus_token: 1", "bonus_token: 0"))
    with pytest.raises(BadSuite, match=r"^cases/a\.yaml:12:3: GOOD-001: expects bonus_token 0"):
        load_shipped()


def test_a_changed_clause_of_a_profile_makes_the_pack_stale(small_suite_root):
    load_shipped()
    path = small_suite_root / "spec" / "profiles.md"
    path.write_text(path.read_text().replace("### SV-SMP-1 (MUST)", "### SV-BON-1 (MUST)"))
    with pytest.raises(BadSuite, match=r"profiles\.md: SV-BON-1 stands in two files"):
        load_shipped()


def test_a_changed_clause_makes_the_pack_stale(small_suite_root):
    load_shipped()
    path = small_suite_root / "spec" / "verification.md"
    path.write_text(path.read_text().replace("### SV-BON-1 (MUST)", "### SV-BON-9 (MUST)"))
    with pytest.raises(BadSuite, match="found the clause SV-BON-1, which the spec lacks"):
        load_shipped()


def test_a_suite_without_case_files_is_refused(small_suite_root):
    shutil.rmtree(small_suite_root / "cases")
    with pytest.raises(BadSuite):
        load_shipped()


def test_a_suite_without_its_schema_is_refused(small_suite_root):
    (small_suite_root / "spec" / "schema" / "cases.schema.json").unlink()
    with pytest.raises(BadSuite, match=r"cases\.schema\.json"):
        load_shipped()


def test_a_digest_tells_names_sizes_and_contents_apart(tmp_path):
    def digest(*files):
        for name, text in files:
            (tmp_path / name).write_text(text)
        return digest_of([(name, tmp_path / name) for name, _ in files])

    digests = [
        digest(("a", "1"), ("b", "2")),
        digest(("a", "12"), ("b", "")),
        digest(("a", "1"), ("c", "2")),
        digest(("b", "2"), ("a", "1")),
        digest(("a", "1")),
        digest(("a", "1\n1 1 b2")),
        digest(),
    ]
    assert len(set(digests)) == len(digests)
    assert digest(("a", "1"), ("b", "2")) == digests[0]
