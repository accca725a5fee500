"""For a project's own tests with Hypothesis: strategies of inputs, and one function that judges an answer.

@given(inputs())
def test_verification(arguments):
    assert_conforms(verify_speculative_tokens, arguments)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from specharness.api import check_known, declare, name_of
from specharness.fuzz.subject import Rules, Subject
from specharness.implementation.inprocess import adapt_function, observe_here
from specharness.report.failure import sections, text_lines
from specharness.report.result import RunResult
from specharness.suite.clauses import load_clauses
from specharness.suite.policies import check_policies, policy_for
from specreference import PROFILES

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["assert_conforms", "inputs"]

Arguments = dict[str, Any]
"""`draft_tokens`, `draft_probs`, `target_probs` and `random_samples`: the keyword arguments of a call."""


def inputs(
    profile: str = "argmax", *, policies: Mapping[str, str] | None = None, refused: bool = True, large: bool = False
) -> SearchStrategy[Arguments]:
    """Inputs of a profile, by parameter name: grids, boundaries, ties, zeros, K = 0; K steps over V tokens.

    With `refused`, also inputs that must raise ValueError; with `large`, also V to 66,001 and K to 260, which take
    Hypothesis long to make small. Needs Hypothesis. Raises `UsageError` for an unknown value.
    """
    from hypothesis import strategies as st

    from specharness.fuzz.inputs import refused_inputs, unnormalised_inputs, valid_inputs

    check_known("profile", profile, PROFILES)
    policy = policy_for(profile, check_policies(profile, (policies or {}).items()))
    valid = valid_inputs(profile, policy, large=large)
    if not refused:
        return valid
    lengths = refused_inputs(profile, only_lengths=True)
    return st.one_of(valid, valid, lengths, refused_inputs(profile, only_lengths=False), unnormalised_inputs(profile))


def assert_conforms(
    function: Callable[..., Any],
    arguments: Arguments,
    *,
    profile: str = "argmax",
    dtype: str = "float64",
    space: str = "prob",
    policies: Mapping[str, str] | None = None,
    strict: bool = False,
) -> None:
    """Call `function` twice with these arguments, and judge what it does as `specharness` would.

    Raises AssertionError with the clause, what differs, and the reference's trace. Where the spec leaves the outcome
    open, nothing is demanded; with `strict`, SHOULD clauses are. Raises `UsageError` for an unknown option value, and
    `NotRunnable` where `function` can't be called with four arguments.
    """
    __tracebackhide__ = True  # pytest shows the line of the test
    setting = declare(
        name_of(function),
        profile=profile,
        dtype=dtype,
        space=space,
        policies=(policies or {}).items(),
        strict=strict,
        shipped=False,
    )
    callable_ = adapt_function(function)
    rules = Rules(profile, load_clauses(), setting.arithmetic, setting.policies, strict)
    subject = Subject(lambda case: observe_here(callable_, list(case.arguments().values()), repeat=True), rules)
    seen = subject.see(arguments)
    if seen.verdict is not None and seen.fails:
        result = RunResult(setting=setting, verdicts=[seen.verdict], clauses=dict(rules.clauses))
        raise AssertionError("\n".join(text_lines(sections(seen.verdict, result))))
