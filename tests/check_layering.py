#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Check who includes whom, and what no part of the library may do.

    tests/check_layering.py [--root DIR]   check a source tree
    tests/check_layering.py --self-test    prove that each rule finds its violation

Violations are errors (exit status 1). Long files and functions are warnings.
"""
import argparse
import re
import sys
import tempfile
from pathlib import Path

# The rooms of src/, in the order of the data, and what each may include besides
# itself and include/. A folder within a room is one of its own where it stands
# here.
BASE = {"common"}
LOW = BASE | {"cpu", "alloc"}
MIDDLE = LOW | {"matrix", "values"}
LAYERS = {
    "common": set(),
    "cpu": BASE,
    "alloc": BASE,
    "semiring": BASE,
    "values": BASE | {"semiring"},
    "matrix": LOW | {"semiring", "values"},
    "io": MIDDLE,
    "predict": MIDDLE,
    "predict/stratified": MIDDLE | {"predict"},
    "predict/published": MIDDLE | {"predict"},
    "kernels/simd": LOW | {"semiring"},
    "kernels/row": MIDDLE | {"semiring", "predict", "kernels/simd"},
    "kernels/accumulators": MIDDLE | {"kernels/row", "kernels/simd"},
    "kernels": MIDDLE | {"semiring", "kernels/accumulators", "kernels/row"},
    "spgemm/pipeline": MIDDLE | {"semiring", "predict", "kernels/row"},
    "spgemm/execute": MIDDLE | {"kernels/row", "spgemm/pipeline"},
    "spgemm": MIDDLE | {"io", "semiring", "predict", "kernels/row",
                        "spgemm/pipeline", "spgemm/execute"},
}

# The other folders, and those that may look behind the public headers: unit
# tests and their helper, the benchmark's team in place of the library's, the test
# of the commit queue, the command at common/.
OUTSIDE = ("tests", "bench", "matgen", "tools")
SEES_SRC = {
    "tests/unit/": set(LAYERS),
    "tests/support/predictor_bench.": set(LAYERS),
    "bench/virtual_team.": {"common", "spgemm/pipeline"},
    "tests/spin/": {"spgemm/execute"},
    "matgen/": {"common"},
    "tools/": {"common"},
}

ALLOCATES = """malloc calloc realloc reallocarray free aligned_alloc alloca
    posix_memalign memalign valloc pvalloc strdup strndup asprintf vasprintf
    getline getdelim open_memstream MAP_ANONYMOUS malloc_trim
    mallocx rallocx xallocx dallocx sdallocx nallocx mallctl""".split()
FORBIDDEN = """printf fprintf dprintf vprintf vfprintf vdprintf puts fputs
    putchar putc fputc perror sprintf vsprintf stdout stderr exit _exit _Exit
    quick_exit abort signal sigaction srand rand random srandom setlocale
    setenv putenv omp_set_num_threads omp_set_dynamic
    omp_set_max_active_levels""".split()

FILE_LINES = 400
FUNCTION_LINES = 60

SUFFIXES = (".c", ".h", ".h.in", ".def")
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include\s+(?:"([^"]+)"|<([^>]+)>)', re.M)
ATTRIBUTE = re.compile(r"\bformat\(\s*printf\b")
WORD = re.compile(r"(\.\s*|->\s*)?\b([A-Za-z_]\w*)\b")
SKIPPED = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | "(?:\\.|[^"\\\n])*" | '(?:\\.|[^'\\\n])*'""",
    re.S | re.X,
)


def blank(match):
    """Spaces for a comment or string, so that positions stay."""
    return re.sub(r"[^\n]", " ", match.group())


def room_of(path):
    """The room of a path below src/, as LAYERS names it, or its folder."""
    parts = path.parts[:-1]
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in LAYERS:
            return "/".join(parts[:length])
    return "/".join(parts)


