"""Reports of several formats in one run: where they go, that they are whole, and that nothing else is imported."""

import json
import os
import random
import signal
import subprocess
import sys
import time

import lxml.etree
import pytest

from specharness.report.formats import FORMATS
from specharness.suite.load import load_files

DOCUMENTS = [name for name, each in FORMATS.items() if not each.for_log]


def is_whole(kind, text):
    """Whether a report of this format is there from its start to its end."""
    match kind:
        case "json":
            return json.loads(text)["format"] == "specharness report 1"
        case "junit":
            return lxml.etree.fromstring(text.encode()).tag == "testsuites"
        case "markdown":
            return text.startswith("### specharness: ") and text.endswith("\n")
        case "github":
            return text.splitlines()[-1].startswith("::notice title=specharness::")
    return text.rstrip().endswith("</html>")


def test_a_run_writes_reports_of_all_formats(command, wrong, mixed_suite, tmp_path):
    words = [word for kind in FORMATS for word in ("--report", f"{kind}={kind}.out")]
    ended = command("--impl", wrong, "--cases", mixed_suite, *words)
    assert ended.returncode == 1, ended.stderr
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed, advice on 1"
    for kind in FORMATS:
        assert is_whole(kind, (tmp_path / f"{kind}.out").read_text()), kind


def test_two_reports_of_one_format_are_fine(command, right, small_suite, tmp_path):
    command("--impl", right, "--cases", small_suite, "--report", "json=a", "--report", "json=b")
    assert (tmp_path / "a").read_text() == (tmp_path / "b").read_text()


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_document_has_standard_output_for_itself(specharness, wrong, small_suite, kind):
    ended = specharness("--impl", wrong, "--cases", small_suite, "--report", f"{kind}=-")
    assert ended.returncode == 1
    assert is_whole(kind, ended.stdout)
    assert "FAIL ACC-001" in ended.stderr
    assert ended.stderr.splitlines()[-1] == "nonconformant: 3 of 4 gating cases failed"


def test_annotations_stand_before_the_text_whose_last_line_is_the_verdict(specharness, wrong, small_suite):
    ended = specharness("--impl", wrong, "--cases", small_suite, "--report", "github=-")
    lines = ended.stdout.splitlines()
    told = [line for line in lines if line.startswith("::")]
    assert lines[: len(told)] == told
    assert told[0].startswith(f"::error file={small_suite!s},line=")
    assert ended.last_line == "nonconformant: 3 of 4 gating cases failed"
    assert ended.stderr == ""
    quiet = specharness("--impl", wrong, "--cases", small_suite, "--report", "github=-", "-q")
    assert quiet.stdout.splitlines() == [*told, ended.last_line]


def test_annotations_of_shipped_cases_name_no_file(command, wrong, small_suite, monkeypatch):
    cases = load_files([small_suite])
    monkeypatch.setattr("specharness.cli.run_suite.load_suite", lambda paths: cases)
    ended = command("--impl", wrong, "--report", "github=-", env={"GITHUB_WORKSPACE": "/"})
    errors = [line for line in ended.stdout.splitlines() if line.startswith("::error ")]
    assert len(errors) == 3
    assert all(line.startswith("::error title=") for line in errors)


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("json=-", "junit=-"), "--report junit=-: named twice"),
        (("json=-", "github=-"), "--report github=-: named twice"),
        (("github=-", "github=-"), "--report github=-: named twice"),
        (("josn=r",), f"'josn=r': expected FORMAT=PATH, with the format {' or '.join(FORMATS)}. Did you mean json?"),
        (("junit",), "'junit': expected FORMAT=PATH, such as junit=PATH with the file to write."),
        (("junit=",), "'junit=': the path is empty; a variable that is not set, perhaps?"),
        (("json=link", "junit=real"), "--report junit=real: named twice"),
        (("json=loop",), "--report json=loop: Too many levels of symbolic links"),
        (("json=astray",), "elsewhere does not exist"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_reports_that_can_not_be_are_refused_before_the_run(command, tmp_path, small_suite, words, message):
    (tmp_path / "called.py").write_text("open('called', 'w')\n")
    (tmp_path / "link").symlink_to("real")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "astray").symlink_to("elsewhere/r")
    ended = command("--impl", "called.py", "--cases", small_suite, *(w for word in words for w in ("--report", word)))
    assert ended.returncode == 2
    assert message in " ".join(ended.stderr.split())
    assert not (tmp_path / "called").exists()
    assert not (tmp_path / "real").exists()


