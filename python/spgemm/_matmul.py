# SPDX-License-Identifier: BSD-3-Clause
"""C = A B, and what is made of it."""
from __future__ import annotations

from typing import Any, Callable, Iterator

import numpy as np

from . import _core, _dtypes, _formats
from ._estimate import Estimate, estimate_operands
from ._formats import Operand
from ._options import count, set_resources

SEMIRINGS = ("plus_times", "plus_pair", "plus_first", "plus_second", "plus_min",
             "min_plus", "max_plus", "min_max", "max_min", "or_and", "any_pair")
_TRANSPOSE = 1
_MASK_COMPLEMENT = 2
_TOP_VALUE = 1
# Settings for which each row is looked at on its way.
_BY_ROW = {"mask", "D", "alpha", "drop_tolerance", "keep_top"}

# Settings by which entries of A @ B are left out.
_KEPT = {"mask", "drop_tolerance", "keep_top"}

# Semirings which order values.
_ORDERS = {"plus_min", "min_plus", "max_plus", "min_max", "max_min"}


class Report:
    """What a product predicted, chose and cost: the fields of the C library's
    report, as attributes.

    Sizes are in bytes, times in seconds.
    """

    predictor: str
    threads: int
    isa: str
    memory: str
    is_sorted: bool
    products: int
    nnz_predicted: int
    nnz_standard_error: float
    nnz: int
    rows_sampled: int
    products_sampled: int
    overflow_rows: int
    overflow_entries: int
    rows_by_accumulator: dict[str, int]
    c_bytes: int
    allocated_bytes: int
    peak_bytes: int
    upper_bound_bytes: int
    predict_seconds: float
    multiply_seconds: float
    total_seconds: float

    def __init__(self, fields: dict[str, Any]) -> None:
        self.__dict__.update(fields)

    def __repr__(self) -> str:
        inside = ", ".join(f"{k}={v!r}" for k, v in vars(self).items())
        return f"Report({inside})"


class _Product:
    """A product on its way: operands, settings, and the class of C."""

    def __init__(self, A: Any, B: Any, form: str | None = None) -> None:
        if form is None:
            form = "csc" if getattr(A, "format", None) == "csc" else "csr"
        self.form = form
        self.A = _formats.as_operand(A, "A")
        self.B = self.A if B is A else _formats.as_operand(B, "B", form)
        self.shape = check_shapes(self.A, self.B)
        self.cls = _formats.result_class(A, form)
        self.dtype = _dtypes.result_dtype(self.A.values.dtype,
                                          self.B.values.dtype)
        self.arrive_wide = (_formats.arrives_wide(A, self.A, form)
                            or _formats.arrives_wide(B, self.B, form))
        self.is_wide = _formats.computes_wide(self.cls, self.arrive_wide,
                                              self.A, self.B)
        self.settings: dict[str, Any] = {}

    def sides(self) -> tuple[Operand, Operand]:
        """What the library multiplies: of a C by columns, C^T = B^T A^T."""
        return (self.B, self.A) if self.form == "csc" else (self.A, self.B)

    def is_flipped(self, x: Operand) -> bool:
        """Whether the library has to transpose the arrays of x."""
        return x.is_transposed != (self.form == "csc")

    # Whether values are chosen by their size.
    is_ordered = False

    # Makes C of the operands that prepare() describes, and the settings.
    compute: Callable[..., Any] = staticmethod(_core.multiply)

    def prepare(self) -> tuple[tuple[Any, ...], ...]:
        """Descriptions of the operands; their operations go into settings."""
        left, right = self.sides()
        if self.is_flipped(left):
            self.settings["op_a"] = _TRANSPOSE
        if self.is_flipped(right):
            self.settings["op_b"] = _TRANSPOSE
        a = left.described(self.dtype, self.is_wide, self.is_ordered)
        b = a if right is left else right.described(self.dtype, self.is_wide,
                                                    self.is_ordered)
        return a, b

    def how(self) -> _dtypes.Computed:
        """How values are computed, by the settings."""
        return _dtypes.computed(self.dtype, self.is_ordered)

    def operand_of_c(self, X: Any, name: str, has_values: bool) -> tuple[Any, ...]:
        """A description of something of C's shape, by rows as C is."""
        x = _formats.as_operand(_formats.to_format(X, name, self.form), name)
        if x.shape != self.shape:
            raise ValueError(f"{name} is {_text(x.shape)}, and A @ B "
                             f"{_text(self.shape)}")
        if has_values:
            _check_kind(x.values.dtype, self.dtype, name)
        return x.described(self.dtype if has_values else None, self.is_wide,
                           self.is_ordered)

    def run(self, drop_zeros: bool) -> Any:
        """C, and the report where settings ask for it."""
        how = self.how()
        described = self.prepare()
        if drop_zeros:
            # What rows are looked at one by one for can drop them on the way;
            # else it is faster to look through C.
            by_row = not _BY_ROW.isdisjoint(self.settings)
            self.settings["drop_zeros" if by_row else "drop_zeros_after"] = True
        try:
            arrays, products, report = self.compute(*described, self.settings)
        except _core.MemoryLimitError as error:
            raise self._limit_error(error) from None
        rows = self.shape[1] if self.form == "csc" else self.shape[0]
        indptr = _formats.as_row_pointers(arrays[0], rows)
        values = _formats.as_array(arrays[2], how.dtype)
        index = np.int64 if self.is_wide else np.int32
        indices = _formats.as_array(arrays[1], index)
        if how.dtype != self.dtype:
            values = (values.astype(self.dtype) if how.is_wrapped
                      else values.view(self.dtype))
        is_sorted = (self.settings.get("sort", True)
                     and "by_value" not in self.settings)
        C = _formats.make(
            self.cls, self.shape, indptr, indices, values, is_sorted,
            _formats.index_dtype(self.cls, self.shape, len(values), products,
                                 self.arrive_wide))
        if drop_zeros and how.is_wrapped:
            C.eliminate_zeros()
        if report is None:
            return C
        report["nnz"] = C.nnz
        return C, Report(report)

    def _limit_error(self, error: Exception) -> Exception:
        """With what is predicted; the product itself was refused."""
        found: Estimate | None
        try:
            found = estimate_operands(self.A, self.B, self.dtype)
        except MemoryError:
            found = None
        limit = self.settings.get("memory_limit")
        text = str(error)
        if found is not None:
            whole = "" if _KEPT.isdisjoint(self.settings) else (
                " before entries are left out")
            text = (f"A @ B does not fit memory_limit={limit}: it is predicted "
                    f"to take {found.bytes} bytes ({found.nnz} entries){whole}")
        new = _core.MemoryLimitError(text)
        new.estimate = found
        return new


