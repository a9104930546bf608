# SPDX-License-Identifier: BSD-3-Clause
"""The largest entries of each row of C."""
from __future__ import annotations

import math
from typing import Any

import numpy as np

from ._matmul import TOP_VALUE
from ._options import count, number, set_resources
from ._product import Product


class _Top(Product):
    """Of whose C only entries above a threshold are kept."""

    is_ordered = True
    threshold: Any = None

    def chosen(self, indptr: np.ndarray, indices: np.ndarray, values: np.ndarray
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        if self.threshold is None:
            return indptr, indices, values
        kept = ~(values <= self.threshold)  # NaN is kept
        if kept.all():
            return indptr, indices, values
        before = np.concatenate(([0], np.cumsum(kept)))
        return (before[indptr].astype(indptr.dtype), indices[kept], values[kept])


def _floor_of(threshold: Any, dtype: np.dtype) -> Any:
    """The largest value of dtype that is not above the threshold: the same values
    are above it, and NumPy compares them as they are."""
    if dtype.kind == "b" or math.isinf(threshold):
        return float(threshold)
    if dtype.kind == "i":
        # Below all integers of 64 bits, and above them: none and all are dropped.
        return (-math.inf if threshold < np.iinfo(np.int64).min else
                math.inf if threshold > np.iinfo(np.int64).max else
                math.floor(threshold))
    with np.errstate(over="ignore"):
        near = dtype.type(threshold)
    return near if float(near) <= threshold else np.nextafter(near, dtype.type(-np.inf))


def top_n(A: Any, B: Any, n: int, *, threshold: float | None = None,
          sort: bool = True, threads: int | None = None,
          memory_limit: int | None = None) -> Any:
    """The n largest entries of each row of A @ B, without A @ B.

    Parameters
    ----------
    A : sparse matrix or array, m x k
    B : sparse matrix or array, k x n
    n : int
        Entries of a row, at most: those of the largest values.
    threshold : float, optional
        Only entries above it, and NaN.
    sort : bool
        Order the entries of a row by value, the largest first; else by column.
    threads, memory_limit
        As of `matmul`.

    Returns
    -------
    C : CSR matrix or array, m x n

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.csr_matrix([[3.0, 1.0, 2.0]])
    >>> spgemm.top_n(A, sp.identity(3, format="csr"), 2).indices
    array([0, 2], dtype=int32)
    """
    n = count(n, "n")
    if n == 0:
        raise ValueError("n is 0, and must be at least 1")
    p = _Top(A, B, "csr")
    if p.dtype.kind == "c":
        raise TypeError("complex values have no order")
    s = p.settings
    s["keep_top"] = n
    s["top_by"] = TOP_VALUE
    if sort:
        s["by_value"] = True
    set_resources(s, threads, memory_limit)
    if threshold is not None:
        p.threshold = _floor_of(number(threshold, "threshold"), p.how().dtype)
        if p.threshold > 0:
            # As float() it may be larger: chosen() knows it as it is.
            tolerance = float(p.threshold)
            s["drop_tolerance"] = (tolerance if tolerance <= p.threshold
                                   else float(np.nextafter(tolerance, 0)))
    return p.run(True)
