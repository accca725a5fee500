"""Results are judged by value and type, whatever they are, and never end the run."""

import pytest

KINDS = {
    "results": [
        ("long_list", "failed", "SV-OUT-3", "expected 10000, the length of accepted_tokens, got 1"),
        ("many_keys", "failed", "SV-OUT-1", "the keys accepted_tokens, bonus_token, acceptance_count"),
        ("long_key", "failed", "SV-OUT-1", "the keys accepted_tokens, bonus_token, acceptance_count"),
        ("number_keys", "failed", "SV-OUT-1", "got {"),
        ("own_marker", "failed", "SV-OUT-1", "the keys accepted_tokens, bonus_token, acceptance_count"),
        ("deep", "failed", "SV-OUT-1", "got [[["),
        ("holds_itself", "failed", "SV-OUT-2", "accepted_tokens: expected a list, got"),
        ("nothing", "failed", "SV-OUT-1", "got None"),
        ("pair", "failed", "SV-OUT-1", "got ([1], 2, 1)"),
        ("generator", "failed", "SV-OUT-1", "of type generator"),
        ("coroutine", "failed", "SV-OUT-1", "of type coroutine"),
        ("tokens_in_a_tuple", "failed", "SV-OUT-2", "expected a list, got (1,)"),
        ("tokens_in_a_generator", "failed", "SV-OUT-2", "of type generator"),
        ("extra_key", "failed", "SV-OUT-1", "got also 'note'"),
        ("missing_key", "failed", "SV-OUT-1", "expected the key acceptance_count, which the result lacks"),
        ("huge_int", "failed", "SV-OUT-4", "an int of 3321929 bits"),
        ("minus_one", "failed", "SV-OUT-4", "got -1"),
        ("a_bool", "failed", "SV-OUT-6", "got True"),
        ("a_float", "failed", "SV-OUT-6", "got 2.0"),
        ("not_a_number", "failed", "SV-OUT-6", "got nan"),
        ("infinite", "failed", "SV-OUT-6", "got inf"),
        ("a_complex", "failed", "SV-OUT-4", "got (2+0j) of type complex"),
        ("a_list", "failed", "SV-OUT-4", "got [2]"),
        ("a_text", "failed", "SV-OUT-4", "got '2'"),
        ("text_of_nan", "failed", "SV-OUT-4", "got 'NaN'"),
        ("some_bytes", "failed", "SV-OUT-4", "of type bytes"),
        ("half_a_character", "failed", "SV-OUT-4", "got '\\ud800'"),
        ("a_class", "failed", "SV-OUT-4", "<class 'int'> of type type"),
        ("unprintable", "failed", "SV-OUT-4", "of type results.Unprintable"),
        ("fatal", "failed", "SV-OUT-4", "of type results.Fatal"),
    ],
    "lies": [
        ("wrong_int", "failed", "SV-BON-1", "bonus_token: expected 2, got 1"),
        ("right_int", "advice", "SV-OUT-5", "bonus_token: expected a plain int"),
        ("right_enum", "advice", "SV-OUT-5", "bonus_token: expected a plain int"),
        ("wrong_list", "failed", "SV-OUT-2", "accepted_tokens: expected [1], got [2]"),
        ("right_list", "passed", None, ""),
        ("wrong_dict", "failed", "SV-OUT-1", "got also 'nothing'"),
        ("right_dict", "passed", None, ""),
        ("wrong_key", "failed", "SV-OUT-1", "got also 'something else'"),
        ("disguised", "failed", "SV-OUT-1", "of type lies.Disguised"),
        ("hostile", "failed", "SV-OUT-1", "of type lies.Hostile"),
        ("hostile_token", "failed", "SV-OUT-4", "of type lies.Hostile"),
    ],
    "number_types": [
        ("fraction", "failed", "SV-OUT-4", "Fraction(2, 1) of type fractions.Fraction"),
        ("decimal_number", "failed", "SV-OUT-4", "Decimal('2') of type decimal.Decimal"),
        ("fraction_count", "failed", "SV-OUT-3", "Fraction(1, 1) of type fractions.Fraction"),
    ],
    "numpy_types": [
        ("int64", "advice", "SV-OUT-5", "np.int64(2) of type numpy.int64"),
        ("uint8", "advice", "SV-OUT-5", "np.uint8(2) of type numpy.uint8"),
        ("array_without_shape", "advice", "SV-OUT-5", "array(2) of type numpy.ndarray"),
        ("list_of_int64", "advice", "SV-OUT-5", "[np.int64(1) of type numpy.int64]"),
        ("count_as_int64", "advice", "SV-OUT-5", "np.int64(1) of type numpy.int64"),
        ("boolean", "failed", "SV-OUT-6", "np.True_ of type numpy.bool"),
        ("float64", "failed", "SV-OUT-6", "np.float64(2.0) of type numpy.float64"),
        ("float32", "failed", "SV-OUT-6", "np.float32(2.0) of type numpy.float32"),
        ("not_a_number", "failed", "SV-OUT-6", "np.float64(nan) of type numpy.float64"),
        ("array_of_one", "failed", "SV-OUT-4", "array([2]) of type numpy.ndarray"),
        ("array_of_tokens", "failed", "SV-OUT-2", "array([1]) of type numpy.ndarray"),
        ("huge_array", "failed", "SV-OUT-2", "of type numpy.ndarray"),
    ],
}


