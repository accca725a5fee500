"""The shipped suite: wide enough, decided, and with the vectors that it must hold."""

from __future__ import annotations

import collections
import json
import re

import pytest
import yaml

from specharness.locations import data_root
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.load import load_shipped
from specharness.suite.select import level_of
from specreference import InvalidInput, acceptable_outcomes, explain
from specreference.dtypes import DTYPES

_CLAUSES = load_clauses()
_FILES = sorted((data_root() / "cases").glob("*.yaml"))
_ENTRIES = [
    entry for path in _FILES for entry in yaml.load(path.read_text(encoding="utf-8"), yaml.CBaseLoader)["cases"]
]
_ON_INPUTS = [name for name in _CLAUSES if re.match(r"SV-(IN|ACC|STOP|RES|TIE|BON)-|SV-NUM-1", name)]
_ON_EVERY_CASE = ("SV-OUT", "SV-PURE", "SV-NUM-2")


@pytest.fixture(scope="module")
def cases():
    return load_shipped()


def _canonical(arguments):
    """The arguments up to the names of tokens: a column a token, sorted.

    A column has the token's entry in each row, and the steps that draft it.
    """
    tokens = arguments["draft_tokens"]
    rows = arguments["draft_probs"] + arguments["target_probs"]
    names = {*range(max(map(len, rows), default=0)), *tokens}
    columns = sorted(
        (
            tuple(repr(row[name]) if 0 <= name < len(row) else "" for row in rows),
            tuple(step for step, token in enumerate(tokens) if token == name),
        )
        for name in names
    )
    shape = (len(tokens), len(arguments["draft_probs"]), len(arguments["target_probs"]), tuple(map(len, rows)))
    return repr((shape, columns, arguments["random_samples"]))


def test_the_form_without_names_is_the_same_for_renamed_tokens_alone():
    one = {
        "draft_tokens": [0, 2],
        "draft_probs": [[1, 2, 3], [4, 5, 6]],
        "target_probs": [[7, 8, 9], [1, 2, 3]],
        "random_samples": [0.5],
    }
    renamed = {
        "draft_tokens": [1, 0],
        "draft_probs": [[3, 1, 2], [6, 4, 5]],
        "target_probs": [[9, 7, 8], [3, 1, 2]],
        "random_samples": [0.5],
    }
    other = {**renamed, "draft_tokens": [1, 2]}
    assert _canonical(one) == _canonical(renamed)
    assert _canonical(one) != _canonical(other)


def test_at_least_two_hundred_entries_differ_by_more_than_the_names_of_tokens(cases):
    first_of_each_entry = {case.id.partition("/")[0]: case for case in reversed(cases)}
    assert len(first_of_each_entry) == len(_ENTRIES)
    assert len({_canonical(case.arguments()) for case in first_of_each_entry.values()}) >= 200


def test_no_two_cases_are_the_same_but_for_the_names_of_tokens_and_what_they_expect(cases):
    """Renaming changes who wins a tie and which index is first, so a renamed case must be about one of these."""
    seen = collections.defaultdict(list)
    for case in cases:
        seen[_canonical(case.arguments())].append(case)
    about_names = ("SV-TIE", "SV-IN-6", "SV-OUT-4", "SV-BON", "SV-RES", "SV-ACC", "SV-STOP")
    for cases in seen.values():
        assert len(cases) == 1 or all(any(name.startswith(about_names) for name in case.clauses) for case in cases)


def test_titles_and_ids_are_unique(cases):
    titles = collections.Counter(entry["title"].strip().lower() for entry in _ENTRIES)
    assert [title for title, count in titles.items() if count > 1] == []
    assert len({case.id for case in cases}) == len(cases)


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_a_case_file_names_its_schema_and_its_topic_first(path):
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first == "# yaml-language-server: $schema=../spec/schema/cases.schema.json"
    assert re.match(r"# [A-Z].*", second)


def test_cases_name_only_clauses_that_exist(cases):
    assert {name for case in cases for name in case.clauses} <= set(_CLAUSES)


@pytest.mark.parametrize("clause", _ON_INPUTS)
def test_a_clause_on_inputs_has_at_least_three_cases(clause):
    assert len([entry for entry in _ENTRIES if clause in entry["clauses"]]) >= 3


@pytest.mark.parametrize("clause", [name for name in _ON_INPUTS if _CLAUSES[name].level is Level.MUST])
def test_a_must_clause_on_inputs_has_at_least_three_gating_cases(cases, clause):
    gating = [case for case in cases if clause in case.clauses and level_of(case, _CLAUSES) is Level.MUST]
    assert len({case.id.partition("/")[0] for case in gating}) >= 3


