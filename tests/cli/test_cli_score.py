"""`--score`: a share of 100 points, and 10 more for plain Python."""

import importlib.util
import json
import shutil
import sys
from pathlib import Path

import pytest

PLAIN = "score 100 of 100, bonus 10 of 10: plain Python"


@pytest.fixture
def score(command, small_suite, tmp_path, right):
    """Scores `solution.py`, a right implementation with `extra` before it, beside other files by name."""

    def run(extra="", *options, impl="solution.py", cases=small_suite, **files):
        shutil.copy(right, tmp_path / "right.py")
        (tmp_path / "solution.py").write_text(f"{extra}\nfrom right import verify_speculative_tokens\n")
        for name, text in files.items():
            path = tmp_path / f"{name.replace('__', '/')}.py"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        ended = command("--impl", impl, "--cases", cases, "--score", *options)
        return ended, " ".join(ended.stdout.split())

    return run


LAZY = """
from right import verify_speculative_tokens as right

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    {body}
    return right(draft_tokens, draft_probs, target_probs, random_samples)
"""


@pytest.mark.parametrize(
    "extra",
    [
        "",
        "import math, random, json, collections, fractions, ctypes, sqlite3, xml.etree.ElementTree",
        "try:\n    import not_installed_anywhere\nexcept ImportError:\n    pass",
        "try:\n    from math import not_there\nexcept ImportError:\n    pass",
        "import importlib; importlib.import_module('decimal')",
        "import neighbour",
        "from package import module",
        "import types, sys; sys.modules['made_up'] = types.ModuleType('made_up')",
    ],
)
def test_plain_python_earns_the_bonus(score, extra):
    neighbour, module = "import bisect\n", "from . import other\n"
    ended, text = score(extra, neighbour=neighbour, package____init__="", package__module=module, package__other="")
    assert PLAIN in text
    assert ended.returncode == 0


@pytest.mark.parametrize(
    "impl", ["solution", "solution:verify_speculative_tokens", "package.module", "exported:verify_speculative_tokens"]
)
def test_plain_python_earns_the_bonus_as_a_module(score, impl):
    module = "from right import verify_speculative_tokens\nimport package.other\n"
    _, text = score(
        impl=impl,
        package____init__="",
        package__module=module,
        package__other="",
        exported="from package.module import *\n",
    )
    assert PLAIN in text


@pytest.mark.parametrize(
    "extra",
    [
        "import yaml",
        "from yaml import nodes",
        "import neighbour",
        "import importlib; importlib.import_module('yaml')",
        "__import__('yaml')",
        "import sys, yaml\nfor name in [n for n in sys.modules if n.startswith('yaml')]: del sys.modules[name]",
        "try:\n    import yaml\nexcept ImportError:\n    pass",
        "import threading\nthread = threading.Thread(target=__import__, args=('yaml',))\nthread.start()\nthread.join()",
        "exec('import ya' 'ml')",
    ],
)
def test_a_module_from_elsewhere_forfeits_the_bonus_and_is_named(score, extra):
    ended, text = score(extra, neighbour="import yaml\n")
    assert "score 100 of 100, bonus 0 of 10: not plain Python: it imports yaml (outside the standard library)" in text
    assert ended.returncode == 0


def test_numpy_forfeits_the_bonus(score):
    pytest.importorskip("numpy")
    _, text = score("import numpy as np")
    assert "bonus 0 of 10: not plain Python: it imports numpy (outside the standard library)" in text


def test_an_import_inside_the_function_forfeits_the_bonus(score):
    _, text = score(impl="lazy.py", lazy=LAZY.format(body="import yaml"))
    assert "bonus 0 of 10: not plain Python: it imports yaml" in text


def test_an_import_for_one_case_only_forfeits_the_bonus(score):
    _, text = score(impl="lazy.py", lazy=LAZY.format(body="if len(draft_tokens) == 2: import yaml"))
    assert "bonus 0 of 10: not plain Python: it imports yaml" in text


