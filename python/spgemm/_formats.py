# SPDX-License-Identifier: BSD-3-Clause
"""Sparse matrices of SciPy as operands of the library, and back.

An operand is a view of a CSR matrix; a CSC matrix is the transpose of one.
"""
from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sparse

from . import _core, _dtypes
from ._names import refusals

INT32_MAX = np.iinfo(np.int32).max


class Operand(NamedTuple):
    """CSR arrays of X, or of X transposed."""
    name: str  # of X, in errors
    nrows: int  # of the CSR matrix
    ncols: int
    indptr: np.ndarray
    indices: np.ndarray
    values: np.ndarray
    is_transposed: bool  # the arrays are those of X^T

    @property
    def shape(self) -> tuple[int, int]:
        """Of X."""
        return ((self.ncols, self.nrows) if self.is_transposed
                else (self.nrows, self.ncols))

    def described(self, dtype: np.dtype | None, wide: bool,
                  is_ordered: bool = False) -> tuple[Any, ...]:
        """What _core takes; dtype None: the pattern alone."""
        values = None
        code = _dtypes.FP64
        if dtype is not None:
            how = _dtypes.computed(dtype, is_ordered)
            values = _dtypes.as_computed(self.values, dtype, how)
            code = how.code
        return (self.nrows, self.ncols, self.indptr, self._columns(wide), values,
                code)

    def _columns(self, wide: bool) -> np.ndarray:
        indices = self.indices
        if wide:
            return indices.astype(np.int64, copy=False)
        if indices.dtype.itemsize == 8:
            # Narrowed, what is no column might become one.
            used = indices[:max(0, self.indptr[-1])] if len(self.indptr) else indices
            if len(used) and used.view(np.uint64).max() > INT32_MAX:
                at = int(used.view(np.uint64).argmax())
                raise ValueError(f"{self.name}.indices[{at}] is {used[at]}, which "
                                 "is no "
                                 + ("row" if self.is_transposed else "column"))
        return indices.astype(np.int32, copy=False)


def as_operand(X: Any, name: str, form: str = "csr") -> Operand:
    """X, which is not changed: no array is copied but those of a format that is
    neither CSR nor CSC, which becomes `form`. That decides in which order SciPy
    sums entries of one place."""
    if getattr(X, "format", None) not in ("csr", "csc"):
        X = _converted(X, name, form)
    _check_dimensions(X, name)
    nrows, ncols = X.shape
    if X.format == "csc":
        nrows, ncols = ncols, nrows
    return Operand(name, nrows, ncols, _plain(X.indptr), _plain(X.indices), X.data,
                   X.format == "csc")


def _check_dimensions(X: Any, name: str) -> None:
    if len(X.shape) != 2:
        raise ValueError(f"{name} has {len(X.shape)} dimensions, not 2")


def _plain(indices: np.ndarray) -> np.ndarray:
    """Integers of 32 or 64 bits of this machine, side by side."""
    if indices.dtype not in (np.int32, np.int64):
        if indices.dtype.kind not in "iu":
            raise TypeError(f"indices of dtype {indices.dtype} are not supported")
        narrow = indices.dtype.itemsize <= 4 and indices.dtype.kind == "i"
        indices = indices.astype(np.int32 if narrow else np.int64)
    return np.ascontiguousarray(indices)


def to_format(X: Any, name: str, form: str) -> Any:
    """X as CSR or CSC; itself, where it is that."""
    if getattr(X, "format", None) != form:
        return _converted(X, name, form)
    _check_dimensions(X, name)
    return X


def _converted(X: Any, name: str, form: str) -> Any:
    if not (hasattr(X, "tocsr") and hasattr(X, "shape")):
        raise TypeError(f"{name} is a {type(X).__name__}, not a sparse matrix of "
                        "scipy.sparse")
    _check_dimensions(X, name)
    given = getattr(X, "format", "")
    if given in _CHECKS:
        _CHECKS[given](X, name)
    if given == "lil" and form == "csc":
        # As SciPy does, but that columns are looked at in between.
        return _converted(X.tocsr(), name, form)
    return X.tocsc() if form == "csc" else X.tocsr()


# ---- What SciPy converts: it trusts any index -----------------------------------

def _check_compressed(X: Any, name: str) -> None:
    _check_arrays(as_operand(X, name), len(X.data))


def _check_blocks(X: Any, name: str) -> None:
    (nrows, ncols), (height, width) = X.shape, X.blocksize
    blocks = Operand(name, nrows // height, ncols // width, _plain(X.indptr),
                     _plain(X.indices), X.data, False)
    _check_arrays(blocks, len(X.data))


def _check_arrays(x: Operand, length: int) -> None:
    with refusals(lambda: {"A": x}):
        _core.check(x.described(None, is_wide(x)))
    if length < x.indptr[-1]:
        raise ValueError(f"{x.name}.data has fewer entries than the matrix")


def _check_places(X: Any, name: str) -> None:
    for axis, places, size in zip(("row", "col"), (X.row, X.col), X.shape):
        if len(places) != len(X.data):
            raise ValueError(f"{name}.{axis} has {len(places)} entries, and data "
                             f"{len(X.data)}")
        if len(places) and not (places.min() >= 0 and places.max() < size):
            at = int(np.flatnonzero((places < 0) | (places >= size))[0])
            raise ValueError(f"{name}.{axis}[{at}] is {places[at]}, which is no "
                             + ("row" if axis == "row" else "column"))


def _check_lists(X: Any, name: str) -> None:
    if (len(X.rows) != X.shape[0]
            or list(map(len, X.rows)) != list(map(len, X.data))):
        raise ValueError(f"{name}.rows and {name}.data have other lengths than the "
                         "matrix")


