# SPDX-License-Identifier: BSD-3-Clause
"""top_n(A, B, n) is the n largest entries of each row of A B, in their order."""
import itertools
import unittest

import numpy as np
import scipy.sparse as sparse

import spgemm
from test_options import draw, keep_top


class Top(unittest.TestCase):
    def test_top_n(self):
        for seed in range(60):
            rng = np.random.default_rng(seed)
            A, B = draw(rng, 20, 15), draw(rng, 15, 25)
            X = A.toarray() @ B.toarray()
            n = int(rng.integers(1, 9))
            threshold = rng.choice([None, -2.0, 0.0, 3.0])
            C = spgemm.top_n(A, B, n, threshold=threshold,
                             sort=bool(rng.random() < 0.5))
            kept = np.array([keep_top(r, n, True) for r in X])
            if threshold is not None:
                kept = np.where(kept > threshold, kept, 0)
            np.testing.assert_array_equal(C.toarray(), kept)
            self.assertEqual(C.format, "csr")

    def test_top_n_is_ordered_by_value(self):
        rng = np.random.default_rng(1)
        for dtype in ("float64", "float32", "int32", "int64"):
            A, B = draw(rng, 20, 15, dtype), draw(rng, 15, 25, dtype)
            C = spgemm.top_n(A, B, 5)
            for i in range(20):
                row = slice(C.indptr[i], C.indptr[i + 1])
                values, columns = C.data[row], C.indices[row]
                order = np.lexsort((columns, -values.astype("float64")))
                np.testing.assert_array_equal(order, np.arange(len(order)))

    def test_top_n_orders_rows_of_any_length(self):
        """Of equals the least column is first, and NaN before all."""
        rng = np.random.default_rng(2)
        for dtype, n in itertools.product(
                ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32",
                 "int64", "float32", "float64"),
                (2, 16, 17, 32, 33, 100, 1000)):
            if dtype.startswith("float"):
                some = [np.nan, -np.nan, np.inf, -np.inf, -1.5, 1.5, 1e-30, -1e-30]
            elif dtype == "bool":
                some = [True]
            else:
                some = [np.iinfo(dtype).min, np.iinfo(dtype).max, 1, 2, 3]
            x = rng.choice(np.array(some, dtype), n)
            x[::3] = rng.integers(1, 100, len(x[::3]))
            x[x == 0] = 1
            C = spgemm.top_n(sparse.csr_matrix(x[None]),
                             sparse.identity(n, dtype, "csr"), n)
            want = sorted(range(n), key=lambda j: (
                (0, 0) if x[j] != x[j] else (1, -x[j].item())))
            np.testing.assert_array_equal(C.indices, want, f"{n} of {dtype}")
            np.testing.assert_array_equal(C.data, x[want])


if __name__ == "__main__":
    unittest.main()
