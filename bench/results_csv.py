# SPDX-License-Identifier: BSD-3-Clause
"""The CSV of bench_spgemm: reading, checks, medians, the fastest peer.

    results = read("full.csv")
    for table in results.tables():          # a number of threads, a memory
        for product in table.products:
            table.median(product, ("predicted", "sorted"))
"""
import re
import statistics
from dataclasses import dataclass, field

import csv_lines
from csv_lines import Malformed, number

OURS = ("predicted", "precise", "upper_bound")
ORDERS = ("sorted", "unsorted")
MEMORIES = ("kept", "returned")
STEPS = ("check", "products", "predict", "allocate", "multiply", "compact")

# A way to multiply: the method and the order of the rows of C.
SORTED = ("predicted", "sorted")
UNSORTED = ("predicted", "unsorted")
PRECISE = ("precise", "sorted")
UPPER_BOUND = ("upper_bound", "sorted")

TEXTS = ("matrix", "method", "order", "memory")
COUNTS = ("nrows", "products", "nnz_c", "threads", "repetition")
SECONDS = ("seconds", "cpu_seconds", "floor_seconds")
REPORT_COUNTS = ("nnz_predicted", "overflow_rows", "c_bytes", "allocated_bytes",
                 "peak_bytes", "upper_bound_bytes")  # empty for peers
REPORT_SECONDS = tuple(f"{step}_seconds" for step in STEPS)
COLUMNS = TEXTS + COUNTS + SECONDS + REPORT_SECONDS + REPORT_COUNTS

# What `predicted` may take for a C of 50 MB or more.
MEMORY_FROM_BYTES = 50e6


def memory_bound(c_bytes):
    return 1.10 * c_bytes + 16e6


@dataclass(frozen=True)
class Product:
    matrix: str
    nrows: int
    products: int
    nnz_c: int

    @property
    def compression(self):
        return self.products / self.nnz_c if self.nnz_c else 1.0


@dataclass(frozen=True)
class Skipped:
    matrix: str
    method: str
    order: str
    threads: int
    why: str


@dataclass
class Results:
    comments: list = field(default_factory=list)
    skipped: list = field(default_factory=list)
    done: set = field(default_factory=set)
    incomplete: list = field(default_factory=list)
    bandwidths: dict = field(default_factory=dict)  # of a number of threads
    products: dict = field(default_factory=dict)    # by matrix
    rows: dict = field(default_factory=dict)        # of a way, by repetition

    def comment(self, key):
        return csv_lines.comment(self.comments, key)

    def tables(self, threads=None, memory=None):
        """Those that there are rows of: fewest threads first, kept first."""
        found = sorted({(key[3], key[4]) for key in self.rows})
        return [Table(self, t, m) for t, m in found
                if threads in (None, t) and memory in (None, m)]


class Table:
    """The products by one number of threads and with one memory policy.

    With one thread a time is CPU time, which other work on the machine
    disturbs least; with more it is wall time.
    """

    def __init__(self, results, threads, memory):
        self.results = results
        self.threads = threads
        self.memory = memory
        self.measure = "cpu_seconds" if threads == 1 else "seconds"
        self.rows = {key[:3]: list(rows.values())
                     for key, rows in results.rows.items()
                     if key[3:] == (threads, memory)}
        matrices = {key[0] for key in self.rows}
        self.products = sorted(
            (p for p in results.products.values() if p.matrix in matrices),
            key=lambda p: (p.products, p.matrix))
        self.peers = sorted({key[1] for key in self.rows} - set(OURS))

    def values(self, product, way, column=None):
        """Of all repetitions; the time where no column is named."""
        rows = self.rows.get((product.matrix, *way), ())
        return [row[column or self.measure] for row in rows]

    def median(self, product, way, column=None):
        values = self.values(product, way, column)
        return statistics.median(values) if values else None

    def quartiles(self, product, way, column=None):
        values = self.values(product, way, column)
        if len(values) < 2:
            return tuple(values) * 3
        return tuple(statistics.quantiles(values, n=4, method="inclusive"))

    def fastest_peer(self, product, order):
        """(method, order), or None."""
        ways = [(method, order) for method in self.peers
                if (product.matrix, method, order) in self.rows]
        return min(ways, key=lambda way: self.median(product, way), default=None)

    def ratio(self, product, other, ours):
        """How many times as long the other way takes."""
        if other is None:
            return None
        return divide(self.median(product, other), self.median(product, ours))

    def floor(self, product):
        return next(row["floor_seconds"] for key, rows in self.rows.items()
                    if key[0] == product.matrix for row in rows)

    def prediction_share(self, product, predict_seconds=None):
        """The prediction's part of the wall time of `precise`, in percent."""
        if predict_seconds is None:
            predict_seconds = self.median(product, SORTED, "predict_seconds")
        share = divide(predict_seconds, self.median(product, PRECISE, "seconds"))
        return None if share is None else 100 * share

    def c_bytes(self, product):
        return next((row["c_bytes"] for method in OURS for order in ORDERS
                     for row in self.rows.get((product.matrix, method, order), ())),
                    None)

    def peak_bytes(self, product, method):
        """The most of all calls: a bound on memory holds for every one."""
        return max((value for order in ORDERS for value
                    in self.values(product, (method, order), "peak_bytes")),
                   default=None)

    def repetitions(self):
        """In words: how many values a median has."""
        counts = {len(rows) for rows in self.rows.values()}
        low, high = min(counts), max(counts)
        calls = "call" if high == 1 else "calls"
        return f"{low} {calls}" if low == high else f"{low} to {high} {calls}"

    def title(self):
        threads = "1 thread" if self.threads == 1 else f"{self.threads} threads"
        return f"{threads}, memory {self.memory}"

    def caption(self):
        """The same for the caption of a figure."""
        memory = {"kept": "freed memory is kept for the next call",
                  "returned": "each call takes fresh memory"}[self.memory]
        return f"{self.title().partition(',')[0]}, {memory}"


