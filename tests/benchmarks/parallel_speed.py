"""Whole-process time of the shipped suite with -j 1 against -j N, where a case takes 10 ms.

    python tests/benchmarks/parallel_speed.py [N] [RUNS]

Prints the median of each and the ratio, for an implementation that sleeps and one that computes.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

IMPLEMENTATION = """
import time
from specreference import verify_speculative_tokens as right

def sleep(*arguments):
    time.sleep(0.01)
    return right(*arguments)

def busy(*arguments):
    until = time.process_time() + 0.01
    while time.process_time() < until:
        pass
    return right(*arguments)
"""


def seconds(folder: str, name: str, jobs: int) -> float:
    command = [sys.executable, "-m", "specharness", "--impl", f"takes_time.py:{name}", "-j", str(jobs), "-q"]
    began = time.perf_counter()
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def main(jobs: int = 2, runs: int = 3) -> None:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "takes_time.py").write_text(IMPLEMENTATION)
        for name in ("sleep", "busy"):
            times: dict[int, list[float]] = {1: [], jobs: []}
            for _ in range(runs):
                for number in times:  # in turn, so that both meet the same load
                    times[number].append(seconds(folder, name, number))
            one, several = statistics.median(times[1]), statistics.median(times[jobs])
            print(f"{name}: -j 1 {one:.2f} s, -j {jobs} {several:.2f} s, {one / several:.2f} times faster")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
