"""The reference's rules with pieces replaced, in plain floats: what most faults are made of.

A piece is one of
- `refuse(refused, error)`: whether an invalid input is refused; it may raise something else itself;
- `demand(call)`: further checks, which raise;
- `prepare(call)`: changes the arguments of a valid call;
- `uniform(step)`, `coin(step)`: the numbers that decide a step and draw the last token;
- `accept(step)`, `recover(step)`, `bonus(step)`, `absent(step)`: the decision, and the last token after a rejection,
  from row K, and where there is no row K;
- `extend(joint, p, q)`: the joint ratio of a block;
- `walk(call)`: the rule itself, giving accepted tokens and last token;
- `finish(result, call)`: what is returned.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from specreference.faults.call import Call, Piece, Refused, argmax
from specreference.faults.model import Implementation
from specreference.validate import InvalidInput


def _extend(joint: float, p: float, q: float) -> float:
    return min(1.0, joint * p / q) if q != 0 else float(joint > 0 and p > 0)


_PIECES: dict[str, Piece] = {
    "refuse": lambda refused, error: True,
    "demand": lambda call: None,
    "prepare": lambda call: None,
    "uniform": lambda s: s.call.random_samples[s.i],
    "coin": lambda s: s.call.random_samples[-1],
    "accept": lambda s: s.test(s.p[s.x], s.q[s.x]),
    "recover": lambda s: s.pick(s.weights),
    "bonus": lambda s: s.pick(s.weights),
    "absent": lambda s: None,
    "extend": _extend,
    "walk": Call.run,
    "finish": lambda result, call: result,
}

_OF_PROFILE: dict[str, dict[str, Piece]] = {
    "greedy": {"accept": lambda s: s.x == argmax(s.p), "recover": lambda s: argmax(s.p)},
    "block": {"accept": lambda s: s.share > 0 and s.u <= s.share},
}


def varied(*names: str, profile: str = "argmax", **others: Piece) -> Callable[[Piece], Implementation]:
    """An implementation of `profile` in which the decorated piece stands for the pieces of these `names`.

    `others` are further pieces by name.
    """

    def build(piece: Piece) -> Implementation:
        pieces = {**_PIECES, **_OF_PROFILE.get(profile, {}), **dict.fromkeys(names, piece), **others}

        def verify(draft_tokens: Any, draft_probs: Any, target_probs: Any, random_samples: Any) -> Any:
            return Call(profile, pieces, (draft_tokens, draft_probs, target_probs, random_samples)).result()

        verify.__name__ = verify.__qualname__ = piece.__name__
        verify.__module__, verify.__doc__ = piece.__module__, piece.__doc__
        return verify

    return build


def passes(
    *clauses: str, profile: str = "argmax", **others: Piece
) -> Callable[[Callable[[Refused], bool]], Implementation]:
    """An implementation of `profile` that lets pass what breaks one of these clauses, if the decorated piece says so.

    `others` are further pieces by name.
    """

    def build(piece: Callable[[Refused], bool]) -> Implementation:
        def refuse(refused: Refused, _: InvalidInput) -> bool:
            return refused.clause not in clauses or not piece(refused)

        refuse.__name__, refuse.__module__, refuse.__doc__ = piece.__name__, piece.__module__, piece.__doc__
        return varied("refuse", profile=profile, **others)(refuse)

    return build
