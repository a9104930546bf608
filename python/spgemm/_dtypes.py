# SPDX-License-Identifier: BSD-3-Clause
"""Types of values: what SciPy makes of two of them, and what is computed in.

The type of A @ B is SciPy's. Integers of 8 and 16 bits are computed in 32 bits
and wrapped at the end, which is the same; unsigned ones as signed ones, whose
sums and products have the same bits. Where values are ordered, those of 8 and 16
bits and unsigned ones of 32 are computed in 64, and unsigned ones of 64 not at all.
"""
from __future__ import annotations

from typing import NamedTuple

import numpy as np

FP64, FP32, CFP64, CFP32, INT64, INT32, BOOL = range(7)

# What SciPy's sparse matrices may hold, in the order in which it looks for one.
_SUPPORTED = [np.dtype(name) for name in (
    "bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
    "uint64", "float32", "float64", "longdouble", "complex64", "complex128",
    "clongdouble")]


class Computed(NamedTuple):
    """How values of a dtype are computed."""
    dtype: np.dtype  # that the kernels see
    code: int  # its number in the library
    is_wrapped: bool  # C is narrower than what is computed


_COMPUTED = {
    np.dtype("float64"): Computed(np.dtype("float64"), FP64, False),
    np.dtype("float32"): Computed(np.dtype("float32"), FP32, False),
    np.dtype("complex128"): Computed(np.dtype("complex128"), CFP64, False),
    np.dtype("complex64"): Computed(np.dtype("complex64"), CFP32, False),
    np.dtype("int64"): Computed(np.dtype("int64"), INT64, False),
    np.dtype("uint64"): Computed(np.dtype("int64"), INT64, False),
    np.dtype("int32"): Computed(np.dtype("int32"), INT32, False),
    np.dtype("uint32"): Computed(np.dtype("int32"), INT32, False),
    np.dtype("int16"): Computed(np.dtype("int32"), INT32, True),
    np.dtype("uint16"): Computed(np.dtype("int32"), INT32, True),
    np.dtype("int8"): Computed(np.dtype("int32"), INT32, True),
    np.dtype("uint8"): Computed(np.dtype("int32"), INT32, True),
    np.dtype("bool"): Computed(np.dtype("bool"), BOOL, False),
}


_results: dict[tuple[np.dtype, np.dtype], np.dtype] = {}


def result_dtype(a: np.dtype, b: np.dtype) -> np.dtype:
    """The dtype of A @ B, as SciPy has it; TypeError where we have none."""
    found = _results.get((a, b))
    if found is None:
        found = _results[a, b] = _find_dtype(a, b)
    return found


def _find_dtype(a: np.dtype, b: np.dtype) -> np.dtype:
    for dtype in (a, b):
        if dtype.kind not in "biufc":
            raise TypeError(f"values of dtype {dtype} cannot be multiplied")
    wide = np.result_type(a, b)
    for dtype in _SUPPORTED:
        if np.can_cast(wide, dtype):
            if dtype not in _COMPUTED:
                raise TypeError(f"values of dtype {dtype} are not supported: "
                                "convert to float64 or complex128")
            return dtype
    raise TypeError(f"values of dtype {wide} cannot be multiplied")


_ORDERED = {np.dtype(name): Computed(np.dtype("int64"), INT64, True)
            for name in ("int8", "uint8", "int16", "uint16", "uint32")}


def computed(dtype: np.dtype, is_ordered: bool = False) -> Computed:
    """How values of a dtype of result_dtype() are computed; is_ordered: some are
    chosen by their size."""
    if is_ordered:
        if dtype == np.dtype("uint64"):
            raise TypeError("values of dtype uint64 are not ordered: convert to "
                            "int64 or float64")
        return _ORDERED.get(dtype, _COMPUTED[dtype])
    return _COMPUTED[dtype]


def as_computed(values: np.ndarray, dtype: np.dtype,
                how: Computed) -> np.ndarray:
    """values, cast to dtype of result_dtype(), as the kernels see it: without
    a copy where the bits are the same."""
    if values.dtype != dtype:
        values = values.astype(dtype)
    if how.is_wrapped:
        values = values.astype(how.dtype)
    elif how.dtype != dtype:
        values = values.view(how.dtype)
    return np.ascontiguousarray(values)
