"""What is wrong with a command line is said in a sentence, before anything runs."""

import os
import threading

import pytest


def assert_usage_error(ended, words):
    assert ended.returncode == 2
    assert ended.stdout == ""
    assert "Traceback" not in ended.stderr
    assert words in " ".join(ended.stderr.split())


@pytest.mark.parametrize(
    "option",
    [
        ("--case", "ACC-001"),
        ("--tag", "tie"),
        ("--clause", "SV-TIE-1"),
        ("--level", "must"),
        ("--cases", "."),
        ("--profile", "argmax"),
        ("--dtype", "float64"),
        ("--space", "log"),
        ("--policy", "comparison=lt"),
        ("--strict",),
        ("--score",),
        ("--python", "python3"),
        ("--in-process",),
        ("--timeout", "10"),
        ("--memory", "1GB"),
        ("--max-time", "10"),
        ("--jobs", "1"),
        ("--baseline", "k.yaml"),
        ("--update-baseline",),
        ("-x",),
        ("--max-fail", "1"),
        ("-q",),
        ("-v",),
        ("--report", "json=r.json"),
        ("--emit-repro", "repro"),
    ],
    ids=lambda option: option[0],
)
def test_an_option_of_a_run_without_an_implementation(command, option):
    assert_usage_error(command(*option), "needs an implementation: name one with --impl module:function.")


@pytest.mark.parametrize("words", [("--strict",), ("--impl", "x", "--timeout", "nan")])
def test_a_usage_error_ends_the_process_with_its_code(specharness, words):
    ended = specharness(*words)
    assert_usage_error(ended, "Error: ")
    assert ended.stderr.startswith("Usage: specharness [OPTIONS]")


_HOSTILE = "x\n::error::forged\x1b[31m ##[error]forged"


@pytest.mark.parametrize(
    "words",
    [
        (_HOSTILE,),
        (f"--{_HOSTILE}",),
        ("diff", "a", "b", _HOSTILE),
        ("exit-codes", _HOSTILE),
        ("--profile", _HOSTILE),
        ("--impl", _HOSTILE, "--report", _HOSTILE),
        ("--impl", _HOSTILE, "--report", f"json={_HOSTILE}/{_HOSTILE}"),
        ("--impl", "x", "--memory", _HOSTILE),
        ("fuzz", "--impl", "x", "--output", f"{_HOSTILE}/{_HOSTILE}"),
        ("matrix", "--impl", _HOSTILE, "--impl", _HOSTILE),
    ],
    ids=range(10),
)
def test_what_a_usage_error_quotes_is_obeyed_by_no_ci_system(command, words):
    ended = command(*words)
    assert ended.returncode == 2
    assert "forged" in ended.stderr
    assert not any(harm in ended.stderr for harm in ("::", "##", "\x1b"))


@pytest.mark.parametrize(
    "words",
    [
        ("fuzz", "--impl", "x", "--output", "-"),
        ("matrix", "--impl", "x", "--impl", "y", "--report", "json=-"),
        ("diff", "a.json", "b.json", "--report", "markdown=-"),
        ("diff", "-", "b.json"),
        ("validate", "-"),
        ("--impl", "x", "--baseline", "-", "--update-baseline"),
        ("--impl", "x", "--emit-repro", "-"),
    ],
    ids=range(7),
)
def test_a_dash_that_stands_for_no_stream_makes_no_file_of_this_name(command, tmp_path, words):
    assert_usage_error(command(*words), "expected a file, no standard stream; a file named - is ./-")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("value", ["true", "1", "false"])
def test_a_missing_implementation_where_ci_is_set(command, value):
    ended = command(env={"CI": value})
    assert_usage_error(ended, "CI is set, and no implementation is named: name one with --impl module:function.")


def test_ci_changes_nothing_where_an_implementation_is_named(command, right, small_suite):
    assert command("--impl", right, "--cases", small_suite, env={"CI": "true"}).returncode == 0


