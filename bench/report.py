#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tables of a CSV of bench_spgemm, and what it says of the project's targets.

    python3 bench/report.py full.csv                       # all tables
    python3 bench/report.py full.csv --threads 1 --memory kept
    python3 bench/report.py full.csv --threads 1 --memory kept --markdown
"""
import argparse
import statistics

from csv_lines import Malformed, run
from results_csv import (MEMORIES, MEMORY_FROM_BYTES, PRECISE, SORTED, UNSORTED,
                         UPPER_BOUND, divide, geometric_mean,
                         memory_bound, read)

MEASURES = {"cpu_seconds": "CPU time, which other work on a shared machine "
                           "disturbs less than wall time",
            "seconds": "wall time"}

# ---- Tables -----------------------------------------------------------------


def show(value, digits=2, factor=1.0):
    return "-" if value is None else f"{factor * value:.{digits}f}"


def show_ms(seconds):
    return show(seconds, 2, 1e3)


def aligned(heads, rows, names):
    """Lines of a table; `names`: the columns that are words."""
    cells = [list(head) for head in zip(*heads)] + rows
    widths = [max(len(row[k]) for row in cells) for k in range(len(heads))]
    return ["  ".join(cell.ljust(width) if k in names else cell.rjust(width)
                      for k, (cell, width) in enumerate(zip(row, widths))).rstrip()
            for row in cells]


class Line:
    """What a table says of one product."""

    def __init__(self, table, product):
        self.product = product
        self.ours = table.median(product, SORTED)
        self.unsorted = table.median(product, UNSORTED)
        self.precise = table.median(product, PRECISE)
        self.upper_bound = table.median(product, UPPER_BOUND)
        self.peers = {}
        for order in ("sorted", "unsorted"):
            way = table.fastest_peer(product, order)
            self.peers[order] = (way and table.median(product, way),
                                 way[0] if way else "-")
        self.ratios = {
            "sorted": divide(self.peers["sorted"][0], self.ours),
            "mixed": divide(self.peers["unsorted"][0], self.ours),
            "unsorted": divide(self.peers["unsorted"][0], self.unsorted),
            "precise": divide(self.precise, self.ours),
            "floor": divide(table.floor(product), self.ours),
        }

    def cells(self):
        r = self.ratios
        return [self.product.matrix, show(self.product.products, 1, 1e-6),
                show(self.product.compression), show_ms(self.ours),
                show_ms(self.unsorted), show_ms(self.precise),
                show_ms(self.upper_bound),
                show_ms(self.peers["sorted"][0]), self.peers["sorted"][1],
                show(r["sorted"]),
                show_ms(self.peers["unsorted"][0]), self.peers["unsorted"][1],
                show(r["mixed"]), show(r["unsorted"]), show(r["precise"]),
                show(r["floor"])]


HEADS = [("", "matrix"), ("products", "M"), ("com-", "pression"),
         ("sorted", "ms"), ("unsorted", "ms"), ("precise", "ms"),
         ("upper_bound", "ms"), ("sorted", "peer ms"), ("", "peer"),
         ("peer/", "sorted"), ("unsorted", "peer ms"), ("", "peer"),
         ("peer/", "sorted"), ("peer/", "unsorted"), ("precise/", "predicted"),
         ("floor/", "sorted")]
NAMES = (0, 8, 11)
RATIOS = {9: "sorted", 12: "mixed", 13: "unsorted", 14: "precise", 15: "floor"}


def summary(word, lines, function):
    cells = [word] + [""] * (len(HEADS) - 1)
    for column, key in RATIOS.items():
        values = [x.ratios[key] for x in lines if x.ratios[key] is not None]
        cells[column] = show(function(values) if values else None)
    return cells


def print_table(table, lines):
    print(f"\n{table.title()}: medians of {table.repetitions()}; times are "
          f"{MEASURES[table.measure]}\npeers: {', '.join(table.peers) or 'none'}\n")
    rows = [line.cells() for line in lines]
    rows.append(summary("geometric mean", lines, geometric_mean))
    rows.append(summary("minimum", lines, min))
    print("\n".join(aligned(HEADS, rows, NAMES)))


def print_markdown(table, lines):
    print(f"\n{table.title()}; medians of {table.repetitions()}, "
          f"{'CPU time' if table.threads == 1 else 'wall time'}:\n")
    print("| matrix | products, M | compression | ours, sorted, ms "
          "| best sorted peer, ms | ratio | best unsorted peer, ms | ratio |\n"
          "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |")
    for line in lines:
        cells = line.cells()
        print("| " + " | ".join([*cells[:4], f"{cells[8]} {cells[7]}", cells[9],
                                 f"{cells[11]} {cells[10]}", cells[12]]) + " |")
    means = [show(geometric_mean(line.ratios[key] for line in lines))
             for key in ("sorted", "mixed")]
    print(f"| geometric mean | | | | | {means[0]} | | {means[1]} |")


# ---- Targets ----------------------------------------------------------------

def verdict(is_met, what, measured, target, short=()):
    """One line: whether it is met, what it is, measured, target, and where not."""
    word = "pass" if is_met else "FAIL"
    tail = f": {', '.join(short)}" if short else ""
    print(f"{word}  {what}: {measured} (target {target}){tail}")


def split(values):
    """Those that are measured, by matrix, and the names of the others."""
    known = {name: v for name, v in values.items() if v is not None}
    return known, [f"{name} not measured" for name in values if name not in known]


def at_least(what, values, mean=None, every=None):
    known, unknown = split(values)
    if not known:
        print(f"  --  {what}: not measured")
        return
    if mean is not None:
        measured = geometric_mean(known.values())
        verdict(measured >= mean and not unknown, f"{what}, geometric mean",
                f"{measured:.3f}", f">= {mean:.2f}", unknown)
    if every is not None:
        least = min(known, key=known.get)
        short = [f"{name} {value:.3f}" for name, value
                 in sorted(known.items(), key=lambda item: item[1])
                 if value < every] + unknown
        verdict(not short, f"{what}, every matrix",
                f"{known[least]:.3f} ({least})", f">= {every:.2f}", short)


def print_ratios(lines):
    def of(key):
        return {line.product.matrix: line.ratios[key] for line in lines}

    at_least("(a) fastest sorted peer / ours sorted", of("sorted"), 3.0, 1.3)
    at_least("(b) fastest unsorted peer / ours sorted", of("mixed"), 1.7, 1.0)
    at_least("(b) fastest unsorted peer / ours unsorted", of("unsorted"),
             every=1.15)
    at_least("(c) precise / predicted", of("precise"), 1.5, 1.1)


def print_prediction(table):
    what = ("(d) prediction / precise (wall times), "
            "matrices of more than 10 M products")
    known, unknown = split({p.matrix: table.prediction_share(p)
                            for p in table.products if p.products > 10e6})
    if not known:
        print(f"  --  {what}: not measured")
        return
    mean = statistics.mean(known.values())
    worst = max(known, key=known.get)
    verdict(mean <= 0.75 and not unknown, f"{what}, mean",
            f"{mean:.3f} %, worst {known[worst]:.3f} % ({worst})", "<= 0.75 %",
            unknown)


def print_memory(table):
    what = ("(f) peak of predicted / (1.10 C + 16 MB), every call, "
            "C of 50 MB or more")
    large = [p for p in table.products
             if (table.c_bytes(p) or 0) >= MEMORY_FROM_BYTES]
    known, unknown = split(
        {p.matrix: divide(table.peak_bytes(p, "predicted"),
                          memory_bound(table.c_bytes(p))) for p in large})
    if not known:
        print(f"  --  {what}: not measured")
        return
    worst = max(known, key=known.get)
    short = [f"{name} {value:.3f}" for name, value
             in sorted(known.items(), key=lambda item: -item[1]) if value > 1]
    verdict(not short and not unknown, what, f"{known[worst]:.3f} ({worst})",
            "<= 1", short + unknown)


def print_speedup(one, two):
    """Two threads against one, in wall time."""
    what = (f"(e) memory {one.memory}, 1 thread / 2 threads (wall times), "
            "matrices of more than 50 M products")
    both = [p for p in one.products if p in two.products and p.products > 50e6]
    known, unknown = split(
        {p.matrix: divide(one.median(p, SORTED, "seconds"),
                          two.median(p, SORTED, "seconds")) for p in both})
    if not known:
        print(f"  --  {what}: not measured")
        return
    mean = statistics.mean(known.values())
    short = [f"{name} {value:.3f}" for name, value in known.items()
             if mean < 1.85 and value < 1.85]
    verdict(mean >= 1.85 and not unknown, f"{what}, mean", f"{mean:.3f}",
            ">= 1.85", short + unknown)


def print_speedups(results, memory):
    bandwidths = results.bandwidths
    for name in MEMORIES:
        tables = {t.threads: t for t in results.tables(memory=name)
                  if memory in (None, name)}
        if 1 in tables and 2 in tables:
            print_speedup(tables[1], tables[2])
    if 1 in bandwidths and 2 in bandwidths:
        print("      bandwidth of 2 threads / 1 thread: "
              f"{bandwidths[2] / bandwidths[1]:.2f} ({bandwidths[2]:.1f} and "
              f"{bandwidths[1]:.1f} GB/s)")


# ---- The whole --------------------------------------------------------------

def print_header(results):
    for key in ("revision", "date", "cpu", "compiler"):
        print(f"{key}: {results.comment(key)}")
    for threads, bandwidth in sorted(results.bandwidths.items()):
        print(f"bandwidth, threads {threads}: {bandwidth:.1f} GB/s")


def print_absent(results, threads):
    """What there are no rows of, and why."""
    skipped = [f"{s.matrix}, {s.method}, {s.order}, threads {s.threads}: {s.why}"
               for s in results.skipped if threads in (None, s.threads)]
    incomplete = [f"{matrix}: not complete, left out"
                  for matrix in results.incomplete]
    peers = [c for c in dict.fromkeys(results.comments)
             if c.startswith("peers not built: ") or ": left out: " in c]
    for head, entries in (("Skipped:", skipped), ("Products:", incomplete),
                          ("Peers:", peers)):
        if entries:
            print("\n" + "\n  ".join([head, *entries]))


def print_report(results, tables, arguments):
    print_header(results)
    for table in tables:
        lines = [Line(table, product) for product in table.products]
        print_table(table, lines)
        print(f"\nTargets, {table.title()}:")
        print_ratios(lines)
        print_prediction(table)
        print_memory(table)
    if arguments.threads is None and {1, 2} <= {t.threads for t in tables}:
        print("\nTargets, two threads:")
        print_speedups(results, arguments.memory)
    print_absent(results, arguments.threads)


def main():
    parser = argparse.ArgumentParser(description="Tables of a CSV of bench_spgemm.")
    parser.add_argument("csv")
    parser.add_argument("--threads", type=int, metavar="N")
    parser.add_argument("--memory", choices=MEMORIES)
    parser.add_argument("--markdown", action="store_true",
                        help="compact tables for a README, and no targets")
    arguments = parser.parse_args()
    results = read(arguments.csv)
    tables = results.tables(arguments.threads, arguments.memory)
    if not tables:
        raise Malformed(f"{arguments.csv}: no rows of these threads and memory")
    if arguments.markdown:
        for table in tables:
            print_markdown(table, [Line(table, p) for p in table.products])
    else:
        print_report(results, tables, arguments)


if __name__ == "__main__":
    run("report.py", main)
