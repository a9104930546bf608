#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Time against products: this library, the fastest peer, and the floor."""
import drawing
from results_csv import SORTED, UNSORTED


def draw_times(axes, table, ways, **style):
    """ways: (product, way), way None where there is none."""
    points = [(p, way) for p, way in ways
              if way is not None and table.median(p, way) is not None]
    quartiles = [[1e3 * t for t in table.quartiles(p, way)] for p, way in points]
    medians = [q[1] for q in quartiles]
    axes.errorbar([1e-6 * p.products for p, _ in points], medians,
                  yerr=[[q[1] - q[0] for q in quartiles],
                        [q[2] - q[1] for q in quartiles]],
                  linestyle="", elinewidth=0.8, **style)


def draw_panel(axes, table, title, order, ours):
    axes.set_title(title)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True)
    axes.set_xlabel("products, millions")
    draw_times(axes, table, [(p, table.fastest_peer(p, order))
                             for p in table.products],
               marker="s", color=drawing.VERMILION, markersize=4,
               markerfacecolor="white", label=f"fastest {order} peer")
    draw_times(axes, table, [(p, ours) for p in table.products], marker="o",
               color=drawing.OURS, markersize=4, label=f"this library, {order}")
    axes.plot([1e-6 * p.products for p in table.products],
              [1e3 * table.floor(p) for p in table.products], linestyle="",
              marker="_", markersize=8, markeredgewidth=1.5, color=drawing.BLACK,
              label="floor: A, B and C moved once, or 8 products a cycle")
    axes.legend(loc="upper left")


def draw(table):
    shape = drawing.figure(
        table, "Time against products",
        f"A point: a matrix, {drawing.medians(table)}; whiskers: quartiles.",
        10, 4.2, top=0.6, left=0.7)
    shape.subplots_adjust(wspace=0.06)
    left, right = shape.subplots(1, 2, sharey=True)
    draw_panel(left, table, "Sorted rows", "sorted", SORTED)
    draw_panel(right, table, "Unsorted rows", "unsorted", UNSORTED)
    left.set_ylabel("time of C = A*B, ms")
    low, high = left.get_ylim()
    left.set_ylim(low, 3 * high)  # room for the legend
    ticks = [m * 10**k for k in range(-3, 7) for m in (1, 2, 5)]
    drawing.plain_log(left.yaxis, [t for t in ticks if low <= t <= high])
    for axes in (left, right):
        low, high = axes.get_xlim()
        drawing.plain_log(axes.xaxis, [t for t in ticks if low <= t <= high])
    return shape


if __name__ == "__main__":
    drawing.main("time", draw)
