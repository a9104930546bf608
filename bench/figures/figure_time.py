#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time of each product: this library and the fastest peer on one line, and the
floor below both."""
import drawing
from results_csv import SORTED, UNSORTED


def draw_times(axes, table, ways, **style):
    """ways: (row, product, way), way None where there is none."""
    points = [(row, [1e3 * t for t in table.quartiles(p, way)])
              for row, p, way in ways if way and table.values(p, way)]
    axes.errorbar([q[1] for _, q in points], [row for row, _ in points],
                  xerr=[[q[1] - q[0] for _, q in points],
                        [q[2] - q[1] for _, q in points]],
                  linestyle="", elinewidth=0.8, **style)
    return {row: q[1] for row, q in points}


def draw_panel(axes, table, title, order, ours):
    axes.set_title(title)
    axes.set_xscale("log")
    axes.grid(True, axis="x")
    axes.set_xlabel("time of C = A*B, ms")
    rows = list(enumerate(table.products))
    theirs = draw_times(axes, table, [(k, p, table.fastest_peer(p, order)) for k, p in rows],
                        marker="s", color=drawing.VERMILION, markersize=4.5,
                        markerfacecolor="white", label="fastest other library")
    mine = draw_times(axes, table, [(k, p, ours) for k, p in rows], marker="o",
                      color=drawing.OURS, markersize=4.5, label="this library")
    for k in theirs.keys() & mine.keys():
        axes.plot([theirs[k], mine[k]], [k, k], linewidth=1.6, zorder=0, alpha=0.5,
                  color=drawing.OURS if mine[k] < theirs[k] else drawing.VERMILION)
    axes.plot([1e3 * table.floor(p) for _, p in rows], [k for k, _ in rows],
              linestyle="", marker="|", markersize=6, color=drawing.BLACK,
              label="floor")
    low, high = axes.get_xlim()
    drawing.plain_log(axes.xaxis, [10.0 ** k for k in range(-5, 7)
                                   if low <= 10.0 ** k <= high])


def draw(table):
    names = [p.matrix for p in table.products]
    shape = drawing.figure(
        table, "Time of each product",
        f"A line: a product, {drawing.medians(table)}; whiskers: "
        "quartiles. Blue lines: this library takes less time, red lines: more; "
        "without a square: no other library was timed. "
        "Floor: what it takes to move A, B and C through memory once, or to do 8 "
        "scalar products a cycle, whichever is longer. The fewest scalar products "
        "first.",
        8, drawing.rows_height(len(names)), top=0.85, left=drawing.words_width(names))
    shape.subplots_adjust(wspace=0.06)
    left, right = shape.subplots(1, 2, sharey=True)
    draw_panel(left, table, "Rows of C sorted", "sorted", SORTED)
    draw_panel(right, table, "Rows of C in any order", "unsorted", UNSORTED)
    drawing.label_names(left, names)
    right.tick_params(axis="y", length=0)
    drawing.legend(shape, handles=left.get_legend_handles_labels()[0], ncol=3)
    return shape


if __name__ == "__main__":
    drawing.main("time", draw)
