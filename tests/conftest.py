"""The command as a real process, small suites, and an environment that is the tests' own."""

import copy
import ctypes
import json
import os
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from specharness.cli.main import main
from specharness.locations import data_root

COMMAND = (sys.executable, "-P", "-m", "specharness")
"""-P: like the installed command, it does not look for its own modules in the current folder."""

BOUND = 60.0
"""No process of a test takes longer, in seconds."""

MISBEHAVING = Path(__file__).parent / "misbehaving"
RIGHT = MISBEHAVING / "right.py"

_MARK = "SPECHARNESS_TEST_PROCESS"

ACCEPTS: dict[str, Any] = {
    "id": "ACC-001",
    "title": "a uniform below the ratio accepts",
    "clauses": ["SV-ACC-1"],
    "tags": ["bonus"],
    "input": {
        "draft_tokens": [1],
        "draft_probs": [["4/16", "8/16", "4/16"]],
        "target_probs": [["9/16", "4/16", "3/16"], ["2/16", "2/16", "12/16"]],
        "random_samples": ["31/64"],
    },
    "expect": {"accepted_tokens": [1], "bonus_token": 2, "acceptance_count": 1},
}
MARKED: dict[str, Any] = {
    "id": "STOP-001",
    "title": "two drafts, the second of which is rejected",
    "clauses": ["SV-STOP-1", "SV-RES-1"],
    "tags": ["rejection", "marked"],
    "input": {
        "draft_tokens": [0, 1],
        "draft_probs": [["8/16", "8/16"], ["4/16", "12/16"]],
        "target_probs": [["8/16", "8/16"], ["12/16", "4/16"], ["8/16", "8/16"]],
        "random_samples": ["4/16", "12/16"],
    },
    "expect": {"accepted_tokens": [0], "bonus_token": 0, "acceptance_count": 1},
}
RECOVERS: dict[str, Any] = {
    "id": "RES-001",
    "title": "a rejection recovers the argmax of the residual",
    "clauses": ["SV-RES-1", "SV-ACC-1"],
    "tags": ["rejection"],
    "input": {
        "draft_tokens": [0],
        "draft_probs": [["8/16", "2/16", "6/16"]],
        "target_probs": [["2/16", "5/16", "9/16"]],
        "random_samples": ["12/16"],
    },
    "expect": {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0},
}
RAISES: dict[str, Any] = {
    "id": "IN-001",
    "title": "a uniform too many",
    "clauses": ["SV-IN-2"],
    "tags": ["lengths"],
    "input": {
        "draft_tokens": [0],
        "draft_probs": [["8/16", "8/16"]],
        "target_probs": [["8/16", "8/16"]],
        "random_samples": ["1/16", "2/16"],
    },
    "expect": {"raises": "ValueError"},
}
ADVISES: dict[str, Any] = {
    "id": "IN-002",
    "title": "a token outside the vocabulary",
    "clauses": ["SV-IN-6"],
    "tags": ["values"],
    "input": {
        "draft_tokens": [2],
        "draft_probs": [["8/16", "8/16"]],
        "target_probs": [["8/16", "8/16"]],
        "random_samples": ["1/16"],
    },
    "expect": {"raises": "ValueError"},
}


