#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What each method of prediction is worth to the multiply: medians of a CSV of
bench_predictors, times against the default method's. With one thread a time is
CPU time, with more wall time.

    python3 bench/predictors_report.py predictors.csv
"""
import argparse
import statistics

from csv_lines import Malformed, comment, number, read_lines, run
from report import aligned, show
from results_csv import divide, geometric_mean

COUNTS = ("nrows", "products", "nnz_c", "threads", "repetition",
          "nnz_predicted", "overflow_rows", "overflow_entries", "c_bytes",
          "allocated_bytes", "peak_bytes")
SECONDS = ("seconds", "cpu_seconds", "predict_seconds")
COLUMNS = ("matrix", "method") + COUNTS + SECONDS

HEADS = [("", "method"), ("predicted", "/ nnz(C)"), ("overflow", "rows"),
         ("overflow", "entries"), ("slack", "MB"), ("slack", "% of C"),
         ("peak", "MB"), ("predict", "ms"), ("whole", "ms"), ("", "/ default")]


def read(path):
    """Comments, and rows by (matrix, method)."""
    comments, rows = [], {}

    def add(fields, _):
        numbers = {c: number(fields, c, c in COUNTS) for c in COUNTS + SECONDS}
        rows.setdefault((fields["matrix"], fields["method"]),
                        []).append(fields | numbers)

    read_lines(path, lambda _: COLUMNS, comments.append, add)
    if not rows:
        raise Malformed(f"{path}: no rows")
    return comments, rows


def median(rows, column):
    return statistics.median(row[column] for row in rows)


def whole(rows):
    return median(rows, "cpu_seconds" if rows[0]["threads"] == 1 else "seconds")


def slack(rows):
    return statistics.median(row["allocated_bytes"] - row["c_bytes"]
                             for row in rows)


def cells(method, rows, standard):
    seconds = whole(rows)
    c_bytes = rows[0]["c_bytes"]
    return [method,
            show(divide(median(rows, "nnz_predicted"), rows[0]["nnz_c"] or None), 3),
            show(median(rows, "overflow_rows"), 0),
            show(median(rows, "overflow_entries"), 0),
            show(slack(rows), 1, 1e-6), show(divide(slack(rows), c_bytes), 1, 100),
            show(median(rows, "peak_bytes"), 1, 1e-6),
            show(median(rows, "predict_seconds"), 2, 1e3),
            show(seconds, 2, 1e3), show(divide(seconds, standard), 3)]


def print_product(matrix, of, default):
    first = next(iter(of.values()))[0]
    standard = whole(of[default]) if default in of else None
    print(f"\n{matrix}: {first['products'] / 1e6:.1f} M products, nnz(C) "
          f"{first['nnz_c'] / 1e6:.2f} M, {first['threads']} "
          f"{'thread' if first['threads'] == 1 else 'threads'}, medians of "
          f"{len(next(iter(of.values())))} calls\n")
    print("\n".join(aligned(HEADS, [cells(method, rows, standard)
                                    for method, rows in of.items()], (0,))))


def print_summary(products, default):
    """Geometric means of times against the default's; the most slack."""
    methods = dict.fromkeys(method for of in products.values() for method in of)
    lines = []
    for method in methods:
        both = [of for of in products.values() if method in of and default in of]
        ratios = [divide(whole(of[method]), whole(of[default])) for of in both]
        lines.append([method, str(len(both)), show(geometric_mean(ratios), 3),
                      show(max(ratios, default=None), 3),
                      show(sum(median(of[method], "overflow_rows")
                               for of in both), 0),
                      show(max((divide(slack(of[method]),
                                       of[method][0]["c_bytes"])
                                for of in both), default=None), 1, 100)])
    print(f"\nAll products, time against {default}'s:\n")
    print("\n".join(aligned([("", "method"), ("", "products"),
                             ("geometric", "mean"), ("", "worst"),
                             ("overflow", "rows"), ("most slack", "% of C")],
                            lines, (0,))))


def main():
    parser = argparse.ArgumentParser(
        description="Tables of a CSV of bench_predictors.")
    parser.add_argument("csv")
    comments, rows = read(parser.parse_args().csv)
    default = comment(comments, "default method")
    products = {}
    for (matrix, method), of in rows.items():
        products.setdefault(matrix, {})[method] = of
    for key in ("revision", "date", "cpu", "compiler"):
        print(f"{key}: {comment(comments, key)}")
    for matrix, of in products.items():
        print_product(matrix, of, default)
    print_summary(products, default)
    for text in comments:
        if text.startswith("skipped: "):
            print(text)


if __name__ == "__main__":
    run("predictors_report.py", main)
