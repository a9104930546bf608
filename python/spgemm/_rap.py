# SPDX-License-Identifier: BSD-3-Clause
"""C = R A P: in one call where it can be, else by two products."""
from __future__ import annotations

from typing import Any, Callable

import numpy as np

from . import _core, _dtypes, _formats
from ._formats import Operand
from ._matmul import orders, run_with_options, scalar
from ._names import Named, in_words
from ._options import check_semiring
from ._product import Product, check_shapes
from ._size import predict

# One call is in the order that A is stored in. Where memory is limited it is made
# unless the other order has less than this share of its products.
_FAR_FEWER = 0.75
# Orders that differ by less than this factor at worst are not told apart, nor is
# what has so few products that a prediction takes as long.
_ALIKE = 2
_FEW_PRODUCTS = 100_000
# Of these (R A) P and R (A P) are two matrices.
_NOT_ASSOCIATIVE = {"plus_pair", "plus_first", "plus_second", "plus_min"}
# What is of both products where two are made.
_OF_BOTH = {"threads", "memory_limit", "semiring", "progress", "keep_zeros"}


class _Triple(Product):
    """C = R (A P) of an A by rows; of one by columns C^T = P^T (A^T R^T)."""

    compute: Callable[..., Any] = staticmethod(_core.rap)

    def __init__(self, R: Any, A: Any, P: Any) -> None:
        self.form = "csc" if getattr(A, "format", None) == "csc" else "csr"
        self.final_form = "csc" if getattr(R, "format", None) == "csc" else "csr"
        is_left = self.form == "csc"
        self.A = _formats.as_operand(R, "R")
        self.middle = _formats.as_operand(A, "A")
        self.B = _formats.as_operand(P, "P",
                                     self.final_form if is_left else "csr")
        self.title = "R @ A @ P"
        check_shapes(self.A, self.middle)
        check_shapes(self.middle, self.B)
        self.shape = self.A.shape[0], self.B.shape[1]
        self.final_cls = _formats.result_class(R, self.final_form)
        self.cls = (self.final_cls if self.form == self.final_form
                    else _formats.result_class(R, self.form))
        self.given = (R, self.A), (A, self.middle), (P, self.B)
        inner, outer = ((self.given[:2], P) if is_left
                        else (self.given[1:], R))
        last = self.B if is_left else self.A
        self.inner_dtype = _dtypes.result_dtype(*(x.values.dtype
                                                  for _, x in inner))
        self.dtype = _dtypes.result_dtype(self.inner_dtype, last.values.dtype)
        # Whether values become of another dtype in one order and not in the other:
        # a sum of bools is one, of numbers it counts.
        self.is_mixed = any(
            _dtypes.result_dtype(x.values.dtype, self.middle.values.dtype)
            != self.dtype for x in (self.A, self.B))
        # The product that is made first, as SciPy would see it.
        inner_form = self.final_form if is_left else "csr"
        inner_wide = _formats.stays_wide(
            _formats.result_class(inner[0][0], inner_form),
            any(_formats.arrives_wide(X, x, inner_form) for X, x in inner))
        self.arrive_wide = (
            _formats.arrives_wide(outer, last, self.final_form)
            or (inner_wide and (inner_form == self.final_form
                                or _formats.is_array(inner[0][0]))))
        self.is_wide = _formats.computes_wide(
            self.final_cls, self.arrive_wide, self.A, self.middle, self.B)
        self.settings: dict[str, Any] = {}
        self.of_c: dict[str, Operand] = {}

    def called(self) -> dict[str, Named]:
        left, right = self.sides()
        return {"R": left, "A": self.middle, "P": right, **self.of_c}

    def is_canonical(self) -> bool:
        """Whether the order of entries in a row is that of those in a column: SciPy
        looks, which trusts row pointers."""
        return all(getattr(X, "has_canonical_format", False)
                   for X, _ in self.given)

    def prepare(self) -> tuple[tuple[Any, ...], ...]:
        left, right = super().prepare()
        middle = self.middle.described(self.dtype, self.is_wide,
                                       self.is_ordered)
        return left, middle, right

    def is_whole(self, options: dict[str, Any]) -> bool:
        """Whether one call makes what two products would."""
        if (self.dtype != self.inner_dtype
                or _dtypes.computed(self.dtype, orders(**options)).is_wrapped):
            return False
        # By rows instead of columns sums are made in another order, and others are
        # the largest.
        if self.form != self.final_form and not (
                self.is_canonical() and options.get("keep_top") is None):
            return False
        # A zero of A P is dropped where two products are made: it counts where it
        # meets what is no number.
        left, _ = self.sides()
        alpha = options.get("alpha")
        return (bool(options.get("keep_zeros"))
                or options.get("semiring", "plus_times") != "plus_times"
                or (_is_finite(left.values)
                    and (alpha is None
                         or bool(np.isfinite(scalar(alpha, self, "alpha"))))))

    def run(self, drop_zeros: bool) -> Any:
        made = super().run(drop_zeros)
        C, *report = made if isinstance(made, tuple) else (made,)
        if self.form != self.final_form:
            index = C.indices.dtype.type
            C = C.asformat(self.final_form)
            C = _formats.make(self.final_cls, self.shape, C.indptr, C.indices,
                              C.data, True, index)
        return (C, *report) if report else C

    def limit_error(self, error: Exception) -> Exception:
        new = _core.MemoryLimitError(f"{self.title}: {in_words(str(error))}")
        new.estimate = None
        return new


