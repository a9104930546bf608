#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Run what README.md shows: its C program, its CMake project, its commands.

Usage: readme.py SOURCE_DIR BUILD_DIR PREFIX LIBDIR

The blocks marked `sh` are run line by line, in a folder where the README's
paths lead to this source tree, this build and this installed package.
"""
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

# Not run: they build and test the whole, or change the machine.
NOT_RUN = ("scripts/demo", "scripts/test", "cmake ", "sudo ")

FOLDER = "matrices"  # where the README's loop looks for matrices
TINY = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 2 3\n2 1 4\n"


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.M | re.S)


def commands(text):
    """The lines of the sh blocks; a line ending in a backslash goes on."""
    for block in blocks(text, "sh"):
        for line in re.sub(r"\\\n\s*", "", block).splitlines():
            if line and not line.startswith(("#", *NOT_RUN)):
                yield line


def run(command, work, environment):
    print("$", command, flush=True)
    subprocess.run(["bash", "-euo", "pipefail", "-c", command],
                   cwd=work, env=environment, check=True)


def prepare(work, readme, source, build):
    (program,) = blocks(readme, "c")
    (work / "example.c").write_text(program)
    (work / "build").mkdir()
    (work / "build" / "release").symlink_to(build)
    (work / FOLDER).mkdir()
    (work / FOLDER / "tiny.mtx").write_text(TINY)
    for name in ("src", "include", "scripts", "tests"):
        (work / name).symlink_to(source / name)


def build_with_cmake(work, readme, prefix, environment):
    (project,) = blocks(readme, "cmake")
    folder = work / "project"
    folder.mkdir()
    (folder / "CMakeLists.txt").write_text(
        f"cmake_minimum_required(VERSION 3.25)\nproject(example C)\n{project}")
    (folder / "example.c").symlink_to(work / "example.c")
    run(f"cmake -S . -B build -DCMAKE_PREFIX_PATH={prefix} "
        "&& cmake --build build && build/example", folder, environment)


def main(source, build, prefix, libdir):
    readme = Path(source, "README.md").read_text(encoding="utf-8")
    environment = {**os.environ,
                   "PKG_CONFIG_PATH": os.path.join(prefix, libdir, "pkgconfig")}
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        prepare(work, readme, Path(source), Path(build))
        for command in commands(readme):
            run(command, work, environment)
        build_with_cmake(work, readme, prefix, environment)


if __name__ == "__main__":
    main(*sys.argv[1:])
