"""Files that reproduce a failure: they fail where the implementation does, and pass where it is right."""

from __future__ import annotations

import ast
import copy
import math
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from reporting import AGAIN, make_case

from specharness.implementation.inprocess import run_here
from specharness.implementation.observation import Loss, Lost, Observation, Returned
from specharness.implementation.target import parse_target
from specharness.judge.compare import ANOTHER_IN_NEW_PROCESS
from specharness.judge.rounding import Arithmetic
from specharness.judge.verdict import Status, judge
from specharness.report import repro as repro_module
from specharness.report.repro import INDEX, is_ours, reproduce
from specharness.report.result import RunResult, Setting
from specharness.suite.clauses import load_clauses
from specharness.suite.load import load_files, load_shipped
from specharness.suite.model import Case, Expected, write_arguments
from specharness.suite.policies import unmet_policy
from specreference import faults

_CLAUSES = load_clauses()
_CASES = [case for case in load_shipped() if len(case.arguments_json) < 2000 and unmet_policy(case, {}) is None]
_RIGHT = {
    "argmax": "verify_speculative_tokens",
    "sampled": "verify_sampled",
    "greedy": "verify_greedy",
    "one-hot": "verify_one_hot",
    "block": "verify_block",
}
_REFERENCE = parse_target("specreference:verify_speculative_tokens")


def _result(*verdicts, **setting):
    settings = {"implementation": "x", "again": AGAIN, "strict": True, **setting}
    return RunResult(setting=Setting(**settings), verdicts=verdicts, clauses=_CLAUSES)


def _verdict(case: Case, observation: Observation, **options):
    return judge(case, observation, _CLAUSES, strict=True, **options)


def _first_failure(function, profile):
    """Of cases that are each run as the first of a process."""
    for case in _CASES:
        if case.profile == profile:
            faults.forget()
            (observation,) = run_here(function, [case], repeat=True)
            if (verdict := _verdict(case, observation)).status is Status.FAILED:
                return verdict
    return None


def _run(text, folder):
    """What the test of a file raises, or None."""
    namespace = {"__file__": str(folder / "test_x.py"), "__name__": "test_x"}
    faults.forget()
    exec(compile(text, "test_x.py", "exec"), namespace)
    (test,) = (value for name, value in namespace.items() if name.startswith("test_"))
    try:
        test()
    except (Exception, pytest.fail.Exception) as error:
        return error
    return None


@pytest.mark.parametrize("profile", _RIGHT)
def test_a_pytest_file_fails_for_each_known_fault_and_passes_for_the_reference(profile, tmp_path):
    tried = 0
    for name, fault in list(faults.FAULTS.items())[::3]:
        if profile not in fault.profiles or not (verdict := _first_failure(fault.function, profile)):
            continue
        function = fault.function.__name__
        target = parse_target(f"specreference.faults:{function}")
        made = reproduce(_result(verdict, profile=profile), target, tmp_path, timeout=5).files
        (text,) = (text for file, text in made.items() if file.endswith(".py"))
        assert _run(text, tmp_path) is not None, name
        right = text.replace("'specreference.faults'", "'specreference'")
        right = right.replace(f"'{function}'", f"'{_RIGHT[profile]}'")
        assert _run(right, tmp_path) is None, name
        tried += 1
    assert tried >= 4


def test_a_case_file_holds_its_case_alone_and_validates(tmp_path):
    for case in _CASES[::40]:
        verdict = _verdict(case, Observation(Returned(None)))
        made = reproduce(_result(verdict), _REFERENCE, tmp_path, timeout=5).files
        (name,) = (name for name in made if name.endswith(".yaml"))
        (tmp_path / name).write_text(made[name])
        (read,) = load_files([tmp_path / name])
        assert read.arguments_json == case.arguments_json
        assert read.expected == case.expected


def _text_of(case, **options):
    verdict = _verdict(case, options.pop("observation", Observation(Returned(None))))
    made = reproduce(_result(verdict, **options), _REFERENCE, Path(), timeout=5).files
    return next(text for name, text in made.items() if name.endswith(".py"))


def _constants(text):
    namespace = {"inf": math.inf, "nan": math.nan}
    for node in ast.parse(text).body:
        if isinstance(node, ast.Assign) and node.targets[0].id in ("ARGUMENTS", "EXPECTED", "ACCEPTABLE"):
            exec(compile(ast.Module([node], []), "", "exec"), namespace)
    return namespace


@given(st.lists(st.floats(), max_size=40), st.lists(st.integers(), max_size=40))
def test_numbers_are_the_same_bit_for_bit(numbers, tokens):
    arguments = {"draft_tokens": tokens, "draft_probs": [numbers], "target_probs": [[], numbers], "random_samples": []}
    case = replace(make_case(), arguments_json=write_arguments(arguments), expected=Expected(raises="ValueError"))
    text = repro_module.pytest_file(
        _verdict(case, Observation(Returned(None))),
        _result(),
        repro_module.source_of(_REFERENCE, Path()),
        name="test_x",
        about="",
        timeout=1,
    )
    assert write_arguments(_constants(text)["ARGUMENTS"]) == case.arguments_json


