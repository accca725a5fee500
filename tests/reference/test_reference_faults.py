"""The catalogue of faults: each is what it says, differs from the reference, and is wrong in nothing else."""

from __future__ import annotations

import copy
import inspect
import itertools
import math
import random
import re
import subprocess
import sys
from pathlib import Path

import pytest

import specreference
from specreference import PROFILES, faults
from specreference.faults import CONTROLS, FAULTS

_REFERENCES = {
    "argmax": specreference.verify_speculative_tokens,
    "sampled": specreference.verify_sampled,
    "greedy": specreference.verify_greedy,
    "one-hot": specreference.verify_one_hot,
    "block": specreference.verify_block,
}
_SPEC = Path(__file__).parents[2] / "spec"
_ALL = [pytest.param(fault, id=fault.id) for fault in FAULTS.values()]
_NEVER = [pytest.param(fault, id=fault.id) for fault in CONTROLS.values() if not fault.clause]


def _sixteenths(*rows):
    return [[int(number) / 16 for number in row.split()] for row in rows]


_EVEN = _sixteenths("8 8")
_LEFT = _sixteenths("12 4")
_RIGHT = _sixteenths("4 12")
_TINY = 2.0**-40
_WIDE = [[1 / 64] * 64]

_ARGMAX = [
    # Dense: accepted at equality, rejected with a tie, all accepted with a tie, twelve drafts, repeated tokens.
    (
        [1, 5, 2],
        _sixteenths("3 2 2 2 5 2", "4 1 2 2 2 5", "2 3 4 3 1 3"),
        _sixteenths("4 1 3 2 5 1", "1 4 5 2 1 3", "3 3 3 4 1 2", "4 1 1 1 1 8", "5 3 4 1 1 2"),
        [8 / 16, 11 / 16, 12 / 16],
    ),
    ([0, 1, 0], _EVEN * 3, [*_LEFT, *_RIGHT, *_LEFT, *_EVEN, *_RIGHT], [0.5, 0.25, 1 - 2**-53]),
    ([0] * 12, _EVEN * 12, [*_LEFT, *_EVEN] * 6 + _RIGHT, [0.75] * 12),
    ([0], _sixteenths("8 5 0 3"), _sixteenths("6 5 4 1"), [0.9375]),
    ([1] * 5, _EVEN * 5, _LEFT + _RIGHT * 4, [0.75] * 5),
    # K = 0, with and without rows; wrong lengths there.
    ([], [], [], []),
    ([], [], _sixteenths("2 8 6", "1 1 14"), []),
    ([], _EVEN, _EVEN, [0.5]),
    # Lengths.
    ([0], _EVEN * 2, _EVEN * 2, [0.5]),
    ([0], _EVEN, _EVEN * 2, [0.5, 0.5]),
    ([0, 0], _EVEN, _EVEN * 2, [0.5, 0.5]),
    ([0, 0], _EVEN * 2, _EVEN * 2, [0.5]),
    ([0, 0], _EVEN * 2, _EVEN, [0.5, 0.5]),
    ([0, 0], _EVEN, _EVEN * 2, [0.5, 0.5, 0.5]),
    ([0, 0], _EVEN * 2, _RIGHT, [0.75, 0.5]),
    # Rows of other sizes, or empty; tokens out of range.
    ([0], _EVEN, [*_EVEN, []], [0.5]),
    ([0], _EVEN, [*_RIGHT, *_sixteenths("4 4 8")], [0.75]),
    ([0], _EVEN, _sixteenths("4 4 8"), [0.75]),
    ([-1], _EVEN, _EVEN * 2, [0.5]),
    ([2], _EVEN, _EVEN * 2, [0.5]),
    ([0, -1, 0], _EVEN * 3, _EVEN * 4, [0.5] * 3),
    ([0, 2], _EVEN * 2, _RIGHT * 2, [0.75, 0.5]),
    # Values.
    ([0], _EVEN, [[math.nan, 0.5], *_EVEN], [0.5]),
    ([0], _EVEN, [*_EVEN, [0.5, math.nan]], [0.5]),
    ([0], _EVEN, [*_RIGHT, [0.5, math.nan]], [0.75]),
    ([0], _EVEN, [[0.5, math.inf], *_EVEN], [0.5]),
    ([0], _EVEN, [[0.75, -0.25], *_EVEN], [0.5]),
    *(([0], _EVEN, _LEFT, [u]) for u in (math.nan, -0.5, 1.5)),
    ([0, 0], _EVEN * 2, _RIGHT * 2, [0.75, 1.5]),
    # Sums that are not 1, q = 0, residuals without mass.
    ([0], [[0.5, 0.5]], [[0.25, 0.0], [0.25, 0.25]], [0.375]),
    ([0], [[2.0, 0.0]], [[2.0, 0.0], [2.0, 3.0]], [0.875]),
    ([0], [[1.5, 0.4375, 0.0625]], [[0.3125, 0.5, 0.1875]], [0.75]),
    ([0], [[0.5, 2.0, 0.25]], [[0.125, 1.0, 1.5]], [0.75]),
    ([0], [[0.1, 0.2, 0.7]], [[0.1, 0.2, 0.7], [0.7, 0.2, 0.1]], [0.5]),
    ([0], _sixteenths("0 16"), _sixteenths("8 8", "4 12"), [0.9375]),
    ([0], _sixteenths("0 8 8"), _sixteenths("0 4 12", "8 4 4"), [0.5]),
    ([0, 0], _sixteenths("8 8", "0 16"), _RIGHT * 2, [0.75, 0.5]),
    ([1], _sixteenths("8 8 8"), _sixteenths("2 4 6"), [0.75]),
    ([0], _sixteenths("8 8 8"), _sixteenths("0 0 0"), [0.75]),
    # Near misses: ratios, uniforms, residuals and row K.
    ([0], _EVEN, _RIGHT, [0.5 + 2**-22]),
    ([0], _EVEN, _RIGHT, [0.5 + 2**-31]),
    ([0], _EVEN, [[0.25 + 2**-24, 0.75 - 2**-24]], [0.5 + 2**-23]),
    ([0], [[2**-27, 1 - 2**-27]], [[2**-27, 1 - 2**-27]], [0.75]),
    ([0], [[2 * _TINY, 1 - 2 * _TINY]], [[_TINY, 1 - _TINY]], [0.25]),
    ([0], [[2 * _TINY, 1 - 2 * _TINY]], [[_TINY, 1 - _TINY]], [0.75]),
    ([0], [[2 * _TINY, 0.0, 1 - 2 * _TINY]], [[0.0, 2 * _TINY, 1 - 2 * _TINY]], [0.75]),
    ([0], _sixteenths("8 4 4"), [[0.25, 0.375 - _TINY, 0.375 + _TINY]], [0.75]),
    ([0], _sixteenths("8 4 4"), [[0.25, 0.375 - 2**-24, 0.375 + 2**-24]], [0.75]),
    ([0], _EVEN, [*_EVEN, [0.5 - 2**-22, 0.5 + 2**-22]], [0.75]),
    ([0], _EVEN, _RIGHT, [0.0]),
    # Wide rows: ties across lanes and blocks, a size that is no multiple of 8, an index above 16 bits.
    ([], [], _WIDE, []),
    ([], [], [[2 / 64] * 2 + [1 / 64] * 8 + [3 / 64 if 10 <= y < 42 else 0.0 for y in range(10, 74)]], []),
    ([], [], [[3 / 64 if y in (2, 10) else 1 / 64 for y in range(60)]], []),
    ([], [], [[3 / 64 if y in (31, 32) else 1 / 64 for y in range(60)]], []),
    ([], [], [[3 / 16 if y == 9 else 1 / 16 for y in range(11)]], []),
]
_ARGMAX += [
    # Ratios in a part of the range, with all their digits, at equality that a reciprocal loses, and next to 1.
    ([0], _EVEN, [[0.1875, 0.8125]], [0.375 + 2**-14]),
    ([0], [[49 / 64, 15 / 64]], [[49 / 4096, 4047 / 4096]], [1 / 64]),
    ([0], [[0.75, 0.25]], [[0.25, 0.75]], [1 / 3 + 2**-27]),
    ([0], _EVEN, [[0.5 - 2**-16, 0.5 + 2**-16]], [1 - 2**-53]),
    ([0], _EVEN, [[_TINY, 1 - _TINY]], [2 * _TINY + 2.0**-60]),
    ([0], [[1.0, 0.0]], [[0.9375, 0.0625]], [0.96875]),
    # Many drafts, wide rows, and the same first rows with others after them.
    ([0] * 34, [[1.0, 0.0]] * 34, [[1.0, 0.0]] * 33 + [[0.0, 1.0]], [0.5] * 34),
    ([0] * 18, _EVEN * 18, _RIGHT * 18, [0.5 - i / 64 for i in range(16)] + [0.5, 0.75]),
    ([], [], [[float(y == 129) for y in range(130)]], []),
    ([], [], [[float(y == 259) for y in range(260)]], []),
    ([], [], [[float(y == 1030) for y in range(1031)]], []),
    ([55], [[1 / 64] * 64], [[1.5 / 64] * 50 + [7 / 896] * 14], [0.25]),
    ([0, 0], _EVEN * 2, [*_EVEN, *_RIGHT], [0.25, 0.75]),
    ([0, 0], _EVEN * 2, [*_EVEN, *_LEFT], [0.25, 0.75]),
]
_HIGH = ([], [], [[float(y == 65_539) for y in range(65_541)]], [])


