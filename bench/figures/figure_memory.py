#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The most memory that a call holds, against the size of C."""
import drawing
from results_csv import MEMORY_FROM_BYTES, memory_bound

METHODS = (
    ("upper_bound", {"marker": "^", "color": drawing.ORANGE}),
    ("precise", {"marker": "s", "color": drawing.GREEN,
                 "markerfacecolor": "white"}),
    ("predicted", {"marker": "o", "color": drawing.OURS}),
)


def draw_method(axes, table, method, style):
    points = [(table.c_bytes(p), table.peak_bytes(p, method))
              for p in table.products if table.peak_bytes(p, method)]
    axes.plot([1e-6 * c for c, _ in points], [peak / c for c, peak in points],
              linestyle="", markersize=5, label=method, **style)


def draw_bound(axes, table):
    """Solid where it is asked for, from 50 MB on."""
    sizes = [c for c in map(table.c_bytes, table.products) if c]
    low, high = min(sizes, default=1e6) / 1.2, max(sizes, default=1e9) * 1.2
    steps = [low * (high / low) ** (k / 200) for k in range(201)]
    for is_asked, line in ((True, "-"), (False, ":")):
        asked = [c for c in steps if (c >= MEMORY_FROM_BYTES) == is_asked]
        axes.plot([1e-6 * c for c in asked], [memory_bound(c) / c for c in asked],
                  color=drawing.VERMILION, linestyle=line, linewidth=1.2,
                  label="1.10 C + 16 MB: what predicted keeps below" if is_asked
                  else None)


def draw(table):
    shape = drawing.figure(
        table, "Peak memory of a product",
        "A point: a product: the most bytes that a call held at one "
        "time, C included, over the bytes of C. predicted: allocated from a "
        "prediction, precise: after counting, upper_bound: for as many entries as a "
        "row has products, or columns.", 8, 4, left=0.7)
    axes = shape.subplots()
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.grid(True)
    axes.axhline(1, color="black", linewidth=1, label="C itself")
    draw_bound(axes, table)
    for method, style in METHODS:
        draw_method(axes, table, method, style)
    axes.set_xlabel("C, MB (1 MB = 10⁶ bytes)")
    axes.set_ylabel("peak of the call / C")
    low, high = axes.get_ylim()
    drawing.plain_log(axes.yaxis,
                      [t for t in (1, 1.25, 1.5, 2, 3, 4, 6, 8, 12, 16, 24, 32)
                       if low <= t <= high])
    low, high = axes.get_xlim()
    drawing.plain_log(axes.xaxis, [m * 10**k for k in range(-1, 6)
                                   for m in (1, 2, 5) if low <= m * 10**k <= high])
    axes.legend(loc="upper right")
    return shape


if __name__ == "__main__":
    drawing.main("memory", draw)
