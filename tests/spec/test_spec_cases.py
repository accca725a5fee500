"""The shipped suite: wide enough, decided, and with the vectors that it must hold."""

from __future__ import annotations

import collections
import json
import re
from fractions import Fraction
from itertools import accumulate, pairwise

import pytest
import yaml

from specharness.locations import data_root
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.load import load_shipped
from specharness.suite.numbers import InexactDecimal, read_number
from specharness.suite.policies import policy_of
from specharness.suite.select import level_of
from specharness.suite.yaml12 import parse
from specreference import POLICIES, PROFILES, InvalidInput, acceptable_outcomes, explain
from specreference.dtypes import DTYPES

_CLAUSES = load_clauses()
_FILES = sorted((data_root() / "cases").glob("*.yaml"))
_DOCUMENTS = [yaml.load(path.read_text(encoding="utf-8"), yaml.CBaseLoader) for path in _FILES]
_ENTRIES = [{**entry, "profile": document["profile"]} for document in _DOCUMENTS for entry in document["cases"]]
_ON_INPUTS = [name for name in _CLAUSES if not name.startswith(("SV-OUT", "SV-PURE", "SV-NUM-2"))]
_ON_EVERY_CASE = ("SV-OUT", "SV-PURE", "SV-NUM-2")
_DRAWING = ("sampled", "one-hot", "block")
_LEAST_ENTRIES = {"argmax": 200, "sampled": 40, "greedy": 25, "one-hot": 25, "block": 40}
_FAMILIES = {"sampled": "SV-SMP", "greedy": "SV-GRD", "one-hot": "SV-ONE", "block": "SV-BLK"}


@pytest.fixture(scope="module")
def all_cases():
    return load_shipped()


@pytest.fixture(scope="module")
def cases(all_cases):
    """The cases of the profile `argmax`."""
    return [case for case in all_cases if case.profile == "argmax"]


def _rows(arguments):
    return [*(arguments["draft_probs"] or ()), *arguments["target_probs"]]


def _explain(case):
    return explain(**case.arguments(), profile=case.profile, policy=policy_of(case))


def _acceptable(case, dtype):
    arguments = case.arguments()
    return acceptable_outcomes(**arguments, profile=case.profile, policy=policy_of(case), dtype=dtype, limit=2)


def _canonical(arguments, *, profile="argmax", policies=()):
    """Profile, policies and the arguments up to the names of tokens: a column a token, sorted.

    A column has the token's entry in each row, and the steps that draft it. Where a coin draws, the order of tokens
    counts, so names do too.
    """
    tokens = arguments["draft_tokens"]
    rows = _rows(arguments)
    names = {*range(max(map(len, rows), default=0)), *tokens}
    columns = [
        (
            tuple(repr(row[name]) if 0 <= name < len(row) else "" for row in rows),
            tuple(step for step, token in enumerate(tokens) if token == name),
        )
        for name in sorted(names)
    ]
    columns = columns if profile in _DRAWING else sorted(columns)
    drafts = None if arguments["draft_probs"] is None else len(arguments["draft_probs"])
    shape = (len(tokens), drafts, len(arguments["target_probs"]), tuple(map(len, rows)))
    return repr((profile, policies, shape, columns, arguments["random_samples"]))


def _form(case):
    return _canonical(case.arguments(), profile=case.profile, policies=case.policies)


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
    assert _canonical(one, profile="sampled") != _canonical(renamed, profile="sampled")
    assert _canonical(one, profile="sampled", policies=(("knot", "left"),)) != _canonical(one, profile="sampled")


def test_each_profile_has_cases_and_a_case_the_profile_of_its_file(all_cases):
    assert {case.profile for case in all_cases} == set(PROFILES) == set(_LEAST_ENTRIES)
    by_id = {entry["id"]: entry["profile"] for entry in _ENTRIES}
    assert all(case.profile == by_id[case.id.partition("/")[0]] for case in all_cases)


