#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench_busy.

    BENCH_BUSY=build/release/bench/bench_busy bench/tests/test_busy.py
"""
import csv
import os
import subprocess
import unittest

BENCH_BUSY = os.path.abspath(os.environ["BENCH_BUSY"])


def run(*words, status=0):
    done = subprocess.run([BENCH_BUSY, *words], text=True, capture_output=True,
                          timeout=120)
    assert done.returncode == status, done.stderr
    return done


def rows(*words):
    lines = [line for line in run(*words).stdout.splitlines()
             if not line.startswith("#")]
    return list(csv.DictReader(lines))


class Busy(unittest.TestCase):
    def test_has_a_row_for_each_number_of_loops_and_threads(self):
        found = rows("--calls", "2", "--loops", "1", "--threads", "2",
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
        for row in rows("--calls", "3", "--loops", "0", "--size", "4", "brick"):
            self.assertEqual(float(row["of_fair_share"]), 1.0)

    def test_refuses_what_it_does_not_know(self):
        self.assertIn("'sphere'", run("sphere", status=2).stderr)
        self.assertIn("'9'", run("--size", "9", status=2).stderr)


if __name__ == "__main__":
    unittest.main()