def divide(a, b):
    return None if a is None or b is None else a / b


def geometric_mean(values):
    values = [value for value in values if value is not None]
    return statistics.geometric_mean(values) if values else None


# ---- Reading ----------------------------------------------------------------

def _check(row):
    for column, words in (("order", ORDERS), ("memory", MEMORIES)):
        if row[column] not in words:
            raise Malformed(f"{column}: '{row[column]}' is not one of "
                            f"{', '.join(words)}")
    for column in SECONDS:
        if row[column] == 0:
            raise Malformed(f"{column} is 0")
    if row["threads"] == 0:
        raise Malformed("threads is 0")


def _read_row(fields):
    columns = COUNTS + SECONDS
    if fields["method"] in OURS:
        columns += REPORT_SECONDS + REPORT_COUNTS
    row = {column: fields[column] for column in TEXTS}
    for column in columns:
        row[column] = number(fields, column, column in COUNTS + REPORT_COUNTS,
                             kind="time")
    _check(row)
    return row


def _read_comment(results, text):
    results.comments.append(text)
    if text.startswith("done: "):
        results.done.add(text.removeprefix("done: "))
    elif text.startswith("skipped: "):
        match = re.fullmatch(r"skipped: (.+),([^,]+),([^,]+),(\d+): (.*)", text)
        if not match:
            raise Malformed("'# skipped:' without matrix,method,order,threads: why")
        matrix, method, order, threads, why = match.groups()
        skipped = Skipped(matrix, method, order, int(threads), why)
        if skipped not in results.skipped:
            results.skipped.append(skipped)
    elif text.startswith("bandwidth, "):
        match = re.fullmatch(r"bandwidth, threads (\d+): copy ([\d.]+) GB/s, "
                             r"read ([\d.]+) GB/s", text)
        if not match:
            raise Malformed("'# bandwidth' without threads N: copy, read")
        results.bandwidths[int(match[1])] = max(float(match[2]), float(match[3]))


def _add(results, row):
    product = Product(*(row[c] for c in ("matrix", "nrows", "products", "nnz_c")))
    if results.products.setdefault(product.matrix, product) != product:
        raise Malformed(f"{product.matrix}: other nrows, products or nnz_c "
                        "than in the rows before")
    way = tuple(row[c] for c in ("matrix", "method", "order", "threads", "memory"))
    repetitions = results.rows.setdefault(way, {})
    if row["repetition"] in repetitions:
        raise Malformed(f"repetition {row['repetition']} of {','.join(map(str, way))}"
                        " is there twice")
    repetitions[row["repetition"]] = row


def _drop_incomplete(results):
    """A product without `# done:` may lack methods: it is left out."""
    results.incomplete = [m for m in results.products if m not in results.done]
    for matrix in results.incomplete:
        del results.products[matrix]
    results.rows = {key: rows for key, rows in results.rows.items()
                    if key[0] in results.products}


def read(path):
    """Malformed, with the number of the line, where the file is not right."""
    results = Results()
    csv_lines.read_lines(path, lambda _: COLUMNS,
                         lambda text: _read_comment(results, text),
                         lambda fields, _: _add(results, _read_row(fields)))
    _drop_incomplete(results)
    if not results.rows:
        raise Malformed(f"{path}: no product is complete")
    return results