@pytest.mark.parametrize("clause", _CLAUSES)
def test_a_clause_is_the_first_of_a_case_or_judged_on_every_case(cases, clause):
    assert clause.startswith(_ON_EVERY_CASE) or any(case.clauses[0] == clause for case in cases)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_case_has_one_acceptable_outcome_in_each_of_its_dtypes(cases, dtype):
    several = []
    for case in cases:
        if case.dtypes and dtype not in case.dtypes:
            continue
        if len(case.arguments_json) > 100_000 and dtype in ("float32", "float16"):
            continue  # large rows take long; checked in the finest and the coarsest dtype
        try:
            if len(acceptable_outcomes(**case.arguments(), dtype=dtype, limit=2)) > 1:
                several.append(case.id)
        except InvalidInput:
            pass
    assert several == []


def test_an_entry_names_its_dtypes_only_where_another_could_not_tell_one_of_its_cases(cases):
    needless = collections.defaultdict(lambda: True)
    for case in cases:
        for dtype in set(DTYPES) - set(DTYPES if case.expected.raises else case.dtypes or DTYPES):
            several = len(acceptable_outcomes(**case.arguments(), dtype=dtype, limit=2)) > 1
            needless[case.id.partition("/")[0], dtype] &= not several
    assert [entry for entry, value in needless.items() if value] == []


def test_boundaries_ties_and_open_questions_are_as_the_spec_demands(cases):
    for case in cases:
        if case.expected.raises:
            continue
        arguments = case.arguments()
        trace = explain(**arguments)
        assert 1.0 not in arguments["random_samples"], case.id
        assert not any(step.u == 0 and step.p == 0 and step.q > 0 for step in trace.steps), case.id
        assert set(trace.hardened) <= set(case.clauses), case.id
        off = any(abs(sum(row) - 1) > 1e-6 for row in arguments["draft_probs"] + arguments["target_probs"])
        assert not off or "SV-IN-9" in case.clauses, case.id


@pytest.fixture(scope="module")
def kinds(cases):
    """Facts that the suite must cover, each with how many cases show it."""
    found = collections.Counter()
    for case in cases:
        arguments = case.arguments()
        k = len(arguments["draft_tokens"])
        sizes = {len(row) for row in arguments["draft_probs"] + arguments["target_probs"]}
        if case.expected.raises:
            lengths = (
                len(arguments["draft_probs"]) - k,
                len(arguments["random_samples"]) - k,
                len(arguments["target_probs"]) - k,
            )
            for name, difference in zip(("draft_probs", "random_samples"), lengths, strict=False):
                if difference:
                    found[f"{name} {'too many' if difference > 0 else 'too few'}"] += 1
            if lengths[2] < 0:
                found["target_probs too few"] += 1
            continue
        found[f"K = {k}"] += 1
        found.update(f"V = {size}" for size in sizes)
        trace = explain(**arguments)
        v = max(sizes, default=0)
        for step in trace.steps:
            if step.q and step.u * step.q == step.p:
                found["exactly at the boundary"] += 1
            if step.q and not step.accepted and step.u * step.q - step.p < 0.02:
                found["rejected just beyond the boundary"] += 1
            found["drafts token 0"] += step.token == 0
            found["drafts token V - 1"] += step.token == v - 1 > 0
        if trace.steps and not trace.steps[-1].accepted:
            at, last = trace.steps[-1].index, k - 1
            found[
                "rejected at "
                + ("the only step" if k == 1 else "first" if at == 0 else "last" if at == last else "the middle")
            ] += 1
        if trace.choice:
            tied = len(trace.choice.tied)
            what = f"{trace.choice.kind} tie of "
            found[what + ("all" if tied == v > 3 else str(tied))] += tied > 1
            found[f"{trace.choice.kind} token 0"] += trace.choice.token == 0
            found[f"{trace.choice.kind} token V - 1"] += trace.choice.token == v - 1 > 0
        if len(arguments["target_probs"]) > k + 1:
            found["rows beyond row K"] += 1
        if case.dtypes:
            found[f"only {', '.join(case.dtypes)}"] += 1
        if any(
            abs(sum(p) - sum(q)) > 1e-6
            for p, q in zip(arguments["target_probs"], arguments["draft_probs"], strict=False)
        ):
            found["target and draft rows of unequal sums"] += 1
    return found


