"""A failure as a pytest file that needs nothing but pytest and the implementation."""

from __future__ import annotations

import math
import os
import pprint
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from specharness.implementation.observation import Lost
from specharness.implementation.target import Target
from specharness.judge.rounding import Arithmetic
from specharness.judge.verdict import Verdict
from specharness.report.result import RunResult
from specharness.suite.clauses import Level
from specharness.suite.model import Case

_WIDTH = 100


@dataclass(frozen=True, slots=True)
class Source:
    """Where a pytest file finds the function `name`: in `module`, a module or file, in `folder`, seen from its own."""

    folder: str
    module: str
    name: str


def source_of(target: Target, folder: Path) -> Source | None:
    """The source for files in `folder`; None where the target is no Python function."""
    if target.worker is None:
        return None
    if "path" in target.worker:
        where, module = os.path.split(os.path.abspath(target.worker["path"]))
    else:
        where, module = os.getcwd(), target.worker["module"]
    return Source(os.path.relpath(where, os.path.realpath(folder)), module, target.worker["name"])


def pytest_file(verdict: Verdict, result: RunResult, source: Source, *, name: str, about: str, timeout: float) -> str:
    """The file's text: a test `name`. `about` are comments for its top; `timeout` bounds a call that was lost."""
    case = verdict.case
    is_lost = any(isinstance(answer, Lost) for answer in (verdict.observation.answer, verdict.observation.repeat))
    body = "".join(f"    {line}\n" for line in _checks(verdict, result))
    parts = [
        f"{about}\n{_imports(case, is_lost)}\n"
        f"FOLDER = Path(__file__).resolve().parent / {source.folder!r}\n"
        f"MODULE = {source.module!r}\n"
        f"FUNCTION = {source.name!r}\n"
        f"ARGUMENTS = {{\n{_arguments(case)}}}\n"
        f"{_expectation(case, result.setting.arithmetic)}",
        _TEST_OF_A_PROCESS.format(name=name, body=body, timeout=timeout) if is_lost else f"def {name}():\n{body}",
        _HELPERS,
    ]
    if not case.expected.raises:
        parts.append(_plain(exact=_breaks("SV-OUT-5", verdict, result)))
    if is_lost:
        parts.append(_MAIN)
    return "\n\n".join(parts)


def _imports(case: Case, is_lost: bool) -> str:
    names = ["copy", "importlib.util", "inspect", *(["subprocess"] if is_lost else []), "sys"]
    lines = [f"import {name}" for name in names]
    if any(not math.isfinite(number) for number in floats_in(case.arguments())):
        lines.append("from math import inf, nan")
    lines.append("from pathlib import Path")
    return "\n".join([*lines, "", "import pytest"] if case.expected.raises else lines) + "\n"


def floats_in(value: Any) -> Iterator[float]:
    """The floats in lists and mappings."""
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from floats_in(item)
    elif isinstance(value, float):
        yield value


def _arguments(case: Case) -> str:
    return "".join(f'    "{name}": {_literal(value, 8 + len(name))},\n' for name, value in case.arguments().items())


def _literal(value: Any, indent: int) -> str:
    """`value` as Python source, exact to the bit, for a line that has `indent` columns already."""
    lines = pprint.pformat(value, width=_WIDTH - indent, compact=True, sort_dicts=False).split("\n")
    return ("\n" + " " * indent).join(lines)


def _expectation(case: Case, arithmetic: Arithmetic) -> str:
    """The one result that is right, or all that the declared arithmetic allows."""
    if case.expected.raises:
        return ""
    exact = case.expected.as_result()
    others = [other for other in _acceptable(case, arithmetic) if other != exact]
    if not others:
        return f"EXPECTED = {_literal(exact, 11)}\n"
    space = " in log space" if arithmetic.space == "log" else ""
    lines = "".join(f"    {_literal(allowed, 4)},\n" for allowed in [exact, *others])
    return f"# what {arithmetic.dtype}{space} may give, the exact result first\nACCEPTABLE = [\n{lines}]\n"


