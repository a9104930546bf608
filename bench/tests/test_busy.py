#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench_busy.

    BENCH_BUSY=build/release/bench/bench_busy bench/tests/test_busy.py
"""
import unittest

from support import InFolder, of_environment

BENCH_BUSY = of_environment("BENCH_BUSY")


class Busy(InFolder):
    def busy(self, *words):
        return self.rows(self.call(BENCH_BUSY, *words).stdout)

    def test_has_a_row_for_each_number_of_loops_and_threads(self):
        found = self.busy("--calls", "2", "--loops", "1", "--threads", "2",
                          "--size", "4", "mesh", "web")
        self.assertEqual(
            [(row["matrix"], row["loops"], row["threads"]) for row in found],
            [(name, loops, threads) for name in ("mesh", "web")
             for loops in "01" for threads in "12"])
        for row in found:
            self.assertLess(5000, int(row["products"]))
            self.assertLess(int(row["products"]), 20000)
            self.assertLess(0, float(row["median_ms"]))
            self.assertLessEqual(float(row["median_ms"]), float(row["p90_ms"]))

    def test_alone_is_its_own_fair_share(self):
        for row in self.busy("--calls", "3", "--loops", "0", "--size", "4", "brick"):
            self.assertEqual(float(row["of_fair_share"]), 1.0)

    def test_refuses_what_it_does_not_know(self):
        self.assertIn("'sphere'",
                      self.call(BENCH_BUSY, "sphere", status=2).stderr)
        self.assertIn("'9'",
                      self.call(BENCH_BUSY, "--size", "9", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
