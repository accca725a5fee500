"""Cases as the text of a case file: what `load_files` reads back as the same arguments and expectations."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Any

import yaml

from specharness.suite.build import WITHOUT_DRAFTS
from specharness.suite.lint import takes_decimals
from specharness.suite.model import Case
from specharness.suite.numbers import LEAST
from specharness.version import SPEC_VERSION

_READABLE = 1 << 16


def write_cases(cases: Sequence[Case]) -> str:
    """The text of a case file with `cases`, all of one profile, their inputs written out.

    A variant ID/n is written under ID. Numbers are fractions n/d, or the shortest decimals of a case that has others
    than small fractions and is at no boundary or tie. Raises ValueError where no case file can say it: no case, several
    profiles, an id twice, or a non-zero number below 2^-60.
    """
    profiles = {case.profile for case in cases}
    ids = [_id(case) for case in cases]
    if len(profiles) != 1:
        raise ValueError(f"{len(profiles)} profiles; a case file has one, and at least one case")
    if len(set(ids)) != len(ids):
        raise ValueError(f"the id {next(name for name in ids if ids.count(name) > 1)} twice")
    document = {"spec": SPEC_VERSION, "profile": cases[0].profile, "cases": [_entry(case) for case in cases]}
    text: str = yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=110)
    return text


def _id(case: Case) -> str:
    return case.id.partition("/")[0]


def _entry(case: Case) -> dict[str, Any]:
    optional = {"tags": _Line(case.tags), "dtypes": _Line(case.dtypes), "policies": dict(case.policies)}
    expected = case.expected
    return {
        "id": _id(case),
        "title": case.title,
        "clauses": _Line(case.clauses),
        **{name: value for name, value in optional.items() if value},
        **({"notes": case.notes} if case.notes else {}),
        "input": _input(case),
        "expect": _LineOfPairs({"raises": expected.raises} if expected.raises else expected.as_result()),
    }


def _input(case: Case) -> dict[str, Any]:
    arguments = case.arguments()
    if case.profile in WITHOUT_DRAFTS and arguments["draft_probs"] is None:
        del arguments["draft_probs"]
    decimals = not all(map(_is_readable, _floats(arguments))) and takes_decimals(case)
    return {name: _spelled(value, decimals) for name, value in arguments.items()}


def _floats(value: Any) -> Iterator[float]:
    if isinstance(value, dict | list):
        for item in value.values() if isinstance(value, dict) else value:
            yield from _floats(item)
    elif isinstance(value, float):
        yield value


def _is_readable(value: float) -> bool:
    return not math.isfinite(value) or value.as_integer_ratio()[1] <= _READABLE


def _spelled(value: Any, decimals: bool) -> Any:
    if isinstance(value, list):
        rows = bool(value) and isinstance(value[0], list)
        return (list if rows else _Line)(_spelled(item, decimals) for item in value)
    return _Plain(_number(value, decimals)) if isinstance(value, float) else value


def _number(value: float, decimals: bool) -> str:
    if not math.isfinite(value):
        return ".nan" if math.isnan(value) else ".inf" if value > 0 else "-.inf"
    if value == 0:
        return "0" if math.copysign(1, value) > 0 else "-0.0"
    exact = Fraction(value)
    if abs(exact) < LEAST:
        raise ValueError(f"{value!r}; a case file holds 0 or at least 2^-60 in absolute value")
    return repr(value) if decimals and exact.denominator > 1 else str(exact)


class _Line(list[Any]):
    """A list on one line."""


class _LineOfPairs(dict[str, Any]):
    """A mapping on one line."""


class _Plain(str):
    """Text that is written as it is, without quotes."""


class _Dumper(getattr(yaml, "CSafeDumper", yaml.SafeDumper)):  # type: ignore[misc]  # whichever there is
    """Writes text, numbers and lists in the form of the shipped case files."""

    def ignore_aliases(self, data: Any) -> bool:
        return True


def _write_text(dumper: Any, text: str) -> Any:
    """What begins with a letter is no number in YAML 1.2, whatever else it is; the rest is quoted."""
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style=None if text[:1].isalpha() else '"')


def _write_plain(dumper: Any, text: str) -> Any:
    return dumper.represent_scalar(dumper.resolve(yaml.ScalarNode, str(text), (True, False)), str(text))


def _write_line(dumper: Any, items: list[Any]) -> Any:
    return dumper.represent_sequence("tag:yaml.org,2002:seq", items, flow_style=True)


def _write_pairs(dumper: Any, pairs: dict[str, Any]) -> Any:
    return dumper.represent_mapping("tag:yaml.org,2002:map", pairs.items(), flow_style=True)


_Dumper.add_representer(str, _write_text)
_Dumper.add_representer(_Plain, _write_plain)
_Dumper.add_representer(_Line, _write_line)
_Dumper.add_representer(_LineOfPairs, _write_pairs)
