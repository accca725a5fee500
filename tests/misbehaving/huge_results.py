"""Results of 1 GB. Each is made once, since that takes its time."""

import functools

from right import on_marked_case


@functools.cache
def list_of_ints():
    return [0] * 125_000_000


@functools.cache
def long_string():
    return "x" * 1_000_000_000


@on_marked_case
def as_list(result):
    return {**result, "accepted_tokens": list_of_ints()}


@on_marked_case
def as_text(result):
    return long_string()
