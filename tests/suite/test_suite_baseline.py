"""Baseline files: read strictly, held against the cases, and refused with a place."""

from __future__ import annotations

from datetime import date

import pytest
from small_suites import BY_ID, many, suite_text

from specharness.errors import BadSuite
from specharness.suite.baseline import KnownAnswer, KnownBreaches
from specharness.suite.baseline_file import parse_baseline, read_baseline
from specharness.suite.load import load_files

_GOOD = """\
baseline: 1
failures:
- cases: ACC-001
  reason: the kernel takes any of equal entries
  link: https://example.org/1
  expires: 2030-12-31
  breaches:
  - {clause: SV-ACC-1, cause: accepts too few tokens}
  - {clause: SV-OUT-5, cause: numbers are no plain ints}
- {cases: [STOP-001, "ACC-01*"], reason: TODO, observed: {raises: TypeError}}
"""


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cases")
    variants = {**BY_ID["RES-001"], "matrix": [{"input": {"random_samples": [f"{n}/64"]}} for n in (60, 61)]}
    (folder / "a.yaml").write_text(suite_text(*many(20), *(BY_ID[name] for name in ("STOP-001", "IN-001")), variants))
    (folder / "b.yaml").write_text(
        'spec: "1.0"\nprofile: greedy\ncases:\n- id: GRD-001\n  title: a greedy case\n  clauses: [SV-GRD-2]\n'
        "  input: {draft_tokens: [0], target_probs: [[1/2, 1/4, 1/4], [1, 0, 0]], random_samples: []}\n"
        "  expect: {accepted_tokens: [0], bonus_token: 0, acceptance_count: 1}\n"
    )
    return load_files([folder])


@pytest.fixture
def read(tmp_path, cases, clauses):
    def write_and_read(text):
        path = tmp_path / "known.yaml"
        path.write_bytes(text if isinstance(text, bytes) else text.encode())
        return read_baseline(path, cases, clauses)

    return write_and_read


@pytest.fixture
def refusal(read):
    """What is said of a baseline, without the file's name."""

    def find(text):
        with pytest.raises(BadSuite) as caught:
            read(text)
        return [problem.partition("known.yaml")[2] for problem in caught.value.problems]

    return find


def test_an_entry_has_its_cases_reason_and_outcome(read):
    baseline = read(_GOOD)
    first, second = baseline.entries
    assert (first.cases, first.reason, first.link) == (
        ("ACC-001",),
        "the kernel takes any of equal entries",
        "https://example.org/1",
    )
    assert (first.expires, first.line, first.has_reason) == (date(2030, 12, 31), 3, True)
    assert first.outcome == KnownBreaches(
        (("SV-ACC-1", "accepts too few tokens"), ("SV-OUT-5", "numbers are no plain ints"))
    )
    assert (second.link, second.expires, second.line, second.has_reason) == ("", None, 10, False)
    assert second.outcome == KnownAnswer("raises", "TypeError")
    assert second.cases == ("STOP-001", *(f"ACC-0{n}" for n in range(10, 20)))
    assert baseline.by_case["ACC-019"] is second
    assert baseline.profile == ""


def test_an_id_takes_the_variants_of_its_case_as_the_option_does(read):
    (entry,) = read("baseline: 1\nfailures:\n- {cases: RES-001, reason: r, observed: {lost: died}}\n").entries
    assert entry.cases == ("RES-001/1", "RES-001/2")
    (entry,) = read("baseline: 1\nfailures:\n- {cases: RES-001/2, reason: r, observed: {lost: died}}\n").entries
    assert entry.cases == ("RES-001/2",)


def test_a_name_of_no_case_is_no_error_and_is_told(read):
    (entry,) = read(
        'baseline: 1\nfailures:\n- {cases: [ACC-001, ACC-999, "X-*"], reason: r, observed: {lost: died}}\n'
    ).entries
    assert entry.unmatched == ("ACC-999", "X-*")


