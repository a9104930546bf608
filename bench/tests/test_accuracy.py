#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench_accuracy and of scripts/accuracy.

    BENCH_ACCURACY=build/release/bench/bench_accuracy \\
    SPGEMM=build/release/spgemm bench/tests/test_accuracy.py
"""
import fcntl
import gzip
import lzma
import os
import shutil
import subprocess
import unittest

from support import BENCH, InFolder, of_environment

PROGRAM = of_environment("BENCH_ACCURACY")
SPGEMM = of_environment("SPGEMM")
SCRIPT = BENCH.parent / "scripts/accuracy"

# Shapes 36 x 36, 64 x 64 and 20 x 50: some A are cut, some B, some neither.
MATRICES = {
    "grid": ["stencil5", "6", "6"],
    "graph": ["rmat", "6", "3"],
    "wide": ["random", "20", "50", "4"],
}
SAMPLING = ["sampled_nnz", "sampled_cr"]
STRATIFIED = "stratified"


def make_matrices(folder):
    folder.mkdir()
    for name, words in MATRICES.items():
        subprocess.run([SPGEMM, "generate", *words, "-o", folder / f"{name}.mtx"],
                       check=True, capture_output=True, timeout=60)


def read_matrix(path):
    """(rows, columns, [set of columns]) by other means than the program's."""
    lines = [line.split() for line in path.read_text().splitlines()
             if not line.startswith("%")]
    nrows, ncols, _ = map(int, lines[0])
    rows = [set() for _ in range(nrows)]
    for line in lines[1:]:
        rows[int(line[0]) - 1].add(int(line[1]) - 1)
    return nrows, ncols, rows


def multiply(a, b):
    """Counts of the product of two matrices, cut as the paper cuts them."""
    inner = min(a[1], b[0])
    crop = (f"A columns {inner} of {a[1]}" if a[1] > inner else
            f"B rows {inner} of {b[0]}" if b[0] > inner else "none")
    rows_a = [{k for k in row if k < inner} for row in a[2]]
    rows_b = b[2][:inner]
    rows_c = [set().union(*(rows_b[k] for k in row)) for row in rows_a]
    products = [sum(len(rows_b[k]) for k in row) for row in rows_a]
    return {"crop": crop, "nrows": a[0], "inner": inner, "ncols": b[1],
            "nnz_a": sum(map(len, rows_a)), "nnz_b": sum(map(len, rows_b)),
            "products": sum(products),
            "bound": sum(min(f, b[1]) for f in products),
            "nnz_exact": sum(map(len, rows_c)),
            "rows": [(f, len(z)) for f, z in zip(products, rows_c)]}


class Accuracy(InFolder):
    def setUp(self):
        super().setUp()
        self.matrices = self.folder / "matrices"
        make_matrices(self.matrices)
        self.output = self.folder / "out.csv"

    def run_program(self, *words, status=0):
        return self.call(PROGRAM, "--threads", "2", *words, status=status)

    def run_to_file(self, *words, status=0):
        return self.run_program("matrices", "--output", self.output, *words,
                                status=status)

    def trials(self, text):
        return [(r["a"], r["b"], r["method"], r["seed"]) for r in self.rows(text)]


