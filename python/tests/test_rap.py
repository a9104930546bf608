# SPDX-License-Identifier: BSD-3-Clause
"""rap(R, A, P) is two products, bit for bit, and holds less."""
import itertools
import signal
import threading
import unittest
import warnings

import numpy as np
import scipy.sparse as sparse

import drawing
import spgemm
from spgemm import _rap
from test_semantics import same_bits


def grid(n, dtype="float64"):
    """(A, P): nine points on n x n, and bilinear interpolation from the grid of
    every other point."""
    ones = np.ones(n)
    line = sparse.diags([ones[1:], ones, ones[1:]], [-1, 0, 1])
    m = n // 2
    rows = np.concatenate([2 * np.arange(m), 2 * np.arange(m) + 1,
                           2 * np.arange(m - 1) + 1])
    columns = np.concatenate([np.arange(m), np.arange(m), np.arange(m - 1) + 1])
    weight = np.concatenate([ones[:m], ones[:m] / 2, ones[:m - 1] / 2])
    P = sparse.csr_matrix((weight, (rows, columns)), (n, m))
    A = sparse.kron(line, line, "csr").astype(dtype)
    A.data[:] = np.random.default_rng(1).standard_normal(A.nnz)
    return A, sparse.kron(P, P, "csr").astype(dtype)


def draw_triple(rng):
    sizes = rng.choice([0, 1, 3, 7, 20, 60], 4, p=[0.05, 0.1, 0.15, 0.2, 0.25, 0.25])
    A = drawing.draw_matrix(rng, sizes[1], sizes[2])
    R = drawing.draw_matrix(rng, sizes[0], sizes[1])
    P = drawing.draw_matrix(rng, sizes[2], sizes[3])
    if rng.random() < 0.7:  # of one dtype, as they mostly are
        A, P = (X.tocsr().astype(R.dtype).asformat(X.format) for X in (A, P))
    if rng.random() < 0.2:
        R, A, P = A.T, A @ A.T, A
    return R, A, P


def draw_options(rng, shape):
    options = {}
    for name, values in (("keep_zeros", [True]), ("threads", [1, 2]),
                         ("semiring", ["min_plus", "or_and", "max_min"]),
                         ("drop_tolerance", [1.5]), ("keep_top", [2]),
                         ("alpha", [2]), ("memory_limit", [10**9])):
        if rng.random() < 0.15:
            options[name] = values[rng.integers(len(values))]
    if rng.random() < 0.15:
        options["mask"] = drawing.draw_csr(rng, *shape, "float64")
        options["complement"] = bool(rng.random() < 0.5)
    return options


class InOrder(unittest.TestCase):
    """Where (R A) P and R (A P) are two matrices, it is the first."""

    def triples(self):
        for rows, columns in ((1, 4), (4, 1)):
            R, A, P = (sparse.csr_matrix(np.ones(shape)) for shape in (
                (rows, 3), (3, 3), (3, columns)))
            yield R, A, P
            yield R.tocsc(), A.tocsc(), P.tocsc()

    def test_of_several_dtypes(self):
        for R, A, P in self.triples():
            for dtypes in itertools.product(("bool", "int8", "float64"), repeat=3):
                X, Y, Z = (50 * M if d == "int8" else M
                           for M, d in zip((R, A, P), dtypes))
                X, Y, Z = (M.astype(d) for M, d in zip((X, Y, Z), dtypes))
                want = X @ Y @ Z
                C = spgemm.rap(X, Y, Z)
                self.assertEqual(C.dtype, want.dtype)
                np.testing.assert_array_equal(C.toarray(), want.toarray())

    def test_semirings(self):
        for R, A, P in self.triples():
            for semiring in ("plus_pair", "plus_first", "plus_second", "plus_min"):
                want = spgemm.matmul(spgemm.matmul(R, A, semiring=semiring), P,
                                     semiring=semiring)
                for limit in (None, 10**9):
                    C = spgemm.rap(R, A, P, semiring=semiring, memory_limit=limit)
                    np.testing.assert_array_equal(C.toarray(), want.toarray())


class Order(unittest.TestCase):
    """Of the two orders the one of far fewer products, from 10^5 on."""

    def takes_left(self, R, A, P, is_limited=False):
        return _rap._takes_left(_rap._Triple(R, A, P), is_limited)

    def test_of_few_products_it_is_that_of_one_call(self):
        A = drawing.uniform(200, 5)
        for rows in 150, 200:
            self.assertFalse(self.takes_left(A[:rows], A, A))
            self.assertTrue(self.takes_left(*(X.tocsc() for X in (A, A, A[:, :rows]))))

    def test_of_many_it_is_the_better(self):
        A = drawing.uniform(20000, 10)
        for X in (A, A.tocsc()):
            for limited in False, True:
                self.assertTrue(self.takes_left(X[:1], X, X, limited))
                self.assertFalse(self.takes_left(X, X, X[:, :1], limited))


