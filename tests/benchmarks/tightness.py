"""How often random inputs have a single acceptable outcome, by dtype, space and profile.

    python tests/benchmarks/tightness.py [INPUTS]

Rows and uniforms are random binary64 numbers, V is 1 to 6 and K is 0 to 4.
"""

import random
import sys

from specreference import PROFILES, acceptable_outcomes
from specreference.dtypes import DTYPES, SPACES


def random_call(rng: random.Random, profile: str) -> tuple:
    vocabulary, k = rng.randint(1, 6), rng.randint(0, 4)

    def row() -> list[float]:
        weights = [rng.random() for _ in range(vocabulary)]
        return [weight / sum(weights) for weight in weights]

    tokens = [rng.randrange(vocabulary) for _ in range(k)]
    draft_probs = [row() for _ in range(k)] if PROFILES[profile].drafts else None
    uniforms = {"0": 0, "K": k, "K + 1": k + 1}[PROFILES[profile].uniforms[0]]
    return tokens, draft_probs, [row() for _ in range(k + 1)], [rng.random() for _ in range(uniforms)]


def main() -> None:
    inputs = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    print(f"share of {inputs} random inputs with one acceptable outcome")
    for profile in PROFILES:
        for space in SPACES:
            shares = []
            for dtype in DTYPES:
                rng = random.Random(f"{profile} {dtype}")
                calls = (random_call(rng, profile) for _ in range(inputs))
                options = {"profile": profile, "dtype": dtype, "space": space, "limit": 2}
                single = sum(len(acceptable_outcomes(*call, **options)) == 1 for call in calls)
                shares.append(f"{dtype} {100 * single / inputs:.1f} %")
            print(f"{profile:8} {space:4}  {', '.join(shares)}")


if __name__ == "__main__":
    main()
