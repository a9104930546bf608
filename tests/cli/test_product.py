#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what multiply, compare and predict take of a product, of the answer
to a limit, and of convert.

    SPGEMM=build/release/spgemm tests/cli/test_product.py [GROUP]
"""
import bz2
import gzip
import itertools
import lzma
import os
import random
import re
import sys
import unittest
import zipfile

from test_cli import BANNER, DATA, CliTest, read_matrix, strict_json
from test_npz import square

RINGS = {"plus_times": (lambda x, y: x + y, lambda x, y: x * y),
         "plus_pair": (lambda x, y: x + y, lambda x, y: 1),
         "plus_first": (lambda x, y: x + y, lambda x, y: x),
         "plus_second": (lambda x, y: x + y, lambda x, y: y),
         "plus_min": (lambda x, y: x + y, min),
         "min_plus": (min, lambda x, y: x + y),
         "max_plus": (max, lambda x, y: x + y),
         "min_max": (min, max),
         "max_min": (max, min),
         "or_and": (lambda x, y: int(bool(x or y)), lambda x, y: int(bool(x and y))),
         "any_pair": (lambda x, y: 1, lambda x, y: 1)}


def transposed(entries):
    return {(j, i): x for (i, j), x in entries.items()}


def product(a, b, ring):
    """C of two matrices {(row, col): value}, sums in the order of A's rows."""
    add, times = RINGS[ring]
    rows = {}
    for (k, j), y in sorted(b.items()):
        rows.setdefault(k, []).append((j, y))
    c = {}
    for (i, k), x in sorted(a.items()):
        for j, y in rows.get(k, []):
            term = times(x, y)
            c[i, j] = add(c[i, j], term) if (i, j) in c else term
    return c


def keep_top(c, count):
    kept = {}
    for row, group in itertools.groupby(sorted(c), key=lambda place: place[0]):
        best = sorted(group, key=lambda place: (-abs(c[place]), place[1]))
        kept.update({place: c[place] for place in best[:count]})
    return kept


