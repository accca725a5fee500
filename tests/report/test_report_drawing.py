"""The drawing of the decisive step: which numbers it shows, and what it leaves out."""

from __future__ import annotations

from fractions import Fraction

import pytest
from reporting import CLAUSES, make_case, raising, returning, right, run

from specharness.implementation.observation import Observation, Returned
from specharness.judge.breach import Breach
from specharness.judge.verdict import Status, Verdict, judge
from specharness.report.cumulative import Cumulative
from specharness.report.drawing import MOST_STEPS, Comparison, drawing_of
from specharness.report.plot import plot
from specharness.report.rows import MOST_TOKENS, Rows
from specharness.report.shapes import WIDTH, Box, Label
from specharness.report.trace import trace_of
from specharness.suite.clauses import Level
from specharness.suite.load import load_suite


def _figures(case, value):
    verdict = judge(case, Observation(Returned(value)), CLAUSES)
    return {type(figure): figure for figure in drawing_of(verdict, trace_of(case))}


def _marked(rows):
    return {mark: bar.token for bar in rows.bars for mark in bar.marks}


def test_a_wrong_recovered_token_shows_the_rejection_and_the_residual():
    figures = _figures(make_case(), right(bonus=0))
    assert set(figures) == {Comparison, Rows}
    (step,) = figures[Comparison].steps
    assert (step.number, step.token, step.u, step.bound, step.accepted) == (1, 0, Fraction(1, 2), Fraction(1, 3), False)
    rows = figures[Rows]
    assert rows.series == ("p", "q", "residual")
    assert [bar.values[2] for bar in rows.bars] == [0, 0, Fraction(1, 2)]
    assert _marked(rows) == {"draft": 0, "expected": 2, "got": 0}
    assert rows.note == ""
    assert "token 2 (expected): p 1/2, q 0, residual 1/2" in rows.words


def test_a_wrong_decision_shows_the_step_where_the_ways_part():
    figures = _figures(make_case(), right(accepted=[], bonus=0))
    assert figures[Comparison].steps[0].number == 0
    assert figures[Comparison].words.endswith("accepted")
    assert _marked(figures[Rows]) == {"draft": 1, "got": 0}


def test_where_too_many_are_accepted_the_token_given_is_not_of_that_row():
    figures = _figures(make_case(), right(accepted=[1, 0], bonus=0))
    assert figures[Comparison].steps[0].number == 1
    assert _marked(figures[Rows]) == {"draft": 0, "expected": 2}


def test_a_wrong_bonus_token_shows_the_target_row_alone():
    figures = _figures(make_case(random_samples=[0.5, 0.25]), right(accepted=[1, 0], bonus=1))
    assert set(figures) == {Rows}
    assert figures[Rows].series == ("p",)
    assert figures[Rows].title == "Target row 2"


def test_a_bonus_token_without_a_row_has_no_drawing():
    case = make_case(random_samples=[0.5, 0.25], target_probs=[[0.25, 0.5, 0.25], [0.25, 0.25, 0.5]])
    assert _figures(case, right(accepted=[1, 0], bonus=1)) == {}


@pytest.mark.parametrize(
    ("q", "p", "bound", "accepted"), [(0.0, 0.25, 1, True), (0.0, 0.0, 0, False)], ids=["infinite", "0/0"]
)
def test_a_draft_probability_of_zero_divides_nothing(q, p, bound, accepted):
    case = make_case(
        clauses=("SV-ACC-4",), draft_probs=[[0.5, q, 0.5]] * 2, target_probs=[[0.5, p, 0.5 - p], [0.5, 0.25, 0.25]] * 2
    )
    figures = _figures(case, right(accepted=[] if accepted else [1], bonus=0))
    step = figures[Comparison].steps[0]
    assert (step.bound, step.accepted) == (bound, accepted)


