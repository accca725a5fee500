"""`specharness.check(function)`, for notebooks and tests."""

import functools

import pytest

import specharness
from specharness.errors import BadSuite, NothingSelected, NotRunnable, UsageError
from specreference import verify_speculative_tokens as reference


def right(draft_tokens, draft_probs, target_probs, random_samples):
    return reference(draft_tokens, draft_probs, target_probs, random_samples)


def wrong(draft_tokens, draft_probs, target_probs, random_samples):
    result = reference(draft_tokens, draft_probs, target_probs, random_samples)
    return {**result, "bonus_token": "<script>alert('x')</script>"}


def lenient(draft_tokens, draft_probs, target_probs, random_samples):
    """Raises nothing for a token outside the vocabulary."""
    if draft_tokens == [2]:
        return {"accepted_tokens": [], "bonus_token": 0, "acceptance_count": 0}
    return reference(draft_tokens, draft_probs, target_probs, random_samples)


class Verifier:
    def __call__(self, draft_tokens, draft_probs, target_probs, random_samples):
        return reference(draft_tokens, draft_probs, target_probs, random_samples)

    method = __call__


def test_a_right_function_passes_the_shipped_suite():
    result = specharness.check(right)
    assert result.passed
    assert result.exit_code == 0
    assert result.failures == []
    assert len(result.verdicts) >= 200


@pytest.mark.parametrize(
    "function",
    [
        right,
        Verifier(),
        Verifier().method,
        functools.partial(right),
        lambda a, b, c, d: right(a, b, c, d),
        lambda *, draft_tokens, draft_probs, target_probs, random_samples: right(
            draft_tokens, draft_probs, target_probs, random_samples
        ),
    ],
)
def test_anything_of_four_arguments_is_checked(function, small_suite):
    assert specharness.check(function, cases=small_suite).passed


def test_failures_and_advice_are_told_apart(mixed_suite):
    result = specharness.check(wrong, cases=mixed_suite)
    assert not result.passed
    assert [verdict.case.id for verdict in result.failures] == ["ACC-001", "STOP-001", "RES-001"]
    assert result.advice == []
    result = specharness.check(lenient, cases=mixed_suite)
    assert result.passed
    assert [verdict.case.id for verdict in result.advice] == ["IN-002"]
    assert not specharness.check(lenient, cases=mixed_suite, strict=True).passed


def test_the_repr_is_one_line_with_the_outcome(mixed_suite):
    assert repr(specharness.check(right, cases=mixed_suite)) == ("<RunResult right: conformant: 4 gating cases passed>")
    assert repr(specharness.check(wrong, cases=mixed_suite)) == (
        "<RunResult wrong: nonconformant: 3 of 4 gating cases failed>"
    )


def test_the_html_holds_no_markup_of_the_implementation(mixed_suite):
    html = specharness.check(wrong, cases=mixed_suite)._repr_html_()
    assert "<script" not in html
    assert "&lt;script&gt;" in html
    assert html.count("<tr>") == 4
    assert "nonconformant: 3 of 4 gating cases failed" in html


def test_the_html_holds_no_markup_of_a_case_file(write_suite, case_of):
    suite = write_suite(case_of("ACC-001", title="<img src=x onerror=alert(1)>"))
    html = specharness.check(wrong, cases=suite)._repr_html_()
    assert "<img" not in html


def test_the_html_of_many_failures_is_cut_short(long_suite):
    html = specharness.check(wrong, cases=long_suite)._repr_html_()
    assert html.count("<tr>") == 21
    assert "and 20 more" in html


def test_the_html_of_success_is_a_sentence(small_suite):
    html = specharness.check(right, cases=small_suite)._repr_html_()
    assert html == "<p><strong>conformant: 4 gating cases passed</strong></p>"


