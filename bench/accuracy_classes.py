# SPDX-License-Identifier: BSD-3-Clause
"""Products of a suite by their classes: CLASS/NAME."""
import statistics

from accuracy_csv import BAR, pair_mean
from report import aligned, show

# An error of less needs no bar.
LITTLE = 1e-3


def percent(value, digits=2):
    return show(value, digits, 100)


def half_width(trial):
    standard_error = trial.values["standard_error"]
    return BAR * (standard_error or 0) / trial.pair.nnz_exact


def is_right(trial):
    """Whether the error is no more than the bar says, or little."""
    return abs(trial.error) <= max(half_width(trial), LITTLE)


def is_suite(runs):
    return any("/" in a for a, _ in runs.pairs)


def by_class(groups):
    """{class: {pair: trials}} in the order of the file."""
    classes = {}
    for (a, b), trials in groups.items():
        if "/" in a and trials[0].pair.nnz_exact:
            classes.setdefault(a.split("/")[0], {})[a, b] = trials
    return classes


def cells(name, groups):
    trials = [t for pair in groups.values() for t in pair]
    right = {pair: statistics.mean(map(is_right, ts))
             for pair, ts in groups.items()}
    return [name, str(len(groups)),
            percent(pair_mean(groups, lambda t: abs(t.error))),
            percent(max(abs(t.error) for t in trials), 1),
            percent(statistics.mean(right.values()), 1),
            percent(min(right.values()), 1),
            percent(pair_mean(groups, half_width)),
            percent(pair_mean(groups, lambda t: t.share)),
            percent(max(t.share for t in trials)),
            min(right, key=right.get)[0].split("/")[1]]


HEADS = [("", "class"), ("", "products"), ("mean", "|error|"), ("", "worst"),
         ("bars", "right"), ("least of", "a product"), ("mean", "bar"),
         ("products", "sampled"), ("", "most"), ("", "least right")]


def print_classes(runs):
    """A table for each method."""
    for name in runs.methods:
        classes = by_class(runs.by_pair(name))
        rows = [cells(c, groups) for c, groups in classes.items()]
        rows.append(cells("all", {pair: trials for groups in classes.values()
                                  for pair, trials in groups.items()}))
        print(f"\n{name} by class, percent but for counts; a bar is right where "
              "|error| <= max(bar, 0.1 %):\n")
        print("\n".join(aligned(HEADS, rows, (0, len(HEADS) - 1))))
