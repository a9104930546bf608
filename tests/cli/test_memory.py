#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The command where memory ends, at every single call for it; and where bits do.

    SPGEMM=build/release/spgemm FAILING_CALLS=build/release/tests/cli/failing_calls.so \\
        tests/cli/test_memory.py [GROUP]
"""
import bz2
import gzip
import lzma
import os
import subprocess
import sys
import unittest
from concurrent.futures import ThreadPoolExecutor

from hostile_files import TINY, tar, zstd
from test_cli import SPGEMM, CliTest
from test_npz import square

FAILING_CALLS = os.path.abspath(os.environ.get(
    "FAILING_CALLS", "build/release/tests/cli/failing_calls.so"))
OUT_OF_MEMORY = 5


class FailingCalls(CliTest):
    def setUp(self):
        super().setUp()
        text = TINY.encode()
        for name, content in {
                "A.mtx": text, "A.mtx.gz": gzip.compress(text), "A.mtx.xz": lzma.compress(text),
                "A.mtx.bz2": bz2.compress(text), "A.mtx.zst": zstd(text),
                "A.tar": tar([("A/A.mtx", text)]),
                "A.npz": square("<f8", [0, 1], [1, 7], [0, 1, 2], 2)}.items():
            self.write(name, content)

    def run_failing(self, words, **variables):
        env = {**os.environ, "LD_PRELOAD": FAILING_CALLS, "OMP_NUM_THREADS": "2",
               "OMP_WAIT_POLICY": "passive", **variables}
        return subprocess.run([SPGEMM, *words], cwd=self.folder, env=env, capture_output=True)

    def check(self, words, want, variables):
        done = self.run_failing(words, **variables)
        where = f"{words} {variables}: {done.returncode} {done.stderr.decode()}"
        if done.returncode == 0:
            if want is not None:
                self.assertEqual(done.stdout, want, where)
            return
        self.assertEqual(done.returncode, OUT_OF_MEMORY, where)
        self.assertIn(b"spgemm: ", done.stderr, where)
        self.assertTrue((want or b"").startswith(done.stdout), where)

    def fail_everywhere(self, words, is_text=False):
        """Each call fails once, and every third from there on."""
        done = self.run_failing(words, FAIL_COUNT="count")
        self.assertEqual(done.returncode, 0, done.stderr)
        calls = int((self.folder / "count").read_text())
        self.assertGreater(calls, 5)
        want = done.stdout if is_text else None
        jobs = [{"FAIL_AT": str(k)} for k in range(1, calls + 1)]
        jobs += [{"FAIL_AT": str(k), "FAIL_EVER": "1"} for k in range(1, calls + 1, 3)]
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for job in [pool.submit(self.check, words, want, job) for job in jobs]:
                job.result()

    def test_reading(self):
        for name in ("A.mtx.gz", "A.mtx.xz", "A.mtx.bz2", "A.mtx.zst", "A.tar", "A.npz"):
            with self.subTest(name):
                self.fail_everywhere(["multiply", name, "-o", "-"], is_text=True)

    def test_writing(self):
        for words in (["multiply", "A.mtx", "-o", "C.npz"],
                      ["multiply", "A.mtx", "-o", "C.mtx", "--memory-limit", "1G"],
                      ["multiply", "A.mtx", "--mask", "A.npz", "--rows", "0-1", "--alpha", "2",
                       "--transpose-a", "--keep-top", "1", "-o", "C.mtx"],
                      ["convert", "A.mtx", "-o", "C.mtx.gz"],
                      ["convert", "A.mtx", "-o", "C.npz"],
                      ["spy", "A.mtx", "--product", "-T", "-o", "C.svg"],
                      ["spy", "A.mtx", "-o", "C.png"]):
            with self.subTest(words):
                self.fail_everywhere(words)

    def test_other_commands(self):
        for words in (["info", "A.mtx"], ["predict", "A.mtx"], ["compare", "A.mtx", "-r1"],
                      ["compare", "A.mtx", "-r1", "--report", "C.html"],
                      ["generate", "stencil5", "3", "3", "-o", "G.mtx"]):
            with self.subTest(words):
                self.fail_everywhere(words)


class Integers(CliTest):
    """Of a Matrix Market file: 64 bits, as far as no real number meets them."""
    LARGE = (1 << 53) + 1

    def setUp(self):
        super().setUp()
        head = "%%MatrixMarket matrix coordinate "
        self.write("I.mtx", f"{head}integer general\n1 1 1\n1 1 {self.LARGE}\n")
        self.write("one.mtx", f"{head}integer general\n1 1 1\n1 1 1\n")
        self.write("R.mtx", f"{head}real general\n1 1 1\n1 1 1\n")
        self.write("P.mtx", f"{head}pattern general\n1 1 1\n1 1\n")
        self.write("S.mtx", f"{head}integer skew-symmetric\n2 2 1\n2 1 {-self.LARGE}\n")

    def product(self, *words):
        lines = self.ok("multiply", *words, "-o", "-").splitlines()
        return lines[0].split()[3], [line.split() for line in lines[2:]]

    def test_every_bit_is_kept(self):
        self.assertEqual(self.product("I.mtx", "one.mtx"),
                         ("integer", [["1", "1", str(self.LARGE)]]))
        self.write("two.mtx", "%%MatrixMarket matrix coordinate integer general\n"
                              "2 2 2\n1 1 1\n2 2 1\n")
        self.assertEqual(self.product("two.mtx", "S.mtx"),
                         ("integer", [["1", "2", str(self.LARGE)], ["2", "1", str(-self.LARGE)]]))

    def test_sums_wrap(self):
        square = self.LARGE ** 2 % (1 << 64)
        self.assertEqual(self.product("I.mtx")[1],
                         [["1", "1", str(square - (square >> 63 << 64))]])

    def test_with_a_real_one_they_are_rounded(self):
        for other in ("R.mtx", "P.mtx"):
            field, entries = self.product("I.mtx", other)
            self.assertEqual(field, "real")
            self.assertEqual(float(entries[0][2]), float(1 << 53))


class TooLittle(CliTest):
    def test_what_a_product_needs_before_it_is_predicted(self):
        self.ok("generate", "stencil5", 100, 100, "-o", "A.mtx")
        self.refused(4, "multiply: 100 kB are not enough to begin: 160 kB are row pointers of C "
                     "and counts of products", "multiply", "A.mtx", "--memory-limit", "100K")

    def test_who_can_help_is_told(self):
        """Of a pipe nobody knows the length: what the system has left is its limit."""
        head = "%%MatrixMarket matrix coordinate real general\n"
        self.refused(4, "the limit is [0-9]+; the system has [0-9.]+ .B left$", "info", "-",
                     stdin=f"{head}2 2 9000000000000000000\n".encode())
        self.refused(4, "the limit is 33554432; see --memory-limit$", "info", "-",
                     stdin=f"{head}2000000000 2000000000 0\n".encode())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
