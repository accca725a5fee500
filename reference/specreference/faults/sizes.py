"""Tokens, positions and indices that a fixed size cuts: tiles, bits and buffers, in profile `argmax`."""

from __future__ import annotations

from specreference.faults.build import varied
from specreference.faults.call import Call, Step, Walk, argmax
from specreference.faults.model import fault


@fault("SV-RES-1")
@varied("recover", "bonus")
def vocabulary_tail_of_128(s: Step) -> int:
    """Where V is above 128, the argmax runs over whole blocks of 128 tokens, and the rest is not scanned."""
    return argmax(s.weights[: len(s.weights) // 128 * 128] or s.weights)


@fault("SV-RES-1")
@varied("recover", "bonus")
def vocabulary_odd_token(s: Step) -> int:
    """The argmax is a tournament of pairs, in which a last token without a partner drops out."""
    tokens = list(range(len(s.weights)))
    while len(tokens) > 1:
        pairs = zip(tokens[::2], tokens[1::2], strict=False)
        tokens = [b if s.weights[b] > s.weights[a] else a for a, b in pairs]
    return tokens[0]


@fault("SV-BON-1")
@varied("bonus")
def bonus_below_1024(s: Step) -> int:
    """Row K is searched up to token 1,023, the tokens of one block of threads."""
    return argmax(s.p[:1024])


@fault("SV-RES-1")
@varied("recover", "bonus")
def index_eight_bits(s: Step) -> int:
    """The last token's index is kept in eight bits."""
    return argmax(s.weights) & 0xFF


@fault("SV-TIE-1")
@varied("recover", "bonus")
def tie_tournament(s: Step) -> int:
    """The argmax is a tournament of pairs, in which from the fourth round on a tie goes to the higher index."""
    tokens, rounds = list(range(len(s.weights))), 0
    while len(tokens) > 1:
        rounds += 1
        pairs = zip(tokens[::2], tokens[1::2], strict=False)
        winners = [b if _wins(s.weights[b], s.weights[a], rounds) else a for a, b in pairs]
        tokens = winners + tokens[len(winners) * 2 :]
    return tokens[0]


def _wins(right: float, left: float, rounds: int) -> bool:
    return right > left or (right == left and rounds >= 4)


@fault("SV-STOP-1")
@varied("walk")
def rejections_in_32_bits(call: Call) -> Walk:
    """Rejections are bits of a word of 32, in which step 32 stands where step 0 does."""
    rejected = {i % 32 for i, accepted in enumerate(call.mask()) if not accepted}
    return call.settle(min(rejected, default=call.k))


@fault("SV-OUT-2")
@varied("walk")
def accepted_of_sixteen(call: Call) -> Walk:
    """The list of accepted tokens has room for sixteen, and later ones are lost."""
    accepted, token = call.run()
    return accepted[:16], token


@fault("SV-ACC-2")
@varied("uniform")
def uniforms_of_sixteen(s: Step) -> float:
    """The uniforms are read from a buffer of sixteen, around and around."""
    return float(s.call.random_samples[s.i % 16])
