"""What an implementation or a case file says is untrusted: no terminal and no CI system obeys it."""

import json
import re
import shlex
import sys
from pathlib import Path

import pytest

from specharness.report.formats import FORMATS

PEER = Path(__file__).parent.parent / "implementation" / "peers" / "peer.py"

HOSTILE = (
    "\x1b[31mred\x07\x08\r\n::error::forged\n##[error]forged\n"
    "##vso[task.complete]x\u202e\u2028\x9b31m::set-output name=a::b"
)


def assert_harmless(text):
    assert re.findall(r"[^\n -~\u00a0-\uffff]|\u202e|\u2028|\x9b", text) == []
    assert not re.search(r"^\s*::", text, re.MULTILINE)
    assert "::error" not in text
    assert "::set-output" not in text
    assert "##[" not in text
    assert "##vso" not in text


IMPLEMENTATION = f"""
import sys
HOSTILE = {HOSTILE!a}

class Shown:
    def __repr__(self):
        return HOSTILE

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    number = int(random_samples[0] * 256)
    result = {{"accepted_tokens": [1], "bonus_token": 2, "acceptance_count": 1}}
    if number == 1:
        return HOSTILE
    if number == 2:
        return {{**result, "bonus_token": HOSTILE}}
    if number == 3:
        return {{**result, HOSTILE: 1}}
    if number == 4:
        return {{**result, "accepted_tokens": [HOSTILE, Shown()]}}
    if number == 5:
        return {{**result, "acceptance_count": Shown()}}
    if number == 6:
        raise RuntimeError(HOSTILE)
    if number == 7:
        raise type(HOSTILE.replace("\\0", ""), (Exception,), {{}})("named badly")
    if number == 8:
        return type(HOSTILE, (), {{"__module__": HOSTILE}})()
    if number == 9:
        print(HOSTILE)
        print(HOSTILE, file=sys.stderr)
        return None
    if number == 10:
        raise RuntimeError("in the source: ::error::forged ##[error]forged")
    if number == 11:
        sys.stdout.buffer.write(HOSTILE.encode() + bytes(range(256)))
        return None
    if number == 12:
        exec(compile("raise RuntimeError('from elsewhere')", HOSTILE, "exec"))
    return result
"""


@pytest.fixture
def hostile(tmp_path):
    path = tmp_path / "hostile.py"
    path.write_text(IMPLEMENTATION)
    return path


def test_results_exceptions_and_output_are_escaped(specharness, hostile, long_suite):
    ended = specharness("--impl", hostile, "--cases", long_suite, "-v")
    assert ended.returncode == 1, ended.stderr
    assert ended.last_line == "nonconformant: 12 of 40 gating cases failed"
    assert_harmless(ended.stdout)
    assert_harmless(ended.stderr)
    assert ended.stdout.count("forged") >= 12


def test_reports_of_every_format_are_escaped(specharness, hostile, long_suite, tmp_path):
    kinds = [kind for kind in FORMATS if kind != "json"]
    words = [word for kind in kinds for word in ("--report", f"{kind}={kind}.out")]
    ended = specharness("--impl", hostile, "--cases", long_suite, "--report", "github=-", *words)
    assert ended.returncode == 1, ended.stderr
    told = [line for line in ended.stdout.splitlines() if line.startswith("::")]
    assert told == (tmp_path / "github.out").read_text().splitlines()
    assert [line.partition(" ")[0] for line in told] == ["::error"] * 10 + ["::notice"]
    for kind in kinds:
        text = (tmp_path / f"{kind}.out").read_text()
        assert "forged" in text
        assert_harmless(re.sub("^::(error|notice) ", "", text, flags=re.MULTILINE) if kind == "github" else text)


def test_json_tells_what_came_in_escapes_of_its_own(command, hostile, right, long_suite, tmp_path):
    def tells(name):
        text = (tmp_path / name).read_text()
        assert_ascii_without_commands(text)
        return json.loads(text)

    run = ("--cases", long_suite, "--report")
    printed = command("--impl", hostile, *run, "json=-").stdout
    assert_ascii_without_commands(printed)
    assert "##[error]forged" in json.loads(printed)["cases"][5]["observed"]["message"]
    command("--impl", hostile, *run, "json=hostile.json")
    command("--impl", right, *run, "json=right.json")
    command("diff", "right.json", "hostile.json", "--report", "json=diff.json")
    command("matrix", "--impl", right, "--impl", hostile, *run, "json=matrix.json")
    for name in ("hostile.json", "diff.json", "matrix.json"):
        assert "forged" in str(tells(name))


def assert_ascii_without_commands(text):
    assert re.findall(r"[^\n -~]|^\s*::|##", text, re.MULTILINE) == []