def test_ci_changes_nothing_for_the_commands_that_test_nothing(command, small_suite):
    assert command("validate", small_suite, env={"CI": "true"}).returncode == 0


def test_an_empty_ci_is_no_ci(command):
    assert command(env={"CI": ""}).stdout.startswith("self-check: nothing of yours was tested.")


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("--no-such-option",), "No such option '--no-such-option'"),
        (("--stirct",), "--strict"),
        (("lst",), "No such command 'lst'. Did you mean list?"),
        (("solution.py",), "No such command 'solution.py'. Name an implementation with --impl."),
        (("--impl",), "requires an argument"),
        (("--impl", "IMPL", "list"), "--impl belongs to a run; put the options of list behind it."),
        (("--case", "ACC-001", "list"), "--case belongs to a run; put the options of list behind it."),
        (("--impl", "IMPL", "-q", "-v"), "-q and -v exclude each other."),
        (("--impl", "IMPL", "--timeout", "0"), "'0' is no time in seconds; expected a number above 0, at most 86400."),
        (("--impl", "IMPL", "--timeout", "-1"), "'-1' is no time in seconds"),
        (("--impl", "IMPL", "--timeout", "nan"), "'nan' is no time in seconds"),
        (("--impl", "IMPL", "--timeout", "inf"), "'inf' is no time in seconds"),
        (("--impl", "IMPL", "--timeout", "1e9"), "'1e9' is no time in seconds"),
        (("--impl", "IMPL", "--timeout", "10s"), "'10s' is no time in seconds"),
        (("--impl", "IMPL", "--timeout", ""), "'' is no time in seconds"),
        (("--impl", "IMPL", "--memory", "lots"), "'lots' is no size; expected a number and a unit, such as 500MB"),
        (("--impl", "IMPL", "--memory", "-1GB"), "'-1GB' is no size"),
        (("--impl", "IMPL", "--memory", "1TB"), "'1TB' is no size"),
        (("--impl", "IMPL", "--memory", "1e9"), "'1e9' is no size"),
        (("--impl", "IMPL", "--memory", "٣GB"), "is no size"),
        (("--impl", "IMPL", "--memory", "1"), "'1' is less than a Python process needs to start"),
        (("--impl", "IMPL", "--memory", "1MB"), "'1MB' is less than a Python process needs to start"),
        (("--impl", "IMPL", "--dtype", "float8"), "'float8' is not one of 'float64', 'float32', 'float16', 'bfloat16'"),
        (("--impl", "IMPL", "--profile", "sample"), "'sample' is not one of"),
        (("--impl", "IMPL", "--cases", ""), "the path is empty; a variable that is not set, perhaps?"),
        (("--impl", "IMPL", "--space", "lin"), "'lin' is not one of"),
        (("--impl", "IMPL", "--policy", "comparison"), "'comparison': expected NAME=VALUE, such as comparison=lt."),
        (("--impl", "IMPL", "--level", "may"), "'may' is not one of"),
        (("--impl", "IMPL", "--report", "r.json"), "'r.json': expected FORMAT=PATH, with the format json"),
        (("--impl", "IMPL", "--report", "json="), "'json=': the path is empty; a variable that is not set"),
        (("--impl", "IMPL", "--report", "xml=r.xml"), "'xml=r.xml': expected FORMAT=PATH, with the format json"),
        (("--impl", "IMPL", "--report", "json=nowhere/r.json"), "nowhere does not exist"),
        (("--impl", "IMPL", "--report", "json=file/r.json"), "does not exist"),
        (("--impl", "IMPL", "--report", "json=folder"), "--report json=folder: is a folder; expected a file"),
        (("--impl", "IMPL", "--report", "json=r", "--report", "json=r"), "--report json=r: named twice"),
        (("--impl", "IMPL", "--report", "json=r", "--report", "json=./r"), "--report json=./r: named twice"),
        (("--impl", "IMPL", "--in-process", "--score"), "--score needs a process of the implementation's own"),
        (("--impl", "IMPL", "--in-process", "--python", "python3"), "--python needs a process"),
        (("--impl", "IMPL", "--in-process", "--timeout", "1"), "--timeout needs a process"),
        (("--impl", "IMPL", "--in-process", "--memory", "1GB"), "--memory needs a process"),
        (("--impl", "IMPL", "--in-process"), "--in-process runs one case, 4 are selected; name one with --case"),
        (("--impl", "exec:x", "--python", "python3"), "--python is for Python functions"),
        (("show",), "Missing argument 'ID'."),
        (("validate",), "Missing argument 'PATH...'."),
        (("list", "--strict"), "No such option '--strict'"),
        (("clauses", "--level", "may"), "'may' is not one of"),
        (("exit-codes", "more"), "unexpected extra argument"),
    ],
    ids=lambda value: " ".join(value)[:60] if isinstance(value, tuple) else "",
)
def test_a_wrong_command_line_is_explained(command, right, small_suite, tmp_path, words, message):
    (tmp_path / "folder").mkdir()
    (tmp_path / "file").touch()
    given = [right if word == "IMPL" else word for word in words]
    if "--impl" in words and "list" not in words and words != ("--impl",):
        given += ["--cases", small_suite]
    assert_usage_error(command(*given), message)


