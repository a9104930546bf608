#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench/report.py and of the figures, on results made by hand.

    bench/tests/test_report.py
"""
import re
import unittest

from support import BENCH, RESULT_COLUMNS, Figures, InFolder

HEADER = """\
# bench_spgemm of spgemm 0.1.0
# revision: 0123456789ab
# date: 2026-11-20 10:06 UTC
# cpu: Test CPU
# compiler: GNU 12.2.0
# peer broken: left out: ended with status 1
# bandwidth, threads 1: copy 20.0 GB/s, read 25.0 GB/s
# bandwidth, threads 2: copy 45.0 GB/s, read 40.0 GB/s
"""
OURS = ("predicted", "precise", "upper_bound")
SMALL = ("small", 100, 2_000_000, 1_000_000)
LARGE = ("large", 1000, 60_000_000, 5_000_000)


def rows(product, method, order, times, threads=1, memory="kept", predict=0.001,
         peak=70_000_000):
    """A row for each (seconds, cpu_seconds)."""
    lines = []
    for k, (seconds, cpu_seconds) in enumerate(times):
        report = ""
        if method in OURS:
            c_bytes = 12 * product[3] + 8 * (product[1] + 1)
            report = (f"0.001,0.002,{predict},0.003,0.02,0.004,{product[3]},0,"
                      f"{c_bytes},{c_bytes},{peak},80000000")
        lines.append(",".join(map(str, (
            *product, method, order, threads, memory, k, seconds, cpu_seconds,
            report or "," * 11, 0.006))))
    return lines


def same(seconds):
    return [(seconds, seconds)] * 3


def one_thread():
    """Medians of CPU time: 0.1 of small and 0.2 of large; its wall time is not
    to be looked at."""
    noisy = [(9, 0.3), (9, 0.1), (9, 0.05)]
    return [
        *rows(SMALL, "predicted", "sorted", noisy, peak=30_000_000),
        *rows(SMALL, "predicted", "unsorted", same(0.08), peak=30_000_000),
        *rows(SMALL, "precise", "sorted", same(0.15)),
        *rows(SMALL, "upper_bound", "sorted", same(0.12)),
        *rows(SMALL, "mkl", "sorted", same(0.4)),
        *rows(SMALL, "eigen", "sorted", same(0.5)),
        *rows(SMALL, "mkl", "unsorted", same(0.16)),
        "# done: small",
        *rows(LARGE, "predicted", "sorted", same(0.2)),
        *rows(LARGE, "predicted", "unsorted", same(0.2), peak=90_000_000),
        *rows(LARGE, "precise", "sorted", [(0.4, 0.4), (0.44, 0.44)]),
        *rows(LARGE, "upper_bound", "sorted", same(0.3)),
        *rows(LARGE, "mkl", "sorted", same(0.25)),
        *rows(LARGE, "eigen", "sorted", same(0.24)),
        *rows(LARGE, "mkl", "unsorted", same(0.22)),
    ]


def two_threads():
    return [
        *rows(LARGE, "predicted", "sorted", [(0.11, 0.2), (0.1, 0.2), (0.09, 0.2)],
              threads=2),
        *rows(LARGE, "mkl", "sorted", same(0.4), threads=2),
        "# skipped: large,mkl,unsorted,2: took more than 600 s",
        "# done: large",
    ]


class Results(InFolder):
    def setUp(self):
        super().setUp()
        self.csv = self.folder / "results.csv"

    def write(self, *lines, header=HEADER):
        self.csv.write_text(header + "\n".join([RESULT_COLUMNS, *lines]) + "\n")


class Report(Results):
    def report(self, *words, status=0):
        return self.python("report.py", self.csv, *words, status=status)

    def test_the_table_has_medians_and_ratios(self):
        self.write(*one_thread(), *two_threads())
        lines = self.report("--threads", "1").stdout.splitlines()
        start = lines.index("peers: eigen, mkl")
        self.assertEqual(lines[start - 1],
                         "1 thread, memory kept: medians of 2 to 3 calls; times are "
                         "CPU time, which other work on a shared machine disturbs "
                         "less than wall time")
        table = [line.split() for line in lines[start + 4:start + 8]]
        self.assertEqual(table, [
            "small 2.0 2.00 100.00 80.00 150.00 120.00 400.00 mkl 4.00 "
            "160.00 mkl 1.60 2.00 1.50 0.06".split(),
            "large 60.0 12.00 200.00 200.00 420.00 300.00 240.00 eigen 1.20 "
            "220.00 mkl 1.10 1.10 2.10 0.03".split(),
            "geometric mean 2.19 1.33 1.48 1.77 0.04".split(),
            "minimum 1.20 1.10 1.10 1.50 0.03".split()])

    def test_the_targets(self):
        self.write(*one_thread(), *two_threads())
        lines = self.report().stdout.splitlines()
        start = lines.index("Targets, 1 thread, memory kept:")
        self.assertEqual(lines[start + 1:start + 10], [
            "FAIL  (a) fastest sorted peer / ours sorted, geometric mean: 2.191 "
            "(target >= 3.00)",
            "FAIL  (a) fastest sorted peer / ours sorted, every matrix: 1.200 "
            "(large) (target >= 1.30): large 1.200",
            "FAIL  (b) fastest unsorted peer / ours sorted, geometric mean: 1.327 "
            "(target >= 1.70)",
            "pass  (b) fastest unsorted peer / ours sorted, every matrix: 1.100 "
            "(large) (target >= 1.00)",
            "FAIL  (b) fastest unsorted peer / ours unsorted, every matrix: 1.100 "
            "(large) (target >= 1.15): large 1.100",
            "pass  (c) precise / predicted, geometric mean: 1.775 (target >= 1.50)",
            "pass  (c) precise / predicted, every matrix: 1.500 (small) "
            "(target >= 1.10)",
            "pass  (d) prediction / precise (wall times), matrices of more than "
            "10 M products, mean: 0.238 %, worst 0.238 % (large) (target <= 0.75 %)",
            # 90 MB in the unsorted calls, of 1.1 * 60.008008 MB + 16 MB
            "FAIL  (f) peak of predicted / (1.10 C + 16 MB), every call, C of 50 MB "
            "or more: 1.097 (large) (target <= 1): large 1.097"])
        start = lines.index("Targets, two threads:")
        self.assertEqual(lines[start + 1:start + 3], [
            "pass  (e) memory kept, 1 thread / 2 threads (wall times), matrices of "
            "more than 50 M products, mean: 2.000 (target >= 1.85)",
            "      bandwidth of 2 threads / 1 thread: 1.80 (45.0 and 25.0 GB/s)"])

    def test_what_is_not_measured_does_not_pass(self):
        self.write(*one_thread(), *two_threads())
        text = self.report("--threads", "2").stdout
        self.assertIn("2 threads, memory kept: medians of 3 calls; times are wall "
                      "time\npeers: mkl\n", text)
        self.assertIn("\npass  (a) fastest sorted peer / ours sorted, every matrix: "
                      "4.000 (large) (target >= 1.30)\n", text)
        self.assertIn("\n  --  (c) precise / predicted: not measured\n", text)
        self.assertIn("\nSkipped:\n  large, mkl, unsorted, threads 2: "
                      "took more than 600 s\n", text)
        self.assertIn("\nPeers:\n  peer broken: left out: ended with status 1\n", text)
        self.assertNotIn("(e)", text)

    def test_a_matrix_without_ours_fails(self):
        lines = [line for line in one_thread()
                 if not line.startswith("small,100,2000000,1000000,predicted,sorted")]
        self.write(*lines, *two_threads())
        self.assertIn("\nFAIL  (c) precise / predicted, every matrix: 2.100 (large) "
                      "(target >= 1.10): small not measured\n", self.report().stdout)

    def test_memory_policies_have_tables_of_their_own(self):
        self.write(*rows(SMALL, "predicted", "sorted", same(0.1)),
                   *rows(SMALL, "predicted", "sorted", same(0.3), memory="returned"),
                   "# done: small")
        text = self.report().stdout
        self.assertLess(text.index("1 thread, memory kept: medians of 3 calls"),
                        text.index("1 thread, memory returned: medians of 3 calls"))
        self.assertNotIn("300.00", self.report("--memory", "kept").stdout)
        self.assertIn("300.00", self.report("--memory", "returned").stdout)

    def test_a_product_that_is_not_complete_is_left_out(self):
        self.write(*one_thread())
        text = self.report().stdout
        self.assertIn("Products:\n  large: not complete, left out\n", text)
        self.assertNotIn("\nlarge", text)

    def test_markdown(self):
        self.write(*one_thread(), *two_threads())
        self.assertEqual(self.report("--markdown", "--threads", "1").stdout, """
