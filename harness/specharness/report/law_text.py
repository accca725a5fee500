"""The exact law of a profile on a model, in words."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction

from specreference import lossless_defect, total_variation
from specreference.law import Law, Model

_SHOWN = 40


def describe_law(law: Law, k: int, target: Model, *, heading: str) -> str:
    """Whether the law is the target's, how far it is from it and where most, and the law itself."""
    defect, node = lossless_defect(law, target)
    distance = total_variation(law, k, target)
    tokens = "the next token" if k == 0 else f"the next {k + 1} tokens"
    lines = [heading, f"total variation from the target over {tokens}: {_number(distance)}"]
    if defect == 0:
        lines.append("lossless on this model: each token is a fresh draw from its target row")
    else:
        lines += _worst(law, target, node, defect)
    lines.append("law of the emitted tokens")
    ordered = sorted(law.items())
    width = max(len(str(list(emitted))) for emitted, _ in ordered[:_SHOWN])
    lines += [f"  {list(emitted)!s:{width}}  {_number(probability)}" for emitted, probability in ordered[:_SHOWN]]
    lines += [f"  and {len(ordered) - _SHOWN} more"] if len(ordered) > _SHOWN else []
    return "\n".join(lines)


def _worst(law: Law, target: Model, node: Sequence[int], defect: Fraction) -> list[str]:
    prefix, token = list(node[:-1]), node[-1]
    start = len(prefix)
    beyond = {key: pr for key, pr in law.items() if len(key) > start and list(key[:start]) == prefix}
    extends = sum((pr for emitted, pr in beyond.items() if emitted[start] == token), Fraction(0))
    strictly, p = sum(beyond.values(), Fraction(0)), Fraction(target(tuple(prefix))[token])
    share = extends / strictly
    return [
        f"not lossless: the worst node is token {token} after {prefix}",
        f"  it comes with probability {_number(share)}, the target gives it {_number(p)}",
        f"  Pr(output extends {list(node)}) = {_number(extends)}, expected {_number(p * strictly)}, off by {defect}",
    ]


def _number(value: Fraction) -> str:
    return str(value) if value.denominator == 1 else f"{value} ({float(value):.6g})"
