# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the benchmarks share: a folder of their own, programs that run in
it, and the rows that they print."""
import csv
import functools
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BENCH = Path(__file__).resolve().parent.parent
RESULT_COLUMNS = (  # of bench_spgemm
    "matrix,nrows,products,nnz_c,method,order,threads,memory,repetition,"
    "seconds,cpu_seconds,check_seconds,products_seconds,predict_seconds,"
    "allocate_seconds,multiply_seconds,compact_seconds,nnz_predicted,"
    "overflow_rows,c_bytes,allocated_bytes,peak_bytes,upper_bound_bytes,"
    "floor_seconds")


@functools.cache
def python_with_matplotlib():
    """This Python, or the system's, for which Debian packages matplotlib."""
    has_it = subprocess.run([sys.executable, "-c", "import matplotlib"],
                            capture_output=True, timeout=60).returncode == 0
    return sys.executable if has_it else "/usr/bin/python3"


def of_environment(name):
    return os.path.abspath(os.environ[name])


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="spgemm-bench-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def call(self, *words, status=0, env=None):
        """What a program that ends so has printed."""
        done = subprocess.run(words, cwd=self.folder, text=True, env=env,
                              capture_output=True, timeout=120)
        self.assertEqual(done.returncode, status, done.stderr)
        return done

    def python(self, script, *words, status=0, python=sys.executable):
        """The same of a script of bench/."""
        return self.call(python, "-B", BENCH / script, *words, status=status)

    def rows(self, text, columns=None):
        lines = [line for line in text.splitlines() if not line.startswith("#")]
        if columns:
            self.assertEqual(lines[0], columns)
        return list(csv.DictReader(lines))


class Figures(InFolder):
    """Of the CSV self.csv."""

    def draw_figure(self, name, output, *words, status=0):
        output.mkdir(exist_ok=True)
        return self.python(f"figures/figure_{name}.py", self.csv, "--output", output,
                           *words, status=status, python=python_with_matplotlib())

    def check_same_again(self, name):
        """Drawn twice: not empty, and byte for byte the same."""
        once, again = self.folder / "once", self.folder / "again"
        self.assertEqual(self.draw_figure(name, once).stderr, "")
        self.draw_figure(name, again)
        for suffix in ("svg", "png"):
            data = (once / f"{name}.{suffix}").read_bytes()
            self.assertGreater(len(data), 5000)
            self.assertEqual(data, (again / f"{name}.{suffix}").read_bytes())
