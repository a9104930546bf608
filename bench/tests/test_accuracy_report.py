#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of bench/accuracy_report.py and its figures, on results made by hand.

    bench/tests/test_accuracy_report.py
"""
import lzma
import unittest

from support import BENCH, Figures, InFolder

FACTS = ("a,b,crop,nrows,inner,ncols,nnz_a,nnz_b,products,bound,nnz_exact,"
         "precise_seconds,precise_calls,threads,method,setting,seed,nnz")
TOTALS = FACTS + (",relative_error,standard_error,rows_sampled,products_sampled,"
                  "products_seconds,predict_seconds")
ROWS = FACTS + (",rows,mean_error,shortfall,excess,"
                "q00,q01,q05,q25,q50,q75,q95,q99,q100")
HEADER = """\
# bench_accuracy of spgemm 0.1.0
# revision: 0123456789ab
# date: 2026-11-20 10:06 UTC
# cpu: Test CPU
# compiler: GNU 12.2.0
# default method: stratified
# run: by hand
"""
FIRST_LINE = 9  # of the rows


class Pair:
    """A product of 1000 rows."""
    nrows = 1000

    def __init__(self, a, b, products, exact, precise="0.1", crop="none",
                 counts=(1000, 5000)):
        self.a, self.b, self.products, self.exact = a, b, products, exact
        self.nrows, nnz = counts
        self.facts = (a, b, crop, self.nrows, self.nrows, self.nrows, nnz, nnz,
                      products, products, exact, precise, 3 if precise else "", 1)

    def row(self, method, nnz, seed=0, setting="default", error=None, bar=100.0,
            sample=(10, 100), seconds=(0.002, 0.0005)):
        if error is None:
            error = repr((nnz - self.exact) / self.exact)
        return ",".join(map(str, (*self.facts, method, setting, seed, repr(nnz),
                                  error, bar, *sample, *seconds)))

    def sample(self, f, z, seed=0, rows=10):
        """What the paper's methods make of f products and z entries."""
        return [self.row("sampled_nnz", z * self.nrows / rows, seed,
                         sample=(rows, f)),
                self.row("sampled_cr", self.products * z / f if f else
                         float(self.products), seed, sample=(rows, f))]

    def done(self, *lines):
        return [*lines, f"# done: {self.a},{self.b}"]


# Errors of Z1* 10 and -50 %, of the sample's products 25 and -60 %: of Z2*
# 1.1 / 1.25 - 1 = -12 % and 0.5 / 0.4 - 1 = 25 %.
SQUARE = Pair("one", "one", 20_000_000, 10_000_000)
OTHER = Pair("one", "two", 1_000_000, 800_000)


def both():
    return [
        *SQUARE.done(*SQUARE.sample(250_000, 110_000),
                     SQUARE.row("stratified", 10_020_000.0, bar=20_000.0,
                                sample=(50, 100_000))),
        *OTHER.done(*OTHER.sample(4000, 4000),
                    OTHER.row("stratified", 792_000.0, bar=1000.0,
                              sample=(40, 50_000))),
    ]


class Results(InFolder):
    def setUp(self):
        super().setUp()
        self.csv = self.folder / "results.csv"

    def write(self, *lines, columns=TOTALS, path=None):
        (path or self.csv).write_text(HEADER + "\n".join([columns, *lines]) + "\n")

    def report(self, *words, status=0):
        return self.python("accuracy_report.py", self.csv, *words, status=status)

    def table(self, text, head):
        """Words of the lines that follow one that begins so."""
        lines = text.splitlines()
        start = next(k for k, line in enumerate(lines) if line.startswith(head))
        return [line.split() for line in lines[start:]]


