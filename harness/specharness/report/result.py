"""What a run came to: the one model that every report is made from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

from specharness.exit_codes import ExitCode
from specharness.judge.known import Stale, passes_although_listed
from specharness.judge.rounding import Arithmetic
from specharness.judge.score import Score
from specharness.judge.verdict import Status, Verdict
from specharness.suite.clauses import Clause
from specharness.suite.digest import digest_of_cases
from specharness.suite.model import Case

if TYPE_CHECKING:
    from specharness.judge.diagnosis import Diagnosis
    from specharness.suite.baseline import Baseline

_FLOAT64 = Arithmetic()


@dataclass(frozen=True, slots=True)
class Setting:
    """How a run was made.

    `again` are the words of a command that makes it again, without a selection of cases, and `command` those that
    made it; both are empty where no command did. `shipped` is whether the cases are those of the installed suite, whose
    files are not the user's.
    """

    implementation: str
    profile: str = "argmax"
    arithmetic: Arithmetic = _FLOAT64
    policies: tuple[tuple[str, str], ...] = ()
    strict: bool = False
    again: tuple[str, ...] = ()
    command: tuple[str, ...] = ()
    shipped: bool = True
    self_check: bool = False
    language: str = ""


@dataclass(frozen=True)
class RunResult:
    """The verdicts of a run in the order of its cases.

    `skipped` are selected cases that the run's declarations exclude, each with the reason. `notes` are facts
    about the run that no case shows. `selected_of` is the number of cases that a selection was made from, None where
    all of the profile were run. `interrupted` and `stopped` (by -x or --max-fail) mean that cases are `missing`: to be
    run, and without a verdict.
    `evidence` are verdicts to diagnose instead of these, where others say more.

    With a baseline, a verdict that fails as its entry says has the status KNOWN: it is no failure and no advice, and
    `verdict.listed` has the reason. `stale` are the entries that no longer hold.
    """

    setting: Setting
    verdicts: Sequence[Verdict]
    clauses: dict[str, Clause]
    skipped: Sequence[tuple[Case, str]] = ()
    missing: Sequence[Case] = ()
    selected_of: int | None = None
    notes: Sequence[str] = ()
    interrupted: bool = False
    stopped: bool = False
    score: Score | None = None
    evidence: Sequence[Verdict] | None = None
    seconds: float = 0.0
    baseline: Baseline | None = None
    stale: Sequence[Stale] = ()

    def __repr__(self) -> str:
        from specharness.report.text import summary_line

        return f"<RunResult {self.setting.implementation}: {summary_line(self)}>"

    def __str__(self) -> str:
        from specharness.report.text import Style, render

        return render(self, Style())

    def _repr_html_(self) -> str:
        from specharness.report.notebook import render_summary

        return render_summary(self)

    @cached_property
    def counts(self) -> Counter[tuple[bool, Status]]:
        """How many cases came to each status, gating cases and others apart."""
        return Counter((verdict.gating, verdict.status) for verdict in self.verdicts)

    @cached_property
    def digest(self) -> str:
        """The digest of the cases that have a verdict."""
        return digest_of_cases(verdict.case for verdict in self.verdicts)

    @cached_property
    def diagnosis(self) -> Diagnosis | None:
        """Which known faults the failures look like, known ones apart. None where none is, or after an interrupt."""
        evidence = self.verdicts if self.evidence is None else self.evidence
        verdicts = [verdict for verdict in evidence if verdict.status is not Status.KNOWN]
        if self.interrupted or not any(verdict.status is Status.FAILED for verdict in verdicts):
            return None
        from specharness.judge.diagnosis import diagnose  # imports the catalogue of faults

        with suppress(KeyboardInterrupt):  # what was judged is still to be told
            return diagnose(verdicts, self.setting.profile)
        return None

    @property
    def failures(self) -> list[Verdict]:
        """The verdicts with something that gates and is not known."""
        return [verdict for verdict in self.verdicts if verdict.status is Status.FAILED]

    @property
    def known(self) -> list[Verdict]:
        """The verdicts that fail, or draw advice, as the baseline says."""
        return [verdict for verdict in self.verdicts if verdict.status is Status.KNOWN]

    @property
    def unexpected_passes(self) -> list[Verdict]:
        """The verdicts that pass, or draw other advice only, although the baseline lists them as failures."""
        return [verdict for verdict in self.verdicts if passes_although_listed(verdict)]

    @property
    def advice(self) -> list[Verdict]:
        """The verdicts with something to say that does not gate and is not known."""
        return [verdict for verdict in self.verdicts if verdict.status is Status.ADVICE]

    @property
    def stopped_after(self) -> str:
        """What stopped the run, in words, where failures did."""
        count = len(self.failures)
        return "stopped after the first failure (-x)" if count <= 1 else f"stopped after {count} failures (--max-fail)"

    @property
    def passed(self) -> bool:
        """Whether every gating case was run and passed, or fails as the baseline says, and that has no stale entry."""
        return self.exit_code is ExitCode.CONFORMANT

    @property
    def exit_code(self) -> ExitCode:
        """The code that the command ends with."""
        if self.interrupted:
            return ExitCode.INTERRUPTED
        bad = any(verdict.status in (Status.FAILED, Status.NOT_RUN) for verdict in self.verdicts)
        if bad:
            return ExitCode.NONCONFORMANT
        return ExitCode.STALE_BASELINE if self.stale else ExitCode.CONFORMANT
