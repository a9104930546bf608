#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The n best of each row of X X^T by spgemm.top_n and by sparse_dot_topn, in turn.

    python3 python/bench/names.py [--names N] [--n N] [--threshold T] [--threads N]

Rows of X are names that are made here, of unit length, by TF-IDF of their
three letters in a row. Both results are held against each other, bit for bit.
"""
import argparse
import statistics
import time

import numpy as np
import scipy.sparse as sparse

import spgemm

SOUNDS = [a + b + c for a in "bcdfghjklmnprstvwz" for b in "aeiou"
          for c in ("", "l", "n", "r", "s", "t")]
ENDINGS = ["ltd", "inc", "gmbh", "co", "group"]


def make_names(count):
    """Two words, of each ten one ending; one name in five is another with a
    letter less."""
    rng = np.random.default_rng(1)
    words = ["".join(rng.choice(SOUNDS, rng.integers(2, 5)))
             for _ in range(20000)]
    share = 1 / np.arange(1, len(words) + 1) ** 0.5
    chosen = rng.choice(len(words), (count, 2), p=share / share.sum())
    names = [f"{words[a]} {words[b]}" for a, b in chosen]
    for i in np.flatnonzero(rng.random(count) < 0.1):
        names[i] += " " + ENDINGS[rng.integers(len(ENDINGS))]
    for i in np.flatnonzero(rng.random(count) < 0.2):
        name = names[rng.integers(count)]
        cut = rng.integers(len(name))
        names[i] = name[:cut] + name[cut + 1:]
    return names


def tf_idf(names):
    """Rows of unit length: names by what three letters they have."""
    grams = {}
    rows, columns = [], []
    for i, name in enumerate(names):
        for t in range(max(1, len(name) - 2)):
            rows.append(i)
            columns.append(grams.setdefault(name[t:t + 3], len(grams)))
    X = sparse.csr_matrix((np.ones(len(rows)), (rows, columns)),
                          shape=(len(names), len(grams)))
    met_by = np.bincount(X.indices, minlength=len(grams))
    X.data *= np.log((1 + len(names)) / (1 + met_by))[X.indices] + 1
    lengths = np.sqrt(np.add.reduceat(X.data ** 2, X.indptr[:-1]))
    X.data /= np.repeat(lengths, np.diff(X.indptr))
    return X


def ordered(C):
    """(row, value, column) of all entries, equals by column."""
    rows = np.repeat(np.arange(C.shape[0]), np.diff(C.indptr))
    order = np.lexsort((C.indices, -C.data, rows))
    return rows[order], C.data[order], C.indices[order]


def check(C, D):
    """The same rows of values, bit for bit: which of several equals is the
    last of n is open."""
    (i, x, _), (k, y, _) = ordered(C), ordered(D)
    if not (np.array_equal(i, k) and np.array_equal(x, y)):
        raise SystemExit("the results differ")


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--names", type=int, default=100_000)
    parser.add_argument("--n", type=int, default=10)
    parser.add_argument("--threshold", type=float)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--repetitions", type=int, default=3)
    a = parser.parse_args()
    X = tf_idf(make_names(a.names))
    T = X.T.tocsr()
    ways = {"spgemm": lambda: spgemm.top_n(X, T, a.n, threshold=a.threshold,
                                           threads=a.threads)}
    try:
        from sparse_dot_topn import sp_matmul_topn
        ways["sparse_dot_topn"] = lambda: sp_matmul_topn(
            X, T, a.n, threshold=a.threshold, sort=True, n_threads=a.threads)
    except ImportError:
        print("sparse_dot_topn is not there")
    products = int(np.diff(T.indptr)[X.indices].sum())
    print(f"{X.shape[0]:,} names, {X.nnz:,} entries, {products:,} products, "
          f"n {a.n}, threshold {a.threshold}, {a.threads} threads")
    times = {name: [] for name in ways}
    for _ in range(a.repetitions):
        found = []
        for name, work in ways.items():
            start = time.perf_counter()
            found.append(work())
            times[name].append(time.perf_counter() - start)
        if len(found) == 2:
            check(*found)
    for name, seconds in times.items():
        print(f"{name:16} {statistics.median(seconds):8.3f} s")
    if len(times) == 2:
        ours, theirs = (statistics.median(t) for t in times.values())
        print(f"{theirs / ours:.2f} times as fast")


if __name__ == "__main__":
    main()
