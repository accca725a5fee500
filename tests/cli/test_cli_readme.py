"""What README shows for CI systems and for a kernel runs as it stands there."""

import json
import os
import re
import shlex
import sys
import textwrap
from pathlib import Path

import numpy as np
import pytest
import yaml

_ROOT = Path(__file__).resolve().parents[2]
_README = (_ROOT / "README.md").read_text(encoding="utf-8")


def _blocks(language):
    pattern = rf"^( *)```{language}\n(.*?)^\1```$"
    return [textwrap.dedent(match[2]) for match in re.finditer(pattern, _README, re.MULTILINE | re.DOTALL)]


def _block(language, word):
    (found,) = (block for block in _blocks(language) if word in block)
    return found


@pytest.fixture
def shell(processes, tmp_path, right):
    """`shell(text)` runs it in bash, where specharness is installed and package.module:function is right."""
    folder = tmp_path / "bin"
    folder.mkdir()
    (folder / "specharness").write_text(
        f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -P -m specharness "$@"\n', encoding="utf-8"
    )
    (folder / "specharness").chmod(0o755)
    (tmp_path / "package").mkdir()
    (tmp_path / "package" / "module.py").write_text(f"{right.read_text()}\nfunction = verify_speculative_tokens\n")

    def run(text):
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        return processes.run("bash", "-e", "-c", text, env={"PATH": path, "CI": "true"})

    return run


def test_the_shell_snippet_tells_the_outcomes_apart(shell, tmp_path):
    text = _block("sh", "case $code in").replace("--max-time", "--level must --case 'ACC-00*' --max-time")
    ended = shell(text)
    assert (ended.returncode, ended.last_line) == (0, "conformant"), ended.stderr
    assert json.loads((tmp_path / "specharness.json").read_text())["conformant"] is True
    (tmp_path / "package" / "module.py").write_text("def function(a, b, c, d):\n    return None\n")
    ended = shell(text)
    assert (ended.returncode, ended.last_line) == (1, "nonconformant")
    (tmp_path / "package" / "module.py").unlink()
    ended = shell(text)
    assert (ended.returncode, ended.last_line) == (4, "not tested")


def test_the_job_for_gitlab_runs(shell, tmp_path):
    job = yaml.safe_load(_block("yaml", "image:"))["specharness"]
    install, run = job["script"]
    assert install == "pip install ./specharness"
    assert shell(run).returncode == 0
    assert (tmp_path / job["artifacts"]["reports"]["junit"]).read_text().startswith("<?xml")


def test_the_step_for_github_names_inputs_of_the_action():
    (step,) = yaml.safe_load(_block("yaml", "- uses:"))
    action = yaml.safe_load((_ROOT / "action.yml").read_text())
    assert step["with"].keys() <= action["inputs"].keys()
    assert {name for name, described in action["inputs"].items() if described.get("required")} <= step["with"].keys()


def test_the_hook_for_pre_commit_is_one_that_there_is():
    (repo,) = yaml.safe_load(_block("yaml", "repos:"))["repos"]
    hooks = yaml.safe_load((_ROOT / ".pre-commit-hooks.yaml").read_text())
    assert {hook["id"] for hook in repo["hooks"]} <= {hook["id"] for hook in hooks}


@pytest.fixture
def engine(processes, tmp_path):
    """The kernel and its adapter, and an environment that has NumPy and no specharness."""
    for name in ("kernel.py", "adapter.py"):
        block = _block("python", f"# {name}\n")
        (tmp_path / name).write_text(block)
    processes.run(sys.executable, "-m", "venv", "--without-pip", tmp_path / "engine")
    (packages,) = (tmp_path / "engine").glob("lib/python*/site-packages")
    only = tmp_path / "only_numpy"
    only.mkdir()
    installed = Path(np.__file__).resolve().parents[1]
    for path in installed.glob("numpy*"):
        (only / path.name).symlink_to(path)
    (packages / "numpy.pth").write_text(f"{only}\n")
    return tmp_path / "engine" / "bin" / "python"


def test_the_kernel_conforms_in_its_own_environment(shell, processes, engine):
    make, run = _block("sh", "engine/bin/pip").splitlines()
    assert make == "python3 -m venv engine && engine/bin/pip install numpy"
    assert processes.run(engine, "-c", "import specharness").returncode == 1
    ended = shell(run)
    assert ended.returncode == 0, ended.stderr
    assert ended.last_line.startswith("conformant: ")
    assert "advice on" in ended.last_line
    assert "SV-ACC-4" in ended.stdout
    assert "token -1" in _README
    assert shell(run + " --strict -q").returncode == 1
    assert shell(run.replace("--dtype float32", "-q")).returncode == 1