def _row(rng, size, grid=16):
    cuts = sorted(rng.randint(0, grid) for _ in range(size - 1))
    return [(b - a) / grid for a, b in zip([0, *cuts], [*cuts, grid], strict=True)]


def _drawn(profile, count):
    """Calls on a grid, from a fixed seed; a few with a value too many."""
    rng = random.Random(profile)
    for _ in range(count):
        k, size = rng.randint(0, 4), rng.randint(2, 5)
        drafts = [_row(rng, size) for _ in range(k)]
        targets = [row if rng.random() < 0.2 else _row(rng, size) for row in drafts]
        targets += [_row(rng, size) for _ in range(rng.randint(0, 2))]
        if rng.random() < 0.1:
            targets = [[value / 2 for value in row] for row in targets]
        number = {"argmax": k, "greedy": 0}.get(profile, k + 1)
        uniforms = [
            rng.choice([0.0, 1 - 2**-53, rng.randrange(16) / 16, rng.randrange(64) / 64]) for _ in range(number)
        ]
        tokens = [rng.randrange(size) for _ in range(k)]
        yield tokens, drafts if PROFILES[profile].drafts else None, targets, uniforms


_HALF = [[0.5, 0.5]]
_CALLS = {
    "argmax": [*_ARGMAX, *_drawn("argmax", 60)],
    "sampled": [
        ([0], _HALF, _HALF, [0.5]),
        ([0], _HALF, _HALF, [0.5, 0.5, 0.5]),
        ([0], _sixteenths("8 8 0"), _sixteenths("4 12 0"), [0.75, 1 - 2**-53]),
        ([0], _sixteenths("16 0 0"), [[0.0, 1025 / 2048, 1023 / 2048]], [0.5, 2051 / 4096]),
        ([0], _HALF, _RIGHT, [0.5, 0.25]),
        *_drawn("sampled", 200),
    ],
    "greedy": [
        ([0], None, _HALF, [0.5]),
        ([1], None, [[0.5 + 2**-22, 0.5 - 2**-22], [0.25, 0.75]], []),
        *_drawn("greedy", 100),
    ],
    "one-hot": [
        ([0], None, _HALF, [0.5, 0.5, 0.5]),
        ([0], None, [[255 / 256, 1 / 256]], [511 / 512, 0.5]),
        *_drawn("one-hot", 200),
    ],
    "block": [([0], _HALF, _HALF, [0.5, 0.5, 0.5]), ([0], _HALF, _RIGHT, [0.5, 0.5]), *_drawn("block", 400)],
}