class Tree:
    def __init__(self, root):
        self.root = root
        self.errors = []
        self.warnings = []

    def files(self, folder):
        base = self.root / folder
        return sorted(
            path
            for path in base.rglob("*")
            if path.is_file() and path.name.endswith(SUFFIXES)
        )

    def error(self, path, line, text):
        self.errors.append(f"{path.relative_to(self.root)}:{line}: {text}")

    def resolve(self, path, name):
        """Where an include leads: a path below the root, or None."""
        candidates = [path.parent / name, self.root / "include" / name,
                      self.root / "include" / (name + ".in"),
                      self.root / "src" / name]
        for candidate in candidates:
            if candidate.is_file():
                return candidate.resolve().relative_to(self.root.resolve())
        return None

    def check_includes(self, path, text, may_include, whose):
        for match in INCLUDE.finditer(text):
            name = match.group(1) or match.group(2)
            target = self.resolve(path, name)
            if target is None or target.parts[0] not in ("src", *OUTSIDE):
                continue
            layer = (room_of(target.relative_to("src"))
                     if target.parts[0] == "src" else target.parts[0])
            if layer not in may_include:
                line = text.count("\n", 0, match.start()) + 1
                self.error(path, line, f'{whose} may not include "{name}"')

    def check_words(self, path, code, words, why):
        for match in WORD.finditer(code):
            if match.group(2) in words and not match.group(1):
                line = code.count("\n", 0, match.start(2)) + 1
                self.error(path, line, f"{match.group(2)}: {why}")

    def measure(self, path, code):
        lines = code.split("\n")
        where = path.relative_to(self.root)
        if len(lines) > FILE_LINES:
            self.warnings.append(f"{where}: {len(lines)} lines")
        # The brace of a function stands alone in the first column.
        begin = None
        for number, line in enumerate(lines, 1):
            if line.rstrip() == "{":
                begin = number
            elif line.rstrip() == "}" and begin is not None:
                if number - begin - 1 > FUNCTION_LINES:
                    self.warnings.append(
                        f"{where}:{begin}: a function of {number - begin - 1} lines")
                begin = None

    def check_library(self):
        for path in self.files("src"):
            layer = room_of(path.relative_to(self.root / "src"))
            text = path.read_text(encoding="utf-8")
            code = SKIPPED.sub(blank, text)
            if layer not in LAYERS:
                self.error(path, 1, f"src/{layer} has no place in the layers")
                continue
            self.check_includes(
                path, text, LAYERS[layer] | {layer}, f"src/{layer}")
            # Names of headers and kinds of formats are no calls.
            calls = ATTRIBUTE.sub(blank, INCLUDE.sub(blank, code))
            if layer != "alloc":
                self.check_words(
                    path, calls, ALLOCATES, "only src/alloc allocates")
            self.check_words(
                path, calls, FORBIDDEN,
                "the library never prints, exits or changes its host")
            self.measure(path, code)

    def check_public_headers(self):
        for path in self.files("include"):
            text = path.read_text(encoding="utf-8")
            self.check_includes(path, text, set(), "a public header")

    def check_outside(self):
        for folder in OUTSIDE:
            for path in self.files(folder):
                where = path.relative_to(self.root).as_posix()
                may_include = {folder}
                for place, layers in SEES_SRC.items():
                    if where.startswith(place):
                        may_include |= layers
                text = path.read_text(encoding="utf-8")
                self.check_includes(path, text, may_include, where)

    def check_order(self):
        """LAYERS has no circle."""
        order, rest = [], dict(LAYERS)
        while rest:
            free = [room for room in rest if rest[room] <= set(order)]
            if not free:
                self.errors.append(f"a circle of rooms: {', '.join(rest)}")
                return
            for room in free:
                order.append(room)
                del rest[room]

    def check(self):
        self.check_order()
        self.check_library()
        self.check_public_headers()
        self.check_outside()
        return self.errors


# ---- Self-test ---------------------------------------------------------------

CLEAN = {
    "include/spgemm/spgemm.h": '#include "spgemm/alloc.h"\n',
    "include/spgemm/alloc.h": "",
    "src/common/try.h": '#include "spgemm/spgemm.h"\n',
    "src/cpu/features.c": '#include "common/try.h"\n',
    "src/alloc/memory.h": '#include "common/try.h"\n',
    "src/alloc/memory.c": '#include "alloc/memory.h"\nvoid *p = malloc(1);\n',
    "src/matrix/csr.h": '#include "alloc/memory.h"\n',
    "src/kernels/simd/pack.h": "",
    "src/kernels/row/unit.h": '#include "semiring/plus.h"\n'
                              '#include "kernels/simd/pack.h"\n',
    "src/kernels/accumulators/dense.h": '#include "kernels/row/unit.h"\n',
    "src/kernels/rows.h": '#include "kernels/accumulators/dense.h"\n',
    "src/spgemm/pipeline/step.h": '#include "kernels/row/unit.h"\n',
    "src/spgemm/execute/pass.h": '#include "spgemm/pipeline/step.h"\n',
    "src/semiring/plus.h": "",
    "src/predict/table.h": '#include "matrix/csr.h"\n',
    "src/io/read.c": '#include "matrix/csr.h"\n'
                     '/* printf( */ // malloc(\n'
                     'char *s = "exit(1)"; x.free(p); p->free(p); snprintf(s);\n'
                     '__attribute__((format(printf, 2, 3)));\n',
    "src/spgemm/plan.h": "",
    "src/spgemm/plan.c": '#include "predict/table.h"\n#include "matrix/csr.h"\n',
    "tests/unit/test_plan.c": '#include "matrix/csr.h"\n#include "../support/s.h"\n',
    "tests/support/s.h": '#include "spgemm/spgemm.h"\n',
    "tools/main.c": '#include "common/try.h"\nint main(void) { exit(0); }\n',
}

