# SPDX-License-Identifier: BSD-3-Clause
"""matmul(A, B) is what SciPy's A @ B is: class, dtypes, entries, every bit.

    python3 test_semantics.py                  5000 cases
    python3 test_semantics.py FIRST COUNT      these; a failure names its seed
"""
import os
import sys
import unittest
import warnings

import numpy as np
import scipy.sparse as sparse

import drawing
import spgemm

FIRST = 0
COUNT = int(os.environ.get("SPGEMM_PYTHON_CASES", "5000"))


def sorted_by_index(C):
    """SciPy's result in our order."""
    C = C.copy()
    C.sort_indices()
    return C


def same_bits(x, y):
    """Bit for bit; of NaN neither sign nor payload."""
    if x.dtype.kind == "c":
        return same_bits(x.real, y.real) and same_bits(x.imag, y.imag)
    if x.dtype.kind != "f":
        return np.array_equal(x, y)
    nan = np.isnan(x)
    if not np.array_equal(nan, np.isnan(y)):
        return False
    bits = f"u{x.dtype.itemsize}"
    return np.array_equal(np.ascontiguousarray(x[~nan]).view(bits),
                          np.ascontiguousarray(y[~nan]).view(bits))


class Semantics(unittest.TestCase):
    def check(self, A, B):
        before = [drawing.arrays_of(X) for X in (A, B)]
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            expected = sorted_by_index(A @ B)
        C = spgemm.matmul(A, B)
        for X, was in zip((A, B), before):
            for name, array in drawing.arrays_of(X).items():
                np.testing.assert_array_equal(array, was[name])
        self.assertIs(type(C), type(expected))
        self.assertEqual(C.shape, expected.shape)
        self.assertEqual(C.dtype, expected.dtype)
        np.testing.assert_array_equal(C.indptr, expected.indptr)
        np.testing.assert_array_equal(C.indices, expected.indices)
        self.assertTrue(same_bits(C.data, expected.data))
        self.assertEqual(C.indices.dtype, expected.indices.dtype)
        self.assertEqual(C.indptr.dtype, expected.indptr.dtype)
        self.assertTrue(C.has_sorted_indices)
        self.assertTrue(C.has_canonical_format)

    def test_of_any_class_and_dtype(self):
        for seed in range(FIRST, FIRST + COUNT):
            A, B = drawing.draw_product(seed)
            try:
                self.check(A, B)
            except Exception as error:
                raise AssertionError(
                    f"seed {seed}: {type(A).__name__} {A.dtype} {A.shape} @ "
                    f"{type(B).__name__} {B.dtype} {B.shape}") from error

    def test_sums_of_coo_entries(self):
        """Entries of one place are summed in the order of the format of A."""
        rng = np.random.default_rng(1)
        for form in ("csr", "csc", "coo"):
            for dtype in ("float32", "complex64"):
                A = sparse.random(4, 3, 0.8, form, dtype, rng)
                places = rng.integers(0, 3, (2, 200))
                B = sparse.coo_matrix(
                    (rng.random(200).astype(dtype), tuple(places)), (3, 3))
                self.check(A, B)
                self.check(B, A.T)

    def test_of_other_formats(self):
        A = sparse.random(6, 6, 0.5, "csr", random_state=1)
        for form in ("bsr", "dia", "lil", "dok"):
            for left in ("csr", "csc"):
                self.check(A.asformat(left), A.asformat(form))

    def test_of_subclasses(self):
        """Their constructor is called as SciPy calls it."""
        for base in (sparse.csr_matrix, sparse.csc_matrix, sparse.csr_array,
                     sparse.csc_array):
            class Mine(base):
                def __init__(self, arrays, shape=None, dtype=None, copy=False):
                    super().__init__(arrays, shape, dtype, copy)
                    self.told = self.nnz
            A = Mine(np.arange(16.0).reshape(4, 4))
            self.check(A, A)
            self.assertEqual(spgemm.matmul(A, A).told, (A @ A).told)
            A.indices = A.indices.astype("int64")
            A.indptr = A.indptr.astype("int64")
            self.check(A, A)

    def test_of_more_than_a_few_products(self):
        """Whose zeros are told by the library, or looked for, or not there."""
        for values in ([1, 2, 3], [-1, 1]):
            for dtype in drawing.DTYPES:
                rng = np.random.default_rng(1)
                A = drawing.uniform(3000, 8)
                A.data = rng.choice(values, A.nnz).astype(dtype)
                with self.subTest(dtype=dtype, values=values):
                    self.check(A, A)
                    self.check(A.T.tocsr(), A)

    def test_of_block_matrices(self):
        rng = np.random.default_rng(1)
        A = drawing.draw_csr(rng, 12, 20, "float64")
        B = drawing.draw_csr(rng, 20, 8, "float64")
        C = spgemm.matmul(A.tobsr((3, 4)), B)
        self.assertLess(abs(C - A @ B).max(), 1e-12)

    def test_result_is_usable_by_scipy(self):
        A = sparse.random(50, 50, 0.1, "csr", random_state=1)
        C = spgemm.matmul(A, A)
        C.data[:] = 1
        C = C + C.T
        C.eliminate_zeros()
        self.assertEqual((C @ C).shape, (50, 50))
        self.assertEqual(C.copy().nnz, C.nnz)

    def test_dtypes_of_other_byte_order_and_half(self):
        for name in (">f8", ">i4", "float16"):
            A = sparse.random(9, 9, 0.4, "csr", random_state=1)
            A.data = np.round(8 * A.data).astype(name)
            C = spgemm.matmul(A, A)
            D = (A.astype("f8") @ A.astype("f8")).toarray()
            np.testing.assert_array_equal(C.toarray(), D)

    def test_keep_zeros(self):
        A = sparse.csr_matrix([[1.0, -1.0]])
        B = sparse.csr_matrix([[1.0], [1.0]])
        self.assertEqual(spgemm.matmul(A, B).nnz, 0)
        self.assertEqual(spgemm.matmul(A, B, keep_zeros=True).nnz, 1)

    def test_unsorted(self):
        A = sparse.random(300, 300, 0.1, "csr", random_state=1)
        C = spgemm.matmul(A, A, sort=False)
        self.assertFalse(C.has_canonical_format)
        self.assertEqual(abs(C - A @ A).nnz, 0)


if __name__ == "__main__":
    if len(sys.argv) == 3:
        FIRST, COUNT = int(sys.argv.pop(1)), int(sys.argv.pop(1))
    unittest.main()
