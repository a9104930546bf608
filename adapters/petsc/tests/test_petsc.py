#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the adapter of PETSc: programs with it and without it.

    BUILD=build/release/adapters/petsc adapters/petsc/tests/test_petsc.py [TEST]

Exits with 77 where MPI cannot start two processes.
"""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

BUILD = Path(os.environ["BUILD"]).resolve()
PROGRAMS = BUILD / "tests"
MULTIGRID = BUILD / "petsc_multigrid"
PLUGIN = BUILD / "libspgemm_petsc.so"
# Of other integers and scalars, where they are installed.
KINDS = sorted(path.name.removeprefix("libspgemm_").removesuffix(".so")
               for path in BUILD.glob("libspgemm_petsc?*.so"))
MPIEXEC = ["mpiexec", "--oversubscribe", "--allow-run-as-root", "-n"]


def run(ranks, program, *words, status=0):
    """What it printed; ranks that wait do so asleep."""
    done = subprocess.run(
        [*MPIEXEC, str(ranks), PROGRAMS / program, *map(str, words)],
        env={**os.environ, "OMP_NUM_THREADS": "1",
             "OMPI_MCA_mpi_yield_when_idle": "1"},
        text=True, capture_output=True, timeout=120)
    if (done.returncode == 0) != (status == 0):
        raise AssertionError(f"{program} {words}: {done.returncode}\n"
                             f"{done.stdout}{done.stderr}")
    return done.stdout + (done.stderr if status else "")


def with_plugin(plugin=PLUGIN):
    return ["-dll_prepend", plugin, "-mat_seqaij_type", "seqaijspgemm"]


class Petsc(unittest.TestCase):
    maxDiff = 2000

    def check_products(self, ranks, program="petsc_products", plugin=PLUGIN):
        expected = run(ranks, program)
        self.assertIn("square, PtAP: ", expected)
        self.assertEqual(run(ranks, program, "-spgemm_ptap_products", 0,
                             *with_plugin(plugin)), expected)

    def test_products_and_products_again_are_those_of_petsc(self):
        for ranks in 1, 2, 3, 4:
            with self.subTest(ranks=ranks):
                self.check_products(ranks)

    def test_other_integers_and_scalars(self):
        for kind in KINDS:
            with self.subTest(kind=kind):
                self.check_products(2, f"{kind}_products",
                                    BUILD / f"libspgemm_{kind}.so")

    def test_the_library_of_another_build_is_refused_by_name(self):
        for kind in KINDS:
            said = run(1, "petsc_products",
                       *with_plugin(BUILD / f"libspgemm_{kind}.so"), status=1)
            what = "integers of 4 bytes" if "64" in kind else "scalars of type DOUBLE"
            self.assertIn(f"libspgemm_petsc: this PETSc has {what}", said)

    def all_as_promised(self, program):
        for ranks in 1, 2, 3:
            with self.subTest(ranks=ranks):
                self.assertEqual(run(ranks, program), "all as promised\n")

    def test_use_from_code(self):
        self.all_as_promised("petsc_use")

    def test_patterns_and_memory_are_refused_on_all_ranks(self):
        self.all_as_promised("petsc_refusals")

    def test_three_products_are_two(self):
        self.all_as_promised("petsc_triple")

    def test_states_are_those_of_petsc(self):
        for ranks in 1, 2, 3:
            for solver in "redundant", "bjacobi":
                with self.subTest(ranks=ranks, solver=solver):
                    words = ["-pc_type", solver, "-ksp_rtol", "1e-12"]
                    self.assertEqual(
                        run(ranks, "petsc_states", *words, *with_plugin()),
                        run(ranks, "petsc_states", *words))

    def test_threads_change_nothing(self):
        for ranks in 1, 2:
            with self.subTest(ranks=ranks):
                self.assertEqual(
                    run(ranks, "petsc_products", "-spgemm_threads", 3,
                        "-spgemm_ptap_products", 0, *with_plugin()),
                    run(ranks, "petsc_products"))

    def test_threads_are_at_most_those_of_the_library(self):
        # Of 5000 the stacks are more than there is room for, of 1024 not.
        limited = ('ulimit -v 4000000; MALLOC_ARENA_MAX=1 OMP_STACKSIZE=1M '
                   'OMP_WAIT_POLICY=passive exec "$@"')
        words = ["petsc_products", "-first", 1, "-spgemm_ptap_products", 0]
        self.assertEqual(
            run(1, "/bin/sh", "-c", limited, "sh", PROGRAMS / words[0], *words[1:],
                "-spgemm_threads", 5000, *with_plugin()),
            run(1, *words))

    def test_plans_change_nothing(self):
        expected = run(1, "petsc_products")  # plans are of sequential products
        for after in 0, 1:
            with self.subTest(after=after):
                self.assertEqual(
                    run(1, "petsc_products", "-spgemm_plan_after", after,
                        *with_plugin()), expected)

    def test_multigrid_takes_the_same_iterations(self):
        for problem, hierarchy, ranks in (
                ("elasticity", "gamg", 1), ("elasticity", "gamg", 2),
                ("elasticity", "grids", 2), ("poisson", "gamg", 2),
                ("poisson", "grids", 1)):
            words = ["-problem", problem, "-hierarchy", hierarchy, "-n", 8]
            with self.subTest(words=words, ranks=ranks):
                counts = [re.search(r"(\d+) iterations", run(
                    ranks, MULTIGRID, *words, *more))[1]
                    for more in ([], with_plugin())]
                self.assertEqual(*counts)

    def test_options_are_listed_and_events_are_logged(self):
        said = run(2, MULTIGRID, "-n", 4, "-help", "-log_view",
                   "-spgemm_view", *with_plugin())
        for option in "-spgemm_threads", "-spgemm_ptap_products", \
                 "-spgemm_memory_limit", "-spgemm_plan_after", "-spgemm_view":
            self.assertIn(f"  {option}", said)
        for event in "Gather", "Predict", "Multiply", "Assemble":
            self.assertRegex(said, f"(?m)^Spgemm{event} +[1-9]")
        # Flops of products are logged, and the largest and the least rank.
        flops = re.search(r"(?m)^SpgemmMultiply +\d+ \S+ \S+ +\S+ (\S+)", said)
        self.assertGreater(float(flops[1]), 0)
        self.assertRegex(
            said, r"(?m)^spgemm: 2 rank\(s\), 1 thread\(s\), [1-9]\d* products, "
            r"entries predicted [1-9]\d* \+- \d+, found [1-9]\d*, ")

    def test_an_error_that_nobody_knows_is_said_to_be_unknown(self):
        said = run(1, MULTIGRID, "-problem", "poisson", "-n", 4, "-spgemm_view",
                   "-spgemm_ptap_products", 0, *with_plugin())
        self.assertRegex(said, r"predicted [1-9]\d* \+- unknown, found ")

    def test_nothing_of_ours_leaks(self):
        folder = tempfile.mkdtemp(prefix="spgemm-petsc-")
        self.addCleanup(shutil.rmtree, folder)
        log = Path(folder, "log")
        subprocess.run(
            ["valgrind", "--leak-check=full", f"--log-file={log}",
             PROGRAMS / "petsc_products", "-first", "4",
             "-spgemm_ptap_products", "0", "-spgemm_plan_after", "0",
             *with_plugin()],
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            stdout=subprocess.DEVNULL, check=True, timeout=280)
        said = log.read_text(encoding="utf-8")
        self.assertIn("HEAP SUMMARY", said)
        # What MPI leaves behind is not ours, nor are modules of it that were
        # loaded where this library was later.
        ours = [block for block in re.split(r"(?m)^==\d+== \n", said)
                if "spgemm" in block and "dl_open_worker" not in block and
                re.search("Invalid|uninit|lost in", block)]
        self.assertEqual(ours, [])


def can_start():
    try:
        done = subprocess.run([*MPIEXEC, "2", "true"], capture_output=True,
                              timeout=60)
    except FileNotFoundError:
        return False
    return done.returncode == 0


if __name__ == "__main__":
    if not can_start():
        print("skipped: mpiexec cannot start two processes here")
        sys.exit(77)
    unittest.main()