class Report(Results):
    def test_packed_results_are_read(self):
        self.write(*both())
        plain = self.report().stdout
        text = self.csv.read_bytes()
        self.csv = self.folder / "results.csv.xz"
        self.csv.write_bytes(lzma.compress(text))
        self.assertEqual(self.report().stdout, plain)
        self.csv.write_bytes(lzma.compress(text)[:-20])
        self.assertIn("results.csv.xz: ", self.report(status=2).stderr)

    def test_the_papers_evaluation(self):
        self.write(*both())
        text = self.report().stdout
        lines = [line.rsplit(maxsplit=2) for line in text.splitlines()]
        found = {line[0]: line[1:] for line in lines if len(line) == 3}
        for name, here, paper in (
                ("products of two matrices", "2", "625"),
                ("samples of each", "1", "1"),
                ("mean |e1|, reference design (sampled_nnz)", "30.00", "8.12"),
                ("mean |ef|, products of the sample", "42.50", "8.59"),
                ("mean |e2|, proposed method (sampled_cr)", "18.50", "1.56"),
                ("worst |e1|", "50.00", "158"), ("worst |ef|", "60.00", "155"),
                ("worst |e2|", "25.00", "25"),
                ("cases where |e2| < |e1|", "50.00", "81.4"),
                ("correlation of e1 and ef", "100.00", "97.01")):
            self.assertEqual(found[name], [here, paper], name)
        self.assertIn("e2 = (e1 - ef) / (1 + ef) holds in all 2 cases.\n", text)

    def test_methods_times_and_bars(self):
        self.write(*both())
        text = self.report().stdout
        rows = {line[0]: line[1:] for line in self.table(text, "All pairs")[:10]
                if line}
        # pairs, trials, mean, median, 95 %, worst, mean error, rows, products,
        # covered, mean time, worst time, worst pair
        self.assertEqual(rows["stratified"],
                         "2 2 0.600 0.200 1.000 1.00 -0.400 45 2.750 50.0 0.500 "
                         "0.500 one x two".split())
        squares = {line[0]: line[1:] for line in self.table(text, "Squares")[:10]
                   if line}
        self.assertEqual(squares["stratified"][:3], ["1", "1", "0.200"])
        times = {line[0]: line[1:] for line in
                 self.table(text, "Time as a part") if line}
        self.assertEqual(times["counting"],
                         "the products 2.000 1.68 2.000 4.12 one x one".split())
        self.assertEqual(times["stratified"],
                         "0.500 0.72 0.500 1.89 one x one".split())

    def test_the_targets(self):
        self.write(*both())
        lines = self.report().stdout.splitlines()
        start = lines.index("Targets:")
        self.assertEqual(lines[start + 1:start + 10], [
            "FAIL  (i) mean |e2| of sampled_cr: 18.500 % (target 1 to 3 %)",
            "pass  (i) correlation of e1 and ef: 1.000 (target > 0.9)",
            "FAIL  (ii) 2 pairs: mean |error| of stratified: 0.600 % "
            "(target <= 0.5 %)",
            "pass  (ii) 2 pairs: worst |error| of stratified (one x two): "
            "1.000 % (target <= 5 %)",
            "pass  (iii) 1 squares: mean |error| of stratified: 0.200 % "
            "(target <= 0.8 %)",
            "pass  (iii) 1 squares: worst |error| of stratified (one x one): "
            "0.200 % (target <= 10 %)",
            "pass  (iii) products sampled by stratified, squares, mean: 0.500 % "
            "(target <= 1 %)",
            "pass  (iv) stratified / spgemm_precise, mean, 1 pairs of more than "
            "10 M products: 0.500 % (target <= 0.75 %)",
            "pass  (iv) stratified / spgemm_precise, worst, 1 pairs of more than "
            "10 M products: 0.500 % (target <= 2 %)"])

    def test_targets_that_are_not_met_name_the_pairs(self):
        self.write(*SQUARE.done(SQUARE.row("stratified", 11_500_000.0,
                                           seconds=(0.001, 0.003))),
                   *OTHER.done(OTHER.row("stratified", 700_000.0)))
        text = self.report().stdout
        self.assertIn("15.000 % (target <= 5 %): one x one 15.00, one x two "
                      "-12.50", text)
        self.assertIn("FAIL  (iv) stratified / spgemm_precise, worst, 1 pairs of "
                      "more than 10 M products: 3.000 % (target <= 2 %): one x one "
                      "3.000", text)
        self.assertIn("  --  (i) mean |e2| of sampled_cr: not measured", text)

    def test_a_pair_counts_once_whatever_its_seeds(self):
        self.write(*SQUARE.done(*(SQUARE.row("stratified", nnz, seed) for
                                  seed, nnz in enumerate((1.02e7, 0.98e7, 1.02e7)))),
                   *OTHER.done(OTHER.row("stratified", 800_000.0)))
        text = self.report().stdout
        rows = {line[0]: line[1:] for line in self.table(text, "All pairs")[:10]
                if line}
        self.assertEqual(rows["stratified"][:3], ["2", "4", "1.000"])

    def test_seeds_have_their_limits(self):
        self.write(*SQUARE.done(*SQUARE.sample(250_000, 110_000, 0),
                                *SQUARE.sample(200_000, 104_000, 1)))
        line = next(line for line in self.report().stdout.splitlines()
                    if line.startswith("mean |e2|"))
        self.assertEqual(line.split()[-4:], ["8.00", "1.56", "4.00", "12.00"])

    def test_a_sample_without_products_has_no_identity(self):
        self.write(*both()[:-1], *OTHER.sample(0, 0, 1), both()[-1])
        text = self.report().stdout
        self.assertIn("holds in all 2 cases whose sample has products; 1 have "
                      "none.\n", text)
        self.assertRegex(text, r"\nworst \|e1\| +100\.00 ")

    def test_products_of_a_suite_are_told_by_class(self):
        """Errors of 1 and 3 % with bars of 1.96, and of 0.06 % without one."""
        one = Pair("hidden/one", "hidden/one", 1_000_000, 100_000)
        two = Pair("grids/two", "grids/two", 1_000_000, 100_000)
        self.write(
            *one.done(one.row("stratified", 101_000.0, bar=1000.0),
                      one.row("stratified", 97_000.0, seed=1, bar=1000.0)),
            *two.done(two.row("stratified", 100_060.0, bar=0.0)))
        text = self.report().stdout
        table = self.table(text, "stratified by class")
        rows = {words[0]: words[1:] for words in table if words}
        self.assertEqual(rows["hidden"], ["1", "2.00", "3.0", "50.0", "50.0", "1.96",
                                          "0.01", "0.01", "one"])
        self.assertEqual(rows["grids"], ["1", "0.06", "0.1", "100.0", "100.0", "0.00",
                                         "0.01", "0.01", "two"])
        self.assertEqual(rows["all"][:5], ["2", "1.03", "3.0", "75.0", "50.0"])
        self.assertNotIn("Targets", text)

    def test_several_files_are_one(self):
        self.write(*SQUARE.done(*SQUARE.sample(250_000, 110_000)))
        more = self.folder / "more.csv"
        self.write(*SQUARE.done(SQUARE.row("min_hash", 10_100_000.0)), path=more)
        text = self.report(more).stdout
        self.assertIn("\nsampled_cr ", text)
        self.assertIn("\nmin_hash ", text)

    def test_what_is_not_there_is_told(self):
        empty = Pair("no", "no", 0, 0, precise="")
        self.write(
            "# skipped: big,big,all: 1e+12 products, more than --limit-products",
            "# done: big,big",
            *OTHER.done("# skipped: one,two,precise_seconds: C needs 9 GB",
                        OTHER.row("stratified", 800_000.0)),
            *empty.done(empty.row("stratified", 0.0, error="0", bar="")),
            SQUARE.row("stratified", 1e7))
        text = self.report().stdout
        self.assertIn("""
Skipped:
  big x big, all: 1e+12 products, more than --limit-products
  one x two, precise_seconds: C needs 9 GB
  one x one: not complete, left out
""", text)
        self.assertIn("no x no: nnz(C) = 0", text)
        self.assertNotIn("(ii) 3 pairs", text)


