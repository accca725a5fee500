"""The command as a real process, small suites, and an environment that is the tests' own."""

import copy
import ctypes
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from processes import COMMAND, Ended, Processes
from runs import MISBEHAVING, Judged, judge_implementation
from small_suites import ACCEPTS, ADVISES, BY_ID, MARKED, RAISES, RECOVERS, many, suite_text

from specharness.cli.main import main

pytest_plugins = ["pytester"]


@pytest.fixture(scope="session", autouse=True)
def own_environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Caches of the tests' own, and nothing of the CI system or terminal that they run in."""
    base = tmp_path_factory.getbasetemp()
    shared = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(shared / "cache"))
        for name in ("CI", "NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONPATH", "PYTHONIOENCODING"):
            patch.delenv(name, raising=False)
        yield


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
        handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(cwd or processes.folder)
            patch.setattr(sys, "argv", ["specharness", *map(str, args)])
            patch.setattr(sys, "path", list(sys.path))
            for name, value in processes.environment(**(env or {})).items():
                patch.setenv(name, value)
            with pytest.raises(SystemExit) as end:
                main()
        for number, handler in handlers.items():
            signal.signal(number, handler)
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

    def case(name: str, **changes: Any) -> dict[str, Any]:
        return {**copy.deepcopy(BY_ID[name]), **changes}

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
    path = tmp_path_factory.mktemp("suites") / "long.yaml"
    path.write_text(suite_text(*many(40)))
    return path


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

    `kinds` has the functions of all such files, which run at once, two at a time. Gives the file's run, and the id of
    the case of each function.
    """
    runs: dict[str, Future[Judged]] = {}
    made = []

    def judge(file: str, kinds: Mapping[str, Sequence[str]]) -> tuple[Judged, dict[str, str]]:
        if file not in runs:
            for each, names in kinds.items():
                made.append(Processes(tmp_path_factory.mktemp("kinds")))
                run, folder = partial(made[-1].run, *COMMAND, env={"KINDS": ",".join(names)}), made[-1].folder
                runs[each] = pool.submit(judge_implementation, run, folder, each, "-v", cases=long_suite)
        return runs[file].result(), {name: f"ACC-{number:03}" for number, name in enumerate(kinds[file], start=1)}

    with ThreadPoolExecutor(2) as pool:
        yield judge
    for processes in made:
        processes.end()


@pytest.fixture(scope="session")
def right() -> Path:
    """A file with a right implementation."""
    return MISBEHAVING / "right.py"
