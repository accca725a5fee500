"""Wrong acceptance tests, in profile `argmax`."""

from __future__ import annotations

import math

from specreference.faults.build import varied
from specreference.faults.call import Step, argmax
from specreference.faults.model import Equivalent, fault


@fault(
    "SV-ACC-1",
    seen=("huggingface/transformers#28508", "vllm-project/vllm-ascend#13470", "vllm-project/vllm-ascend#13730"),
)
@varied("accept")
def accept_always(_: Step) -> bool:
    """Every draft token is accepted."""
    return True


@fault("SV-ACC-1")
@varied("accept")
def accept_strict(s: Step) -> bool:
    """The comparison is strict: a uniform that equals p/q rejects."""
    return s.u < s.ratio


@fault("SV-ACC-1", seen=("vllm-project/vllm-project.github.io#80",))
@varied("accept")
def accept_without_uniform(s: Step) -> bool:
    """Accepts where p(x) >= q(x) and looks at no uniform."""
    return s.p[s.x] >= s.q[s.x]


@fault("SV-ACC-1", seen=("sgl-project/sglang#9877", "sgl-project/sglang#10308"))
@varied("accept")
def accept_by_target(s: Step) -> bool:
    """Accepts where u <= p(x): the draft probability plays no part."""
    return s.u <= s.p[s.x]


@fault("SV-ACC-1", seen=("ROCm/ATOM#2318", "sgl-project/sglang#37134"))
@varied("accept")
def accept_argmax(s: Step) -> bool:
    """Accepts only the target row's argmax, as at temperature 0."""
    return s.x == argmax(s.p)


@fault("SV-ACC-1", seen=("alibaba/rtp-llm#1295", "alibaba/rtp-llm#1311"))
@varied("accept")
def accept_argmax_too(s: Step) -> bool:
    """Accepts the target row's argmax as well, whatever its uniform."""
    return s.x == argmax(s.p) or s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def accept_typical(s: Step) -> bool:
    """Accepts where p(x) is above a threshold that falls with the entropy of p, as typical acceptance does."""
    entropy = -sum(a * math.log(a) for a in s.p if a > 0)
    return s.p[s.x] > min(0.3, 0.5 * math.exp(-entropy))


@fault("SV-ACC-1")
@varied("accept")
def accept_by_overlap(s: Step) -> bool:
    """Compares the uniform with the step's whole acceptance rate, the sum of min(p, q)."""
    return s.u <= sum(map(min, s.p, s.q))


@fault("SV-ACC-1")
@varied("accept")
def accept_draft_argmax(s: Step) -> bool:
    """Tests the draft row's argmax in place of the draft token."""
    y = argmax(s.q)
    return s.test(s.p[y], s.q[y])


@fault("SV-ACC-1")
@varied("accept")
def draft_confidence(s: Step) -> bool:
    """The draft probability is taken to be the greatest of its row."""
    return s.test(s.p[s.x], max(s.q))


@fault("SV-ACC-1")
@varied("accept")
def ratio_inverted(s: Step) -> bool:
    """The ratio is q/p."""
    return s.test(s.q[s.x], s.p[s.x])


@fault("SV-ACC-1")
@varied("accept")
def ratio_floored(s: Step) -> bool:
    """The ratio is an integer division, p // q."""
    return s.ratio >= 1 or s.u == 0


@fault("SV-ACC-1")
@varied("accept")
def ratio_in_percent(s: Step) -> bool:
    """The acceptance probability is cut to whole percent."""
    return s.u <= int(100 * min(1.0, s.ratio)) / 100


@fault("SV-ACC-1")
@varied("accept")
def ratio_rounded(s: Step) -> bool:
    """The ratio is rounded to six digits."""
    return s.u <= round(min(1.0, s.ratio), 6)


