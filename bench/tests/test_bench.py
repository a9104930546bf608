#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the benchmark's driver.

    BENCH=build/release/bench/bench_spgemm FAULTY=build/release/bench/tests \\
    DATA=tests/data bench/tests/test_bench.py
"""
import unittest

from support import RESULT_COLUMNS, InFolder, of_environment

BENCH = of_environment("BENCH")
FAULTY = of_environment("FAULTY")
DATA = of_environment("DATA")
SUITE = """# a comment

grid\tgenerate:stencil27 6 6 6 --dofs 1\tgenerate:aggregation 6 6 6
coarse\tgenerate:aggregation 6 6 6 --transpose\tproduct:grid
square\tsquare_4.mtx\tsquare_4.mtx
"""


class Bench(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "suite.tsv").write_text(SUITE)

    def bench(self, *words, status=0):
        return self.call(BENCH, *words, status=status)

    def rows(self, text):
        return super().rows(text, RESULT_COLUMNS)

    def test_a_suite_is_timed_in_both_orders_and_memories(self):
        done = self.bench("--peers", ".", "--matrices", DATA, "--threads", "1,2",
                          "--repetitions", "3", "suite.tsv")
        rows = self.rows(done.stdout)
        seen = {(r["matrix"], r["method"], r["order"], r["threads"], r["memory"])
                for r in rows}
        methods = {("predicted", "sorted"), ("predicted", "unsorted"),
                   ("precise", "sorted"), ("upper_bound", "sorted")}
        self.assertEqual(seen, {(matrix, *method, threads, memory)
                                for matrix in ("grid", "coarse", "square")
                                for method in methods for threads in "12"
                                for memory in ("returned", "kept")})
        for row in rows:
            self.assertGreater(float(row["seconds"]), 0)
            self.assertGreater(float(row["floor_seconds"]), 0)
            self.assertGreater(int(row["c_bytes"]), 0)
            self.assertEqual(int(row["nrows"]),
                             {"grid": 216, "coarse": 8, "square": 4}[row["matrix"]])
        for word in ("revision", "cpu", "compiler", "memory", "clock", "bandwidth"):
            self.assertIn(f"# {word}", done.stdout)

    def test_methods_and_orders_are_chosen(self):
        done = self.bench("--peers", FAULTY, "--methods", "precise,right",
                          "--orders", "sorted", "--threads", "1,2",
                          "--repetitions", "1", f"{DATA}/square_4.mtx")
        self.assertEqual({(r["method"], r["order"], r["threads"])
                          for r in self.rows(done.stdout)},
                         {("precise", "sorted", "1"), ("precise", "sorted", "2"),
                          ("right", "sorted", "1")})

    def test_a_wrong_peer_is_told_and_not_timed(self):
        done = self.bench("--peers", FAULTY, "--threads", "1", "--limit", "1",
                          "--repetitions", "1", f"{DATA}/square_4.mtx")
        timed = {(r["method"], r["order"]) for r in self.rows(done.stdout)}
        for case in (("predicted", "sorted"), ("right", "sorted"),
                     ("right", "unsorted"), ("unsorted", "unsorted")):
            self.assertIn(case, timed)
        faults = {"wrong_value,sorted": "WRONG: C has a wrong value",
                  "wrong_column,unsorted": "WRONG: C is no matrix",
                  "unsorted,sorted": "WRONG: C has rows that are not sorted",
                  "lacking,sorted": "WRONG: C lacks an entry",
                  "fails,sorted": "could not multiply",
                  "slow,sorted": "took more than 1 s",
                  "crashes,sorted": "ended by signal 9 (Killed)"}
        for case, why in faults.items():
            self.assertNotIn(tuple(case.split(",")), timed)
            self.assertIn(f"# skipped: square_4,{case},1: {why}\n", done.stdout)
            self.assertIn(why, done.stderr)

    def test_a_module_that_is_none_is_left_out(self):
        (self.folder / "broken.so").write_text("no module")
        done = self.bench("--peers", ".", "--threads", "1", "--repetitions", "1",
                          f"{DATA}/square_4.mtx")
        self.assertIn("# peer broken: left out: ended with status 1", done.stdout)
        self.assertIn("predicted", done.stdout)

    def test_complete_products_are_not_timed_again(self):
        words = ["--peers", ".", "--matrices", DATA, "--threads", "1",
                 "--repetitions", "1", "--output", "out.csv"]
        self.bench(*words, "suite.tsv")
        output = self.folder / "out.csv"
        text = output.read_text()
        once = self.rows(text)
        output.write_text(text.replace("# done: coarse\n", ""))
        self.bench(*words, "--resume", "suite.tsv")
        self.assertEqual(output.read_text().count(RESULT_COLUMNS), 1)
        rows = self.rows(output.read_text())
        for name in ("grid", "square"):
            self.assertEqual([r for r in once if r["matrix"] == name],
                             [r for r in rows if r["matrix"] == name])
        self.assertNotEqual([r for r in once if r["matrix"] == "coarse"],
                            [r for r in rows if r["matrix"] == "coarse"])
        self.assertEqual(len(rows), len(once))

    def test_a_wrong_command_line(self):
        (self.folder / "bad.tsv").write_text("name left right\n")
        matrix = f"{DATA}/square_4.mtx"
        cases = [
            ([], "bench_spgemm needs SUITE.tsv|MATRIX.mtx..."),
            (["--threads", "0", matrix], "--threads: '0' is not a number of threads"),
            (["--threads", "1,x", matrix], "'x' is not a number of threads"),
            (["--repetitions", "0", matrix], "--repetitions: '0' is not"),
            (["--seconds", "soon", matrix], "--seconds: 'soon' is not a number"),
            (["--orders", "random", matrix], "--orders: unknown ORDER 'random'"),
            (["--huge-pages", "maybe", matrix], "--huge-pages: unknown SWITCH 'maybe'"),
            (["--methods", "predict", matrix], "no method 'predict'"),
            (["--resume", matrix], "--resume needs --output"),
            (["--output", "no/out.csv", matrix], "no/out.csv: cannot be written"),
            (["no.tsv"], "no.tsv: cannot be read"),
            (["bad.tsv"], "a line is NAME, LEFT and RIGHT, by tabs"),
            (["--what"], "unknown option '--what'"),
        ]
        for words, why in cases:
            self.assertIn(why, self.bench(*words, status=2).stderr)

    def test_a_matrix_that_cannot_be_read_costs_its_product_only(self):
        done = self.bench("--peers", ".", "--threads", "1", "--repetitions", "1",
                          "no.mtx", f"{DATA}/wide_4x2.mtx", f"{DATA}/square_4.mtx",
                          status=1)
        self.assertIn("no.mtx: ", done.stderr)
        self.assertIn("wide_4x2: the shapes do not fit", done.stderr)
        self.assertEqual({r["matrix"] for r in self.rows(done.stdout)}, {"square_4"})

    def test_help(self):
        self.assertIn("Usage: bench_spgemm", self.bench("--help").stdout)


if __name__ == "__main__":
    unittest.main()
