# SPDX-License-Identifier: BSD-3-Clause
"""What the figures of bench_accuracy share: the command line, styles of methods.

A figure is a function of accuracy_csv.Runs that returns a matplotlib Figure. The
same CSV gives the same files, byte for byte.
"""
import drawing
from accuracy_csv import SAMPLED_CR, SAMPLED_NNZ, read
from csv_lines import Malformed

STYLES = {
    SAMPLED_NNZ: (drawing.ORANGE, "s"),
    SAMPLED_CR: (drawing.VERMILION, "o"),
    "stratified": (drawing.OURS, "D"),
    "upper_bound": (drawing.GREY, "<"),
    "precise": (drawing.GREY, ">"),
    "min_hash": (drawing.GREEN, "^"),
    "kmv_sampled": (drawing.GREEN, "v"),
    "bhash": (drawing.SKY, "P"),
    "cohen": (drawing.BLACK, "X"),
    "hyperloglog": (drawing.PURPLE, "h"),
    "row_independent": (drawing.GREY, "p"),
    "row_independent_ratio": (drawing.YELLOW, "*"),
}


def style(method):
    """(colour, marker); one for all that have none of their own."""
    return STYLES.get(method, (drawing.BLACK, "."))


def seeds(runs):
    """For a caption."""
    count = runs.seeds()
    return "one sample of each" if count == 1 else f"{count} samples of each"


def left_names(runs):
    """The matrices that are A of a product."""
    return list(dict.fromkeys(a for a, _ in runs.pairs))


def log_scale(axis):
    """A logarithmic axis, powers of ten as plain numbers."""
    if axis.axis_name == "x":
        axis.axes.set_xscale("log")
    else:
        axis.axes.set_yscale("log")
    low, high = axis.get_view_interval()
    drawing.plain_log(axis, [10.0 ** k for k in range(-6, 7)
                             if low <= 10.0 ** k <= high])


def need(values, what):
    """Malformed where the CSV has nothing to draw."""
    if not values:
        raise Malformed(f"no {what} in these files")
    return values


def main(name, draw, needs_rows=False):
    """draw(runs): of bench_accuracy."""
    def draw_all(arguments):
        runs = read(arguments.csv)
        if runs.has_rows != needs_rows:
            raise Malformed(f"{arguments.csv[0]}: made "
                            f"{'without' if needs_rows else 'with'} --rows")
        return draw(runs)

    drawing.main_of(name, draw_all, lambda parser: parser.add_argument(
        "csv", nargs="+", help="of bench_accuracy"))
