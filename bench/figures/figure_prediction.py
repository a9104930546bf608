#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The time of the prediction as a share of the time of `precise`: the last
figure of the paper, with its mean and its worst case."""
import statistics

import drawing
from results_csv import SORTED

# Of BRMerge-Precise, on 25 squares.
PAPER_MEAN = 0.72
PAPER_WORST = 1.89
LARGE = 10e6


def mark(axes, value, text, colour, style, place):
    axes.axvline(value, color=colour, linestyle=style, linewidth=1.2,
                 label=f"{text} {value:.2f} %", zorder=place)


def draw_bars(axes, table, products):
    shares = [table.prediction_share(p) for p in products]
    quartiles = [[table.prediction_share(p, seconds) for seconds in
                  table.quartiles(p, SORTED, "predict_seconds")] for p in products]
    whiskers = [[q[1] - q[0] for q in quartiles], [q[2] - q[1] for q in quartiles]]
    colours = [drawing.SKY if p.products > LARGE else "0.8" for p in products]
    axes.barh(range(len(products)), shares, height=0.7, color=colours,
              xerr=whiskers, error_kw={"elinewidth": 0.8, "ecolor": "0.3"})
    return [s for s, p in zip(shares, products) if p.products > LARGE]


def draw(table):
    products = [p for p in table.products if table.prediction_share(p) is not None]
    shape = drawing.figure(
        table, "Cost of the prediction",
        "A bar: a product: time of the prediction over time of the "
        f"multiplication in two passes, {drawing.medians(table, 'seconds')}; whiskers: "
        "quartiles of the prediction. Grey: 10 million scalar products or fewer, not "
        "in the mean. Matrices by number of scalar products, the fewest first. Du et "
        "al.: against BRMerge-Precise, other matrices, other machine.", 8,
        drawing.rows_height(len(products)), top=0.65,
        left=drawing.words_width([p.matrix for p in products]))
    axes = shape.subplots()
    axes.grid(True, axis="x")
    large = draw_bars(axes, table, products)
    if large:
        mark(axes, statistics.mean(large), "this library, mean", drawing.OURS, "-", 4)
    mark(axes, PAPER_MEAN, "Du et al., mean", drawing.VERMILION, "--", 5)
    mark(axes, PAPER_WORST, "Du et al., worst", drawing.VERMILION, ":", 5)
    drawing.label_rows(axes, products)
    axes.set_xlim(left=0)
    axes.set_xlabel("prediction / multiplication in two passes, %")
    drawing.legend(shape, ncol=3)
    return shape


if __name__ == "__main__":
    drawing.main("prediction", draw)
