"""Results as NumPy makes them."""

import numpy as np
from right import by_kind


def giving(kind):
    return lambda result: {**result, "bonus_token": kind(result["bonus_token"])}


int64 = giving(np.int64)
uint8 = giving(np.uint8)
boolean = giving(np.bool_)
float64 = giving(np.float64)
float32 = giving(np.float32)
not_a_number = giving(lambda token: np.float64("nan"))
array_without_shape = giving(lambda token: np.array(token))
array_of_one = giving(lambda token: np.array([token]))


def list_of_int64(result):
    return {**result, "accepted_tokens": [np.int64(token) for token in result["accepted_tokens"]]}


def count_as_int64(result):
    return {**result, "acceptance_count": np.int64(result["acceptance_count"])}


def array_of_tokens(result):
    return {**result, "accepted_tokens": np.array(result["accepted_tokens"])}


def huge_array(result):
    return {**result, "accepted_tokens": np.zeros((10_000, 10_000), dtype=np.int8)}


verify_speculative_tokens = by_kind(globals())