@pytest.mark.parametrize("profile", PROFILES)
def test_entries_of_a_profile_differ_by_more_than_the_names_of_tokens(all_cases, profile):
    of_profile = [case for case in reversed(all_cases) if case.profile == profile]
    first_of_each_entry = {case.id.partition("/")[0]: case for case in of_profile}
    assert len(first_of_each_entry) == sum(entry["profile"] == profile for entry in _ENTRIES)
    assert len(set(map(_form, first_of_each_entry.values()))) >= _LEAST_ENTRIES[profile]


def test_no_two_cases_are_the_same_but_for_the_names_of_tokens_and_what_they_expect(all_cases):
    """Renaming changes who wins a tie and which index is first, so a renamed case must be about one of these."""
    seen = collections.defaultdict(list)
    for case in all_cases:
        seen[_form(case)].append(case)
    about_names = ("SV-TIE", "SV-IN-6", "SV-OUT-4", "SV-BON", "SV-RES", "SV-ACC", "SV-STOP", "SV-GRD-2", "SV-GRD-3")
    alike = [cases for cases in seen.values() if len(cases) > 1]
    for cases in alike:
        assert all(any(name.startswith(about_names) for name in case.clauses) for case in cases), cases
    assert all(case.expected.raises for cases in alike for case in cases if case.profile in _DRAWING)


def test_titles_and_ids_are_unique(all_cases):
    titles = collections.Counter((entry["profile"], entry["title"].strip().lower()) for entry in _ENTRIES)
    assert [title for title, count in titles.items() if count > 1] == []
    assert len({case.id for case in all_cases}) == len(all_cases)


@pytest.mark.parametrize("profile", PROFILES)
def test_the_clauses_of_a_profile_are_listed_by_its_own_cases_alone(all_cases, profile):
    of_others = {family for other, family in _FAMILIES.items() if other != profile}
    if profile in ("one-hot", "block"):
        of_others -= {"SV-SMP"}  # SV-SMP-4 and SV-SMP-5 hold wherever a coin draws
    for case in all_cases:
        if case.profile == profile:
            assert not any(name.startswith(tuple(of_others)) for name in case.clauses), case.id
            foreign = {name for name in case.clauses if name.startswith("SV-SMP")} - {"SV-SMP-4", "SV-SMP-5"}
            assert profile == "sampled" or not foreign, case.id


@pytest.mark.parametrize("profile", [name for name in PROFILES if name != "argmax"])
def test_every_number_of_the_profiles_added_later_is_dyadic_and_written_as_one(profile):
    """Decimals are for the original examples: an entry of these profiles means what it says in every dtype."""

    def numbers(node):
        if isinstance(node, str):
            yield node
        for item in node if isinstance(node, list) else node.values() if isinstance(node, dict) else ():
            yield from numbers(item)

    for entry in _ENTRIES:
        if entry["profile"] != profile:
            continue
        inputs = [entry.get("input", {}), *(variant.get("input", {}) for variant in entry.get("matrix", ()))]
        for text in numbers(inputs):
            value = read_number(parse(f"[{text}]")[0]) if text not in ("null", "~") else 0.0
            assert not isinstance(value, InexactDecimal), (entry["id"], text)


def test_a_policy_is_named_only_in_the_profile_sampled_and_each_value_is_named(all_cases):
    named = {policy for case in all_cases for policy in case.policies}
    assert {case.profile for case in all_cases if case.policies} == {"sampled"}
    assert named == {(name, value) for name, values in POLICIES.items() for value in values}


@pytest.mark.parametrize("path", _FILES, ids=lambda path: path.stem)
def test_a_case_file_names_its_schema_and_its_topic_first(path):
    first, second, *_ = path.read_text(encoding="utf-8").splitlines()
    assert first == "# yaml-language-server: $schema=../spec/schema/cases.schema.json"
    assert re.match(r"# [A-Z].*", second)


def test_cases_name_only_clauses_that_exist(all_cases):
    assert {name for case in all_cases for name in case.clauses} <= set(_CLAUSES)


@pytest.mark.parametrize("clause", _ON_INPUTS)
def test_a_clause_on_inputs_has_at_least_three_cases(clause):
    assert len([entry for entry in _ENTRIES if clause in entry["clauses"]]) >= 3


