"""Verdicts against a baseline: what is known, what no longer holds, and what a renewed baseline says."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from judging import CLAUSES, make_case, observe, right, verdict_of, verdict_on, verdict_on_answer

from specharness.implementation.observation import Loss, Lost, Raised, Returned
from specharness.judge.known import Stale, Staleness, find_stale, passes_although_listed, place
from specharness.judge.renewal import renew
from specharness.judge.verdict import Status, judge
from specharness.suite.baseline import Baseline, Entry, KnownAnswer, KnownBreaches

_TODAY = date(2030, 6, 15)
_RES = ("SV-RES-1", "another bonus_token")
_ACC = ("SV-ACC-1", "accepts too few tokens")
_PLAIN = ("SV-OUT-5", "numbers are no plain ints")
_AGAIN = ("SV-PURE-2", "another result in a second call")
_ANEW = ("SV-PURE-2", "another result in a new process")
_NUMPY = np.int64(2)
_HERE, _THERE = ({"$type": "x.Y", "repr": f"<Y at {address}>"} for address in ("0x1a", "0x2b"))


def _entry(*names, outcome=None, breaches=(_RES,), expires=None, **patterns):
    named = {name: (name,) for name in names} | {name.replace("_", "*"): of for name, of in patterns.items()}
    return Entry(named, "a reason", "", expires, outcome or KnownBreaches(tuple(breaches)), 3)


def _baseline(*entries):
    return Baseline("known.yaml", "", entries, "")


def _placed(verdict, *, strict=False, **entry):
    return place(verdict, _baseline(_entry("CASE-001", **entry)), strict=strict)


_WRONG = verdict_on(make_case(), right(bonus=0))


def test_a_failure_that_is_as_listed_is_known_and_has_its_entry():
    verdict = _placed(_WRONG)
    assert verdict.status is Status.KNOWN
    assert verdict.listed.reason == "a reason"
    assert verdict.breaches == _WRONG.breaches


def test_a_case_that_is_not_listed_stays_as_it_is():
    assert place(_WRONG, _baseline(_entry("CASE-002")), strict=False) is _WRONG
    assert place(_WRONG, None, strict=False) is _WRONG


@pytest.mark.parametrize("breaches", [[_ACC], [("SV-RES-1", "accepts too few tokens")], [_RES, _ACC]])
def test_a_failure_that_is_another_than_listed_fails_and_has_its_entry(breaches):
    verdict = _placed(_WRONG, breaches=breaches)
    assert verdict.status is Status.FAILED
    assert verdict.listed is not None


def test_each_breach_that_gates_must_be_listed_and_advice_need_not():
    mutating = verdict_of(make_case(), lambda tokens, *rest: tokens.append(0) or right(bonus=0))
    assert [breach.clause for breach in mutating.breaches] == ["SV-RES-1", "SV-PURE-1"]
    assert _placed(mutating).status is Status.KNOWN
    strict = replace(mutating, status=Status.FAILED)
    assert _placed(strict, strict=True).status is Status.FAILED
    assert _placed(strict, strict=True, breaches=[_RES, ("SV-PURE-1", "arguments changed")]).status is Status.KNOWN
    assert _placed(mutating, breaches=[_RES, ("SV-PURE-1", "arguments changed")]).status is Status.KNOWN


def test_advice_that_is_as_listed_is_known_with_and_without_strict():
    for strict in (False, True):
        advice = verdict_on(make_case(), right(bonus=_NUMPY), strict=strict)
        assert advice.status is (Status.FAILED if strict else Status.ADVICE)
        assert _placed(advice, strict=strict, breaches=[_PLAIN]).status is Status.KNOWN
        assert _placed(advice, strict=strict).status is advice.status


@pytest.mark.parametrize(
    ("answer", "outcome", "known"),
    [
        (Returned(right(bonus=0)), KnownAnswer("result", right(bonus=0)), True),
        (Returned(right(bonus=0)), KnownAnswer("result", right(bonus=1)), False),
        (Returned(right(bonus=0)), KnownAnswer("result", right(bonus=False)), False),
        (Returned(right(bonus=0)), KnownAnswer("raises", "TypeError"), False),
        (Returned(_HERE), KnownAnswer("result", _THERE), True),
        (Raised("TypeError", ("Exception",), "m", ""), KnownAnswer("raises", "TypeError"), True),
        (Raised("TypeError", ("Exception",), "m", ""), KnownAnswer("raises", "Exception"), False),
        (Raised("a.\ud800", (), "m", ""), KnownAnswer("raises", "a.\\ud800"), True),
        (Raised("x" * 300, (), "m", ""), KnownAnswer("raises", "x" * 200), True),
        (Lost(Loss.TIMED_OUT, "d"), KnownAnswer("lost", "timed out"), True),
        (Lost(Loss.DIED, "d"), KnownAnswer("lost", "timed out"), False),
        (Lost(Loss.DIED, "d"), KnownBreaches((("SV-RES-1", "the call died"),)), True),
        (Raised("a.\ud800", (), "m", ""), KnownBreaches((("SV-RES-1", "raised a.\\ud800"),)), True),
    ],
)
def test_an_answer_is_compared_in_value_and_type(answer, outcome, known):
    verdict = _placed(verdict_on_answer(make_case(), answer), outcome=outcome)
    assert verdict.status is (Status.KNOWN if known else Status.FAILED)


def test_a_known_result_does_not_account_for_another_one_in_the_second_call():
    results = iter([right(bonus=0), right(bonus=1)])
    verdict = verdict_of(make_case(), lambda *arguments: next(results))
    assert _placed(verdict, outcome=KnownAnswer("result", right(bonus=0))).status is Status.FAILED
    assert _placed(verdict, breaches=[_RES]).status is Status.FAILED
    assert _placed(verdict, breaches=[_RES, _AGAIN]).status is Status.KNOWN


def test_what_a_run_does_not_look_for_is_not_missed():
    """Second calls may be left out, and only a few cases are asked again in a new process."""
    once = judge(make_case(), observe(make_case(), lambda *_: right(bonus=0), repeat=False), CLAUSES)
    assert _placed(once, breaches=[_RES, _AGAIN]).status is Status.KNOWN
    assert _placed(once, breaches=[_RES, _ANEW]).status is Status.KNOWN
    assert _placed(_WRONG, breaches=[_RES, _AGAIN]).status is Status.FAILED
    assert _placed(_WRONG, breaches=[_RES, _ANEW]).status is Status.KNOWN


def test_a_case_that_was_not_run_is_never_as_listed():
    verdict = verdict_on_answer(make_case(), Lost(Loss.NOT_RUN, "given up"))
    placed = _placed(verdict, breaches=[("SV-RES-1", "the call not run")])
    assert placed.status is Status.NOT_RUN
    assert not passes_although_listed(placed)


@pytest.mark.parametrize(
    ("repeat", "breaches", "passes"),
    [
        (True, [_RES], True),
        (True, [_AGAIN], True),
        (True, [_ANEW], False),
        (False, [_AGAIN], False),
        (False, [_RES, _AGAIN], True),
    ],
)
def test_a_listed_case_passes_where_the_run_looked_for_what_is_listed(repeat, breaches, passes):
    verdict = judge(make_case(), observe(make_case(), lambda *_: right(), repeat=repeat), CLAUSES)
    assert passes_although_listed(_placed(verdict, breaches=breaches)) is passes


def test_placing_a_verdict_in_another_baseline_places_it_anew():
    known = _placed(_WRONG)
    assert place(known, _baseline(), strict=False) == _WRONG
    assert _placed(known, breaches=[_ACC]).status is Status.FAILED
    advice = _placed(verdict_on(make_case(), right(bonus=_NUMPY)), breaches=[_PLAIN])
    assert place(advice, None, strict=False).status is Status.ADVICE


def _verdicts(baseline, *, strict=False, **results):
    """Placed verdicts on cases named A, B and so on."""
    made = [verdict_on(make_case(name=name), result, strict=strict) for name, result in results.items()]
    return [place(verdict, baseline, strict=strict) for verdict in made]


_WRONG_RESULT, _FEW = right(bonus=0), right(accepted=(), bonus=1)


def test_a_listed_failure_of_which_only_other_advice_is_left_has_passed():
    """An implementation that draws advice everywhere must not keep its old failures on the list."""
    baseline = _baseline(_entry("A"))
    verdicts = _verdicts(baseline, A=right(bonus=_NUMPY))
    assert [verdict.status for verdict in verdicts] == [Status.ADVICE]
    assert [stale.why for stale in find_stale(baseline, verdicts, _TODAY)] == [Staleness.PASSES]
    assert _renewed(_entry("A"), A=right(bonus=_NUMPY))[1].passing == ("A",)


def test_an_entry_is_stale_as_soon_as_one_of_its_cases_passes():
    entry = _entry("A", B_=("B1", "B2"))
    baseline = _baseline(entry)
    verdicts = _verdicts(baseline, A=_WRONG_RESULT, B1=right(), B2=_WRONG_RESULT)
    assert find_stale(baseline, verdicts, _TODAY) == [Stale(entry, Staleness.PASSES, ("B1",))]


def test_a_failure_that_changed_makes_no_entry_stale():
    baseline = _baseline(_entry("A"))
    assert find_stale(baseline, _verdicts(baseline, A=_FEW), _TODAY) == []


@pytest.mark.parametrize(("day", "stale"), [(15, False), (14, True)])
def test_an_entry_holds_through_its_last_day(day, stale):
    entry = _entry("A", expires=date(2030, 6, day))
    baseline = _baseline(entry)
    found = find_stale(baseline, _verdicts(baseline, A=_WRONG_RESULT), _TODAY)
    assert found == ([Stale(entry, Staleness.EXPIRED)] if stale else [])


def test_an_entry_without_a_judged_case_may_hold_unless_it_names_none_at_all():
    entry = _entry("A", expires=date(2000, 1, 1), X_=())
    baseline = _baseline(_entry("A", expires=date(2000, 1, 1)), entry)
    assert find_stale(baseline, _verdicts(baseline, B=_WRONG_RESULT), _TODAY) == [
        Stale(entry, Staleness.NO_CASE, ("X*",))
    ]


def _renewed(*entries, strict=False, **results):
    baseline = _baseline(*entries)
    renewal = renew(baseline, _verdicts(baseline, strict=strict, **results), strict=strict)
    return [(kept.patterns, kept.outcome) for kept in renewal.kept], renewal


def test_an_entry_that_holds_is_kept():
    entry = _entry("A", B_=("B1", "B2"))
    kept, renewal = _renewed(entry, A=_WRONG_RESULT, B1=_WRONG_RESULT, B2=_WRONG_RESULT)
    assert kept == [(("A", "B*"), entry.outcome)]
    assert (renewal.added, renewal.passing) == ({}, ())


def test_a_glob_gives_way_to_the_cases_that_still_fail_and_those_not_judged():
    entry = _entry("A", B_=("B1", "B2", "B3"), X_=())
    kept, renewal = _renewed(entry, A=_WRONG_RESULT, B1=right(), B2=_WRONG_RESULT)
    assert kept == [(("A", "B2", "B3"), entry.outcome)]
    assert renewal.passing == ("B1",)


def test_an_entry_whose_cases_all_pass_goes():
    kept, renewal = _renewed(_entry("A", B_=("B1",)), A=right(), B1=right())
    assert kept[0][0] == ()
    assert renewal.passing == ("A", "B1")


def test_an_entry_takes_on_the_outcome_that_all_its_failing_cases_share():
    kept, renewal = _renewed(_entry("A", "B", "C"), A=_FEW, B=_FEW, C=right())
    assert kept == [(("A", "B"), KnownBreaches((_ACC,)))]
    assert renewal.added == {}


@pytest.mark.parametrize("c", [_WRONG_RESULT, None], ids=["holds", "not judged"])
def test_cases_that_fail_otherwise_are_parted_from_an_entry_that_still_holds(c):
    results = {"A": _FEW, "B": _FEW} | ({"C": c} if c else {})
    kept, renewal = _renewed(_entry("A", "B", "C"), **results)
    assert kept == [(("C",), KnownBreaches((_RES,)))]
    assert renewal.added == {KnownBreaches((_ACC,)): ("A", "B")}


def test_new_failures_of_one_outcome_are_one_entry_apart_from_the_old_ones():
    kept, renewal = _renewed(_entry("A"), A=_WRONG_RESULT, B=_FEW, C=_WRONG_RESULT, D=_FEW, E=right())
    assert kept == [(("A",), KnownBreaches((_RES,)))]
    assert renewal.added == {KnownBreaches((_ACC,)): ("B", "D"), KnownBreaches((_RES,)): ("C",)}


def test_advice_is_no_failure_unless_it_gates():
    assert _renewed(A=right(bonus=_NUMPY))[1].added == {}
    assert _renewed(A=right(bonus=_NUMPY), strict=True)[1].added == {KnownBreaches((_PLAIN,)): ("A",)}


def test_an_observed_answer_is_followed_as_an_answer():
    entry = _entry("A", "B", outcome=KnownAnswer("result", _WRONG_RESULT))
    assert _renewed(entry, A=_FEW, B=_FEW)[0] == [(("A", "B"), KnownAnswer("result", _FEW))]
    kept, renewal = _renewed(entry, A=_FEW, B=right(accepted=(), bonus=0))
    assert (kept[0][0], renewal.added) == ((), {KnownBreaches((_ACC,)): ("A", "B")})


def test_an_answer_that_yaml_can_not_hold_is_recorded_by_its_breaches():
    baseline = _baseline(_entry("A", outcome=KnownAnswer("result", _WRONG_RESULT)))
    verdict = verdict_on_answer(make_case(name="A"), Returned({"accepted_tokens": 10**500}))
    renewal = renew(baseline, [place(verdict, baseline, strict=False)], strict=False)
    assert renewal.kept[0].patterns == ()
    (outcome,) = renewal.added
    assert [clause for clause, _ in outcome.pairs] == ["SV-OUT-1", "SV-OUT-2"]