@pytest.fixture(scope="session", autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Caches of the tests' own, and nothing of the CI system or terminal that they run in."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        for name in ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONPATH", "PYTHONIOENCODING"):
            patch.delenv(name, raising=False)
        yield


@dataclass(frozen=True)
class Ended:
    """A process that ended. `left_behind` are command lines of what it started and did not end."""

    returncode: int
    stdout: str
    stderr: str
    seconds: float
    left_behind: list[str]

    @property
    def last_line(self) -> str:
        return self.stdout.rstrip("\n").rpartition("\n")[2]


class Processes:
    """Starts processes whose environment carries a mark, so that what they leave behind is found."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._mark = uuid.uuid4().hex
        self._started: list[subprocess.Popen[bytes]] = []

    def environment(self, **changes: str) -> dict[str, str]:
        return {**os.environ, _MARK: self._mark, **changes}

    def run(
        self,
        *command: Any,
        cwd: Path | None = None,
        env: dict[str, str] | None = None,
        bound: float = BOUND,
        **popen: Any,
    ) -> Ended:
        """Run to the end, which must come within `bound` seconds."""
        began = time.monotonic()
        done = subprocess.run(
            [str(word) for word in command],
            cwd=cwd or self.folder,
            env=self.environment(**(env or {})),
            timeout=bound,
            **{"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **popen},
        )
        seconds = time.monotonic() - began
        text = [(stream or b"").decode("utf-8", "backslashreplace") for stream in (done.stdout, done.stderr)]
        return Ended(done.returncode, *text, seconds, self.left_behind())

    def start(
        self, *command: Any, cwd: Path | None = None, env: dict[str, str] | None = None, **popen: Any
    ) -> subprocess.Popen[bytes]:
        streams = {"stdin": subprocess.DEVNULL, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        process = subprocess.Popen(
            [str(word) for word in command],
            cwd=cwd or self.folder,
            env=self.environment(**(env or {})),
            preexec_fn=_obey_interrupts,
            **{**streams, **popen},
        )
        self._started.append(process)
        return process

    def left_behind(self, *, patience: float = 2.0) -> list[str]:
        """Command lines of marked processes that still run after `patience` seconds."""
        deadline = time.monotonic() + patience
        while (found := self._marked()) and time.monotonic() < deadline:
            time.sleep(0.01)
        return list(found.values())

    def end(self) -> None:
        """End what still runs."""
        for process in self._started:
            process.kill()
            process.communicate()
        for pid in self._marked():
            try:
                os.kill(pid, 9)
            except ProcessLookupError:
                pass

    def _marked(self) -> dict[int, str]:
        found = {}
        for folder in Path("/proc").glob("[0-9]*"):
            try:
                if f"{_MARK}={self._mark}".encode() in (folder / "environ").read_bytes():
                    found[int(folder.name)] = (folder / "cmdline").read_bytes().replace(b"\0", b" ").decode()
            except OSError:
                continue
        return found


def _obey_interrupts() -> None:
    """Where the tests run in the background of a shell, children ignore SIGINT unless told otherwise."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    made = Processes(tmp_path)
    yield made
    made.end()


@pytest.fixture
def without_privileges() -> Callable[[], None] | None:
    """A `preexec_fn` for processes that file permissions bind, root's included."""
    if os.geteuid() != 0:
        return None
    libc = ctypes.CDLL(None)
    if not hasattr(libc, "prctl"):
        pytest.skip("root may do everything, and this system has no capabilities to drop")

    def drop() -> None:
        for capability in (1, 2):  # CAP_DAC_OVERRIDE, CAP_DAC_READ_SEARCH
            libc.prctl(24, capability, 0, 0, 0)  # PR_CAPBSET_DROP

    return drop


@pytest.fixture
def specharness(processes: Processes) -> Any:
    """`specharness(*args, cwd=, env=, ...)` runs the command and gives what came of it."""

    def run(*args: Any, **options: Any) -> Ended:
        return processes.run(*COMMAND, *args, **options)

    return run


@pytest.fixture
def command(processes: Processes, capsys: pytest.CaptureFixture[str]) -> Any:
    """As `specharness`, but in this process, which is quicker; implementations still have processes of their own."""

    def run(*args: Any, cwd: Path | None = None, env: dict[str, str] | None = None) -> Ended:
        began = time.monotonic()
        handler = signal.getsignal(signal.SIGTERM)
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd or processes.folder)
            patch.setattr(sys, "argv", ["specharness", *map(str, args)])
            patch.setattr(sys, "path", list(sys.path))
            for name, value in processes.environment(**(env or {})).items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as end:
                main()
        signal.signal(signal.SIGTERM, handler)
        seconds = time.monotonic() - began
        assert isinstance(end.value.code, int)
        return Ended(end.value.code, *capsys.readouterr(), seconds, processes.left_behind())

    return run