def test_all_that_a_dtype_allows_is_acceptable_and_the_exact_result_comes_first(tmp_path):
    """p/q and u agree but for the last bit of float16."""
    case = make_case(
        draft_tokens=[0],
        draft_probs=[[0.3, 0.7]],
        target_probs=[[0.2, 0.8], [0.5, 0.5]],
        random_samples=[0.6667],
    )
    observation = Observation(Returned({"accepted_tokens": [1], "bonus_token": 0, "acceptance_count": 1}))
    text = _text_of(case, observation=observation, arithmetic=Arithmetic("float16"))
    acceptable = _constants(text)["ACCEPTABLE"]
    assert acceptable == [
        {"accepted_tokens": [], "bonus_token": 1, "acceptance_count": 0},
        {"accepted_tokens": [0], "bonus_token": 0, "acceptance_count": 1},
    ]
    assert "# what float16 may give, the exact result first" in text
    assert _run(text, tmp_path) is None
    assert "EXPECTED = " in _text_of(case, observation=observation)


def test_what_others_wrote_stays_in_comments(tmp_path):
    title = 'quotes """ and \\ and\nimport os; os.abort()\r\u2028import os; os.abort()  \x1b[31m'
    text = _text_of(make_case(title=title))
    assert _run(text, tmp_path) is None
    assert "\x1b" not in text
    assert all(line.startswith(("#", '"')) or "abort" not in line for line in text.splitlines())


def test_one_of_each_cause_comes_first_and_the_rest_is_bounded(monkeypatch):
    monkeypatch.setattr(repro_module, "MOST", 3)
    wrong = [Observation(Returned(None))] * 4 + [Observation(Lost(Loss.DIED, "it died"))]
    verdicts = [_verdict(make_case(f"CASE-00{n}"), observation) for n, observation in enumerate(wrong, start=1)]
    made = reproduce(_result(*verdicts), _REFERENCE, Path("out"), timeout=5)
    assert [name for name in made.files if name.endswith(".yaml")] == [
        "case_001.yaml",
        "case_002.yaml",
        "case_005.yaml",
    ]
    assert made.summary == f"repro: files for 3 of 5 failures in out; {INDEX} there says why not for the others"
    index = made.files[INDEX]
    assert "CASE-003  SV-OUT-1, the result is no dict: no files, beyond the first 3" in index
    assert "CASE-005  SV-RES-1, the call died: test_case_005.py, case_005.yaml" in index


def test_what_a_single_case_can_not_show_gets_no_files():
    case = make_case()
    observation = Observation(
        Returned(case.expected.as_result()), fresh=Returned(None), repeat=Returned(case.expected.as_result())
    )
    verdict = _verdict(case, observation)
    assert verdict.breaches[0].cause == ANOTHER_IN_NEW_PROCESS
    made = reproduce(_result(verdict), _REFERENCE, Path(), timeout=5)
    assert list(made.files) == [INDEX]
    assert "no files, it depends on the calls before it" in made.files[INDEX]


def test_a_huge_input_gets_no_files():
    wide = [1.0] + [0.0] * 60_000
    case = make_case(draft_tokens=[], draft_probs=[], target_probs=[wide], random_samples=[])
    made = reproduce(_result(_verdict(case, Observation(Returned(None)))), _REFERENCE, Path(), timeout=5)
    assert list(made.files) == [INDEX]
    assert "no files, its input has 60,001 numbers; run it with --case" in made.files[INDEX]


def test_a_run_without_failures_gives_an_index_that_says_so():
    made = reproduce(_result(), _REFERENCE, Path("out"), timeout=5)
    assert list(made.files) == [INDEX]
    assert made.files[INDEX].endswith("\nnothing failed\n")
    assert made.summary == "repro: files for 0 of 0 failures in out"


@pytest.mark.parametrize("loss", [Loss.NOT_PROTOCOL, Loss.ANSWERED_TWICE])
def test_what_breaks_the_protocol_gets_a_case_file_only(loss):
    verdict = _verdict(make_case(), Observation(Lost(loss, "it did")))
    assert list(reproduce(_result(verdict), _REFERENCE, Path(), timeout=5).files) == [INDEX, "case_001.yaml"]


def test_every_file_has_a_name_that_is_known_as_ours():
    verdicts = [_verdict(make_case(name), Observation(Returned(None))) for name in ("CASE-001", "TIE-004/12")]
    files = [
        *reproduce(_result(*verdicts), _REFERENCE, Path(), timeout=5).files,
        *reproduce(_result(*verdicts), parse_target("exec:./x"), Path(), timeout=5).files,
    ]
    files = [name for name in files if name != INDEX]
    assert "test_tie_004_12.py" in files
    assert "tie_004_12.jsonl" in files
    assert all(map(is_ours, files))
    assert not any(map(is_ours, ["conftest.py", "test_other.py", "cases.yaml", INDEX, "../tie_004.yaml"]))


def test_a_strict_run_checks_what_gates_in_it(tmp_path):
    """Changed arguments and array scalars are advice otherwise."""
    case = make_case()
    right = case.expected.as_result()
    array = {**right, "acceptance_count": {"$type": "numpy.int64", "repr": "1", "int": 1}}
    mutated = Observation(Returned(right), mutated=("draft_tokens",))
    for observation, words in ((mutated, "the call changed its arguments"), (Observation(Returned(array)), "")):
        strict = _text_of(case, observation=observation)
        assert words in strict
        assert ("__index__" in strict) == bool(words)
    both = Observation(Returned({**array, "bonus_token": 0}), mutated=("draft_tokens",))
    relaxed = _text_of(case, observation=both, strict=False)
    assert "the call changed" not in relaxed
    assert "__index__" in relaxed
    assert copy.deepcopy(right) == case.expected.as_result()