class Totals(Accuracy):
    def test_every_product_is_counted_and_predicted(self):
        done = self.run_program("matrices", "--seeds", "2")
        known = {name: read_matrix(self.matrices / f"{name}.mtx")
                 for name in MATRICES}
        rows = self.rows(done.stdout)
        for row in rows:
            counts = multiply(known[row["a"]], known[row["b"]])
            del counts["rows"]
            self.assertEqual({c: row[c] for c in counts},
                             {c: str(v) for c, v in counts.items()})
            exact = counts["nnz_exact"]
            self.assertAlmostEqual(float(row["relative_error"]),
                                   (float(row["nnz"]) - exact) / exact, 12)
            self.assertGreater(float(row["precise_seconds"]), 0)
            self.assertGreater(int(row["precise_calls"]), 0)
            self.assertGreaterEqual(float(row["predict_seconds"]), 0)
            self.assertEqual((row["setting"], row["threads"]), ("default", "2"))
        seen = {(a, b, method) for a, b, method, _ in self.trials(done.stdout)}
        self.assertEqual(seen, {(a, b, method) for a in MATRICES for b in MATRICES
                                for method in (*SAMPLING, STRATIFIED)})
        for word in ("revision", "cpu", "compiler", "memory", "default method",
                     "run", "matrix"):
            self.assertIn(f"# {word}: ", done.stdout)
        self.assertIn("# done: grid,wide\n", done.stdout)

    def test_both_of_the_papers_methods_have_one_sample(self):
        rows = self.rows(self.run_program("matrices", "--seeds", "5").stdout)
        of = {(r["a"], r["b"], r["method"], r["seed"]): r for r in rows}
        for a in MATRICES:
            for b in MATRICES:
                for seed in "01234":
                    first, second = (of[a, b, m, seed] for m in SAMPLING)
                    for column in ("rows_sampled", "products_sampled"):
                        self.assertEqual(first[column], second[column])

    def test_progress_names_pair_time_and_what_is_left(self):
        lines = self.run_program("matrices").stderr.splitlines()
        self.assertEqual(lines[:4], ["reading 1/3 graph", "reading 2/3 grid",
                                     "reading 3/3 wide",
                                     "1/9 graph x graph, 0:00:00"])
        self.assertRegex(lines[-1],
                         r"^9/9 wide x wide, 0:00:0\d, about 0:00:0\d left$")

    def test_squares_only(self):
        for words in (["--pairs", "square"], ["--only-square"]):
            text = self.run_program("matrices", *words).stdout
            self.assertEqual({(a, b) for a, b, _, _ in self.trials(text)},
                             {(name, name) for name in MATRICES})

    def test_seeds_of_methods_that_look_at_all_rows_are_asked_for(self):
        words = ["matrices", "--only-square", "--seeds", "3",
                 "--methods", "upper_bound,precise,sampled_cr"]
        counts = {}
        for more in ([], ["--every-seed"]):
            for row in self.rows(self.run_program(*words, *more).stdout):
                key = bool(more), row["method"]
                counts[key] = counts.get(key, 0) + 1
                if row["method"] == "precise":
                    self.assertEqual(row["nnz"], row["nnz_exact"])
                elif row["method"] == "upper_bound":
                    self.assertEqual(row["nnz"], row["bound"])
        self.assertEqual(counts, {
            (False, "upper_bound"): 3, (False, "precise"): 3,
            (False, "sampled_cr"): 9, (True, "upper_bound"): 9,
            (True, "precise"): 9, (True, "sampled_cr"): 9})

    def test_every_method_of_the_library_is_there(self):
        unknown = self.run_program("matrices", "--methods", "none", status=2)
        names = unknown.stderr.splitlines()[-1].removeprefix("Methods: ").split()
        self.assertNotIn("caller", names)
        self.assertNotIn("auto", names)
        text = self.run_program("matrices", "--methods", ",".join(names)).stdout
        self.assertEqual({method for _, _, method, _ in self.trials(text)},
                         set(names))
        self.assertNotIn("# skipped", text)

    def test_packed_files_and_single_files_are_read(self):
        plain = {name: (self.matrices / f"{name}.mtx") for name in MATRICES}
        expected = self.rows(self.run_program("matrices", "--no-multiply").stdout)
        (self.folder / "packed").mkdir()
        (self.folder / "packed/grid.mtx.gz").write_bytes(
            gzip.compress(plain["grid"].read_bytes()))
        (self.folder / "packed/graph.mtx.xz").write_bytes(
            lzma.compress(plain["graph"].read_bytes()))
        (self.folder / "packed/README.md").write_text("no matrix")
        found = self.rows(self.run_program("packed", plain["wide"],
                                           "--no-multiply").stdout)
        columns = ("a", "b", "nnz_exact", "method", "nnz")
        self.assertEqual([[r[c] for c in columns] for r in found],
                         [[r[c] for c in columns] for r in expected])

    def test_a_suite_has_its_products_alone(self):
        (self.folder / "small.tsv").write_text(
            "# name\tleft\tright\n"
            "grids/square\tgenerate:stencil5 6 6\tgenerate:stencil5 6 6\n"
            "others/heads\tgenerate:arrow 3 4\tgenerate:arrow 3 4\n"
            "others/of-grid\tgenerate:random 9 36 2\tproduct:grids/square\n")
        for words in ([], ["--keep", "0"]):
            rows = self.rows(self.run_program("small.tsv", *words).stdout)
            of = {r["a"]: r for r in rows}
            self.assertEqual({(r["a"], r["b"]) for r in rows}, {
                (name, name) for name in
                ("grids/square", "others/heads", "others/of-grid")})
            grid = read_matrix(self.matrices / "grid.mtx")
            counts = multiply(grid, grid)
            self.assertEqual(int(of["grids/square"]["nnz_exact"]),
                             counts["nnz_exact"])
            self.assertEqual(int(of["others/of-grid"]["nnz_b"]),
                             counts["nnz_exact"])
            self.assertEqual(of["others/of-grid"]["nrows"], "9")

    def test_a_suite_is_beside_matrices_and_wrong_ones_are_refused(self):
        suite = self.folder / "one.tsv"
        suite.write_text("a/one\tgenerate:arrow 3 4\tgenerate:arrow 3 4\n")
        text = self.run_program("one.tsv", self.matrices / "grid.mtx").stdout
        self.assertEqual({(r["a"], r["b"]) for r in self.rows(text)},
                         {("a/one", "a/one"), ("grid", "grid")})
        twice = self.run_program("one.tsv", "one.tsv", status=2)
        self.assertIn("one suite at a time", twice.stderr)
        for line in ("a/one", "a/one\tgenerate:arrow 3\tgenerate:arrow 3 4",
                     "a/one\tgenerate:arrow 3 4\tgenerate:arrow 3 5",
                     "a,b\tgenerate:arrow 3 4\tgenerate:arrow 3 4"):
            suite.write_text(line + "\n")
            self.run_program("one.tsv", status=2)

    def test_matrices_that_are_not_kept_are_read_again(self):
        columns = ("a", "b", "nnz_exact", "method", "nnz")
        kept, read = (self.rows(self.run_program("matrices", *words).stdout)
                      for words in ([], ["--keep", "0"]))
        self.assertEqual([[r[c] for c in columns] for r in kept],
                         [[r[c] for c in columns] for r in read])


