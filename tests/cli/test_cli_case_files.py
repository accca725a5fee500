"""Case files are untrusted: whatever they are, the command says what is wrong, with exit code 3, and soon."""

import os

import pytest

HEAD = 'spec: "1.0"\nprofile: argmax\ncases:\n'


@pytest.fixture
def bad_file(tmp_path):
    """Makes a bad case file of a kind, and gives its path."""
    made = {
        "binary": lambda path: path.write_bytes(bytes(range(256)) * 40),
        "not UTF-8": lambda path: path.write_bytes(HEAD.encode() + b"# caf\xe9\n"),
        "UTF-16": lambda path: path.write_text(HEAD, encoding="utf-16"),
        "huge": lambda path: path.touch() or os.truncate(path, 10**11),
        "a byte too large": lambda path: path.touch() or os.truncate(path, 16_000_001),
        "deep": lambda path: path.write_text("[" * 10_000),
        "deep mapping": lambda path: path.write_text("{a: " * 10_000),
        "deep block": lambda path: path.write_text("- " * 10_000 + "a"),
        "alias bomb": lambda path: path.write_text(
            "a: &a [x, x]\n"
            + "".join(f"{chr(98 + i)}: &{chr(98 + i)} [*{chr(97 + i)}, *{chr(97 + i)}]\n" for i in range(24))
        ),
        "tag": lambda path: path.write_text("!!python/object/apply:os.system ['touch hacked']\n"),
        "empty": lambda path: path.touch(),
        "only a comment": lambda path: path.write_text("# nothing yet\n"),
        "two documents": lambda path: path.write_text("---\na: 1\n---\nb: 2\n"),
        "no mapping": lambda path: path.write_text("- 1\n- 2\n"),
        "a text": lambda path: path.write_text("just a sentence\n"),
        "no cases": lambda path: path.write_text(HEAD.replace("cases:", "cases: []")),
        "no YAML": lambda path: path.write_text("a: [1, 2\nb: }\n"),
        "tabs": lambda path: path.write_text("a:\n\t- 1\n"),
        "folder without cases": lambda path: path.mkdir() or (path / "notes.txt").touch(),
        "missing": lambda path: None,
        "fifo": os.mkfifo,
        "endless device": lambda path: path.symlink_to("/dev/zero"),
        "null device": lambda path: path.symlink_to(os.devnull),
        "broken link": lambda path: path.symlink_to("nowhere.yaml"),
        "link to itself": lambda path: path.symlink_to(path),
        "name too long": lambda path: None,
    }

    def make(kind):
        path = tmp_path / ("x" * 300 + ".yaml" if kind == "name too long" else "bad.yaml")
        made[kind](path)
        return path

    return make


@pytest.mark.parametrize(
    ("kind", "words"),
    [
        ("binary", "a binary file (byte 0 is NUL); expected YAML text"),
        ("not UTF-8", "not UTF-8 text (byte 40); expected a YAML case file"),
        ("UTF-16", "expected YAML text"),
        ("huge", "100,000,000,000 bytes; a YAML case file of over 16,000,000 bytes is refused unread"),
        ("a byte too large", "16,000,001 bytes; a YAML case file of over 16,000,000 bytes is refused unread"),
        ("deep", "nest"),
        ("deep mapping", "nest"),
        ("deep block", "nest"),
        ("alias bomb", "bad.yaml:1:4: the anchor &a; anchors are not allowed"),
        ("tag", "bad.yaml:1:1: the tag"),
        ("empty", "the file is empty; expected a mapping with spec, profile and cases"),
        ("only a comment", "the file is empty; expected a mapping with spec, profile and cases"),
        ("two documents", "bad.yaml:3:1: a second document; expected one a file"),
        ("no mapping", "bad.yaml:1:1: found [1, 2]; expected a mapping"),
        ("a text", "found 'just a sentence'; expected a mapping"),
        ("no cases", "expected at least 1 of it"),
        ("no YAML", "not YAML"),
        ("tabs", "not YAML"),
        ("folder without cases", "no case file in this folder; expected files that end in .yaml or .yml"),
        ("missing", "No such file or directory; expected a readable file"),
        ("fifo", "no regular file; expected a YAML case file"),
        ("endless device", "no regular file; expected a YAML case file"),
        ("null device", "no regular file; expected a YAML case file"),
        ("broken link", "No such file or directory; expected a readable file"),
        ("link to itself", "Too many levels of symbolic links"),
        ("name too long", "File name too long"),
    ],
)
def test_a_file_that_is_no_suite_is_refused_with_its_name_and_reason(command, bad_file, tmp_path, kind, words):
    path = bad_file(kind)
    ended = command("validate", path)
    assert ended.returncode == 3
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"specharness: {path}")
    assert words in ended.stderr
    assert "Traceback" not in ended.stderr
    assert len(ended.stderr) < 2_000
    assert ended.seconds < 5
    assert not (tmp_path / "hacked").exists()


@pytest.mark.parametrize("kind", ["huge", "missing", "fifo"])
def test_a_run_on_a_file_that_is_no_suite_judges_nothing(specharness, bad_file, right, small_suite, kind):
    path = bad_file(kind)
    ended = specharness("--impl", right, "--cases", small_suite, "--cases", path)
    assert ended.returncode == 3
    assert ended.stdout == ""
    assert ended.stderr.startswith(f"specharness: {path}")
    assert ended.left_behind == []