def test_a_profile_leaves_out_the_cases_of_others(read):
    text = 'baseline: 1\n{}failures:\n- {{cases: "*", reason: r, observed: {{lost: died}}}}\n'
    assert len(read(text.format("")).entries[0].cases) == 20 + 2 + 2 + 1
    assert read(text.format("profile: greedy\n")).entries[0].cases == ("GRD-001",)


@pytest.mark.parametrize("text", ["baseline: 1\nfailures: []\n", '{"baseline": 1, "failures": []}'])
def test_a_baseline_may_be_empty_and_json(read, text):
    assert read(text).entries == ()


@pytest.mark.parametrize(
    ("written", "value"),
    [
        (
            "{accepted_tokens: [1], bonus_token: null, acceptance_count: 1}",
            {"accepted_tokens": [1], "bonus_token": None},
        ),
        ('{"$type": "tuple", "repr": "(1, 2)"}', {"$type": "tuple", "repr": "(1, 2)"}),
        ("[1.5, true, x]", [1.5, True, "x"]),
        ("null", None),
    ],
)
def test_an_observed_result_is_plain_data(read, written, value):
    (entry,) = read(
        f"baseline: 1\nfailures:\n- {{cases: ACC-001, reason: r, observed: {{result: {written}}}}}\n"
    ).entries
    if isinstance(value, dict) and "accepted_tokens" in value:
        value["acceptance_count"] = 1
    assert repr(entry.outcome.value) == repr(value)


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("baseline: 1", "baseline: 2", ":1:1: found 2; expected 1"),
        ("baseline: 1\n", "", ":1:1: the key baseline is missing; expected baseline, failures"),
        (
            "baseline: 1",
            "baseline: 1\nprofil: argmax",
            ":2:1: found the key 'profil'; expected baseline, profile, failures. Did you mean profile?",
        ),
        (
            "baseline: 1",
            "baseline: 1\nprofile: argmin",
            ":2:1: found 'argmin'; expected one of argmax, sampled, greedy, one-hot, block",
        ),
        (
            "  reason: the kernel takes any of equal entries\n",
            "",
            ":3:3: the key reason is missing; expected cases, reason",
        ),
        (
            "reason: the kernel takes any of equal entries",
            "reason: ' '",
            ":4:3: found ' '; expected text such as 'the kernel takes any of equal entries'",
        ),
        ("reason: TODO", "reason: 1", "found 1; expected a string"),
        ("reason: TODO", "raeson: TODO", "Did you mean reason?"),
        ("cases: ACC-001", "case: ACC-001", "Did you mean cases?"),
        (
            "cases: ACC-001",
            "cases: acc-001",
            ":3:3: found 'acc-001'; expected case ids and globs, as --case takes them",
        ),
        ("cases: ACC-001", "cases: []", ":3:3: found []; expected at least 1 of it"),
        ("cases: ACC-001", "cases: [ACC-001, ACC-001]", "expected each item once"),
        ("cases: ACC-001", "cases: [ACC-001, acc]", ":3:20: found 'acc'; expected a case id or a glob, such as"),
        ("expires: 2030-12-31", "expires: 31.12.2030", ":6:3: found '31.12.2030'; expected text such as 2030-12-31"),
        (
            "expires: 2030-12-31",
            "expires: 2030-02-30",
            ":6:3: found '2030-02-30'; expected a date, such as '2030-12-31'",
        ),
        (
            "clause: SV-ACC-1",
            "clause: SV-ACC-9",
            ":8:6: found the clause 'SV-ACC-9', which the spec lacks. Did you mean SV-ACC-",
        ),
        ("observed: {raises: TypeError}", "observed: {}", "found {}; expected at least 1 of it"),
        ("observed: {raises: TypeError}", "observed: {raises: TypeError, lost: died}", "expected at most 1 of it"),
        (
            "observed: {raises: TypeError}",
            "observed: {lost: not run}",
            "found 'not run'; expected one of timed out, died",
        ),
        (", observed: {raises: TypeError}", "", ":10:3: the key breaches or observed is missing"),
        (
            "  link:",
            "  observed: {lost: died}\n  link:",
            ":3:3: found both breaches and observed; expected one of them",
        ),
        (
            "[STOP-001, ",
            "[STOP-001, ACC-001, ",
            ":10:3: ACC-001 again, first on line 3 with another outcome, SV-ACC-1 (accepts too few tokens); SV-OUT-5",
        ),
        ("ACC-01*", "ACC-00*", ":10:3: ACC-001 again, first on line 3 with another outcome"),
        ("cases: ACC-001", 'cases: "*"', ":10:3: STOP-001 (and 10 more) again, first on line 3 with another outcome"),
        (
            "{raises: TypeError}",
            "{result: {acceptance_count: 1, accepted_tokens: [1], bonus_token: 2}}",
            "is what ACC-010 expects; expected a failure",
        ),
        ("[STOP-001, ", "[IN-001, STOP-001, ", None),
        (
            '[STOP-001, "ACC-01*"], reason: TODO, observed: {raises: TypeError}',
            "IN-001, reason: r, observed: {raises: ValueError}",
            "the outcome raises ValueError is what IN-001 expects",
        ),
    ],
)
def test_a_mistake_is_refused_with_its_place_what_was_found_and_what_was_expected(read, refusal, old, new, message):
    assert old in _GOOD
    text = _GOOD.replace(old, new, 1)
    if message is None:
        read(text)
        return
    assert any(message in problem for problem in refusal(text))


