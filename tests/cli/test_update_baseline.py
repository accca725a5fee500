"""Laws of `--update-baseline`, on made-up runs: it says what is, keeps what it need not touch, and is stable."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from small_suites import ADVISES, many, suite_text

from specharness.cli.update_baseline import update_baseline
from specharness.errors import UsageError
from specharness.implementation.observation import Loss, Lost, Observation, Returned
from specharness.judge.breach import Breach
from specharness.judge.known import find_stale, place
from specharness.judge.verdict import Status, Verdict
from specharness.report.result import RunResult, Setting
from specharness.suite.baseline_file import read_baseline
from specharness.suite.clauses import Level, load_clauses
from specharness.suite.load import load_files

_CLAUSES = load_clauses()
_IDS = [f"ACC-{n:03}" for n in range(1, 10)]
_OUTCOMES = {
    "few": ("SV-ACC-1", "accepts too few tokens"),
    "many": ("SV-ACC-1", "accepts too many tokens"),
    "odd": ("SV-OUT-1", 'an "odd" cause: \N{SNOWMAN} # \x1b \ud800'),
}


@pytest.fixture(scope="module")
def cases(tmp_path_factory):
    path = tmp_path_factory.mktemp("cases") / "cases.yaml"
    path.write_text(suite_text(*many(len(_IDS)), ADVISES))
    return load_files([path])


def _verdict(case, came):
    if came == "passed":
        return Verdict(case, Observation(Returned(None)), (), Status.PASSED, True)
    if came == "advice":
        breach = Breach("SV-PURE-1", Level.SHOULD, "arguments changed", ("l",))
        return Verdict(case, Observation(Returned(None)), (breach,), Status.ADVICE, True)
    if came == "not run":
        return Verdict(case, Observation(Lost(Loss.NOT_RUN, "d")), (), Status.NOT_RUN, True)
    breach = Breach(_OUTCOMES[came][0], Level.MUST, _OUTCOMES[came][1], ("l",))
    return Verdict(case, Observation(Returned(f"wrong {came}")), (breach,), Status.FAILED, True)


def _run(path, cases, came):
    """The result of a run in which the cases `came` to something, held against the baseline at `path`."""
    baseline = read_baseline(path, cases, _CLAUSES, new="argmax")
    verdicts = [place(_verdict(case, came[case.id]), baseline, strict=False) for case in cases if case.id in came]
    stale = find_stale(baseline, verdicts, date(2030, 1, 1))
    return RunResult(Setting("x"), verdicts, _CLAUSES, baseline=baseline, stale=stale)


_COMMENT = st.sampled_from(["", "# a comment\n", "\n", "  # - cases: X-001\n", "\n# two: [\n\n"])
_TAIL = st.sampled_from(["", "  # on the line", " "])


@st.composite
def _entry(draw, names):
    """An entry in one of many layouts: its lines, without the dash and without indentation."""
    clause, cause = _OUTCOMES[draw(st.sampled_from(["few", "many"]))]
    answer = draw(st.booleans())
    tail = draw(_TAIL)
    quote = draw(st.sampled_from(["", "'", '"']))
    quoted = [f"{quote}{name}{quote}" for name in names]
    listed = f"[{', '.join(quoted)}]"
    if draw(st.booleans()):
        found = "observed: {result: wrong few}" if answer else f"breaches: [{{clause: {clause}, cause: {cause}}}]"
        return [f"{{cases: {listed}, reason: why, {found}}}{tail}"]
    layouts = {
        "cases": [[f"cases: {listed}{tail}"], ["cases:", *(f"- {name}{tail}" for name in quoted)]],
        "reason": [["reason: why"], ["reason: |", "  in", "", "  lines"], ["reason: 'in", "  quotes'"]],
        "breaches": [
            ["breaches:", f"- {{clause: {clause}, cause: {cause}}}{tail}"],
            ["breaches:", f"- clause: {clause}", f"  cause: {cause}{tail}"],
        ],
        "observed": [["observed:", "  result: wrong few"], [f"observed: {{result: wrong few}}{tail}"]],
    }
    del layouts["breaches" if answer else "observed"]
    return [line for key in draw(st.permutations(list(layouts))) for line in draw(st.sampled_from(layouts[key]))]


@st.composite
def _files(draw):
    """The text of a valid baseline; X-001 names no case."""
    names = draw(st.permutations([*_IDS, "X-001"]))[: draw(st.integers(0, len(_IDS)))]
    text = f"{draw(_COMMENT)}baseline: 1\n{draw(_COMMENT)}failures:"
    if not names:
        return f"{text} []{draw(_TAIL)}\n{draw(_COMMENT)}"
    text += f"{draw(_TAIL)}\n"
    indent = " " * draw(st.integers(0, 3))
    while names:
        size = draw(st.integers(1, len(names)))
        part, names = names[:size], names[size:]
        first, *rest = draw(_entry(part))
        text += draw(_COMMENT)
        text += draw(st.sampled_from([f"{indent}- {first}\n", f"{indent}-\n{indent}  {first}\n"]))
        text += "".join(f"{indent}  {line}\n" if line else "\n" for line in rest)
    text += draw(_COMMENT)
    text = text if draw(st.booleans()) else text.rstrip("\n")
    return text if draw(st.booleans()) else text.replace("\n", "\r\n")


def _comments(text):
    return [line for line in text.splitlines() if line.startswith("#")]


_CAME = st.fixed_dictionaries(
    {}, optional={name: st.sampled_from(["passed", "advice", *_OUTCOMES]) for name in [*_IDS, "IN-002"]}
)


@given(text=st.none() | _files(), came=_CAME)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
def test_a_renewed_baseline_says_what_the_run_came_to_and_stays_so(cases, tmp_path, text, came):
    path = tmp_path / "known.yaml"
    path.unlink(missing_ok=True)
    if text is not None:
        path.write_bytes(text.encode())
    before = _run(path, cases, came)
    result = update_baseline(path, before, cases)
    written = path.read_bytes() if path.exists() else b""
    again = _run(path, cases, came)

    assert (result.failures, result.stale, again.failures, again.stale) == ([], [], [], [])
    assert [verdict.status for verdict in again.verdicts] == [verdict.status for verdict in result.verdicts]
    assert update_baseline(path, again, cases).baseline.text == again.baseline.text
    assert (path.read_bytes() if path.exists() else b"") == written

    unjudged = {name: entry.reason for name, entry in before.baseline.by_case.items() if name not in came}
    assert unjudged.items() <= {name: entry.reason for name, entry in again.baseline.by_case.items()}.items()
    if text is not None:
        assert written == text.encode() or before.failures or before.stale
        assert _comments(written.decode()) == _comments(text)


def test_a_run_that_left_cases_out_renews_nothing(cases, tmp_path):
    path = tmp_path / "known.yaml"
    with pytest.raises(UsageError, match="1 case was not run; nothing was written"):
        update_baseline(path, _run(path, cases, {"ACC-001": "few", "ACC-002": "not run"}), cases)
    assert not path.exists()


def test_a_file_that_changed_meanwhile_is_left_alone(cases, tmp_path):
    path = tmp_path / "known.yaml"
    result = _run(path, cases, {"ACC-001": "few"})
    path.write_text("baseline: 1\nfailures: []\n")
    with pytest.raises(UsageError, match="was changed during the run; nothing was written"):
        update_baseline(path, result, cases)
    assert path.read_text() == "baseline: 1\nfailures: []\n"
    result = _run(path, cases, {"ACC-001": "few"})
    path.unlink()
    with pytest.raises(UsageError, match="was changed during the run"):
        update_baseline(path, result, cases)


def test_an_expired_entry_is_not_prolonged(cases, tmp_path):
    path = tmp_path / "known.yaml"
    text = "baseline: 1\nfailures:\n- {cases: ACC-001, reason: r, expires: 2001-01-01, observed: {result: wrong few}}\n"
    path.write_text(text)
    result = update_baseline(path, _run(path, cases, {"ACC-001": "few"}), cases)
    assert [stale.why.value for stale in result.stale] == ["expired"]
    assert path.read_text() == text


def test_what_can_not_be_changed_in_place_is_refused_and_left_as_it_is(cases, tmp_path):
    path = tmp_path / "known.yaml"
    path.write_text('{"baseline": 1, "failures": []}')
    with pytest.raises(UsageError, match=r"its entries are in flow style, as JSON is; .* nothing was written"):
        update_baseline(path, _run(path, cases, {"ACC-001": "few"}), cases)
    assert path.read_text() == '{"baseline": 1, "failures": []}'


def test_the_note_tells_what_was_written(cases, tmp_path):
    path = tmp_path / "known.yaml"
    result = update_baseline(path, _run(path, cases, {"ACC-001": "few", "ACC-002": "many", "ACC-003": "few"}), cases)
    assert result.notes == [f"{path} is written: 3 cases in 2 new entries"]
    path.write_text(path.read_text().replace("[ACC-001, ", "[X-001, ACC-001, "))
    came = {"ACC-001": "odd", "ACC-002": "passed", "ACC-003": "odd"}
    result = update_baseline(path, _run(path, cases, came), cases)
    assert result.notes == [
        f"{path} is written: 1 passing case taken out; 1 name of no case taken out; another outcome on line 5: is its "
        "reason still right?"
    ]
    result = update_baseline(path, replace(_run(path, cases, came), notes=["n"]), cases)
    assert result.notes == ["n", f"{path} is as it was: nothing to update"]