@pytest.mark.parametrize("words", [("list", "--cases"), ("show", "ACC-001", "--cases")])
def test_the_other_commands_refuse_it_as_well(command, bad_file, words):
    ended = command(*words, bad_file("binary"))
    assert ended.returncode == 3
    assert "a binary file" in ended.stderr


@pytest.mark.parametrize("command", [("validate",), ("--impl", "IMPL", "--cases")])
@pytest.mark.parametrize("what", ["file", "folder", "file in a folder"])
def test_what_may_not_be_read_is_refused(
    specharness, write_suite, case_of, tmp_path, right, without_privileges, command, what
):
    folder = tmp_path / "closed"
    folder.mkdir()
    path = write_suite(case_of("ACC-001"), name="closed/suite.yaml")
    (path if what == "file" else folder).chmod(0)
    words = [right if word == "IMPL" else word for word in command]
    ended = specharness(*words, folder if what == "folder" else path, preexec_fn=without_privileges)
    folder.chmod(0o700)
    assert "Permission denied" in ended.stderr or "not readable" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert ended.returncode == 3


def test_all_that_is_wrong_in_all_files_is_told_at_once(command, write_suite, case_of):
    first = write_suite(case_of("ACC-001", claues=[]), name="first.yaml")
    second = write_suite(case_of("RES-001", title=""), case_of("IN-001", clauses=["SV-IN-99"]), name="second.yaml")
    ended = command("validate", first, second)
    assert ended.returncode == 3
    lines = ended.stderr.splitlines()
    assert len(lines) == 2
    assert "Did you mean clauses?" in lines[0]
    assert "RES-001" in lines[1]


def test_an_expectation_that_the_reference_does_not_share_is_refused(command, write_suite, case_of):
    suite = write_suite(case_of("ACC-001", expect={"accepted_tokens": [], "bonus_token": 0, "acceptance_count": 0}))
    ended = command("validate", suite)
    assert ended.returncode == 3
    assert "ACC-001: expects accepted_tokens [], but the reference gives [1]" in ended.stderr


def test_a_thousand_problems_are_cut_short(command, write_suite, case_of):
    suite = write_suite(*(case_of("ACC-001", id=f"acc-{number}") for number in range(300)))
    ended = command("validate", suite)
    assert ended.returncode == 3
    assert ended.stderr.endswith("... and 250 more\n")
    assert len(ended.stderr.splitlines()) == 51


def test_a_case_of_ten_thousand_tokens_is_judged(command, right, write_suite, case_of):
    count = 10_000
    case = case_of(
        "ACC-001",
        title="ten thousand drafts, all accepted",
        input={
            "draft_tokens": [0] * count,
            "draft_probs": [["8/16", "8/16"]] * count,
            "target_probs": [["8/16", "8/16"]] * count,
            "random_samples": ["4/16"] * count,
        },
        expect={"accepted_tokens": [0] * count, "bonus_token": None, "acceptance_count": count},
    )
    suite = write_suite(case)
    ended = command("--impl", right, "--cases", suite)
    assert ended.stderr == ""
    assert ended.last_line == "conformant: 1 gating case passed"
    assert ended.seconds < 20


def test_a_large_vocabulary_is_shown_in_short(command, wrong, write_suite, case_of):
    size = 2_000
    rest = [f"1/{2**20}"] * (size - 1)
    first = f"{2**20 - (size - 1)}/{2**20}"
    case = case_of(
        "ACC-001",
        input={
            "draft_tokens": [0],
            "draft_probs": [[first, *rest]],
            "target_probs": [[first, *rest], [*rest, first]],
            "random_samples": ["4/16"],
        },
        expect={"accepted_tokens": [0], "bonus_token": size - 1, "acceptance_count": 1},
    )
    ended = command("--impl", wrong, "--cases", write_suite(case))
    assert ended.returncode == 1
    assert "2000 entries, the greatest at token 1999" in " ".join(ended.stdout.split())
    assert len(ended.stdout) < 4_000


def test_a_folder_is_searched_for_both_endings_in_a_fixed_order(command, write_suite, case_of, tmp_path):
    (tmp_path / "b").mkdir()
    write_suite(case_of("RES-001"), name="b/one.yml")
    write_suite(case_of("ACC-001"), name="two.yaml")
    write_suite(case_of("IN-001"), name="ignored.json")
    ended = command("list", "--cases", tmp_path)
    assert [line.split()[0] for line in ended.stdout.splitlines()] == ["ACC-001", "RES-001"]


def test_a_file_with_a_byte_order_mark_is_read(command, write_suite, case_of):
    path = write_suite(case_of("ACC-001"))
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes())
    assert command("validate", path).stdout == "valid: 1 case in 1 file\n"


def test_a_path_that_is_no_unicode_is_named_in_escapes(command):
    ended = command("validate", "caf\udce9.yaml")
    assert ended.returncode == 3
    assert "caf\\udce9.yaml: No such file or directory" in ended.stderr
