"""All ways through a program: it is run again for each, along a path of choices."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol, TypeVar

_T = TypeVar("_T")


class Path:
    """The choices to take, then the first of each; `widths` has how many there were at each question."""

    def __init__(self, choices: Sequence[int]) -> None:
        self._choices = choices
        self.widths: list[int] = []

    def take(self, possibilities: Sequence[_T]) -> _T:
        """The possibility that the path takes next."""
        at = len(self.widths)
        self.widths.append(len(possibilities))
        return possibilities[self._choices[at] if at < len(self._choices) else 0]


class Following(Protocol):
    """A chance object that follows a path."""

    path: Path


_Chance = TypeVar("_Chance", bound=Following)


def explore(make: Callable[[Path], _Chance], run: Callable[[_Chance], _T]) -> Iterator[tuple[_Chance, _T]]:
    """Run a program along each path; the chance object that was asked, and the result. The first choices come first."""
    pending: list[list[int]] = [[]]
    while pending:
        choices = pending.pop()
        chance = make(Path(choices))
        yield chance, run(chance)
        widths = chance.path.widths
        taken = choices + [0] * (len(widths) - len(choices))
        for at in range(len(choices), len(taken)):
            pending.extend([*taken[:at], other] for other in range(1, widths[at]))
