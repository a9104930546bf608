#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hold the pages to the headers: docs/api.md is what scripts/api-reference writes of
them, and names all that is public; docs/properties.md has each function; no page names
what does not exist; all code is a block that tests run, or that says why not; no part
of a program destroys what a call that failed has not made; the files that CONTRIBUTING.md
names exist; and README.md is short.

    check_text.py SOURCE_DIR
"""
import re
import subprocess
import sys
from pathlib import Path

from pages import documents, read_blocks

# Words that look like names of the interface, and are of the environment, of CMake, or
# of Kokkos Kernels.
OTHERS = re.compile(r"SPGEMM_(ISA|VARIANTS|OPENMP|JEMALLOC|INSTALL|WERROR|DEBUG|BUILD_\w+)|"
                    r"SPGEMM_KK|spgemm_(symbolic|numeric|static)")

# Of declarations, not of programs.
MARKS = {"SPGEMM_API", "SPGEMM_NODISCARD"}

# What a line of code by indentation must not begin with.
COMMANDS = r"(?:\$|sudo|cc|cmake|make|pip|python3?|scripts/|spgemm |\./)"

README_WORDS = 900
README_TABLES = 1

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


def functions(headers):
    return set(re.findall(r"SPGEMM_API\b[^;{]*?\b(spgemm_\w+)\(", headers))


def public_names(headers):
    """Functions, types, constants and macros."""
    names = functions(headers)
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


def faults_of_names(headers, pages):
    names = public_names(headers)
    known = structs(headers)
    for name in sorted(names - named(pages["docs/api.md"]) - MARKS):
        yield f"docs/api.md: {name} is not described"
    for name in sorted(functions(headers) - named(pages["docs/properties.md"])):
        yield f"docs/properties.md: {name}() is missing"
    for page, text in pages.items():
        if page == "docs/api.md":  # it has words like SPGEMM_MASK_*
            continue
        for name in sorted(named(text) - names):
            if not OTHERS.fullmatch(name):
                yield f"{page}: {name} does not exist"
        for group, field in re.findall(r"\boptions\.(product|filter|predict|resources)\.(\w+)",
                                       text):
            if field not in known[f"spgemm_{group.removesuffix('s')}_options"]:
                yield f"{page}: options.{group}.{field} does not exist"


def faults_of_blocks(source, page, text):
    """Blocks and commands that nobody runs."""
    blocks = read_blocks(source / page, source)
    shown = len(blocks) + sum(block.output is not None for block in blocks)
    fences = len(re.findall(r"^```\w*$", text, re.M)) // 2
    if shown != fences:
        yield f"{page}: {fences} blocks, {shown} of which are code or what code prints"
    bare = re.sub(r"^```.*?^```$", "", text, flags=re.M | re.S)
    for command in re.findall(rf"^(?: {{4}}|\t)({COMMANDS}.*)$", bare, re.M):
        yield f"{page}: not in a block: {command}"


def faults_of_cleanup(source, page):
    """Objects that are destroyed whatever happened, and were empty at no time."""
    for block in read_blocks(source / page, source):
        made = re.findall(r"^spgemm_(?:csr|context|plan) \*?(\w+);$", block.text, re.M)
        for name in made:
            if re.search(rf"^spgemm_\w+_destroy\(&?{name}\);", block.text, re.M):
                yield f"{block.place}: {name} is destroyed, and may not have been made"


def faults_of_paths(source, text):
    for path in re.findall(r"`((?!build/)[\w.-]+/[\w./-]+\.\w+)`", text):
        if not (source / path).exists():
            yield f"CONTRIBUTING.md: there is no {path}"


def faults_of_readme(text):
    bare = re.sub(r"^```.*?^```$|<!--.*?-->", "", text, flags=re.M | re.S)
    tables = len(re.findall(r"^\| *-", bare, re.M))
    words = len(re.sub(r"^\|.*$", "", bare, flags=re.M).split())
    if words > README_WORDS or tables > README_TABLES:
        yield f"README.md: {words} words and {tables} tables"


def main(name):
    source = Path(name).resolve()
    headers = read_headers(source / "include" / "spgemm")
    pages = {path.relative_to(source).as_posix(): path.read_text(encoding="utf-8")
             for path in documents(source)}
    is_current = subprocess.run([source / "scripts" / "api-reference", "--check"],
                                check=False).returncode == 0
    contributing = (source / "CONTRIBUTING.md").read_text(encoding="utf-8")
    found = [*faults_of_names(headers, pages), *faults_of_paths(source, contributing),
             *faults_of_readme(pages["README.md"])]
    for page, text in pages.items():
        if page != "docs/api.md":  # its declarations are those of the headers
            found += faults_of_blocks(source, page, text)
            found += faults_of_cleanup(source, page)
    print(*found, sep="\n")
    print(f"{len(public_names(headers))} names, {len(pages)} pages")
    if not is_current or found or not functions(headers):
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
