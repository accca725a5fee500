"""The rules of the spec as programs, in exact arithmetic. Standard library only.

`verify_speculative_tokens` is the reference of profile `argmax`; `explain` is the same with a trace;
`acceptable_outcomes` are the outcomes that rounding in a declared dtype may give.
"""

from specreference.acceptable import acceptable_outcomes
from specreference.argmax_profile import verify_speculative_tokens
from specreference.outcome import Outcome
from specreference.trace import Choice, Step, Trace, explain
from specreference.validate import InvalidInput

__all__ = [
    "Choice",
    "InvalidInput",
    "Outcome",
    "Step",
    "Trace",
    "acceptable_outcomes",
    "explain",
    "verify_speculative_tokens",
]