VIOLATIONS = [
    ("src/common/x.c", '#include "alloc/memory.h"\n', "src/common may not"),
    ("src/cpu/x.c", '#include "alloc/memory.h"\n', "src/cpu may not"),
    ("src/alloc/x.c", '#include "matrix/csr.h"\n', "src/alloc may not"),
    ("src/matrix/x.c", '#include "predict/table.h"\n', "src/matrix may not"),
    ("src/predict/x.c", '\n\n  # include  "../spgemm/plan.c"\n', "x.c:3: src/predict"),
    ("src/new/x.c", "", "no place"),
    ("src/matrix/x.c", "void *p = calloc(1, 2);\n", "x.c:1: calloc"),
    ("src/io/x.c", "hook = free;\n", "free: only src/alloc"),
    ("src/kernels/row/x.h", '#include "kernels/rows.h"\n', "src/kernels/row may not"),
    ("src/kernels/simd/x.h", '#include "kernels/row/unit.h"\n',
     "src/kernels/simd may not"),
    ("src/spgemm/pipeline/x.c", '#include "spgemm/execute/pass.h"\n',
     "src/spgemm/pipeline may not"),
    ("src/spgemm/pipeline/x.c", '#include "spgemm/plan.h"\n',
     "src/spgemm/pipeline may not"),
    ("src/kernels/simd/x.h", "a\nmallocx(1, 0);\n", "x.h:2: mallocx"),
    ("src/predict/x.c", '#include "kernels/accumulators/dense.h"\n', "src/predict may not"),
    ("src/alloc/x.c", 'fprintf(file, "");\n', "fprintf: the library never"),
    ("src/io/x.c", "exit(1);\n", "exit: the library never"),
    ("src/io/x.c", "abort();\n", "abort: the library never"),
    ("src/predict/x.c", "srand(0);\n", "srand: the library never"),
    ("src/spgemm/x.c", "omp_set_num_threads(2);\n", "omp_set_num_threads"),
    ("src/io/x.c", 'setlocale(LC_ALL, "C");\n', "setlocale: the library never"),
    ("include/spgemm/x.h", '#include "matrix/csr.h"\n', "a public header may not"),
    ("tests/oom/x.c", '#include "matrix/csr.h"\n', "tests/oom/x.c may not"),
    ("tests/unit/x.c", '#include "../../tools/main.c"\n', "tests/unit/x.c may not"),
    ("bench/x.c", '#include "alloc/memory.h"\n', "bench/x.c may not"),
    ("tools/x.c", '#include "alloc/memory.h"\n', "tools/x.c may not"),
    ("tests/spin/x.c", '#include "alloc/memory.h"\n', "tests/spin/x.c may not"),
]


def errors_of(files):
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return Tree(Path(folder)).check()


def self_test():
    failures = [f"a clean tree: {error}" for error in errors_of(CLEAN)]
    for name, text, expected in VIOLATIONS:
        errors = errors_of({**CLEAN, name: text})
        if len(errors) != 1 or expected not in errors[0]:
            failures.append(f"{name}: expected '{expected}', got {errors}")
    print("\n".join(failures) if failures else
          f"layering self-test: {len(VIOLATIONS)} violations found")
    return 1 if failures else 0


def main():
    parser = argparse.ArgumentParser(description="Check the layers of the source tree.")
    parser.add_argument("--root", type=Path,
                        default=Path(__file__).resolve().parent.parent)
    parser.add_argument("--self-test", action="store_true")
    arguments = parser.parse_args()
    if arguments.self_test:
        return self_test()
    tree = Tree(arguments.root)
    errors = tree.check()
    for warning in tree.warnings:
        print(f"note: {warning}")
    for error in errors:
        print(f"error: {error}")
    print(f"layering: {len(errors)} errors")
    return 1 if errors else 0


if __name__ == "__main__":
    sys.exit(main())