class Genuine(Results):
    """conf5_4-8x8-05 and cage12 as in the paper's table 1."""

    def setUp(self):
        super().setUp()
        self.cage = Pair("cage12", "cage12", 34610826, 15231874,
                         counts=(130228, 2032536))
        self.patents = Pair("patents_main", "patents_main", 2604790, 2281308,
                            counts=(240547, 560943))
        self.both = Pair("cage12", "patents_main", 4_700_000, 4_611_949,
                         counts=(130228, 2032536))

    def write_all(self):
        self.write(*self.cage.done(self.cage.row("stratified", 15231874.0)),
                   *self.patents.done(self.patents.row("stratified", 2281308.0)),
                   *self.both.done(*self.both.sample(12_000, 11_700, rows=300),
                                   self.both.row("stratified", 4_611_949.0 * 1.01)))

    def test_table_2_is_beside_ours(self):
        self.write_all()
        text = self.report().stdout
        self.assertIn("The paper's matrices, 2 of 25: patents_main (counts of "
                      "table 1), cage12 (counts of table 1)\n", text)
        line = next(line for line in text.splitlines()
                    if line.startswith("cage12  patents_main"))
        self.assertEqual(line.split(), [
            "cage12", "patents_main", "4611949", "4611949", "10.12", "3.61",
            "10.83", "3.62", "-0.64", "-0.01", "1.00"])

    def test_other_counts_are_another_matrix(self):
        self.patents = Pair("patents_main", "patents_main", 2604790, 2281309,
                            counts=(240547, 560943))
        self.write_all()
        text = self.report().stdout
        self.assertIn("The paper's matrices, 1 of 25: cage12 (counts of table 1)\n"
                      "Not the paper's, other counts than in its table 1: "
                      "patents_main\n", text)
        self.assertIn("Of the paper's table 2: none", text)
        index = self.folder / "INDEX.tsv"
        index.write_text("name\tkind\npatents_main\tregenerated-pattern(order)\n"
                         "cage12\tstand-in\n")
        text = self.report("--index", index).stdout
        self.assertIn("patents_main (regenerated-pattern(order))", text)
        self.assertIn("\ncage12  patents_main  ", text)

    def test_a_bad_index(self):
        self.write_all()
        index = self.folder / "INDEX.tsv"
        index.write_text("name\n")
        self.assertIn("INDEX.tsv: line 1: the columns lack name or kind",
                      self.report("--index", index, status=2).stderr)
        self.assertIn("No such file", self.report("--index", "no", status=2).stderr)


