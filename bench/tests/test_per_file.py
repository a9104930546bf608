#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench_types, bench_plans, bench_chains, bench_scaling and
bench_triangles.

    PROGRAMS=build/release/bench/bench_types:build/release/bench/bench_plans \\
    SPGEMM=build/release/spgemm bench/tests/test_per_file.py
"""
import os
import unittest
from pathlib import Path

from support import InFolder, of_environment

PROGRAMS = {Path(p).name: os.path.abspath(p)
            for p in os.environ["PROGRAMS"].split(":")}
SPGEMM = of_environment("SPGEMM")
COLUMNS = {
    "bench_types": "matrix,products,nnz,type,semiring,threads,seconds,speed",
    "bench_plans": "matrix,products,nnz,threads,fresh,created,repeated,ratio",
    "bench_chains":
        "matrix,products,nnz,nnz_error,nnz_worst,nnz_right,products_error,"
        "products_worst,products_right,sampled,seconds,multiply",
    "bench_scaling":
        "matrix,products,nnz,threads,seconds,speedup,serial,wait",
    "bench_triangles":
        "matrix,nnz,sum,threads,ours,graphblas,graphblas_transposed",
}
PATH = """%%MatrixMarket matrix coordinate pattern symmetric
4 4 4
2 1
3 1
3 2
4 3
"""


class PerFile(InFolder):
    def setUp(self):
        super().setUp()
        self.generate("grid.mtx", "stencil5", "20", "20")
        (self.folder / "triangle.mtx").write_text(PATH)

    def generate(self, name, *words):
        self.call(SPGEMM, "generate", *words, "-o", name)

    def run_program(self, name, *words, status=0):
        return self.call(PROGRAMS[name], *words, status=status)

    def rows(self, name, *words):
        return super().rows(self.run_program(name, *words).stdout, COLUMNS[name])

    def test_types_take_turns_on_each_matrix(self):
        rows = self.rows("bench_types", "1", "grid.mtx", "triangle.mtx")
        kinds = [("double", "plus_times"), ("float", "plus_times"),
                 ("complex double", "plus_times"), ("int64", "plus_times"),
                 ("double", "min_plus")]
        self.assertEqual([(r["matrix"], r["type"], r["semiring"]) for r in rows],
                         [(matrix, *kind) for matrix in ("grid.mtx", "triangle.mtx")
                          for kind in kinds])
        self.assertEqual({r["nnz"] for r in rows[5:]}, {"14"})
        self.assertEqual({r["products"] for r in rows[5:]}, {"18"})
        for row in rows:
            self.assertGreater(float(row["seconds"]), 0)

    def test_plans_beside_fresh_calls(self):
        rows = self.rows("bench_plans", "2", "grid.mtx")
        self.assertEqual([r["threads"] for r in rows], ["2"])
        self.assertAlmostEqual(
            float(rows[0]["fresh"]) / float(rows[0]["repeated"]),
            float(rows[0]["ratio"]), delta=0.1 * float(rows[0]["ratio"]))

    def test_a_small_chain_is_counted(self):
        """All walks of three steps but those from 4 to itself, which need an odd circle."""
        rows = self.rows("bench_chains", "1", "triangle.mtx")
        self.assertEqual([(r["nnz_worst"], r["products_worst"], r["nnz_right"])
                          for r in rows], [("0.0000", "0.0000", "1.00")])
        self.assertEqual([r["nnz"] for r in rows], ["15"])

    def test_teams_of_twice_the_size(self):
        self.generate("large.mtx", "erdos-renyi", "20000", "8")
        rows = self.rows("bench_scaling", "8", "large.mtx")
        self.assertEqual([r["threads"] for r in rows], ["1", "2", "4", "8"])
        self.assertEqual(rows[0]["speedup"], "1.00")
        for row in rows:
            self.assertTrue(0 < float(row["speedup"]) < 2 * int(row["threads"]))
            self.assertTrue(0 <= float(row["serial"]) <= 1)

    @unittest.skipUnless("bench_triangles" in PROGRAMS, "GraphBLAS is absent")
    def test_triangles_are_counted(self):
        rows = self.rows("bench_triangles", "1", "triangle.mtx")
        self.assertEqual([r["sum"] for r in rows], ["6"])
        self.assertEqual([r["nnz"] for r in rows], ["8"])

    def test_a_matrix_without_a_square_is_left_out(self):
        self.generate("wide.mtx", "random", "10", "20", "2")
        for name in PROGRAMS:
            done = self.run_program(name, "1", "wide.mtx", "triangle.mtx")
            self.assertIn(f"{name}: wide.mtx: left out: its square does not "
                          "exist, it has 10 rows and 20 columns", done.stderr)
            self.assertIn("\ntriangle.mtx,", done.stdout)
            self.assertNotIn("\nwide.mtx,", done.stdout)

    def test_a_file_that_cannot_be_read_costs_its_lines_only(self):
        (self.folder / "bad.mtx").write_text(PATH.replace("2 1\n", "2 x\n"))
        for name in PROGRAMS:
            done = self.run_program(name, "1", "no.mtx", "bad.mtx",
                                    "triangle.mtx", status=1)
            self.assertIn(f"{name}: no.mtx: ", done.stderr)
            self.assertIn(f"{name}: bad.mtx:3: ", done.stderr)
            self.assertIn("\ntriangle.mtx,", done.stdout)

    def test_a_wrong_command_line(self):
        for name in PROGRAMS:
            for words in ([], ["1"], ["0", "grid.mtx"], ["2x", "grid.mtx"],
                          ["grid.mtx", "grid.mtx"]):
                done = self.run_program(name, *words, status=2)
                self.assertEqual(done.stderr, f"usage: {name} THREADS FILE...\n")
                self.assertEqual(done.stdout, "")


if __name__ == "__main__":
    unittest.main()
