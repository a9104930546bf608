# SPDX-License-Identifier: BSD-3-Clause
"""The CSV of bench_accuracy: reading, checks, errors, means over pairs.

    runs = read(["full.csv"])
    for trial in runs.of("stratified"):
        trial.error
"""
import math
import re
import statistics
from dataclasses import dataclass, field
from functools import cached_property

import csv_lines
from csv_lines import Malformed, number
from results_csv import Results

SAMPLED_NNZ = "sampled_nnz"  # the paper's reference design: Z1*
SAMPLED_CR = "sampled_cr"    # the paper's proposed method: Z2*
DEFAULT = "default"          # setting

TEXTS = ("a", "b", "crop", "method", "setting")
COUNTS = ("nrows", "inner", "ncols", "nnz_a", "nnz_b", "products", "bound",
          "nnz_exact", "threads", "seed")
COLUMNS = TEXTS + COUNTS + ("precise_seconds", "precise_calls", "nnz")
TOTALS = ("relative_error", "standard_error", "rows_sampled",
          "products_sampled", "products_seconds", "predict_seconds")
QUANTILES = ("q00", "q01", "q05", "q25", "q50", "q75", "q95", "q99", "q100")
ROWS = ("rows", "mean_error", "shortfall", "excess") + QUANTILES

# What the printed numbers may be off by: they have 17 digits.
ROUNDING = 1e-12

# Of a normal distribution: 95 % lie within so many standard errors.
BAR = 1.96


@dataclass(frozen=True)
class Pair:
    a: str
    b: str
    crop: str
    nrows: int
    inner: int
    ncols: int
    nnz_a: int
    nnz_b: int
    products: int
    bound: int
    nnz_exact: int
    precise_seconds: float  # None: not timed
    threads: int

    @property
    def name(self):
        return f"{self.a} x {self.b}"

    @property
    def is_square(self):
        return self.a == self.b and self.crop == "none"


@dataclass
class Trial:
    """What a method said of a pair with one seed."""
    pair: Pair
    method: str
    setting: str
    seed: int
    nnz: float
    place: str  # file and line
    values: dict = field(default_factory=dict)

    @property
    def error(self):
        """(nnz - exact) / exact; None where C is empty and nnz is not."""
        exact = self.pair.nnz_exact
        if self.nnz == exact:
            return 0.0
        return (self.nnz - exact) / exact if exact else None

    @property
    def products_error(self):
        """ef of the paper: the sample's products, scaled up, against all."""
        rows = self.values["rows_sampled"]
        if not rows or not self.pair.products:
            return None
        scaled = self.values["products_sampled"] * self.pair.nrows / rows
        return (scaled - self.pair.products) / self.pair.products

    @property
    def share(self):
        """Products that were looked at, of all."""
        products = self.pair.products
        return self.values["products_sampled"] / products if products else 0.0

    @property
    def is_covered(self):
        """Whether the 95 % bar has the truth; None: the method has no bar."""
        standard_error = self.values["standard_error"]
        if standard_error is None:
            return None
        slack = BAR * standard_error + ROUNDING * self.pair.nnz_exact
        return abs(self.nnz - self.pair.nnz_exact) <= slack

    def time_share(self, column="predict_seconds"):
        """Of the time of the whole multiply; None where that is not timed."""
        whole = self.pair.precise_seconds
        return None if not whole else self.values[column] / whole


@dataclass(frozen=True)
class Case:
    """The paper's three errors of one sample."""
    pair: Pair
    seed: int
    e1: float
    ef: float
    e2: float
    has_products: bool  # of the sampled rows; where not, e1 = ef = -1


@dataclass(frozen=True)
class Skipped:
    a: str
    b: str
    what: str
    why: str