class Malformed(Results):
    def check(self, why, line=None, status=2):
        done = self.report(status=status)
        where = "" if line is None else f" line {line}:"
        self.assertEqual(done.stderr,
                         f"accuracy_report.py: {self.csv}:{where} {why}\n")
        self.assertEqual(done.stdout, "")

    def test_an_error_that_is_not_of_its_counts(self):
        first, second = SQUARE.sample(250_000, 110_000)
        self.write(*SQUARE.done(first, second.replace("8800000.0", "8800001.0")))
        self.check("relative_error -0.12 is not that of nnz and nnz_exact, "
                   "-0.1199999", FIRST_LINE + 1)

    def test_errors_without_their_identity(self):
        """Each row is right by itself."""
        first, _ = SQUARE.sample(250_000, 110_000)
        wrong = SQUARE.row("sampled_cr", 8_800_001.0, sample=(10, 250_000))
        self.write(*SQUARE.done(first, wrong))
        self.check("one x one, seed 0: e2 = -0.1199999 is not (e1 - ef) / (1 + ef) "
                   "= -0.12", FIRST_LINE + 1)

    def test_the_papers_methods_have_one_sample(self):
        first, second = SQUARE.sample(250_000, 110_000)
        self.write(*SQUARE.done(first, second.replace(",250000,", ",250001,")))
        self.check("one x one, seed 0: sampled_nnz and sampled_cr have different "
                   "samples", FIRST_LINE + 1)

    def test_lines(self):
        row = SQUARE.row("stratified", 1e7)
        other = OTHER.row("stratified", 8e5)
        cases = [
            (row.rpartition(",")[0], FIRST_LINE, "23 fields, not 24"),
            (row.replace(",20000000,", ",2e7,", 1), FIRST_LINE,
             "products: '2e7' is not a count"),
            (row.replace(",100.0,", ",-1,"), FIRST_LINE,
             "standard_error: '-1' is not a number"),
            (row.replace(",10000000.0,", ",nan,"), FIRST_LINE,
             "nnz: 'nan' is not a number"),
            (f"{row}\n{row}", FIRST_LINE + 2,
             "one x one, stratified, default, seed 0 is there twice"),
            (other, FIRST_LINE + 1, "one x two lies in the block of one,one"),
            ("# skipped: one", FIRST_LINE, "'# skipped:' without A,B,what: why"),
        ]
        for line, number, why in cases:
            self.write(line, "# done: one,one")
            self.check(why, number)
        later = Pair("one", "one", 20_000_000, 10_000_001)
        self.write(*SQUARE.done(row), *later.done(later.row("min_hash", 1e7)))
        self.check("one x one: other counts than in the rows before",
                   FIRST_LINE + 3)

    def test_files_without_results(self):
        self.write()
        self.check("no pair is complete")
        self.csv.write_text("# cpu: x\n")
        self.check("the columns are missing", 2)
        self.csv.write_text("a,b\n")
        self.assertIn("line 1: the columns lack crop, method, ",
                      self.report(status=2).stderr)
        self.csv.unlink()
        self.check("No such file or directory")

    def test_errors_of_rows_are_for_a_figure(self):
        self.write(*rows_of_rows(), columns=ROWS)
        self.check("errors of rows; see figures/figure_accuracy_rows.py")


