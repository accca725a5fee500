"""`--python PATH` runs the implementation in an environment of its own."""

import glob
import os
import shutil
import subprocess
import sys

import pytest

OWN = f"{sys.version_info.major}.{sys.version_info.minor}"
VERSIONS = [version for version in ("3.9", "3.10", "3.11", "3.12", "3.13", "3.14") if version != OWN]


def interpreter(version):
    """Another interpreter of this version, None where this machine has none."""
    managed = glob.glob(os.path.expanduser(f"~/.pyenv/versions/{version}.*/bin/python"))
    for path in [*managed, shutil.which(f"python{version}")]:
        if path and os.path.realpath(path) != os.path.realpath(sys.executable):
            asked = subprocess.run([path, "-c", "import sys; print(sys.version)"], capture_output=True, text=True)
            if asked.stdout.startswith(version):
                return path
    return None


@pytest.fixture
def other(request):
    path = interpreter(request.param)
    if path is None:
        pytest.skip(f"no other Python {request.param} on this machine")
    return path


@pytest.mark.parametrize("other", VERSIONS, indirect=True)
def test_an_implementation_runs_on_another_interpreter(judge_file, other):
    judged = judge_file("exits", "--python", other)
    assert judged.statuses == {"ACC-001": "passed", "STOP-001": "failed", "RES-001": "passed", "IN-001": "passed"}
    assert judged.cases["STOP-001"]["observed"]["raises"] == "SystemExit"
    version = subprocess.run([other, "-c", "import sys; print(sys.version.split()[0])"], capture_output=True, text=True)
    assert judged.report["implementation"]["language"] == f"Python {version.stdout.strip()}"


@pytest.mark.parametrize("other", ["3.9"], indirect=True)
def test_results_of_any_type_are_told_on_another_interpreter(judge_file, long_suite, other):
    kinds = ["deep", "holds_itself", "huge_int", "pair", "unprintable", "fatal", "half_a_character"]
    judged = judge_file("results", "--python", other, cases=long_suite, env={"KINDS": ",".join(kinds)})
    assert list(judged.statuses.values()) == ["failed"] * len(kinds) + ["passed"] * (40 - len(kinds))
    assert [case for case in judged.report["cases"] if "lost" in case.get("observed", {})] == []


@pytest.mark.parametrize("other", ["2.7", "3.6"], indirect=True)
def test_an_interpreter_that_is_too_old_is_told_without_a_traceback_of_ours(command, small_suite, other, right):
    ended = command("--impl", right, "--cases", small_suite, "--python", other)
    assert ended.returncode in (0, 4)
    assert "Traceback" not in ended.stderr.partition("Its last output")[0]


@pytest.mark.parametrize(
    ("path", "words"),
    [
        ("/nowhere/python", "can't start /nowhere/python: No such file or directory"),
        ("no-python-anywhere", "can't start no-python-anywhere: No such file or directory"),
        ("true", "the process exited with code 0 while loading"),
        ("cat", "does not speak the protocol"),
    ],
)
def test_what_is_no_interpreter_is_not_runnable(command, small_suite, right, path, words):
    ended = command("--impl", right, "--cases", small_suite, "--python", path)
    assert ended.returncode == 4
    assert words in ended.stderr
    assert ended.stdout == ""


def test_a_folder_as_interpreter_is_a_usage_error(command, small_suite, right):
    ended = command("--impl", right, "--cases", small_suite, "--python", ".")
    assert ended.returncode == 2
    assert "--python .: is a folder; expected an interpreter" in ended.stderr


def test_an_interpreter_for_a_command_is_a_usage_error(command, small_suite):
    ended = command("--impl", "exec:./verifier", "--cases", small_suite, "--python", sys.executable)
    assert ended.returncode == 2
    assert "--python is for Python functions; an exec: command names its own program" in ended.stderr


def test_an_interpreter_may_be_named_by_a_relative_path(command, small_suite, right, tmp_path):
    (tmp_path / "python-of-the-engine").symlink_to(sys.executable)
    ended = command("--impl", right, "--cases", small_suite, "--python", "./python-of-the-engine", "-q")
    assert ended.returncode == 0, ended.stderr
