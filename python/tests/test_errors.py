# SPDX-License-Identifier: BSD-3-Clause
"""What is refused, by which error and in which words; and sizes that are told
beforehand."""
import unittest

import numpy as np
import scipy.sparse as sparse

import drawing
import spgemm


def square(form="csr"):
    return sparse.random(20, 20, 0.3, form, random_state=1)


def with_entry(form, array, at, value):
    """Of this format, one entry of one array changed."""
    X = square().asformat(form)
    getattr(X, array)[at] = value
    return X


def size(C):
    return C.data.nbytes + C.indices.nbytes + C.indptr.nbytes


class Malformed(unittest.TestCase):
    """SciPy's converters trust what these are checked for."""

    def draw(self):
        for value in (10**9, -10**9):
            for form in ("csr", "csc", "bsr"):
                yield with_entry(form, "indices", 7, value)
                yield with_entry(form, "indptr", 1, value)
            yield with_entry("coo", "row", 7, value)
            yield with_entry("coo", "col", 7, value)
            X = square("lil")
            X.rows[3][-1] = value
            yield X
        for form in ("csc", "coo", "bsr"):
            X = square(form)
            X.data = X.data[:2]
            yield X
        X = square("lil")
        X.data[3] = X.data[3] * 100
        yield X

    def test_wherever_they_stand(self):
        A = square()
        B = A.tocsc()
        for work in (spgemm.gram, lambda X: spgemm.matmul(A, X),
                     lambda X: spgemm.matmul(B, X), lambda X: spgemm.plan(X, A),
                     lambda X: spgemm.matmul(A, A, D=X),
                     lambda X: spgemm.matmul(B, A, D=X),
                     lambda X: list(spgemm.stream(X, A, 10**6)),
                     lambda X: list(spgemm.stream(A, X, 10**6)),
                     lambda X: spgemm.top_n(A, X, 2),
                     lambda X: spgemm.rap(X, A, A),
                     lambda X: spgemm.rap(B, X, A, memory_limit=10**6)):
            for X in self.draw():
                with self.assertRaises(ValueError):
                    work(X)

    def test_they_are_named(self):
        A, B = square(), square("csc")
        bad, bad_csc = (with_entry(form, "indices", 7, 99) for form in ("csr", "csc"))
        for operands, text in (((A, bad), "B.*no column"), ((bad, A), "A.*no column"),
                               ((B, bad_csc), "B.*no row"),
                               ((bad_csc, B), "A.*no row"),
                               ((A, bad_csc), "B.*no row"),
                               ((bad, B), "A.*no column")):
            for work in (spgemm.matmul, spgemm.estimate, spgemm.plan):
                with self.assertRaisesRegex(ValueError, f"^{text}$"):
                    work(*operands)
        with self.assertRaisesRegex(ValueError, "^mask.*no row$"):
            spgemm.matmul(B, B, mask=bad_csc)
        for at, name in enumerate("RAP"):
            for good, wrong in ((A, bad), (B, bad_csc)):
                operands = [good] * 3
                operands[at] = wrong
                for limit in None, 10**6:
                    with self.assertRaisesRegex(ValueError, rf"^{name}\."):
                        spgemm.rap(*operands, memory_limit=limit)

    def test_shapes_of_three_are_named(self):
        A = square()
        for operands, text in (((A, A, A[:5]), "A is .* and P is 5 x 20"),
                               ((A, A[:5], A), "R is .* and A is 5 x 20")):
            with self.assertRaisesRegex(ValueError, text):
                spgemm.rap(*operands)

    def test_patterns_that_were_not_planned_for_are_named(self):
        for form in ("csr", "csc"):
            A, B = square(form), square(form).T.asformat(form)
            again = spgemm.plan(A, B)
            with self.assertRaisesRegex(ValueError, "^A is not"):
                again(B, B)
            with self.assertRaisesRegex(ValueError, "^B is not"):
                again(A, A)

    def test_an_error_of_progress_is_its_own(self):
        A = drawing.uniform(3000, 30)

        def progress(done):
            raise ValueError("A is mine")
        with self.assertRaisesRegex(ValueError, "^A is mine$"):
            spgemm.matmul(A.tocsc(), A.tocsc(), progress=progress)

    def test_data_of_two_dimensions(self):
        A = square()
        A.data = A.data.reshape(-1, 1)
        with self.assertRaisesRegex(ValueError, "2 dimensions, not 1"):
            spgemm.matmul(A, square())

    def test_wide_indices_that_are_no_columns(self):
        A = sparse.csr_matrix(np.ones((2, 5)))
        B = sparse.csr_matrix(np.ones((5, 2)))
        A.indices, A.indptr = A.indices.astype("int64"), A.indptr.astype("int64")
        for column in (2**32, -2**32, 2**62):
            A.indices[3] = column
            with self.assertRaisesRegex(ValueError, r"indices\[3\] is"):
                spgemm.matmul(A, B)
        mask = sparse.csr_matrix(np.ones((2, 2)))
        mask.indices = np.array([0, 1, 0, 2**32])
        with self.assertRaisesRegex(ValueError, r"indices\[3\] is"):
            spgemm.matmul(B.T.tocsr(), B, mask=mask)

    def test_refusals(self):
        A = sparse.random(5, 4, 0.5, "csr", random_state=1)
        with self.assertRaisesRegex(ValueError, "5 x 4"):
            spgemm.matmul(A, A)
        with self.assertRaises(TypeError):
            spgemm.matmul(A, np.ones((4, 4)))
        with self.assertRaises(TypeError):
            spgemm.matmul(A.astype("longdouble"), A.T)
        with self.assertRaisesRegex(ValueError, "semiring"):
            spgemm.matmul(A, A.T, semiring="plus_plus")
        for threads in (-1, 2**70, np.inf, 2.5):
            with self.assertRaisesRegex(ValueError, "threads"):
                spgemm.matmul(A, A.T, threads=threads)
            with self.assertRaisesRegex(ValueError, "threads"):
                spgemm.estimate(A, A.T, threads=threads)
        with self.assertRaisesRegex(ValueError, "memory_limit"):
            spgemm.matmul(A, A.T, memory_limit=2**64)
        with self.assertRaisesRegex(ValueError, "top_by"):
            spgemm.matmul(A, A.T, top_by="valeu")
        with self.assertRaisesRegex(TypeError, "drop_tolerance"):
            spgemm.matmul(A, A.T, drop_tolerance="2")
        with self.assertRaisesRegex(TypeError, "D is of float64"):
            spgemm.matmul(A.astype("int32"), A.T.astype("int32"), D=A @ A.T)
        for work in (lambda X: spgemm.matmul(A, A.T, mask=X), spgemm.gram,
                     lambda X: spgemm.matmul(A, A.T, D=X),
                     lambda X: spgemm.stream(X, A, 10**6)):
            with self.assertRaisesRegex(TypeError, "ndarray"):
                next(iter(work(np.ones((5, 5)))))
        with self.assertRaisesRegex(ValueError, "keep_top"):
            spgemm.matmul(A, A.T, keep_top=0)
        with self.assertRaisesRegex(ValueError, "mask"):
            spgemm.matmul(A, A.T, mask=A)
        with self.assertRaises(ValueError):
            spgemm.matmul(A, A.T, complement=True)
        with self.assertRaises(TypeError):
            spgemm.matmul(A, A.T, alpha=1j)
        broken = A.copy()
        broken.indices = broken.indices + 100
        with self.assertRaisesRegex(ValueError, r"^A\.indices\["):
            spgemm.matmul(broken, A.T)
        short = A.copy()
        short.data = short.data[:1]
        with self.assertRaisesRegex(ValueError, "data"):
            spgemm.matmul(short, A.T)

    def test_arrays_and_options_are_called_as_here(self):
        A, C = square(), square().astype("complex128")
        for form in ("csr", "csc"):
            X = with_entry(form, "indptr", 5, 0)
            with self.assertRaisesRegex(ValueError, r"^B\.indptr\[5\] is 0, less"):
                spgemm.matmul(square(form), X)
        blocks = with_entry("bsr", "indices", 7, 99)
        with self.assertRaisesRegex(ValueError, r"^B\.indices\[7\] is 99"):
            spgemm.matmul(A, blocks)
        for work, error, text in (
                (lambda: spgemm.matmul(A, A, drop_tolerance=-1), ValueError,
                 "^drop_tolerance is -1"),
                (lambda: spgemm.estimate(A, A, error=1e-9), ValueError,
                 "^error is 1e-09, which the predictor auto does not take$"),
                (lambda: spgemm.matmul(C, C, semiring="min_plus"), TypeError,
                 "^semiring, min_plus, is not built"),
                (lambda: spgemm.matmul(C, C, keep_top=1, top_by="value"), TypeError,
                 "^top_by is 'value', and")):
            with self.assertRaisesRegex(error, text):
                work()

    def test_what_is_no_number(self):
        A = square()
        for work, text in (
                (lambda: spgemm.rap(A, A, A, alpha="x"), "alpha is not a number"),
                (lambda: spgemm.top_n(A, A, None), "n is not a number"),
                (lambda: spgemm.stream(A, A, None), "memory_limit is not a number"),
                (lambda: spgemm.top_n(A, A, 1, threshold="x"),
                 "threshold is not a number")):
            with self.assertRaisesRegex(TypeError, text):
                work()
        for work, text in (
                (lambda: spgemm.matmul(A, A, semiring=["x"]), "semiring is"),
                (lambda: spgemm.rap(A, A, A, semiring=["x"]), "semiring is"),
                (lambda: spgemm.stream(A, A, 10**6, threads=-2), "threads is -2"),
                (lambda: spgemm.top_n(A, A, 1, threshold=10**400), "out of range"),
                (lambda: spgemm.top_n(A, A, 1, threshold=np.nan), "NaN"),
                (lambda: spgemm.matmul(A, A, drop_tolerance=2**53 + 1),
                 "no float64")):
            with self.assertRaisesRegex(ValueError, text):
                work()


