#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How large the errors of the predicted nnz(C) are, and that those of the
sample's products and of its nnz go together: e1, ef and e2 of the paper."""
import accuracy_drawing
import drawing
from accuracy_csv import SAMPLED_CR, SAMPLED_NNZ, correlation
from accuracy_paper import PAPER

LEAST = 1e-3  # percent: what is less is drawn there
LINES = {"e1": (SAMPLED_NNZ, drawing.ORANGE),
         "ef": ("products of its sample, scaled up", drawing.GREEN),
         "e2": (SAMPLED_CR, drawing.VERMILION)}
STEPS = 500  # of a curve: more are not seen


def draw_distribution(axes, errors, label, **options):
    """The part of the cases whose error is at most x."""
    values = sorted(max(LEAST, 100 * abs(e)) for e in errors)
    count = min(STEPS, len(values))
    last = [len(values) * (k + 1) // count for k in range(count)]
    axes.step([LEAST, *(values[k - 1] for k in last)],
              [0, *(100 * k / len(values) for k in last)], where="post", label=label,
              **options)


def draw_distributions(axes, runs):
    cases = runs.cases
    for error, (label, colour) in LINES.items():
        if cases:
            draw_distribution(axes, [getattr(c, error) for c in cases], label,
                              color=colour, linewidth=1.4)
            axes.axvline(PAPER[f"mean |{error}|"], color=colour, linestyle=":",
                         linewidth=1)
    for method in runs.methods:
        trials = runs.of(method)
        if method not in (SAMPLED_NNZ, SAMPLED_CR) and trials:
            is_default = method == runs.default_method
            draw_distribution(
                axes, [t.error for t in trials],
                f"{method}{', the default' if is_default else ''}",
                color=accuracy_drawing.style(method)[0],
                linewidth=2 if is_default else 1.2,
                linestyle="-" if is_default else "--")
    axes.set_xscale("log")
    drawing.plain_log(axes.xaxis, [0.001, 0.01, 0.1, 1, 10, 100, 1000])
    axes.set_xlim(left=LEAST)
    axes.set_ylim(0, 100)
    axes.set_xlabel("|error| of nnz(C), %")
    axes.set_ylabel("predictions with at most this error, %")


def draw_correlation(axes, cases):
    xs = [100 * c.ef for c in cases]
    ys = [100 * c.e1 for c in cases]
    axes.plot(xs, ys, linestyle="", marker=".", markersize=3,
              color=drawing.OURS, alpha=0.5, rasterized=True)
    low, high = min(xs + ys), max(xs + ys)
    axes.plot([low, high], [low, high], color="0.6", linewidth=0.8, zorder=0)
    found = correlation(xs, ys)
    if found is not None:
        axes.set_title(f"correlation {found:.2f} (Du et al.: 0.97)",
                       fontweight="normal")
    axes.set_xlabel("error of the products, %")
    axes.set_ylabel("error of nnz(C), %")


def draw(runs):
    trials = accuracy_drawing.need(
        [t for method in runs.methods for t in runs.of(method)], "predictions")
    shape = drawing.figure(
        runs, "Errors of the predicted size of C",
        f"Left: how many of {len(trials)} predictions are off by at most so much, "
        f"{accuracy_drawing.seeds(runs)}; dotted: mean errors of Du et al. over "
        f"their 625 products. Right: a point is a sample of {SAMPLED_NNZ}: what it "
        "says of the products, which are known, against what it says of nnz(C); "
        "the line is where both are equally far off.", 8, 3.4, top=0.95, left=0.6)
    left, right = shape.subplots(1, 2, gridspec_kw={"width_ratios": [1.25, 1],
                                                    "wspace": 0.28})
    for axes in (left, right):
        axes.grid(True)
    draw_distributions(left, runs)
    if runs.cases:
        draw_correlation(right, runs.cases)
    handles, labels = left.get_legend_handles_labels()
    drawing.legend(shape, handles=handles, labels=labels, ncol=3)
    return shape


if __name__ == "__main__":
    accuracy_drawing.main("accuracy_errors", draw)
