# SPDX-License-Identifier: BSD-3-Clause
"""Draws products at random: formats, dtypes, widths of indices, and what hurts."""
import warnings

import numpy as np
import scipy.sparse as sparse

DTYPES = ["bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64",
          "uint64", "float32", "float64", "complex64", "complex128"]
CLASSES = ["csr_matrix", "csc_matrix", "coo_matrix", "lil_matrix", "dok_matrix",
           "csr_array", "csc_array", "coo_array"]


def draw_values(rng, dtype, count):
    """Small ones, of which many cancel; at times great ones, and no numbers."""
    dtype = np.dtype(dtype)
    values = rng.integers(-3, 4, count)
    if dtype.kind == "b":
        return values != 0
    if dtype.kind in "iu":
        if rng.random() < 0.3:
            info = np.iinfo(dtype)
            values = rng.integers(info.min, info.max, count, dtype=dtype,
                                  endpoint=True)
        return values.astype(dtype)
    values = values.astype(dtype)
    if rng.random() < 0.5:
        values = (values + rng.standard_normal(count)).astype(dtype)
    if dtype.kind == "c":
        values = values + (1j * rng.integers(-2, 3, count)).astype(dtype)
    if rng.random() < 0.05 and count:
        values[rng.integers(count)] = rng.choice([np.inf, -np.inf, np.nan, -0.0])
    return values


def draw_csr(rng, nrows, ncols, dtype):
    """With duplicates, in no order, of indices of 32 or 64 bits."""
    most = rng.choice([0.0, 0.5, 2.0, 6.0])
    lengths = np.minimum(rng.poisson(most, nrows), 40)
    if ncols == 0:
        lengths[:] = 0
    if nrows and ncols and rng.random() < 0.1:
        lengths[rng.integers(nrows)] = 2 * ncols  # a row with every column
    indptr = np.concatenate(([0], np.cumsum(lengths)))
    indices = rng.integers(0, max(1, ncols), indptr[-1])
    A = sparse.csr_matrix((nrows, ncols), dtype=dtype)
    width = rng.choice([np.int32, np.int64])
    A.indptr = indptr.astype(width)
    A.indices = indices.astype(width)
    A.data = draw_values(rng, dtype, len(indices))
    A.has_sorted_indices = False
    A.has_canonical_format = False
    if rng.random() < 0.4:
        A.sum_duplicates()
    return A


def draw_matrix(rng, nrows, ncols):
    """A matrix of any class and dtype."""
    name = rng.choice(CLASSES)
    A = draw_csr(rng, nrows, ncols, rng.choice(DTYPES))
    if name.startswith(("lil", "dok")):
        A.sum_duplicates()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if name in ("csr_matrix", "csr_array"):
            to = getattr(sparse, name)((nrows, ncols), dtype=A.dtype)
            to.indptr, to.indices, to.data = A.indptr, A.indices, A.data
            to.has_sorted_indices = False
            to.has_canonical_format = False
            return to
        return getattr(sparse, name)(A)


def uniform(n, degree, seed=1):
    """n x n, about `degree` entries a row, in order: scipy.sparse.random() takes
    memory for all n^2 places."""
    rng = np.random.default_rng(seed)
    rows = np.repeat(np.arange(n), degree)
    A = sparse.csr_matrix((rng.random(n * degree),
                           (rows, rng.integers(0, n, n * degree))), shape=(n, n))
    A.sum_duplicates()
    return A


def draw_product(seed):
    """(A, B): B is at times A itself."""
    rng = np.random.default_rng(seed)
    sizes = rng.choice([0, 1, 2, 3, 7, 20, 60], 3,
                       p=[0.05, 0.1, 0.1, 0.15, 0.2, 0.2, 0.2])
    A = draw_matrix(rng, sizes[0], sizes[1])
    if sizes[0] == sizes[1] and rng.random() < 0.5:
        return A, A
    return A, draw_matrix(rng, sizes[1], sizes[2])


def arrays_of(A):
    """Copies of what A consists of, to see that it is not changed."""
    return {k: v.copy() for k, v in vars(A).items()
            if isinstance(v, np.ndarray)}
