"""The action for GitHub and the hook for pre-commit: their own steps, run as their hosts run them."""

import json
import os
import re
import shlex
import sys
from pathlib import Path

import pytest
import yaml

_ROOT = Path(__file__).resolve().parents[2]
_ACTION = yaml.safe_load((_ROOT / "action.yml").read_text())
_STEPS = {step["name"]: step for step in _ACTION["runs"]["steps"]}
_RUN = "Run specharness"


@pytest.fixture
def run_action(processes, tmp_path):
    """`run_action(**inputs)` runs the action's last step in bash; gives its end, outputs and the step's summary."""
    runner = tmp_path / "runner temp"
    (runner / "specharness" / "bin").mkdir(parents=True)
    for name, words in (("python", []), ("specharness", ["-P", "-m", "specharness"])):
        path = runner / "specharness" / "bin" / name
        path.write_text(f'#!/bin/sh\nexec {shlex.join([sys.executable, *words])} "$@"\n')
        path.chmod(0o755)

    def run(**inputs):
        given = {name: str(described.get("default", "")) for name, described in _ACTION["inputs"].items()}
        given |= {name.replace("_", "-"): str(value) for name, value in inputs.items()}
        environment = {
            name: re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: given[match[1]], value)
            for name, value in _STEPS[_RUN]["env"].items()
        }
        script = tmp_path / "step.sh"
        script.write_text(_STEPS[_RUN]["run"])
        files = {name: tmp_path / name for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY")}
        for path in files.values():
            path.write_text("")
        environment |= {name: str(path) for name, path in files.items()}
        environment |= {"RUNNER_TEMP": str(runner), "CI": "true", "GITHUB_ACTIONS": "true"}
        environment |= {"GITHUB_WORKSPACE": str(tmp_path)}
        ended = processes.run(
            *("bash", "--noprofile", "--norc", "-eo", "pipefail", script),
            cwd=tmp_path / given["working-directory"],
            env=environment,
        )
        outputs = dict(line.split("=", 1) for line in files["GITHUB_OUTPUT"].read_text().splitlines())
        return ended, outputs, files["GITHUB_STEP_SUMMARY"].read_text()

    return run


def test_a_right_implementation_passes_with_outputs_and_a_summary(run_action, right, small_suite):
    ended, outputs, summary = run_action(implementation=right, args=f"--cases {small_suite}")
    assert ended.returncode == 0, ended.stderr
    assert outputs["exit-code"] == "0"
    report = json.loads(Path(outputs["report"]).read_text())
    assert report["conformant"] is True
    assert "conformant" in summary
    assert "::notice" in ended.stdout
    assert ended.stderr == ""


def test_a_wrong_one_fails_the_step_and_is_annotated(run_action, wrong, small_suite):
    ended, outputs, summary = run_action(implementation=wrong, args=f"--cases {small_suite}")
    assert ended.returncode == 1
    assert outputs["exit-code"] == "1"
    assert json.loads(Path(outputs["report"]).read_text())["counts"]["gating"]["failed"] == 3
    assert "ACC-001" in summary
    assert "::error " in ended.stdout


def test_inputs_become_options(run_action, right, tmp_path):
    (tmp_path / "sub").mkdir()
    (tmp_path / "wrong.py").write_text("def check(a, b, c, d):\n    return None\n")
    (tmp_path / "sub" / "case file.yaml").write_text("")
    ended, outputs, _ = run_action(
        implementation="../wrong.py:check",
        profile="greedy",
        dtype="float32",
        reports="junit=a b.xml\n\n  json=r.json \n   ",
        args="""-j auto --max-fail 2\n--tag '*' --clause "SV-GRD-*" """,
        python=sys.executable,
        working_directory="sub",
    )
    assert ended.returncode == 1, ended.stderr
    report = json.loads((tmp_path / "sub" / "r.json").read_text())
    assert (report["profile"], report["dtype"], report["stopped"]) == ("greedy", "float32", True)
    assert (tmp_path / "sub" / "a b.xml").exists()
    words = report["command"]
    assert words[words.index("-j") :] == ["-j", "auto", "--max-fail", "2", "--tag", "*", "--clause", "SV-GRD-*"]
    assert words[words.index("--python") + 1] == sys.executable
    assert outputs["exit-code"] == "1"


def test_a_baseline_is_held_against_the_run(run_action, command, wrong, small_suite, tmp_path):
    (tmp_path / "known failures.yaml").write_text("baseline: 1\nfailures: []\n")
    command("--impl", wrong, "--cases", small_suite, "--baseline", "known failures.yaml", "--update-baseline")
    inputs = {"implementation": wrong, "args": f"--cases {small_suite}", "baseline": "known failures.yaml"}
    ended, outputs, _ = run_action(**inputs)
    assert (ended.returncode, outputs["exit-code"]) == (0, "0"), ended.stderr
    assert json.loads(Path(outputs["report"]).read_text())["counts"]["gating"]["known"] == 3


def test_a_command_gets_no_interpreter(run_action, small_suite):
    peer = _ROOT / "tests" / "implementation" / "peers" / "peer.py"
    exec_ = f"exec:{shlex.join([sys.executable, str(peer), 'right'])}"
    ended, outputs, _ = run_action(implementation=exec_, args=f"--cases {small_suite}")
    assert (ended.returncode, outputs["exit-code"]) == (0, "0"), ended.stderr


@pytest.mark.parametrize(
    ("inputs", "code"),
    [
        ({"implementation": "nowhere.py"}, "4"),
        ({"args": "--case 'unclosed"}, "2"),
        ({"args": "--cases nowhere.yaml"}, "3"),
    ],
)
def test_an_error_fails_the_step_with_its_code(run_action, right, inputs, code):
    ended, outputs, summary = run_action(**{"implementation": right, **inputs})
    assert (str(ended.returncode), outputs) == (code, {"exit-code": code})
    assert summary == ""
    assert "Traceback" not in ended.stderr


_ATTACK = "\"; touch pwned; '$(touch pwned)`touch pwned` && touch pwned | touch pwned\n touch pwned"


@pytest.mark.parametrize(("prefix", "args"), [("", _ATTACK), ("exec:", "")])
def test_no_input_is_read_as_shell_code(run_action, tmp_path, prefix, args):
    names = sorted(set(_ACTION["inputs"]) - {"python-version", "working-directory"})
    ended, _, _ = run_action(**{**dict.fromkeys(names, _ATTACK), "implementation": prefix + _ATTACK, "args": args})
    assert ended.returncode == 2
    assert not list(tmp_path.rglob("pwned"))


@pytest.mark.parametrize("name", [name for name, step in _STEPS.items() if "run" in step])
def test_no_step_mixes_an_expression_into_its_code(name):
    assert "${{" not in _STEPS[name]["run"]
    assert _STEPS[name]["shell"] == "bash"


def test_every_input_is_used_and_every_output_is_given():
    text = (_ROOT / "action.yml").read_text()
    for name in _ACTION["inputs"]:
        assert f"inputs.{name} " in text, name
    for name, output in _ACTION["outputs"].items():
        assert output["value"] == f"${{{{ steps.run.outputs.{name} }}}}"
        assert f'echo "{name}=' in _STEPS[_RUN]["run"]


def test_python_is_set_up_only_where_a_version_is_named():
    assert _STEPS["Set up Python"]["if"] == "${{ inputs.python-version != '' }}"


def test_what_is_installed_already_is_not_installed_again(processes, tmp_path):
    script = tmp_path / "install.sh"
    script.write_text(_STEPS["Install specharness"]["run"])
    path = tmp_path / "specharness" / "bin" / "specharness"
    path.parent.mkdir(parents=True)
    path.write_text("#!/bin/sh\n")
    path.chmod(0o755)
    environment = {"RUNNER_TEMP": str(tmp_path), "ACTION_PATH": "/nowhere"}
    ended = processes.run("bash", "--noprofile", "--norc", "-eo", "pipefail", script, env=environment)
    assert (ended.returncode, ended.stdout) == (0, "")


def test_an_older_python_is_named_as_what_is_wrong(processes, tmp_path):
    script = tmp_path / "install.sh"
    script.write_text(_STEPS["Install specharness"]["run"])
    (tmp_path / "python3").write_text("#!/bin/sh\nexit 1\n")
    (tmp_path / "python3").chmod(0o755)
    environment = {
        "RUNNER_TEMP": str(tmp_path),
        "ACTION_PATH": "/nowhere",
        "PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}",
    }
    ended = processes.run("bash", "--noprofile", "--norc", "-eo", "pipefail", script, env=environment)
    assert ended.returncode == 2
    assert ended.stdout.startswith("::error title=specharness::Python 3.11 or newer is needed")


def test_the_hook_checks_case_files_as_pre_commit_calls_it(processes, small_suite, tmp_path):
    (hook,) = yaml.safe_load((_ROOT / ".pre-commit-hooks.yaml").read_text())
    assert hook["language"] == "python"
    pattern = re.compile(hook["files"])
    assert all(pattern.search(name) for name in ("cases/a.yaml", "cases/deep/b.yml", "project/cases/c.yaml"))
    assert not any(pattern.search(name) for name in ("casesx.yaml", "other/a.yaml", "cases/a.json", "mycases/a.yaml"))
    words = hook["entry"].split()
    assert words[0] == "specharness"
    bad = tmp_path / "bad.yaml"
    bad.write_text("cases: []\n")
    command = [sys.executable, "-P", "-m", *words]
    assert processes.run(*command, small_suite).returncode == 0
    ended = processes.run(*command, small_suite, bad)
    assert ended.returncode == 3
    assert "bad.yaml" in ended.stderr
