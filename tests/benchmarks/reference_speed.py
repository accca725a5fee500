"""Times of the reference: a large vocabulary, and a small one against a plain float implementation.

    python tests/benchmarks/reference_speed.py

V = 151,936 with K = 8 once a profile, in seconds; V = 64 with K = 8 in milliseconds, and as a ratio to a verifier in
plain floats.
"""

import random
import time
from collections.abc import Callable

import specreference
from specreference import PROFILES


def plain(tokens: list, draft_probs: list, target_probs: list, uniforms: list) -> dict:
    accepted = []
    for x, q, p, u in zip(tokens, draft_probs, target_probs, uniforms, strict=False):
        if u > min(1, p[x] / q[x]):
            residual = [max(0.0, a - b) for a, b in zip(p, q, strict=True)]
            token = residual.index(max(residual))
            return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}
        accepted.append(x)
    token = target_probs[len(tokens)].index(max(target_probs[len(tokens)]))
    return {"accepted_tokens": accepted, "bonus_token": token, "acceptance_count": len(accepted)}


def call(vocabulary: int, profile: str, u: float) -> tuple:
    rng, k = random.Random(vocabulary), 8

    def row() -> list[float]:
        weights = [rng.random() for _ in range(vocabulary)]
        total = sum(weights)
        return [weight / total for weight in weights]

    draft_probs, target_probs = [row() for _ in range(k)], [row() for _ in range(k + 1)]
    tokens = [rng.randrange(vocabulary) for _ in range(k)]
    uniforms = {"0": 0, "K": k, "K + 1": k + 1}[PROFILES[profile].uniforms[0]]
    return tokens, draft_probs if PROFILES[profile].drafts else None, target_probs, [u] * uniforms


def seconds(function: Callable, arguments: tuple, runs: int) -> float:
    began = time.perf_counter()
    for _ in range(runs):
        function(*arguments)
    return (time.perf_counter() - began) / runs


def main() -> None:
    names = {"argmax": "verify_speculative_tokens", "one-hot": "verify_one_hot"}
    for profile in PROFILES:
        function = getattr(specreference, names.get(profile, f"verify_{profile}"))
        large = max(seconds(function, call(151_936, profile, u), 1) for u in (0.0, 0.999))
        small = max(seconds(function, call(64, profile, u), 50) for u in (0.0, 0.999))
        ratio = small / seconds(plain, call(64, "argmax", 0.0), 500)
        print(f"{profile:8} V = 151,936: {large:.2f} s   V = 64: {1000 * small:.2f} ms, {ratio:.0f} x plain floats")


if __name__ == "__main__":
    main()
