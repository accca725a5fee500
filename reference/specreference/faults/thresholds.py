"""Acceptance tests that are off by little, or in a part of their range only, in profile `argmax`."""

from __future__ import annotations

import math

from specreference.faults.build import varied
from specreference.faults.call import Step
from specreference.faults.inputs import to_float32
from specreference.faults.model import fault


@fault("SV-ACC-1")
@varied("accept")
def ratio_twelve_digits(s: Step) -> bool:
    """The ratio is rounded to twelve digits."""
    return s.u <= round(min(1.0, s.ratio), 12)


@fault("SV-ACC-1")
@varied("accept")
def ratio_float32(s: Step) -> bool:
    """The ratio is rounded to float32, and compared with a uniform of binary64."""
    return s.u <= to_float32(min(1.0, s.ratio))


@fault("SV-ACC-1")
@varied("accept")
def ratio_by_reciprocal(s: Step) -> bool:
    """The ratio is p(x) times a rounded 1/q(x), which loses some exact equalities."""
    p, q = s.p[s.x], s.q[s.x]
    return s.u <= p * (1 / q) if q else s.test(p, q)


@fault("SV-ACC-1")
@varied("accept")
def ratio_in_1024ths(s: Step) -> bool:
    """The acceptance probability is cut to multiples of 1/1024, as by a table."""
    return s.u <= math.floor(1024 * min(1.0, s.ratio)) / 1024


@fault("SV-ACC-1")
@varied("accept")
def ratio_off_in_part(s: Step) -> bool:
    """A ratio between 0.3 and 0.4 is too great by 1e-4, as by one bad entry of a table."""
    return s.u <= s.ratio + (1e-4 if 0.3 < s.ratio < 0.4 else 0.0)


@fault("SV-ACC-1")
@varied("accept")
def ratio_near_one_accepts(s: Step) -> bool:
    """A ratio above 0.9999 counts as 1."""
    return s.ratio > 0.9999 or s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def target_sure_accepts(s: Step) -> bool:
    """A target probability above 0.9 accepts, whatever the draft probability."""
    return s.p[s.x] > 0.9 or s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def draft_tiny_rejects(s: Step) -> bool:
    """A draft probability below 1e-10 is not trusted, and rejects."""
    return not 0 < s.q[s.x] < 1e-10 and s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def complements_compared(s: Step) -> bool:
    """The comparison is 1 - u >= 1 - p/q, where small uniforms and ratios are lost."""
    return 1 - s.u >= 1 - min(1.0, s.ratio)


@fault("SV-ACC-1")
@varied("accept")
def product_with_slack(s: Step) -> bool:
    """The comparison is u q < p + 1e-12."""
    return s.u * s.q[s.x] < s.p[s.x] + 1e-12 if s.q[s.x] else s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def fixed_point(s: Step) -> bool:
    """Both probabilities are cut to multiples of 2^-16 before they are compared."""
    return s.test(int(65536 * s.p[s.x]), int(65536 * s.q[s.x]))


@fault("SV-ACC-1")
@varied("accept")
def strict_after_first(s: Step) -> bool:
    """The comparison is strict from step 1 on."""
    return s.u < s.ratio if s.i else s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("uniform")
def uniform_in_24_bits(s: Step) -> float:
    """The uniform is cut to multiples of 2^-24, as of a generator of float32."""
    return math.floor(float(s.call.random_samples[s.i]) * 2**24) / 2**24


@fault("SV-ACC-1")
@varied("uniform")
def uniform_floored(s: Step) -> float:
    """A uniform below 1e-10 is taken as 1e-10, so that it has a logarithm."""
    return max(float(s.call.random_samples[s.i]), 1e-10)