class Sizes(unittest.TestCase):
    def test_estimate(self):
        A = drawing.uniform(3000, 30)
        found = spgemm.estimate(A, A, rows=True)
        C = spgemm.matmul(A, A, keep_zeros=True)
        low, high = found.interval
        self.assertLess(abs(found.nnz - C.nnz), 0.1 * C.nnz)
        self.assertLessEqual(low, found.nnz)
        self.assertLessEqual(found.nnz, high)
        self.assertGreaterEqual(found.bound, C.nnz)
        self.assertEqual(found.products, int((A.indptr[1:] - A.indptr[:-1])[
            A.indices].sum()))
        self.assertEqual(found.row_nnz.shape, (3000,))
        size = C.data.nbytes + C.indices.nbytes + C.indptr.nbytes
        self.assertLess(abs(found.bytes - size), 0.1 * size)
        self.assertIs(found.fits(2 * size), True)
        self.assertIs(found.fits(size // 2), False)
        self.assertIsNone(found.fits(found.bytes))
        self.assertIn("Estimate(nnz=", repr(found))
        self.assertIn("<table>", found._repr_html_())
        for X in (A, A.tocsc(), A.tocoo()):
            self.assertEqual(spgemm.estimate(X, A).products, found.products)

    def test_bytes_are_those_of_c(self):
        """Of CSC, whose pointers are one for each column, and of wide indices."""
        I = sparse.identity(3, format="csc")
        wide = sparse.csc_matrix((np.ones(3), ([0, 1, 2], [0, 1, 2])), (3, 1000))
        A = sparse.csr_array(drawing.uniform(50, 3))
        A.indices, A.indptr = A.indices.astype("int64"), A.indptr.astype("int64")
        for X, Y in ((I, wide), (I.tocsr(), wide), (A, A), (A.tocsc(), A)):
            found = spgemm.estimate(X, Y)
            C = spgemm.matmul(X, Y, keep_zeros=True)
            self.assertEqual(found.bytes_of(C.nnz), size(C))
        self.assertIs(spgemm.estimate(I, wide).fits(1000), False)

    def test_no_memory_is_a_limit(self):
        A = drawing.uniform(100, 5)
        for work in (lambda: spgemm.matmul(A, A, memory_limit=0),
                     lambda: spgemm.top_n(A, A, 2, memory_limit=0),
                     lambda: spgemm.plan(A, A, memory_limit=0),
                     lambda: list(spgemm.stream(A, A, 0))):
            with self.assertRaises(spgemm.MemoryLimitError):
                work()

    def test_memory_limit_error_says_how_large(self):
        A = drawing.uniform(2000, 20)
        with self.assertRaises(spgemm.MemoryLimitError) as caught:
            spgemm.matmul(A, A, memory_limit=10**5)
        self.assertIsInstance(caught.exception, MemoryError)
        self.assertGreater(caught.exception.estimate.bytes, 10**5)

    def test_a_limit_error_does_not_contradict_itself(self):
        A = drawing.uniform(3000, 30)
        for work, limit in ((lambda n: spgemm.matmul(A[:1], A.tocsc(), memory_limit=n),
                             200_000),
                            (lambda n: spgemm.plan(A, A, memory_limit=n), 10**5),
                            (lambda n: spgemm.rap(A, A, A, memory_limit=n), 10**5)):
            with self.assertRaises(spgemm.MemoryLimitError) as caught:
                work(limit)
            found = caught.exception.estimate
            text = str(caught.exception)
            self.assertEqual("predicted" in text,
                             found is not None and found.bytes > limit)
            self.assertIn("memory_limit", text)
            self.assertNotIn("options.", text)
        self.assertGreater(self.error_of_plan(A).estimate.bytes, 10**5)

    def test_a_row_that_no_block_holds_is_named(self):
        n = 20_000
        B = sparse.identity(n, format="csr")
        A = sparse.vstack([B[:5], sparse.csr_matrix(np.ones((1, n)))], format="csr")
        size_of_row = 12 * n + 8
        # Of its entries, and of these with the memory that finds them.
        for limit, text in ((10**4, f"^row 5 of A @ B does not fit.* {size_of_row} "),
                            (size_of_row + 100, "^row 5 of A @ B: memory_limit is ")):
            blocks = spgemm.stream(A, B, limit)
            self.assertEqual(next(blocks)[0], 0)
            with self.assertRaisesRegex(spgemm.MemoryLimitError, text):
                list(blocks)

    def error_of_plan(self, A):
        with self.assertRaises(spgemm.MemoryLimitError) as caught:
            spgemm.plan(A, A, memory_limit=10**5)
        return caught.exception


if __name__ == "__main__":
    unittest.main()