def test_a_difference_that_can_not_be_seen_is_told():
    case = make_case(draft_probs=[[0.25, 0.5, 0.25], [0.5, 0.5, 0.0]], random_samples=[0.5, 0.5 + 2.0**-38])
    assert _figures(case, right(bonus=0))[Comparison].note == (
        "u and min(1, p/q) are 3.64e-12 apart, too near to be told apart here."
    )
    equal = make_case(draft_probs=[[0.25, 0.5, 0.25], [0.5, 0.5, 0.0]])
    assert _figures(equal, right())[Comparison].note == ""


def test_a_coin_is_shown_on_the_cumulative_distribution():
    case = make_case(
        profile="sampled",
        clauses=("SV-SMP-2",),
        draft_tokens=[0],
        draft_probs=[[1.0, 0.0, 0.0]],
        target_probs=[[0.25, 0.25, 0.5]],
        random_samples=[0.5, 0.25],
    )
    figure = _figures(case, right(accepted=[], bonus=2))[Cumulative]
    assert (figure.coin, figure.at, figure.mass) == (Fraction(1, 4), Fraction(3, 16), Fraction(3, 4))
    assert [(span.first, span.low, span.high, span.marks) for span in figure.spans] == [
        (1, 0, Fraction(1, 4), ("expected",)),
        (2, Fraction(1, 4), Fraction(3, 4), ("got",)),
    ]
    assert figure.note == ""
    impossible = _figures(case, right(accepted=[], bonus=0))[Cumulative]
    assert impossible.note == "Token 0, which the implementation gave, has no weight."


def test_a_narrow_interval_is_enlarged_and_the_rest_left_out():
    size = 4096
    case = make_case(
        profile="sampled",
        clauses=("SV-SMP-3",),
        draft_tokens=[],
        draft_probs=[],
        target_probs=[[1 / size] * size],
        random_samples=[0.5],
    )
    figures = _figures(case, right(accepted=[], bonus=7))
    spans = figures[Cumulative].spans
    assert [(span.first, span.last) for span in spans] == [(8, 2047), (2048, 2048), (2049, 4095)]
    assert spans[1].marks == ("expected",)
    assert spans[0].low == Fraction(8, size)
    assert figures[Cumulative].high - figures[Cumulative].low == Fraction(9, size)
    assert figures[Cumulative].note.startswith("Enlarged: 511/1024 to ")
    assert figures[Rows].note == "4,090 of 4,096 tokens are left out; they hold 2045/2048 of 1."


def test_a_mass_beyond_binary64_is_drawn():
    huge = [[1.5e308, 1.5e308, 1.0]]
    case = make_case(
        profile="sampled",
        clauses=("SV-SMP-3",),
        draft_tokens=[],
        draft_probs=[],
        target_probs=huge,
        random_samples=[0.7],
    )
    figure = _figures(case, right(accepted=[], bonus=0))[Cumulative]
    assert [span.first for span in figure.spans] == [0, 1, 2]
    assert plot(figure).shapes


def test_a_massless_residual_says_so_and_draws_no_coin_where_the_policy_names_the_token():
    same = [[0.5, 0.25, 0.125]]
    arguments = {
        "profile": "sampled",
        "draft_tokens": [0],
        "draft_probs": [[1.0, 0.5, 0.25]],
        "target_probs": same,
        "random_samples": [0.75, 0.5],
    }
    by_target = make_case(clauses=("SV-RES-2",), **arguments)
    figures = _figures(by_target, right(accepted=[], bonus=2))
    assert figures[Rows].note == "The residual has no mass."
    assert figures[Cumulative].title == "The coin draws from the target row 0"
    by_name = make_case(clauses=("SV-RES-2",), policies=(("massless", "last"),), **arguments)
    assert Cumulative not in _figures(by_name, right(accepted=[], bonus=0))


def test_greedy_shows_the_target_row_of_the_step():
    case = make_case(profile="greedy", clauses=("SV-GRD-2",), draft_probs=None, random_samples=[], draft_tokens=[1, 2])
    figures = _figures(case, right(accepted=[], bonus=0))
    assert set(figures) == {Rows}
    assert figures[Rows].title == "Target row 0"
    assert _marked(figures[Rows]) == {"draft": 1, "expected": 1, "got": 0}


