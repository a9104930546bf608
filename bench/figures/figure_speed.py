#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many times as long the fastest peer takes, matrix by matrix."""
from matplotlib.lines import Line2D

import drawing
from results_csv import SORTED, UNSORTED, geometric_mean

TICKS = (0.25, 0.5, 0.7, 1, 1.5, 2, 3, 4, 6, 8, 12, 16, 32, 64)
LEGEND_COLUMNS = 9


def ratios(table, order, ours):
    """(product, peer, ratio), the greatest first."""
    found = []
    for product in table.products:
        peer = table.fastest_peer(product, order)
        ratio = table.ratio(product, peer, ours)
        if ratio is not None:
            found.append((product, peer, ratio))
    return sorted(found, key=lambda entry: -entry[2])


def whiskers(table, product, peer, ours, ratio):
    """Quartiles of the peer's time over the opposite ones of ours."""
    low, _, high = table.quartiles(product, peer)
    ours_low, _, ours_high = table.quartiles(product, ours)
    return [[max(ratio - low / ours_high, 0)], [max(high / ours_low - ratio, 0)]]


def draw_points(axes, table, entries, ours, places, is_filled):
    for product, peer, ratio in entries:
        colour, marker = drawing.peer_style(peer[0])
        axes.errorbar(ratio, places[product.matrix],
                      xerr=whiskers(table, product, peer, ours, ratio),
                      fmt=marker, color=colour, elinewidth=0.8,
                      markersize=4.5 if is_filled else 7, zorder=3,
                      markerfacecolor=colour if is_filled else "none")


def draw_panel(axes, entries, title):
    products = [product for product, _, _ in entries]
    mean = geometric_mean(ratio for _, _, ratio in entries)
    axes.set_title(title)
    axes.set_xscale("log")
    axes.grid(True)
    drawing.label_rows(axes, products)
    axes.axvline(1, color="black", linewidth=1.2)
    if mean:
        axes.axvline(mean, color=drawing.OURS, linewidth=1, linestyle="--")
        axes.annotate(f"geometric mean {mean:.2f}", (mean, 1), (3, -1), va="bottom",
                      xycoords=("data", "axes fraction"), fontsize=7,
                      textcoords="offset points", color=drawing.OURS)
    axes.set_xlabel("time of the fastest peer / time of this library")
    return {product.matrix: place for place, product in enumerate(products)}


def legend_handles(peers, has_unsorted):
    def handle(label, marker, colour, **style):
        return Line2D([], [], linestyle="", marker=marker, color=colour,
                      label=label, **style)

    handles = [handle(peer, *reversed(drawing.peer_style(peer)))
               for peer in sorted(peers)]
    if has_unsorted:
        handles.append(handle("small: ours sorted", "o", "0.4", markersize=4.5))
        handles.append(handle("open: ours unsorted", "o", "0.4", markersize=7,
                              markerfacecolor="none"))
    return handles


def draw(table):
    left = ratios(table, "sorted", SORTED)
    right = ratios(table, "unsorted", SORTED)
    unsorted = ratios(table, "unsorted", UNSORTED)
    handles = legend_handles({peer[0] for _, peer, _ in left + right}, unsorted)
    legend_rows = -(-len(handles) // LEGEND_COLUMNS)
    shape = drawing.figure(
        table, "Speed against the fastest peer",
        "A point: time of the fastest peer, which shape and colour name, over time "
        f"of this library, {drawing.medians(table)}; right of 1 this library is "
        "faster. Whiskers: from the quartiles of both. Geometric means: ours sorted.",
        11,
        drawing.rows_height(len(table.products)), top=0.65 + 0.17 * legend_rows)
    shape.subplots_adjust(wspace=0.42)
    drawing.legend(shape, handles=handles, ncol=LEGEND_COLUMNS, columnspacing=1.2,
                   handletextpad=0.1)
    sorted_axes, unsorted_axes = shape.subplots(1, 2)
    places = draw_panel(sorted_axes, left, "Sorted rows")
    draw_points(sorted_axes, table, left, SORTED, places, True)
    places = draw_panel(unsorted_axes, right, "The peer's rows unsorted")
    draw_points(unsorted_axes, table, right, SORTED, places, True)
    draw_points(unsorted_axes, table,
                [e for e in unsorted if e[0].matrix in places],
                UNSORTED, places, False)
    for axes in (sorted_axes, unsorted_axes):
        low, high = axes.get_xlim()
        drawing.plain_log(axes.xaxis, [t for t in TICKS if low <= t <= high])
    return shape


if __name__ == "__main__":
    drawing.main("speed", draw)
