#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many times as long the fastest other library takes, product by product: those
where this one loses first."""
from matplotlib.lines import Line2D

import drawing
from figure_hero import LIBRARIES, frame, legend, version
from results_csv import SORTED, geometric_mean

TICKS = (0.25, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 32, 64)
ORDERS = (("unsorted", "their rows in any order, ours sorted", "none"),
          ("sorted", "both sorted", None))
ROW = 0.19  # inches


def library_of(method):
    return next((entry for entry in LIBRARIES if method in entry[2]), (method, "", ()))


def style_of(method):
    """One for all methods of a library."""
    methods = library_of(method)[2]
    return drawing.peer_style(methods[0] if methods else method)


def fastest(table, order):
    """By matrix: the method of the fastest peer, and its time over ours."""
    found = {}
    for product in table.products:
        peer = table.fastest_peer(product, order)
        ratio = table.ratio(product, peer, SORTED)
        if ratio is not None:
            found[product.matrix] = (peer[0], ratio)
    return found


def draw_points(axes, places, found, face):
    for matrix, (method, ratio) in found.items():
        colour, marker = style_of(method)
        axes.plot(ratio, places[matrix], marker, color=colour, markersize=6, zorder=3,
                  markerfacecolor=face or colour, markeredgewidth=1.3)


def draw_mean(axes, found, words):
    mean = geometric_mean(ratio for _, ratio in found.values())
    if mean:
        axes.axvline(mean, color="0.45", linewidth=1, linestyle="--", zorder=1)
        axes.annotate(f"{words}\nmean {mean:.2f}", (mean, 1), (0, 3), ha="center", va="bottom",
                      xycoords=("data", "axes fraction"), textcoords="offset points",
                      fontsize=9)


def handles(table, methods):
    entries = {library_of(method)[0]: method for method in methods}
    for name, method in sorted(entries.items()):
        colour, marker = style_of(method)
        yield Line2D([], [], linestyle="", marker=marker, color=colour, markersize=6,
                     label=f"{name} {version(table.results, library_of(method)[1])}".strip())
    for _, words, face in ORDERS:
        yield Line2D([], [], linestyle="", marker="o", color="0.4", markersize=6, label=words,
                     markerfacecolor=face or "0.4", markeredgewidth=1.3)


def draw(table):
    found = {order: fastest(table, order) for order, _, _ in ORDERS}
    matrices = sorted({*found["sorted"], *found["unsorted"]}, key=lambda matrix: min(
        found[order][matrix][1] for order in found if matrix in found[order]))
    places = {matrix: place for place, matrix in enumerate(matrices)}
    shown = list(handles(table, {m for one in found.values() for m, _ in one.values()}))
    shape = frame(ROW * len(matrices) + 0.2, "The fastest other library, product by product",
                  1.05 + 0.2 * -(-len(shown) // 3), 1.75)
    legend(shape, shown, 3)
    axes = shape.subplots()
    axes.set_xscale("log")
    axes.grid(True)
    axes.axvline(1, color="black", linewidth=1.4)
    for order, words, face in ORDERS:
        draw_points(axes, places, found[order], face)
        draw_mean(axes, found[order], "any order" if order == "unsorted" else words)
    axes.set_yticks(range(len(matrices)), matrices, fontsize=9)
    axes.set_ylim(len(matrices) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=9)
    low, high = axes.get_xlim()
    drawing.plain_log(axes.xaxis, [t for t in TICKS if low <= t <= high])
    return shape


if __name__ == "__main__":
    drawing.main("speed", draw)