@pytest.mark.parametrize("clause", [name for name in _ON_INPUTS if _CLAUSES[name].level is Level.MUST])
def test_a_must_clause_on_inputs_has_at_least_three_gating_cases(all_cases, clause):
    gating = [case for case in all_cases if clause in case.clauses and level_of(case, _CLAUSES) is Level.MUST]
    assert len({case.id.partition("/")[0] for case in gating}) >= 3


@pytest.mark.parametrize("clause", _CLAUSES)
def test_a_clause_is_the_first_of_a_case_or_judged_on_every_case(all_cases, clause):
    assert clause.startswith(_ON_EVERY_CASE) or any(case.clauses[0] == clause for case in all_cases)


@pytest.mark.parametrize("dtype", DTYPES)
def test_every_case_has_one_acceptable_outcome_in_each_of_its_dtypes(all_cases, dtype):
    several = []
    for case in all_cases:
        if case.dtypes and dtype not in case.dtypes:
            continue
        if len(case.arguments_json) > 100_000 and dtype in ("float32", "float16"):
            continue  # large rows take long; checked in the finest and the coarsest dtype
        try:
            if len(_acceptable(case, dtype)) > 1:
                several.append(case.id)
        except InvalidInput:
            pass
    assert several == []


def _comes_to_an_open_question(case, dtype):
    """A coin that rounds to 1, as 1 - 2^-53 does in float32, or a p(x) that rounds to 0 at u = 0."""
    if case.profile in _DRAWING:
        return 1 - float(DTYPES[dtype].eps) / 2 <= case.arguments()["random_samples"][-1] < 1
    tiny = float(DTYPES[dtype].eta) / 2
    decisions = _explain(case).decisions
    return any(decision.u == 0 and 0 < decision.above <= tiny for decision in decisions)


def test_an_entry_names_its_dtypes_only_where_another_could_not_tell_one_of_its_cases(all_cases):
    needless = collections.defaultdict(lambda: True)
    for case in all_cases:
        for dtype in set(DTYPES) - set(DTYPES if case.expected.raises else case.dtypes or DTYPES):
            needed = _comes_to_an_open_question(case, dtype) or len(_acceptable(case, dtype)) > 1
            needless[case.id.partition("/")[0], dtype] &= not needed
    assert [entry for entry, value in needless.items() if value] == []


def test_no_case_runs_in_a_dtype_whose_rounding_brings_it_to_an_open_question(all_cases):
    for case in all_cases:
        if not case.expected.raises:
            assert not any(_comes_to_an_open_question(case, dtype) for dtype in case.dtypes or DTYPES), case.id


def test_boundaries_ties_and_open_questions_are_as_the_spec_demands(all_cases):
    for case in all_cases:
        if case.expected.raises:
            continue
        arguments = case.arguments()
        trace = _explain(case)
        assert trace.outcome.as_result() == case.expected.as_result(), case.id
        assert 1.0 not in arguments["random_samples"], case.id
        open_question = any(decision.u == 0 and decision.above == 0 < decision.below for decision in trace.decisions)
        assert case.profile != "argmax" or not open_question, case.id
        assert set(trace.hardened) <= set(case.clauses), case.id
        off = any(abs(sum(row) - 1) > 1e-6 for row in _rows(arguments))
        assert not off or "SV-IN-9" in case.clauses, case.id


@pytest.fixture(scope="module")
def kinds(cases):
    """Facts that the suite must cover, each with how many cases show it."""
    found = collections.Counter()
    for case in cases:
        arguments = case.arguments()
        k = len(arguments["draft_tokens"])
        sizes = {len(row) for row in _rows(arguments)}
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
        for step, token in zip(trace.decisions, arguments["draft_tokens"], strict=False):
            if step.below and Fraction(step.u) * step.below == step.above:
                found["exactly at the boundary"] += 1
            if step.below and not step.accepted and Fraction(step.u) * step.below - step.above < 0.02:
                found["rejected just beyond the boundary"] += 1
            found["drafts token 0"] += token == 0
            found["drafts token V - 1"] += token == v - 1 > 0
        if trace.decisions and not trace.decisions[-1].accepted:
            at, last = trace.decisions[-1].step, k - 1
            found[
                "rejected at "
                + ("the only step" if k == 1 else "first" if at == 0 else "last" if at == last else "the middle")
            ] += 1
        for choice in trace.choices:
            weights = choice.weights.counts
            tied = list(weights).count(max(weights))
            found[f"{choice.kind} tie of " + ("all" if tied == v > 3 else str(tied))] += tied > 1
            found[f"{choice.kind} token 0"] += choice.token == 0
            found[f"{choice.kind} token V - 1"] += choice.token == v - 1 > 0
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
        *("residual tie of 2", "residual tie of 3", "target tie of 2", "target tie of 3", "target tie of all"),
        *("residual token 0", "residual token V - 1", "target token 0", "target token V - 1", "massless tie of 2"),
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
    kinds = {choice.kind for case in near for choice in _explain(case).choices}
    assert {"residual", "target"} <= kinds
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


