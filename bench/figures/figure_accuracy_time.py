#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What a prediction takes of the time of the whole spgemm_precise()."""
import statistics

import accuracy_drawing
import drawing
from accuracy_paper import PAPER

LARGE = 10e6  # products: from there on the paper's figures are targets
PAPER_MEAN, PAPER_WORST = PAPER["prediction"]


def shares(runs, method, column):
    """(products, percent) of each pair that was timed: medians of its seeds."""
    points = []
    for trials in runs.by_pair(method).values():
        found = [t.time_share(column) for t in trials]
        if None not in found and trials[0].pair.products > 0:
            points.append((trials[0].pair.products,
                           100 * statistics.median(found)))
    return points


def draw_points(axes, points, label, colour, marker):
    large = [share for products, share in points if products > LARGE]
    mean = f", mean {statistics.mean(large):.2f} %" if large else ""
    axes.plot([1e-6 * products for products, _ in points],
              [share for _, share in points], linestyle="", marker=marker,
              markersize=3.5, color=colour, alpha=0.7, label=label + mean)


def draw(runs):
    found = {method: shares(runs, method, "predict_seconds")
             for method in runs.methods}
    found = accuracy_drawing.need({m: p for m, p in found.items() if p},
                                  "times of spgemm_precise")
    shape = drawing.figure(
        runs, "Cost of the prediction",
        "A point: a product of two matrices: time of the prediction, without the "
        "count of scalar products, which the method of two passes does too, over "
        f"the time of the whole two passes; {accuracy_drawing.seeds(runs)}. "
        "Means: of more than 10 million scalar products (right of the dotted line). "
        "Lines: mean and worst of Du et al., against BRMerge-Precise, on another "
        "machine.", 8, 4, top=0.6 + 0.17 * (1 + len(found) // 3), left=0.7)
    axes = shape.subplots()
    axes.grid(True)
    first = next(iter(found))
    draw_points(axes, shares(runs, first, "products_seconds"),
                "count of scalar products", "0.55", "_")
    for method, points in found.items():
        draw_points(axes, points, method, *accuracy_drawing.style(method))
    axes.axhline(PAPER_MEAN, color="black", linewidth=1, linestyle="--",
                 label=f"Du et al., mean {PAPER_MEAN} %")
    axes.axhline(PAPER_WORST, color="black", linewidth=1, linestyle=":",
                 label=f"Du et al., worst {PAPER_WORST} %")
    axes.axvline(1e-6 * LARGE, color="0.6", linewidth=0.8, linestyle=":")
    accuracy_drawing.log_scale(axes.xaxis)
    accuracy_drawing.log_scale(axes.yaxis)
    axes.set_xlabel("scalar products, millions")
    axes.set_ylabel("prediction / multiplication in two passes, %")
    drawing.legend(shape, ncol=3)
    return shape


if __name__ == "__main__":
    accuracy_drawing.main("accuracy_time", draw)