def _text(shape: tuple[int, int]) -> str:
    return f"{shape[0]} x {shape[1]}"


def orders(semiring: str = "plus_times", drop_tolerance: float = 0,
           keep_top: int | None = None, **_: Any) -> bool:
    """Whether by these options of matmul() values are chosen by their size."""
    return bool(drop_tolerance) or keep_top is not None or semiring in _ORDERS


def _check_kind(given: np.dtype, dtype: np.dtype, name: str) -> None:
    if not np.can_cast(given, dtype, "same_kind"):
        raise TypeError(f"{name} is of {given}, and A @ B of {dtype}")


def check_shapes(A: Operand, B: Operand) -> tuple[int, int]:
    """The shape of A @ B; ValueError where there is none."""
    if A.shape[1] != B.shape[0]:
        raise ValueError(f"dimension mismatch: A is {_text(A.shape)} and B is "
                         f"{_text(B.shape)}")
    return A.shape[0], B.shape[1]


def _scalar(value: Any, dtype: np.dtype, how: _dtypes.Computed,
            name: str) -> np.ndarray:
    """One value as the kernels see it."""
    number = np.asarray(value)
    if number.ndim != 0 or number.dtype.kind not in "biufc":
        raise TypeError(f"{name} is not a number")
    if number.dtype.kind in "iu" and dtype.kind in "iu":
        if not np.iinfo(dtype).min <= int(number) <= np.iinfo(dtype).max:
            raise ValueError(f"{name} is {value}, which is no {dtype}")
    else:
        _check_kind(number.dtype, dtype, name)
    return _dtypes.as_computed(number.reshape(1).astype(dtype), dtype, how)


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
    matrix its columns) are sorted. Neither A nor B is changed or copied, but
    indices of a dtype that the result will not have.

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
        With another than "plus_times" zeros are kept.
    mask : sparse matrix, m x n, optional
        C has entries only where the mask has some.
    complement : bool
        C has entries only where the mask has none.
    drop_tolerance : float
        Entries of this magnitude or less are dropped.
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
        _Product(A, B), threads=threads, sort=sort, keep_zeros=keep_zeros,
        memory_limit=memory_limit, semiring=semiring, mask=mask,
        complement=complement, drop_tolerance=drop_tolerance,
        keep_top=keep_top, top_by=top_by, alpha=alpha, D=D, progress=progress,
        return_report=return_report)


