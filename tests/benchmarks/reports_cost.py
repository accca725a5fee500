"""What reports add to a run of 10,000 cases with 1,000 failures.

    python tests/benchmarks/reports_cost.py [RUNS]

For each format, and for all of them at once: the CPU seconds from the import of its renderer to the written file, in a
new process each time, its size, and the ratio to those of the whole run without reports. The least of RUNS turns
counts, since what else the machine does can only add.
"""

import json
import resource
import string
import subprocess
import sys
import tempfile
from pathlib import Path

CASES = 10_000

IMPLEMENTATION = """
from specreference import verify_speculative_tokens as right

def verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples):
    result = right(draft_tokens, draft_probs, target_probs, random_samples)
    number = int(random_samples[0] * 65536) // 2
    if number % 10 == 0:
        print("case", number)
        if number % 50 == 0:
            raise RuntimeError("a failure in between")
        result["bonus_token"] = (result["bonus_token"] + 1) % 3
    return result
"""

TEMPLATES = [
    {
        "title": "a rejection recovers the argmax of the residual, and its row is not the last one",
        "clauses": ["SV-RES-1", "SV-ACC-1"],
        "tags": ["rejection"],
        "input": {
            "draft_tokens": [0],
            "draft_probs": [["8/16", "2/16", "6/16"]],
            "target_probs": [["2/16", "5/16", "9/16"]],
        },
        "expect": {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0},
        "lowest": 20_000,
    },
    {
        "title": "a uniform below the ratio accepts, and the bonus token follows",
        "clauses": ["SV-ACC-1"],
        "tags": ["bonus"],
        "input": {
            "draft_tokens": [1],
            "draft_probs": [["4/16", "8/16", "4/16"]],
            "target_probs": [["9/16", "4/16", "3/16"], ["2/16", "2/16", "12/16"]],
        },
        "expect": {"accepted_tokens": [1], "bonus_token": 2, "acceptance_count": 1},
        "lowest": 1,
    },
]

RENDER = """
import pickle, sys, time
from specharness.cli import run_suite  # what a run has imported anyway
from specharness.cli.reports import ReportFile, write_report
from specharness import atomic
from specharness.report import trace
with open(sys.argv[1], "rb") as file:
    result = pickle.load(file)
began = time.process_time()
for name in sys.argv[2].split(","):
    problem = write_report(ReportFile(name, sys.argv[3] + name), result)
    if problem:
        sys.exit(problem)
print(time.process_time() - began)
"""

KEEP = """
import pickle, sys
from specharness.cli import run_suite
keep, *sys.argv[1:] = sys.argv[1:]
say_all = run_suite._say_all
def keeping(options, result):
    with open(keep, "wb") as file:
        pickle.dump(result, file)
    say_all(options, result)
run_suite._say_all = keeping
from specharness.cli.main import main
main()
"""


def write_suite(path: Path) -> None:
    """Cases of one draft token; the uniform of each is a number of its own over 65536."""
    cases = []
    for number in range(CASES):
        template = dict(TEMPLATES[number % len(TEMPLATES)])
        lowest = template.pop("lowest")
        family = string.ascii_uppercase[number // 999]
        uniform = f"{lowest + number}/65536"
        given = {**template["input"], "random_samples": [uniform]}
        cases.append({"id": f"{family}-{number % 999 + 1:03}", **template, "input": given})
    path.write_text(json.dumps({"spec": "1.0", "profile": "argmax", "cases": cases}, indent=1))


def cpu_of_children() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def seconds_of_run(folder: Path) -> float:
    words = ["--impl", "solution.py", "--cases", "suite.yaml", "-q"]
    began = cpu_of_children()
    done = subprocess.run([sys.executable, "-m", "specharness", *words], cwd=folder, capture_output=True, text=True)
    taken = cpu_of_children() - began
    if done.returncode != 1 or " 1000 of 10000 gating cases failed" not in done.stdout:
        sys.exit(f"not the run that was meant: {done.stdout[-2000:]}{done.stderr[-2000:]}")
    return taken


def main() -> None:
    from specharness.report.formats import FORMATS

    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        write_suite(folder / "suite.yaml")
        (folder / "solution.py").write_text(IMPLEMENTATION)
        whole = min(seconds_of_run(folder) for _ in range(runs))
        keep = [sys.executable, "-c", KEEP, "kept", "--impl", "solution.py", "--cases", "suite.yaml", "-q"]
        subprocess.run(keep, cwd=folder, capture_output=True, check=False)
        print(f"{'run':10} {whole:7.3f} s  (least of {runs}, without reports)")
        for kinds in [*FORMATS, ",".join(FORMATS)]:
            times = []
            for _ in range(runs):
                words = [sys.executable, "-c", RENDER, "kept", kinds, "report-"]
                done = subprocess.run(words, cwd=folder, capture_output=True, text=True, check=True)
                times.append(float(done.stdout))
            size = sum((folder / f"report-{kind}").stat().st_size for kind in kinds.split(","))
            least = min(times)
            shown = "all" if "," in kinds else kinds
            print(f"{shown:10} {least:7.3f} s  ratio {least / whole:.3f}  {size:,} bytes")


if __name__ == "__main__":
    main()
