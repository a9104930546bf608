#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Whether products take as many instructions as is committed.

    tests/guard/check_instructions.py PROGRAM COMPILER           compare
    tests/guard/check_instructions.py PROGRAM COMPILER --update  write new values

PROGRAM is guard_products of a release build, COMPILER what built it ("GNU
12.2.0"). Instructions are those within spgemm_predicted(), counted by
callgrind: no clock, so no noise, and a few per cent more are a regression.
Valgrind knows no AVX-512: `base` and `avx2` are counted. Exit status 0: as
committed; 1: not; 77: valgrind is not installed.
"""
import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

VALUES = Path(__file__).with_name("instructions.tsv")
ISAS = ("base", "avx2")
SLACK = 0.05
FOREIGN_SLACK = 0.25
SKIPPED = 77

HEADER = """\
# Instructions within spgemm_predicted(), one thread, counted by callgrind.
# Written by tests/guard/check_instructions.py --update; 5 % more fail.
"""


def count_calls(folder):
    """Instructions of each call, from the profile written after each."""
    parts = sorted(
        folder.glob("profile.*"), key=lambda path: int(path.suffix.lstrip("."))
    )
    totals = [
        int(re.search(r"^(?:totals|summary): (\d+)", part.read_text(), re.M)[1])
        for part in parts
    ]
    return [total for total in totals if total > 0]


def run(program, isa):
    """{product: instructions} on an instruction set, and the memory's name."""
    with tempfile.TemporaryDirectory() as folder:
        command = [
            shutil.which("valgrind"), "--tool=callgrind",
            "--callgrind-out-file=" + str(Path(folder) / "profile"),
            "--toggle-collect=spgemm_predicted",
            "--dump-after=spgemm_predicted", program,
        ]
        environment = {
            "SPGEMM_ISA": isa, "OMP_NUM_THREADS": "1",
            "LD_BIND_NOW": "1", "PATH": "/usr/bin:/bin",
        }
        done = subprocess.run(
            command, env=environment, capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            sys.exit(f"{program} failed under valgrind:\n{done.stderr}")
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        counts = count_calls(Path(folder))
    if len(counts) != len(rows):
        sys.exit(f"{len(rows)} products, but {len(counts)} calls were counted")
    for name, used, _ in rows:
        if used != isa:
            sys.exit(f"{name} ran on {used}, not on {isa}")
    return dict(zip((row[0] for row in rows), counts)), rows[0][2]


def measure(program):
    """{(product, isa): instructions}, and the memory's name."""
    counts = {}
    for isa in ISAS:
        of_isa, memory = run(program, isa)
        counts.update({(name, isa): n for name, n in of_isa.items()})
    return counts, memory


def write(path, counts, compiler, memory):
    lines = [HEADER, f"# compiler: {compiler}\n", f"# memory: {memory}\n",
             "product\tisa\tinstructions\n"]
    lines += [f"{name}\t{isa}\t{n}\n" for (name, isa), n in counts.items()]
    path.write_text("".join(lines))


def read(path):
    """{(product, isa): instructions}, and what the header says."""
    counts = {}
    header = {}
    for line in path.read_text().splitlines():
        if line.startswith("# ") and ": " in line:
            key, value = line[2:].split(": ", 1)
            header[key] = value
        elif not line.startswith(("#", "product")):
            name, isa, n = line.split("\t")
            counts[name, isa] = int(n)
    return counts, header


def compare(counts, committed, slack, is_foreign):
    """What is wrong, a line each."""
    wrong = []
    if counts.keys() != committed.keys():
        wrong.append("other products than committed: run --update")
    for key in sorted(counts.keys() & committed.keys()):
        change = counts[key] / committed[key] - 1
        text = (f"{key[0]} on {key[1]}: {counts[key]} instructions, "
                f"{committed[key]} committed, {change:+.1%}")
        print(text)
        if change > slack:
            wrong.append(text + ": too many")
        elif change < -slack and not is_foreign:
            wrong.append(text + ": fewer! Lower the values: run --update")
    return wrong


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("program")
    parser.add_argument("compiler")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--values", type=Path, default=VALUES)
    options = parser.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: valgrind is not installed")
        return SKIPPED
    counts, memory = measure(options.program)
    if options.update:
        write(options.values, counts, options.compiler, memory)
        return 0
    committed, header = read(options.values)
    here = {"compiler": options.compiler, "memory": memory}
    is_foreign = header != here
    if is_foreign:
        print(f"committed with {header}, this is {here}: "
              f"{FOREIGN_SLACK:.0%} slack instead of {SLACK:.0%}")
    wrong = compare(counts, committed, FOREIGN_SLACK if is_foreign else SLACK,
                    is_foreign)
    for line in wrong:
        print(line, file=sys.stderr)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