def _acceptable(case: Case, arithmetic: Arithmetic) -> list[dict[str, Any]]:
    from specharness.suite.policies import policy_of
    from specreference import acceptable_outcomes

    outcomes = acceptable_outcomes(
        **case.arguments(),
        profile=case.profile,
        policy=policy_of(case),
        dtype=arithmetic.dtype,
        space=arithmetic.space,
    )
    return [outcome.as_result() for outcome in outcomes]


def _breaks(clause: str, verdict: Verdict, result: RunResult) -> bool:
    """Whether a breach of `clause` gates."""
    return any(
        breach.clause == clause and (result.setting.strict or breach.level is Level.MUST) for breach in verdict.breaches
    )


def _checks(verdict: Verdict, result: RunResult) -> Iterator[str]:
    """The lines of the test."""
    raises = verdict.case.expected.raises
    several = _expectation(verdict.case, result.setting.arithmetic).startswith("#")
    yield "function, arguments = load(), copy.deepcopy(ARGUMENTS)"
    if raises:
        yield f"with pytest.raises({raises}):"
        yield "    call(function, arguments)"
    else:
        yield "result = plain(call(function, arguments))"
        yield f"assert result {'in ACCEPTABLE' if several else '== EXPECTED'}"
    if _breaks("SV-PURE-1", verdict, result):
        yield 'assert repr(arguments) == repr(ARGUMENTS), "the call changed its arguments"'
    if _breaks("SV-PURE-2", verdict, result) and raises:
        yield f"with pytest.raises({raises}):"
        yield "    call(function, copy.deepcopy(ARGUMENTS))"
    elif _breaks("SV-PURE-2", verdict, result):
        yield 'assert plain(call(function, copy.deepcopy(ARGUMENTS))) == result, "a second call gave another result"'


def _plain(*, exact: bool) -> str:
    """The helper that makes results comparable. With `exact`, only ints are ints."""
    words, conversion = ("", "") if exact else (" Integer scalars are ints.", _CONVERSION)
    return _PLAIN.replace(" INTEGERS", words).replace("CONVERSION", conversion)


_TEST_OF_A_PROCESS = '''\
def {name}():
    """In a process of its own, since the call did not come back."""
    done = subprocess.run([sys.executable, __file__], timeout={timeout:g})
    assert done.returncode == ANSWERED_RIGHT


def check():
{body}'''

_MAIN = """\
ANSWERED_RIGHT = 42

if __name__ == "__main__":
    check()
    sys.exit(ANSWERED_RIGHT)
"""

_HELPERS = '''\
def load():
    """The function, found as specharness --impl finds it."""
    sys.path.insert(0, str(FOLDER))
    if MODULE.endswith(".py"):
        spec = importlib.util.spec_from_file_location("implementation", FOLDER / MODULE)
        value = importlib.util.module_from_spec(spec)
        sys.modules["implementation"] = value
        spec.loader.exec_module(value)
    else:
        value = importlib.import_module(MODULE)
    for name in FUNCTION.split("."):
        owner, value = value, getattr(value, name)
        if inspect.isclass(owner) and inspect.isfunction(inspect.getattr_static(owner, name, None)):
            value = getattr(owner(), name)
    return value


def call(function, arguments):
    """By position, or by name where the function takes its arguments only so."""
    try:
        inspect.signature(function).bind(*arguments.values())
    except TypeError:
        return function(**arguments)
    except ValueError:  # a builtin that tells nothing of its parameters
        pass
    return function(*arguments.values())
'''

_PLAIN = '''\
def plain(value):
    """A result whose bools and floats are text, since True and 1.0 are no 1. INTEGERS"""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if value is None or type(value) is int:
        return value
CONVERSION    return repr(value)
'''

_CONVERSION = """\
    if hasattr(type(value), "__index__") and not isinstance(value, bool) and not getattr(value, "shape", ()):
        return value.__index__()
"""
