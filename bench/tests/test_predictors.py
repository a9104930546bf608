#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench_predictors and of bench/predictors_report.py.

    BENCH_PREDICTORS=build/release/bench/bench_predictors \\
    bench/tests/test_predictors.py
"""
import unittest

from support import InFolder, of_environment

PROGRAM = of_environment("BENCH_PREDICTORS")
SUITE = """# a comment
grid\tgenerate:stencil27 6 6 6 --dofs 1\tgenerate:aggregation 6 6 6
graph\tgenerate:rmat 8 4\tgenerate:rmat 8 4
"""
COLUMNS = (
    "matrix,nrows,products,nnz_c,method,threads,repetition,seconds,cpu_seconds,"
    "check_seconds,products_seconds,predict_seconds,allocate_seconds,"
    "multiply_seconds,compact_seconds,nnz_predicted,overflow_rows,"
    "overflow_entries,c_bytes,allocated_bytes,peak_bytes,upper_bound_bytes")


class Predictors(InFolder):
    def setUp(self):
        super().setUp()
        (self.folder / "suite.tsv").write_text(SUITE)

    def run_program(self, *words, status=0):
        return self.call(PROGRAM, *words, status=status)

    def rows(self, text):
        return super().rows(text, COLUMNS)

    def report(self, text, status=0):
        (self.folder / "out.csv").write_text(text)
        return self.python("predictors_report.py", "out.csv", status=status)


class Program(Predictors):
    def test_all_methods_take_turns_on_each_product(self):
        done = self.run_program("--threads", "1", "--repetitions", "2",
                                "suite.tsv")
        rows = self.rows(done.stdout)
        methods = {row["method"] for row in rows}
        self.assertLessEqual({"upper_bound", "precise", "sampled_nnz",
                              "sampled_cr", "stratified"}, methods)
        self.assertNotIn("caller", methods)
        self.assertEqual(
            sorted((r["matrix"], r["method"], r["repetition"]) for r in rows),
            sorted((matrix, method, repetition) for matrix in ("grid", "graph")
                   for method in methods for repetition in "01"))
        self.assertNotEqual(rows[0]["method"], rows[len(methods)]["method"])
        for row in rows:
            self.assertGreater(float(row["seconds"]), 0)
            self.assertGreaterEqual(int(row["peak_bytes"]), int(row["c_bytes"]))
            if row["method"] == "precise":
                self.assertEqual(row["nnz_predicted"], row["nnz_c"])
                self.assertEqual(row["overflow_rows"], "0")
        self.assertEqual(len({r["nnz_c"] for r in rows if r["matrix"] == "grid"}), 1)
        for word in ("revision", "cpu", "default method"):
            self.assertIn(f"# {word}: ", done.stdout)

    def test_methods_are_chosen(self):
        done = self.run_program("--methods", "precise,sampled_cr", "suite.tsv",
                                "--repetitions", "1", "--output", "out.csv")
        self.assertEqual(done.stdout, "")
        rows = self.rows((self.folder / "out.csv").read_text())
        self.assertEqual({r["method"] for r in rows}, {"precise", "sampled_cr"})

    def test_a_matrix_that_cannot_be_read_costs_its_product_only(self):
        done = self.run_program("--methods", "precise", "no.mtx", "suite.tsv",
                                status=1)
        self.assertIn("no.mtx: ", done.stderr)
        self.assertEqual({r["matrix"] for r in self.rows(done.stdout)},
                         {"grid", "graph"})

    def test_a_wrong_command_line(self):
        cases = [([], "bench_predictors needs SUITE.tsv|MATRIX.mtx..."),
                 (["--methods", "guess", "m"], "'guess' is not a method"),
                 (["--repetitions", "0", "m"], "--repetitions: '0' is not"),
                 (["--threads", "x", "m"], "--threads: 'x' is not"),
                 (["--output", "no/out.csv", "m"], "cannot be written"),
                 (["no.tsv"], "no.tsv: cannot be read"),
                 (["--what"], "unknown option '--what'")]
        for words, why in cases:
            self.assertIn(why, self.run_program(*words, status=2).stderr)
        self.assertIn("Usage: bench_predictors", self.run_program("--help").stdout)


def line(method, cpu, overflow, allocated, repetition=0, seconds=9.0, threads=1):
    values = ("one", 1000, 8_000_000, 1_000_000, method, threads, repetition,
              seconds, cpu, 0.001, 0.002, 0.003, 0.004, 0.005, 0.006, 1_100_000,
              overflow, 10 * overflow, 12_000_000, allocated, 15_000_000,
              96_000_000)
    return ",".join(map(str, values))


HEADER = f"# cpu: Test CPU\n# default method: stratified\n{COLUMNS}\n"


class Report(Predictors):
    def test_medians_against_the_default(self):
        lines = [line("sampled_cr", cpu, 4, 13_200_000, k)
                 for k, cpu in enumerate((0.3, 0.1, 0.2))]
        lines += [line("stratified", 0.1, 0, 12_600_000, k) for k in range(3)]
        text = self.report(HEADER + "\n".join(lines) + "\n# skipped: a,b: c\n").stdout
        rows = [row.split() for row in text.splitlines()]
        self.assertIn("sampled_cr 1.100 4 40 1.2 10.0 15.0 3.00 200.00 2.000".split(),
                      rows)
        self.assertIn("stratified 1.100 0 0 0.6 5.0 15.0 3.00 100.00 1.000".split(),
                      rows)
        self.assertIn("sampled_cr 1 2.000 2.000 4 10.0".split(), rows)
        self.assertIn("medians of 3 calls", text)
        self.assertIn("skipped: a,b: c", text)

    def test_more_threads_have_wall_time(self):
        text = self.report(HEADER + line("stratified", 0.1, 0, 12_000_000,
                                         seconds=0.05, threads=2) + "\n").stdout
        self.assertIn(" 50.00 ", text)

    def test_a_malformed_file(self):
        good = line("stratified", 0.1, 0, 12_000_000)
        cases = [(good.rpartition(",")[0], "line 4: 21 fields, not 22"),
                 (good.replace("0.1", "soon"),
                  "line 4: cpu_seconds: 'soon' is not a number"),
                 ("", "no rows")]
        for text, why in cases:
            text = HEADER + (text and text + "\n")
            self.assertIn(f"out.csv: {why}", self.report(text, status=2).stderr)
        self.assertIn("line 1: the columns lack method",
                      self.report("matrix\n", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