def test_one_hot_is_certain_of_the_draft_token():
    case = make_case(profile="one-hot", clauses=("SV-ONE-2",), draft_probs=None, random_samples=[0.25, 0.5, 0.5])
    figures = _figures(case, right(accepted=[], bonus=0))
    assert [bar.values[1] for bar in figures[Rows].bars] == [0, 1, 0]
    assert figures[Comparison].steps[0].bound == Fraction(1, 2)


def test_a_block_shows_the_share_of_each_position_around_the_decisive_ones():
    case = make_case(
        profile="block",
        clauses=("SV-BLK-3",),
        draft_tokens=[0] * 9,
        draft_probs=[[0.5, 0.5]] * 9,
        target_probs=[[0.5, 0.5]] * 8 + [[0.25, 0.75]] * 2,
        random_samples=[0.5] * 8 + [1.0, 0.5],
    )
    figure = _figures(case, right(accepted=[0] * 9, bonus=0))[Comparison]
    assert figure.bound == "h"
    assert [step.number for step in figure.steps] == [7, 8]
    assert [step.accepted for step in figure.steps] == [True, False]
    assert figure.note == "7 of 9 positions are left out."
    early = _figures(case, right(accepted=[], bonus=0))[Comparison]
    assert [step.number for step in early.steps] == list(range(MOST_STEPS))


def test_of_a_large_row_the_decisive_tokens_are_drawn_and_the_greatest_of_the_rest_is_told():
    size = 1000
    p = [2.0**-12] * size
    p[700] = p[800] = 0.25
    case = make_case(
        draft_tokens=[5], draft_probs=[[0.5 if y == 5 else 0.0 for y in range(size)]], target_probs=[p, p],
        random_samples=[0.5],
    )  # fmt: skip
    rows = _figures(case, right(accepted=[], bonus=999))[Rows]
    assert len(rows.bars) == MOST_TOKENS
    assert {5, 700, 800, 999} < {bar.token for bar in rows.bars}
    assert _marked(rows) == {"draft": 5, "expected": 700, "got": 999}
    assert rows.note == "994 of 1,000 tokens are left out; the greatest residual among them is 1/4096."


def test_a_token_outside_the_row_is_named():
    rows = _figures(make_case(), right(bonus=7))
    assert rows == {}  # it breaks SV-OUT-4, which has nothing to do with the step
    case = make_case(clauses=("SV-BON-1",), random_samples=[0.5, 0.25])
    assert _figures(case, right(accepted=[1, 0], bonus=-1)) == {}


@pytest.mark.parametrize("function", [raising(RuntimeError("x")), returning(None), returning({"accepted_tokens": 3})])
def test_whatever_comes_back_is_drawn_or_not_drawn(function):
    for verdict in run(function, make_case()).failures:
        for figure in drawing_of(verdict, trace_of(verdict.case)):
            assert plot(figure).shapes


def test_a_case_that_raises_has_no_drawing():
    assert _figures(make_case(clauses=("SV-IN-2",), random_samples=[]), right()) == {}


def test_every_shipped_case_is_drawn_within_its_frame():
    drawn = 0
    for at, case in enumerate(load_suite(())):
        if len(case.arguments_json) < 100_000:
            tokens = case.arguments()["draft_tokens"]
            value = (right(accepted=[], bonus=0), right(accepted=tokens, bonus=0), right(accepted=[], bonus=1))[at % 3]
            breach = Breach("SV-ACC-1", Level.MUST, "something", ("differs",))
            verdict = Verdict(case, Observation(Returned(value)), (breach,), Status.FAILED, True)
            for figure in drawing_of(verdict, trace_of(case)):
                _assert_within_frame(plot(figure))
                drawn += 1
    assert drawn > 1000


def _assert_within_frame(drawn):
    for shape in drawn.shapes:
        if isinstance(shape, Box):
            assert 0 <= shape.x <= shape.x + shape.width <= WIDTH
            assert 0 <= shape.y <= shape.y + shape.height <= drawn.height
        elif isinstance(shape, Label):
            assert 0 <= shape.x <= WIDTH
            assert shape.y <= drawn.height
            assert len(shape.text) <= 60
