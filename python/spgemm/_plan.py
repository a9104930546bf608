# SPDX-License-Identifier: BSD-3-Clause
"""The same product again, of other values."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _dtypes, _formats
from ._matmul import _Product
from ._options import set_resources


class Plan:
    """A product whose pattern is known: ``plan(A, B)`` makes one.

    Called with matrices of the same pattern, dtype and format it returns their
    product, without looking for its pattern again.

    Attributes
    ----------
    C : sparse matrix
        The product of the matrices that were planned for.
    """

    def __init__(self, product: _Product, core: Any) -> None:
        self._product = product
        self._core = core
        self.C = self._make(None)
        self._nnz = self.C.nnz

    def _make(self, values: np.ndarray | None) -> Any:
        """C of these values, or of those that were planned for; arrays of its
        own, since the plan needs its."""
        p = self._product
        indptr, indices, planned = self._core.arrays()
        how_dtype = _computed_dtype(p)
        index = np.int64 if p.is_wide else np.int32
        columns = _formats.as_array(indices, index)
        if values is None:
            values = _formats.as_array(planned, how_dtype).copy()
        if values.dtype != p.dtype:
            values = values.view(p.dtype)
        as_index = _formats.index_dtype(p.cls, p.shape, len(columns),
                                        len(columns), p.arrive_wide)
        return _formats.make(p.cls, p.shape,
                             _formats.as_array(indptr, np.int64).astype(as_index),
                             columns.astype(as_index), values, True, as_index)

    def __call__(self, A: Any, B: Any) -> Any:
        """The product of A and B, whose patterns are those planned for.

        Raises
        ------
        ValueError
            A pattern or a dtype is another.
        """
        p = self._product
        again = _Product(A, B, p.form)
        if again.dtype != p.dtype or again.cls is not p.cls:
            raise ValueError(f"planned for {p.cls.__name__} of {p.dtype}, not "
                             f"{again.cls.__name__} of {again.dtype}")
        if [again.is_flipped(x) for x in again.sides()] != [
                p.is_flipped(x) for x in p.sides()]:
            raise ValueError("A or B has another format than was planned for")
        again.is_wide = p.is_wide
        a, b = again.prepare()
        values = np.empty(self._nnz, _computed_dtype(p))
        self._core.repeat(a, b, values)
        return self._make(values)


def _computed_dtype(p: _Product) -> Any:
    return _dtypes.computed(p.dtype).dtype


def plan(A: Any, B: Any, *, threads: int | None = None,
         memory_limit: int | None = None) -> Plan:
    """Plan A @ B for matrices whose values change and whose patterns do not.

    Entries whose sum is zero are kept: the pattern of C does not change.

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> again = spgemm.plan(A, A)
    >>> again(2 * A, A).toarray()
    array([[ 2., 16.],
           [ 0., 18.]])
    """
    p = _Product(A, B)
    if _dtypes.computed(p.dtype).is_wrapped:
        raise TypeError(f"values of dtype {p.dtype} cannot be planned for: "
                        "convert to int32")
    set_resources(p.settings, threads, memory_limit)
    a, b = p.prepare()
    return Plan(p, _core.plan(a, b, dict(p.settings)))
