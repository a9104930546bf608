#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The part of each step in the time of `predicted`, matrix by matrix."""
import drawing
from results_csv import SORTED, STEPS

MEANINGS = {
    "check": "check A and B",
    "products": "count products",
    "predict": "predict nnz(C)",
    "allocate": "plan, allocate C",
    "multiply": "multiply",
    "compact": "compact, shrink",
}
COLOURS = {
    "check": drawing.GREEN,
    "products": drawing.ORANGE,
    "predict": drawing.BLACK,
    "allocate": drawing.PURPLE,
    "multiply": drawing.SKY,
    "compact": drawing.YELLOW,
}


def shares(table, product):
    """Percent of a step, of the sum of all."""
    times = {step: table.median(product, SORTED, f"{step}_seconds")
             for step in STEPS}
    total = sum(times.values())
    return {step: 100 * time / total for step, time in times.items()}


def draw(table):
    products = [p for p in table.products if table.values(p, SORTED)]
    parts = [shares(table, p) for p in products]
    shape = drawing.figure(
        table, "Where the time of a product goes",
        "A bar: a product, allocated from a prediction, rows sorted; "
        f"share of each step, {drawing.medians(table, 'seconds')}. Matrices by number "
        "of scalar products, the fewest first.", 8,
        drawing.rows_height(len(products)), top=0.85,
        left=drawing.words_width([p.matrix for p in products]))
    axes = shape.subplots()
    left = [0.0] * len(products)
    for step in STEPS:
        widths = [part[step] for part in parts]
        mean = sum(widths) / len(widths) if widths else 0
        axes.barh(range(len(products)), widths, left=left, height=0.78,
                  color=COLOURS[step], edgecolor="white", linewidth=0.3,
                  label=f"{MEANINGS[step]} (mean {mean:.2f} %)")
        left = [start + width for start, width in zip(left, widths)]
    drawing.label_rows(axes, products)
    axes.set_xlim(0, 100)
    axes.set_xlabel("share of the time, %")
    drawing.legend(shape, ncol=3, columnspacing=1.5)
    return shape


if __name__ == "__main__":
    drawing.main("steps", draw)