@pytest.mark.parametrize("what", ["folder to list only", "closed folder", "file"])
def test_a_report_that_may_not_be_written_is_known_before_the_run(
    specharness, right, small_suite, tmp_path, without_privileges, what
):
    folder = tmp_path / "folder"
    folder.mkdir()
    (folder / "r.json").touch(0o400 if what == "file" else 0o600)
    folder.chmod({"folder to list only": 0o500, "closed folder": 0}.get(what, 0o700))
    options = ("--cases", small_suite, "--report", f"json={folder / 'r.json'}")
    ended = specharness("--impl", right, *options, preexec_fn=without_privileges)
    folder.chmod(0o700)
    assert_usage_error(ended, f"--report json={folder / 'r.json'}: ")
    assert (folder / "r.json").read_bytes() == b""


def test_a_report_with_a_name_that_the_system_refuses_is_told(command, right, small_suite):
    ended = command("--impl", right, "--cases", small_suite, "--report", "json=" + "x" * 300)
    assert ended.returncode == 2
    assert "File name too long" in ended.stderr


def test_a_report_into_a_pipe_reaches_its_reader(command, right, small_suite, tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    read = []
    reader = threading.Thread(target=lambda: read.append(path.read_text()))
    reader.start()
    ended = command("--impl", right, "--cases", small_suite, "--report", f"json={path}")
    reader.join(10)
    assert path.is_fifo()
    assert ended.returncode == 0
    assert '"conformant": true' in read[0]


def test_a_report_never_takes_the_place_of_a_device(command, right, small_suite, tmp_path):
    """Such as /dev/null, which root could replace."""
    path = tmp_path / "null"
    try:
        os.mknod(path, 0o20666, os.makedev(1, 3))
    except OSError:
        pytest.skip("making a device needs root")
    ended = command("--impl", right, "--cases", small_suite, "--report", f"json={path}")
    assert path.is_char_device()
    assert ended.returncode == 0


@pytest.mark.parametrize(("text", "seconds"), [("0.5", 0.5), ("1e1", 10), ("86400", 86400), ("1_0", 10)])
def test_times_in_any_notation_are_read(text, seconds):
    from specharness.cli.parameters import Seconds

    assert Seconds().convert(text, None, None) == seconds


@pytest.mark.parametrize(
    ("text", "size"),
    [
        ("1GB", 10**9),
        ("1gb", 10**9),
        ("1 GB", 10**9),
        ("1.5G", 1_500_000_000),
        ("500MB", 500_000_000),
        ("512MiB", 2**29),
        ("1GiB", 2**30),
        ("100000KB", 10**8),
        ("2000000000", 2 * 10**9),
    ],
)
def test_sizes_in_any_unit_are_read(text, size):
    from specharness.cli.parameters import Memory

    assert Memory().convert(text, None, None) == size
