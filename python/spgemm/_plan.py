# SPDX-License-Identifier: BSD-3-Clause
"""The same product again, of other values."""
from __future__ import annotations

from typing import Any

import numpy as np

from . import _core, _formats
from ._options import set_resources
from ._product import Product


class Plan:
    """A product whose pattern is known: ``plan(A, B)`` makes one.

    Called with matrices of the same pattern, dtype and format it returns their
    product, without looking for its pattern again.

    It holds C, the pattern of C again, and what `plan.h` of the C library says that
    a plan keeps; the operands it does not hold.

    Attributes
    ----------
    C : sparse matrix
        The product of the matrices that were planned for.
    """

    def __init__(self, product: Product, core: Any) -> None:
        self._form = product.form
        self._is_wide = product.is_wide
        self._arrive_wide = product.arrive_wide
        self._kind = _kind(product)
        self._settings = product.settings
        self._core = core
        # Values of its own the plan does not need. Its pattern it does: the matrix
        # has one of its own.
        indptr, indices, values = core.arrays()
        self.C = self._make(product, (bytearray(indptr), bytearray(indices), values))

    def _make(self, p: Product, arrays: Any) -> Any:
        """C of these arrays."""
        indptr, indices, values = arrays
        data = _formats.as_array(values, p.how().dtype)
        if data.dtype != p.dtype:
            data = data.view(p.dtype)
        return _formats.make(
            p.cls, p.shape,
            _formats.as_row_pointers(indptr, p.compressed_rows()),
            _formats.as_array(indices, np.int64 if self._is_wide else np.int32),
            data, True, p.index_dtype(len(data), len(data)))

    def __call__(self, A: Any, B: Any) -> Any:
        """The product of A and B, whose patterns are those planned for.

        Raises
        ------
        ValueError
            A pattern or a dtype is another.
        """
        p = Product(A, B, self._form)
        kind = _kind(p)
        for what, now, then in zip(("dtype", "format", "class of C"), kind,
                                   self._kind):
            if now != then:
                raise ValueError(f"planned for {what} {then}, not {now}")
        p.is_wide, p.arrive_wide = self._is_wide, self._arrive_wide
        a, b = p.prepare()
        p.settings = self._settings
        with p.told():
            arrays = self._core.repeat(a, b)
        return self._make(p, arrays)


def _kind(p: Product) -> tuple[str, str, str]:
    """What of the operands stays, beside the patterns: dtypes, formats, class."""
    both = p.A, p.B
    return (" and ".join(str(x.values.dtype) for x in both),
            " and ".join("csc" if x.is_transposed else "csr" for x in both),
            p.cls.__name__)


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
    p = Product(A, B)
    if p.how().is_wrapped:
        raise TypeError(f"values of dtype {p.dtype} cannot be planned for: "
                        "convert to int32")
    set_resources(p.settings, threads, memory_limit)
    a, b = p.prepare()
    with p.told():
        core = _core.plan(a, b, dict(p.settings))
    return Plan(p, core)