@pytest.fixture
def start_specharness(processes: Processes) -> Any:
    """`start_specharness(*args)` starts the command and gives the running process."""

    def start(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
        return processes.start(*COMMAND, *args, **options)

    return start


def suite_text(*cases: dict[str, Any]) -> str:
    return json.dumps({"spec": "1.0", "profile": "argmax", "cases": cases}, indent=1)


@pytest.fixture
def write_suite(tmp_path: Path) -> Any:
    """`write_suite(*cases, name=)` writes a case file and gives its path."""

    def write(*cases: dict[str, Any], name: str = "suite.yaml") -> Path:
        path = tmp_path / name
        path.write_text(suite_text(*cases), encoding="utf-8")
        return path

    return write


@pytest.fixture(scope="session")
def case_of() -> Any:
    """`case_of(id, **changes)` is a case of the mixed suite, with some of its keys changed."""
    cases = {case["id"]: case for case in (ACCEPTS, MARKED, RECOVERS, RAISES, ADVISES)}

    def case(name: str, **changes: Any) -> dict[str, Any]:
        return {**copy.deepcopy(cases[name]), **changes}

    return case


@pytest.fixture(scope="session")
def small_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four gating cases. STOP-001, the second, is the one with two drafts, on which `right.on_marked_case` acts."""
    path = tmp_path_factory.mktemp("suites") / "small.yaml"
    path.write_text(suite_text(ACCEPTS, MARKED, RECOVERS, RAISES))
    return path


@pytest.fixture(scope="session")
def mixed_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The gating cases of `small_suite` and IN-002, which is advice."""
    path = tmp_path_factory.mktemp("suites") / "mixed.yaml"
    path.write_text(suite_text(ACCEPTS, MARKED, RECOVERS, RAISES, ADVISES))
    return path


@pytest.fixture(scope="session")
def long_suite(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Forty gating cases of one draft token each, ACC-001 to ACC-040."""
    cases = [
        {
            **ACCEPTS,
            "id": f"ACC-{number:03}",
            "input": {**ACCEPTS["input"], "random_samples": [f"{number}/256"]},
        }
        for number in range(1, 41)
    ]
    path = tmp_path_factory.mktemp("suites") / "long.yaml"
    path.write_text(suite_text(*cases))
    return path


@dataclass(frozen=True)
class Judged:
    """A run with its JSON report. `cases` are the report's cases by id."""

    ended: Ended
    report: dict[str, Any]

    @property
    def cases(self) -> dict[str, dict[str, Any]]:
        return {case["id"]: case for case in self.report["cases"]}

    @property
    def statuses(self) -> dict[str, str]:
        return {name: case["status"] for name, case in self.cases.items()}

    def clauses(self, case: str) -> list[str]:
        return [breach["clause"] for breach in self.cases[case].get("breaches", [])]

    def lines(self, case: str) -> str:
        return "\n".join(line for breach in self.cases[case].get("breaches", []) for line in breach["lines"])


def judge_implementation(
    run: Callable[..., Ended], folder: Path, impl: Any, *options: Any, cases: Path, timeout: float = 5, **more: Any
) -> Judged:
    """Run the command on an implementation: a file in tests/misbehaving, without its ending, or a path; :function."""
    name, colon, function = str(impl).partition(":")
    target = name if "/" in name else str(MISBEHAVING / f"{name}.py")
    report = folder / f"report-{uuid.uuid4().hex}.json"
    ended = run(
        *("--impl", target + colon + function, "--cases", cases, "--timeout", timeout),
        *("--report", f"json={report}"),
        *options,
        **more,
    )
    assert report.exists(), ended.stderr
    content = json.loads(report.read_text())
    _report_schema().validate(content)
    return Judged(ended, content)


@cache
def _report_schema() -> jsonschema.Draft202012Validator:
    path = data_root() / "spec" / "schema" / "report.schema.json"
    return jsonschema.Draft202012Validator(json.loads(path.read_text()))


@pytest.fixture
def judge_file(command: Any, tmp_path: Path, small_suite: Path) -> Any:
    """`judge_file(impl, *options, cases=, timeout=)` judges on the small suite and gives run and report."""

    def judge(impl: Any, *options: Any, **more: Any) -> Judged:
        return judge_implementation(command, tmp_path, impl, *options, **{"cases": small_suite, **more})

    return judge


@pytest.fixture(scope="session")
def judge_together(tmp_path_factory: pytest.TempPathFactory, small_suite: Path) -> Iterator[Any]:
    """`judge_together(name, names)` is `judge_file(name)` in processes of their own, `names` at once, two at a time."""
    runs: dict[tuple[str, float], Future[Judged]] = {}
    made = []

    def judge(name: str, names: Iterable[str], *, timeout: float = 5) -> Judged:
        if (name, timeout) not in runs:
            for each in names:
                made.append(Processes(tmp_path_factory.mktemp("together")))
                run, folder = partial(made[-1].run, *COMMAND), made[-1].folder
                future = pool.submit(judge_implementation, run, folder, each, cases=small_suite, timeout=timeout)
                runs[each, timeout] = future
        return runs[name, timeout].result()

    with ThreadPoolExecutor(2) as pool:
        yield judge
    for processes in made:
        processes.end()


@pytest.fixture(scope="session")
def judge_kinds(tmp_path_factory: pytest.TempPathFactory, long_suite: Path) -> Iterator[Any]:
    """`judge_kinds(file, kinds)` runs a file of tests/misbehaving whose functions each take one case of the long suite.

    Gives the run, and the id of the case of each kind. All kinds of a file share one run.
    """
    processes = Processes(tmp_path_factory.mktemp("kinds"))
    done: dict[str, tuple[Judged, dict[str, str]]] = {}

    def judge(file: str, kinds: Iterable[str]) -> tuple[Judged, dict[str, str]]:
        if file not in done:
            names = list(kinds)
            ids = {name: f"ACC-{number:03}" for number, name in enumerate(names, start=1)}
            environment = {"KINDS": ",".join(names)}
            run = partial(processes.run, *COMMAND)
            done[file] = (
                judge_implementation(run, processes.folder, file, "-v", cases=long_suite, env=environment),
                ids,
            )
        return done[file]

    yield judge
    processes.end()


@pytest.fixture(scope="session")
def right() -> Path:
    """A file with a right implementation."""
    return RIGHT
