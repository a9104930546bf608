# SPDX-License-Identifier: BSD-3-Clause
"""What the figures share: the command line, colours, captions, saving.

A figure is a function of a table (results_csv.Table) that returns a matplotlib
Figure. The same CSV gives the same files, byte for byte.
"""
import argparse
import re
import sys
import textwrap
from pathlib import Path

import matplotlib
from matplotlib.figure import Figure

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))
from csv_lines import Malformed, run  # noqa: E402
from results_csv import MEMORIES, read  # noqa: E402

matplotlib.rcParams.update({
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.axisbelow": True,
    "grid.color": "0.88",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "spgemm",
})

# Okabe and Ito, "Color universal design", 2008: told apart by the colour-blind.
BLACK = "#000000"
ORANGE = "#e69f00"
SKY = "#56b4e9"
GREEN = "#009e73"
YELLOW = "#f0e442"
BLUE = "#0072b2"
VERMILION = "#d55e00"
PURPLE = "#cc79a7"
GREY = "#8c8c8c"

OURS = BLUE
PEERS = {
    "mkl": (VERMILION, "o"),
    "mkl2020": (ORANGE, "s"),
    "graphblas": (GREEN, "^"),
    "kokkos_kk": (PURPLE, "D"),
    "kokkos_speed": (PURPLE, "v"),
    "hypre": (GREY, "P"),
    "petsc_rowmerge": (SKY, "X"),
    "petsc_sorted": (SKY, "<"),
    "eigen": (BLACK, "h"),
    "scipy": (YELLOW, "p"),
}


def peer_style(method):
    """(colour, marker); one for all that have none of their own."""
    return PEERS.get(method, (GREY, "*"))


def rows_height(count):
    """Inches for a row of words per matrix."""
    return 0.17 * count + 0.1


def words_width(words):
    """Inches for the longest of the labels of rows."""
    return 0.2 + 0.072 * max(map(len, words), default=0)


def medians(table, measure=None):
    """For a caption: of how many calls, and of which time."""
    words = {"cpu_seconds": "CPU time", "seconds": "wall time"}
    return (f"medians of {table.repetitions()}, "
            f"{words[measure or table.measure]}")


def figure(table, title, note, width, height, top=0.4, left=1.6):
    """An empty figure, with its title and a caption: `note` says what is drawn.

    All lengths are inches: width of the whole, height of the axes, top and left
    of them.
    """
    results = table.results
    days = dict.fromkeys(re.findall(r"\d{4}-\d\d-\d\d", results.comment("date")))
    caption = textwrap.wrap(", ".join([f"{note} {table.caption()}",
                                       results.comment("cpu"), *days]) + ".",
                            int(17 * width))
    bottom = 0.55 + 0.15 * len(caption)
    whole = top + height + bottom
    shape = Figure(figsize=(width, whole))
    shape.subplots_adjust(left=left / width, right=1 - 0.2 / width,
                          bottom=bottom / whole, top=1 - top / whole)
    shape.text(0.1 / width, 1 - 0.1 / whole, title, va="top", fontsize=11,
               fontweight="bold")
    shape.text(0.1 / width, 0.08 / whole, "\n".join(caption), va="bottom",
               fontsize=8, color="0.3", linespacing=1.2)
    return shape


def legend(shape, **options):
    """Under the title."""
    width, whole = shape.get_size_inches()
    shape.legend(loc="upper left", borderaxespad=0, borderpad=0,
                 bbox_to_anchor=(0.12 / width, 1 - 0.38 / whole), **options)


def label_rows(axes, products):
    label_names(axes, [p.matrix for p in products])


def label_names(axes, names):
    """A horizontal line of the figure for each name, the first at the top."""
    axes.set_yticks(range(len(names)), names, fontsize=8)
    axes.set_ylim(len(names) - 0.4, -0.6)
    axes.tick_params(axis="y", length=0)


def plain_log(axis, ticks):
    """A logarithmic axis with ticks where they are wanted, as plain numbers."""
    axis.set_major_locator(matplotlib.ticker.FixedLocator(ticks))
    axis.set_major_formatter(matplotlib.ticker.FormatStrFormatter("%g"))
    axis.set_minor_locator(matplotlib.ticker.NullLocator())


def save(shape, folder, name):
    shape.savefig(folder / f"{name}.svg", metadata={"Date": None})
    shape.savefig(folder / f"{name}.png", dpi=150, metadata={"Software": None})


def main_of(name, draw, add_arguments):
    """Draw the figure draw(arguments) from the CSV of the command line."""
    parser = argparse.ArgumentParser(description=f"Draws {name}.svg and {name}.png.")
    add_arguments(parser)
    parser.add_argument("--output", type=Path, default=FOLDER, metavar="DIR",
                        help="where to write (%(default)s)")
    arguments = parser.parse_args()
    run(f"figure_{name}.py", lambda: save(draw(arguments), arguments.output, name))


def main(name, draw):
    """draw(table): of bench_spgemm."""
    def add_arguments(parser):
        parser.add_argument("csv", help="of bench_spgemm")
        parser.add_argument("--threads", type=int, default=1, metavar="N",
                            help="number of threads (%(default)s)")
        parser.add_argument("--memory", choices=MEMORIES, default="kept",
                            help="memory policy (%(default)s)")

    def draw_first(arguments):
        tables = read(arguments.csv).tables(arguments.threads, arguments.memory)
        if not tables:
            raise Malformed(f"{arguments.csv}: no rows of these threads and memory")
        return draw(tables[0])

    main_of(name, draw_first, add_arguments)
