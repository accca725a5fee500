"""Right verifiers of the profiles other than `argmax`, in exact arithmetic, and wrong ones with one thing changed."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from itertools import accumulate
from typing import Any

WRONG: dict[str, tuple[str, str, Callable[..., Any]]] = {}
"""Name to clause, profile and function."""


def breaks(clause):
    def keep(verifier):
        WRONG[verifier.__name__] = (clause, verifier.profile, verifier())
        return verifier

    return keep


def result(accepted, token):
    return {"accepted_tokens": list(accepted), "bonus_token": token, "acceptance_count": len(accepted)}


def first_argmax(row):
    return row.index(max(row))


class Verifier:
    """What the profiles share. Each decision is a method, open to change."""

    takes_drafts = True
    coins = 1
    comparison, zero_draft, massless, support, knot = "le", "accept", "target", "safe", "right"

    def __init__(self, **policies):
        self.__dict__.update(policies)

    def __call__(self, draft_tokens, draft_probs, target_probs, random_samples):
        k = len(draft_tokens)
        self.check(k, draft_probs, target_probs, random_samples)
        drafts = draft_probs if self.takes_drafts else []
        rows = [*drafts, *target_probs]
        if len({len(row) for row in rows}) > 1 or not all(rows):
            raise ValueError("sizes")
        if any(not 0 <= x < len(row) for x in draft_tokens for row in rows):
            raise ValueError("tokens")
        if any(not 0 <= value < float("inf") for row in rows for value in row):
            raise ValueError("probabilities")
        if any(not 0 <= u <= 1 for u in random_samples):
            raise ValueError("uniforms")
        p, q = ([list(map(Fraction, row)) for row in side] for side in (target_probs, drafts))
        return self.verify(draft_tokens, q, p, list(map(Fraction, random_samples)))

    def check(self, k, draft_probs, target_probs, uniforms):
        if self.takes_drafts and (draft_probs is None or len(draft_probs) != k):
            raise ValueError("draft_probs")
        self.check_uniforms(k, uniforms)
        if len(target_probs) < k:
            raise ValueError("target_probs")

    def check_uniforms(self, k, uniforms):
        if len(uniforms) != k + 1:
            raise ValueError("random_samples")

    def bonus(self, tokens, p, uniforms):
        k = len(tokens)
        return result(tokens, self.draw(self.bonus_row(p, k), self.coin(uniforms, k)) if len(p) > k else None)

    def bonus_row(self, p, k):
        return p[k]

    def coin(self, uniforms, examined):
        return uniforms[-1]

    def draw(self, weights, coin):
        mark = coin * sum(weights)
        for y, above in enumerate(accumulate(weights)):
            if weights[y] > 0 and (above > mark or (self.knot == "left" and above == mark)):
                return y
        return max(y for y, weight in enumerate(weights) if weight > 0)

    def recover(self, weights, p, coin):
        if any(weights):
            return self.draw(weights, coin)
        return {"first": 0, "last": len(p) - 1}.get(self.massless) if self.massless != "target" else self.draw(p, coin)


class Sampled(Verifier):
    profile = "sampled"

    def verify(self, tokens, q, p, uniforms):
        for i, x in enumerate(tokens):
            if not self.accepts(uniforms[i], p[i][x], q[i][x]):
                weights = self.residual(p[i], q[i], x)
                return result(tokens[:i], self.recover(weights, p[i], self.coin(uniforms, i + 1)))
        return self.bonus(tokens, p, uniforms)

    def accepts(self, u, p, q):
        if q == 0:
            return p > 0 and self.zero_draft == "accept"
        if p == 0 and self.support == "safe":
            return False
        return u * q < p if self.comparison == "lt" else u * q <= p

    def residual(self, p, q, x):
        return [max(Fraction(0), a - b) for a, b in zip(p, q, strict=True)]


class OneHot(Verifier):
    profile = "one-hot"
    takes_drafts = False

    def verify(self, tokens, q, p, uniforms):
        for i, x in enumerate(tokens):
            if not self.accepts(uniforms[i], p[i][x]):
                return result(tokens[:i], self.recover(self.others(p[i], x), p[i], self.coin(uniforms, i + 1)))
        return self.bonus(tokens, p, uniforms)

    def accepts(self, u, p):
        return p > 0 and u <= p

    def others(self, p, x):
        # as max(0, p - q) with q certain of x, of rows that need not sum to 1
        return [max(Fraction(0), value - (y == x)) for y, value in enumerate(p)]


class Greedy(Verifier):
    profile = "greedy"
    takes_drafts = False

    def check_uniforms(self, k, uniforms):
        if len(uniforms):
            raise ValueError("random_samples")

    def verify(self, tokens, q, p, uniforms):
        for i, x in enumerate(tokens):
            if not self.stays(p[i], x):
                return result(tokens[:i], self.choose(p[i], x))
        return self.bonus(tokens, p, uniforms)

    def stays(self, p, x):
        return first_argmax(p) == x

    def choose(self, p, x):
        return first_argmax(p)

    def coin(self, uniforms, examined):
        return None

    def draw(self, weights, coin):
        return first_argmax(weights)


class Block(Verifier):
    profile = "block"

    def verify(self, tokens, q, p, uniforms):
        k, joints = len(tokens), [Fraction(1)]
        for i, x in enumerate(tokens):
            joints.append(self.extend(joints[-1], p[i][x], q[i][x]))
        shares = [self.share(joints[i], p[i] if i < k else None, q[i] if i < k else None) for i in range(1, k + 1)]
        tau = self.accepted([share > 0 and u <= share for share, u in zip(shares, uniforms, strict=False)])
        if tau == k:
            return self.bonus(tokens, p, uniforms)
        weights = self.residual(joints[tau], p[tau], q[tau])
        return result(tokens[:tau], self.recover(weights, p[tau], self.coin(uniforms, tau + 1)))

    def extend(self, joint, p, q):
        if q == 0:
            return Fraction(joint > 0 and p > 0)
        return min(Fraction(1), joint * p / q)

    def share(self, joint, p, q):
        if p is None:
            return joint
        mass = sum(self.residual(joint, p, q))
        return mass / (mass + 1 - joint) if mass + 1 - joint else Fraction(1)

    def residual(self, joint, p, q):
        return [max(Fraction(0), joint * a - b) for a, b in zip(p, q, strict=True)]

    def accepted(self, answers):
        return max((i for i, answer in enumerate(answers, start=1) if answer), default=0)


RIGHT = {verifier.profile: verifier for verifier in (Sampled, Greedy, OneHot, Block)}
"""A class of right verifiers by profile; its arguments are policies."""


# ---- sampled


@breaks("SV-SMP-1")
class TakesTheCoinFromElsewhere(Sampled):
    """K uniforms are enough for it."""

    def check_uniforms(self, k, uniforms):
        if len(uniforms) < k:
            raise ValueError("random_samples")


@breaks("SV-SMP-2")
class DrawsFromTheTargetAfterARejection(Sampled):
    def residual(self, p, q, x):
        return p


@breaks("SV-SMP-2")
class TakesTheGreatestResidual(Sampled):
    def recover(self, weights, p, coin):
        return first_argmax(weights if any(weights) else p)


@breaks("SV-SMP-2")
class DoesNotNormaliseTheResidual(Sampled):
    def recover(self, weights, p, coin):
        total = sum(weights)
        return self.draw([*weights[:-1], weights[-1] + 1 - total] if total else p, coin)


@breaks("SV-SMP-3")
class TakesTheGreatestBonus(Sampled):
    def bonus(self, tokens, p, uniforms):
        return result(tokens, first_argmax(p[len(tokens)]) if len(p) > len(tokens) else None)


@breaks("SV-SMP-3")
class DrawsTheBonusFromTheRowBefore(Sampled):
    def bonus_row(self, p, k):
        return p[max(0, k - 1)]


@breaks("SV-SMP-4")
class DrawsByTheUniformAfterTheLastStep(Sampled):
    def coin(self, uniforms, examined):
        return uniforms[examined]


@breaks("SV-SMP-4")
class DrawsByTheRejectedUniform(Sampled):
    def coin(self, uniforms, examined):
        return uniforms[max(0, examined - 1)]


@breaks("SV-SMP-5")
class DrawsTokensWithoutWeightAtACoinOfZero(Sampled):
    def draw(self, weights, coin):
        mark = coin * sum(weights)
        return next(y for y, above in enumerate(accumulate(weights)) if above >= mark)


@breaks("SV-SMP-6")
class AcceptsAnImpossibleTokenAtAUniformOfZero(Sampled):
    support = "letter"


# ---- greedy


@breaks("SV-GRD-1")
class TakesAnyUniforms(Greedy):
    def check_uniforms(self, k, uniforms):
        pass


@breaks("SV-GRD-2")
class AcceptsAnyOfTheTiedTokens(Greedy):
    def stays(self, p, x):
        return p[x] == max(p)


@breaks("SV-GRD-2")
class AcceptsOnlyWhatHasMostOfTheMass(Greedy):
    def stays(self, p, x):
        return first_argmax(p) == x and p[x] > Fraction(1, 2)


@breaks("SV-GRD-3")
class TakesTheNextBestAfterARejection(Greedy):
    def choose(self, p, x):
        return first_argmax([value if y != first_argmax(p) else Fraction(-1) for y, value in enumerate(p)])


@breaks("SV-GRD-3")
class TakesTheHigherOfTiedTokens(Greedy):
    def choose(self, p, x):
        return len(p) - 1 - first_argmax(p[::-1])


# ---- one-hot


@breaks("SV-ONE-1")
class TakesKUniforms(OneHot):
    def check_uniforms(self, k, uniforms):
        if len(uniforms) < k:
            raise ValueError("random_samples")


@breaks("SV-ONE-2")
class RejectsAtEquality(OneHot):
    def accepts(self, u, p):
        return u < p


@breaks("SV-ONE-2")
class AcceptsWhatHasNoMassAtZero(OneHot):
    def accepts(self, u, p):
        return u <= p


@breaks("SV-ONE-3")
class MayRecoverTheRejectedToken(OneHot):
    def others(self, p, x):
        return p


@breaks("SV-ONE-3")
class RecoversTheGreatestOther(OneHot):
    def recover(self, weights, p, coin):
        return first_argmax(weights if any(weights) else p)


@breaks("SV-ONE-4")
class TakesTheGreatestOfRowK(OneHot):
    def bonus(self, tokens, p, uniforms):
        return result(tokens, first_argmax(p[len(tokens)]) if len(p) > len(tokens) else None)


@breaks("SV-ONE-4")
class DrawsTheBonusFromTheLastRow(OneHot):
    def bonus_row(self, p, k):
        return p[-1]


# ---- block


@breaks("SV-BLK-1")
class TakesTheCoinFromThePositions(Block):
    def check_uniforms(self, k, uniforms):
        if len(uniforms) < max(k, 1):
            raise ValueError("random_samples")


@breaks("SV-BLK-2")
class CutsTheProductAtTheEndOnly(Block):
    def verify(self, tokens, q, p, uniforms):
        self.product = Fraction(1)
        return super().verify(tokens, q, p, uniforms)

    def extend(self, joint, p, q):
        self.product = super().extend(joint, p, q) if q == 0 else self.product * p / q
        return min(Fraction(1), self.product)


@breaks("SV-BLK-2")
class CutsEachRatioInsteadOfTheProduct(Block):
    def extend(self, joint, p, q):
        return super().extend(joint, p, q) if q == 0 else joint * min(Fraction(1), p / q)


@breaks("SV-BLK-3")
class AcceptsAPositionByItsProductAlone(Block):
    def share(self, joint, p, q):
        return joint


@breaks("SV-BLK-3")
class LeavesOutTheRestOfTheProduct(Block):
    def share(self, joint, p, q):
        if p is None:
            return joint
        return min(Fraction(1), sum(self.residual(joint, p, q)))


@breaks("SV-BLK-4")
class StopsAtTheFirstPositionThatFails(Block):
    def accepted(self, answers):
        return [*answers, False].index(False)


@breaks("SV-BLK-5")
class DrawsFromTheResidualWithoutTheJointRatio(Block):
    def recover(self, weights, p, coin):
        return super().recover(self.plain if any(weights) else weights, p, coin)

    def residual(self, joint, p, q):
        self.plain = super().residual(Fraction(1), p, q)
        return super().residual(joint, p, q)


@breaks("SV-BLK-6")
class TakesTheGreatestOfTheBonusRow(Block):
    def bonus(self, tokens, p, uniforms):
        return result(tokens, first_argmax(p[len(tokens)]) if len(p) > len(tokens) else None)
