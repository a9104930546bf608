# SPDX-License-Identifier: BSD-3-Clause
"""A product of two operands: what the library is told, and what is made of its C."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core, _dtypes, _formats
from ._formats import Operand
from ._names import Named, in_words, refusals
from ._report import Report
from ._size import Estimate, predict

_TRANSPOSE = 1
# Settings for which each row is looked at on its way.
_BY_ROW = {"mask", "D", "alpha", "drop_tolerance", "keep_top"}

# Settings by which entries of A @ B are left out.
_KEPT = {"mask", "drop_tolerance", "keep_top"}


class Product:
    """A product on its way: operands, settings, and the class of C."""

    def __init__(self, A: Any, B: Any, form: str | None = None,
                 names: tuple[str, str] = ("A", "B")) -> None:
        if form is None:
            form = "csc" if getattr(A, "format", None) == "csc" else "csr"
        self.form = form
        self.A = _formats.as_operand(A, names[0])
        self.B = self.A if B is A else _formats.as_operand(B, names[1], form)
        self.names = names
        self.title = " @ ".join(names)
        self.shape = check_shapes(self.A, self.B)
        self.cls = _formats.result_class(A, form)
        self.dtype = _dtypes.result_dtype(self.A.values.dtype,
                                          self.B.values.dtype)
        self.arrive_wide = (_formats.arrives_wide(A, self.A, form)
                            or _formats.arrives_wide(B, self.B, form))
        self.is_wide = _formats.computes_wide(self.cls, self.arrive_wide,
                                              self.A, self.B)
        self.settings: dict[str, Any] = {}
        self.of_c: dict[str, Operand] = {}  # operands of C's shape

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

    def called(self) -> dict[str, Named]:
        """The operands by their names in the library."""
        # By names, since both may be one operand.
        both = [x._replace(name=name)
                for x, name in zip((self.A, self.B), self.names)]
        left, right = reversed(both) if self.form == "csc" else both
        return {"A": left, "B": right, **self.of_c}

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
            raise ValueError(f"{name} is {_text(x.shape)}, and {self.title} "
                             f"{_text(self.shape)}")
        self.of_c[name] = x
        if has_values:
            self.check_kind(x.values.dtype, name)
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
        with self.told():
            arrays, products, report = self.compute(*described, self.settings)
        indptr, indices, values = self.chosen(
            _formats.as_row_pointers(arrays[0], self.compressed_rows()),
            _formats.as_array(arrays[1], np.int64 if self.is_wide else np.int32),
            _formats.as_array(arrays[2], how.dtype))
        if how.dtype != self.dtype:
            values = (values.astype(self.dtype) if how.is_wrapped
                      else values.view(self.dtype))
        is_sorted = (self.settings.get("sort", True)
                     and "by_value" not in self.settings)
        C = _formats.make(
            self.cls, self.shape, indptr, indices, values, is_sorted,
            self.index_dtype(len(values), products))
        if drop_zeros and how.is_wrapped:
            C.eliminate_zeros()
        if report is None:
            return C
        report["nnz"] = C.nnz
        return C, Report(report)

    def chosen(self, indptr: np.ndarray, indices: np.ndarray, values: np.ndarray
               ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """What is kept of C's arrays, before values are wrapped."""
        return indptr, indices, values

    def compressed_rows(self) -> int:
        """Of C: of a CSC matrix its columns."""
        return self.shape[1] if self.form == "csc" else self.shape[0]

    def index_dtype(self, nnz: int, products: int) -> Any:
        """Of C's indices and row pointers."""
        return _formats.index_dtype(self.cls, self.shape, nnz, products,
                                    self.arrive_wide)

    def check_kind(self, given: np.dtype, name: str) -> None:
        """That values of this dtype can become some of C."""
        if not np.can_cast(given, self.dtype, "same_kind"):
            raise TypeError(f"{name} is of {given}, and {self.title} of "
                            f"{self.dtype}")

    def estimate(self, **options: Any) -> Estimate:
        """By options of predict()."""
        found = predict(self.A, self.B, **options)
        index = np.dtype(self.index_dtype(0, found.products))
        return Estimate(found, self.compressed_rows(), index.itemsize,
                        self.dtype.itemsize)

    def told(self) -> refusals:
        """Of the library, told in the names and sizes of this product."""
        return refusals(self.called, self.limit_error)

    def limit_error(self, error: Exception) -> Exception:
        """With what is predicted; the product itself was refused."""
        found: Estimate | None
        try:
            found = self.estimate()
        except MemoryError:
            found = None
        limit = self.settings.get("memory_limit")
        text = f"{self.title}: {in_words(str(error))}"
        # C may fit where what it is made with does not.
        if found is not None and limit is not None and found.bytes > limit:
            whole = "" if _KEPT.isdisjoint(self.settings) else (
                " before entries are left out")
            text = (f"{self.title} does not fit memory_limit={limit}: it is "
                    f"predicted to take {found.bytes} bytes ({found.nnz} "
                    f"entries){whole}")
        new = _core.MemoryLimitError(text)
        new.estimate = found
        return new


def _text(shape: tuple[int, int]) -> str:
    return f"{shape[0]} x {shape[1]}"


def check_shapes(A: Operand, B: Operand) -> tuple[int, int]:
    """The shape of A @ B; ValueError where there is none."""
    if A.shape[1] != B.shape[0]:
        raise ValueError(f"dimension mismatch: {A.name} is {_text(A.shape)} and "
                         f"{B.name} is {_text(B.shape)}")
    return A.shape[0], B.shape[1]
