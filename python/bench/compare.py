#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Squares by SciPy, sorted, and by spgemm, in turn.

    python3 python/bench/compare.py [DIR|FILE...] [--generated] [--threads N]
                                    [--output CSV]

Matrices are .mtx (plain or packed) or .npz files, those whose square has 10^5
products or more; without any, or with --generated, kinds are made here. Each
call's result is freed before the next. SciPy has one thread. What others are
installed is timed as well: sparse_dot_mkl, with its rows sorted (where it does not
find MKL, set MKL_RT to libmkl_rt.so), and python-graphblas, on matrices of its own.
"""
import argparse
import csv
import gc
import lzma
import math
import os
import statistics
import sys
import time
from pathlib import Path

import numpy as np
import scipy
import scipy.io
import scipy.sparse as sparse

import spgemm

LEAST_PRODUCTS = 100_000
REPETITIONS = 5
SECONDS = 3.0


def generated():
    """Kinds of matrices, by name."""
    rng = np.random.default_rng(1)
    n = 60000
    line = sparse.diags([1, 1, 1], [-1, 0, 1], (n, n), format="csr")
    small = sparse.diags([1, 1, 1], [-1, 0, 1], (300, 300), format="csr")
    yield "tridiagonal", line
    yield "grid-9", sparse.kron(small, small, format="csr")
    yield "band-51", sparse.diags([1.0] * 51, range(-25, 26), (20000, 20000),
                                  format="csr")
    for degree in (3, 8, 30):
        rows = np.repeat(np.arange(n), degree)
        yield f"uniform-{degree}", sparse.csr_matrix(
            (rng.random(n * degree), (rows, rng.integers(0, n, n * degree))),
            shape=(n, n))
    ends = (n * rng.random((2, 4 * n)) ** 3).astype(int)
    yield "skewed", sparse.csr_matrix((rng.random(4 * n), tuple(ends)),
                                      shape=(n, n))


def load(path):
    """What a file holds; SciPy itself unpacks gzip and bzip2, not xz."""
    if path.suffix == ".npz":
        return sparse.load_npz(path)
    if path.suffix == ".xz":
        with lzma.open(path) as file:
            return scipy.io.mmread(file)
    return scipy.io.mmread(path)


def read(path):
    """A square CSR matrix of doubles, or None."""
    A = load(path)
    if not sparse.issparse(A) or A.shape[0] != A.shape[1]:
        return None
    A = sparse.csr_matrix(A)
    if A.dtype.kind == "c":
        return None
    A = A.astype("float64")
    A.sum_duplicates()
    return A


def matrices(names, with_generated):
    """(name, matrix) of files and folders, and those made here."""
    for name in names:
        path = Path(name)
        files = sorted(path.iterdir()) if path.is_dir() else [path]
        for file in files:
            if file.name.endswith((".mtx", ".mtx.gz", ".mtx.xz", ".npz")):
                A = read(file)
                if A is not None:
                    yield file.name.split(".mtx")[0].split(".npz")[0], A
    if with_generated or not names:
        yield from generated()


def by_scipy(A):
    C = A @ A
    C.sort_indices()
    return C


def by_mkl(threads):
    """sparse_dot_mkl, by the OpenMP that spgemm uses."""
    os.environ.setdefault("MKL_THREADING_LAYER", "GNU")
    from sparse_dot_mkl import dot_product_mkl, mkl_set_num_threads
    mkl_set_num_threads(threads)
    return lambda A: dot_product_mkl(A, A, reorder_output=True)


def by_graphblas(threads):
    """python-graphblas; its matrix of A is made before time is taken."""
    import graphblas
    graphblas.ss.config["nthreads"] = threads
    plus_times = graphblas.semiring.plus_times
    last = [None, None]

    def multiply(A):
        if last[0] is not A:
            last[:] = A, graphblas.io.from_scipy_sparse(A)
        C = plus_times(last[1] @ last[1]).new()
        C.wait()
        return C

    return multiply


def others(threads):
    """What else is installed."""
    for name, ways in (("sparse_dot_mkl", by_mkl),
                       ("python-graphblas", by_graphblas)):
        try:
            yield name, ways(threads)
        except ImportError:
            pass


def timed(work):
    start = time.perf_counter()
    C = work()
    seconds = time.perf_counter() - start
    del C
    return seconds


def measure(A, ways):
    """Medians of the ways, in turn."""
    times = {name: [] for name in ways}
    begin = time.perf_counter()
    for _ in range(REPETITIONS):
        for name, work in ways.items():
            gc.collect()
            times[name].append(timed(lambda: work(A)))
        if time.perf_counter() - begin > SECONDS:
            break
    return {name: statistics.median(t) for name, t in times.items()}


def check(A):
    """Both are the same, bit for bit."""
    C, D = by_scipy(A), spgemm.matmul(A, A)
    same = (np.array_equal(C.indptr, D.indptr)
            and np.array_equal(C.indices, D.indices)
            and np.array_equal(C.data, D.data))
    if not same:
        raise SystemExit("the results differ")
    return D.nnz


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("matrices", nargs="*")
    parser.add_argument("--generated", action="store_true")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--output", type=Path)
    arguments = parser.parse_args()
    ways = {"scipy": by_scipy,
            "spgemm": lambda A: spgemm.matmul(A, A, threads=arguments.threads)}
    peers = dict(others(arguments.threads))
    gc.freeze()  # a walk through all that is imported would empty the caches
    rows = []
    for name, A in matrices(arguments.matrices,
                            arguments.generated):
        products = int((A.indptr[1:] - A.indptr[:-1])[A.indices].sum())
        if products < LEAST_PRODUCTS:
            continue
        nnz = check(A)
        found = measure(A, ways)
        for work in peers.values():
            work(A)  # the others were checked
        found.update(measure(A, peers))  # whose threads wait awake for a while
        rows.append([name, A.shape[0], A.nnz, products, nnz,
                     *(f"{seconds:.6f}" for seconds in found.values())])
        ratio = found["scipy"] / found["spgemm"]
        print(f"{name:32} {products:14,} {found['scipy']:9.4f} "
              f"{found['spgemm']:9.4f} {ratio:7.2f}", flush=True)
    head = ["matrix", "rows", "nnz", "products", "nnz_c", *ways, *peers]
    if rows:
        print(f"{len(rows)} squares, {arguments.threads} threads; times of "
              "spgemm's, geometric mean, least and most:")
    for at, name in enumerate([*ways, *peers], 5):
        ratios = [float(r[at]) / float(r[6]) for r in rows]
        if ratios and name != "spgemm":
            mean = math.exp(statistics.fmean(map(math.log, ratios)))
            print(f"{name:32} {mean:6.2f} {min(ratios):6.2f} "
                  f"{max(ratios):6.2f}")
    if arguments.output:
        with arguments.output.open("w", newline="") as file:
            print(f"# spgemm {spgemm.__version__}, SciPy {scipy.__version__}, "
                  f"NumPy {np.__version__}, Python {sys.version.split()[0]}, "
                  f"{arguments.threads} threads", file=file)
            writer = csv.writer(file)
            writer.writerow(head)
            writer.writerows(rows)


if __name__ == "__main__":
    main()