class Limits(Accuracy):
    def test_what_does_not_fit_is_counted_and_not_timed(self):
        done = self.run_program("matrices", "--memory-limit", "1K",
                                "--only-square")
        known = read_matrix(self.matrices / "graph.mtx")
        for row in self.rows(done.stdout):
            self.assertEqual((row["precise_seconds"], row["precise_calls"]),
                             ("", ""))
            if row["a"] == "graph":
                self.assertEqual(int(row["nnz_exact"]),
                                 multiply(known, known)["nnz_exact"])
        for text in (done.stdout, done.stderr):
            self.assertRegex(text, r"(?m)graph.*precise_seconds: C needs "
                                   r".* GB as predicted; the limit is 1e-06 GB$")
        self.assertEqual(done.stdout.count("# skipped: "), 3)

    def test_a_limit_of_products_leaves_pairs_out(self):
        known = {name: read_matrix(self.matrices / f"{name}.mtx")
                 for name in MATRICES}
        counts = {(a, b): multiply(known[a], known[b])["products"]
                  for a in known for b in known}
        limit = sorted(counts.values())[4]
        text = self.run_program("matrices", "--limit-products", str(limit)).stdout
        self.assertEqual({(a, b) for a, b, _, _ in self.trials(text)},
                         {pair for pair, n in counts.items() if n <= limit})
        left = [line for line in text.splitlines() if line.startswith("# skipped")]
        self.assertEqual(len(left), sum(n > limit for n in counts.values()))
        for line in left:
            self.assertRegex(line, r"^# skipped: \w+,\w+,all: \d+ products, more "
                                   "than --limit-products$")

    def test_counted_only(self):
        text = self.run_program("matrices", "--no-multiply").stdout
        self.assertEqual({r["precise_seconds"] for r in self.rows(text)}, {""})
        self.assertNotIn("# skipped", text)


