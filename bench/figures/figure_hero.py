#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""How many times as long each other library takes: a bar a library."""
import re

from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

import drawing
from results_csv import SORTED, geometric_mean

# A library: its name, the peer of the header that has its version, and its methods,
# of which the fastest counts on each product.
LIBRARIES = (
    ("oneMKL", "mkl", ("mkl",)),
    ("MKL", "mkl2020", ("mkl2020",)),
    ("GraphBLAS", "graphblas", ("graphblas",)),
    ("Kokkos Kernels", "kokkos", ("kokkos_kk", "kokkos_speed")),
    ("hypre", "hypre", ("hypre",)),
    ("PETSc", "petsc", ("petsc_rowmerge", "petsc_sorted")),
    ("Eigen", "eigen", ("eigen",)),
    ("SciPy", "scipy", ("scipy",)),
)
PANELS = (("sorted", "C with sorted rows"),
          ("unsorted", "Their rows in any order, ours sorted"))
BAR = drawing.SKY
FRESH = drawing.VERMILION
WIDTH, ROW = 8.33, 0.3  # inches: 800 pixels in a browser


def version(results, peer):
    """Of the header's line for the peer: its first number. 2026.0.2 is MKL 2026.2."""
    found = re.search(r"\d+(?:\.\d+)+", results.comment(f"peer {peer}"))
    return re.sub(r"^(\d{4})\.0\.", r"\1.", found[0]) if found else ""


def mean_ratio(table, methods, order):
    """Geometric mean of their time over ours, of all products that they made."""
    ratios = []
    for product in table.products:
        ours = table.median(product, SORTED)
        theirs = [t for t in (table.median(product, (m, order)) for m in methods) if t]
        if ours and theirs:
            ratios.append(min(theirs) / ours)
    return geometric_mean(ratios)


def draw_panel(axes, tables, order, title, is_named):
    kept = tables["kept"]
    for place, (name, peer, methods) in enumerate(LIBRARIES):
        mean = mean_ratio(kept, methods, order)
        if mean is None:
            axes.text(1.1, place, "always sorted" if order == "unsorted" else "not measured",
                      va="center", fontsize=9, color="0.35")
            continue
        axes.barh(place, mean, 0.62, color=BAR, zorder=2)
        axes.text(mean + 0.1, place, f"{mean:.1f}", va="center", fontsize=9,
                  fontweight="bold", zorder=4)
        fresh = "returned" in tables and mean_ratio(tables["returned"], methods, order)
        if fresh:
            axes.plot(fresh, place, "D", color=FRESH, markersize=5, zorder=3,
                      markeredgecolor="white", markeredgewidth=0.8)
    axes.set_yticks(range(len(LIBRARIES)),
                    [f"{name} {version(kept.results, peer)}".strip()
                     for name, peer, _ in LIBRARIES] if is_named else [""] * len(LIBRARIES),
                    fontsize=9.5)
    axes.set_ylim(len(LIBRARIES) - 0.45, -0.55)
    axes.margins(x=0.1)  # for the number behind the longest bar
    axes.set_xlim(left=0)
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=9)
    axes.grid(True, axis="x")
    axes.axvline(1, color="black", linewidth=1.4, zorder=5)
    axes.set_title(title, fontsize=10)


def frame(height, title, top, left):
    """A figure of 800 pixels, inches for the axes, and its title."""
    bottom = 0.55
    whole = top + height + bottom
    shape = Figure(figsize=(WIDTH, whole))
    shape.subplots_adjust(left=left / WIDTH, right=1 - 0.15 / WIDTH, wspace=0.06,
                          bottom=bottom / whole, top=1 - top / whole)
    shape.text(0.1 / WIDTH, 1 - 0.1 / whole, title, va="top", fontsize=12, fontweight="bold")
    shape.text((left + WIDTH) / 2 / WIDTH, 0.1 / whole, fontsize=9.5, ha="center", va="bottom",
               s="their time / time of this library (black line: the same)")
    return shape


def legend(shape, handles, columns):
    """Under the title."""
    whole = shape.get_size_inches()[1]
    shape.legend(handles=handles, loc="upper left", ncol=columns, fontsize=9,
                 bbox_to_anchor=(0.12 / WIDTH, 1 - 0.4 / whole), columnspacing=1.4,
                 handletextpad=0.4, borderaxespad=0, borderpad=0)


def draw(table):
    tables = {t.memory: t for t in table.results.tables(table.threads)}
    tables.setdefault("kept", table)
    shape = frame(ROW * len(LIBRARIES), "How many times as long other libraries take", 1, 1.75)
    panels = shape.subplots(1, 2, sharex=True)
    for axes, (order, title) in zip(panels, PANELS):
        draw_panel(axes, tables, order, title, axes is panels[0])
    legend(shape, [Patch(color=BAR, label="freed memory is kept between calls, by all"),
                   Line2D([], [], linestyle="", marker="D", color=FRESH, markersize=5,
                          label="fresh memory for each call")], 2)
    return shape


if __name__ == "__main__":
    drawing.main("hero", draw)