NAMES = {file: [name for name, *_ in kinds] for file, kinds in KINDS.items()}


def parametrized(file):
    return pytest.mark.parametrize(
        ("name", "status", "clause", "words"), KINDS[file], ids=[name for name, *_ in KINDS[file]]
    )


@pytest.fixture
def judge_kind(judge_kinds):
    def judge(file, name):
        judged, ids = judge_kinds(file, NAMES)
        return judged, ids[name]

    return judge


def assert_judged(judged, case, status, clause, words):
    assert judged.statuses[case] == status
    assert judged.clauses(case)[:1] == ([clause] if clause else [])
    assert words in judged.lines(case)
    assert len(judged.lines(case)) < 1_500


@parametrized("results")
def test_a_result_of_another_form_is_shown_and_named_by_its_clause(judge_kind, name, status, clause, words):
    assert_judged(*judge_kind("results", name), status, clause, words)


@pytest.mark.parametrize("name", ["generator", "coroutine", "tokens_in_a_generator", "unprintable", "a_text"])
def test_an_object_that_two_calls_make_is_not_taken_for_two_results(judge_kind, name):
    """Its repr may hold its address."""
    judged, case = judge_kind("results", name)
    assert "SV-PURE-2" not in judged.clauses(case)


@parametrized("lies")
def test_classes_that_lie_are_judged_by_what_they_hold(judge_kind, name, status, clause, words):
    assert_judged(*judge_kind("lies", name), status, clause, words)


@parametrized("number_types")
def test_numbers_that_are_no_ints_are_no_tokens(judge_kind, name, status, clause, words):
    assert_judged(*judge_kind("number_types", name), status, clause, words)


@parametrized("numpy_types")
def test_array_scalars_count_by_their_dtype(judge_kind, name, status, clause, words):
    numpy = pytest.importorskip("numpy")
    if numpy.__version__.startswith("1."):
        words = ""  # it writes scalars in another way
    assert_judged(*judge_kind("numpy_types", name), status, clause, words)


@pytest.mark.parametrize("file", ["results", "lies", "number_types"])
def test_no_result_disturbs_the_cases_after_it(judge_kinds, file):
    judged, ids = judge_kinds(file, NAMES)
    assert {status for name, status in judged.statuses.items() if name not in ids.values()} == {"passed"}
    assert judged.ended.returncode == 1
    assert judged.ended.left_behind == []
    assert judged.ended.seconds < 30
    assert len(judged.ended.stdout) < 100_000


@pytest.mark.parametrize(
    ("name", "clause", "words"),
    [
        ("huge_results:as_list", "SV-OUT-2", "accepted_tokens: expected a list, got a list of 125000000 items"),
        ("huge_results:as_text", "SV-OUT-1", "got 'xxx"),
        ("holds_itself", "SV-OUT-1", "got [[["),
    ],
)
def test_a_result_too_large_to_send_is_named_by_its_clause(judge_file, write_suite, case_of, name, clause, words):
    judged = judge_file(
        name, cases=write_suite(case_of("STOP-001"), case_of("ACC-001")), timeout=30 if "huge" in name else 3
    )
    assert judged.statuses == {"STOP-001": "failed", "ACC-001": "passed"}
    assert judged.clauses("STOP-001")[0] == clause
    assert words in judged.lines("STOP-001")
    assert len(judged.ended.stdout) < 10_000