def run_with_options(p: _Product, *, threads: int | None = None,
                     sort: bool = True, keep_zeros: bool = False,
                     memory_limit: int | None = None,
                     semiring: str = "plus_times", mask: Any = None,
                     complement: bool = False, drop_tolerance: float = 0,
                     keep_top: int | None = None, top_by: str = "magnitude",
                     alpha: Any = None, D: Any = None,
                     progress: Callable[[float], Any] | None = None,
                     return_report: bool = False) -> Any:
    """The product p, by the options of matmul()."""
    s = p.settings
    p.is_ordered = orders(semiring, drop_tolerance, keep_top)
    if semiring != "plus_times":
        if semiring not in SEMIRINGS:
            raise ValueError(f"semiring is {semiring!r}, and must be one of "
                             + ", ".join(SEMIRINGS))
        s["semiring"] = _swapped(semiring, p.form)
        keep_zeros = True
    set_resources(s, threads, memory_limit)
    if not sort:
        s["sort"] = False
    if np.asarray(drop_tolerance).dtype.kind not in "biuf":
        raise TypeError("drop_tolerance is not a number")
    if drop_tolerance:
        s["drop_tolerance"] = float(drop_tolerance)
    if top_by not in ("magnitude", "value"):
        raise ValueError(f"top_by is {top_by!r}, and must be 'magnitude' or "
                         "'value'")
    if keep_top is not None:
        s["keep_top"] = count(keep_top, "keep_top")
        if keep_top == 0:
            raise ValueError("keep_top is 0, and must be at least 1")
        if top_by == "value":
            s["top_by"] = _TOP_VALUE
    if mask is not None:
        s["mask"] = p.operand_of_c(mask, "mask", False)
        if complement:
            s["mask_mode"] = _MASK_COMPLEMENT
    elif complement:
        raise ValueError("complement is of a mask, and there is none")
    if alpha is not None:
        factor = _scalar(alpha, p.dtype, p.how(), "alpha")
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
        Only entries above it.
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
    if count(n, "n") == 0:
        raise ValueError("n is 0, and must be at least 1")
    p = _Product(A, B, "csr")
    if p.dtype.kind == "c":
        raise TypeError("complex values have no order")
    s = p.settings
    p.is_ordered = True
    s["keep_top"] = int(n)
    s["top_by"] = _TOP_VALUE
    if sort:
        s["by_value"] = True
    set_resources(s, threads, memory_limit)
    if threshold is not None and threshold > 0:
        # As float() it may be larger: _above() knows it as it is.
        tolerance = float(threshold)
        s["drop_tolerance"] = (tolerance if tolerance <= threshold
                               else float(np.nextafter(tolerance, 0)))
    C = p.run(True)
    return C if threshold is None else _above(C, threshold)


def _above(C: Any, threshold: float) -> Any:
    """C without entries of threshold or less."""
    kept = C.data > threshold
    if kept.all():
        return C
    before = np.concatenate(([0], np.cumsum(kept)))
    index = C.indptr.dtype
    return _formats.make(type(C), C.shape, before[C.indptr].astype(index),
                         C.indices[kept], C.data[kept],
                         bool(C.has_sorted_indices), index.type)


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
    return matmul(A.T.asformat(form), A, **options)


def stream(A: Any, B: Any, memory_limit: int, *, threads: int | None = None,
           sort: bool = True, keep_zeros: bool = False
           ) -> Iterator[tuple[int, Any]]:
    """The rows of A @ B, block by block, each in less than memory_limit.

    Blocks are cut by the predicted size of their rows.

    Yields
    ------
    first_row : int
    block : CSR matrix or array
        Rows first_row, first_row + 1, ... of A @ B.

    Raises
    ------
    MemoryLimitError
        A single row does not fit.

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.identity(1000, format="csr")
    >>> sum(block.nnz for first, block in spgemm.stream(A, A, 10**8))
    1000
    """
    A = _formats.to_format(A, "A", "csr")
    options = {"threads": threads, "sort": sort, "keep_zeros": keep_zeros,
               "memory_limit": count(memory_limit, "memory_limit")}
    found = estimate_operands(_formats.as_operand(A, "A"),
                              _formats.as_operand(B, "B"),
                              _dtypes.result_dtype(A.dtype, B.dtype), rows=True)
    assert found.row_nnz is not None
    entry = found.entry_bytes
    cost = np.cumsum(found.row_nnz * entry + 16)
    return _blocks(A, B, cost, memory_limit / 2, options)


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
                block = matmul(_rows(A, begin, end), B, **options)
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
