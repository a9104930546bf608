# SPDX-License-Identifier: BSD-3-Clause
"""Options of matmul, top_n, gram, stream and plan against dense
arithmetic, crossed at random."""
import gc
import itertools
import unittest
import weakref

import numpy as np
import scipy.sparse as sparse

import drawing
import spgemm

CASES = 300


def draw(rng, nrows, ncols, dtype="float64"):
    """Values of small integers: sums are exact in any order."""
    X = rng.integers(-4, 5, (nrows, ncols)) * (rng.random((nrows, ncols)) < 0.2)
    A = sparse.csr_matrix(X.astype(dtype))
    return A if rng.random() < 0.5 else A.tocsc()


def keep_top(row, n, by_value):
    """A row with but its n largest entries; 0: none."""
    there = np.flatnonzero(row)
    size = row[there] if by_value else np.abs(row[there])
    order = np.lexsort((there, -size))[:n]
    kept = np.zeros_like(row)
    kept[there[order]] = row[there[order]]
    return kept


def with_indices(A, dtype, cls):
    """A, of this class, with indices of this dtype."""
    X = cls(A.shape)
    X.data = A.data
    X.indices, X.indptr = A.indices.astype(dtype), A.indptr.astype(dtype)
    return X


def draw_great(rng, nrows, ncols, dtype):
    """Of integers up to what no sum of five squares outgrows."""
    info = np.iinfo(dtype)
    most = int((info.max // 5) ** 0.5)
    X = rng.integers(-most if info.min else 0, most, (nrows, ncols), endpoint=True)
    X *= rng.random((nrows, ncols)) < 0.5
    return sparse.csr_matrix(X.astype(dtype))


class OfEachDtype(unittest.TestCase):
    """What orders values, of integers that a narrower or a signed type could not
    order."""
    DTYPES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64"]

    def products(self):
        for dtype, seed in itertools.product(self.DTYPES, range(6)):
            rng = np.random.default_rng(seed)
            A, B = draw_great(rng, 9, 5, dtype), draw_great(rng, 5, 8, dtype)
            yield A, B, A.toarray().astype(object), B.toarray().astype(object)

    def expect(self, C, X):
        self.assertEqual(C.dtype, self.dtype)
        np.testing.assert_array_equal(C.toarray().astype(object), X)
        self.assertEqual(C.nnz, np.count_nonzero(X))

    def test_what_is_left_out(self):
        for A, B, a, b in self.products():
            self.dtype = A.dtype
            X = a @ b
            middle = int(np.sort(np.abs(X).ravel())[36])
            tops = [np.array([keep_top(r, n, True) for r in X]) for n in (1, 3)]
            for n, top in zip((1, 3), tops):
                self.expect(spgemm.top_n(A, B, n), top)
                self.expect(spgemm.top_n(A, B, n, threshold=middle),
                            np.where(top > middle, top, 0))
            sizes = np.array([keep_top(r, 2, False) for r in X])
            self.expect(spgemm.matmul(A, B, keep_top=2), sizes)
            if A.dtype.itemsize < 8:  # a double holds any tolerance
                self.expect(spgemm.matmul(A, B, drop_tolerance=middle),
                            np.where(np.abs(X) > middle, X, 0))

    def test_semirings(self):
        both = {"max_min": (min, max), "min_max": (max, min)}
        for A, B, a, b in self.products():
            self.dtype = A.dtype
            for name, (times, plus) in both.items():
                X = np.array([[plus([times(a[i, k], b[k, j]) for k in range(5)
                                     if a[i, k] and b[k, j]], default=0)
                               for j in range(8)] for i in range(9)], dtype=object)
                C = spgemm.matmul(A, B, semiring=name)
                np.testing.assert_array_equal(C.toarray().astype(object), X)

    def test_unsigned_of_64_bits_have_no_order(self):
        A = sparse.csr_matrix(np.array([[2**63, 1]], dtype="uint64"))
        I = sparse.identity(2, "uint64", "csr")
        for work in (lambda: spgemm.top_n(A, I, 1),
                     lambda: spgemm.matmul(A, I, keep_top=1),
                     lambda: spgemm.matmul(A, I, drop_tolerance=2),
                     lambda: spgemm.matmul(A, I, semiring="max_min")):
            with self.assertRaisesRegex(TypeError, "uint64"):
                work()
        self.assertEqual(spgemm.matmul(A, I)[0, 0], 2**63)

    def test_sums_are_compared_before_they_wrap(self):
        for dtype, a, b in (("int8", 100, 2), ("uint8", 200, 2),
                            ("int16", 30000, 2), ("uint16", 65535, 65535),
                            ("uint32", 2**31 + 1, 2)):
            A, B = (sparse.csr_matrix(np.array([[x]], dtype=dtype)) for x in (a, b))
            want = (A @ B)[0, 0]
            for C in (spgemm.top_n(A, B, 1, threshold=150),
                      spgemm.matmul(A, B, drop_tolerance=150)):
                self.assertEqual(C.dtype, dtype)
                self.assertEqual(C.toarray().tolist(), [[want]])
            self.assertEqual(spgemm.top_n(A, B, 1, threshold=a * b).nnz, 0)

    def test_thresholds_and_nan(self):
        I = sparse.identity(2, format="csr")
        A = sparse.csr_matrix([[np.nan, 5.0]])
        for n, threshold in ((2, 5), (1, 0.1), (2, np.inf)):
            C = spgemm.top_n(A, I, n, threshold=threshold)
            np.testing.assert_array_equal(C.toarray(), [[np.nan, 0]])
        # 0.1 of 32 bits is above that of 64; 2^53 + 1 is above 2^53.
        for dtype, value, threshold in (("float32", 0.1, 0.1),
                                        ("int64", 2**53 + 1, 2.0**53)):
            A = sparse.csr_matrix(np.array([[value, 0]], dtype=dtype))
            C = spgemm.top_n(A, I.astype(dtype), 2, threshold=threshold)
            self.assertEqual(C.nnz, 1)

    def test_a_threshold_that_no_double_is(self):
        A = sparse.csr_matrix(np.array([[2**53 + 4, 2**53 + 3]]))
        I = sparse.identity(2, "int64", "csr")
        C = spgemm.top_n(A, I, 2, threshold=2**53 + 3)
        self.assertEqual(C.toarray().tolist(), [[2**53 + 4, 0]])


class Options(unittest.TestCase):
    def test_crossed_at_random(self):
        for seed in range(CASES):
            rng = np.random.default_rng(seed)
            m, k, n = rng.integers(1, 30, 3)
            A, B = draw(rng, m, k), draw(rng, k, n)
            X = A.toarray() @ B.toarray()
            options = {}
            if rng.random() < 0.3:
                options["alpha"] = 2.0
                X = 2 * X
            if rng.random() < 0.3:
                options["D"] = draw(rng, m, n)
                X = X + options["D"].toarray()
            if rng.random() < 0.4:
                mask = draw(rng, m, n)
                options["mask"] = mask
                is_there = mask.toarray() != 0
                if rng.random() < 0.5:
                    options["complement"] = True
                    is_there = ~is_there
                X = np.where(is_there, X, 0)
            if rng.random() < 0.3:
                options["drop_tolerance"] = 3.0
                X = np.where(np.abs(X) > 3, X, 0)
            if rng.random() < 0.3:
                options["keep_top"] = 3
                by_value = rng.random() < 0.5
                options["top_by"] = "value" if by_value else "magnitude"
                rows = X.T if A.format == "csc" else X
                rows = np.array([keep_top(r, 3, by_value) for r in rows]
                                ).reshape(rows.shape)
                X = rows.T if A.format == "csc" else rows
            if rng.random() < 0.5:
                options["threads"] = int(rng.integers(1, 4))
            if rng.random() < 0.2:
                options["memory_limit"] = 10**8
            C = spgemm.matmul(A, B, **options)
            np.testing.assert_array_equal(C.toarray(), X, f"seed {seed}")
            self.assertEqual(C.nnz, np.count_nonzero(X))
            self.assertEqual(C.format, A.format)

    def test_semirings(self):
        rng = np.random.default_rng(3)
        A, B = draw(rng, 9, 11), draw(rng, 11, 7)
        a, b = A.toarray(), B.toarray()
        both = (a[:, :, None] != 0) & (b[None, :, :] != 0)
        there = both.any(1)
        total = {"plus_pair": both.sum(1),
                 "plus_first": (both * a[:, :, None]).sum(1),
                 "plus_second": (both * b[None]).sum(1),
                 "min_plus": np.where(both, a[:, :, None] + b[None],
                                      np.inf).min(1),
                 "max_plus": np.where(both, a[:, :, None] + b[None],
                                      -np.inf).max(1)}
        for name, expected in total.items():
            for X, Y in ((A.tocsr(), B.tocsr()), (A.tocsc(), B.tocsc()),
                         (A.tocsr(), B.tocsc()), (A.tocsc(), B.tocsr())):
                C = spgemm.matmul(X, Y, semiring=name)
                np.testing.assert_array_equal(C.toarray(),
                                              np.where(there, expected, 0))
                self.assertEqual(C.nnz, there.sum())

    def test_plus_pair_counts_numbers_and_no_truths(self):
        truths = sparse.csr_matrix(np.tri(5, k=-1, dtype=bool))
        for A, total in ((truths, 6), (truths.astype("int64"), 10)):
            C = spgemm.matmul(A, A, mask=A, semiring="plus_pair")
            self.assertEqual((C.dtype, C.sum()), (A.dtype, total))
        self.assertIn("Boolean", spgemm.matmul.__doc__)

    def test_any_widths_of_indices(self):
        rng = np.random.default_rng(3)
        X = sparse.csr_matrix(draw(rng, 20, 20))
        want = spgemm.matmul(X, X, mask=X, D=X).toarray()
        for cls, widths in itertools.product(
                (sparse.csr_matrix, sparse.csr_array),
                itertools.product(("int32", "int64"), repeat=4)):
            A, B, mask, D = (with_indices(X, w, cls) for w in widths)
            C = spgemm.matmul(A, B, mask=mask, D=D)
            np.testing.assert_array_equal(C.toarray(), want)
            again = spgemm.plan(A, B)(mask, D)
            np.testing.assert_array_equal(again.toarray(), (X @ X).toarray())
            self.assertEqual(again.indices.dtype, C.indices.dtype)

    def test_gram(self):
        rng = np.random.default_rng(5)
        for _ in range(20):
            A = draw(rng, 20, 20)
            np.testing.assert_array_equal(
                spgemm.gram(A).toarray(), A.toarray().T @ A.toarray())
            self.assertEqual(spgemm.gram(A).format, A.format)

    def test_stream(self):
        rng = np.random.default_rng(6)
        A = drawing.uniform(2000, 20)
        whole = spgemm.matmul(A, A)
        for limit in (400_000, 3_000_000, 10**9):
            at = 0
            blocks = []
            for first, block in spgemm.stream(A, A, limit):
                self.assertEqual(first, at)
                at += block.shape[0]
                blocks.append(block)
            self.assertEqual(at, 2000)
            C = sparse.vstack(blocks, "csr")
            np.testing.assert_array_equal(C.data, whole.data)
            np.testing.assert_array_equal(C.indices, whole.indices)
        # B is transposed once, and not within the limit.
        blocks = [block for _, block in spgemm.stream(A, A.tocsc(), 400_000)]
        self.assertEqual((sparse.vstack(blocks, "csr") != whole).nnz, 0)
        with self.assertRaises(spgemm.MemoryLimitError):
            list(spgemm.stream(A, A, 100))
        self.assertEqual(list(spgemm.stream(draw(rng, 0, 0), draw(rng, 0, 0),
                                            100)), [])

    def test_plan(self):
        rng = np.random.default_rng(7)
        for seed in range(40):
            A, B = draw(rng, 30, 20), draw(rng, 20, 25)
            again = spgemm.plan(A, B)
            np.testing.assert_array_equal(again.C.toarray(), (A @ B).toarray())
            A2, B2 = A.copy(), B.copy()
            A2.data = rng.integers(-9, 9, A.nnz).astype("float64")
            B2.data = rng.integers(-9, 9, B.nnz).astype("float64")
            C = again(A2, B2)
            np.testing.assert_array_equal(C.toarray(), (A2 @ B2).toarray())
            self.assertIs(type(C), type(A @ B))
            C.indices[:] = 0  # is its own: the next one is not touched
            np.testing.assert_array_equal(again(A, B).toarray(),
                                          (A @ B).toarray())
            other = sparse.eye(30, 20, format=A.format)
            with self.assertRaises(ValueError):
                again(other, B)

    def test_a_plan_does_not_hold_its_operands(self):
        A = drawing.uniform(100, 5)
        alive = [weakref.ref(x) for x in (A.data, A.indices, A.indptr)]
        again = spgemm.plan(A, A)
        del A
        gc.collect()
        self.assertEqual([x() for x in alive], [None] * 3)
        self.assertFalse(again.C.data.flags.owndata)

    def test_what_a_plan_makes_is_memory_of_the_library(self):
        """Which keeps it for the next: fresh pages cost more than the values."""
        A = drawing.uniform(100, 5)
        again = spgemm.plan(A, A)
        first, second = again(A, A), again(2 * A, A)
        del again
        gc.collect()
        for C, factor in ((first, 1), (second, 2)):
            for x in C.data, C.indices, C.indptr:
                self.assertFalse(x.flags.owndata)
            np.testing.assert_allclose(C.toarray(), factor * (A @ A).toarray())

    def test_a_plan_is_of_the_dtypes_of_its_operands(self):
        A = drawing.uniform(30, 5)
        again = spgemm.plan(A, A)
        for operands in (A.astype("float32"), A), (A, A.astype("int32")):
            with self.assertRaisesRegex(ValueError, "dtype"):
                again(*operands)

    def test_report_and_progress(self):
        A = drawing.uniform(2000, 40)
        C, report = spgemm.matmul(A, A, return_report=True, keep_zeros=True)
        self.assertEqual(report.nnz, C.nnz)
        self.assertGreater(report.products, 0)
        self.assertIn("isa=", repr(report))
        B = drawing.uniform(20000, 100)
        with self.assertRaises(ZeroDivisionError):
            spgemm.matmul(B, B, progress=lambda done: 1 / 0)
        with self.assertRaises(spgemm.Cancelled):
            spgemm.matmul(B, B, progress=lambda done: True)

    def test_a_report_counts_what_is_there(self):
        A = sparse.csr_matrix([[1, -1]])
        B = sparse.csr_matrix([[1], [1]])
        for dtype in ("int8", "int64", "float64"):
            C, report = spgemm.matmul(A.astype(dtype), B.astype(dtype),
                                      return_report=True)
            self.assertEqual((C.nnz, report.nnz), (0, 0))

    def test_alpha_by_columns(self):
        rng = np.random.default_rng(1)
        A, B = draw(rng, 9, 9).tocsr(), draw(rng, 9, 9).tocsr()
        for semiring in ("plus_times", "plus_pair", "plus_second", "plus_min",
                         "min_plus", "max_min"):
            C, D = (spgemm.matmul(X, Y, semiring=semiring, alpha=2.0)
                    for X, Y in ((A, B), (A.tocsc(), B.tocsc())))
            np.testing.assert_array_equal(C.toarray(), D.toarray(), semiring)
        with self.assertRaisesRegex(ValueError, "plus_first"):
            spgemm.matmul(A.tocsc(), B, semiring="plus_first", alpha=2.0)

    def test_scalars_of_unsigned_products(self):
        A = sparse.csr_matrix(np.array([[3]], dtype="uint8"))
        self.assertEqual(spgemm.matmul(A, A, alpha=2)[0, 0], 18)
        for alpha in (-1, 256):
            with self.assertRaisesRegex(ValueError, "alpha"):
                spgemm.matmul(A, A, alpha=alpha)

    def test_a_plan_does_not_mind_what_is_done_to_its_c(self):
        A = sparse.csr_matrix([[1.0, -1.0]])
        B = sparse.csr_matrix([[1.0], [1.0]])
        again = spgemm.plan(A, B)
        again.C.eliminate_zeros()
        self.assertEqual(again(2 * A, B + B).toarray().tolist(), [[0.0]])

    def test_views_keep_memory_alive(self):
        A = sparse.random(500, 500, 0.05, "csr", random_state=1)
        C = spgemm.matmul(A, A)
        values, total = C.data, C.data.sum()
        self.assertFalse(values.flags.owndata)
        del C
        for _ in range(50):
            spgemm.matmul(A, A)
        self.assertEqual(values.sum(), total)

    def test_inputs_of_all_formats(self):
        rng = np.random.default_rng(9)
        A, B = drawing.draw_matrix(rng, 20, 30), drawing.draw_matrix(rng, 30, 9)
        for form in ("bsr", "coo", "csc", "csr", "dia", "dok", "lil"):
            X = A.tocsr().astype("float64").asformat(form)
            C = spgemm.matmul(X, B.astype("float64"))
            np.testing.assert_allclose(
                C.toarray(), X.toarray() @ B.astype("float64").toarray())


if __name__ == "__main__":
    unittest.main()
