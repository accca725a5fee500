"""The rules of the spec as programs, in exact arithmetic. Standard library only.

`verify_speculative_tokens` is the reference of profile `argmax`; `verify_sampled` and its like are those of the others.
`explain` gives the trace of a call, `acceptable_outcomes` what rounding may make of it. `law_of` gives the exact law of
a rule on a model, `lossless_defect` how far it is from lossless.
"""

from specreference.law import Enumerate, law_of, lossless_defect, total_variation
from specreference.outcome import Outcome
from specreference.policy import POLICIES, Policy
from specreference.profiles import (
    PROFILES,
    Call,
    acceptable_outcomes,
    verify_block,
    verify_greedy,
    verify_one_hot,
    verify_sampled,
    verify_speculative_tokens,
)
from specreference.replay import Choice, Decision, Replay, Sample
from specreference.trace import Trace, explain
from specreference.validate import InvalidInput

__all__ = [
    "POLICIES",
    "PROFILES",
    "Call",
    "Choice",
    "Decision",
    "Enumerate",
    "InvalidInput",
    "Outcome",
    "Policy",
    "Replay",
    "Sample",
    "Trace",
    "acceptable_outcomes",
    "explain",
    "law_of",
    "lossless_defect",
    "total_variation",
    "verify_block",
    "verify_greedy",
    "verify_one_hot",
    "verify_sampled",
    "verify_speculative_tokens",
]
