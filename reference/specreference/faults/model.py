"""What a fault is, and the registry of those that are known."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Implementation = Callable[[Any, Any, Any, Any], Any]
"""(draft_tokens, draft_probs, target_probs, random_samples) -> the result."""


@dataclass(frozen=True, slots=True)
class Equivalent:
    """The id of a fault with the same outcome on every valid input, and why that is so."""

    id: str
    because: str


@dataclass(frozen=True, slots=True)
class Fault:
    """A wrong implementation, or a control.

    `says` is one line of what is wrong, `clause` the clause that it breaks (none for an inert control), `profiles` are
    those that it is wrong in. `seen` are public sources, as owner/repository#number. `equivalent_to` is normally None.
    """

    id: str
    says: str
    clause: str
    profiles: tuple[str, ...]
    seen: tuple[str, ...]
    function: Implementation
    equivalent_to: Equivalent | None = None

    @property
    def group(self) -> str:
        """What it gets wrong: the name of its module."""
        return self.function.__module__.rpartition(".")[2]


FAULTS: dict[str, Fault] = {}
"""The known wrong implementations by id."""

CONTROLS: dict[str, Fault] = {}
"""Implementations that show what the suite can do: one that every case must fail, one a profile that none may fail."""


def fault(
    clause: str, *profiles: str, seen: Sequence[str] = (), equivalent_to: Equivalent | None = None
) -> Callable[[Implementation], Implementation]:
    """Register an implementation. Its name gives the id, its docstring says what is wrong; `argmax` is the profile."""
    return _registering(FAULTS, clause, profiles or ("argmax",), seen, equivalent_to)


def control(clause: str, *profiles: str) -> Callable[[Implementation], Implementation]:
    """Register a control in the same way."""
    return _registering(CONTROLS, clause, profiles, (), None)


def _registering(
    registry: dict[str, Fault],
    clause: str,
    profiles: tuple[str, ...],
    seen: Sequence[str],
    equivalent_to: Equivalent | None,
) -> Callable[[Implementation], Implementation]:
    def register(function: Implementation) -> Implementation:
        name = function.__name__.replace("_", "-")
        if name in FAULTS or name in CONTROLS:
            raise ValueError(f"two faults have the id {name!r}")
        says = (function.__doc__ or "").rstrip(".")
        registry[name] = Fault(name, says, clause, profiles, tuple(seen), function, equivalent_to)
        return function

    return register
