"""`--report json=PATH`: valid, equal in content to the text, and written as a whole or not at all."""

import json
import os
import signal
import stat

import jsonschema
import pytest

from specharness.locations import data_root


@pytest.fixture(scope="session")
def schema():
    text = (data_root() / "spec" / "schema" / "report.schema.json").read_text()
    return jsonschema.Draft202012Validator(json.loads(text))


HOSTILE = """
from right import verify_speculative_tokens as right

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    number = int(random_samples[0] * 256)
    if number == 1: return {"accepted_tokens": [float("nan")], "bonus_token": float("-inf"), "acceptance_count": 10**30}
    if number == 2: raise RuntimeError("\\ud800 \\x00 \\x1b[31m")
    if number == 3: import os; os._exit(1)
    if number == 4: return ("\\ud800", b"\\xff")
    if number == 5: print("\\ud800".encode("utf-8", "surrogatepass"), "\\x1b[31m", flush=True); return None
    if number == 6: return {"\\ud800": {"\\x00": [[[[[[[[1]]]]]]]]}}
    if number == 7: draft_tokens.clear()
    return right([1], draft_probs, target_probs, random_samples)
"""


def read(path):
    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    return json.loads(path.read_bytes().decode("ascii"), parse_constant=refuse)


def test_a_report_of_anything_is_valid(specharness, schema, long_suite, right, tmp_path):
    (tmp_path / "right.py").write_text(right.read_text())
    (tmp_path / "hostile.py").write_text(HOSTILE)
    ended = specharness("--impl", "hostile.py", "--cases", long_suite, "--report", "json=r.json", "--score", "-v")
    assert ended.returncode == 1, ended.stderr
    report = read(tmp_path / "r.json")
    schema.validate(report)
    assert [case["status"] for case in report["cases"]] == ["failed"] * 6 + ["advice"] + ["passed"] * 33


@pytest.mark.parametrize(
    ("options", "facts"),
    [
        ((), {"exit_code": 1, "conformant": False, "strict": False, "dtype": "float64", "stopped": False}),
        (("--strict", "--dtype", "float32"), {"strict": True, "dtype": "float32", "exit_code": 1}),
        (("-x",), {"stopped": True, "exit_code": 1}),
        (("--case", "IN-001"), {"exit_code": 0, "conformant": True, "score": None}),
        (("--level", "should"), {"exit_code": 0, "conformant": True}),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_the_report_tells_how_the_run_was_made_and_ended(command, schema, wrong, mixed_suite, tmp_path, options, facts):
    ended = command("--impl", wrong, "--cases", mixed_suite, "--report", "json=r.json", *options)
    report = read(tmp_path / "r.json")
    schema.validate(report)
    assert {name: report[name] for name in facts} == facts
    assert report["exit_code"] == ended.returncode
    assert report["implementation"]["name"] == str(wrong)
    assert report["implementation"]["language"].startswith("Python 3.")
    assert report["profile"] == "argmax"


def test_a_self_check_can_not_be_taken_for_a_run(command, right, small_suite, tmp_path):
    command("--impl", right, "--cases", small_suite, "--report", "json=r.json")
    assert read(tmp_path / "r.json")["self_check"] is False


def test_the_report_says_what_the_text_says(command, wrong, write_suite, case_of, tmp_path):
    suite = write_suite(
        *map(case_of, ("ACC-001", "STOP-001", "RES-001", "IN-001", "IN-002")),
        case_of(
            "ACC-001", id="ACC-009", dtypes=["float32"], input={**case_of("ACC-001")["input"], "random_samples": [0]}
        ),
    )
    ended = command("--impl", wrong, "--cases", suite, "--report", "json=r.json", "-v")
    text = " ".join(ended.stdout.replace("|", " ").split())
    report = read(tmp_path / "r.json")
    assert report["counts"] == {
        "gating": {"passed": 1, "failed": 3, "advice": 0, "known": 0, "not_run": 0},
        "advisory": {"passed": 0, "failed": 0, "advice": 1, "known": 0, "not_run": 0},
    }
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed, advice on 1"
    assert report["skipped"] == [{"id": "ACC-009", "reason": "not for float64"}]
    assert "skipped, not for float64: 1 case (ACC-009)" in text
    for case in report["cases"]:
        word = {"failed": "FAIL", "advice": "ADVICE"}.get(case["status"])
        assert (f"{word} {case['id']} {case['file']}:{case['line']} {case['title']}" in text) == bool(word)
        for breach in case.get("breaches", []):
            assert f"{breach['clause']} ({breach['level']})" in text
            assert all(line in text for line in breach["lines"])
    assert all(note in text for note in report["notes"])


def test_a_report_that_was_written_takes_the_place_of_the_old_one(specharness, right, small_suite, tmp_path):
    path = tmp_path / "r.json"
    path.write_text("old " * 100_000)
    path.chmod(0o640)
    specharness("--impl", right, "--cases", small_suite, "--report", "json=r.json")
    assert read(path)["conformant"] is True
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.json"]


def test_a_report_behind_a_link_is_written_where_the_link_points(command, right, small_suite, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "r.json").symlink_to("elsewhere/real.json")
    command("--impl", right, "--cases", small_suite, "--report", "json=r.json")
    assert (tmp_path / "r.json").is_symlink()
    assert read(tmp_path / "elsewhere" / "real.json")["conformant"] is True


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (2, ("--impl", "RIGHT", "-q", "-v")),
        (3, ("--impl", "RIGHT", "--cases", "missing.yaml")),
        (4, ("--impl", "nowhere")),
        (5, ("--impl", "RIGHT", "--case", "ZZZ-999")),
    ],
)
def test_an_old_report_survives_a_run_that_judged_nothing(command, right, small_suite, tmp_path, code, words):
    (tmp_path / "r.json").write_text("old")
    given = [right if word == "RIGHT" else word for word in words]
    cases = () if "--cases" in words else ("--cases", small_suite)
    assert command(*given, *cases, "--report", "json=r.json").returncode == code
    assert (tmp_path / "r.json").read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.json"]


def test_an_old_report_survives_a_run_that_was_killed(start_specharness, small_suite, tmp_path, wait_until, processes):
    (tmp_path / "r.json").write_text("old")
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "def verify_speculative_tokens(a, b, c, d):\n"
        "    open('called', 'w').close()\n"
        "    time.sleep(0.2)\n"
    )
    process = start_specharness("--impl", "slow.py", "--cases", small_suite, "--report", "json=r.json")
    wait_until((tmp_path / "called").exists)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert (tmp_path / "r.json").read_text() == "old"
    assert sorted(entry.name for entry in tmp_path.iterdir() if entry.suffix == ".json") == ["r.json"]


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs a small file system that fills up, here a limit")
def test_an_old_report_survives_a_disk_that_is_full(specharness, right, small_suite, tmp_path):
    """A limit on the size of files stands for the full disk."""
    import resource

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))

    (tmp_path / "r.json").write_text("old")
    ended = specharness("--impl", right, "--cases", small_suite, "--report", "json=r.json", preexec_fn=limit)
    assert ended.returncode == 2
    assert "--report json=r.json: File too large; nothing was written" in ended.stderr
    assert ended.last_line == "conformant: 4 gating cases passed"
    assert (tmp_path / "r.json").read_text() == "old"
    assert [entry.name for entry in tmp_path.iterdir()] == ["r.json"]
