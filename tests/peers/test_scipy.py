#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The forms of the product that SciPy and NumPy have, too, through ctypes.

Usage: test_scipy.py LIBRARY. Exit status 77: there is no SciPy.
"""
import ctypes as c
import itertools
import random
import sys

try:
    import numpy as np
    import scipy.sparse as sp
except ImportError:
    print("SciPy is missing")
    sys.exit(77)

# In the order of spgemm_value_type and spgemm_index_type.
VALUES = [np.float64, np.float32, np.complex128, np.complex64,
          np.int64, np.int32, np.bool_]
INDICES = [np.int32, np.int64]
NONE, TRANSPOSE, CONJUGATE_TRANSPOSE = range(3)
STRUCTURE, BY_VALUE, COMPLEMENT = 0, 1, 2
TOP_MAGNITUDE, TOP_VALUE = range(2)


class Allocator(c.Structure):
    _fields_ = [(name, c.c_void_p)
                for name in ("context", "allocate", "reallocate", "release")]


class Csr(c.Structure):
    _fields_ = [
        ("nrows", c.c_int64), ("ncols", c.c_int64), ("nnz", c.c_int64),
        ("rowptr", c.c_void_p), ("colidx", c.c_void_p), ("values", c.c_void_p),
        ("index_type", c.c_int), ("value_type", c.c_int),
        ("flags", c.c_uint32), ("allocator", Allocator),
    ]


class Product(c.Structure):
    _fields_ = [
        ("semiring", c.c_int), ("user", c.c_void_p),
        ("op_a", c.c_int), ("op_b", c.c_int),
        ("alpha", c.c_void_p), ("beta", c.c_void_p), ("D", c.c_void_p),
        ("rows", c.c_void_p), ("nrows", c.c_int64),
        ("cols", c.c_void_p), ("ncols", c.c_int64),
        ("row_order", c.c_int), ("reserved", c.c_uint64 * 2),
    ]


class Filter(c.Structure):
    _fields_ = [
        ("mask", c.c_void_p), ("mask_mode", c.c_uint),
        ("drop_zeros", c.c_bool), ("drop_tolerance", c.c_double),
        ("keep_top", c.c_int64), ("top_by", c.c_int),
        ("reserved", c.c_uint64 * 2),
    ]


class Predict(c.Structure):
    _fields_ = [
        ("method", c.c_int), ("size", c.c_int64), ("probability", c.c_double),
        ("budget", c.c_int64), ("error", c.c_double), ("seed", c.c_uint64),
        ("slack", c.c_double), ("row_nnz", c.c_void_p),
        ("row_nnz_context", c.c_void_p), ("reserved", c.c_uint64 * 2),
    ]


class Resources(c.Structure):
    _fields_ = [
        ("nthreads", c.c_int), ("memory_limit_bytes", c.c_size_t),
        ("input_check", c.c_int), ("allocator", c.c_void_p),
        ("context", c.c_void_p), ("out", c.c_void_p),
        ("progress", c.c_void_p), ("progress_context", c.c_void_p),
        ("reserved", c.c_uint64 * 2),
    ]


class Options(c.Structure):
    _fields_ = [
        ("product", Product), ("filter", Filter), ("predict", Predict),
        ("resources", Resources),
    ]


def open_library(path):
    library = c.CDLL(path)
    library.spgemm_status_string.restype = c.c_char_p
    for name in ("predicted", "precise", "upper_bound"):
        function = getattr(library, "spgemm_" + name)
        function.argtypes = [c.c_void_p] * 5
    return library


def address(array):
    return array.ctypes.data


def view(matrix, keep):
    """A spgemm_csr of a SciPy matrix, whose arrays stay in `keep`."""
    arrays = (matrix.indptr.astype(np.int64), matrix.indices, matrix.data)
    keep.append(arrays)
    rowptr, colidx, values = map(address, arrays)
    return Csr(*matrix.shape, len(matrix.indices), rowptr, colidx, values,
               INDICES.index(matrix.indices.dtype),
               VALUES.index(matrix.dtype), 0)


def copy(pointer, count, kind):
    """`count` items of a C array."""
    kind = np.dtype(kind)
    return np.frombuffer(c.string_at(pointer or 0, count * kind.itemsize),
                         dtype=kind) if count else np.zeros(0, kind)


def multiply(library, A, B, **asked):
    """C by the library, as a SciPy matrix; arrays and matrices as options."""
    keep = []
    options = Options()
    function = random.choice((library.spgemm_predicted, library.spgemm_precise,
                              library.spgemm_upper_bound))
    options.resources.nthreads = random.choice((1, 2, 5))
    options.product.row_order = random.choice((0, 1))
    for name, value in asked.items():
        if sp.issparse(value):
            value = view(value, keep)
        if isinstance(value, Csr):
            keep.append(value)
            value = c.addressof(value)
        elif isinstance(value, np.ndarray):
            keep.append(value)
            if name in ("rows", "cols"):
                setattr(options.product, "n" + name, len(value))
            value = address(value)
        group = options.filter if hasattr(Filter, name) else options.product
        setattr(group, name, value)
    a, b, C = view(A, keep), view(B, keep), Csr()
    status = function(c.byref(C), c.byref(a), c.byref(b), c.byref(options), None)
    assert status == 0, library.spgemm_status_string(status).decode()
    result = sp.csr_matrix((
        copy(C.values, C.nnz, VALUES[C.value_type]),
        copy(C.colidx, C.nnz, INDICES[C.index_type]),
        copy(C.rowptr, C.nrows + 1, np.int64)), shape=(C.nrows, C.ncols))
    assert result.dtype == A.dtype, result.dtype
    library.spgemm_csr_destroy(c.byref(C))
    return result


def make(shape, dtype, index, chance=0.2):
    """Small integers, zero and duplicates among them, rows in no order."""
    count = max(1, int(shape[0] * shape[1] * chance))
    where = [(random.randrange(shape[0]), random.randrange(shape[1]))
             for _ in range(count)]
    where.sort(key=lambda place: place[0])
    rows = np.array([i for i, _ in where])
    values = np.array([random.randint(-4, 4) for _ in where])
    if np.issubdtype(dtype, np.complexfloating):
        values = values + 1j * np.array([random.randint(-4, 4) for _ in where])
    matrix = sp.csr_matrix(shape, dtype=dtype)
    matrix.indptr = np.searchsorted(rows, np.arange(shape[0] + 1)).astype(index)
    matrix.indices = np.array([j for _, j in where], dtype=index)
    matrix.data = values.astype(dtype)
    return matrix


def operate(matrix, operation):
    if operation == NONE:
        return matrix
    return (matrix.conjugate() if operation == CONJUGATE_TRANSPOSE
            else matrix).transpose().tocsr()


def dense(matrix):
    """Duplicates summed; of truth values, by "or"."""
    out = np.zeros(matrix.shape, matrix.dtype)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    np.add.at(out, (rows, matrix.indices), matrix.data)
    return out


def structure(matrix):
    """Where a matrix has entries, zeros among them."""
    out = np.zeros(matrix.shape, bool)
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    out[rows, matrix.indices] = True
    return out


def check(C, values, where, what):
    assert C.shape == values.shape, f"{what}: {C.shape}"
    assert C.nnz == where.sum(), f"{what}: {C.nnz} entries, not {where.sum()}"
    assert (structure(C) == where).all(), f"{what}: entries elsewhere"
    assert (dense(C) == np.where(where, values, 0)).all(), f"{what}: values"


def largest(values, where, count):
    """Where the `count` largest of each row are, of equals the first."""
    kept = np.zeros_like(where)
    for i, row in enumerate(values.astype(float)):
        columns = np.flatnonzero(where[i])
        order = np.argsort(-row[columns], kind="stable")
        kept[i, columns[order[:count]]] = True
    return kept


def shaped(operation, nrows, ncols):
    return (nrows, ncols) if operation == NONE else (ncols, nrows)


def check_product(library, dtype, index, op_a, op_b):
    """op(A)*op(B) by SciPy itself, then with all else by NumPy."""
    what = f"{np.dtype(dtype)}, {np.dtype(index)}, op {op_a} {op_b}"
    A = make(shaped(op_a, 23, 17), dtype, index)
    B = make(shaped(op_b, 17, 29), dtype, index)
    opA, opB = operate(A, op_a), operate(B, op_b)
    where = structure(opA).astype(int) @ structure(opB).astype(int) > 0
    product = opA @ opB
    C = multiply(library, A, B, op_a=op_a, op_b=op_b)
    check(C, dense(product), where, what)

    C = multiply(library, A, B, op_a=op_a, op_b=op_b, drop_zeros=True)
    check(C, dense(product), dense(product) != 0, what + ", nonzero")

    for top_by, sizes in ((TOP_MAGNITUDE, np.abs(dense(product))),
                          (TOP_VALUE, dense(product))):
        if np.iscomplexobj(product):
            break
        C = multiply(library, A, B, op_a=op_a, op_b=op_b, keep_top=3,
                     top_by=top_by)
        check(C, dense(product), largest(sizes, where, 3), f"{what}, top {top_by}")

    D = make((23, 29), dtype, index)
    mask = make((23, 29), random.choice(VALUES), index, 0.6)
    mask.sum_duplicates()
    mode = random.randrange(4)
    counts = dense(mask) != 0 if mode & BY_VALUE else structure(mask)
    alpha, beta = np.array([3], dtype), np.array([-2], dtype)
    C = multiply(library, A, B, op_a=op_a, op_b=op_b, alpha=alpha, beta=beta,
                 D=D, mask=mask, mask_mode=mode)
    values = alpha[0] * dense(product) + beta[0] * dense(D)
    if mode & COMPLEMENT:
        counts = ~counts
    check(C, values, (where | structure(D)) & counts, what + ", all")

    rows = np.array([random.randrange(23) for _ in range(9)], np.int64)
    cols = np.array(sorted(random.sample(range(29), 11)), np.int64)
    C = multiply(library, A, B, op_a=op_a, op_b=op_b, rows=rows, cols=cols)
    chosen = np.ix_(rows, cols)
    check(C, dense(product)[chosen], where[chosen], what + ", chosen")


def check_large(library, dtype):
    """A hundred thousand products."""
    A = make((900, 700), dtype, np.int32, 0.02)
    B = make((700, 1100), dtype, np.int32, 0.02)
    where = structure(A).astype(int) @ structure(B).astype(int) > 0
    check(multiply(library, A, B), dense(A @ B), where, f"large {np.dtype(dtype)}")


def main(path):
    library = open_library(path)
    random.seed(1)
    done = 0
    for dtype, index, op_a, op_b in itertools.product(
            VALUES, INDICES, range(3), range(3)):
        check_product(library, dtype, index, op_a, op_b)
        done += 1
    for dtype in VALUES:
        check_large(library, dtype)
    print(f"{done} kinds of product are as SciPy's")


if __name__ == "__main__":
    main(*sys.argv[1:])
