"""A second reference of the sampling profiles, written from spec/profiles.md in another style."""

from __future__ import annotations

from fractions import Fraction


def _draw(weights, coin):
    mark, total = Fraction(coin) * sum(weights), Fraction(0)
    drawn = None
    for token, weight in enumerate(weights):
        total += weight
        if weight > 0:
            drawn = token
            if total > mark:
                break
    return drawn


def _row(values):
    return [Fraction(value) for value in values]


def _result(accepted, token):
    return {"accepted_tokens": list(accepted), "bonus_token": token, "acceptance_count": len(accepted)}


def sampled(tokens, draft_probs, target_probs, uniforms):
    *us, coin = uniforms
    for i, x in enumerate(tokens):
        p, q = _row(target_probs[i]), _row(draft_probs[i])
        ratio = None if q[x] == 0 else p[x] / q[x]
        if p[x] > 0 and (ratio is None or Fraction(us[i]) <= ratio):
            continue
        residual = [a - b if a > b else Fraction(0) for a, b in zip(p, q, strict=True)]
        return _result(tokens[:i], _draw(residual if any(residual) else p, coin))
    if len(target_probs) == len(tokens):
        return _result(tokens, None)
    return _result(tokens, _draw(_row(target_probs[len(tokens)]), coin))


def one_hot(tokens, draft_probs, target_probs, uniforms):
    assert draft_probs is None
    *us, coin = uniforms
    for i, x in enumerate(tokens):
        p = _row(target_probs[i])
        if p[x] <= 0 or Fraction(us[i]) > p[x]:
            others = [Fraction(0) if y == x else value for y, value in enumerate(p)]
            return _result(tokens[:i], _draw(others if any(others) else p, coin))
    if len(target_probs) == len(tokens):
        return _result(tokens, None)
    return _result(tokens, _draw(_row(target_probs[len(tokens)]), coin))


def greedy(tokens, draft_probs, target_probs, uniforms):
    assert draft_probs is None
    assert uniforms == []
    best = [min(y for y, value in enumerate(row) if value == max(row)) for row in target_probs]
    for i, x in enumerate(tokens):
        if best[i] != x:
            return _result(tokens[:i], best[i])
    return _result(tokens, best[len(tokens)] if len(best) > len(tokens) else None)


def block(tokens, draft_probs, target_probs, uniforms):
    k, products = len(tokens), [Fraction(1)]
    for i, x in enumerate(tokens):
        p, q, last = Fraction(target_probs[i][x]), Fraction(draft_probs[i][x]), products[-1]
        if q > 0:
            products.append(min(Fraction(1), last * p / q))
        else:
            products.append(Fraction(1) if last > 0 and p > 0 else Fraction(0))

    def leftover(i):
        pairs = zip(_row(target_probs[i]), _row(draft_probs[i]), strict=True)
        return [max(products[i] * a - b, Fraction(0)) for a, b in pairs]

    tau = 0
    for i in range(k, 0, -1):
        if i == k:
            share = products[k]
        elif sum(leftover(i)) == 0:
            share = Fraction(1) if products[i] == 1 else Fraction(0)
        else:
            share = sum(leftover(i)) / (sum(leftover(i)) + 1 - products[i])
        if share > 0 and Fraction(uniforms[i - 1]) <= share:
            tau = i
            break
    if tau < k:
        weights = leftover(tau)
        return _result(tokens[:tau], _draw(weights if any(weights) else _row(target_probs[tau]), uniforms[k]))
    if len(target_probs) == k:
        return _result(tokens, None)
    return _result(tokens, _draw(_row(target_probs[k]), uniforms[k]))
