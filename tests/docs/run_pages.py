#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run what README.md and the manual show, with an installed library.

    run_pages.py --prefix DIR [--cc CC] [--cxx CXX]   all but Python
    run_pages.py --python                             Python, by this interpreter
    run_pages.py --peer NAME -- FLAG...               what is of another library
    run_pages.py ... --only WORD                      pages whose path has WORD

Each page has a folder of its own, in which its blocks come one after the other:
commands are run, files are written, Python goes on where the block before ended.
A program in C is compiled and run; parts of one that stand under one heading
become one program, between the head that docs/howto/index.md shows and an end
that asks whether `status` is a success.
"""
import argparse
import contextlib
import io
import os
import re
import subprocess
import sys
import tempfile
import traceback
from concurrent.futures import ThreadPoolExecutor
from itertools import groupby
from pathlib import Path

from pages import documents, prints, read_blocks

ROOT = Path(__file__).resolve().parents[2]
HEAD_PAGE = "docs/howto/index.md"
HEAD = "recipe.h"
WARNINGS = ("-Wall", "-Wextra", "-Werror", "-Wno-unused-function", "-Wno-unused-variable",
            "-Wno-misleading-indentation")

# Commands of a clone that take their time, and have tests of their own.
OF_CLONE = re.compile(r"scripts/(accuracy|bench|fetch-matrices)\b|build/|python3 bench/")

# What the parts of programs meet: A = B is the 5-point stencil of a 10 x 10 grid.
BEGIN = """
spgemm_csr A, B, C;
spgemm_report report;
spgemm_status status;

static spgemm_status stencil(spgemm_csr *made)
{
    enum { SIDE = 10, ROWS = SIDE * SIDE };
    int32_t rows[5 * ROWS], cols[5 * ROWS];
    double values[5 * ROWS];
    int64_t n = 0;
    for (int i = 0; i < ROWS; i++) {
        const int near[] = {i, i - SIDE, i + SIDE, i % SIDE ? i - 1 : -1,
                            i % SIDE < SIDE - 1 ? i + 1 : -1};
        for (int k = 0; k < 5; k++)
            if (near[k] >= 0 && near[k] < ROWS) {
                rows[n] = i;
                cols[n] = near[k];
                values[n++] = k ? -1 : 4;
            }
    }
    return spgemm_csr_from_coo(made, ROWS, ROWS, n, rows, cols, values, SPGEMM_I32,
                               SPGEMM_FP64, NULL);
}

