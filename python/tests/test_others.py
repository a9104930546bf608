# SPDX-License-Identifier: BSD-3-Clause
"""Programs that others wrote, under patch_scipy(): SciPy's own tests of products,
scikit-learn, PyAMG."""
import importlib.util
import os
import subprocess
import sys
import unittest

import numpy as np
import scipy.sparse as sparse

import spgemm

HERE = os.path.dirname(os.path.abspath(__file__))


def needs(module):
    return unittest.skipUnless(importlib.util.find_spec(module),
                               f"{module} is not installed")


def failures(tests, *arguments):
    """Those of SciPy's tests that fail."""
    path = os.pathsep.join([HERE, *filter(None, [os.environ.get("PYTHONPATH")])])
    done = subprocess.run(
        [sys.executable, "-B", "-m", "pytest", "-q", "-W", "ignore", "--tb=no",
         "-rfE", "-p", "no:cacheprovider", *arguments, "--pyargs", *tests],
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": path})
    if " passed" not in done.stdout:
        raise AssertionError(done.stdout + done.stderr)
    return {line.split()[1] for line in done.stdout.splitlines()
            if line.startswith(("FAILED", "ERROR"))}


class Others(unittest.TestCase):
    @needs("pytest")
    def test_products_of_scipy(self):
        tests = ["scipy.sparse.tests.test_base"]
        chosen = ["-k", "matmul or dot or pow or multiply_broadcast"]
        failed = failures(tests, "-p", "under_patch", *chosen)
        # What fails without us, too, is not ours.
        if failed:
            failed -= failures(tests, *chosen)
        self.assertEqual(failed, set())

    @needs("sklearn")
    def test_neighbours_of_scikit_learn(self):
        from sklearn.feature_extraction.text import TfidfVectorizer
        from sklearn.metrics.pairwise import cosine_similarity
        from sklearn.preprocessing import PolynomialFeatures
        rng = np.random.default_rng(1)
        words = [f"w{t}" for t in range(300)]
        texts = [" ".join(rng.choice(words, 12)) for _ in range(400)]

        def work():
            X = TfidfVectorizer().fit_transform(texts)
            return cosine_similarity(X, dense_output=False)
        expected = work()
        with spgemm.patch_scipy():
            C = work()
            PolynomialFeatures(2).fit_transform(sparse.random(
                30, 8, 0.3, "csr", random_state=1))
        expected.sort_indices()
        np.testing.assert_array_equal(C.indices, expected.indices)
        # Rows of TF-IDF are a product: SciPy leaves them unsorted, and the sums
        # that are made of them then go in another order than ours.
        np.testing.assert_allclose(C.data, expected.data, rtol=1e-14)

    @needs("pyamg")
    def test_multigrid_of_pyamg(self):
        import pyamg
        A = pyamg.gallery.poisson((60, 60), format="csr")
        b = np.ones(A.shape[0])

        def work():
            np.random.seed(0)
            solver = pyamg.smoothed_aggregation_solver(A)
            residuals = []
            solver.solve(b, tol=1e-8, residuals=residuals)
            return [level.A.nnz for level in solver.levels], residuals
        sizes, residuals = work()
        with spgemm.patch_scipy():
            ours, of_ours = work()
        self.assertEqual(ours, sizes)
        self.assertEqual(len(of_ours), len(residuals))
        np.testing.assert_allclose(of_ours, residuals, rtol=1e-6, atol=1e-10)


if __name__ == "__main__":
    unittest.main()
