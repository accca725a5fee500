"""pytest as a process of its own, in a project with implementations and the mixed suite."""

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
from processes import Processes

EXAMPLES = Path(__file__).parent.parent / "examples"

FILES = {
    "tests/test_own.py": "def test_own():\n    pass\n",
    "wrong.py": """
def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    if len(draft_tokens) != len(random_samples):
        raise ValueError("lengths")
    return {"accepted_tokens": [], "bonus_token": 0, "acceptance_count": 0}
""",
    "lenient.py": """
from solution import verify_speculative_tokens as right

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    if draft_tokens == [2]:
        return {"accepted_tokens": [], "bonus_token": 0, "acceptance_count": 0}
    return right(draft_tokens, draft_probs, target_probs, random_samples)
""",
}

SEVERAL = """
import json, os, sys
import pytest

os.dup2(1, 2)
for arguments in json.load(sys.stdin):
    print("=== run", flush=True)
    code = pytest.main(arguments)
    print("=== exit", int(code), flush=True)
"""

PLUGIN = ("-p", "specharness.pytest_plugin")


def write_files(folder: Path, files: dict[str, str]) -> None:
    """Write files, by their names in the folder."""
    for name, text in files.items():
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text(text)


def make_project(folder: Path, suite: Path) -> None:
    """Right, wrong and lenient implementations, a test of its own, and the mixed suite as mixed.yaml."""
    write_files(folder, FILES)
    shutil.copy(EXAMPLES / "solution.py", folder)
    shutil.copy(suite, folder / "mixed.yaml")


@pytest.fixture
def project(pytester: pytest.Pytester, mixed_suite: Path) -> Path:
    """The folder of the project, which is the current one."""
    make_project(pytester.path, mixed_suite)
    return pytester.path


@pytest.fixture
def run_pytest(pytester: pytest.Pytester, project: Path, processes: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """`run_pytest(*args)` runs pytest in the project, with no other plugin. Nothing may be left behind."""
    for name, value in processes.environment(PYTEST_DISABLE_PLUGIN_AUTOLOAD="1").items():
        monkeypatch.setenv(name, value)

    def run(*args: Any, plugins: tuple[str, ...] = PLUGIN) -> pytest.RunResult:
        result = pytester.runpytest_subprocess(*plugins, *map(str, args), timeout=60)
        assert processes.left_behind() == []
        return result

    return run


@pytest.fixture
def run_on(run_pytest: Any) -> Any:
    """`run_on(impl, *args)` runs pytest on an implementation with the mixed suite."""

    def run(impl: str, *args: Any, **more: Any) -> pytest.RunResult:
        return run_pytest(f"--specharness-impl={impl}", "--specharness-cases=mixed.yaml", *args, **more)

    return run


@pytest.fixture(scope="module")
def runs(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory, mixed_suite: Path) -> dict[str, Any]:
    """The runs that the module names in RUNS, by name: arguments to pytest. One process makes them all, which is quick.

    FILES of the module, by name, are put into the project, whose folder is given as "project".
    """
    folder = tmp_path_factory.mktemp("project")
    make_project(folder, mixed_suite)
    write_files(folder, getattr(request.module, "FILES", {}))
    processes = Processes(folder)
    asked: dict[str, list[str]] = request.module.RUNS
    (folder / "arguments").write_text(json.dumps([[*PLUGIN, *arguments] for arguments in asked.values()]))
    with (folder / "arguments").open() as arguments:
        environment = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
        ended = processes.run(sys.executable, "-c", SEVERAL, stdin=arguments, env=environment)
    assert ended.left_behind == []
    results = map(_result, ended.stdout.split("=== run\n")[1:])
    return dict(zip(asked, results, strict=True)) | {"project": folder}


def _result(text: str) -> pytest.RunResult:
    *lines, last = text.splitlines()
    return pytest.RunResult(int(last.removeprefix("=== exit ")), lines, [], 0.0)
