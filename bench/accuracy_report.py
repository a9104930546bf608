#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What CSVs of bench_accuracy say beside the paper, and of the targets.

    python3 bench/accuracy_report.py full.csv
    python3 bench/accuracy_report.py full.csv all-methods.csv --index DIR/INDEX.tsv

The paper: Z. Du et al., Predicting the Output Structure of Sparse Matrix
Multiplication with Sampled Compression Ratio, arXiv:2207.13848.
"""
import argparse
import statistics

from accuracy_classes import is_suite, print_classes
from accuracy_csv import (SAMPLED_CR, SAMPLED_NNZ, correlation, pair_mean,
                          quantile, read)
from accuracy_paper import PAPER, judge_matrices, read_index, read_table
from csv_lines import Malformed, run
from report import aligned, show, verdict

LARGE = 10e6  # products; of smaller pairs a time says little


def percent(value, digits=3):
    return show(value, digits, 100)


def mean(values):
    values = [v for v in values if v is not None]
    return statistics.mean(values) if values else None


# ---- The paper's evaluation -------------------------------------------------

class Evaluation:
    """The errors of the reference design, of its sample, and of the proposed
    method: each pair counts once, whatever its number of seeds."""

    def __init__(self, cases):
        self.groups = {}
        for case in cases:
            self.groups.setdefault((case.pair.a, case.pair.b), []).append(case)
        self.cases = cases

    def mean(self, error):
        return pair_mean(self.groups, lambda case: abs(getattr(case, error)))

    def worst(self, error):
        return max((abs(getattr(case, error)) for case in self.cases),
                   default=None)

    def better(self):
        """Part of the cases that the proposed method wins."""
        return pair_mean(self.groups, lambda case: abs(case.e2) < abs(case.e1))

    def correlation(self):
        return correlation([c.e1 for c in self.cases],
                           [c.ef for c in self.cases])

    def numbers(self):
        """In the paper's order, by the names of PAPER."""
        found = {}
        for word, function in (("mean", self.mean), ("worst", self.worst)):
            for error in ("e1", "ef", "e2"):
                found[f"{word} |{error}|"] = function(error)
        found["better"] = self.better()
        found["correlation"] = self.correlation()
        return found


NAMES = {
    "mean |e1|": "mean |e1|, reference design (sampled_nnz)",
    "mean |ef|": "mean |ef|, products of the sample",
    "mean |e2|": "mean |e2|, proposed method (sampled_cr)",
    "worst |e1|": "worst |e1|", "worst |ef|": "worst |ef|",
    "worst |e2|": "worst |e2|",
    "better": "cases where |e2| < |e1|",
    "correlation": "correlation of e1 and ef",
}


def print_evaluation(evaluation, seeds):
    if not evaluation.cases:
        print(f"\nThe paper's errors need {SAMPLED_NNZ} and {SAMPLED_CR}")
        return
    heads = [("",), ("here",), ("paper",)]
    rows = [["products of two matrices", str(len(evaluation.groups)), "625"],
            ["samples of each", str(seeds), "1"]]
    rows += [[NAMES[key], percent(value, 2), f"{PAPER[key]:.4g}"]
             for key, value in evaluation.numbers().items()]
    if seeds > 1:
        heads += [("seeds: least",), ("most",)]
        rows = rows[:2] + [row + limits for row, limits
                           in zip(rows[2:], limits_of_seeds(evaluation))]
        rows[:2] = [row + ["", ""] for row in rows[:2]]
    print("\nThe paper's evaluation, percent:\n")
    print("\n".join(aligned(heads, rows, (0,))))
    print_identity(evaluation.cases)


def limits_of_seeds(evaluation):
    """Least and most that one seed alone would have given."""
    by_seed = {}
    for case in evaluation.cases:
        by_seed.setdefault(case.seed, []).append(case)
    found = [Evaluation(cases).numbers() for cases in by_seed.values()]
    limits = []
    for key in evaluation.numbers():
        values = [numbers[key] for numbers in found if numbers[key] is not None]
        limits.append([percent(min(values, default=None), 2),
                       percent(max(values, default=None), 2)])
    return limits


def print_identity(cases):
    without = sum(not case.has_products for case in cases)
    print(f"\ne2 = (e1 - ef) / (1 + ef) holds in all {len(cases) - without} cases"
          + (f" whose sample has products; {without} have none." if without
             else "."))


# ---- Methods ----------------------------------------------------------------