class Operations(CliTest):
    def setUp(self):
        super().setUp()
        self.matrices = {}
        dice = random.Random(5)
        for name in ("A.mtx", "B.mtx", "M.mtx"):
            places = dice.sample(list(itertools.product(range(1, 10), range(1, 10))), 25)
            self.matrices[name] = {place: dice.randint(-2, 2) for place in places}
            self.write_matrix(name, 9, 9, self.matrices[name])
        self.matrices["R.mtx"] = {(i, j): 1 for i in range(1, 6) for j in range(1, 10)
                                  if (i + j) % 3}
        self.write_matrix("R.mtx", 5, 9, self.matrices["R.mtx"])  # of the rows 2-4,0,2

    def write_matrix(self, name, nrows, ncols, entries, field="integer"):
        lines = [f"{i} {j} {x}\n" for (i, j), x in entries.items()]
        self.write(name, BANNER.replace("real", field) +
                   f"{nrows} {ncols} {len(entries)}\n" + "".join(lines))

    def want(self, words):
        """C by other means, of a list of words."""
        options = dict(zip(words, words[1:] + [None]))
        a = self.matrices["A.mtx"]
        b = self.matrices["B.mtx" if "B.mtx" in words else "A.mtx"]
        a = transposed(a) if "--transpose-a" in words else a
        b = transposed(b) if "--transpose-b" in words else b
        ring = options.get("--semiring", "plus_times")
        c = product(a, b, ring)
        if "--rows" in words:
            c = {(at + 1, j): x for at, row in enumerate((2, 3, 4, 0, 2))
                 for (i, j), x in c.items() if i == row + 1}
        if "--alpha" in words:
            c = {place: RINGS[ring][1](-3, x) for place, x in c.items()}
        if "--mask" in words:
            mask = self.matrices[options["--mask"]]
            c = {place: x for place, x in c.items()
                 if (place in mask) != ("--complement" in words)}
        if "--drop-zeros" in words:
            c = {place: x for place, x in c.items() if x != 0}
        return keep_top(c, 2) if "--keep-top" in words else c

    def test_all_together_agree_with_another_multiplication(self):
        dice = random.Random(7)
        choices = [[[], ["B.mtx"]], [[], ["--transpose-a"]], [[], ["--transpose-b"]],
                   [[]] + [["--semiring", ring] for ring in RINGS],
                   [[], ["--rows", "2-4,0,2"]], [[], ["--alpha", "-3"]],
                   [[], ["--mask", "M.mtx"], ["--mask", "A.mtx"], ["--mask", "M.mtx", "--complement"]],
                   [[], ["--drop-zeros"]], [[], ["--keep-top", "2"]],
                   [[], ["--memory-limit", "1M"]], [[], ["--unsorted"]]]
        for _ in range(150):
            words = ["A.mtx"] + sum((dice.choice(c) for c in choices), [])
            if "--rows" in words and "--mask" in words:
                words[words.index("--mask") + 1] = "R.mtx"
            with self.subTest(" ".join(words)):
                self.ok("multiply", *words, "-o", "C.mtx")
                self.assertEqual(read_matrix((self.folder / "C.mtx").read_text()),
                                 self.want(words))

    def test_compare_takes_them_too(self):
        for words in (["--semiring", "min_plus", "--transpose-a", "--keep-top", "2"],
                      ["--mask", "M.mtx", "--complement", "--alpha", "-3", "--drop-zeros"],
                      ["--rows", "2-4,0,2", "--transpose-b"]):
            found = strict_json(self.ok("compare", "A.mtx", "--json", "-r1", *words))
            self.assertEqual(found["nnz_c"], len(self.want(["A.mtx", *words])))
            self.assertIs(found["identical"], True)

    def test_predict_takes_what_it_uses(self):
        for words in (["--semiring", "min_plus", "--transpose-a"], ["--mask", "M.mtx"],
                      ["--rows", "2-4,0,2"]):
            found = strict_json(self.ok("predict", "A.mtx", "--json", "--exact", *words))
            self.assertEqual(found["nnz_exact"], len(self.want(["A.mtx", *words])))

    def test_nothing_is_called_counted_that_is_not(self):
        words = ["A.mtx", "--mask", "M.mtx", "--complement"]
        done = self.run_tool("predict", *words, "--exact", "--json")
        if done.returncode == 0:
            self.assertEqual(strict_json(done.stdout)["nnz_exact"], len(self.want(words)))
        else:
            self.refused(2, "--exact: what the complement of a mask leaves of C is not counted",
                         "predict", *words, "--exact")
        self.ok("predict", *words)

    def test_values_of_any_type(self):
        self.write_matrix("Z.mtx", 2, 2, {(1, 1): "1 2", (2, 1): "0 1"}, "complex")
        self.assertIn("\n1 1 -15 -5\n", self.ok("multiply", "Z.mtx", "--alpha", "1,3",
                                              "--rows", "0", "-o", "-"))
        self.write_matrix("R.mtx", 1, 1, {(1, 1): "3"}, "real")
        self.assertIn("\n1 1 4.5\n", self.ok("multiply", "R.mtx", "--alpha", "0.5", "-o", "-"))

    def test_what_the_library_refuses_is_named_as_it_was_typed(self):
        self.write_matrix("Z.mtx", 9, 9, {(1, 1): "1 2"}, "complex")
        self.write_matrix("narrow.mtx", 9, 3, {(1, 1): 1})
        cases = [
            (2, ["A.mtx", "--complement"], "spgemm: --complement needs --mask FILE"),
            (2, ["A.mtx", "--rows", "8,9-12"],
             "spgemm: --rows: a row is 9, and op(A) has 9 rows"),
            (2, ["A.mtx", "--rows", "8,9223372036854775807"],
             "spgemm: --rows: a row is 9223372036854775807"),
            (3, ["A.mtx", "--mask", "narrow.mtx"],
             "spgemm: --mask: the mask is 9 x 3, and C is 9 x 9"),
            (3, ["A.mtx", "--rows", "1", "--mask", "M.mtx"],
             "spgemm: --mask: the mask is 9 x 9, and C is 1 x 9"),
            (3, ["Z.mtx", "--semiring", "min_plus"],
             "spgemm: --semiring: the semiring, min_plus, is not built for values of type"),
        ]
        for status, words, text in cases:
            for command in (["multiply"], ["compare", "-r1"]):
                self.refused(status, re.escape(text), *command, *words)

    def test_what_is_of_values_alone_is_no_option_of_a_prediction(self):
        for words in (["--alpha", "2"], ["--drop-zeros"], ["--keep-top", "3"]):
            self.refused(2, f"predict: unknown option '{words[0]}'", "predict", "A.mtx", *words)
            self.assertNotIn(words[0], self.ok("predict", "--help"))

    def test_words_that_are_none(self):
        cases = [(["--rows", text], f"--rows: '{text}' is no list of rows")
                 for text in ("", "a", "-1", "1-", "3-2", "1,,2", "1,", "1 2", "9" * 30)]
        cases += [(["--alpha", "1.5"], "--alpha: '1.5' is no value of type int64"),
                  (["--alpha", ""], "--alpha: '' is no value of type int64"),
                  (["--semiring", "plus_time"], "did you mean 'plus_times'"),
                  (["--semiring", "user"], "unknown NAME 'user': one of plus_times, "),
                  (["--keep-top", "0"], "'0' is not a whole number")]
        for words, text in cases:
            self.refused(2, re.escape(text), "multiply", "A.mtx", *words)
        self.write("Z.mtx", BANNER.replace("real", "complex") + "1 1 1\n1 1 1 2\n")
        self.write("R.mtx", BANNER + "1 1 1\n1 1 2\n")
        self.refused(2, "'1e400' is no value of type double", "multiply", "R.mtx",
                     "--alpha", "1e400")
        self.assertIn("\n1 1 inf\n", self.ok("multiply", "R.mtx", "--alpha", "inf", "-o", "-"))
        for text in ("1,", "1,2,3", ",1", "x", "1,1e400"):
            self.refused(2, "is no value of type double complex|no value of type",
                         "multiply", "Z.mtx", "--alpha", text)

    def test_a_list_of_rows_that_no_memory_holds(self):
        self.refused(2, "--rows: a row is 9,", "multiply", "A.mtx", "--rows", "0-999999999999999999")

    def test_shapes(self):
        self.write_matrix("wide.mtx", 3, 9, {(1, 1): 1, (2, 5): 4})
        self.refused(3, "a 3 x 9 matrix cannot be multiplied by itself; by its transpose: "
                     "--transpose-b", "multiply", "wide.mtx")
        self.refused(3, "wide.mtx, transposed, has 3 columns, but A.mtx has 9 rows",
                     "multiply", "wide.mtx", "A.mtx", "--transpose-a")
        found = strict_json(self.ok("multiply", "wide.mtx", "--json", "--transpose-a"))
        self.assertEqual((found["rows"], found["cols"]), (9, 9))
        found = strict_json(self.ok("multiply", "wide.mtx", "--json", "-T"))
        self.assertEqual((found["rows"], found["cols"]), (3, 3))

    def test_a_mask_is_not_overwritten(self):
        before = (self.folder / "M.mtx").read_text()
        for words in ([], ["--memory-limit", "1G"]):
            self.refused(2, "M.mtx is an operand", "multiply", "A.mtx", "--mask", "M.mtx",
                         "-o", "M.mtx", *words)
        self.assertEqual((self.folder / "M.mtx").read_text(), before)

    def test_a_transpose_that_a_header_only_claims(self):
        self.write("wide.mtx", BANNER + "2 900000000 1\n1 1 1\n")
        for words in (["--transpose-b"], ["--transpose-a", "wide.mtx"]):
            self.refused(4, "900000000 columns, and it has 1 entries", "multiply", "wide.mtx", *words)


