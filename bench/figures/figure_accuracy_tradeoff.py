#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The error of a prediction against what it looks at, and what it takes."""
import statistics

import accuracy_drawing
import drawing
from accuracy_csv import DEFAULT, pair_mean
from csv_lines import Malformed

DASHES = {"size": "-", "budget": "-", "probability": "--", "error": ":"}


def parameter(setting):
    """size of "size=64", and of "default" the setting itself."""
    return setting.partition("=")[0]


def value(setting):
    """64 of "size=64" and of "size=64 of products"; 0 of "default"."""
    return float(setting.partition("=")[2].partition(" ")[0] or 0)


def point(runs, method, setting):
    """(percent of the products, ns a product, |error| in percent): means over
    pairs. None: some pair has no prediction, and means would not compare."""
    groups = runs.by_pair(method, setting)
    if not groups or groups.keys() != runs.by_pair(method).keys():
        return None
    seconds = statistics.mean(
        statistics.median(t.values["predict_seconds"] for t in trials)
        / max(trials[0].pair.products, 1) for trials in groups.values())
    return (100 * pair_mean(groups, lambda t: t.share), 1e9 * seconds,
            100 * pair_mean(groups, lambda t: abs(t.error)))


def curves(runs):
    """Points by (method, parameter), in the order of its values, and the
    default's by method."""
    settings = sorted(dict.fromkeys((t.method, t.setting)
                                    for t in runs.trials.values()),
                      key=lambda entry: (runs.methods.index(entry[0]),
                                         value(entry[1])))
    found = {}
    for method, setting in settings:
        of = point(runs, method, setting)
        if of:
            found.setdefault((method, parameter(setting)), []).append(of)
    return found


def draw_curves(axes, found, column):
    for (method, name), points in found.items():
        colour, marker = accuracy_drawing.style(method)
        # A method that looks at no product, or never errs, is on no such axis.
        drawn = [(p[column], p[2]) for p in points
                 if p[column] > 0 and p[2] > 0]
        if name == DEFAULT:
            axes.plot(*zip(*drawn) if drawn else ((), ()), linestyle="",
                      marker=marker, markersize=8, markerfacecolor="none",
                      color=colour)
        elif drawn:
            axes.plot(*zip(*drawn), marker=marker, markersize=3, color=colour,
                      linestyle=DASHES.get(name, "-"), linewidth=1,
                      label=f"{method}, by {name}")
    accuracy_drawing.log_scale(axes.xaxis)
    accuracy_drawing.log_scale(axes.yaxis)
    axes.grid(True)


def draw(runs):
    found = curves(runs)
    if all(name == DEFAULT for _, name in found):
        raise Malformed("no settings but the default: made without --sweep")
    lines = sum(name != DEFAULT for _, name in found)
    shape = drawing.figure(
        runs, "Error against cost",
        "A point: a method with one value of its parameter, means over all products "
        f"of matrices, {accuracy_drawing.seeds(runs)}; a line joins the values in "
        "their order; large and open: the method's default. Left: against the share "
        "of the scalar products that are counted; right: against time. Down and left "
        "is better.", 8, 3.6, top=0.6 + 0.17 * (1 + lines // 3), left=0.6)
    left, right = shape.subplots(1, 2, sharey=True, gridspec_kw={"wspace": 0.08})
    draw_curves(left, found, 0)
    draw_curves(right, found, 1)
    left.set_xlabel("scalar products counted, % of all")
    left.set_ylabel("mean |error| of nnz(C), %")
    right.set_xlabel("time of the prediction, ns a scalar product")
    handles, labels = right.get_legend_handles_labels()
    drawing.legend(shape, handles=handles, labels=labels, ncol=3)
    return shape


if __name__ == "__main__":
    accuracy_drawing.main("accuracy_tradeoff", draw)
