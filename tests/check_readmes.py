#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check that a reader finds every file of src/.

    tests/check_readmes.py [--root DIR]   check a source tree
    tests/check_readmes.py --self-test    prove that each rule finds its violation

Each file below src/ROOM stands in a table of src/ROOM/README.md, by its path
from there, and each file that a table there names exists.
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

CELL = re.compile(r"`([\w./]+\.(?:c|h|def))`")


def files_of(room):
    """The files that have a place in the tables of a room."""
    return {path.relative_to(room).as_posix() for path in room.rglob("*")
            if path.suffix in (".c", ".h", ".def")}


def named_by(readme):
    """The files of the first cell of each line of a table."""
    names = set()
    for line in readme.read_text(encoding="utf-8").splitlines():
        if line.startswith("|"):
            names |= set(CELL.findall(line.split("|")[1]))
    return names


def check(root):
    errors = []
    src = root / "src"
    index = (src / "README.md").read_text(encoding="utf-8")
    for room in sorted(path for path in src.iterdir() if path.is_dir()):
        if f"`{room.name}/`" not in index:
            errors.append(f"src/README.md does not name {room.name}/")
        readme = room / "README.md"
        if not readme.is_file():
            errors.append(f"src/{room.name} has no README.md")
            continue
        there, named = files_of(room), named_by(readme)
        errors += [f"src/{room.name}/README.md does not name {name}"
                   for name in sorted(there - named)]
        errors += [f"src/{room.name}/README.md names {name}, which is not there"
                   for name in sorted(named - there)]
    return errors


CLEAN = {
    "src/README.md": "| `a/` | x |\n",
    "src/a/README.md": "| file | it |\n| `x.c`, `x.h` | `no.c` |\n| `b/y.c` | |\n",
    "src/a/x.c": "", "src/a/x.h": "", "src/a/b/y.c": "",
}
VIOLATIONS = [
    ({"src/a/z.c": ""}, "does not name z.c"),
    ({"src/a/b/x.c": ""}, "does not name b/x.c"),
    ({"src/a/README.md": CLEAN["src/a/README.md"] + "| `w.h` | |\n"}, "w.h, which is not"),
    ({"src/c/README.md": ""}, "src/README.md does not name c/"),
    ({"src/README.md": "| `a/` `c/` |\n", "src/c/x.txt": ""}, "src/c has no README.md"),
]


def errors_of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return check(Path(folder))


def self_test():
    failures = [f"a clean tree: {error}" for error in errors_of(CLEAN)]
    for files, expected in VIOLATIONS:
        errors = errors_of({**CLEAN, **files})
        if len(errors) != 1 or expected not in errors[0]:
            failures.append(f"expected '{expected}', got {errors}")
    print("\n".join(failures) if failures else
          f"readmes self-test: {len(VIOLATIONS)} violations found")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="Check the tables of src/.")
    parser.add_argument("--root", type=Path,
                        default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    errors = check(arguments.root)
    for error in errors:
        print(f"error: {error}")
    print(f"readmes: {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