class Resume(Accuracy):
    def blocks(self, text):
        """Lines of the rows, by pair."""
        found = {}
        for line in text.splitlines():
            if line.startswith("#") or line.startswith("a,b,"):
                continue
            found.setdefault(tuple(line.split(",")[:2]), []).append(line)
        return found

    def test_a_run_that_was_stopped_anywhere_goes_on(self):
        self.run_to_file("--seeds", "2")
        whole = self.output.read_bytes()
        once = self.blocks(whole.decode())
        header = whole.index(b"\na,b,")
        cuts = [0, header // 2, header + 10, whole.index(b"# done: ") + 4,
                whole.index(b"# done: grid,grid") - 20,
                whole.index(b"# done: wide,graph"), len(whole) - 1]
        for cut in cuts:
            self.output.write_bytes(whole[:cut])
            self.run_to_file("--seeds", "2")
            text = self.output.read_text()
            self.assertEqual(text.count("\na,b,crop,"), 1)
            self.assertTrue(text.endswith("# done: wide,wide\n"))
            again = self.blocks(text)
            self.assertEqual(list(again), list(once))
            done = whole[:cut].count(b"\n# done: ")
            if not whole[:cut].endswith(b"\n"):
                torn = whole[:cut].rsplit(b"\n", 1)[-1]
                done -= torn.startswith(b"# done: ")
            for k, (pair, lines) in enumerate(again.items()):
                self.assertEqual(len(lines), len(once[pair]))
                if k < done:  # not measured again: the times are the same
                    self.assertEqual(lines, once[pair])

    def test_a_long_torn_block_is_cut_off(self):
        self.run_to_file()
        once = self.blocks(self.output.read_text())
        with open(self.output, "a", encoding="utf-8") as file:
            file.write(("x,y," + once["grid", "grid"][0] + "\n") * 100 + "x,y")
        self.run_to_file()
        self.assertEqual(self.blocks(self.output.read_text()), once)

    def test_a_complete_file_stays(self):
        self.run_to_file()
        once = self.blocks(self.output.read_text())
        done = self.run_to_file()
        self.assertIn("9 of 9 pairs are in ", done.stderr)
        self.assertEqual(self.blocks(self.output.read_text()), once)

    def test_a_matrix_that_is_new_is_multiplied_too(self):
        wide = self.matrices / "wide.mtx"
        text = wide.read_text()
        wide.unlink()
        self.run_to_file()
        once = self.blocks(self.output.read_text())
        wide.write_text(text)
        self.run_to_file()
        again = self.blocks(self.output.read_text())
        self.assertEqual(len(again), 9)
        for pair, lines in once.items():
            self.assertEqual(again[pair], lines)

    def check_refused(self, why, *words):
        before = self.output.read_bytes()
        self.assertIn(why, self.run_to_file(*words, status=2).stderr)
        self.assertEqual(self.output.read_bytes(), before)

    def test_other_options_or_matrices_are_refused(self):
        self.run_to_file()
        for words in (["--seeds", "2"], ["--methods", "sampled_cr"],
                      ["--only-square"], ["--rows"], ["--no-multiply"]):
            self.check_refused("was made with other options", *words)
        subprocess.run([SPGEMM, "generate", "stencil5", "5", "6", "-o",
                        self.matrices / "grid.mtx"], check=True,
                       capture_output=True, timeout=60)
        self.check_refused("has results of another matrix 'grid'")

    def test_another_programs_file_stays(self):
        for text in ("some notes\n", "# bench_spgemm of spgemm 0.1.0\n", "no line"):
            self.output.write_text(text)
            self.check_refused("is no CSV of bench_accuracy")

    def test_two_runs_do_not_write_one_file(self):
        self.output.touch()
        with open(self.output, "r+", encoding="utf-8") as file:
            fcntl.flock(file, fcntl.LOCK_SH)
            self.check_refused("is being written by another run")


