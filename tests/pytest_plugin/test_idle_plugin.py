"""In a project that does not use it, the plugin does nothing, however broken the installation is around it."""

import json
import os
import shutil
import sys
from pathlib import Path

import pytest
from processes import Processes

import specharness

PACKAGE = Path(specharness.__file__).parent
NEEDED = {
    "__init__.py",
    "version.py",
    "pytest_plugin/__init__.py",
    "pytest_plugin/options.py",
    "pytest_plugin/summary.py",
}

DRIVER = """
import contextlib, io, json, sys
import pytest

told = {}
for name, arguments in {
    "help": ["--help"],
    "markers": ["--markers"],
    "collected": ["--collect-only", "-q"],
    "run": ["-W", "error", "--strict-markers", "--strict-config"],
    "asked": ["--specharness-impl=solution.py"],
    "left out": ["-p", "no:specharness", "--specharness-impl=solution.py"],
}.items():
    output = io.StringIO()
    with contextlib.redirect_stdout(output), contextlib.redirect_stderr(output):
        code = pytest.main(["-p", "no:hypothesispytest", "-p", "no:xdist", *arguments])
    loaded = [module for module in sys.modules if module.partition(".")[0] in ("specharness", "specreference", "yaml")]
    told[name] = int(code), output.getvalue(), loaded
json.dump(told, sys.stdout)
"""


@pytest.fixture(scope="module")
def told(tmp_path_factory):
    """What pytest told, where all is broken that the plugin does not need before an implementation is named."""
    project, broken = tmp_path_factory.mktemp("project"), tmp_path_factory.mktemp("broken")
    (project / "test_own.py").write_text("def test_own():\n    pass\n")
    shutil.copytree(PACKAGE, broken / "specharness", ignore=shutil.ignore_patterns("__pycache__", "_data"))
    for path in (broken / "specharness").rglob("*.py"):
        if path.relative_to(broken / "specharness").as_posix() not in NEEDED:
            path.write_text("raise ImportError('this installation is broken')\n")
    for name in ("specreference", "yaml", "jsonschema", "click"):
        (broken / f"{name}.py").write_text("raise ImportError('this installation is broken')\n")
    environment = {"PYTHONPATH": str(broken)}
    ended = Processes(project).run(sys.executable, "-c", DRIVER, env=environment)
    assert ended.stderr == ""
    return json.loads(ended.stdout)


def test_a_broken_installation_breaks_no_run_of_a_project_that_does_not_use_it(told):
    for name in ("help", "markers", "collected", "run"):
        assert told[name][0] == 0, told[name][1]
    assert "--specharness-impl=MODULE:FUNCTION" in told["help"][1]
    assert "@pytest.mark.specharness_must: a conformance case that gates." in told["markers"][1]
    assert "test_own" in told["collected"][1]
    assert "1 passed" in told["run"][1]
    assert "specharness:" not in told["run"][1]


def test_only_what_the_plugin_needs_is_imported(told):
    modules = {f"specharness/{name}".removesuffix(".py").removesuffix("/__init__") for name in NEEDED}
    assert {module.replace(".", os.sep) for module in told["run"][2]} == modules


def test_a_broken_installation_that_is_asked_for_says_so_in_a_sentence(told):
    code, text, _ = told["asked"]
    assert code == pytest.ExitCode.USAGE_ERROR
    assert "ERROR: specharness can't be used: this installation is broken; install it again" in text
    assert "Traceback" not in text


def test_without_pytest_only_what_needs_it_is_missing(processes):
    check = "from specharness import *; print(check.__name__); import specharness; specharness.conformance_test"
    ended = processes.run(sys.executable, "-c", f"import sys; sys.modules['pytest'] = None; {check}")
    assert ended.stdout == "check\n"
    assert "ModuleNotFoundError: import of pytest halted" in ended.stderr


def test_the_plugin_can_be_left_out_by_name(told):
    assert told["left out"][0] == pytest.ExitCode.USAGE_ERROR
    assert "unrecognized arguments: --specharness-impl=solution.py" in told["left out"][1]
