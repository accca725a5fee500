"""What an implementation did with a case."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any


@dataclass(frozen=True, slots=True)
class Returned:
    """It returned. `value` is the result in the protocol's form: JSON, or mappings with "$type" for other types."""

    value: Any


@dataclass(frozen=True, slots=True)
class Raised:
    """It raised. Names are qualified, builtins excepted; `bases` are the classes that `exception` derives from."""

    exception: str
    bases: tuple[str, ...]
    message: str
    traceback: str

    def is_a(self, name: str) -> bool:
        """Whether the exception is of the class `name` or derives from it."""
        return name == self.exception or name in self.bases


class Loss(Enum):
    """Why there is no answer."""

    TIMED_OUT = "timed out"
    DIED = "died"
    NOT_PROTOCOL = "broke the protocol"
    ANSWERED_TWICE = "answered twice"
    NOT_RUN = "not run"


@dataclass(frozen=True, slots=True)
class Lost:
    """It gave no answer; `detail` is a clause of a sentence about it."""

    loss: Loss
    detail: str


Answer = Returned | Raised | Lost


@dataclass(frozen=True, slots=True)
class Observation:
    """One case: the answer to the first call, and to a second one with the same arguments (None if not made).

    `mutated` are the arguments that the first call changed, `output` the end of what it printed, `seconds` the first
    call's time. `fresh` is the answer of a new process where it was asked for.
    """

    answer: Answer
    repeat: Answer | None = None
    mutated: tuple[str, ...] = ()
    output: str = ""
    seconds: float = 0.0
    fresh: Answer | None = None