class Wrong(Accuracy):
    def check(self, why, *words):
        done = self.run_program(*words, "--output", self.output, status=2)
        self.assertIn(why, done.stderr)
        self.assertNotIn(" x ", done.stderr)  # no pair was begun
        self.assertFalse(self.output.exists())

    def test_a_bad_file_stops_the_run_at_its_start(self):
        text = (self.matrices / "grid.mtx").read_text().splitlines()
        text[5] = "1 x 3"
        (self.matrices / "zebra.mtx").write_text("\n".join(text) + "\n")
        self.check("matrices/zebra.mtx:6: ", "matrices")
        (self.matrices / "zebra.mtx").write_text("no matrix\n")
        self.check("matrices/zebra.mtx:1: ", "matrices")
        (self.matrices / "zebra.mtx").unlink()
        (self.matrices / "zebra.mtx.gz").write_bytes(
            gzip.compress((self.matrices / "grid.mtx").read_bytes())[:-20])
        self.check("matrices/zebra.mtx.gz", "matrices")

    def test_a_bad_folder(self):
        (self.folder / "empty").mkdir()
        (self.folder / "empty/README.md").write_text("no matrix")
        self.check("empty: the folder has no matrix", "empty")
        self.check("nowhere: No such file or directory", "nowhere")

    def test_names_that_a_csv_cannot_tell_apart(self):
        grid = self.matrices / "grid.mtx"
        comma = self.matrices / "a,b.mtx"
        shutil.copy(grid, comma)
        self.check("a,b.mtx: a comma, quote or line break in the name", "matrices")
        comma.unlink()
        (self.matrices / "grid.mtx.gz").write_bytes(
            gzip.compress(grid.read_bytes()))
        self.check("two matrices of one name", "matrices")

    def test_a_wrong_command_line(self):
        cases = [
            ([], "bench_accuracy needs FOLDER|MATRIX.mtx|SUITE.tsv..."),
            (["--seeds", "0", "m"], "--seeds: '0' is not a whole number in 1.."),
            (["--seeds", "1.5", "m"], "--seeds: '1.5' is not"),
            (["--threads", "-1", "m"], "--threads: '-1' is not"),
            (["--pairs", "some", "m"], "--pairs: unknown WHICH 'some'"),
            (["--methods", "sampled_cr,guess", "m"],
             "--methods: 'guess' is not a method"),
            (["--methods", "caller", "m"], "--methods: 'caller' is not a method"),
            (["--methods", "", "m"], "--methods: '' is not a method"),
            (["--memory-limit", "much", "m"], "--memory-limit: 'much' is not"),
            (["--memory-limit", "0", "m"], "--memory-limit: '0' is not"),
            (["--limit-products", "-1", "m"], "--limit-products: '-1' is not"),
            (["--seconds", "soon", "m"], "--seconds: 'soon' is not a number"),
            (["--sweep", "--rows", "m"], "--sweep and --rows are two runs"),
            (["--what", "m"], "unknown option '--what'"),
        ]
        for words, why in cases:
            self.check(why, *words)
        done = self.run_program("matrices", "--output", "no/out.csv", status=2)
        self.assertIn("no/out.csv: No such file or directory", done.stderr)

    def test_help(self):
        self.assertIn("Usage: bench_accuracy", self.run_program("--help").stdout)