def _shown(value):
    """A value with the types in it."""
    if isinstance(value, dict):
        return {key: _shown(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return type(value), [_shown(item) for item in value]
    return type(value), repr(value)


def _answer(function, arguments):
    try:
        return _shown(function(*arguments))
    except ValueError:
        return ValueError
    except Exception as error:
        return type(error)


def _observed(function, call):
    """What two calls with the same arguments give, and whether the first changed them."""
    first, second = copy.deepcopy(call), copy.deepcopy(call)
    answers = _answer(function, first), _answer(function, second)
    return answers, repr(first) == repr(call)


def _outcomes(fault, profile):
    faults.forget()
    return [_observed(fault.function, call) for call in _CALLS[profile]]


_EXPECTED = {profile: [_observed(_REFERENCES[profile], call) for call in calls] for profile, calls in _CALLS.items()}
_CLAUSES = re.findall(r"^### (SV-[A-Z]+-[0-9]+) ", (_SPEC / "verification.md").read_text(), re.MULTILINE)
_CLAUSES += re.findall(r"^### (SV-[A-Z]+-[0-9]+) ", (_SPEC / "profiles.md").read_text(), re.MULTILINE)


@pytest.mark.parametrize("fault", [*_ALL, *(pytest.param(control, id=control.id) for control in CONTROLS.values())])
def test_a_fault_is_found_under_its_id_and_takes_the_four_arguments(fault):
    name = fault.id.replace("-", "_")
    assert fault.function.__name__ == name
    assert getattr(faults, name) is fault.function
    assert hasattr(sys.modules[fault.function.__module__], name)
    inspect.signature(fault.function).bind(None, None, None, None)


@pytest.mark.parametrize("fault", _ALL)
def test_a_fault_says_what_is_wrong_and_breaks_a_clause_of_a_profile(fault):
    assert fault.says
    assert "\n" not in fault.says
    assert len(fault.says) <= 120
    assert fault.clause in _CLAUSES
    assert fault.profiles
    assert set(fault.profiles) <= set(PROFILES)


@pytest.mark.parametrize("fault", _ALL)
def test_sources_are_issues_or_pull_requests(fault):
    assert len(set(fault.seen)) == len(fault.seen)
    for source in fault.seen:
        assert re.fullmatch(r"[A-Za-z0-9-]+/[A-Za-z0-9._-]+#[1-9][0-9]*", source)


def test_the_catalogue_is_large_and_ids_are_those_of_its_keys():
    assert all(key == fault.id for key, fault in itertools.chain(FAULTS.items(), CONTROLS.items()))
    count = {profile: sum(profile in fault.profiles for fault in FAULTS.values()) for profile in PROFILES}
    least = {"argmax": 90, "sampled": 25, "block": 15, "one-hot": 8, "greedy": 6}
    assert all(count[profile] >= number for profile, number in least.items())
    assert {fault.clause for fault in FAULTS.values()} == set(_CLAUSES) - {"SV-NUM-2"}, "which excuses and demands not"


@pytest.mark.parametrize("fault", _ALL)
def test_a_fault_differs_from_the_reference(fault):
    for profile in fault.profiles:
        faults.forget()
        pairs = zip(_CALLS[profile], _EXPECTED[profile], strict=True)
        high = [(_HIGH, _observed(_REFERENCES[profile], _HIGH))] if fault.id == "index-sixteen-bits" else []
        assert any(_observed(fault.function, call) != expected for call, expected in (*pairs, *high))


@pytest.mark.parametrize("fault", _ALL)
def test_only_faults_of_purity_change_arguments_or_remember_calls(fault):
    for profile in fault.profiles:
        outcomes = _outcomes(fault, profile)
        if fault.clause != "SV-PURE-1":
            assert all(unchanged for _, unchanged in outcomes)
        if fault.clause != "SV-PURE-2":
            assert all(first == second for (first, second), _ in outcomes)


@pytest.mark.parametrize("fault", [fault for fault in _ALL if fault.values[0].clause == "SV-PURE-2"])
def test_a_fault_that_remembers_does_the_same_again_after_forgetting(fault):
    assert _outcomes(fault, "argmax") == _outcomes(fault, "argmax")


@pytest.mark.parametrize("control", _NEVER)
def test_an_inert_control_never_differs(control):
    for profile in control.profiles:
        assert _outcomes(control, profile) == _EXPECTED[profile]


def test_each_profile_has_an_inert_control_and_the_positive_one():
    inert = [profile for control in CONTROLS.values() if not control.clause for profile in control.profiles]
    assert sorted(inert) == sorted(PROFILES)
    assert set(CONTROLS["control-positive"].profiles) == set(PROFILES)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_positive_control_always_differs(profile):
    outcomes = _outcomes(CONTROLS["control-positive"], profile)
    assert not any(got == expected for got, expected in zip(outcomes, _EXPECTED[profile], strict=True))


@pytest.mark.parametrize("fault", [fault for fault in _ALL if fault.values[0].equivalent_to])
def test_a_declared_equivalent_has_the_same_outcomes(fault):
    assert fault.equivalent_to.because
    other = FAULTS[fault.equivalent_to.id]
    assert other.equivalent_to is None
    assert other.profiles == fault.profiles
    for profile in fault.profiles:
        assert _outcomes(fault, profile) == _outcomes(other, profile)


def test_importing_the_reference_does_not_import_the_faults():
    code = "import sys, specreference; print([m for m in sys.modules if m.startswith('specreference.faults')])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_two_faults_can_not_have_one_id():
    def tie_last(draft_tokens, draft_probs, target_probs, random_samples):
        """Of equal values the last wins."""

    with pytest.raises(ValueError, match="tie-last"):
        faults.model.fault("SV-TIE-1")(tie_last)