def _is_finite(values: np.ndarray) -> bool:
    return values.dtype.kind not in "fc" or bool(np.isfinite(values).all())


def rap(R: Any, A: Any, P: Any, **options: Any) -> Any:
    """R A P, in the order of the fewer products; as ``R @ A @ P``, in the order
    (R A) P, where the operands have several dtypes or the semiring is plus_pair,
    plus_first, plus_second or plus_min.

    R (A P), or (R A) P of a CSC matrix A, is one call that holds the rows of A P
    (columns of R A) which are about to be used, and no more, if rows of R need such
    as are near to each other. Of the other order two products are made, the first
    of them as a whole. So the order of one call is taken, too, where bounds of both
    orders say that it has 10^5 products or less, or up to two times as many as the
    other one, unless they say that the other has fewer; and with memory_limit,
    unless the other has less than 3/4 of its products. The order depends on the
    operands alone, and on whether there is a memory_limit.

    Options are those of `matmul`; they are of both products, but for sort, mask, D,
    alpha and what drops entries, which are of the last, as is what is predicted
    in the report. memory_limit is what a call may hold. The `estimate` of a
    MemoryLimitError is None where both products were one call.

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> P = sp.csr_matrix([[1.0], [1.0]])
    >>> spgemm.rap(P.T.tocsr(), sp.identity(2, format="csr"), P).toarray()
    array([[2.]])
    """
    check_semiring(options.get("semiring", "plus_times"))
    both = _Triple(R, A, P)
    is_left = (both.is_mixed or options.get("semiring") in _NOT_ASSOCIATIVE
               or _takes_left(both, options.get("memory_limit") is not None))
    if is_left == (both.form == "csc") and both.is_whole(options):
        return run_with_options(both, **options)
    first = {k: v for k, v in options.items() if k in _OF_BOTH}
    if is_left:
        RA = run_with_options(Product(R, A, names=("R", "A")), **first)
        return run_with_options(Product(RA, P, names=("(R @ A)", "P")), **options)
    AP = run_with_options(Product(A, P, names=("A", "P")), **first)
    return run_with_options(Product(R, AP, names=("R", "(A @ P)")), **options)


def _takes_left(both: _Triple, is_limited: bool) -> bool:
    """Whether it is (R A) P."""
    left, right = _bounds(both.A, both.middle, both.B)
    one, other = (left, right) if both.form == "csc" else (right, left)
    share = _FAR_FEWER if is_limited else 1.0
    if other[1] < share * one[0]:
        takes_other = True
    elif one[1] <= max(_FEW_PRODUCTS, _ALIKE * other[0]):
        takes_other = False
    else:
        products = _products(both.A, both.middle, both.B)
        of_one, of_other = products if both.form == "csc" else products[::-1]
        takes_other = of_other < share * of_one
    return takes_other != (both.form == "csc")


def _bounds(r: Operand, a: Operand, p: Operand
            ) -> tuple[tuple[float, float], tuple[float, float]]:
    """The least and the most products of (R A) P, and of R (A P)."""
    first, last = (predict(x, y, counts_only=True) for x, y in ((r, a), (a, p)))
    return ((first.products, first.products + first.bound * _mean_length(p)),
            (last.products, last.products + last.bound * _mean_length_of_columns(r)))


def _products(r: Operand, a: Operand, p: Operand) -> tuple[float, float]:
    """Of (R A) P and of R (A P), as far as they can be told of beforehand."""
    first, last = predict(r, a), predict(a, p)
    return (first.products + first.nnz * _mean_length(p),
            last.products + last.nnz * _mean_length_of_columns(r))


def _mean_length(x: Operand) -> float:
    return len(x.indices) / max(1, x.shape[0])


def _mean_length_of_columns(x: Operand) -> float:
    return len(x.indices) / max(1, x.shape[1])