@pytest.fixture(scope="module")
def drawn(all_cases):
    """Facts that the profiles other than `argmax` must cover, each with how many of the profile's cases show it."""
    found = collections.defaultdict(collections.Counter)
    for case in all_cases:
        if case.profile == "argmax":
            continue
        facts, arguments = found[case.profile], case.arguments()
        k, uniforms = len(arguments["draft_tokens"]), arguments["random_samples"]
        if case.expected.raises:
            facts["too many uniforms"] += len(uniforms) > k + (case.profile != "greedy")
            facts["too few uniforms"] += len(uniforms) < k + (case.profile != "greedy")
            continue
        trace = _explain(case)
        facts[f"K = {k}"] += 1
        facts["all accepted"] += len(trace.outcome.accepted_tokens) == k > 0
        facts["none accepted"] += not trace.outcome.accepted_tokens and k > 0
        facts["some accepted"] += 0 < len(trace.outcome.accepted_tokens) < k
        facts["no row K"] += trace.outcome.bonus_token is None
        facts["rows beyond row K"] += len(arguments["target_probs"]) > k + 1
        facts["at the boundary"] += any(d.below and Fraction(d.u) * d.below == d.above for d in trace.decisions)
        facts["accepted after a rejected position"] += any(
            not one.accepted and other.accepted for one, other in pairwise(trace.decisions)
        )
        for choice in trace.choices[-1:] if case.profile in _DRAWING else ():
            weights = choice.weights.fractions()
            mark = Fraction(choice.coin) * sum(weights)
            facts["coin at a knot"] += mark in list(accumulate(weights))[:-1]
            facts["coin of 0 where token 0 has no weight"] += choice.coin == 0 and weights[0] == 0
            facts["greatest coin where the last token has no weight"] += choice.coin > 0.999 and weights[-1] == 0
            facts["massless"] += choice.kind == "massless"
            facts["residual scaled by a joint ratio"] += choice.kind == "residual" and choice.joint != 1
        if case.profile == "greedy":
            row = trace.choices[-1].p if trace.choices else [1, 0]
            facts["tie"] += list(row).count(max(row)) > 1
    return found


_DRAWN_KINDS = {
    "sampled": ["at the boundary", "coin at a knot", "massless"],
    "one-hot": ["at the boundary", "coin at a knot"],
    "block": [
        *("at the boundary", "coin at a knot"),
        *("accepted after a rejected position", "residual scaled by a joint ratio"),
    ],
    "greedy": ["tie", "too many uniforms"],
}
_OF_EVERY_PROFILE = ["K = 0", "K = 1", "K = 2", "K = 3", "all accepted", "none accepted", "some accepted", "no row K"]
_OF_COINS = [
    *("too few uniforms", "too many uniforms", "rows beyond row K"),
    *("coin of 0 where token 0 has no weight", "greatest coin where the last token has no weight"),
]


@pytest.mark.parametrize(
    ("profile", "kind"),
    [
        (profile, kind)
        for profile, kinds in _DRAWN_KINDS.items()
        for kind in [*kinds, *_OF_EVERY_PROFILE, *(_OF_COINS if profile in _DRAWING else ())]
    ],
)
def test_each_profile_has_a_case_of_each_kind(drawn, profile, kind):
    assert drawn[profile][kind] >= 1
