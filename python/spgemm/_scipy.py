# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's own A @ B, made by this library."""
from __future__ import annotations

import threading
from typing import Any

import scipy.sparse as sparse

from . import _matmul
from ._formats import INT32_MAX
from ._options import count

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


class patch_scipy:
    """``A @ B`` of SciPy is `matmul`: within ``with``, or from the call on where
    there is none.

    Of an A that is CSR or CSC, or that SciPy converts to CSR to multiply it, and of
    a B of any format. What `matmul` does not support, SciPy does, as it does an A
    that is BSR, and DIA @ DIA where that is DIA. In all threads of the process.

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

    def __init__(self, min_products: int = 0, threads: int | None = None
                 ) -> None:
        self.min_products = count(min_products, "min_products")
        self.threads = (None if threads is None
                        else count(threads, "threads", INT32_MAX))
        self._is_entered = False
        _add(self)

    def __enter__(self) -> None:
        # The first time it is there from the call on.
        if self._is_entered:
            _add(self)
        self._is_entered = True

    def __exit__(self, *_: object) -> None:
        _remove(self)


def _multiply(A: Any, B: Any) -> Any:
    """A @ B by the patch that was made last."""
    patches, original = tuple(_patches), _original
    if (patches and getattr(B, "ndim", 2) == 2 and A.ndim == 2
            and _products_at_least(A, B, patches[-1].min_products)):
        try:
            return _matmul.matmul(A, B, threads=patches[-1].threads)
        except TypeError:
            pass
    return original(A, B)


# Those that last, in the order in which they were made, and what SciPy did before.
_patches: list[patch_scipy] = []
_original: Any = None
# Whether somebody who came later calls _multiply, which then stays.
_is_beneath = False


def _add(patch: patch_scipy) -> None:
    global _original, _is_beneath
    cls, name = _hook()
    with _lock:
        current = getattr(cls, name)
        # Who was on top may have gone, and have left SciPy's method.
        _is_beneath = _is_beneath and current is not _original
        if not _patches and not _is_beneath:
            _original = current
            setattr(cls, name, _multiply)
        _patches.append(patch)


def _remove(patch: patch_scipy) -> None:
    global _is_beneath
    cls, name = _hook()
    with _lock:
        if patch not in _patches:
            return
        del _patches[len(_patches) - 1 - _patches[::-1].index(patch)]
        if not _patches:
            _is_beneath = getattr(cls, name) is not _multiply
            if not _is_beneath:
                setattr(cls, name, _original)