_CHECKS = {"csr": _check_compressed, "csc": _check_compressed,
           "bsr": _check_blocks, "coo": _check_places,
           "lil": _check_lists}


def _needs_wide(operands: tuple[Operand, ...]) -> bool:
    """Whether some column needs 64 bits."""
    return max(max(x.nrows, x.ncols) for x in operands) > INT32_MAX


def is_wide(*operands: Operand) -> bool:
    """Whether some column needs 64 bits, or all columns are of 64 bits: then no
    array is converted."""
    return (_needs_wide(operands)
            or all(x.indices.dtype.itemsize == 8 for x in operands))


# ---- Results -----------------------------------------------------------------

_ARRAYS = {"csr": sparse.csr_array, "csc": sparse.csc_array}
_MATRICES = {"csr": sparse.csr_matrix, "csc": sparse.csc_matrix}
_templates: dict[Any, dict[str, Any]] = {}


def is_array(X: Any) -> bool:
    """Whether X is one of SciPy's sparse arrays, not of its matrices."""
    base = getattr(sparse, "sparray", None)
    if base is not None:
        return isinstance(X, base)
    return isinstance(X, (sparse.csr_array, sparse.csc_array, sparse.coo_array,
                          sparse.bsr_array, sparse.dia_array, sparse.lil_array,
                          sparse.dok_array))


def result_class(A: Any, form: str) -> Any:
    """The class of A @ B: that of A, if it has that format."""
    if getattr(A, "format", None) == form and hasattr(A, "_shape"):
        return type(A)
    return (_ARRAYS if is_array(A) else _MATRICES)[form]


def arrives_wide(X: Any, x: Operand, form: str) -> bool:
    """Whether SciPy sees indices of 64 bits when it multiplies X, x of which we
    see: where it converts a matrix (not an array) to another format, it narrows
    them."""
    if x.indices.dtype.itemsize == 4 and x.indptr.dtype.itemsize == 4:
        return False
    return ("csc" if x.is_transposed else "csr") == form or is_array(X)


def stays_wide(cls: Any, arrive_wide: bool) -> bool:
    """Whether a product of this class has indices of 64 bits that need not be
    so, in this version of SciPy."""
    return arrive_wide and _wide[_base_of(cls)]


def computes_wide(cls: Any, arrive_wide: bool, *operands: Operand) -> bool:
    """Whether columns are of 64 bits where they are multiplied: where some need
    it, or C will have them so. Then arrays of C are not converted; those of an
    operand may be, which are smaller."""
    return _needs_wide(operands) or stays_wide(cls, arrive_wide)


def index_dtype(cls: Any, shape: tuple[int, int], nnz: int, products: int,
                arrive_wide: bool) -> Any:
    """The dtype of indices and row pointers of C, as SciPy has it."""
    if nnz > INT32_MAX or max(shape) > INT32_MAX:
        return np.int64
    is_kept = products > 0 and stays_wide(cls, arrive_wide)
    return np.int64 if is_kept else np.int32


# Arrays first: up to SciPy 1.10 they are matrices, too.
_known = (sparse.csr_array, sparse.csc_array, sparse.csr_matrix,
          sparse.csc_matrix)


def _base_of(cls: Any) -> Any:
    return next((base for base in _known if issubclass(cls, base)),
                sparse.csr_matrix)


def _keeps_wide(cls: Any) -> bool:
    """Whether products of this class keep indices of 64 bits that need not be
    so, in this version of SciPy."""
    X = cls(np.ones((1, 1)))
    X.indices = X.indices.astype(np.int64)
    X.indptr = X.indptr.astype(np.int64)
    return bool((X @ X).indices.dtype.itemsize == 8)


# Asked when the module is imported: later SciPy's products may be ours.
_wide = {cls: _keeps_wide(cls) for cls in _known}


def as_array(buffer: Any, dtype: Any) -> np.ndarray:
    """A view of an array of the library."""
    view = memoryview(buffer)
    return (np.frombuffer(buffer, dtype) if view.nbytes
            else np.empty(0, dtype))


def as_row_pointers(buffer: Any, rows: int) -> np.ndarray:
    """The same of row pointers, of 32 bits or 64."""
    width = memoryview(buffer).nbytes // (rows + 1)
    return as_array(buffer, np.int64 if width == 8 else np.int32)


def make(cls: Any, shape: tuple[int, int], indptr: np.ndarray,
         indices: np.ndarray, values: np.ndarray, is_sorted: bool,
         index: type) -> Any:
    """A matrix of these arrays, which are not copied. SciPy's constructor reads
    them all: only of a class that is not SciPy's it is called, as SciPy does."""
    if indices.dtype != index:
        indices = indices.astype(index)
    if indptr.dtype != index:
        indptr = indptr.astype(index)
    C = (_assembled(cls, shape, indptr, indices, values) if cls in _known
         else cls((values, indices, indptr), shape=shape))
    if is_sorted:
        C.has_canonical_format = True
    else:
        C.has_sorted_indices = False
        C.has_canonical_format = False
    return C


def _assembled(cls: Any, shape: tuple[int, int], indptr: np.ndarray,
               indices: np.ndarray, values: np.ndarray) -> Any:
    template = _templates.get(cls)
    if template is None:
        template = dict(cls((1, 1)).__dict__)
        _templates[cls] = template
    C = cls.__new__(cls)
    C.__dict__.update(template)
    C.__dict__["_shape"] = shape
    C.data = values
    C.indices = indices
    C.indptr = indptr
    return C