class Modes(Accuracy):
    def test_a_sweep_goes_through_the_parameters_that_a_method_has(self):
        text = self.run_program("matrices", "--sweep", "--only-square").stdout
        settings = {}
        for row in self.rows(text):
            settings.setdefault(row["method"], set()).add(
                row["setting"].partition("=")[0])
            self.assertEqual(row["precise_seconds"], "")
            if row["setting"] == "size=16" and row["method"] == "sampled_cr":
                self.assertEqual(row["rows_sampled"], "16")
        self.assertEqual(settings["sampled_nnz"], {"default", "size"})
        self.assertEqual(settings["sampled_cr"], {"default", "size"})
        self.assertLessEqual({"default", "error"}, settings[STRATIFIED])

    def test_errors_of_rows(self):
        text = self.run_program("matrices", "--rows", "--only-square",
                                "--methods", "upper_bound,precise").stdout
        for row in self.rows(text):
            known = read_matrix(self.matrices / f"{row['a']}.mtx")
            counts = multiply(known, known)
            rows = [(min(f, counts["ncols"]), z) for f, z in counts["rows"] if f]
            if row["method"] == "precise":
                rows = [(z, z) for _, z in rows]
            errors = sorted((f - z) / z for f, z in rows)
            self.assertEqual(int(row["rows"]), len(rows))
            for column, value in (
                    ("mean_error", sum(errors) / len(errors)),
                    ("shortfall", 0), ("q00", errors[0]), ("q100", errors[-1]),
                    ("excess", sum(f - z for f, z in rows) / counts["nnz_exact"])):
                self.assertAlmostEqual(float(row[column]), value, 7)


class Script(Accuracy):
    def run_script(self, *words, status=0, **environment):
        return self.call(SCRIPT, *words, status=status, env={
            **os.environ, "SPGEMM_BENCH_ACCURACY": PROGRAM,
            "PYTHONDONTWRITEBYTECODE": "1", **environment})

    def test_it_multiplies_all_and_reports(self):
        done = self.run_script("matrices", "--seeds", "2", "--out", "out.csv")
        self.assertIn("products of two matrices", done.stdout)
        self.assertIn("Targets:", done.stdout)
        self.assertEqual(self.output.read_text().count("# done: "), 9)
        lines = self.output.read_text().splitlines(keepends=True)
        self.output.write_text("".join(lines[:-5]) + lines[-5][:30])
        again = self.run_script("matrices", "--seeds=2", "--out=out.csv")
        self.assertIn("pairs are in out.csv already", again.stderr)
        self.assertEqual(self.output.read_text().count("# done: "), 9)

    def test_it_takes_kinds_of_matrices_from_an_index(self):
        (self.matrices / "INDEX.tsv").write_text(
            "name\trows\tkind\nmc2depi\t36\tregenerated-exact\n")
        (self.matrices / "grid.mtx").rename(self.matrices / "mc2depi.mtx")
        text = self.run_script("matrices", "--out", "out.csv").stdout
        self.assertIn("The paper's matrices, 1 of 25: mc2depi "
                      "(regenerated-exact)\n", text)

    def test_it_fails_as_the_program_does(self):
        (self.matrices / "bad.mtx").write_text("bad")
        done = self.run_script("matrices", "--out", "out.csv", status=2)
        self.assertIn("matrices/bad.mtx:1: ", done.stderr)
        self.assertNotIn("Targets:", done.stdout)
        self.assertIn("Which matrices?", self.run_script(status=1).stderr)
        done = self.run_script("matrices", "--out", "out.csv", status=1,
                               SPGEMM_BENCH_ACCURACY="/no/program")
        self.assertIn("/no/program is no program", done.stderr)

    def test_other_modes_have_no_report(self):
        for mode in ("--rows", "--sweep"):
            done = self.run_script("matrices", mode, "--only-square", "--out",
                                   f"{mode[2:]}.csv")
            self.assertNotIn("Targets:", done.stdout)
            self.assertIn("# done: ", (self.folder / f"{mode[2:]}.csv").read_text())


if __name__ == "__main__":
    unittest.main()
