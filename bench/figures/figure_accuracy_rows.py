#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How far off the predicted nnz of single rows of C is."""
import statistics

import accuracy_drawing
import drawing
from accuracy_csv import DEFAULT

TICKS = (-100, -30, -10, 0, 10, 30, 100, 300, 1000)
LINEAR = 10  # percent: within it the axis is linear


def spreads(runs, method):
    """Of each left matrix: 5, 25, 50, 75 and 95 per cent of the rows, means over
    seeds and products; the narrowest half first."""
    found = {}
    for trial in runs.trials.values():
        if trial.method == method and trial.setting == DEFAULT:
            found.setdefault(trial.pair.a, []).append(trial.values)
    columns = ("q05", "q25", "q50", "q75", "q95")
    of_all = [[100 * statistics.mean(v[c] for v in values) for c in columns]
              for values in found.values()]
    return sorted(of_all, key=lambda of: (of[3] - of[1], of[4] - of[0]))


def mean_error(runs, method):
    return 100 * statistics.mean(t.values["mean_error"]
                                 for t in runs.trials.values()
                                 if t.method == method and t.setting == DEFAULT)


def draw_method(axes, runs, method):
    colour, _ = accuracy_drawing.style(method)
    of_all = spreads(runs, method)
    # One matrix is an area, too.
    places = [100 * k / len(of_all) for k in range(len(of_all) + 1)]
    low, lower, middle, upper, high = zip(*of_all, of_all[-1])
    axes.fill_between(places, low, high, step="post", color=colour, alpha=0.25,
                      linewidth=0)
    axes.fill_between(places, lower, upper, step="post", color=colour, alpha=0.6,
                      linewidth=0)
    axes.plot([p + 50 / len(of_all) for p in places[:-1]], middle[:-1], color="black",
              linestyle="", marker=".", markersize=2)
    axes.set_title(f"{method}\nmean |error| {mean_error(runs, method):.1f} %",
                   fontweight="normal", fontsize=9)
    axes.set_xlim(0, 100)
    axes.set_xticks([0, 25, 50, 75])
    axes.grid(True, axis="y")
    axes.axhline(0, color="0.3", linewidth=0.6)


def draw(runs):
    methods = accuracy_drawing.need(runs.methods, "predictions")
    shape = drawing.figure(
        runs, "Errors of the predicted rows of C",
        "Across: the matrices, those first whose rows are predicted best. Up and "
        "down: how far off the predicted number of entries of a row of C is; dark: "
        "half of the rows of a matrix, light: 90 % of them, point: the median row; "
        f"{accuracy_drawing.seeds(runs)}. Rows without products are left out. The "
        "scale is linear within 10 %.", 8, 1.7, top=0.75, left=0.7)
    all_axes = shape.subplots(1, len(methods), sharey=True, squeeze=False,
                              gridspec_kw={"wspace": 0.08})[0]
    for axes, method in zip(all_axes, methods):
        axes.set_yscale("symlog", linthresh=LINEAR)
        draw_method(axes, runs, method)
    low, high = all_axes[0].get_ylim()
    all_axes[0].set_yticks([t for t in TICKS if low <= t <= high],
                           [f"{t:+g}" if t else "0" for t in TICKS if low <= t <= high])
    all_axes[0].set_ylabel("error of a row, %")
    all_axes[len(methods) // 2].set_xlabel("matrices, %")
    return shape


if __name__ == "__main__":
    accuracy_drawing.main("accuracy_rows", draw, needs_rows=True)
