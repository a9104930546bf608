#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""[1 2; 0 3] times [4 0; 5 6] from Python, with the standard library alone.

Usage: ctypes_multiply.py LIBRARY MEMORY, the beginning of the name expected.
"""
import ctypes as c
import sys


class Allocator(c.Structure):
    _fields_ = [(name, c.c_void_p)
                for name in ("context", "allocate", "reallocate", "release")]


class Csr(c.Structure):
    _fields_ = [
        ("nrows", c.c_int64), ("ncols", c.c_int64), ("nnz", c.c_int64),
        ("rowptr", c.POINTER(c.c_int64)),
        ("colidx", c.c_void_p), ("values", c.c_void_p),
        ("index_type", c.c_int), ("value_type", c.c_int),
        ("flags", c.c_uint32), ("allocator", Allocator),
    ]


def array(kind, items):
    return (kind * len(items))(*items)


def view(library, rowptr, colidx, values):
    arrays = (array(c.c_int64, rowptr), array(c.c_int32, colidx),
              array(c.c_double, values))
    matrix = library.spgemm_csr_view(2, 2, len(colidx), *arrays, 0, 0)
    return matrix, arrays  # the arrays must outlive the view


def main(path, memory):
    library = c.CDLL(path)
    library.spgemm_csr_view.restype = Csr
    library.spgemm_csr_view.argtypes = [
        c.c_int64, c.c_int64, c.c_int64,
        c.c_void_p, c.c_void_p, c.c_void_p, c.c_int, c.c_int]
    library.spgemm_memory_name.restype = c.c_char_p
    A, keep_a = view(library, [0, 2, 3], [0, 1, 1], [1, 2, 3])
    B, keep_b = view(library, [0, 1, 3], [0, 0, 1], [4, 5, 6])
    C = Csr()
    status = library.spgemm_predicted(c.byref(C), c.byref(A), c.byref(B), None, None)
    assert status == 0, status
    assert C.rowptr[:3] == [0, 2, 4]
    assert c.cast(C.colidx, c.POINTER(c.c_int32))[:4] == [0, 1, 0, 1]
    assert c.cast(C.values, c.POINTER(c.c_double))[:4] == [14, 12, 15, 18]
    library.spgemm_csr_destroy(c.byref(C))
    name = library.spgemm_memory_name().decode()
    print("memory:", name)
    assert name.startswith(memory), f"expected {memory}"
    del keep_a, keep_b


if __name__ == "__main__":
    main(*sys.argv[1:])
