"""Inputs that are rounded, rescaled or cut before they are used, in profile `argmax`."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

from specreference.faults.build import varied
from specreference.faults.call import Call, Floats
from specreference.faults.model import fault


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


@fault("SV-NUM-1")
@varied("prepare")
def inputs_float32(call: Call) -> None:
    """Rows and uniforms are rounded to float32."""
    _converted(call, lambda value: float(struct.unpack("<f", struct.pack("<f", value))[0]))


@fault("SV-NUM-1")
@varied("prepare")
def inputs_float16(call: Call) -> None:
    """Rows and uniforms are rounded to float16."""
    _converted(call, lambda value: float(struct.unpack("<e", struct.pack("<e", value))[0]))


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