def test_the_reference_is_reported_and_forfeits_the_bonus(score):
    ended, text = score("import specreference")
    assert "the implementation imports specreference, the reference itself" in text
    assert "bonus 0 of 10: not plain Python: it imports specreference (the reference itself)" in text
    assert ended.returncode == 0


def test_the_harness_is_no_plain_python(score):
    assert "bonus 0 of 10: not plain Python: it imports specharness" in score("import specharness")[1]


def test_installed_packages_below_the_own_folder_are_not_its_own(score):
    extra = "import sys, os; sys.path.insert(0, os.path.abspath('venv/lib/site-packages'))\nimport installed"
    _, text = score(extra, **{"venv__lib__site-packages__installed": ""})
    assert "bonus 0 of 10: not plain Python: it imports installed (outside the standard library)" in text


def test_a_compiled_module_in_the_own_folder_is_no_plain_python(score, tmp_path):
    package = importlib.util.find_spec("rpds")
    folder = Path(package.origin).parent if package else Path()
    compiled = next((path for path in folder.glob("rpds.*") if path.suffix in (".so", ".pyd")), None)
    if compiled is None:
        pytest.skip("no compiled module at hand to copy")
    shutil.copy(compiled, tmp_path)
    _, text = score("import rpds")
    assert "bonus 0 of 10: not plain Python: it imports rpds (a compiled extension)" in text


def test_what_the_interpreter_loads_at_its_start_does_not_count(score, tmp_path, specharness, small_suite, right):
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "sitecustomize.py").write_text("import yaml\n")
    ended = specharness("--impl", right, "--cases", small_suite, "--score", env={"PYTHONPATH": str(tmp_path / "site")})
    assert PLAIN in " ".join(ended.stdout.split())


def test_points_are_rounded_down_and_the_bonus_needs_all(score, long_suite):
    body = "if random_samples[0] * 256 == 7: return None"
    ended, text = score(impl="lazy.py", cases=long_suite, lazy=LAZY.format(body=body))
    assert "score 97 of 100, bonus 0 of 10: the bonus needs 100 points" in text
    assert ended.returncode == 1


def test_no_case_passed_is_no_point(score):
    _, text = score(impl="lazy.py", lazy=LAZY.format(body="return 1"))
    assert "score 0 of 100, bonus 0 of 10" in text


def test_cases_that_were_not_run_are_not_passed(score, long_suite):
    body = "import os; random_samples[0] * 256 > 10 and os._exit(1)"
    _, text = score(impl="lazy.py", cases=long_suite, lazy=LAZY.format(body=body))
    assert "score 25 of 100, bonus 0 of 10" in text


def test_advice_takes_no_points(score, mixed_suite):
    assert PLAIN in score(cases=mixed_suite)[1]


def test_a_command_has_no_imports_to_look_at(command, small_suite):
    peer = Path(__file__).parent.parent / "implementation" / "peers" / "peer.py"
    ended = command("--impl", f"exec:{sys.executable} {peer} right", "--cases", small_suite, "--score")
    assert "bonus 0 of 10: it is no Python function, so its imports are not known" in " ".join(ended.stdout.split())


def test_a_quiet_run_prints_the_score_as_well(score):
    ended, _ = score("", "-q")
    assert ended.stdout.startswith("score 100 of 100, bonus 10 of 10")
    assert ended.last_line == "conformant: 4 gating cases passed"


def test_a_run_that_was_cut_short_has_no_score(score):
    ended, text = score("", "-x", impl="lazy.py", lazy=LAZY.format(body="return 1"))
    assert "score" not in text
    assert ended.returncode == 1


def test_the_score_is_in_the_json_report(score, tmp_path):
    score("import yaml", "--report", "json=report.json")
    reported = json.loads((tmp_path / "report.json").read_text())["score"]
    assert (reported["points"], reported["bonus"]) == (100, 0)
    assert "yaml" in reported["reason"]
