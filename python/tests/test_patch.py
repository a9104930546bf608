# SPDX-License-Identifier: BSD-3-Clause
"""SciPy's own `A @ B` under patch_scipy()."""
import subprocess
import sys
import unittest
from unittest import mock

import numpy as np
import scipy.sparse as sparse

import spgemm
from spgemm import _matmul, _scipy


class Patch(unittest.TestCase):
    def setUp(self):
        self.A = sparse.random(60, 60, 0.1, "csr", random_state=1)

    def calls(self, work):
        """How many products are ours."""
        with mock.patch.object(_matmul, "matmul",
                               wraps=_matmul.matmul) as counted:
            work()
        return counted.call_count

    def test_products_are_ours_while_it_lasts(self):
        A = self.A

        def inside():
            with spgemm.patch_scipy():
                C = A @ A
                self.assertTrue(C.has_canonical_format)
                A.tocsc() @ A
                A ** 2
        self.assertEqual(self.calls(inside), 3)
        self.assertEqual(self.calls(lambda: A @ A), 0)

    def test_without_with_it_does_not_end(self):
        patch = spgemm.patch_scipy()
        try:
            self.assertEqual(self.calls(lambda: self.A @ self.A), 1)
        finally:
            patch.__exit__(None, None, None)
        self.assertEqual(self.calls(lambda: self.A @ self.A), 0)

    def test_it_ends_with_an_exception(self):
        with self.assertRaises(ZeroDivisionError):
            with spgemm.patch_scipy():
                1 / 0
        self.assertEqual(self.calls(lambda: self.A @ self.A), 0)

    def test_small_ones_stay(self):
        def inside():
            with spgemm.patch_scipy(min_products=10**6):
                self.A @ self.A
        self.assertEqual(self.calls(inside), 0)

    def test_what_is_not_supported_stays(self):
        with spgemm.patch_scipy():
            A = self.A.astype("longdouble")
            self.assertEqual((A @ A).dtype, np.dtype("longdouble"))
            self.assertEqual((self.A @ np.ones(60)).shape, (60,))
            self.assertEqual((self.A @ np.ones((60, 2))).shape, (60, 2))
            with self.assertRaises(ValueError):
                self.A @ self.A[:3]

    def test_of_other_formats(self):
        """What SciPy converts; what stays BSR or DIA is its own."""
        for left in ("csr", "csc", "coo", "lil", "dok", "bsr", "dia"):
            for right in ("csr", "coo", "lil", "bsr", "dia"):
                X, Y = self.A.asformat(left), self.A.asformat(right)
                want = X @ Y
                with spgemm.patch_scipy():
                    C = X @ Y
                    ours = self.calls(lambda: X @ Y)
                self.assertIs(type(C), type(want))
                self.assertEqual(C.dtype, want.dtype)
                np.testing.assert_allclose(C.toarray(), want.toarray())
                if left != "bsr" and (left, right) != ("dia", "dia"):
                    self.assertEqual(ours, 1, (left, right))
        A = sparse.csr_array(self.A)
        want = (A ** 2).toarray()
        with spgemm.patch_scipy():
            np.testing.assert_array_equal((A ** 2).toarray(), want)

    def test_refusals(self):
        for options in ({"threads": "2"}, {"threads": -1}, {"min_products": "2"},
                        {"min_products": -1}):
            with self.assertRaises((TypeError, ValueError)):
                spgemm.patch_scipy(**options)
        self.assertEqual(self.calls(lambda: self.A @ self.A), 0)

    def test_what_others_put_on_top_stays(self):
        cls, name = _scipy._hook()
        told = []
        with spgemm.patch_scipy():
            inner = getattr(cls, name)

            def theirs(A, B):
                told.append(True)
                return inner(A, B)
            setattr(cls, name, theirs)
        try:
            self.assertEqual(self.calls(lambda: self.A @ self.A), 0)
            self.assertEqual(len(told), 1)
            with spgemm.patch_scipy():
                self.assertEqual(self.calls(lambda: self.A @ self.A), 1)
            self.assertEqual(len(told), 2)
        finally:
            setattr(cls, name, inner)
        with spgemm.patch_scipy():
            self.assertEqual(self.calls(lambda: self.A @ self.A), 1)
        self.assertIsNot(getattr(cls, name), inner)

    def test_wide_indices_in_a_fresh_process(self):
        program = """if True:
            import numpy as np, scipy.sparse as sparse, spgemm
            A = sparse.csr_matrix(np.ones((2, 2)))
            A.indices = A.indices.astype(np.int64)
            A.indptr = A.indptr.astype(np.int64)
            expected = (A @ A).indices.dtype
            with spgemm.patch_scipy():
                print((A @ A).indices.dtype == expected)
            """
        done = subprocess.run([sys.executable, "-c", program],
                              capture_output=True, text=True)
        self.assertEqual(done.stdout.strip(), "True", done.stderr)

    def test_interleaved(self):
        first, second = spgemm.patch_scipy(), spgemm.patch_scipy()
        for patch in (first, second):
            self.assertEqual(self.calls(lambda: self.A @ self.A), 1)
            patch.__exit__(None, None, None)
        self.assertEqual(self.calls(lambda: self.A @ self.A), 0)

    def test_one_patch_twice(self):
        patch = spgemm.patch_scipy()
        for _ in range(2):
            with patch:
                self.assertEqual(self.calls(lambda: self.A @ self.A), 1)
            self.assertEqual(self.calls(lambda: self.A @ self.A), 0)

    def test_the_newest_counts(self):
        def inside():
            with spgemm.patch_scipy():
                with spgemm.patch_scipy(min_products=10**6):
                    self.A @ self.A
        self.assertEqual(self.calls(inside), 0)

    def test_indices_of_other_types(self):
        A = self.A.copy()
        want = (A @ A).toarray()
        for dtype in (">i4", ">i8", "int16", "uint32"):
            A.indices = self.A.indices.astype(dtype)
            A.indptr = self.A.indptr.astype(dtype)
            with spgemm.patch_scipy():
                self.assertEqual(self.calls(lambda: A @ A), 1)
                np.testing.assert_allclose((A @ A).toarray(), want)

    def test_nested(self):
        with spgemm.patch_scipy():
            with spgemm.patch_scipy():
                self.A @ self.A
            self.assertEqual(self.calls(lambda: self.A @ self.A), 1)
        self.assertEqual(self.calls(lambda: self.A @ self.A), 0)


if __name__ == "__main__":
    unittest.main()
