# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's own A @ B, made by this library."""
from __future__ import annotations

import threading
from contextlib import contextmanager
from typing import Any, Iterator

import scipy.sparse as sparse

from . import _matmul

# The method of CSR and CSC matrices that multiplies two sparse matrices: its
# name up to SciPy 1.12, and since.
_NAMES = ("_mul_sparse_matrix", "_matmul_sparse")
_lock = threading.Lock()


def _hook() -> tuple[type, str]:
    for cls in sparse.csr_matrix.__mro__:
        for name in _NAMES:
            if name in cls.__dict__ and cls.__name__ == "_cs_matrix":
                return cls, name
    raise RuntimeError("this version of SciPy multiplies sparse matrices in a "
                       "way that spgemm does not know")


def _products_at_least(A: Any, B: Any, least: int) -> bool:
    """Whether A @ B has about so many products, or more."""
    if least <= 0:
        return True
    return bool(A.nnz * (B.nnz / max(1, B.shape[0])) >= least)


@contextmanager
def patch_scipy(min_products: int = 0, threads: int | None = None
                ) -> Iterator[None]:
    """While it lasts, ``A @ B`` of SciPy's CSR and CSC matrices is `matmul`.

    In all threads of the process. What `matmul` does not support, SciPy does.

    Parameters
    ----------
    min_products : int
        Smaller products stay SciPy's.
    threads : int, optional

    Examples
    --------
    >>> import scipy.sparse as sp, spgemm
    >>> A = sp.identity(3, format="csr")
    >>> with spgemm.patch_scipy():
    ...     (A @ A).nnz
    3
    """
    cls, name = _hook()

    with _lock:
        original = getattr(cls, name)

        def multiply(self: Any, other: Any) -> Any:
            if (getattr(other, "ndim", 2) == 2 and self.ndim == 2
                    and getattr(other, "format", "") in ("csr", "csc")
                    and _products_at_least(self, other, min_products)):
                try:
                    return _matmul.matmul(self, other, threads=threads)
                except TypeError:
                    pass
            return original(self, other)

        setattr(cls, name, multiply)
    try:
        yield
    finally:
        with _lock:
            setattr(cls, name, original)
