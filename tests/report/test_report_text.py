"""The text report: what a failure says, how many are shown, and how wide it is."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from reporting import CLAUSES, make_case, raising, returning, right, run

from specharness.implementation.observation import Loss, Lost, Observation, Returned
from specharness.judge.breach import Breach
from specharness.judge.score import Score
from specharness.judge.verdict import Status, Verdict, judge
from specharness.report.groups import ALIKE, FULL
from specharness.report.result import RunResult, Setting
from specharness.report.text import NAMED, Style, render, summary_line
from specharness.suite.clauses import Level


def _text(result, **style):
    return render(result, Style(**style))


def _flat(text):
    """The text without its line breaks."""
    return " ".join(text.replace("\n    |", " ").split())


def _too_wide(text, width):
    """Lines wider than `width`, but for commands to copy and single words that are wider themselves."""
    return [
        line
        for line in text.splitlines()
        if len(line) > width and not line.startswith("  again: ") and len(line.removeprefix("    |").split()) > 1
    ]


def test_a_failure_says_what_where_by_which_clause_why_and_how_to_repeat_it():
    case = make_case(title="the second of two drafts is rejected", clauses=("SV-TIE-3", "SV-RES-1"))
    text = _text(run(returning(right(bonus=0)), case))
    for part in (
        "FAIL CASE-001  cases/made.yaml:3",
        "  the second of two drafts is rejected",
        "  SV-TIE-3 (MUST) Only equal values tie",
        "    | bonus_token: expected 2, got 0",
        "step 1: token 0, p = 1/4, q = 3/4, u = 1/2, p/q = 1/3: u > p/q, rejected",
        "residual of row 1: [0, 0, 1/2]",
        "greatest: 1/2 at token 2",
        "  again: specharness --impl 'my solution.py' --case CASE-001",
    ):
        assert part in text
    assert "accepted_tokens: expected" not in text
    assert text.endswith("\nnonconformant: 1 of 1 gating case failed")


def test_a_wrong_decision_shows_the_step_where_the_ways_part():
    text = _text(run(returning(right(accepted=[], bonus=0)), make_case()))
    assert "step 0: token 1, p = 1/2, q = 1/2, u = 1/2, p/q = 1: u < p/q, accepted" in text
    assert "step 1" not in text


def test_an_equality_and_a_narrow_margin_are_told():
    equal = make_case(random_samples=[0.5, 1 / 4], draft_probs=[[0.25, 0.5, 0.25], [1.0, 0.0, 0.0]])
    assert "p/q = 1/4: u = p/q, accepted" in _flat(_text(run(returning(right()), equal)))
    narrow = make_case(
        draft_probs=[[0.25, 0.5, 0.25], [0.5 - 2.0**-40, 0.5, 0.0]], random_samples=[0.5, 0.5 + 2.0**-38]
    )
    assert re.search(r"u > p/q by [0-9.]+e-\d+, rejected", _flat(_text(run(returning(right(bonus=0)), narrow))))


def test_a_bonus_token_shows_row_k():
    case = make_case(clauses=("SV-BON-1",), random_samples=[0.5, 0.25])
    text = _text(run(returning(right(accepted=[1, 0], bonus=1)), case))
    assert "all draft tokens are accepted (K = 2)" in text
    assert "target row 2: [1, 0, 0]" in text
    none = make_case(
        clauses=("SV-BON-2",), random_samples=[0.5, 0.25], target_probs=[[0.25, 0.5, 0.25], [0.25, 0.25, 0.5]]
    )
    assert "no row K: bonus_token is None" in _text(run(returning(right(accepted=[1, 0], bonus=0)), none))


def test_a_tie_shows_all_that_tie_and_who_wins():
    case = make_case(
        clauses=("SV-TIE-1",),
        target_probs=[[0.25, 0.5, 0.25], [0.25, 0.375, 0.375]],
        draft_probs=[[0.25, 0.5, 0.25], [0.75, 0.125, 0.125]],
    )
    assert "greatest: 1/4 at tokens 1, 2; the lowest index wins: 1" in _text(run(returning(right(bonus=2)), case))


def test_a_missing_error_shows_what_the_reference_raises():
    case = make_case(clauses=("SV-IN-2",), random_samples=[0.5])
    text = _text(run(returning(None), case))
    assert "expected ValueError, got the result None" in text
    assert "raises ValueError: random_samples: 1 value; expected K = 2 (SV-IN-2)" in text


def test_a_flaw_of_form_needs_no_trace():
    text = _text(run(returning(right(count=5)), make_case()))
    assert "SV-OUT-3 (MUST)" in text
    assert "reference" not in text


def test_an_error_shows_its_traceback_and_what_was_printed_last():
    text = _text(run(raising(KeyError("k")), make_case(), output="first\nsecond\n"))
    assert "KeyError: 'k'" in text
    assert "its output ended with" in text
    assert "    | second" in text


def test_untrusted_text_is_harmless_in_every_part():
    evil = "::error::x\x1b[31m\n##[error]\u202e"
    case = make_case(title=f"t {evil}")
    for function in (returning(evil), returning({evil: evil, **right()}), raising(type(evil, (ValueError,), {})(evil))):
        result = run(function, case, output=evil, notes=[evil])
        result = replace(result, setting=replace(result.setting, implementation=evil, again=("specharness", evil)))
        for verbosity in (-1, 0, 1):
            text = _text(result, verbosity=verbosity)
            assert "::error" not in text
            assert "##[" not in text
            assert all(char.isprintable() or char == "\n" for char in text)
            assert not any(line.startswith("x\x1b") for line in text.splitlines())


def _many(count, clauses=("SV-RES-1",)):
    return [make_case(f"MANY-{n:03}", clauses, random_samples=[0.5, 0.5 + n / 1024]) for n in range(count)]


def _named(first):
    return ", ".join(f"MANY-{n:03}" for n in range(first, first + NAMED))


def _in_full(text):
    return len(re.findall(r"^FAIL ", text, re.MULTILINE))


def test_failures_of_one_cause_are_shown_in_full_up_to_three_and_named_beyond():
    text = _text(run(returning(right(bonus=0)), *_many(30)))
    assert _in_full(text) == ALIKE == 3
    assert f"27 more of this cause: {_named(3)}, ...; all with -v" in _flat(text)
    assert "MANY-015" not in text


def test_up_to_twelve_of_the_others_are_named_without_dots():
    text = _flat(_text(run(returning(right(bonus=0)), *_many(ALIKE + NAMED))))
    assert f"12 more of this cause: {_named(3)}; all with -v" in text
    assert NAMED == 12


def test_at_most_twenty_failures_are_shown_in_full_shared_out_over_their_causes():
    clauses = ["SV-RES-1", "SV-TIE-1", "SV-TIE-3", "SV-BON-1", "SV-STOP-1", "SV-ACC-2", "SV-NUM-1", "SV-BON-2"]
    cases = []
    for number, clause in enumerate(clauses):
        cases += [replace(case, id=f"C{chr(65 + number)}-{case.id[-3:]}") for case in _many(number + 3, (clause,))]
    result = run(returning(right(bonus=0)), *cases)
    text = _text(result)
    assert _in_full(text) == 20
    causes = len({verdict.breaches[0].clause for verdict in result.failures})
    assert causes > FULL / ALIKE
    shown = re.findall(r"^FAIL (\S+)", text, re.MULTILINE)
    groups = {}
    for verdict in result.failures:
        groups.setdefault(verdict.breaches[0].clause, []).append(verdict.case.id)
    counts = [sum(name in shown for name in names) for names in groups.values()]
    assert max(counts) - min(counts) <= 1 <= min(counts)
    assert all(
        shown_first == names[: len(shown_first)]
        for names in groups.values()
        for shown_first in [[name for name in names if name in shown]]
    )
    assert all(name in _flat(text) for names in groups.values() for name in names[:NAMED])


def test_where_causes_are_more_than_full_blocks_the_others_are_named():
    names = [name for name in CLAUSES if name.startswith(("SV-RES", "SV-TIE", "SV-BON", "SV-STOP", "SV-SMP"))]
    names = [name for name in names if CLAUSES[name].level is Level.MUST][:FULL]
    cases = [make_case(f"CASE-{number:03}", (name,)) for number, name in enumerate(names)]
    others = _many(FULL + 1 - len(names), ("SV-IN-9", "SV-NUM-1"))
    verdicts = []
    for number, case in enumerate([*cases, *others]):
        breach = Breach("SV-RES-1", Level.MUST, f"cause {number}", ("expected 2, got 0",))
        verdicts.append(Verdict(case, Observation(Returned(right(bonus=0))), (breach,), Status.FAILED, True))
    text = _flat(_text(RunResult(Setting("x"), verdicts, CLAUSES)))
    assert len(re.findall("FAIL ", text)) == FULL
    assert f"== SV-RES-1, cause {FULL}: 1 case not shown: {verdicts[-1].case.id}; all with -v" in text


def test_everything_is_shown_in_full_where_that_is_asked_for():
    text = _text(run(returning(right(bonus=0)), *_many(30)), verbosity=1)
    assert _in_full(text) == 30
    assert "more of this cause" not in text


def test_quiet_is_the_summary_alone():
    result = run(returning(right(bonus=0)), *_many(3))
    assert _text(result, verbosity=-1) == summary_line(result) == "nonconformant: 3 of 3 gating cases failed"


def test_advice_is_grouped_by_clause_and_shown_in_full_on_request():
    cases = _many(8, ("SV-RES-2",))
    result = run(returning(right(bonus=0)), *cases)
    text = _text(result)
    assert "ADVICE beyond the original statement; gates with --strict, in full with -v" in text
    assert "  SV-RES-2 After a rejection" in text
    assert f"8 cases: {', '.join(case.id for case in cases)} bonus_token: expected 2, got 0" in _flat(text).replace(
        "| ", ""
    )
    assert f"20 cases: {_named(0)}, ..." in _flat(_text(run(returning(right(bonus=0)), *_many(20, ("SV-RES-2",)))))
    assert text.endswith("conformant: no gating case was selected, advice on 8")
    assert len(re.findall(r"^ADVICE MANY", _text(result, verbosity=1), re.MULTILINE)) == 8


def test_skipped_cases_are_told_with_the_dtype():
    cases = [make_case("RUN-001"), *[replace(case, dtypes=("float64",)) for case in _many(8)]]
    text = " ".join(_text(run(returning(right()), *cases, dtype="float16")).split())
    assert "skipped, not for float16: 8 cases (MANY-000, MANY-001, MANY-002, MANY-003, MANY-004, MANY-005, ...)" in text
    assert "(profile argmax, float16)" in text


def test_a_strict_run_says_so():
    assert "(profile argmax, float64, strict)" in _text(run(returning(right()), make_case(), strict=True))


def test_a_self_check_is_headed_as_one_and_says_how_to_name_an_implementation():
    result = run(returning(right()), make_case())
    text = _text(replace(result, setting=replace(result.setting, self_check=True)))
    assert text.startswith("self-check: nothing of yours was tested.")
    assert "--impl module:function" in text
    assert _too_wide(text, 80) == []


def _verdict(status, gating=True):
    differs = status in (Status.FAILED, Status.ADVICE)
    breaches = (Breach("SV-RES-1", Level.MUST, "another bonus_token", ("expected 2, got 0",)),) if differs else ()
    return Verdict(make_case(), Observation(Returned(right())), breaches, status, gating)


@pytest.mark.parametrize(
    ("verdicts", "changes", "line"),
    [
        ([(Status.PASSED, True)], {}, "conformant: 1 gating case passed"),
        (
            [(Status.PASSED, True)] * 2 + [(Status.PASSED, False)],
            {},
            "conformant: 2 gating cases passed",
        ),
        ([(Status.PASSED, True), (Status.ADVICE, False)], {}, "conformant: 1 gating case passed, advice on 1"),
        ([(Status.ADVICE, True)], {}, "conformant: 1 gating case passed, advice on 1"),
        ([(Status.PASSED, False)], {}, "conformant: no gating case was selected"),
        ([(Status.FAILED, True), (Status.PASSED, True)], {}, "nonconformant: 1 of 2 gating cases failed"),
        ([(Status.FAILED, False)], {}, "nonconformant: 1 advisory case broke a MUST clause"),
        (
            [
                *[(Status.FAILED, True)] * 2,
                (Status.PASSED, True),
                *[(Status.FAILED, False)] * 2,
                *[(Status.NOT_RUN, True), (Status.NOT_RUN, False)],
                *[(Status.ADVICE, False)] * 3,
            ],
            {"selected_of": 99},
            "nonconformant: 2 of 4 gating cases failed, 2 advisory cases broke a MUST clause, 2 cases not run, "
            "advice on 3, 10 of 99 selected",
        ),
        ([(Status.PASSED, True)], {"selected_of": 9}, "conformant: 1 gating case passed, 1 of 9 selected"),
        ([(Status.NOT_RUN, True), (Status.PASSED, True)], {}, "nonconformant: 1 case not run"),
        (
            [(Status.FAILED, True), (Status.NOT_RUN, True)],
            {},
            "nonconformant: 1 of 2 gating cases failed, 1 case not run",
        ),
        ([(Status.NOT_RUN, True), (Status.NOT_RUN, False)], {}, "nonconformant: 2 cases not run"),
        ([(Status.PASSED, True)], {"score": Score(100, 10, "r")}, "conformant: 1 gating case passed"),
        ([(Status.PASSED, True)] * 2, {"interrupted": True}, "interrupted: 2 cases judged"),
        ([(Status.ADVICE, True)], {"interrupted": True}, "interrupted: 1 case judged"),
        (
            [(Status.PASSED, True), (Status.FAILED, True)],
            {"interrupted": True},
            "interrupted: 2 cases judged, 1 of 2 gating cases failed",
        ),
    ],
)
def test_the_last_line_is_the_outcome(verdicts, changes, line):
    result = RunResult(Setting("x"), [_verdict(*each) for each in verdicts], CLAUSES, **changes)
    assert summary_line(result) == line
    assert _text(result, width=200).splitlines()[-1] == line
    assert repr(result) == f"<RunResult x: {line}>"


def test_a_run_that_stopped_or_has_notes_or_a_score_says_so():
    result = run(
        returning(right()),
        make_case(),
        stopped=True,
        notes=["a note"],
        score=Score(50, 0, "the bonus needs 100 points"),
    )
    text = _text(result)
    assert "stopped after the first failure (-x); the other cases were not judged" in text
    assert "a note" in text
    assert "score 50 of 100, bonus 0 of 10: the bonus needs 100 points" in text
    assert "score 50 of 100" in _text(result, verbosity=-1)


def test_a_lost_call_shows_what_happened():
    case = make_case()
    observation = Observation(Lost(Loss.DIED, "it ended by signal 11 instead of answering"), output="bye\n")
    result = RunResult(Setting("x"), [judge(case, observation, CLAUSES)], CLAUSES)
    text = _text(result)
    assert "it ended by signal 11 instead of answering" in text
    assert "    | bye" in text


_FUNCTIONS = {
    "wrong-token": returning(right(bonus=0)),
    "wrong-everything": returning(
        {"accepted_tokens": [9] * 30, "bonus_token": [1.5] * 9, "acceptance_count": "7", "more": 1}
    ),
    "raises": raising(ZeroDivisionError("division by zero, and a rather long explanation of why that happened " * 3)),
    "right": returning(right()),
}


@pytest.mark.parametrize("width", [80, 120])
@pytest.mark.parametrize("function", _FUNCTIONS.values(), ids=_FUNCTIONS)
def test_no_line_is_wider_than_asked_for_but_for_what_is_to_be_copied_and_the_summary(function, width):
    cases = [
        *_many(25),
        make_case("LONG-001", title="a title that goes on and on " * 5),
        make_case("ADV-001", ("SV-RES-2", "SV-IN-9"), notes="n " * 90),
        make_case("SKIP-001", dtypes=["float16"]),
        make_case(
            "WIDE-001",
            draft_tokens=[0],
            random_samples=[0.5],
            draft_probs=[[1 / 64] * 64],
            target_probs=[[0.0] * 63 + [1.0]],
        ),
    ]
    result = run(
        function, *cases, output="a line of output that is longer than any screen " * 4, notes=["a note " * 30]
    )
    result = replace(result, score=Score(12, 0, "not plain Python: it imports numpy (outside the standard library)"))
    for verbosity in (0, 1):
        body, _, summary = _text(result, verbosity=verbosity, width=width).rpartition("\n")
        assert _too_wide(body, width) == []
        assert len(summary) <= 80


def test_the_summary_of_a_large_run_fits_on_a_screen():
    verdicts = (
        [_verdict(Status.FAILED)] * 300 + [_verdict(Status.NOT_RUN)] * 100 + [_verdict(Status.ADVICE, False)] * 116
    )
    result = RunResult(Setting("x"), verdicts, CLAUSES, score=Score(25, 0, "the bonus needs 100 points"))
    assert _too_wide(summary_line(result), 80) == []


def test_colours_wrap_words_and_change_nothing_else():
    result = run(returning(right(bonus=0)), *_many(2), make_case("ADV-001", ("SV-RES-2",)))
    painted = render(result, Style(paint=lambda text, colour: f"<{colour}>{text}</>"))
    assert "<red>FAIL</>" in painted
    assert "<yellow>ADVICE</>" in painted
    assert re.sub("<[a-z]*>|</>", "", painted) == _text(result)


def test_the_heading_tells_profile_dtype_space_policies_and_strictness():
    case = make_case(profile="sampled", clauses=("SV-SMP-2",), random_samples=[0.5, 0.5, 0.5])
    declared = {"dtype": "float16", "space": "log", "policies": (("knot", "left"),), "strict": True}
    text = _text(run(returning(right()), case, **declared))
    assert text.startswith("my solution.py  (profile sampled, float16, log space, knot left, strict)\n")


def test_cases_that_a_declared_policy_excludes_are_told_by_their_reason():
    sampled = {"profile": "sampled", "random_samples": [0.5, 0.5, 0.5]}
    cases = [
        make_case("RUN-001", ("SV-SMP-2",), **sampled),
        make_case("LEFT-001", ("SV-SMP-4",), policies=[("knot", "right")], **sampled),
        make_case("LEFT-002", ("SV-SMP-4",), dtypes=("float64",), **sampled),
    ]
    text = _flat(_text(run(returning(right()), *cases, dtype="float32", policies=(("knot", "left"),))))
    assert "skipped, applies only where the policy knot is right: 1 case (LEFT-001)" in text
    assert "skipped, not for float32: 1 case (LEFT-002)" in text


def test_a_drawn_token_shows_the_cumulative_weights_and_where_the_coin_falls():
    case = make_case(profile="sampled", clauses=("SV-SMP-2",), random_samples=[0.5, 0.5, 0.25])
    text = _text(run(returning(right(bonus=1)), case))
    assert "residual of row 1: [0, 0, 1/2]" in text
    assert "cumulative: [0, 0, 1/2]" in text
    assert "coin 1/4 of the mass 1/2 is 1/8; token 2 holds 0 to 1/2" in text


def test_a_block_shows_how_many_tokens_may_stay_and_a_greedy_step_the_greatest():
    block = make_case(profile="block", clauses=("SV-BLK-4",), random_samples=[0.5, 0.5, 0.25])
    count = block.expected.as_result()["acceptance_count"]
    text = _flat(_text(run(returning(right(accepted=[1, 0], bonus=0)), block)))
    assert count == 1
    assert re.search(r"step 1: token 0, h = 1/3, u = 1/2: u > h, no", text)
    greedy = make_case(profile="greedy", clauses=("SV-GRD-2",), draft_probs=None, random_samples=[])
    assert "step 1: token 0, target row 1 is greatest at token 2: rejected" in _text(
        run(returning(right(accepted=[1, 0], bonus=0)), greedy)
    )