@pytest.mark.parametrize(
    ("selection", "ids"),
    [
        ({"case": "ACC-001"}, ["ACC-001"]),
        ({"case": ["ACC-*", "IN-002"]}, ["ACC-001", "IN-002"]),
        ({"tag": "rejection"}, ["STOP-001", "RES-001"]),
        ({"tag": ("bonus", "lengths")}, ["ACC-001", "IN-001"]),
        ({"clause": "SV-RES-1"}, ["STOP-001", "RES-001"]),
        ({"level": "should"}, ["IN-002"]),
        ({"level": "SHOULD"}, ["IN-002"]),
        ({"level": ["must"], "clause": ["SV-IN-*"]}, ["IN-001"]),
    ],
    ids=str,
)
def test_cases_are_selected_as_by_the_command(mixed_suite, selection, ids):
    result = specharness.check(right, cases=mixed_suite, **selection)
    assert [verdict.case.id for verdict in result.verdicts] == ids


def test_cases_may_be_one_path_or_several(small_suite, write_suite, case_of):
    other = write_suite(case_of("IN-002"))
    assert len(specharness.check(right, cases=str(small_suite)).verdicts) == 4
    assert len(specharness.check(right, cases=[small_suite, str(other)]).verdicts) == 5


def test_cases_that_the_dtype_excludes_are_skipped(write_suite, case_of):
    suite = write_suite(case_of("ACC-001", dtypes=["float64"]), case_of("RES-001"))
    result = specharness.check(right, cases=suite, dtype="float32")
    assert [(case.id, reason) for case, reason in result.skipped] == [("ACC-001", "not for float32")]


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (7, "is of type int; expected a function"),
        (None, "is of type NoneType; expected a function"),
        (Verifier, "Verifier is a class; expected a function"),
        (lambda a, b: None, "can't be called with (draft_tokens, draft_probs, target_probs, random_samples)"),
        (len, "can't be called with"),
    ],
)
def test_what_is_no_such_function_is_refused(function, words):
    with pytest.raises(NotRunnable) as caught:
        specharness.check(function)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"dtype": "float23"}, UsageError, "dtype 'float23' is unknown; expected one of float64, float32, float16"),
        ({"level": "may"}, UsageError, "expected MUST or SHOULD"),
        ({"case": "RSE-001"}, NothingSelected, "matches no case. Did you mean RES-001"),
        ({"tag": "rejektion"}, NothingSelected, "Did you mean rejection?"),
        ({"clause": "SV-RSE-1"}, NothingSelected, "Did you mean SV-RES-1"),
        ({"profile": "sampled"}, NothingSelected, "no case of the profile sampled"),
        ({"profile": "sample"}, UsageError, "Did you mean sampled"),
        ({"space": "loga"}, UsageError, "space 'loga' is unknown; expected one of prob, log"),
        ({"cases": "missing.yaml"}, BadSuite, "missing.yaml: No such file or directory"),
    ],
    ids=str,
)
def test_wrong_arguments_are_explained(mixed_suite, arguments, error, words):
    with pytest.raises(error) as caught:
        specharness.check(right, **{"cases": mixed_suite, **arguments})
    assert words in str(caught.value)


@pytest.mark.parametrize("error", [SystemExit(1), GeneratorExit(), RuntimeError("broken"), MemoryError()], ids=repr)
def test_exceptions_of_the_function_are_failures(small_suite, error):
    def raising(draft_tokens, draft_probs, target_probs, random_samples):
        raise error

    result = specharness.check(raising, cases=small_suite)
    assert [verdict.case.id for verdict in result.failures] == ["ACC-001", "STOP-001", "RES-001", "IN-001"]


def test_an_interrupt_passes_through(small_suite):
    def interrupted(draft_tokens, draft_probs, target_probs, random_samples):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        specharness.check(interrupted, cases=small_suite)


def test_changed_arguments_and_kept_state_are_seen(small_suite):
    seen = []

    def impure(draft_tokens, draft_probs, target_probs, random_samples):
        seen.append(1)
        result = reference(draft_tokens, draft_probs, target_probs, random_samples)
        draft_tokens.append(0)
        return {**result, "bonus_token": len(seen)}

    breaches = {
        breach.clause
        for verdict in specharness.check(impure, cases=small_suite).verdicts
        for breach in verdict.breaches
    }
    assert {"SV-PURE-1", "SV-PURE-2"} <= breaches


def test_the_functions_of_the_package_are_the_public_ones():
    assert set(specharness.__all__) == {"SPEC_VERSION", "RunResult", "__version__", "check"}
    assert isinstance(specharness.check(right, case="*-001"), specharness.RunResult)
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        _ = specharness.chekc
