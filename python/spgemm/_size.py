# SPDX-License-Identifier: BSD-3-Clause
"""How large C is, before it is there."""
from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np

from . import _core, _formats
from ._formats import INT32_MAX, Operand
from ._names import refusals
from ._options import set_resources

_NORMAL_95 = 1.96


class Predicted(NamedTuple):
    """What the library says of a product."""
    products: int
    bound: int
    nnz: float
    standard_error: float
    seconds: float
    row_nnz: np.ndarray | None


class Estimate:
    """How large A @ B is.

    Attributes
    ----------
    nnz : int
        Predicted entries.
    standard_error : float
        Of nnz, in entries; 0 where nnz is exact, NaN where nobody knows.
    interval : tuple of int
        nnz lies between these in 19 of 20 cases.
    bytes : int
        Of C's arrays, as `matmul` returns them.
    bound : int
        nnz is never above it.
    products : int
        Multiplications, exact.
    compression : float
        products / nnz.
    row_nnz : array of float, or None
        Predicted entries of each row, where they were asked for.
    seconds : float
        That the prediction took.
    """

    def __init__(self, found: Predicted, rows: int, index_bytes: int,
                 value_bytes: int) -> None:
        self.nnz = int(round(found.nnz))
        self.standard_error = found.standard_error
        self.bound = found.bound
        self.products = found.products
        self.seconds = found.seconds
        self.row_nnz = found.row_nnz
        self._rows = rows  # of a CSC C its columns
        self._index_bytes = index_bytes  # at least
        self._value_bytes = value_bytes

    @property
    def interval(self) -> tuple[int, int]:
        bar = _NORMAL_95 * self.standard_error
        if math.isnan(bar):
            return 0 if self.products == 0 else 1, self.bound
        return (max(0, math.floor(self.nnz - bar)),
                min(self.bound, math.ceil(self.nnz + bar)))

    @property
    def compression(self) -> float:
        return self.products / self.nnz if self.nnz else 1.0

    @property
    def entry_bytes(self) -> int:
        """Of an entry of C: its index and its value."""
        return self._index_bytes_of(self.bound) + self._value_bytes

    def _index_bytes_of(self, nnz: int) -> int:
        return self._index_bytes if nnz <= INT32_MAX else 8

    def bytes_of(self, nnz: int) -> int:
        """Of C's arrays, had it so many entries."""
        index = self._index_bytes_of(nnz)
        return nnz * (index + self._value_bytes) + (self._rows + 1) * index

    @property
    def bytes(self) -> int:
        return self.bytes_of(self.nnz)

    def fits(self, limit: int) -> bool | None:
        """Whether C's arrays fit so many bytes: True, False, or None where the
        interval has both."""
        low, high = self.interval
        if self.bytes_of(high) <= limit:
            return True
        return False if self.bytes_of(low) > limit else None

    def __repr__(self) -> str:
        low, high = self.interval
        return (f"Estimate(nnz={self.nnz:,} in [{low:,}, {high:,}], "
                f"bytes={_size(self.bytes)}, products={self.products:,}, "
                f"compression={self.compression:.2f}, bound={self.bound:,})")

    def _repr_html_(self) -> str:
        low, high = self.interval
        rows = (("entries", f"{self.nnz:,} ({low:,} to {high:,})"),
                ("bytes", f"{_size(self.bytes)} ({_size(self.bytes_of(low))} to "
                          f"{_size(self.bytes_of(high))})"),
                ("products", f"{self.products:,}"),
                ("compression", f"{self.compression:.2f}"),
                ("at most", f"{self.bound:,} entries"))
        return ("<table>"
                + "".join(f"<tr><th>{a}</th><td>{b}</td></tr>" for a, b in rows)
                + "</table>")


def _size(count: float) -> str:
    for unit in ("bytes", "kB", "MB", "GB", "TB"):
        if count < 1000 or unit == "TB":
            return f"{count:.3g} {unit}" if unit != "bytes" else f"{count} bytes"
        count /= 1000
    raise AssertionError


def predict(A: Operand, B: Operand, *, rows: bool = False,
            error: float | None = None, threads: int | None = None,
            counts_only: bool = False) -> Predicted:
    """Of A @ B; counts_only: nnz is told to be its bound, which is sooner known."""
    settings: dict[str, Any] = {}
    wide = _formats.is_wide(A, B)
    # Nobody asks for columns of C: where both are transposed, C^T has as many.
    is_flipped = A.is_transposed and B.is_transposed and not rows
    left, right = (B, A) if is_flipped else (A, B)
    if left.is_transposed != is_flipped:
        settings["op_a"] = 1
    if right.is_transposed != is_flipped:
        settings["op_b"] = 1
    if error is not None:
        settings["error"] = float(error)
    if counts_only:
        settings["counts_only"] = True
    set_resources(settings, threads, None)
    nrows = A.shape[0]
    row_nnz = np.zeros(nrows) if rows else None
    a = left.described(None, wide)
    b = a if right is left else right.described(None, wide)
    with refusals(lambda: {"A": left, "B": right}):
        products, bound, nnz, deviation, _, _, seconds = _core.predict(
            a, b, settings, row_nnz if row_nnz is not None and nrows else None)
    return Predicted(products, bound, nnz, deviation, seconds, row_nnz)
