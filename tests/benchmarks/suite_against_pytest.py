"""Whole-process time of the shipped suite on the reference, against pytest running the same case files.

    python tests/benchmarks/suite_against_pytest.py [RUNS]

Prints the median of each and the ratio. pytest runs with PYTEST_DISABLE_PLUGIN_AUTOLOAD=1 and has no isolation, no
second call and no check of the cases: it reads the YAML, parametrizes and compares.
"""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from specharness.locations import data_root

PYTEST_FILE = """
import glob
import pytest
import yaml
from specreference import verify_speculative_tokens
from specharness.suite.recipe import expand_recipe


def number(value):
    if isinstance(value, str) and "/" in value:
        above, below = value.split("/")
        return int(above) / int(below)
    return float(value)


def cases():
    for path in sorted(glob.glob({pattern!r})):
        with open(path) as file:
            document = yaml.load(file, Loader=yaml.CSafeLoader)
        if document["profile"] != "argmax":
            continue
        for case in document["cases"]:
            made = expand_recipe(**case["recipe"]) if "recipe" in case else {{}}
            for variant in case.get("matrix", [{{}}]):
                given = {{**made, **case.get("input", {{}}), **variant.get("input", {{}})}}
                yield pytest.param(given, variant.get("expect", case["expect"]), id=case["id"])


@pytest.mark.parametrize("given, expect", cases())
def test_case(given, expect):
    arguments = (
        given["draft_tokens"],
        [[number(v) for v in row] for row in given["draft_probs"]],
        [[number(v) for v in row] for row in given["target_probs"]],
        [number(v) for v in given["random_samples"]],
    )
    if "raises" in expect:
        with pytest.raises(ValueError):
            verify_speculative_tokens(*arguments)
    else:
        assert verify_speculative_tokens(*arguments) == expect
"""


def seconds(command: list[str], folder: str, **environment: str) -> float:
    began = time.perf_counter()
    done = subprocess.run(command, cwd=folder, env={**os.environ, **environment}, capture_output=True, text=True)
    taken = time.perf_counter() - began
    if done.returncode:
        sys.exit(f"{command} ended with {done.returncode}:\n{done.stdout[-2000:]}{done.stderr[-2000:]}")
    return taken


def main() -> None:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 7
    with tempfile.TemporaryDirectory() as folder:
        test = Path(folder, "test_cases.py")
        test.write_text(PYTEST_FILE.format(pattern=str(data_root() / "cases" / "*.yaml")))
        ours = [sys.executable, "-m", "specharness", "--impl", "specreference", "-q"]
        theirs = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(test)]
        times: dict[str, list[float]] = {"specharness": [], "pytest": []}
        for turn in range(runs + 1):
            measured = seconds(ours, folder), seconds(theirs, folder, PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
            if turn:  # the first turn warms the caches
                times["specharness"].append(measured[0])
                times["pytest"].append(measured[1])
    medians = {name: statistics.median(values) for name, values in times.items()}
    for name, median in medians.items():
        print(f"{name:12} {median:.3f} s  (median of {runs}, {min(times[name]):.3f} to {max(times[name]):.3f})")
    print(f"ratio        {medians['specharness'] / medians['pytest']:.2f}")


if __name__ == "__main__":
    main()
