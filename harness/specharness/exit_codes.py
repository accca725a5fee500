"""The exit codes of the command, and when each is given."""

from __future__ import annotations

from enum import IntEnum


class ExitCode(IntEnum):
    """One member a code; its `when` is the text that `specharness exit-codes` prints."""

    when: str

    def __new__(cls, code: int, when: str) -> ExitCode:
        member = int.__new__(cls, code)
        member._value_ = code
        member.when = when
        return member

    CONFORMANT = 0, "every gating case passes, or fails as the baseline says"
    NONCONFORMANT = 1, "a gating case fails, or was not run"
    USAGE = 2, "the command line is wrong"
    BAD_SUITE = 3, "a case, spec, schema, baseline or report file is missing, unreadable, empty or invalid"
    NOT_RUNNABLE = 4, "--impl names no function, or it can't be found, loaded or called at all"
    NOTHING_SELECTED = 5, "the selection matches no case, a name in it is misspelt, or all selected cases are skipped"
    STALE_BASELINE = 6, "a failure that the baseline lists passes or has expired, or an entry names no case"
    INTERNAL_ERROR = 70, "our own fault"
    INTERRUPTED = 130, "interrupted from the keyboard; what was judged until then is printed"

    @property
    def title(self) -> str:
        """The name as the table and the last line of a run print it."""
        return self.name.lower().replace("_", " ")
