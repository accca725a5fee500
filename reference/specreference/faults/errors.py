"""Wrong checks of the lengths, in profile `argmax`: missing, late, too strict, or with another exception."""

from __future__ import annotations

from typing import Any

from specreference.faults.build import passes, varied
from specreference.faults.call import Call, Refused
from specreference.faults.model import fault
from specreference.profiles import verify_speculative_tokens
from specreference.validate import InvalidInput

LENGTHS = ("SV-IN-1", "SV-IN-2", "SV-IN-3")


class LengthMismatch(Exception):
    """An exception of one's own, which is no ValueError."""


@fault("SV-IN-1")
@passes("SV-IN-1")
def draft_rows_unchecked(_: Refused) -> bool:
    """The number of draft rows is not checked."""
    return True


@fault("SV-IN-2")
@passes("SV-IN-2")
def uniforms_unchecked(_: Refused) -> bool:
    """The number of uniforms is not checked."""
    return True


@fault("SV-IN-3")
@passes("SV-IN-3")
def target_rows_unchecked(_: Refused) -> bool:
    """The number of target rows is not checked."""
    return True


@fault("SV-IN-1")
@passes(*LENGTHS)
def lengths_unchecked(_: Refused) -> bool:
    """No length is checked, and a missing row or uniform raises IndexError once it is reached."""
    return True


@fault("SV-IN-1")
@passes(*LENGTHS)
def lengths_cut(refused: Refused) -> bool:
    """No length is checked, and zip cuts all arguments to the shortest."""
    refused.call.draft_tokens = refused.call.draft_tokens[: refused.call.shortest]
    return True


@fault("SV-IN-4")
@passes(*LENGTHS)
def lengths_checked_in_loop(refused: Refused) -> bool:
    """A length is checked when a step needs it, or when all steps are done: not after a rejection."""
    return refused.call.prefix(refused.call.shortest) < refused.call.shortest


@fault("SV-IN-4")
@passes(*LENGTHS)
def index_errors_translated(refused: Refused) -> bool:
    """An IndexError of the loop becomes a ValueError: nothing else checks the lengths."""
    shortest = refused.call.shortest
    return shortest == refused.call.k or refused.call.prefix(shortest) < shortest


@fault("SV-IN-1")
@passes(*LENGTHS)
def lengths_at_least(refused: Refused) -> bool:
    """Only what is too short is refused: surplus draft rows and uniforms pass."""
    return refused.call.shortest == refused.call.k


@fault("SV-IN-1")
@passes(*LENGTHS)
def lengths_totalled(refused: Refused) -> bool:
    """The lengths are checked by their total, where one too long and one too short pass."""
    return len(refused.call.draft_probs) + len(refused.call.random_samples) == 2 * refused.call.k


@fault("SV-IN-1")
@passes("SV-IN-1")
def draft_row_for_bonus_allowed(refused: Refused) -> bool:
    """K + 1 draft rows pass."""
    return len(refused.call.draft_probs) == refused.call.k + 1


@fault("SV-IN-2")
@passes("SV-IN-2")
def uniform_for_bonus_allowed(refused: Refused) -> bool:
    """K + 1 uniforms pass, as in profiles that draw."""
    return len(refused.call.random_samples) == refused.call.k + 1


@fault("SV-IN-2")
@passes(*LENGTHS)
def no_drafts_unchecked(refused: Refused) -> bool:
    """Where K = 0, the other lengths are not checked."""
    return refused.call.k == 0


@fault("SV-IN-1")
@varied("refuse")
def lengths_asserted(refused: Refused, error: InvalidInput) -> bool:
    """Wrong lengths raise AssertionError."""
    if refused.clause in LENGTHS:
        raise AssertionError(str(error))
    return True


@fault("SV-IN-1")
@varied("refuse")
def lengths_index_error(refused: Refused, error: InvalidInput) -> bool:
    """Wrong lengths raise IndexError."""
    if refused.clause in LENGTHS:
        raise IndexError(str(error))
    return True


@fault("SV-IN-1")
@varied("refuse")
def lengths_own_exception(refused: Refused, error: InvalidInput) -> bool:
    """Wrong lengths raise an exception of one's own that is no ValueError."""
    if refused.clause in LENGTHS:
        raise LengthMismatch(str(error))
    return True


@fault("SV-IN-1")
def lengths_empty_result(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Wrong lengths give an empty result."""
    try:
        return verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    except InvalidInput as error:
        if error.clause not in LENGTHS:
            raise
        return {"accepted_tokens": [], "bonus_token": None, "acceptance_count": 0}


@fault("SV-IN-1")
def errors_returned(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
    """Invalid input gives the message, under the key `error`, and raises nothing."""
    try:
        return verify_speculative_tokens(draft_tokens, draft_probs, target_probs, random_samples)
    except ValueError as error:
        return {"error": str(error)}


@fault("SV-BON-2")
@varied("demand")
def bonus_row_demanded(call: Call) -> None:
    """K target rows, without a row K, raise ValueError."""
    if len(call.target_probs) == call.k:
        raise ValueError("a row for the bonus token is missing")


@fault("SV-IN-3")
@varied("demand")
def more_rows_refused(call: Call) -> None:
    """More than K + 1 target rows raise ValueError."""
    if len(call.target_probs) > call.k + 1:
        raise ValueError("too many target rows")


@fault("SV-IN-3")
@varied("demand")
def bonus_row_refused(call: Call) -> None:
    """More than K target rows raise ValueError, so that there is never a bonus token."""
    if len(call.target_probs) > call.k:
        raise ValueError("as many target rows as draft rows, please")


@fault("SV-IN-4")
@passes("SV-IN-3")
def target_row_missed_late(refused: Refused) -> bool:
    """A missing target row raises ValueError when a step comes to it: not after a rejection."""
    rows = len(refused.call.target_probs)
    return refused.call.prefix(min(rows, refused.call.shortest)) < rows


@fault("SV-IN-1")
@passes("SV-IN-1", "SV-IN-3")
def rows_totalled(refused: Refused) -> bool:
    """The rows are checked by their total, at least 2 K, where a draft row too few and a target row more pass."""
    return len(refused.call.draft_probs) + len(refused.call.target_probs) >= 2 * refused.call.k


@fault("SV-IN-1")
@passes("SV-IN-1", "SV-IN-2")
def lengths_both_wrong(refused: Refused) -> bool:
    """Draft rows and uniforms are refused only where both are of a wrong number."""
    return refused.call.k in (len(refused.call.draft_probs), len(refused.call.random_samples))


@fault("SV-IN-1")
@passes(*LENGTHS)
def single_draft_unchecked(refused: Refused) -> bool:
    """Where K = 1, the other lengths are not checked."""
    return refused.call.k == 1
