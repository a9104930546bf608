# SPDX-License-Identifier: BSD-3-Clause
"""The size of A @ B without A @ B."""
from __future__ import annotations

from typing import Any

from ._options import number
from ._product import Product
from ._size import Estimate


def estimate(A: Any, B: Any, *, rows: bool = False, error: float | None = None,
             threads: int | None = None) -> Estimate:
    """Predict the size of A @ B: about 1 % of its products are looked at.

    Entries whose sum is zero are counted, too.

    Parameters
    ----------
    A, B : sparse matrix or array
    rows : bool
        Predict the entries of each row as well.
    error : float, optional
        Standard error to aim at, as a share of nnz.
    threads : int, optional

    Returns
    -------
    Estimate

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.identity(1000, format="csr")
    >>> spgemm.estimate(A, A).fits(10**6)
    True
    """
    p = Product(A, B)
    if error is not None and not 0 < number(error, "error") < 1:
        raise ValueError(f"error is {error}, and must be between 0 and 1")
    return p.estimate(rows=rows, error=error, threads=threads)