class Runs:
    """One CSV, or several of different methods."""

    def __init__(self):
        self.results = Results()  # of comments
        self.pairs = {}           # by (a, b)
        self.trials = {}          # by (a, b, method, setting, seed)
        self.skipped = []
        self.incomplete = []      # pairs without `# done:`

    @property
    def default_method(self):
        return self.results.comment("default method")

    @property
    def has_rows(self):
        return any("mean_error" in t.values for t in self.trials.values())

    @cached_property
    def methods(self):
        """In the order of the file."""
        return list(dict.fromkeys(t.method for t in self.trials.values()))

    def of(self, method, setting=DEFAULT):
        """Trials that have an error."""
        return [t for t in self.trials.values() if t.method == method
                and t.setting == setting and t.error is not None]

    def by_pair(self, method, setting=DEFAULT):
        """Trials of each pair: its seeds."""
        groups = {}
        for trial in self.of(method, setting):
            groups.setdefault((trial.pair.a, trial.pair.b), []).append(trial)
        return groups

    @cached_property
    def cases(self):
        """The paper's errors, of both methods with one sample. Malformed where
        the identity of the errors does not hold."""
        found = []
        for (a, b, method, setting, seed), second in self.trials.items():
            first = self.trials.get((a, b, SAMPLED_NNZ, setting, seed))
            if method != SAMPLED_CR or first is None:
                continue
            case = _case(first, second)
            if case:
                found.append(case)
        return found

    def seeds(self):
        return max((t.seed for t in self.trials.values()), default=0) + 1

    def caption(self):
        """For the captions of figures."""
        threads = sorted({p.threads for p in self.pairs.values()})
        words = "1 thread" if threads == [1] else \
            f"{', '.join(map(str, threads))} threads"
        return f"{len(self.pairs)} products of two matrices, {words}"


def _case(first, second):
    """None where C is empty."""
    same = ("rows_sampled", "products_sampled")
    if [first.values[c] for c in same] != [second.values[c] for c in same]:
        raise Malformed(f"{second.place}: {second.pair.name}, seed {second.seed}: "
                        f"{SAMPLED_NNZ} and {SAMPLED_CR} have different samples")
    e1, ef, e2 = first.error, second.products_error, second.error
    if None in (e1, ef, e2):
        return None
    case = Case(second.pair, second.seed, e1, ef, e2,
                second.values["products_sampled"] > 0)
    # e2 = (e1 - ef) / (1 + ef), without the division. Not of what was cut down
    # to the bound, as every prediction is that exceeds it.
    off = abs((1 + e2) * (1 + ef) - (1 + e1))
    most = second.pair.bound / second.pair.nnz_exact - 1
    is_cut = max(e1, e2) > most - ROUNDING * (1 + most)
    if case.has_products and not is_cut and off > ROUNDING * (2 + abs(e1) + abs(ef)):
        raise Malformed(f"{second.place}: {second.pair.name}, seed {second.seed}: "
                        f"e2 = {e2:.9g} is not (e1 - ef) / (1 + ef) = "
                        f"{(e1 - ef) / (1 + ef):.9g}")
    return case


# ---- Means over pairs ---------------------------------------------------------

def pair_mean(groups, value):
    """Each pair counts once, whatever its number of seeds; None: no values."""
    means = []
    for trials in groups.values():
        values = [v for v in map(value, trials) if v is not None]
        if values:
            means.append(statistics.mean(values))
    return statistics.mean(means) if means else None


def correlation(xs, ys):
    """None where one of them does not vary."""
    if len(xs) < 2 or len(set(xs)) == 1 or len(set(ys)) == 1:
        return None
    return statistics.correlation(xs, ys)


def quantile(values, share):
    """Of sorted values."""
    return values[min(len(values) - 1, round(share * (len(values) - 1)))]


# ---- Reading ----------------------------------------------------------------