@pytest.mark.parametrize("kind", FORMATS)
def test_a_path_that_can_not_be_written_is_told_before_the_run_for_every_format(command, tmp_path, small_suite, kind):
    (tmp_path / "called.py").write_text("open('called', 'w')\n")
    ended = command("--impl", "called.py", "--cases", small_suite, "--report", f"{kind}=nowhere/r")
    assert ended.returncode == 2
    assert f"--report {kind}=nowhere/r: the folder {tmp_path}/nowhere does not exist" in " ".join(ended.stderr.split())
    assert not (tmp_path / "called").exists()


def test_a_file_may_be_named_minus(command, right, small_suite, tmp_path):
    command("--impl", right, "--cases", small_suite, "--report", "json=./-")
    assert is_whole("json", (tmp_path / "-").read_text())


@pytest.mark.parametrize("kind", ["json", "github"])
def test_a_standard_output_that_is_closed_is_told_before_the_run(processes, small_suite, tmp_path, kind):
    (tmp_path / "called.py").write_text("open('called', 'w')\n")
    words = ("--impl", "called.py", "--cases", small_suite, "--report", f"{kind}=-")
    ended = processes.run("sh", "-c", 'exec "$@" >&-', "sh", sys.executable, "-P", "-m", "specharness", *words)
    assert ended.returncode == 2
    assert f"--report {kind}=-: standard output is closed; name a file" in ended.stderr
    assert not (tmp_path / "called").exists()


def test_a_report_goes_to_a_pipe_that_a_shell_makes(specharness, right, small_suite):
    reading, writing = os.pipe()
    report = f"json=/dev/fd/{writing}"
    ended = specharness("--impl", right, "--cases", small_suite, "--report", report, pass_fds=[writing])
    os.close(writing)
    with open(reading) as reader:
        assert is_whole("json", reader.read())
    assert ended.returncode == 0, ended.stderr


def test_a_pipe_that_nobody_reads_does_not_hold_the_run_up(command, right, small_suite, tmp_path):
    os.mkfifo(tmp_path / "pipe")
    ended = command("--impl", right, "--cases", small_suite, "--report", "json=pipe")
    assert ended.returncode == 2
    assert ended.stderr == "specharness: --report json=pipe: nobody reads this pipe; nothing was written\n"
    assert ended.last_line == "conformant: 4 gating cases passed"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="this system has no /dev/full")
@pytest.mark.parametrize("kind", ["json", "github"])
def test_a_standard_output_that_is_full_is_told(specharness, right, small_suite, kind):
    with open("/dev/full", "w") as full:
        ended = specharness("--impl", right, "--cases", small_suite, "--report", f"{kind}=-", stdout=full)
    assert ended.returncode == 2
    assert "can't write to standard output: No space left on device" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("kind", ["json", "github"])
def test_a_report_that_nobody_reads_ends_quietly(specharness, right, small_suite, kind):
    reading, writing = os.pipe()
    os.close(reading)
    ended = specharness("--impl", right, "--cases", small_suite, "--report", f"{kind}=-", "-q", stdout=writing)
    os.close(writing)
    assert ended.returncode == 0
    assert ended.stderr in ("", "conformant: 4 gating cases passed\n")


def test_a_document_is_utf8_whatever_the_encoding_of_the_output(processes, wrong, write_suite, case_of):
    suite = write_suite(case_of("ACC-001", title="p ≥ q é"))
    words = ("--impl", wrong, "--cases", suite, "--report", "junit=-")
    ended = processes.run(
        sys.executable, "-m", "specharness", *words, env={"PYTHONIOENCODING": "latin-1", "PYTHONUTF8": "0"}
    )
    assert "p ≥ q é" in lxml.etree.fromstring(ended.stdout.encode()).findtext(".//failure")


def test_in_process_the_implementation_and_a_document_do_not_share_the_output(command, right, small_suite):
    one = ("--impl", right, "--cases", small_suite, "--case", "ACC-001", "--in-process")
    ended = command(*one, "--report", "json=-")
    assert ended.returncode == 2
    assert "--report json=-: with --in-process the implementation prints there as well" in ended.stderr
    ended = command(*one, "--report", "github=-")
    assert (
        ended.stdout.splitlines()[0] == "::notice title=specharness::conformant: 1 gating case passed, 1 of 4 selected"
    )


