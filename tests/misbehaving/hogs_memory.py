"""Takes 2 GB and keeps them."""

from right import on_marked_case

kept = []


@on_marked_case
def verify_speculative_tokens(result):
    kept.extend(bytearray(100_000_000) for _ in range(20))
    return result
