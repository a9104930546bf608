#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Hold debian/ to the rest: its symbols are those of the headers and of the library
that was built, its version is the library's, and what it installs and runs exists.

Usage: debian.py SOURCE_DIR LIBRARY VERSION SOVERSION PREFIX
"""
import re
import subprocess
import sys
from pathlib import Path


def paragraphs(text):
    """Those of a control file, as a dict each."""
    for paragraph in re.split(r"\n\s*\n", text.strip()):
        fields = re.findall(r"^(\S+?):[ \t]*(.*(?:\n[ \t].*)*)", paragraph, re.M)
        assert fields, paragraph
        yield {name: value.strip() for name, value in fields}


def exported(library):
    listed = subprocess.run(["nm", "-D", "--defined-only", library], check=True, text=True,
                            stdout=subprocess.PIPE).stdout
    return {line.split()[-1].replace("@@", "@") for line in listed.splitlines()}


def faults(source, library, version, soversion, prefix):
    debian = Path(source, "debian")

    def read(name):
        return (debian / name).read_text(encoding="utf-8")

    library_package = f"libspgemm{soversion}"
    symbols = set(re.findall(r"^ (\S+@\S+) ", read(f"{library_package}.symbols"), re.M))
    shown = {name if "@" in name else f"{name}@spgemm_0" for name in exported(library)}
    yield from (f"{name} is not in the symbols file, or not in the library: "
                "scripts/debian-symbols" for name in sorted(symbols ^ shown))

    changelog = re.match(r"libspgemm \(([^)]+)\) \S+; urgency=\w+\n", read("changelog"))
    if not changelog or changelog[1] != version:
        yield f"debian/changelog is not of {version}"

    first, *rest = paragraphs(read("control"))
    names = {paragraph["Package"] for paragraph in rest}
    if first["Source"] != "libspgemm" or library_package not in names:
        yield f"debian/control has no {library_package}"
    for page in sorted(debian.glob("*.install")):
        if page.stem not in names:
            yield f"{page.name} is of no package"
        for line in page.read_text(encoding="utf-8").split("\n"):
            path = line.split(" ")[0].replace("usr/lib/*/", "lib*/").removeprefix("usr/")
            if path and "python3" not in path and not list(Path(prefix).glob(path)):
                yield f"{page.name}: {path} is not installed"
    tests = list(paragraphs(read("tests/control")))
    if not tests:
        yield "debian/tests/control has no test"
    for test in tests:
        for path in re.findall(r"\b(?:tests|python)/\S+", test["Test-Command"]):
            if not Path(source, path).exists():
                yield f"debian/tests/control: there is no {path}"


def main(*arguments):
    found = list(faults(*arguments))
    print("\n".join(found))
    sys.exit(bool(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
