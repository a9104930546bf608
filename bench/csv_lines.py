# SPDX-License-Identifier: BSD-3-Clause
"""What the readers of the benchmarks' CSVs share: comments, columns, rows, numbers,
and the line that is wrong."""
import lzma
import math
import signal
import sys


class Malformed(Exception):
    """A file that is no CSV of the benchmark: its name, the line, and why."""


def number(fields, column, is_count=False, least=0, may_lack=False, kind="number"):
    text = fields[column]
    if may_lack and text == "":
        return None
    try:
        value = int(text) if is_count else float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or value < least:
        raise Malformed(f"{column}: '{text}' is not a "
                        f"{'count' if is_count else kind}")
    return value


def comment(comments, key):
    """The values of `# key: value`, without repetition, joined."""
    values = [c.partition(": ")[2] for c in comments if c.startswith(f"{key}: ")]
    return ", ".join(dict.fromkeys(values)) or "unknown"


def _open(path):
    """Packed or plain."""
    opener = lzma.open if str(path).endswith(".xz") else open
    return opener(path, "rt", encoding="utf-8", errors="replace")


def _fields(columns, line):
    texts = line.split(",")
    if len(texts) != len(columns):
        raise Malformed(f"{len(texts)} fields, not {len(columns)}")
    return dict(zip(columns, texts))


def _columns(line, wanted):
    columns = line.split(",")
    lacking = [column for column in wanted(columns) if column not in columns]
    if lacking:
        raise Malformed(f"the columns lack {', '.join(lacking)}")
    return columns


def _read(file, wanted, on_comment, on_row):
    header = columns = None
    place = 0
    for place, line in enumerate(file, 1):
        line = line.rstrip("\n")
        try:
            if line.startswith("#"):
                on_comment(line.lstrip("# "))
            elif columns is None:
                header, columns = line, _columns(line, wanted)
            elif line != header:
                on_row(_fields(columns, line), place)
        except Malformed as why:
            raise Malformed(f"line {place}: {why}") from None
    if columns is None:
        raise Malformed(f"line {place + 1}: the columns are missing")


def read_lines(path, wanted, on_comment, on_row):
    """Each comment without its mark to on_comment, the fields of each row by column
    and the number of its line to on_row. wanted(columns): those that must be there.
    Malformed, with the number of the line, where the file is not right."""
    try:
        with _open(path) as file:
            _read(file, wanted, on_comment, on_row)
    except OSError as error:
        raise Malformed(f"{path}: {error.strerror}") from None
    except (Malformed, lzma.LZMAError, EOFError) as why:
        raise Malformed(f"{path}: {why}") from None


def run(name, main):
    """main() as the program `name`: status 2 after a message about a file."""
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # ... full.csv | head
    try:
        main()
    except Malformed as why:
        print(f"{name}: {why}", file=sys.stderr)
        sys.exit(2)