@fault("SV-ACC-1")
@varied("accept")
def ratio_to_sum(s: Step) -> bool:
    """The acceptance probability is p/(p + q), not p/q."""
    return s.test(s.p[s.x], s.p[s.x] + s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def ratio_as_difference(s: Step) -> bool:
    """The acceptance probability is 1 - (q - p), not p/q."""
    return s.u <= 1 - (s.q[s.x] - s.p[s.x])


@fault("SV-ACC-3")
@varied("accept")
def ratio_symmetric(s: Step) -> bool:
    """The smaller probability is divided by the greater one, so that p(x) above q(x) may be rejected."""
    low, high = sorted((s.p[s.x], s.q[s.x]))
    return s.test(low, high) if low > 0 else s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-3")
@varied("accept")
def equal_rejects(s: Step) -> bool:
    """Of the branches p < q and p > q neither is for p = q, which rejects."""
    return s.p[s.x] != s.q[s.x] and s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def lenient(s: Step) -> bool:
    """A lenience of 0.8 on the draft probability accepts too often."""
    return s.test(s.p[s.x], 0.8 * s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def tolerance(s: Step) -> bool:
    """A uniform above the ratio by less than 1e-6 accepts."""
    return s.u <= s.ratio + 1e-6


@fault("SV-ACC-1")
@varied("accept")
def tolerance_relative(s: Step) -> bool:
    """A uniform that math.isclose to the ratio accepts."""
    return s.u <= s.ratio or math.isclose(s.u, s.ratio)


@fault("SV-ACC-1")
@varied("accept")
def epsilon_added(s: Step) -> bool:
    """The draft probability is divided by with 1e-8 added to it."""
    return s.u <= s.p[s.x] / (s.q[s.x] + 1e-8)


@fault("SV-ACC-1")
@varied("accept")
def epsilon_added_to_both(s: Step) -> bool:
    """Both probabilities have 1e-10 added to them before they are divided."""
    return s.u <= (s.p[s.x] + 1e-10) / (s.q[s.x] + 1e-10)


@fault("SV-ACC-1")
@varied("accept")
def draft_floored(s: Step) -> bool:
    """The draft probability is divided by as max(q, 1e-10)."""
    return s.u <= s.p[s.x] / max(s.q[s.x], 1e-10)


@fault("SV-ACC-1")
@varied("accept")
def draft_tiny_accepts(s: Step) -> bool:
    """A draft probability below 1e-10 counts as 0 and accepts."""
    return s.q[s.x] < 1e-10 or s.test(s.p[s.x], s.q[s.x])


@fault("SV-IN-9", seen=("sgl-project/sglang#42568",))
@varied("accept")
def draft_above_one_rejects(s: Step) -> bool:
    """A guard against bad draft probabilities rejects q(x) above 1."""
    return s.q[s.x] <= 1 and s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-4")
@varied("accept")
def zero_draft_accepts(s: Step) -> bool:
    """A draft probability of 0 accepts, also where the target probability is 0."""
    return s.q[s.x] == 0 or s.test(s.p[s.x], s.q[s.x])


@fault(
    "SV-ACC-4",
    equivalent_to=Equivalent("zero-draft-accepts", "u q <= p is u <= p/q, but for q = 0, where it says 0 <= p"),
)
@varied("accept")
def cross_multiplied(s: Step) -> bool:
    """The comparison is u q <= p, which accepts where both probabilities are 0."""
    return s.u * s.q[s.x] <= s.p[s.x]


@fault("SV-ACC-4")
@varied("accept")
def zero_draft_rejects(s: Step) -> bool:
    """A draft probability of 0 rejects, also where the target probability is above 0."""
    return s.q[s.x] != 0 and s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-4")
@varied("accept")
def zero_draft_divides(s: Step) -> bool:
    """A draft probability of 0 is divided by."""
    return s.u <= s.p[s.x] / s.q[s.x]


@fault("SV-ACC-4")
@varied("accept")
def zero_draft_refused(s: Step) -> bool:
    """A draft token with a draft probability of 0 raises ValueError."""
    if s.q[s.x] == 0:
        raise ValueError("a token that was drafted can not have probability 0")
    return s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def log_compared(s: Step) -> bool:
    """Logarithms are compared, and their rounding rejects some exact equalities."""
    p, q = s.p[s.x], s.q[s.x]
    return math.log(s.u) <= math.log(p) - math.log(q) if min(s.u, p, q) > 0 else s.test(p, q)


@fault("SV-ACC-1")
@varied("accept")
def log_of_zero(s: Step) -> bool:
    """Logarithms are compared, and that of a 0 raises."""
    math.log(s.u)
    math.log(s.p[s.x])
    return s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("accept")
def zero_uniform_rejects(s: Step) -> bool:
    """A uniform of 0 counts as none and rejects."""
    return bool(s.u) and s.test(s.p[s.x], s.q[s.x])


@fault("SV-ACC-1")
@varied("uniform")
def uniform_complemented(s: Step) -> float:
    """Compares 1 - u in place of u."""
    return float(1 - s.call.random_samples[s.i])


@fault("SV-ACC-1")
@varied("uniform")
def uniform_rounded(s: Step) -> float:
    """The uniform is rounded to six digits."""
    return float(round(s.call.random_samples[s.i], 6))