class Method:
    """What there is to say of one method."""

    def __init__(self, runs, name, is_wanted=lambda pair: True):
        self.name = name
        self.groups = {key: trials for key, trials in runs.by_pair(name).items()
                       if is_wanted(trials[0].pair)}
        self.trials = [t for trials in self.groups.values() for t in trials]
        self.errors = sorted(abs(t.error) for t in self.trials)
        self.worst = max(self.trials, key=lambda t: abs(t.error), default=None)

    def mean_error(self):
        return pair_mean(self.groups, lambda t: abs(t.error))

    def bias(self):
        return pair_mean(self.groups, lambda t: t.error)

    def coverage(self):
        return pair_mean(self.groups, lambda t: t.is_covered)

    def share(self):
        return pair_mean(self.groups, lambda t: t.share)

    def rows_sampled(self):
        return pair_mean(self.groups, lambda t: t.values["rows_sampled"])

    def above(self, bound):
        """Pairs with an error beyond the bound, the worst first."""
        found = {}
        for trial in sorted(self.trials, key=lambda t: -abs(t.error)):
            if abs(trial.error) > bound:
                found.setdefault(trial.pair.name, trial.error)
        return [f"{name} {percent(error, 2)}" for name, error in found.items()]

    def time_shares(self, column="predict_seconds"):
        """Of the large pairs that are timed, by name: the median of the seeds."""
        found = {}
        for trials in self.groups.values():
            shares = [t.time_share(column) for t in trials]
            if trials[0].pair.products > LARGE and None not in shares:
                found[trials[0].pair.name] = statistics.median(shares)
        return found

    def cells(self):
        errors = self.errors
        shares = self.time_shares()
        return [self.name, str(len(self.groups)), str(len(self.trials)),
                percent(self.mean_error()),
                percent(quantile(errors, 0.5)), percent(quantile(errors, 0.95)),
                percent(abs(self.worst.error), 2), percent(self.bias()),
                show(self.rows_sampled(), 0), percent(self.share()),
                percent(self.coverage(), 1), percent(mean(shares.values())),
                percent(max(shares.values(), default=None)),
                self.worst.pair.name]


HEADS = [("", "method"), ("", "pairs"), ("", "trials"), ("mean", "|error|"),
         ("", "median"), ("", "95 %"), ("", "worst"), ("mean", "error"),
         ("rows", "sampled"), ("products", "sampled"), ("covered by", "95 % bar"),
         ("mean time", "/ precise"), ("worst time", "/ precise"),
         ("", "worst pair")]


def print_methods(runs, title, is_wanted):
    found = [Method(runs, name, is_wanted) for name in runs.methods]
    rows = [m.cells() for m in found if m.trials]
    if not rows:
        return
    print(f"\n{title}, percent but for counts; a pair counts once, whatever its "
          "number of seeds;\ntimes: of the method alone, pairs of more than 10 M "
          "products:\n")
    print("\n".join(aligned(HEADS, rows, (0, len(HEADS) - 1))))


# ---- Times ------------------------------------------------------------------

def print_times(runs):
    """As the last figure of the paper has them."""
    rows = []
    for name, column, key in (
            (runs.default_method, "products_seconds", "products"),
            (runs.default_method, "predict_seconds", "prediction"),
            (SAMPLED_CR, "predict_seconds", "prediction")):
        shares = Method(runs, name).time_shares(column)
        if not shares:
            continue
        worst = max(shares, key=shares.get)
        what = "counting the products" if key == "products" else name
        rows.append([what, percent(mean(shares.values())), f"{PAPER[key][0]}",
                     percent(shares[worst]), f"{PAPER[key][1]}", worst])
    if not rows:
        return
    heads = [("",), ("mean",), ("paper",), ("worst",), ("paper",),
             ("worst pair",)]
    print("\nTime as a part of the whole spgemm_precise, percent, pairs of more "
          "than 10 M\nproducts (paper: of BRMerge-Precise, 25 squares, another "
          "machine):\n")
    print("\n".join(aligned(heads, rows, (0, 5))))


# ---- The paper's table 2 ----------------------------------------------------

def print_matrices(judged):
    right = [f"{name} ({why})" for name, why in judged.items() if why]
    wrong = [name for name, why in judged.items() if not why]
    print(f"\nThe paper's matrices, {len(right)} of 25: "
          f"{', '.join(right) or 'none'}")
    if wrong:
        print(f"Not the paper's, other counts than in its table 1: "
              f"{', '.join(wrong)}")


def table2_cells(runs, row):
    """The first seed beside the paper's; None: not multiplied."""
    cases = {(c.pair.a, c.pair.b): c for c in reversed(runs.cases)}
    case = cases.get((row["a"], row["b"]))
    if case is None:
        return None
    cells = [row["a"], row["b"], str(case.pair.nnz_exact), row["nnz"]]
    for error in ("e1", "ef", "e2"):
        cells += [percent(getattr(case, error), 2), row[error]]
    trials = runs.by_pair(runs.default_method).get((row["a"], row["b"]))
    return cells + [percent(trials[0].error, 2) if trials else "-"]


def print_table2(runs, judged):
    rows = [table2_cells(runs, row) for row in read_table("table2.tsv")
            if judged.get(row["a"]) and judged.get(row["b"])]
    rows = [row for row in rows if row]
    if not rows:
        print("Of the paper's table 2: none, each product lacks a matrix of the "
              "paper's")
        return
    heads = [("", "A"), ("", "B"), ("nnz(C)", "here"), ("", "paper")]
    for error in ("e1", "ef", "e2"):
        heads += [(error, "here"), ("", "paper")]
    heads.append((runs.default_method, "error"))
    print("\nThe paper's table 2, errors in percent, the first seed (the paper's "
          "sample is another):\n")
    print("\n".join(aligned(heads, rows, (0, 1))))


