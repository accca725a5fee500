"""Wrong answers to a residual without mass, in profile `argmax`."""

from __future__ import annotations

from specreference.faults.build import varied
from specreference.faults.call import Step, argmax
from specreference.faults.model import fault


@fault("SV-RES-2")
@varied("recover")
def massless_first(s: Step) -> int:
    """A residual without mass gives token 0, the argmax of zeros."""
    return argmax(s.residual)


@fault("SV-RES-2")
@varied("recover")
def massless_last(s: Step) -> int:
    """A residual without mass gives token V - 1."""
    return argmax(s.residual) if any(s.residual) else len(s.p) - 1


@fault("SV-RES-2", seen=("vllm-project/vllm#44744",))
@varied("recover")
def massless_beyond(s: Step) -> int:
    """A residual without mass gives token V, which is padding behind the vocabulary."""
    return argmax(s.residual) if any(s.residual) else len(s.p)


@fault("SV-RES-2")
@varied("recover")
def massless_none(s: Step) -> int | None:
    """A residual without mass gives no token."""
    return argmax(s.residual) if any(s.residual) else None


@fault("SV-RES-2")
@varied("recover")
def massless_divides(s: Step) -> int:
    """A residual without mass is divided by its sum, which raises."""
    residual, mass = s.residual, sum(s.residual)
    return argmax([weight / mass for weight in residual])


@fault("SV-RES-2")
@varied("recover")
def massless_refused(s: Step) -> int:
    """A residual without mass raises ValueError."""
    if not any(s.residual):
        raise ValueError("no token is left to recover")
    return argmax(s.residual)


@fault("SV-RES-2")
@varied("recover")
def massless_from_draft(s: Step) -> int:
    """A residual without mass gives the argmax of the draft row."""
    return argmax(s.residual if any(s.residual) else s.q)


@fault("SV-RES-2")
@varied("recover")
def massless_unclipped(s: Step) -> int:
    """The residual is not clipped at 0: without mass the token that falls least is taken."""
    return argmax([a - b for a, b in zip(s.p, s.q, strict=True)])


@fault("SV-RES-2")
@varied("accept")
def massless_accepts(s: Step) -> bool:
    """A draft token whose residual has no mass is accepted."""
    return not any(s.residual) or s.test(s.p[s.x], s.q[s.x])
