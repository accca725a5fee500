"""The examples of README, CONTRIBUTING and the spec's documents: they parse, validate, and tell what is so."""

from __future__ import annotations

import importlib.util
import json
import re
import shlex
import textwrap
from dataclasses import replace
from pathlib import Path

import click
import pytest

from specharness import check
from specharness.cli.main import cli
from specharness.exit_codes import ExitCode
from specharness.pytest_plugin.options import OPTIONS as PLUGIN_OPTIONS
from specharness.report.text import Style, render
from specharness.suite.baseline_file import read_baseline
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_files, load_shipped
from specharness.suite.models import read_model
from specharness.suite.recipe import expand_recipe
from specharness.suite.yaml12 import parse

_ROOT = Path(__file__).resolve().parents[2]
_README, _CONTRIBUTING = _ROOT / "README.md", _ROOT / "CONTRIBUTING.md"
_DOCUMENTS = [_README, _CONTRIBUTING, *sorted((_ROOT / "spec").glob("*.md"))]
_HEAD = 'spec: "1.0"\nprofile: argmax\ncases:\n'


def _blocks(path):
    """Language and content of each fenced block, also of indented ones, with its line."""
    text = path.read_text(encoding="utf-8")
    for match in re.finditer(r"^( *)```(\w*)\n(.*?)^\1```$", text, re.MULTILINE | re.DOTALL):
        yield match[2], textwrap.dedent(match[3]), text.count("\n", 0, match.start()) + 1


def _params(*languages):
    return [
        pytest.param(content, id=f"{path.name}:{line}")
        for path in _DOCUMENTS
        for language, content, line in _blocks(path)
        if language in languages
    ]


@pytest.mark.parametrize("content", _params("json"))
def test_a_json_example_parses(content):
    assert json.loads(content) is not None


@pytest.mark.parametrize("content", _params("yaml"))
def test_a_yaml_example_is_of_a_known_kind_and_validates(tmp_path, content):
    path = tmp_path / "example.yaml"
    path.write_text(content)
    document = parse(content)
    match document:
        case {"drafts": _, "draft": _, "target": _}:
            assert read_model(path)
        case {"recipe": {**recipe}}:
            assert expand_recipe(**recipe)
        case [{"id": _}, *_]:
            path.write_text(_HEAD + content)
            assert load_files([path])
        case {"cases": _}:
            assert load_files([path])
        case [{"uses": _}] | {"specharness": {"script": _}} | {"repos": _}:
            pass  # for a CI system; tests/cli/test_cli_readme.py runs them
        case {"baseline": _}:
            entries = read_baseline(path, load_shipped(), load_clauses()).entries
            assert all(entry.cases and not entry.unmatched for entry in entries)
        case _:
            pytest.fail(f"no kind of file that is known: {document}")


def test_there_are_examples_of_each_kind():
    kinds = [parse(param.values[0]) for param in _params("yaml")]
    assert sum(isinstance(kind, list) and "id" in kind[0] for kind in kinds) >= 2
    assert any(isinstance(kind, dict) and "draft" in kind for kind in kinds)
    assert any(isinstance(kind, dict) and "recipe" in kind for kind in kinds)
    assert len(_params("json")) >= 5


@pytest.mark.parametrize("content", _params("yaml"))
def test_an_example_case_has_an_id_that_no_shipped_case_has(content):
    document = parse(content)
    shipped = "\n".join(path.read_text(encoding="utf-8") for path in (_ROOT / "cases").glob("*.yaml"))
    for case in document if isinstance(document, list) and "id" in document[0] else ():
        assert f"id: {case['id']}\n" not in shipped


def test_the_table_of_exit_codes_is_that_of_the_command():
    rows = re.findall(r"^\| (\d+) \| (.*?) \| (.*?) \|$", _README.read_text(encoding="utf-8"), re.MULTILINE)
    assert rows == [(str(int(code)), code.title, code.when) for code in ExitCode]


def _commands():
    context = click.Context(cli)
    yield (), cli
    yield from (((name,), cli.get_command(context, name)) for name in cli.list_commands(context))


_OPTIONS = {
    path: {name for parameter in command.params if isinstance(parameter, click.Option) for name in parameter.opts}
    for path, command in _commands()
}


@pytest.mark.parametrize("path", _DOCUMENTS, ids=lambda path: path.name)
def test_an_option_that_a_document_names_exists(path):
    known = {name for names in _OPTIONS.values() for name in names}
    known |= {f"--specharness-{option.name}" for option in PLUGIN_OPTIONS}
    text = path.read_text(encoding="utf-8")
    for language, content, _ in _blocks(path):
        if language == "sh":
            text = text.replace(content, "")
    named = set(re.findall(r"`(--?[a-z][a-z-]*)", text)) - {"--check"}
    assert named <= known


@pytest.mark.parametrize("content", _params("sh"))
def test_a_command_in_a_document_has_a_command_and_options_that_exist(content):
    for line in content.replace("\\\n", " ").splitlines():
        for part in line.split("&&"):
            words = shlex.split(part, comments=True)
            if not words or Path(words[0]).name != "specharness":
                continue
            name = tuple(words[1:2]) if len(words) > 1 and not words[1].startswith("-") else ()
            assert name in _OPTIONS, part
            given = {word.partition("=")[0] for word in words if re.match("--?[a-z]", word) and "=" not in word[:2]}
            assert given <= _OPTIONS[name], part


def _example(name):
    path = _ROOT / "tests" / "examples" / f"{name}.py"
    found = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module.verify_speculative_tokens


def test_the_failure_that_the_readme_shows_is_what_the_report_says():
    result = check(_example("strict_less"), case="ACC-001")
    again = ("specharness", "--impl", "strict_less.py")
    result = replace(result, setting=replace(result.setting, again=again))
    (shown,) = (content for _, content, _ in _blocks(_README) if content.startswith("FAIL ACC-001"))
    assert shown.rstrip("\n") in render(result, Style())


def test_the_example_solution_passes():
    assert check(_example("solution")).passed