class Fits(CliTest):
    """predict --memory-limit."""
    def setUp(self):
        super().setUp()
        self.ok("generate", "rmat", 11, 8, "-o", "A.mtx")

    def answer(self, limit, *words):
        done = self.run_tool("predict", "A.mtx", "--memory-limit", limit, *words)
        self.assertEqual(done.stderr, b"")
        return done.returncode, done.stdout.decode()

    def test_fits_may_fit_does_not_fit(self):
        for limit, status, words in (("1G", 0, "C fits"), ("100K", 4, "C does not fit"),
                                     (None, 1, "C may fit")):
            if not limit:
                found = strict_json(self.ok("predict", "A.mtx", "--json"))
                limit = str(round(found["methods"][0]["c_bytes"]))
            self.assertEqual(self.answer(limit)[0], status)
            self.assertIn(words, self.answer(limit)[1])
            self.assertNotRegex(self.answer(limit)[1], r".{81}")
            self.assertEqual("; see --exact" in self.answer(limit)[1], status == 1)
            status_json, text = self.answer(limit, "--json")
            self.assertEqual(status_json, status)
            self.assertEqual(strict_json(text)["verdict"], words[2:])

    def test_the_interval_is_that_of_the_entries(self):
        found = strict_json(self.ok("predict", "A.mtx", "--json"))
        method = found["methods"][0]
        bytes_of = lambda nnz: 8 * (found["rows"] + 1) + 12 * nnz
        error = 1.96 * method["standard_error"]
        self.assertGreater(error, 0)
        self.assertAlmostEqual(method["c_bytes"], bytes_of(method["nnz"]), 3)
        self.assertAlmostEqual(method["c_bytes_least"], bytes_of(method["nnz"] - error), 3)
        self.assertAlmostEqual(method["c_bytes_most"],
                               bytes_of(min(found["bound"], method["nnz"] + error)), 3)

    def test_what_fits_can_be_multiplied_and_what_does_not_cannot(self):
        for kind, *words in ((["rmat", 11, 8],), (["stencil27", 8, 8, 8],),
                             (["erdos-renyi", 9000, 6],), (["powerlaw", 20000],),
                             (["banded", 20000, 3],), (["random", 3000, 400, 30], "-T"),
                             (["random", 400, 3000, 30], "--transpose-a"),
                             (["erdos-renyi", 9000, 20], "--rows", "0-6999")):
            self.ok("generate", *kind, "-o", "A.mtx")
            exact = strict_json(self.ok("predict", "A.mtx", "--exact", "--json",
                                        "--memory-limit", "1G", *words))
            c_bytes = 8 * (exact["rows"] + 1) + 12 * exact["nnz_exact"]
            least = c_bytes + exact["beside_c_bytes"]
            for limit in (round(least) + 1, round(1.1 * least), round(0.98 * c_bytes), c_bytes // 3):
                status, _ = self.answer(limit, "--exact", *words)
                done = self.run_tool("multiply", "A.mtx", "--memory-limit", limit, *words)
                self.assertIn(status, (0, 4), (kind, limit))
                self.assertEqual(done.returncode, status, (kind, limit, done.stderr))

    def test_nothing_is_known(self):
        """A published method that has no error of its own cannot say no."""
        status, text = self.answer("100K", "--method", "row_independent")
        self.assertEqual(status, 1)
        self.assertIn("how far off is not known", text)
        self.assertEqual(self.answer("1G", "--method", "row_independent")[0], 0)
        self.assertEqual(self.answer("100K", "--method", "all")[0], 4)


class Convert(CliTest):
    TEXT = BANNER.replace("real", "integer") + "2 3 3\n1 1 9007199254740993\n1 3 -4\n2 2 7\n"

    def entries(self, name):
        return self.ok("convert", name, "-o", "-")

    def test_formats_and_back(self):
        self.write("A.mtx", self.TEXT)
        for name in ("B", "B.mtx", "B.npz", "B.mtx.gz", "B.MTX.GZ"):
            self.ok("convert", "A.mtx", "-o", name)
            self.assertEqual(self.entries(name), self.TEXT, name)
            again = self.folder / name
            content = again.read_bytes()
            self.ok("convert", "A.mtx", "-o", name)
            self.assertEqual(again.read_bytes(), content, name)
            if name.lower().endswith(".gz"):
                self.assertEqual(gzip.decompress(content).decode(), self.TEXT)

    def test_whatever_is_read_is_converted(self):
        for name, content in (("A.mtx.xz", lzma.compress(self.TEXT.encode())),
                              ("A.mtx.bz2", bz2.compress(self.TEXT.encode()))):
            self.write(name, content)
            self.assertEqual(self.entries(name), self.TEXT)

    def test_more_than_the_packer_takes_at_a_time(self):
        self.ok("generate", "erdos-renyi", 9000, 9, "--values", "reals", "-o", "A.mtx")
        self.ok("convert", "A.mtx", "-o", "B.mtx.gz")
        self.assertEqual(gzip.decompress((self.folder / "B.mtx.gz").read_bytes()),
                         (self.folder / "A.mtx").read_bytes())

    def test_types_stay(self):
        self.write("complex.mtx", BANNER.replace("real", "complex") + "1 1 1\n1 1 1 2\n")
        for path, field in ((DATA / "pattern_5.mtx", "pattern"), ("complex.mtx", "complex"),
                            (DATA / "integer_crlf.mtx", "integer"),
                            (DATA / "general_3x4.mtx", "real")):
            for packed in ("B.npz", "B.mtx.gz"):
                self.ok("convert", path, "-o", packed)
                self.assertEqual(strict_json(self.ok("info", packed, "--json"))["field"], field)

    def test_a_pattern_that_names_a_place_twice_is_counted(self):
        self.write("A.mtx", BANNER.replace("real", "pattern") + "2 2 3\n1 1\n1 1\n2 2\n")
        self.assertIn("\n1 1 2\n", self.entries("A.mtx"))

    def test_truths_at_one_place_are_one(self):
        self.write("A.npz", square("|b1", [1, 0, 1, 0, 1, 1], [1, 1, 0, 1, 0, 0], [0, 4, 6], 2))
        self.assertEqual(self.entries("A.npz"),
                         BANNER.replace("real", "pattern") + "2 2 2\n1 1\n1 2\n")

    def test_numpy_reads_the_types(self):
        self.write("A.mtx", self.TEXT)
        self.ok("convert", "A.mtx", "-o", "B.npz")
        with zipfile.ZipFile(self.folder / "B.npz") as archive:
            self.assertIn(b"'<i8'", archive.read("data.npy")[:128])

    def test_what_is_read_is_not_overwritten(self):
        self.write("A.mtx", self.TEXT)
        (self.folder / "link.npz").symlink_to("A.mtx")
        for name in ("A.mtx", "./A.mtx", "link.npz"):
            self.refused(2, "is an operand", "convert", "A.mtx", "-o", name)
        self.assertEqual((self.folder / "A.mtx").read_text(), self.TEXT)

    def test_unknown_endings_are_refused(self):
        self.write("A.mtx", self.TEXT)
        for name in ("B.csv", "B.gz", "B.npz.gz", "B.mtx.xz", "B.mtx.gz.gz", ".mtx.gz", "B.h5"):
            self.refused(2, "are not written, only", "convert", "A.mtx", "-o", name)
        self.refused(2, "convert needs --output FILE", "convert", "A.mtx")
        self.assertEqual(os.listdir(self.folder), ["A.mtx"])

    def test_a_packed_file_that_cannot_be_written(self):
        self.ok("generate", "erdos-renyi", 20000, 10, "-o", "A.mtx")
        self.write("B.mtx.gz", "as it was")
        import resource
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 18, 1 << 18))
        self.refused(5, "B.mtx.gz: File too large", "convert", "A.mtx", "-o", "B.mtx.gz",
                     preexec_fn=limit)
        if os.path.exists("/dev/full"):
            (self.folder / "full.mtx.gz").symlink_to("/dev/full")
            self.refused(5, "No space", "convert", "A.mtx", "-o", "full.mtx.gz")
            os.remove(self.folder / "full.mtx.gz")
        self.assertEqual((self.folder / "B.mtx.gz").read_text(), "as it was")
        self.assertEqual(sorted(os.listdir(self.folder)), ["A.mtx", "B.mtx.gz"])

    def test_a_packed_product_with_a_limit(self):
        """It cannot be written row by row: its number of entries stands first."""
        self.ok("generate", "rmat", 8, 8, "-o", "A.mtx")
        self.ok("multiply", "A.mtx", "-o", "C.mtx.gz", "--memory-limit", "1G")
        self.ok("multiply", "A.mtx", "-o", "C.mtx")
        self.assertEqual(gzip.decompress((self.folder / "C.mtx.gz").read_bytes()).decode(),
                         (self.folder / "C.mtx").read_text())
        self.refused(4, "does not fit|not enough", "multiply", "A.mtx", "-o", "C.mtx.gz",
                     "--memory-limit", "20K")