def _read_values(fields):
    if "rows" in fields:
        return {c: number(fields, c, c == "rows", least=-math.inf) for c in ROWS}
    return {"products_seconds": number(fields, "products_seconds"),
            "predict_seconds": number(fields, "predict_seconds"),
            "rows_sampled": number(fields, "rows_sampled", is_count=True),
            "products_sampled": number(fields, "products_sampled", is_count=True),
            "standard_error": number(fields, "standard_error", may_lack=True),
            "relative_error": number(fields, "relative_error", least=-math.inf,
                                     may_lack=True)}


def _read_pair(fields):
    counts = {c: number(fields, c, is_count=True) for c in COUNTS if c != "seed"}
    return Pair(a=fields["a"], b=fields["b"], crop=fields["crop"],
                precise_seconds=number(fields, "precise_seconds", may_lack=True),
                **counts)


def _check_error(trial):
    """The error of the file is that of its counts."""
    printed, error = trial.values.get("relative_error"), trial.error
    if "relative_error" not in trial.values:
        return
    if (printed is None) != (error is None) or (
            error is not None and
            abs(printed - error) > ROUNDING * (1 + abs(error))):
        raise Malformed(f"relative_error {printed} is not that of nnz and "
                        f"nnz_exact, {error}")


def _read_trial(fields, place):
    trial = Trial(pair=_read_pair(fields), method=fields["method"],
                  setting=fields["setting"], place=place,
                  seed=number(fields, "seed", is_count=True),
                  nnz=number(fields, "nnz"), values=_read_values(fields))
    _check_error(trial)
    return trial


def _same_but_time(one, other):
    """Two runs may both have timed a pair: the first counts."""
    return {**vars(one), "precise_seconds": 0, "threads": 0} == \
           {**vars(other), "precise_seconds": 0, "threads": 0}


class _Block:
    """The lines of one pair, until they are known to be complete."""

    def __init__(self):
        self.trials = []
        self.skipped = []


class _Reader:
    def __init__(self, runs, path):
        self.runs = runs
        self.path = path
        self.block = _Block()

    def read(self):
        csv_lines.read_lines(
            self.path,
            lambda columns: COLUMNS + (ROWS if "rows" in columns else TOTALS),
            self._read_comment, self._read_row)
        self.runs.incomplete += list(dict.fromkeys(
            t.pair.name for t in self.block.trials))

    def _read_row(self, fields, line):
        self.block.trials.append(
            _read_trial(fields, f"{self.path}: line {line}"))

    def _read_comment(self, text):
        if text.startswith("done: "):
            self._commit(text.removeprefix("done: "))
        elif text.startswith("skipped: "):
            match = re.fullmatch(r"skipped: ([^,]+),([^,]+),([^:]+): (.*)", text)
            if not match:
                raise Malformed("'# skipped:' without A,B,what: why")
            self.block.skipped.append(Skipped(*match.groups()))
        else:
            self.runs.results.comments.append(text)

    def _commit(self, names):
        for trial in self.block.trials:
            if f"{trial.pair.a},{trial.pair.b}" != names:
                raise Malformed(f"{trial.pair.name} lies in the block of {names}")
            self._add(trial)
        self.runs.skipped += self.block.skipped
        self.block = _Block()

    def _add(self, trial):
        pair = self.runs.pairs.setdefault((trial.pair.a, trial.pair.b), trial.pair)
        if not _same_but_time(pair, trial.pair):
            raise Malformed(f"{pair.name}: other counts than in the rows before")
        key = (pair.a, pair.b, trial.method, trial.setting, trial.seed)
        if self.runs.trials.setdefault(key, trial) is not trial:
            raise Malformed(f"{pair.name}, {trial.method}, {trial.setting}, "
                            f"seed {trial.seed} is there twice")


def read(paths):
    """Malformed, with the number of the line, where a file is not right."""
    runs = Runs()
    for path in paths:
        _Reader(runs, path).read()
    if not runs.pairs and not runs.skipped:
        raise Malformed(f"{', '.join(map(str, paths))}: no pair is complete")
    return runs
