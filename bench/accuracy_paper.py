# SPDX-License-Identifier: BSD-3-Clause
"""What the paper says, and which matrices are the paper's.

The paper: Z. Du et al., Predicting the Output Structure of Sparse Matrix
Multiplication with Sampled Compression Ratio, arXiv:2207.13848.
"""
from pathlib import Path

from csv_lines import Malformed

TABLES = Path(__file__).resolve().parent / "accuracy"

# What the paper says of its 625 products, in percent; errors, and times as
# parts of BRMerge-Precise's on the 25 squares.
PAPER = {
    "mean |e1|": 8.12, "mean |ef|": 8.59, "mean |e2|": 1.56,
    "worst |e1|": 158, "worst |ef|": 155, "worst |e2|": 25,
    "better": 81.4, "correlation": 97.01,
    "products": (1.68, 4.12), "prediction": (0.72, 1.89),
}


def read_table(name):
    """Rows of a table by tabs: dictionaries."""
    lines = [line.split("\t") for line
             in (TABLES / name).read_text(encoding="utf-8").splitlines()
             if line and not line.startswith("#")]
    return [dict(zip(lines[0], line)) for line in lines[1:]]


def read_index(path):
    """Kind of each matrix that an INDEX.tsv names."""
    try:
        lines = Path(path).read_text(encoding="utf-8").splitlines()
    except OSError as error:
        raise Malformed(f"{path}: {error.strerror}") from None
    columns = lines[0].split("\t") if lines else []
    if "name" not in columns or "kind" not in columns:
        raise Malformed(f"{path}: line 1: the columns lack name or kind")
    rows = [dict(zip(columns, line.split("\t"))) for line in lines[1:]]
    return {row["name"]: row.get("kind", "") for row in rows}


def is_genuine(kind):
    """A kind of INDEX.tsv that stands for the matrix of its name."""
    return kind == "real" or kind.startswith("regenerated-")


def judge_matrices(runs, kinds):
    """Of the matrices of table 1 that were multiplied: why each counts as the
    paper's, or None where it does not."""
    found = {}
    present = {name for pair in runs.pairs for name in pair}
    for row in read_table("table1.tsv"):
        name = row["name"]
        if name not in present:
            continue
        square = runs.pairs.get((name, name))
        counts = square and (square.nrows, square.nnz_a, square.products,
                             square.nnz_exact)
        paper = tuple(int(row[c]) for c in
                      ("rows", "nnz", "products_of_A2", "nnz_of_A2"))
        if counts == paper:
            found[name] = "counts of table 1"
        elif is_genuine(kinds.get(name, "")):
            found[name] = kinds[name]
        elif counts:
            found[name] = None
    return found