int main(void)
{
    if (stencil(&A) != SPGEMM_SUCCESS || stencil(&B) != SPGEMM_SUCCESS)
        return 2;
"""
END = """
    if (status != SPGEMM_SUCCESS) {
        fprintf(stderr, "%s: %s\\n", spgemm_status_string(status), spgemm_error_text());
        return 1;
    }
    return 0;
}
"""


class Failure(Exception):
    pass


def execute(command, folder, environment, what):
    done = subprocess.run(command, cwd=folder, env=environment, text=True,
                          stdin=subprocess.DEVNULL, capture_output=True, check=False,
                          timeout=250)
    if done.returncode != 0:
        raise Failure(f"{what}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def compare(block, output):
    if not prints(block, output):
        raise Failure(f"{block.place}: does not print what the page shows, but\n{output}")


# ---- C ------------------------------------------------------------------------


def is_program(text):
    return "int main(" in text


def is_definition(text):
    """Functions, variables: what stands outside of functions."""
    return any(line == "{" or line.startswith("#define ") for line in text.splitlines())


def program_of(blocks):
    """Parts under one heading, as one program."""
    def numbered(block):
        return f'#line {block.line + 1} "{block.page}"\n{block.text}'

    outside = [numbered(b) for b in blocks if is_definition(b.text)]
    inside = [numbered(b) for b in blocks if not is_definition(b.text)]
    return "\n".join((f'#include "{HEAD}"\n', *outside, BEGIN, *inside, END))


class Tools:
    """Compilers, and where the library is installed."""

    def __init__(self, arguments):
        self.cc, self.cxx = arguments.cc, arguments.cxx
        prefix = Path(arguments.prefix).resolve()
        libraries = [folder for folder in prefix.glob("**/pkgconfig")]
        self.environment = {
            **os.environ,
            "CC": self.cc, "CXX": self.cxx,
            "CLONE": str(ROOT),
            "PATH": f"{prefix / 'bin'}:{os.environ['PATH']}",
            "PKG_CONFIG_PATH": ":".join(map(str, libraries)),
            "CMAKE_PREFIX_PATH": str(prefix),
            "OMP_WAIT_POLICY": "passive",
            # Of a machine that only tests: one rank after another, as anybody.
            "OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
            "OMPI_MCA_rmaps_base_oversubscribe": "1",
        }
        self.flags = execute(["pkg-config", "--cflags", "--libs", "spgemm"], "/",
                             self.environment, "pkg-config").split()
        (head,) = (b for b in read_blocks(ROOT / HEAD_PAGE, ROOT)
                   if (b.mark, b.what) == ("file", HEAD))
        self.head = head.text

    def run_program(self, text, language, folder, what):
        """What it prints."""
        source = folder / f"program.{language}"
        source.write_text(text)
        (folder / HEAD).write_text(self.head)
        compiler = ([self.cxx, "-std=c++17"] if language == "cpp"
                    else [self.cc, "-std=c17", "-D_POSIX_C_SOURCE=200809L"])
        execute([*compiler, *WARNINGS, source.name, *self.flags, "-lm", "-o", "program"],
                folder, self.environment, what)
        return execute([folder / "program"], folder, self.environment, what)


# ---- A page -------------------------------------------------------------------


def run_group(group, is_parts, tools, folder):
    """What it prints, and what is said of it; None where nothing is to be run."""
    block = group[-1]
    if is_parts:
        return tools.run_program(program_of(group), "c", folder, block.place), block.section
    if block.mark == "not run":
        return None, f"not run: {block.what}"
    if block.mark == "file":
        target = folder / block.what
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(block.text)
        return None, f"to {block.what}"
    if block.language == "sh" and OF_CLONE.match(block.text):
        return None, "not run: it evaluates the whole, in a clone"
    if block.language == "sh":
        return (execute(["bash", "-euo", "pipefail", "-c", block.text], folder,
                        tools.environment, block.place), block.text.splitlines()[0])
    if block.language in ("c", "cpp"):
        return (tools.run_program(block.text, block.language, folder, block.place),
                f"a program, {block.section}")
    raise Failure(f"{block.place}: nobody knows how to run {block.language}")


def run_page(blocks, tools, folder):
    """Yields a line for each block or group of parts."""
    def key(block):
        is_part = block.language == "c" and not block.mark and not is_program(block.text)
        return (block.section, True) if is_part else (block.place, False)

    blocks = [b for b in blocks if b.mark != "peer" and b.language != "python"]
    for (_, is_parts), group in groupby(blocks, key):
        group = list(group)
        try:
            output, said = run_group(group, is_parts, tools, folder)
            if output is not None:
                compare(group[-1], output)
            yield f"{group[0].place}: {said}"
        except (Failure, subprocess.TimeoutExpired) as why:
            yield why


def run_python(blocks):
    names = {}
    for block in blocks:
        if block.language != "python" or block.mark in ("not run", "peer"):
            continue
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                exec(compile("\n" * block.line + block.text, block.page, "exec"), names)
        except Exception:
            raise Failure(f"{block.place}\n{traceback.format_exc()}") from None
        compare(block, output.getvalue())
        yield block.place


def run_peer(blocks, name, compiler, flags, folder):
    """Compiled, not linked: no program of another library is complete here."""
    for block in blocks:
        if (block.mark, block.what) != ("peer", name):
            continue
        if block.language == "python":
            yield from run_python([block.__class__(**{**vars(block), "mark": ""})])
            continue
        source = folder / f"peer.{block.language}"
        source.write_text(block.text)
        execute([compiler, "-fsyntax-only", *flags, source], folder, os.environ, block.place)
        yield block.place


# ---- All ----------------------------------------------------------------------


def folder_of(page):
    return tempfile.TemporaryDirectory(prefix=page.replace("/", "-") + "-")


def run_all(run, pages, workers):
    """Whether all went well; says what was done."""
    def of_page(blocks):
        with folder_of(blocks[0].page) as name:
            try:
                return list(run(blocks, Path(name)))
            except Failure as why:
                return [why]

    with ThreadPoolExecutor(workers) as pool:
        said = [line for lines in pool.map(of_page, pages) for line in lines]
    print(*said, sep="\n")
    return bool(said) and not any(isinstance(line, Exception) for line in said)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--prefix")
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--cxx", default="c++")
    parser.add_argument("--python", action="store_true")
    parser.add_argument("--peer")
    parser.add_argument("--only", default="")
    parser.add_argument("flags", nargs="*")
    arguments = parser.parse_args()
    # The declarations of api.md are those of the headers.
    pages = [read_blocks(page, ROOT) for page in documents(ROOT) if page.name != "api.md"]
    pages = [blocks for blocks in pages if blocks and arguments.only in blocks[0].page]
    if arguments.python:
        run = lambda blocks, _: run_python(blocks)  # noqa: E731
    elif arguments.peer:
        run = lambda blocks, folder: run_peer(  # noqa: E731
            blocks, arguments.peer,
            arguments.cxx if "-std=c++17" in arguments.flags else arguments.cc,
            arguments.flags, folder)
    else:
        tools = Tools(arguments)
        run = lambda blocks, folder: run_page(blocks, tools, folder)  # noqa: E731
    # Python is run in this process, one page after the other.
    if not run_all(run, pages, 1 if arguments.python else os.cpu_count()):
        sys.exit("the pages are not all as they say")


if __name__ == "__main__":
    main()
