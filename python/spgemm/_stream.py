# SPDX-License-Identifier: BSD-3-Clause
"""C block by block."""
from __future__ import annotations

from typing import Any, Iterator

import numpy as np

from . import _core, _formats
from ._matmul import run_with_options
from ._options import count
from ._product import Product


def stream(A: Any, B: Any, memory_limit: int, *, threads: int | None = None,
           sort: bool = True, keep_zeros: bool = False
           ) -> Iterator[tuple[int, Any]]:
    """The rows of A @ B, block by block, each in less than memory_limit.

    Blocks are cut by the predicted size of their rows. An operand that is not CSR
    is converted to it first: that copy is not counted.

    Yields
    ------
    first_row : int
    block : CSR matrix or array
        Rows first_row, first_row + 1, ... of A @ B.

    Raises
    ------
    MemoryLimitError
        A single row, with the memory to compute it, does not fit.

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.identity(1000, format="csr")
    >>> sum(block.nnz for first, block in spgemm.stream(A, A, 10**8))
    1000
    """
    limit = count(memory_limit, "memory_limit")
    options = {"threads": threads, "sort": sort, "keep_zeros": keep_zeros,
               "memory_limit": limit}
    A = _formats.to_format(A, "A", "csr")
    # Once, not for each block.
    B = _formats.to_format(B, "B", "csr")
    found = Product(A, B).estimate(rows=True, threads=threads)
    assert found.row_nnz is not None
    cost = np.cumsum(found.row_nnz * found.entry_bytes + 16)
    return _blocks(A, B, cost, limit / 2, options)


def _blocks(A: Any, B: Any, cost: np.ndarray, most: float,
            options: dict[str, Any]) -> Iterator[tuple[int, Any]]:
    begin = 0
    nrows = A.shape[0]
    while begin < nrows:
        before = cost[begin - 1] if begin else 0
        end = int(np.searchsorted(cost, before + most, "right"))
        end = min(nrows, max(begin + 1, end))
        while True:
            try:
                p = Product(_rows(A, begin, end), B)
                # A block is refused only where it is one row.
                p.title = f"row {begin} of {p.title}"
                block = run_with_options(p, **options)
                break
            except _core.MemoryLimitError:
                if end == begin + 1:
                    raise
                end = begin + (end - begin) // 2
        yield begin, block
        begin = end


def _rows(A: Any, begin: int, end: int) -> Any:
    """Rows of A, whose indices and values are views."""
    at = slice(A.indptr[begin], A.indptr[end])
    indptr = A.indptr[begin:end + 1] - A.indptr[begin]
    return _formats.make(_formats.result_class(A, "csr"),
                         (end - begin, A.shape[1]), indptr, A.indices[at],
                         A.data[at], False, A.indices.dtype.type)
