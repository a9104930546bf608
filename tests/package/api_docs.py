#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hold docs/api.md and docs/guide.md to the headers: the first is what
scripts/api-reference writes of them, and names all that is public; the second
names nothing that does not exist, and its examples compile.

Usage: api_docs.py SOURCE_DIR VERSION_H_DIR COMPILER

An example with main() is compiled as it is; one that has functions, after
PREAMBLE; any other, after PREAMBLE and inside of a function.
"""
import re
import subprocess
import sys
from pathlib import Path

# Words that look like names of the interface, and are of the environment.
OTHERS = {"SPGEMM_ISA"}

# Of declarations, not of programs.
MARKS = {"SPGEMM_API", "SPGEMM_NODISCARD"}

PREAMBLE = """\
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <spgemm/context.h>
#include <spgemm/mtx.h>
#include <spgemm/plan.h>
#include <spgemm/predict.h>
#include <spgemm/spgemm.h>
#include <spgemm/stream.h>
spgemm_csr A, B, C;
spgemm_report report;
spgemm_status status;
"""

FLAGS = ("-std=c17", "-Wall", "-Wextra", "-Werror", "-fsyntax-only")

# ---- Headers -----------------------------------------------------------------


def read_headers(folder):
    """All headers as one text, without comments and include guards."""
    text = "".join(path.read_text(encoding="utf-8")
                   for path in sorted(folder.glob("*.h*")))
    text = re.sub(r"/\*.*?\*/", " ", text, flags=re.S)
    return re.sub(r"^#define \w+_H$", "", text, flags=re.M)


def field_names(body):
    """`double (*f)(...)`, `char text[256]`, `int64_t nrows`: f, text, nrows."""
    for field in body.split(";"):
        name = (re.search(r"\(\s*\*\s*(\w+)\s*\)", field)
                or re.search(r"(\w+)\s*(?:\[[^]]*\]\s*)*$", field))
        if name:
            yield name[1]


def structs(headers):
    return {name: list(field_names(body)) for body, name in re.findall(
        r"typedef struct \w+ \{(.*?)\} (\w+);", headers, re.S)}


def public_names(headers):
    """Functions, types, constants and macros."""
    names = set(re.findall(r"SPGEMM_API\b[^;{]*?\b(spgemm_\w+)\(", headers))
    names.update(re.findall(r"^#define (\w+)", headers, re.M))
    names.update(re.findall(r"^\} (\w+);", headers, re.M))
    names.update(re.findall(r"^typedef struct \w+ (\w+);", headers, re.M))
    names.update(re.findall(r"^typedef \w+\s+(spgemm_\w+)\(", headers, re.M))
    for body in re.findall(r"enum(?: \w+)? \{(.*?)\}", headers, re.S):
        names.update(re.findall(r"\bSPGEMM_\w+", body))
    return names


# ---- Pages -------------------------------------------------------------------


def named(page):
    return set(re.findall(r"\b(?:spgemm|SPGEMM)_\w+", page))


def faults(headers, api, guide):
    names = public_names(headers)
    yield from (f"api.md: {name} is not described" for name in sorted(names - named(api) - MARKS))
    yield from (f"guide.md: {name} does not exist"
                for name in sorted(named(guide) - names - OTHERS))
    known = structs(headers)
    for group, field in re.findall(r"\boptions\.(\w+)\.(\w+)", guide):
        if field not in known.get(f"spgemm_{group.removesuffix('s')}_options", ()):
            yield f"guide.md: options.{group}.{field} does not exist"


# ---- Examples ----------------------------------------------------------------


def whole(block):
    if re.search(r"\bint main\(", block):
        return block
    if re.search(r"^(\{|extern )", block, re.M):
        return PREAMBLE + block
    return f"{PREAMBLE}void part(void);\nvoid part(void)\n{{\n{block}}}\n"


def compile_examples(page, folders, compiler):
    """Returns how many compile; says of the others why not."""
    includes = [f"-I{folder}" for folder in folders]
    blocks = list(re.finditer(r"^```c\n(.*?)^```$", page, re.M | re.S))
    failures = 0
    for block in blocks:
        done = subprocess.run([compiler, *FLAGS, *includes, "-x", "c", "-"],
                              input=whole(block[1]), text=True, check=False)
        if done.returncode != 0:
            line = page.count("\n", 0, block.start()) + 1
            print(f"docs/guide.md:{line}: the example does not compile")
            failures += 1
    return len(blocks), failures


def main(source, version_folder, compiler):
    headers = read_headers(Path(source, "include", "spgemm"))
    api, guide = (Path(source, "docs", name).read_text(encoding="utf-8")
                  for name in ("api.md", "guide.md"))
    is_current = subprocess.run([Path(source, "scripts", "api-reference"), "--check"],
                                check=False).returncode == 0
    found = list(faults(headers, api, guide))
    for fault in found:
        print("docs/" + fault)
    count, failures = compile_examples(
        guide, (Path(source, "include"), version_folder), compiler)
    print(f"{len(public_names(headers))} names, {count} examples")
    if not is_current or found or failures or not count or not public_names(headers):
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
