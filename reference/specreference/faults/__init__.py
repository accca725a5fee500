"""The catalogue of known-wrong implementations: each a function under its id, `specreference.faults.tie_last`.

`FAULTS` holds them by id, with what is wrong, the clause that it breaks, and where it was seen in public. `CONTROLS`
are one implementation that every case must fail and one for each profile that no case may. `forget` puts those that
remember earlier calls back to their beginning. Importing `specreference` does not import them.
"""

from specreference.faults import (
    acceptance,
    accepted,
    blocks,
    bonus,
    controls,
    draws,
    errors,
    greedy,
    inputs,
    massless,
    one_hot,
    output,
    prefix,
    purity,
    recovered,
    sampled,
    sizes,
    steps,
    thresholds,
    ties,
    values,
)
from specreference.faults.model import CONTROLS, FAULTS, Equivalent, Fault, Implementation
from specreference.faults.purity import forget

__all__ = ["CONTROLS", "FAULTS", "MODULES", "Equivalent", "Fault", "Implementation", "forget"]

MODULES = (
    acceptance,
    thresholds,
    steps,
    inputs,
    prefix,
    sizes,
    recovered,
    massless,
    bonus,
    ties,
    errors,
    values,
    accepted,
    output,
    purity,
    draws,
    sampled,
    one_hot,
    greedy,
    blocks,
    controls,
)
"""What they get wrong, a module each."""

globals().update({fault.function.__name__: fault.function for fault in (*FAULTS.values(), *CONTROLS.values())})