def test_an_interrupted_run_writes_what_it_has(start_specharness, long_suite, tmp_path, wait_until):
    (tmp_path / "slow.py").write_text(
        "import time\n"
        "def verify_speculative_tokens(a, b, c, d):\n"
        "    open('called', 'w').close()\n"
        "    time.sleep(0.05)\n"
    )
    process = start_specharness("--impl", "slow.py", "--cases", long_suite, "--report", "junit=r.xml")
    wait_until((tmp_path / "called").exists)
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=20)
    assert process.returncode == 130
    root = lxml.etree.parse(tmp_path / "r.xml").getroot()
    tests = root.findall(".//testcase")
    skipped = [test.find("skipped").get("message") for test in tests if test.find("skipped") is not None]
    assert len(tests) == 40
    assert set(skipped) == {"interrupted before it"}


def test_cases_after_the_first_failure_are_skipped_with_x(command, wrong, small_suite, tmp_path):
    command("--impl", wrong, "--cases", small_suite, "--report", "junit=r.xml", "-x")
    tests = lxml.etree.parse(tmp_path / "r.xml").getroot().findall(".//testcase")
    assert [child.tag for test in tests for child in test] == ["failure", "skipped", "skipped", "skipped"]


def test_the_command_in_a_report_makes_the_run_again(specharness, processes, wrong, mixed_suite, tmp_path):
    specharness("--impl", wrong, "--cases", mixed_suite, "--strict", "--tag", "re*", "--report", "json=r.json")
    first = json.loads((tmp_path / "r.json").read_text())
    (tmp_path / "r.json").unlink()
    assert first["suite"]["cases"] == 2
    processes.run(*first["command"])
    second = json.loads((tmp_path / "r.json").read_text())
    assert {**second, "seconds": 0, "cases": []} == {**first, "seconds": 0, "cases": []}


LOOP = """
import itertools, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from results import many
from specharness.cli.reports import ReportFile, write_report
results = [many(300, 150), many(600, 300)]
for turn in itertools.count():
    for kind in sys.argv[2:]:
        assert not write_report(ReportFile(kind, f"{kind}.out"), results[turn % 2])
    if turn == 1:
        Path("ready").touch()
"""


def test_a_kill_at_any_moment_leaves_the_old_report_or_the_new_one(tmp_path, wait_until):
    """A process writes two reports in turns. What stands there at any moment is what a kill would leave."""
    tests = os.path.join(os.path.dirname(os.path.dirname(__file__)), "report")
    sizes = {kind: set() for kind in FORMATS}
    process = subprocess.Popen([sys.executable, "-c", LOOP, tests, *FORMATS], cwd=tmp_path)
    wait_until((tmp_path / "ready").exists)
    for _ in range(10):
        time.sleep(random.uniform(0, 0.05))
        os.kill(process.pid, signal.SIGSTOP)
        for kind in FORMATS:
            text = (tmp_path / f"{kind}.out").read_text()
            assert is_whole(kind, text)
            sizes[kind].add(len(text))
        os.kill(process.pid, signal.SIGCONT)
    process.kill()
    process.wait()
    assert all(is_whole(kind, (tmp_path / f"{kind}.out").read_text()) for kind in FORMATS)
    assert all(1 <= len(each) <= 2 for each in sizes.values())


RENDERERS = ("json_report", "junit", "markdown", "github", "html_page")


def imported(words, cwd):
    """The modules that the command has imported at its end."""
    program = f"import sys, atexit; sys.argv = ['specharness', *{words!r}]; from specharness.cli.main import main\n"
    program += "atexit.register(lambda: print(*sorted(sys.modules), file=open('modules', 'w')))\nmain()"
    subprocess.run([sys.executable, "-c", program], cwd=cwd, capture_output=True, check=False)
    return set((cwd / "modules").read_text().split())


@pytest.mark.parametrize("kind", [None, *FORMATS])
def test_a_run_imports_only_what_renders_its_reports(right, small_suite, tmp_path, kind):
    words = ["--impl", str(right), "--cases", str(small_suite), *(["--report", f"{kind}=r"] if kind else [])]
    modules = imported(words, tmp_path)
    loaded = {name.rpartition(".")[2] for name in modules if name.startswith("specharness.report.")}
    assert len(loaded & set(RENDERERS)) == (kind is not None)
    assert ("junitparser" in modules) == (kind == "junit")


def test_the_help_imports_no_sub_command(tmp_path):
    modules = imported(["--help"], tmp_path)
    assert "specharness.cli.options" in modules
    assert not {"yaml", "specreference", "concurrent", "specharness.judge", "specharness.suite.load"} & modules


def test_the_options_are_read_without_what_reports(tmp_path):
    modules = imported(["--report", "unknown=r"], tmp_path)
    assert {name for name in modules if name.startswith("specharness.report")} == {
        "specharness.report",
        "specharness.report.escape",
        "specharness.report.formats",
    }
