# SPDX-License-Identifier: BSD-3-Clause
"""C = A B, by all options."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _dtypes, _formats
from ._options import (SEMIRINGS, as_double, check_semiring, count,
                       set_resources)
from ._product import Product

_MASK_COMPLEMENT = 2
TOP_VALUE = 1

# Semirings which order values.
_ORDERS = {"plus_min", "min_plus", "max_plus", "min_max", "max_min"}


def orders(semiring: str = "plus_times", drop_tolerance: float = 0,
           keep_top: int | None = None, **_: Any) -> bool:
    """Whether by these options of matmul() values are chosen by their size."""
    return bool(drop_tolerance) or keep_top is not None or semiring in _ORDERS


def scalar(value: Any, p: Product, name: str) -> np.ndarray:
    """One value of C as the kernels see it."""
    given = np.asarray(value)
    if given.ndim != 0 or given.dtype.kind not in "biufc":
        raise TypeError(f"{name} is not a number")
    if given.dtype.kind in "iu" and p.dtype.kind in "iu":
        if not np.iinfo(p.dtype).min <= int(given) <= np.iinfo(p.dtype).max:
            raise ValueError(f"{name} is {value}, which is no {p.dtype}")
    else:
        p.check_kind(given.dtype, name)
    return _dtypes.as_computed(given.reshape(1).astype(p.dtype), p.dtype, p.how())


def matmul(A: Any, B: Any, *, threads: int | None = None, sort: bool = True,
           keep_zeros: bool = False, memory_limit: int | None = None,
           semiring: str = "plus_times", mask: Any = None,
           complement: bool = False, drop_tolerance: float = 0,
           keep_top: int | None = None, top_by: str = "magnitude",
           alpha: Any = None, D: Any = None,
           progress: Callable[[float], Any] | None = None,
           return_report: bool = False) -> Any:
    """The product A @ B of two sparse matrices.

    Class, dtype, dtype of the indices and entries of the result are those of
    SciPy's ``A @ B`` (CSR, where SciPy makes BSR or DIA); its rows (of a CSC
    matrix its columns) are sorted. Neither A nor B is changed. CSR and CSC are
    read in place, but for values of another dtype than the result's, integers of
    8 and 16 bits, row pointers of 32 bits, indices of a width that the result will
    not have, arrays that are not contiguous, and an operand of the format that A
    has not, which is transposed; these are copied, as are other formats.

    Parameters
    ----------
    A : sparse matrix or array, m x k
        Of any format of scipy.sparse; CSR and CSC are read as they are.
    B : sparse matrix or array, k x n
    threads : int, optional
        At most; default: what OpenMP says, and threadpoolctl limits.
    sort : bool
        False: indices in the order in which they are found, as SciPy has them.
    keep_zeros : bool
        Keep entries whose sum is zero. SciPy drops them.
    memory_limit : int, optional
        Bytes that the product may take, C included.
    semiring : str
        "plus_times", "plus_pair", "plus_first", "plus_second", "plus_min",
        "min_plus", "max_plus", "min_max", "max_min", "or_and" or "any_pair".
        With another than "plus_times" zeros are kept. A sum of Boolean values is
        a truth, never a count: plus_pair counts where values are numbers, as of
        ``A.astype("int64")``.
    mask : sparse matrix, m x n, optional
        C has entries only where the mask has some.
    complement : bool
        C has entries only where the mask has none.
    drop_tolerance : float
        Entries of this magnitude or less are dropped. An integer that no float64
        is, is refused.
    keep_top : int, optional
        Entries kept of each row, of a CSC matrix of each column.
    top_by : {"magnitude", "value"}
        Which of them keep_top keeps: those of the largest magnitude, or value.
    alpha : number, optional
        C = alpha A B, of the dtype of A @ B.
    D : sparse matrix, m x n, optional
        C = alpha A B + D, of the dtype of A @ B.
    progress : callable, optional
        Called about every 100 ms with the share of the work done; what it
        returns, if true, ends the product with `Cancelled`.
    return_report : bool
        Return ``(C, report)``.

    Returns
    -------
    C : sparse matrix or array, m x n
        Its arrays are views of the library's memory.
    report : Report
        Only with return_report.

    Raises
    ------
    ValueError
        Shapes do not fit, an option is out of range, or a matrix is malformed.
    TypeError
        An operand is not sparse, its dtype is not supported, or that of alpha
        or D is not one that A @ B could take.
    MemoryLimitError
        C does not fit memory_limit; its attribute ``estimate`` says how large
        it is.

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.csr_matrix([[1.0, 2.0], [0.0, 3.0]])
    >>> spgemm.matmul(A, A).toarray()
    array([[1., 8.],
           [0., 9.]])
    """
    return run_with_options(
        Product(A, B), threads=threads, sort=sort, keep_zeros=keep_zeros,
        memory_limit=memory_limit, semiring=semiring, mask=mask,
        complement=complement, drop_tolerance=drop_tolerance,
        keep_top=keep_top, top_by=top_by, alpha=alpha, D=D, progress=progress,
        return_report=return_report)


def run_with_options(p: Product, *, threads: int | None = None,
                     sort: bool = True, keep_zeros: bool = False,
                     memory_limit: int | None = None,
                     semiring: str = "plus_times", mask: Any = None,
                     complement: bool = False, drop_tolerance: float = 0,
                     keep_top: int | None = None, top_by: str = "magnitude",
                     alpha: Any = None, D: Any = None,
                     progress: Callable[[float], Any] | None = None,
                     return_report: bool = False) -> Any:
    """The product p, by the options of matmul()."""
    check_semiring(semiring)
    s = p.settings
    tolerance = as_double(drop_tolerance, "drop_tolerance")
    p.is_ordered = orders(semiring, tolerance, keep_top)
    if semiring != "plus_times":
        s["semiring"] = _swapped(semiring, p.form)
        keep_zeros = True
    set_resources(s, threads, memory_limit)
    if not sort:
        s["sort"] = False
    if tolerance:
        s["drop_tolerance"] = tolerance
    if top_by not in ("magnitude", "value"):
        raise ValueError(f"top_by is {top_by!r}, and must be 'magnitude' or "
                         "'value'")
    if keep_top is not None:
        s["keep_top"] = count(keep_top, "keep_top")
        if keep_top == 0:
            raise ValueError("keep_top is 0, and must be at least 1")
        if top_by == "value":
            s["top_by"] = TOP_VALUE
    if mask is not None:
        s["mask"] = p.operand_of_c(mask, "mask", False)
        if complement:
            s["mask_mode"] = _MASK_COMPLEMENT
    elif complement:
        raise ValueError("complement is of a mask, and there is none")
    if alpha is not None:
        factor = scalar(alpha, p, "alpha")
        # Of C^T = B^T A^T alpha would be the right operand of "*".
        if p.form == "csc" and semiring == "plus_first":
            raise ValueError("alpha of plus_first is of a CSR matrix: A is CSC")
        if p.form != "csc" or semiring != "plus_second":
            s["alpha"] = factor
    if D is not None:
        s["D"] = p.operand_of_c(D, "D", True)
    if progress is not None:
        s["progress"] = progress
    if return_report:
        s["report"] = True
    return p.run(not keep_zeros)


def _swapped(semiring: str, form: str) -> int:
    """Of C^T = B^T A^T the left operand of "*" is B's value."""
    if form == "csc":
        semiring = {"plus_first": "plus_second",
                    "plus_second": "plus_first"}.get(semiring, semiring)
    return SEMIRINGS.index(semiring)


def gram(A: Any, **options: Any) -> Any:
    """A^T A: of CSR and all other formats as CSR, of CSC as CSC.

    Options are those of `matmul`.

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> spgemm.gram(sp.csr_matrix([[1, 2], [0, 3]])).toarray()
    array([[ 1,  2],
           [ 2, 13]])
    """
    form = "csc" if getattr(A, "format", None) == "csc" else "csr"
    A = _formats.to_format(A, "A", form)
    # The library transposes: it checks the indices that SciPy would trust.
    return run_with_options(Product(A.T, A, form, ("A.T", "A")), **options)