class Rap(unittest.TestCase):
    def by_two(self, R, A, P, options):
        """In the order that is one call's, if there is one."""
        first = {k: v for k, v in options.items() if k in _rap._OF_BOTH}
        if (getattr(A, "format", None) == "csc"
                or _rap._Triple(R, A, P).is_mixed):
            return spgemm.matmul(spgemm.matmul(R, A, **first), P, **options)
        return spgemm.matmul(R, spgemm.matmul(A, P, **first), **options)

    def check(self, R, A, P, **options):
        """Whether it was one call."""
        before = [drawing.arrays_of(X) for X in (R, A, P)]
        told = []
        multiply = _rap._core.rap
        _rap._Triple.compute = staticmethod(
            lambda *operands: told.append(True) or multiply(*operands))
        try:
            C = spgemm.rap(R, A, P, **options)
        finally:
            _rap._Triple.compute = staticmethod(multiply)
        for X, was in zip((R, A, P), before):
            for name, array in drawing.arrays_of(X).items():
                np.testing.assert_array_equal(array, was[name])
        self.assertTrue(C.has_canonical_format)
        if told != [True]:
            return False
        want = self.by_two(R, A, P, options)
        self.assertIs(type(C), type(want))
        self.assertEqual((C.shape, C.dtype), (want.shape, want.dtype))
        np.testing.assert_array_equal(C.indptr, want.indptr)
        np.testing.assert_array_equal(C.indices, want.indices)
        self.assertTrue(same_bits(C.data, want.data))
        if C.nnz:
            self.assertEqual(C.indices.dtype, want.indices.dtype)
            self.assertEqual(C.indptr.dtype, want.indptr.dtype)
        return True

    def test_of_any_class_and_dtype(self):
        calls = 0
        for seed in range(1500):
            rng = np.random.default_rng(seed)
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                R, A, P = draw_triple(rng)
                options = draw_options(rng, (R.shape[0], P.shape[1]))
                try:
                    calls += self.check(R, A, P, **options)
                except TypeError:
                    # Complex values have no order: as of two products.
                    with self.assertRaises(TypeError):
                        self.by_two(R, A, P, options)
                except Exception as error:
                    raise AssertionError(
                        f"seed {seed}: {R.format} {R.dtype}, {A.format} "
                        f"{A.dtype}, {P.format} {P.dtype}: {options}") from error
        self.assertGreater(calls, 300)

    def test_through_a_window(self):
        A, P = grid(300)
        R = P.T.tocsr()
        for form, dtype in (("csr", "float64"), ("csc", "float32"),
                            ("csr", "complex64")):
            a, p = A.astype(dtype).asformat(form), P.astype(dtype)
            for r in R.astype(dtype), p.T:
                for options in {}, {"keep_zeros": True}, {"threads": 2}:
                    self.assertTrue(self.check(r, a, p, memory_limit=10**9,
                                               **options))
                    self.check(r, a, p, **options)

    def test_zeros_and_infinities(self):
        """0 of A P is dropped: it does not become NaN, nor an entry."""
        R = sparse.csr_matrix([[np.inf, 1.0]])
        A = sparse.csr_matrix([[1.0, -1.0], [1.0, 1.0]])
        P = sparse.csr_matrix([[1.0], [1.0]])
        self.assertEqual(spgemm.rap(R, A, P).data.tolist(), [2.0])
        R.data[0] = 3.0
        self.assertEqual(spgemm.rap(R[:, :1], A[:1], P).nnz, 0)
        self.assertEqual(spgemm.rap(R[:, :1], A[:1], P, keep_zeros=True).nnz, 1)

    def test_it_holds_less(self):
        A, P = grid(600)
        R = P.T.tocsr()
        W, of_W = spgemm.matmul(A, P, return_report=True)
        C, of_C = spgemm.matmul(R, W, return_report=True)
        again, report = spgemm.rap(R, A, P, return_report=True,
                                   memory_limit=10**9)
        self.assertLess(report.peak_bytes,
                        0.7 * max(of_W.peak_bytes, of_W.c_bytes + of_C.peak_bytes))
        self.assertEqual(report.products, of_W.products + of_C.products)
        self.assertEqual(report.nnz, of_C.nnz)
        # And fits where the two do not.
        limit = report.peak_bytes + 10**6
        self.assertLess(limit, of_W.c_bytes + of_C.peak_bytes)
        spgemm.rap(R, A, P, memory_limit=limit)
        with self.assertRaises(spgemm.MemoryLimitError) as caught:
            spgemm.rap(R, A, P, memory_limit=10**5)
        self.assertIsNone(caught.exception.estimate)

    def test_errors_are_those_of_a_product(self):
        A = sparse.identity(4, format="csr")
        P = sparse.csr_matrix(np.ones((4, 2)))
        for operands in (P, A, P), (A, P, P):
            with self.assertRaisesRegex(ValueError, "dimension mismatch"):
                spgemm.rap(*operands)
        with self.assertRaisesRegex(TypeError, "P is a list"):
            spgemm.rap(A, A, [1])
        with self.assertRaises(TypeError):
            spgemm.rap(A, A, P, colour="red")
        with self.assertRaisesRegex(ValueError, "semiring"):
            spgemm.rap(A, A, P, semiring="plus_minus")
        with self.assertRaisesRegex(ValueError, "mask"):
            spgemm.rap(A, A, P, mask=A)

    def test_it_can_be_stopped(self):
        A, P = grid(700)
        R = P.T.tocsr()
        with self.assertRaises(spgemm.Cancelled):
            spgemm.rap(R, A, P, progress=lambda done: True, threads=1,
                       memory_limit=10**9)
        told = []
        for _ in range(10):
            spgemm.rap(R, A, P, progress=told.append, threads=1,
                       memory_limit=10**9)
        self.assertTrue(all(0 <= share <= 1 for share in told))
        # Whoever starts the tests may have it ignored.
        before = signal.signal(signal.SIGINT, signal.default_int_handler)
        self.addCleanup(signal.signal, signal.SIGINT, before)
        timer = threading.Timer(
            0.2, signal.pthread_kill,
            (threading.main_thread().ident, signal.SIGINT))
        timer.start()
        with self.assertRaises(KeyboardInterrupt):
            for _ in range(100):
                spgemm.rap(R, A, P, threads=1, memory_limit=10**9)
        timer.join()


if __name__ == "__main__":
    unittest.main()