1 thread, memory kept; medians of 2 to 3 calls, CPU time:

| matrix | products, M | compression | ours, sorted, ms | best sorted peer, ms | ratio | best unsorted peer, ms | ratio |
| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |
| small | 2.0 | 2.00 | 100.00 | mkl 400.00 | 4.00 | mkl 160.00 | 1.60 |
| large | 60.0 | 12.00 | 200.00 | eigen 240.00 | 1.20 | mkl 220.00 | 1.10 |
| geometric mean | | | | | 2.19 | | 1.33 |
""")

    def test_a_malformed_file_is_told_with_its_line(self):
        row = rows(SMALL, "mkl", "sorted", same(0.4))[0]
        ours = rows(SMALL, "predicted", "sorted", same(0.4))[0]
        cases = [
            (row.replace("0.4", "soon", 1), "seconds: 'soon' is not a time"),
            (row.replace("0.4", "nan", 1), "seconds: 'nan' is not a time"),
            (row.replace("0.4", "-0.4", 1), "seconds: '-0.4' is not a time"),
            (row.replace("0.4", "0", 1), "seconds is 0"),
            (row.replace("2000000", "2e6"), "products: '2e6' is not a count"),
            (row.replace("sorted", "backward"),
             "order: 'backward' is not one of sorted, unsorted"),
            (row.replace("kept", "lost"),
             "memory: 'lost' is not one of kept, returned"),
            (row.rpartition(",")[0], "23 fields, not 24"),
            (ours.replace("80000000", ""), "upper_bound_bytes: '' is not a count"),
            ("# skipped: small", "'# skipped:' without matrix,method,order,threads: "
                                 "why"),
            (f"{row}\n{row}", None),
            (f"{row}\n{row.replace('2000000', '3')}", None),
        ]
        told = {10: "repetition 0 of small,mkl,sorted,1,kept is there twice",
                11: "small: other nrows, products or nnz_c than in the rows before"}
        for k, (line, why) in enumerate(cases):
            self.write(line, "# done: small")
            where = 10 + line.count("\n")
            done = self.report(status=2)
            self.assertEqual(done.stderr, f"report.py: {self.csv}: line {where}: "
                                          f"{why or told[k]}\n")
            self.assertEqual(done.stdout, "")

    def test_a_file_without_results(self):
        cases = [("", "line 1: the columns are missing"),
                 ("# cpu: x\n", "line 2: the columns are missing"),
                 ("matrix,seconds\n", "line 1: the columns lack method, order, "),
                 (f"{RESULT_COLUMNS}\n", "no product is complete")]
        for text, why in cases:
            self.csv.write_text(text)
            self.assertIn(f"{self.csv}: {why}", self.report(status=2).stderr)
        self.csv.unlink()
        self.assertEqual(self.report(status=2).stderr,
                         f"report.py: {self.csv}: No such file or directory\n")

    def test_threads_that_there_are_no_rows_of(self):
        self.write(*one_thread(), *two_threads())
        self.assertEqual(self.report("--threads", "3", status=2).stderr,
                         f"report.py: {self.csv}: no rows of these threads and "
                         "memory\n")


class Drawn(Figures, Results):
    NAMES = ("hero", "memory", "prediction", "speed", "steps", "time")

    def test_all_are_drawn_and_the_same_again(self):
        self.write(*one_thread(), *two_threads())
        for name in self.NAMES:
            self.check_same_again(name)
        files = sorted(path.name for path in (BENCH / "figures").glob("figure_*.py")
                       if not path.name.startswith("figure_accuracy_"))
        self.assertEqual(files, [f"figure_{name}.py" for name in self.NAMES])

    def test_few_results_are_drawn(self):
        self.write(*one_thread(), *two_threads())
        for name in self.NAMES:
            self.draw_figure(name, self.folder / "two", "--threads", "2")
        self.write(*rows(SMALL, "mkl", "sorted", same(0.1)), "# done: small")
        for name in self.NAMES:
            self.draw_figure(name, self.folder / "peer")

    def test_one_command_draws_them_all_from_what_is_committed(self):
        script = (BENCH.parent / "scripts/figures").read_text()
        names = [f.stem.removeprefix("figure_") for f in (BENCH / "figures").glob("figure_*.py")]
        results = dict(re.findall(r"\[(\w+)\]=(\S+)$", script, re.M))
        self.assertEqual(set(results), {n for n in names if n.startswith("accuracy_")})
        for file in {*results.values(), "zen4-1-thread.csv"}:
            self.assertTrue((BENCH / "results" / file).exists(), file)
        for name in names:
            self.assertLess((BENCH / "figures" / f"{name}.svg").stat().st_size, 500_000)
            self.assertTrue((BENCH / "figures" / f"{name}.png").exists())

    def test_a_malformed_file(self):
        self.write("small,1")
        self.assertEqual(
            self.draw_figure("time", self.folder, status=2).stderr,
            f"figure_time.py: {self.csv}: line 10: 2 fields, not 24\n")


if __name__ == "__main__":
    unittest.main()
