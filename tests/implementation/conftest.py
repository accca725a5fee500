"""Runners of this process, which start real processes and leave none behind."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from specharness.implementation.bounds import Limits
from specharness.implementation.pool import Pool
from specharness.implementation.runner import Runner
from specharness.implementation.target import parse_target
from specharness.suite.load import load_files


@pytest.fixture
def pool_of(processes: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`pool_of(impl, jobs=, **limits)` makes a pool that is closed at the end."""
    made = []
    for name, value in processes.environment().items():
        monkeypatch.setenv(name, value)

    def make(impl: Any, *, jobs: int, watch_imports: bool = False, **limits: Any) -> Pool:
        made.append(Pool(parse_target(str(impl)), Limits(**limits), jobs=jobs, watch_imports=watch_imports))
        return made[-1]

    yield make
    for pool in made:
        pool.close()
    assert processes.left_behind() == []


@pytest.fixture
def runner_of(processes: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """`runner_of(impl, **limits)` makes a runner that is closed at the end."""
    made = []
    for name, value in processes.environment().items():
        monkeypatch.setenv(name, value)

    def make(impl: Any, *, folder: Path | None = None, search: Sequence[Path] = (), **limits: Any) -> Runner:
        target = parse_target(str(impl), folder=folder and str(folder), search=[str(path) for path in search])
        made.append(Runner(target, Limits(**limits)))
        return made[-1]

    yield make
    for runner in made:
        runner.close()
    assert processes.left_behind() == []


@pytest.fixture(scope="session")
def small_cases(small_suite: Any) -> Any:
    """The cases of the small suite; the second is the one with two drafts."""
    return load_files([small_suite])


@pytest.fixture(scope="session")
def long_cases(long_suite: Any) -> Any:
    """Forty cases of one draft token each."""
    return load_files([long_suite])