# ---- Targets ----------------------------------------------------------------

def judge(what, measured, is_met, target, short=()):
    if measured is None:
        print(f"  --  {what}: not measured")
    else:
        verdict(is_met(measured), what, measured_text(measured, what), target,
                short)


def measured_text(measured, what):
    return f"{measured:.3f}" if "correlation" in what else \
        f"{100 * measured:.3f} %"


def print_paper_targets(evaluation):
    judge("(i) mean |e2| of sampled_cr", evaluation.mean("e2"),
          lambda x: 0.01 <= x <= 0.03, "1 to 3 %")
    judge("(i) correlation of e1 and ef", evaluation.correlation(),
          lambda x: x > 0.9, "> 0.9")


def print_error_targets(method, label, most_mean, most):
    worst = method.worst
    judge(f"{label}: mean |error| of {method.name}", method.mean_error(),
          lambda x: x <= most_mean, f"<= {percent(most_mean, 1)} %")
    judge(f"{label}: worst |error| of {method.name}"
          f"{f' ({worst.pair.name})' if worst else ''}",
          method.errors[-1] if method.errors else None,
          lambda x: x <= most, f"<= {percent(most, 0)} %", method.above(most))


def print_time_targets(method):
    shares = method.time_shares()
    timed = f"{len(shares)} pairs of more than 10 M products"
    large = [t[0].pair.name for t in method.groups.values()
             if t[0].pair.products > LARGE]
    if len(shares) < len(large):
        timed += f", {len(large) - len(shares)} not timed"
    short = [f"{name} {percent(share)}" for name, share
             in sorted(shares.items(), key=lambda item: -item[1]) if share > 0.02]
    judge(f"(iv) {method.name} / spgemm_precise, mean, {timed}",
          mean(shares.values()), lambda x: x <= 0.0075, "<= 0.75 %")
    judge(f"(iv) {method.name} / spgemm_precise, worst, {timed}",
          max(shares.values(), default=None), lambda x: x <= 0.02, "<= 2 %",
          short)


def print_targets(runs, evaluation):
    default = Method(runs, runs.default_method)
    squares = Method(runs, runs.default_method, lambda pair: pair.is_square)
    print("\nTargets:")
    print_paper_targets(evaluation)
    print_error_targets(default, f"(ii) {len(default.groups)} pairs", 0.005, 0.05)
    print_error_targets(squares, f"(iii) {len(squares.groups)} squares", 0.008,
                        0.10)
    judge(f"(iii) products sampled by {squares.name}, squares, mean",
          squares.share(), lambda x: x <= 0.01, "<= 1 %")
    print_time_targets(default)


# ---- The whole --------------------------------------------------------------

def print_header(runs):
    for key in ("revision", "date", "cpu", "compiler", "run"):
        print(f"{key}: {runs.results.comment(key)}")


def print_absent(runs):
    """What there is no error or no time of, and why."""
    entries = [f"{s.a} x {s.b}, {s.what}: {s.why}" for s in runs.skipped]
    entries += [f"{name}: not complete, left out" for name in runs.incomplete]
    empty = [p.name for p in runs.pairs.values() if p.nnz_exact == 0]
    entries += [f"{name}: nnz(C) = 0, no relative error unless nnz is "
                "predicted 0" for name in empty]
    if entries:
        print("\n" + "\n  ".join(["Skipped:", *entries]))


def print_suite(runs):
    print_header(runs)
    print_methods(runs, "All products", lambda pair: True)
    print_classes(runs)
    print_absent(runs)


def print_report(runs, kinds):
    evaluation = Evaluation(runs.cases)
    judged = judge_matrices(runs, kinds)
    print_header(runs)
    print_evaluation(evaluation, runs.seeds())
    print_methods(runs, "All pairs", lambda pair: True)
    if any(not pair.is_square for pair in runs.pairs.values()):
        print_methods(runs, "Squares A*A", lambda pair: pair.is_square)
    print_times(runs)
    print_matrices(judged)
    print_table2(runs, judged)
    print_targets(runs, evaluation)
    print_absent(runs)


def main():
    parser = argparse.ArgumentParser(
        description="Tables of CSVs of bench_accuracy, beside the paper's.")
    parser.add_argument("csv", nargs="+")
    parser.add_argument("--index", metavar="FILE",
                        help="INDEX.tsv with name and kind of the matrices")
    arguments = parser.parse_args()
    kinds = read_index(arguments.index) if arguments.index else {}
    runs = read(arguments.csv)
    if runs.has_rows:
        raise Malformed(f"{arguments.csv[0]}: errors of rows; see "
                        "figures/figure_accuracy_rows.py")
    if is_suite(runs):
        print_suite(runs)
    else:
        print_report(runs, kinds)


if __name__ == "__main__":
    run("accuracy_report.py", main)
