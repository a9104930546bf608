#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Every text with which the library refuses a call is met by a test.

    tests/refusals/check_refusals.py SRC PROGRAM

PROGRAM prints the texts that it met, and another one with an SPGEMM_ISA that
does not exist. Those that no machine of this size can meet are listed here.
"""
import os
import re
import subprocess
import sys
from pathlib import Path

# More than 2^31 rows, or more entries or products than 2^63; an address space
# that is nearly spent when C is predicted (tests/property/property_address_space).
OUT_OF_REACH = (
    "the transpose of",
    "the rows of options.product.rows have more",
    "A*B has more products",
    "C is predicted to take",
)
STRING = r"\"(?:[^\"\\]|\\.)*\""
CALL = re.compile(
    rf"spgemm_refuse\(\s*\w+,\s*((?:{STRING}|PRI\w+|NAMED|\s)+)", re.S
)
PIECE = re.compile(rf"({STRING})|(PRI\w+)|(NAMED)")


def formats(folder):
    """The formats of all refusals: [(where, format)]."""
    found = []
    for path in sorted(folder.rglob("*.c")):
        text = path.read_text()
        for call in CALL.finditer(text):
            whole = ""
            for string, integer, named in PIECE.findall(call.group(1)):
                whole += string[1:-1] if string else "d" if integer else "%s"
            line = text.count("\n", 0, call.start()) + 1
            found.append((f"{path.relative_to(folder)}:{line}", whole))
    return found


def pattern(whole):
    """A format as a regular expression."""
    holes = re.split(r"%[-+ #0-9.]*z?[a-z]", whole)
    parts = [re.escape(part) for part in holes]
    return re.compile(".*?".join(parts), re.S)


def texts(program):
    """What it prints as it is, and with an instruction set that is none."""
    lines = []
    for isa in (None, "avx3"):
        environment = {k: v for k, v in os.environ.items() if k != "SPGEMM_ISA"}
        if isa:
            environment["SPGEMM_ISA"] = isa
        run = subprocess.run(
            [program], env=environment, capture_output=True, text=True
        )
        if not isa and run.returncode != 0:
            sys.exit(run.stderr)
        lines += run.stdout.splitlines()
    return lines


def main():
    folder, program = Path(sys.argv[1]), sys.argv[2]
    met = texts(program)
    missing = []
    all_formats = formats(folder)
    for where, whole in all_formats:
        expression = pattern(whole)
        if whole.startswith(OUT_OF_REACH):
            continue
        if not any(expression.match(line) for line in met):
            missing.append(f"{where}: no test meets \"{whole}\"")
    if missing:
        sys.exit("\n".join(missing))
    print(f"{len(all_formats)} texts of refusals, {len(met)} refusals met")


if __name__ == "__main__":
    main()