def rows_of_rows():
    def line(pair, method, scale):
        values = [900, 0.1 * scale, 0.05, 0.06]
        values += [scale * q for q in (-1, -.5, -.2, -.1, 0, .1, .3, .6, 2)]
        return ",".join(map(str, (*pair.facts, method, "default", 0,
                                  float(pair.exact), *values)))
    return [*SQUARE.done(line(SQUARE, "sampled_cr", 0.5),
                         line(SQUARE, "stratified", 0.1)),
            *OTHER.done(line(OTHER, "sampled_cr", 0.2))]


class Drawn(Figures, Results):
    NAMES = ("coverage", "errors", "rows", "time", "tradeoff")

    def draw(self, name, output, status=0):
        return self.draw_figure(f"accuracy_{name}", output, status=status)

    def write_for(self, name):
        if name == "rows":
            self.write(*rows_of_rows(), columns=ROWS)
        elif name == "tradeoff":
            self.write(*SQUARE.done(*(
                SQUARE.row("sampled_cr", nnz, setting=setting, sample=(10, f))
                for setting, nnz, f in (("default", 1.01e7, 1000),
                                        ("size=16", 1.1e7, 100),
                                        ("size=256", 1.001e7, 5000)))))
        else:
            self.write(*both())

    def test_all_are_drawn_and_the_same_again(self):
        for name in self.NAMES:
            self.write_for(name)
            self.check_same_again(f"accuracy_{name}")
        files = sorted(path.name for path in
                       (BENCH / "figures").glob("figure_accuracy_*.py"))
        self.assertEqual(files, [f"figure_accuracy_{n}.py" for n in self.NAMES])

    def test_files_of_another_kind(self):
        self.write(*both())
        self.assertIn("made without --rows",
                      self.draw("rows", self.folder, status=2).stderr)
        self.assertIn("made without --sweep",
                      self.draw("tradeoff", self.folder, status=2).stderr)
        pair = Pair("one", "one", 100, 90, precise="")
        self.write(*pair.done(pair.row("upper_bound", 100.0, bar="")))
        self.assertIn("no times of spgemm_precise",
                      self.draw("time", self.folder, status=2).stderr)
        self.assertIn("no error bars",
                      self.draw("coverage", self.folder, status=2).stderr)
        self.write("x")
        self.assertEqual(
            self.draw("errors", self.folder, status=2).stderr,
            f"figure_accuracy_errors.py: {self.csv}: line 9: 1 fields, not 24\n")


if __name__ == "__main__":
    unittest.main()
