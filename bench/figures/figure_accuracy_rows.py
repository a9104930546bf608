#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How far off the predicted nnz of single rows of C is."""
import statistics

import accuracy_drawing
import drawing
from accuracy_csv import DEFAULT

TICKS = (-100, -50, -20, -10, 0, 10, 20, 50, 100, 200, 500, 1000)
LINEAR = 10  # percent: within it the axis is linear


def spreads(runs, method):
    """By the left matrix: 5, 25, 50, 75 and 95 per cent of the rows, means over
    seeds and products."""
    found = {}
    for trial in runs.trials.values():
        if trial.method == method and trial.setting == DEFAULT:
            found.setdefault(trial.pair.a, []).append(trial.values)
    columns = ("q05", "q25", "q50", "q75", "q95")
    return {name: [100 * statistics.mean(v[c] for v in values) for c in columns]
            for name, values in found.items()}


def mean_error(runs, method):
    return 100 * statistics.mean(t.values["mean_error"]
                                 for t in runs.trials.values()
                                 if t.method == method and t.setting == DEFAULT)


def draw_method(axes, runs, names, method, shift):
    colour, marker = accuracy_drawing.style(method)
    label = f"{method}, mean |error| {mean_error(runs, method):.1f} %"
    for name, (low, lower, middle, upper, high) in spreads(runs, method).items():
        y = names.index(name) + shift
        axes.plot([low, high], [y, y], color=colour, linewidth=0.7)
        axes.plot([lower, upper], [y, y], color=colour, linewidth=2.4,
                  solid_capstyle="butt")
        axes.plot([middle], [y], marker=marker, markersize=3, color=colour,
                  linestyle="", label=label)
        label = None


def draw(runs):
    names = accuracy_drawing.left_names(runs)
    methods = accuracy_drawing.need(runs.methods, "predictions")
    shape = drawing.figure(
        runs, "Errors of the predicted rows of C",
        "Of a matrix: error of the predicted nnz of a row of C; point: median row, "
        "thick line: half of the rows, thin line: 90 % of them; means over "
        f"{accuracy_drawing.seeds(runs)}. Rows without products are left out. "
        "The axis is linear within 10 %.", 8,
        drawing.rows_height(2 * len(names)),
        top=0.5 + 0.15 * (1 + len(methods) // 3))
    axes = shape.subplots()
    axes.set_xscale("symlog", linthresh=LINEAR)
    axes.grid(True, axis="x")
    axes.axvline(0, color="black", linewidth=1)
    for k, method in enumerate(methods):
        draw_method(axes, runs, names, method,
                    0.7 * (k + 0.5) / len(methods) - 0.35)
    low, high = axes.get_xlim()
    axes.set_xticks([t for t in TICKS if low <= t <= high],
                    [f"{t:+g}" if t else "0" for t in TICKS if low <= t <= high])
    accuracy_drawing.label_names(axes, names)
    axes.set_xlabel("error of the predicted nnz of a row, %")
    drawing.legend(shape, ncol=3)
    return shape


if __name__ == "__main__":
    accuracy_drawing.main("accuracy_rows", draw, needs_rows=True)
