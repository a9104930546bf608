#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Of the predictions with an error bar, how many bars have the truth."""
import accuracy_drawing
import drawing

WANTED = 95


def covered(runs, method):
    """Percent of the bars, by the left matrix; without those that have none."""
    found = {}
    for trial in runs.of(method):
        if trial.is_covered is not None:
            found.setdefault(trial.pair.a, []).append(trial.is_covered)
    return {name: 100 * sum(bars) / len(bars) for name, bars in found.items()}


def draw_method(axes, names, method, shares, shift):
    colour, marker = accuracy_drawing.style(method)
    mean = sum(shares.values()) / len(shares)
    axes.plot([shares[n] for n in names if n in shares],
              [k + shift for k, n in enumerate(names) if n in shares],
              linestyle="", marker=marker, markersize=4, color=colour,
              label=f"{method}, mean {mean:.1f} %")


def by_value(names, shares, default):
    """The matrices, those first of which the fewest bars are right."""
    methods = sorted(shares, key=lambda method: method != default)
    return sorted(names, key=lambda name: [shares[m].get(name, 100) for m in methods])


def draw(runs):
    shares = {method: covered(runs, method) for method in runs.methods}
    shares = accuracy_drawing.need({m: s for m, s in shares.items() if s},
                                   "error bars")
    names = by_value(accuracy_drawing.left_names(runs), shares, runs.default_method)
    is_square = all(a == b for a, b in runs.pairs)
    what = "times itself" if is_square else "times all others"
    shape = drawing.figure(
        runs, "How often the error bar of a prediction is right",
        f"A point: a matrix {what}, {accuracy_drawing.seeds(runs)}: how many of the "
        "predictions have the exact number of entries of C within 1.96 of their "
        "standard errors. The line is at 95 %. Matrices by the default method, "
        f"{runs.default_method}, the worst first.", 8,
        drawing.rows_height(len(names)), top=0.5 + 0.17 * (1 + len(shares) // 3),
        left=drawing.words_width(names))
    axes = shape.subplots()
    axes.grid(True, axis="x")
    axes.axvline(WANTED, color="black", linewidth=1)
    for k, (method, of_method) in enumerate(shares.items()):
        draw_method(axes, names, method, of_method,
                    0.5 * (k + 0.5) / len(shares) - 0.25)
    drawing.label_names(axes, names)
    axes.set_xlim(-2, 102)
    axes.set_xlabel("predictions whose bar is right, %")
    drawing.legend(shape, ncol=3)
    return shape


if __name__ == "__main__":
    accuracy_drawing.main("accuracy_coverage", draw)