def test_two_entries_with_the_same_outcome_are_a_duplicate(refusal):
    entry = "- {cases: ACC-001, reason: r, observed: {lost: died}}\n"
    assert refusal("baseline: 1\nfailures:\n" + entry * 2) == [
        ":4:3: ACC-001 again, first on line 3 with the same outcome; expected one entry a case"
    ]


def test_all_that_is_wrong_is_told_in_the_order_of_the_file(refusal):
    text = _GOOD.replace("2030-12-31", "2030-13-01").replace("SV-OUT-5", "SV-OUT-55").replace("ACC-01*", "ACC-0*")
    assert [problem.split(": ")[0] for problem in refusal(text)] == [":6:3", ":9:6", ":10:3"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", ": the file is empty; expected a mapping with baseline and failures"),
        (b"\xff", ": not UTF-8 text (byte 0); expected a YAML baseline"),
        (b"a\0", ": a binary file (byte 1 is NUL); expected YAML text"),
        (b"- 1", ":1:1: found [1]; expected a mapping with the keys baseline, failures"),
        (b"baseline: 1\nbaseline: 1\n", ":2:1: the key 'baseline' again, first on line 1"),
        (b"baseline: 1\nfailures: &a []\n", ":2:11: the anchor &a; anchors are not allowed, write the value out"),
        (
            b"baseline: 1\nfailures:\n- {cases: *, reason: r}",
            ":3:12: not YAML: did not find expected alphabetic or numeric character; a text that begins with * needs",
        ),
    ],
)
def test_a_file_that_is_no_baseline(refusal, content, message):
    (problem,) = refusal(content)
    assert problem.startswith(message)


def test_a_missing_file(cases, clauses, tmp_path):
    with pytest.raises(BadSuite, match="there is no such file; --update-baseline writes it"):
        read_baseline(tmp_path / "known.yaml", cases, clauses)
    new = read_baseline(tmp_path / "known.yaml", cases, clauses, new="greedy")
    assert (new.entries, new.profile, new.text) == ((), "greedy", "")


def test_a_file_with_a_byte_order_mark_and_windows_line_ends_reads_alike(read, cases, clauses, tmp_path):
    marked = read(b"\xef\xbb\xbf" + _GOOD.replace("\n", "\r\n").encode())
    plain = parse_baseline(_GOOD, tmp_path / "known.yaml", cases, clauses)
    assert [(entry.cases, entry.outcome, entry.line) for entry in marked.entries] == [
        (entry.cases, entry.outcome, entry.line) for entry in plain.entries
    ]