@pytest.mark.parametrize(
    "kind",
    [
        *(f"K = {k}" for k in (0, 1, 2, 3, 4, 12)),
        *(f"V = {v}" for v in (1, 2, 3, 4, 8, 64)),
        *("draft_probs too many", "draft_probs too few", "random_samples too many", "random_samples too few"),
        *("target_probs too few", "rows beyond row K"),
        *("exactly at the boundary", "rejected just beyond the boundary", "drafts token 0", "drafts token V - 1"),
        *("rejected at first", "rejected at the middle", "rejected at last", "rejected at the only step"),
        *("recovered tie of 2", "recovered tie of 3", "bonus tie of 2", "bonus tie of 3", "bonus tie of all"),
        *("recovered token 0", "recovered token V - 1", "bonus token 0", "bonus token V - 1"),
        *("only float64", "only float64, float32"),
    ],
)
def test_the_suite_has_a_case_of_each_kind(kinds, kind):
    assert kinds[kind] >= 1


def test_at_least_three_cases_have_target_and_draft_rows_of_unequal_sums(kinds):
    assert kinds["target and draft rows of unequal sums"] >= 3


@pytest.mark.parametrize("power", [12, 22, 40])
def test_near_misses_of_residuals_bonus_rows_and_thresholds_come_in_three_sizes(cases, power):
    near = [
        case for case in cases if not case.expected.raises and re.search(rf"2\^-{power}\b", case.title + case.notes)
    ]
    kinds = {explain(**case.arguments()).choice.kind for case in near if explain(**case.arguments()).choice}
    assert {"recovered", "bonus"} <= kinds
    assert any(name.startswith("SV-ACC") or name == "SV-NUM-1" for case in near for name in case.clauses)


def _find(cases, draft_tokens, draft_probs, target_probs, random_samples):
    wanted = json.dumps(
        {
            "draft_tokens": draft_tokens,
            "draft_probs": [list(map(float, row)) for row in draft_probs],
            "target_probs": [list(map(float, row)) for row in target_probs],
            "random_samples": list(map(float, random_samples)),
        }
    )
    return next((case for case in cases if case.arguments_json == wanted), None)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (
            (
                [2, 1],
                [[0.1, 0.2, 0.7], [0.2, 0.6, 0.2]],
                [[0.05, 0.15, 0.8], [0.1, 0.7, 0.2], [0.5, 0.3, 0.2]],
                [0.5, 0.4],
            ),
            {"accepted_tokens": [2, 1], "bonus_token": 0, "acceptance_count": 2},
        ),
        (
            ([0, 1], [[0.8, 0.2], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]], [0.5, 0.8]),
            {"accepted_tokens": [0, 1], "bonus_token": None, "acceptance_count": 2},
        ),
        (([0], [[0.5, 0.5]], [[0.5, 0.5]], [0.1, 0.2]), "ValueError"),
    ],
    ids=["first", "second", "third"],
)
def test_the_original_examples_are_cases_word_for_word(cases, arguments, expected):
    case = _find(cases, *arguments)
    assert case is not None
    assert (case.expected.raises or case.expected.as_result()) == expected
    assert level_of(case, _CLAUSES) is Level.MUST


def test_the_second_original_example_says_that_its_title_was_wrong(cases):
    case = _find(cases, [0, 1], [[0.8, 0.2], [0.9, 0.1]], [[0.9, 0.1], [0.1, 0.9]], [0.5, 0.8])
    assert "second token rejected with resample" in case.notes
    assert "wrong" in case.notes


def test_the_golden_vector_is_a_gating_case(cases):
    """In sixteenths. It tells a third of the known faults from a right verifier."""
    q = [[3, 2, 2, 2, 5, 2], [4, 1, 2, 2, 2, 5], [2, 3, 4, 3, 1, 3]]
    p = [[4, 1, 3, 2, 5, 1], [1, 4, 5, 2, 1, 3], [3, 3, 3, 4, 1, 2], [4, 1, 1, 1, 1, 8], [5, 3, 4, 1, 1, 2]]
    u = [8, 11, 12]
    case = _find(
        cases, [1, 5, 2], *([[value / 16 for value in row] for row in rows] for rows in (q, p)), [n / 16 for n in u]
    )
    assert case is not None
    assert case.expected.as_result() == {"accepted_tokens": [1], "bonus_token": 1, "acceptance_count": 1}
    assert level_of(case, _CLAUSES) is Level.MUST
    assert case.dtypes == ()