@pytest.mark.parametrize("options", [[], ["-q"]], ids=str)
def test_shorter_reports_are_escaped_as_well(command, hostile, long_suite, options):
    ended = command("--impl", hostile, "--cases", long_suite, *options)
    assert ended.returncode == 1
    assert_harmless(ended.stdout)


def test_advice_is_escaped(command, long_suite, tmp_path):
    (tmp_path / "advised.py").write_text(
        f"class Int(int):\n    def __repr__(self):\n        return {HOSTILE!a}\n\n"
        "def verify_speculative_tokens(a, b, c, d):\n"
        "    return {'accepted_tokens': [1], 'bonus_token': Int(2), 'acceptance_count': 1}\n"
    )
    ended = command("--impl", "advised.py", "--cases", long_suite)
    assert ended.returncode == 0
    assert "SV-OUT-5" in ended.stdout
    assert_harmless(ended.stdout)


@pytest.mark.parametrize(
    "text",
    [
        f"raise RuntimeError({HOSTILE!a})",
        f"print({HOSTILE!a}); raise SystemExit(1)",
        f"import os; os.write(2, {HOSTILE.encode()!r}); os._exit(1)",
        "raise RuntimeError('x')  # ::error::forged ##[error]forged",
        f"raise type({HOSTILE!a}, (Exception,), {{}})",
    ],
)
def test_what_a_failing_import_says_is_escaped(command, small_suite, tmp_path, text):
    (tmp_path / "failing.py").write_text(text)
    ended = command("--impl", "failing.py", "--cases", small_suite)
    assert ended.returncode == 4
    assert_harmless(ended.stderr)
    assert ended.stdout == ""


def test_what_a_peer_says_is_escaped(specharness, small_suite, tmp_path):
    line = json.dumps({"type": "refused", "message": HOSTILE})
    (tmp_path / "peer.sh").write_text(f"read line; printf '%s\\n' {shlex.quote(line)}\n")
    ended = specharness("--impl", "exec:sh peer.sh", "--cases", small_suite)
    assert ended.returncode == 4
    assert "forged" in ended.stderr
    assert_harmless(ended.stderr)


def test_a_transcript_of_a_peer_is_escaped(command, small_suite):
    answer = json.dumps({"type": "raised", "id": 1, "exception": HOSTILE, "message": HOSTILE, "traceback": HOSTILE})
    peer = shlex.join([sys.executable, str(PEER), "transcript", answer])
    ended = command("--impl", f"exec:{peer}", "--cases", small_suite, "--case", "ACC-001", "--timeout", "0.3")
    assert ended.returncode == 1
    assert "forged" in ended.stdout
    assert_harmless(ended.stdout.partition("\n")[2].replace(peer, ""))


@pytest.mark.parametrize("words", [("list", "--cases"), ("show", "ACC-001", "--cases"), ("--impl", "WRONG", "--cases")])
def test_what_a_case_file_says_is_escaped(command, wrong, write_suite, case_of, words):
    suite = write_suite(case_of("ACC-001", title=HOSTILE[:150], notes=HOSTILE))
    ended = command(*[wrong if word == "WRONG" else word for word in words], suite)
    assert "forged" in ended.stdout
    assert_harmless(ended.stdout)


def test_what_a_bad_case_file_says_is_escaped(command, write_suite, case_of):
    suite = write_suite(
        case_of("ACC-001", **{HOSTILE: 1}),
        case_of("ACC-001", id=HOSTILE),
        case_of("ACC-001", id="ACC-002", clauses=[HOSTILE]),
        case_of("ACC-001", id="ACC-003", expect={"raises": HOSTILE}),
    )
    ended = command("validate", suite)
    assert ended.returncode == 3
    assert len(ended.stderr.splitlines()) >= 4
    assert_harmless(ended.stderr)


def test_the_name_of_a_case_file_is_escaped(command, wrong, write_suite, case_of, tmp_path):
    suite = write_suite(case_of("ACC-001"), name="\x1b[31m::error::.yaml")
    ended = command("--impl", wrong, "--cases", suite)
    assert ended.returncode == 1
    assert_harmless(ended.stdout)
    assert_harmless(command("validate", tmp_path / "\x1b[31m::error::missing.yaml").stderr)


def test_the_name_of_an_implementation_is_escaped(command, small_suite, tmp_path):
    (tmp_path / "\x1b[31m::error::.py").write_text("def verify_speculative_tokens(a, b, c, d):\n    pass\n")
    ended = command("--impl", "\x1b[31m::error::.py", "--cases", small_suite)
    assert ended.returncode == 1
    assert_harmless(ended.stdout)
    assert_harmless(command("--impl", "\x1b[31m::error::missing.py", "--cases", small_suite).stderr)
