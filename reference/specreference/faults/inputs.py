"""Inputs that are rounded, rescaled or cut before they are used, in profile `argmax`."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from itertools import accumulate

from specreference.faults.build import varied
from specreference.faults.call import Call, Floats
from specreference.faults.model import fault


def to_float32(value: float) -> float:
    """The nearest number of float32."""
    return float(struct.unpack("<f", struct.pack("<f", value))[0])


def _to_float16(value: float) -> float:
    return float(struct.unpack("<e", struct.pack("<e", value))[0])


def _converted(call: Call, convert: Callable[[float], float]) -> None:
    call.map_rows(lambda row: list(map(convert, row)))
    call.random_samples = list(map(convert, call.random_samples))


def _truncated(value: float) -> float:
    bits: int = struct.unpack("<I", struct.pack("<f", value))[0]
    return float(struct.unpack("<f", struct.pack("<I", bits & 0xFFFF0000))[0])


def softmax(row: Floats) -> list[float]:
    """The row as if it were logits."""
    exponentials = [math.exp(value) for value in row]
    total = sum(exponentials)
    return [value / total for value in exponentials]


def normalised(row: Floats) -> list[float]:
    """The row divided by its sum; zeros stay as they are."""
    total = sum(row) or 1.0
    return [value / total for value in row]


def _kept(row: Floats, tokens: Sequence[int]) -> list[float]:
    kept = set(tokens)
    return [value if y in kept else 0.0 for y, value in enumerate(row)]


def _nucleus(row: Floats) -> list[float]:
    order = sorted(range(len(row)), key=lambda y: -row[y])
    sums = accumulate(row[y] for y in order)
    return _kept(row, order[: 1 + sum(1 for total in sums if total < 0.9)])


@fault("SV-NUM-1")
@varied("prepare")
def inputs_float32(call: Call) -> None:
    """Rows and uniforms are rounded to float32."""
    _converted(call, to_float32)


@fault("SV-NUM-1")
@varied("prepare")
def inputs_float16(call: Call) -> None:
    """Rows and uniforms are rounded to float16."""
    _converted(call, _to_float16)


@fault("SV-NUM-1")
@varied("prepare")
def rows_float16(call: Call) -> None:
    """The rows are rounded to float16, the uniforms are not."""
    call.map_rows(lambda row: list(map(_to_float16, row)))


@fault("SV-NUM-1")
@varied("prepare")
def inputs_bfloat16(call: Call) -> None:
    """Rows and uniforms are cut to the upper 16 bits of float32."""
    _converted(call, _truncated)


@fault("SV-NUM-1")
@varied("prepare")
def inputs_rounded(call: Call) -> None:
    """Rows and uniforms are rounded to six digits."""
    _converted(call, lambda value: round(value, 6))


@fault("SV-IN-9")
@varied("prepare")
def rows_renormalised(call: Call) -> None:
    """Every row is divided by its sum."""
    call.map_rows(normalised)


@fault("SV-IN-9")
@varied("prepare")
def target_renormalised(call: Call) -> None:
    """Every target row is divided by its sum, and no draft row."""
    call.target_probs = list(map(normalised, call.target_probs))


@fault("SV-ACC-1")
@varied("prepare")
def rows_top_fifty(call: Call) -> None:
    """The rows are cut to their fifty most likely tokens, for a second time."""
    call.map_rows(lambda row: _kept(row, sorted(range(len(row)), key=lambda y: -row[y])[:50]))


@fault("SV-ACC-1")
@varied("prepare")
def rows_nucleus(call: Call) -> None:
    """The rows are cut to the likeliest tokens that come to 0.9 together, for a second time."""
    call.map_rows(_nucleus)


@fault("SV-ACC-1")
@varied("prepare")
def rows_floored(call: Call) -> None:
    """Probabilities below 1e-9 are raised to it."""
    call.map_rows(lambda row: [max(1e-9, value) for value in row])


@fault("SV-NUM-1")
@varied("prepare")
def temperature_again(call: Call) -> None:
    """A temperature of 0.999 is applied to both rows once more, by a power."""
    call.map_rows(lambda row: [value ** (1 / 0.999) for value in row])


@fault("SV-IN-9")
@varied("prepare")
def probabilities_capped(call: Call) -> None:
    """Probabilities above 1 are cut to 1."""
    call.map_rows(lambda row: [min(1.0, value) for value in row])


@fault(
    "SV-ACC-1",
    seen=("vllm-project/vllm#32862", "vllm-project/vllm-ascend#6685", "vllm-project/vllm-ascend#6805"),
)
@varied("prepare")
def softmax_twice(call: Call) -> None:
    """The rows are taken for logits, and softmax is applied to them."""
    call.map_rows(softmax)