class Chain(CliTest):
    """The size of A*B*C, and the cheaper order."""

    def chain(self, *words):
        return strict_json(self.ok("chain", "--json", *words))

    def nnz(self, *words):
        return strict_json(self.ok("multiply", "--json", *words))["nnz_c"]

    def test_of_what_is_counted_both_orders_are_exact(self):
        self.ok("generate", "rmat", 6, 4, "-o", "A.mtx")
        self.ok("multiply", "A.mtx", "-o", "AA.mtx")
        found = self.chain("A.mtx", "A.mtx", "A.mtx")
        self.assertEqual(found["nnz"], self.nnz("AA.mtx", "A.mtx"))
        self.assertEqual(found["standard_error"], 0)
        self.assertEqual(found["left"]["first_nnz"], self.nnz("A.mtx"))
        self.assertIn("counted", self.ok("chain", "A.mtx", "A.mtx", "A.mtx"))

    def test_a_sample_of_a_budget(self):
        self.ok("generate", "stencil5", 100, 100, "-o", "A.mtx")
        self.ok("multiply", "A.mtx", "-o", "AA.mtx")
        found = self.chain("A.mtx", "A.mtx", "A.mtx", "--budget", 5000)
        nnz = self.nnz("AA.mtx", "A.mtx")
        self.assertGreater(found["standard_error"], 0)
        self.assertLess(abs(found["nnz"] - nnz), 0.1 * nnz)
        self.assertIn("with 95 %", self.ok("chain", "A.mtx", "A.mtx", "A.mtx",
                                           "--budget", 5000))

    def test_a_narrow_factor_comes_first(self):
        self.ok("generate", "erdos-renyi", 500, 8, "-o", "A.mtx")
        self.write("x.mtx", BANNER + "500 1 2\n1 1 1\n7 1 1\n")
        self.assertEqual(self.chain("A.mtx", "A.mtx", "x.mtx")["cheaper"], "right")
        self.assertIn("cheaper   A*(B*C)", self.ok("chain", "A.mtx", "A.mtx", "x.mtx"))

    def test_bytes_are_those_of_the_type_that_all_have_in_common(self):
        self.write("b.npz", square("|b1", [0, 1], [1, 1], [0, 1, 2], 2))
        self.write("f.npz", square("<f4", [0, 1], [1, 1], [0, 1, 2], 2))
        self.write("z.npz", square("<c16", [0, 1], [1, 1, 1, 1], [0, 1, 2], 2))
        for third, entry_bytes in (("b", 4 + 1), ("f", 4 + 4), ("z", 4 + 16)):
            found = self.chain("b.npz", "b.npz", third + ".npz")
            self.assertEqual(found["bytes"], 8 * 3 + 2 * entry_bytes)

    def test_shapes_and_files_that_do_not_fit_are_named(self):
        self.write("A.mtx", BANNER + "2 3 1\n1 1 1\n")
        self.refused(3, "A has 3 columns, and B has 2 rows", "chain", "A.mtx", "A.mtx", "A.mtx")
        self.refused(3, "nowhere.mtx", "chain", "A.mtx", "nowhere.mtx", "A.mtx")
        self.refused(2, "chain needs", "chain", "A.mtx", "A.mtx")

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
