#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of the command spgemm.

    SPGEMM=build/release/spgemm SPGEMM_DATA=tests/data tests/cli/test_cli.py [GROUP]
"""
import bz2
import csv
import gzip
import io
import json
import lzma
import os
import pty
import re
import select
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import unittest
from pathlib import Path

SPGEMM = os.path.abspath(os.environ.get("SPGEMM", "build/release/spgemm"))
DATA = Path(os.environ.get("SPGEMM_DATA", "tests/data")).resolve()
BANNER = "%%MatrixMarket matrix coordinate real general\n"
COMMANDS = ["info", "predict", "chain", "multiply", "compare", "convert", "spy", "generate",
            "demo"]
SMALL = BANNER + "3 3 4\n1 1 1.5\n2 3 -2\n3 1 0.25\n3 3 8\n"

METHODS = ["upper_bound", "precise", "min_hash", "kmv_sampled", "bhash",
           "sampled_nnz", "sampled_cr", "stratified", "cohen", "hyperloglog",
           "row_independent", "row_independent_ratio"]

COMPARE_KEYS = {
    "rows", "cols", "nnz_a", "nnz_b", "products", "nnz_c", "compression",
    "c_bytes", "threads", "isa", "variants", "identical"}
VARIANT_KEYS = {
    "name", "seconds", "seconds_min", "seconds_median", "seconds_max", "times_median",
    "predict_seconds", "gflops",
    "nnz_predicted", "relative_error_percent", "allocated_bytes",
    "peak_bytes", "overflow_rows", "checksum"}
METHOD_KEYS = {
    "name", "nnz", "standard_error", "c_bytes", "c_bytes_least", "c_bytes_most",
    "seconds", "rows_sampled", "products_sampled"}


def strict_json(text):
    """The value of a JSON text that has no NaN or infinity."""
    def refuse(word):
        raise ValueError(f"{word} is no JSON")
    return json.loads(text, parse_constant=refuse)


def read_matrix(text):
    """A Matrix Market text as {(row, col): value}, by other means."""
    lines = [line.split() for line in text.splitlines()
             if line.strip() and not line.lstrip().startswith("%")]
    entries = {}
    for row, col, value in lines[1:]:
        key = int(row), int(col)
        entries[key] = entries.get(key, 0.0) + float(value)
    return entries


def multiply(a, b):
    rows = {}
    for (k, j), y in b.items():
        rows.setdefault(k, []).append((j, y))
    c = {}
    for (i, k), x in a.items():
        for j, y in rows.get(k, []):
            c[i, j] = c.get((i, j), 0.0) + x * y
    return c


class CliTest(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="spgemm-cli-"))
        self.addCleanup(shutil.rmtree, self.folder)

    def write(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return name

    def run_tool(self, *words, stdin=b"", **options):
        return subprocess.run([SPGEMM, *map(str, words)], cwd=self.folder,
                              input=stdin, capture_output=True, timeout=120,
                              **options)

    def expect(self, status, *words, **options):
        done = self.run_tool(*words, **options)
        self.assertEqual(done.returncode, status,
                         f"{words}: {done.stderr.decode()}")
        return done

    def ok(self, *words, **options):
        return self.expect(0, *words, **options).stdout.decode()

    def refused(self, status, pattern, *words, **options):
        """The command ends with `status` and one line that fits."""
        done = self.expect(status, *words, **options)
        text = done.stderr.decode()
        self.assertRegex(text, pattern)
        self.assertTrue(text.startswith("spgemm: "), text)
        self.assertEqual(text.count("\n"), 1, text)
        self.assertEqual(done.stdout, b"")
        return text


class Help(CliTest):
    def test_help_of_the_program(self):
        for words in (["--help"], ["-h"], ["help"]):
            text = self.ok(*words)
            for command in COMMANDS:
                self.assertIn(command, text)
            self.assertIn("--completion SHELL", text)
        self.assertIn("128 + N", text.partition("Exit status:")[2])
        self.assertEqual(self.run_tool().returncode, 2)

    def test_help_of_each_command(self):
        for command in COMMANDS:
            text = self.ok(command, "--help")
            self.assertIn(f"Usage: spgemm {command}", text)
            self.assertEqual(text, self.ok(command, "-h"))
            self.assertEqual(text, self.ok("help", command))
            self.assertNotRegex(text, r" \n")
            options = text.partition("\nExample:")[0]
            self.assertNotRegex(options, r".{80}")

    def test_the_example_of_each_help_runs(self):
        path = f"{os.path.dirname(SPGEMM)}:{os.environ['PATH']}"
        for words in [[]] + [[command] for command in COMMANDS]:
            example = re.findall(r"^  \$ (.*)$", self.ok(*words, "--help"), re.M)
            self.assertTrue(example, words)
            for line in example:
                done = subprocess.run(line, shell=True, cwd=self.folder,
                                      env={**os.environ, "PATH": path},
                                      capture_output=True, timeout=250)
                self.assertEqual(done.returncode, 0, f"{line}: {done.stderr}")
                self.assertNotRegex(done.stdout.decode(), r".{81}")

    def test_version(self):
        text = self.ok("--version")
        self.assertRegex(text, r"^spgemm \d+\.\d+\.\d+\n")
        self.assertRegex(text, r"memory: (jemalloc \d|.*built without jemalloc)")
        self.assertRegex(text, r"instruction set: (base|avx2|avx512)\n")

    def test_man_page(self):
        page = self.ok("--man")
        self.assertTrue(page.startswith(".TH SPGEMM 1"))
        self.assertIn("completion", page.partition(".SH OPTIONS")[2])
        self.assertIn("128 + N", page.partition(".SH EXIT STATUS")[2])
        for command in COMMANDS:
            self.assertIn(f".SS spgemm {command}", page)
        if shutil.which("man"):
            self.write("spgemm.1", page)
            done = subprocess.run(["man", "--warnings", "-l", "spgemm.1"],
                                  cwd=self.folder, capture_output=True,
                                  env={**os.environ, "LC_ALL": "C", "MANWIDTH": "80"})
            self.assertEqual(done.returncode, 0)
            self.assertEqual(done.stderr, b"")
            self.assertIn(b"EXIT STATUS", done.stdout)


class Shells(CliTest):
    def test_completions_load(self):
        loads = {"bash": ["bash", "-c", ". ./c && complete -p spgemm"],
                 "zsh": ["zsh", "-fc",
                         "autoload -U compinit && compinit -D && . ./c && "
                         "print $_comps[spgemm]"],
                 "fish": ["fish", "--no-config", "-c",
                          "source c; complete -C 'spgemm mul'"]}
        for shell, load in loads.items():
            text = self.ok("--completion", shell)
            for command in COMMANDS:
                self.assertIn(command, text)
            self.write("c", text)
            if not shutil.which(shell):
                continue
            done = subprocess.run(load, cwd=self.folder, capture_output=True,
                                  text=True, env={**os.environ, "HOME": str(self.folder)})
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertEqual(done.stderr, "")
            self.assertRegex(done.stdout, "spgemm|multiply")

    def complete_in_bash(self, *words):
        self.write("c", self.ok("--completion", "bash"))
        line = " ".join(f"'{word}'" for word in words)
        script = (f". ./c; COMP_WORDS=({line}); COMP_CWORD={len(words) - 1}; "
                  "_spgemm; echo ${COMPREPLY[@]}")
        return subprocess.run(["bash", "-c", script], cwd=self.folder,
                              capture_output=True, text=True).stdout.split()

    @unittest.skipUnless(shutil.which("bash"), "needs bash")
    def test_bash_completes_commands_options_values_and_files(self):
        self.write("A.mtx", SMALL)
        self.assertEqual(self.complete_in_bash("spgemm", "mul"), ["multiply"])
        self.assertEqual(self.complete_in_bash("spgemm", "compare", "--th"), ["--threads"])
        self.assertEqual(self.complete_in_bash("spgemm", "predict", "--method", "str"),
                         ["stratified"])
        for command in ("predict", "multiply", "compare"):
            self.assertEqual(self.complete_in_bash("spgemm", command, "--semiring", "min_p"),
                             ["min_plus"])
            self.assertEqual(self.complete_in_bash("spgemm", command, "--mas"), ["--mask"])
        self.assertEqual(self.complete_in_bash("spgemm", "generate", "rm"), ["rmat"])
        self.assertEqual(self.complete_in_bash("spgemm", "info", "A"), ["A.mtx"])

    def test_unknown_shell(self):
        self.refused(2, "bash, zsh or fish", "--completion", "csh")
        self.refused(2, "bash, zsh or fish", "--completion")


class Errors(CliTest):
    def test_usage(self):
        cases = [
            (["infa", "x"], "unknown command 'infa'; did you mean 'info'"),
            (["--versoin"], "unknown option '--versoin'"),
            (["info"], "info needs FILE"),
            (["info", "a", "b"], "one argument too many: 'b'"),
            (["compare", "a", "--thread", "2"], "did you mean '--threads'"),
            (["compare", "a", "-z"], "unknown option '-z'"),
            (["compare", "a", "--threads"], "--threads needs a value"),
            (["compare", "a", "--threads", "0"], "'0' is not a whole number"),
            (["compare", "a", "-t", "2x"], "'2x' is not a whole number"),
            (["compare", "a", "--json=1"], "--json takes no value"),
            (["predict", "a", "--method", "stratifed"], "did you mean 'stratified'"),
            (["predict", "a", "--method", "foo"], "unknown NAME 'foo': one of upper_bound, precise"),
            (["predict", "a", "--predictor", "cohen"], "did you mean '--method'"),
            (["multiply", "a", "--method=cohen"], "did you mean '--predictor'"),
            (["predict", "a", "--complement"], "--complement needs --mask FILE"),
            (["predict", "a", "--size", "3"], "the method stratified has no such parameter"),
            (["predict", "a", "--size", "x"], "'x' is not a whole number"),
            (["predict", "a", "--probability", "x"], "'x' is not a number"),
            (["predict", "a", "-m", "cohen", "--size", "2"], "cohen takes 3..4096, not 2"),
            (["predict", "a", "-m", "min_hash", "--size", "0"], "takes 1..1048576, not 0"),
            (["predict", "a", "-m", "min_hash", "--size", "-5"], "not -5"),
            (["predict", "a", "-m", "sampled_cr", "--size", "0"], "takes 1 or more, not 0"),
            (["predict", "a", "-m", "hyperloglog", "--size", "100"],
             "hyperloglog takes a power of two in 16..65536, not 100"),
            (["predict", "a", "-m", "all", "--size", "100"],
             "hyperloglog takes a power of two in 16..65536, not 100"),
            (["predict", "a", "-m", "bhash", "--probability", "1.5"],
             "bhash takes 0.001..1, not 1.5"),
            (["predict", "a", "-m", "bhash", "--probability", "nan"], "not nan"),
            (["predict", "a", "-m", "cohen", "--probability", "0.5"], "the method cohen has no such parameter"),
            (["predict", "a", "--budget", "0"], "stratified takes 1 or more, not 0"),
            (["predict", "a", "--target-error", "2"], "stratified takes 1e-06..1, not 2"),
            (["predict", "a", "-m", "bhash", "--budget", "9"], "the method bhash has no such parameter"),
            (["multiply", "a", "-p", "cohen", "--size", "2"], "cohen takes 3..4096, not 2"),
            (["multiply", "a", "--size", "2"], "the method stratified has no such parameter"),
            (["multiply", "a", "--json", "-o", "-"], "both want standard output"),
            (["help", "infa"], "unknown command 'infa'; did you mean 'info'"),
            (["chain", "a", "b", "c", "--budget", "0"], "'0' is not a whole number in 1.."),
            (["chain", "a", "b", "c", "--budget=-5"], "'-5' is not a whole number in 1.."),
            (["generate", "rmat", "8", "8", "--dofs", "5", "-o", "x"], "rmat takes no --dofs"),
            (["convert", "a"], "convert needs --output FILE"),
            (["spy", "a", "b"], "of a product: give --product"),
            (["spy", "a", "-T"], "of a product: give --product"),
            (["spy", "a", "-o", "b.pdf"], "b.pdf: pictures end in .svg or .png"),
            (["spy", "a", "-o", "-"], "-: pictures end in .svg or .png"),
            (["spy", "a", "--size", "0"], "'0' is not a whole number in 1..2048"),
            (["compare", "a", "--report", "b.htm"], "b.htm: a report ends in .html"),
            (["generate", "stencil", "3", "3", "-o", "x"], "did you mean 'stencil5'"),
            (["generate", "stencil5", "3", "-o", "x"], "needs its sizes"),
            (["generate", "stencil5", "3", "-3", "-o", "x"], "unknown option '-3'"),
            (["generate", "stencil5", "3", "x", "-o", "x"], "'x' is not a size"),
            (["generate", "stencil5", "3", "3"], "needs --output"),
            (["generate", "stencil5", "0", "3", "-o", "x"], "cannot be made"),
            (["generate", "rmat", "31", "1", "-o", "x"], "cannot be made"),
            (["generate", "random", "3", "0", "1", "-o", "x"], "cannot be made"),
            (["generate", "aggregation", "3", "3", "-o", "x"], "needs its sizes"),
            (["generate", "cage", "16", "-o", "x"], "cannot be made: L is in 3..15"),
            (["generate", "conf5", "8", "2", "-o", "x"], "T is in 3.."),
            (["generate", "stencil5", "50000", "50000", "-o", "x"],
             "cannot be made: a matrix has 1..2147483646 rows"),
            (["generate", "m133-b3", "13", "-o", "x"], "m133-b3 has no sizes"),
        ]
        for words, pattern in cases:
            self.refused(2, re.escape(pattern), *words)

    def test_missing_file(self):
        for command in ["info", "predict", "multiply", "compare"]:
            self.refused(3, r"^spgemm: no\.mtx: No such file", command, "no.mtx")
        self.write("A.mtx", SMALL)
        self.refused(3, r"^spgemm: B\.mtx: No such file", "multiply", "A.mtx", "B.mtx")
        self.refused(3, "directory", "info", ".")

    def test_bad_text(self):
        cases = [
            ("", "1: empty"),
            ("1 1 1\n", "1: no Matrix Market banner: the text does not begin with "
             "%%MatrixMarket; read are Matrix Market, also packed or in a tar archive, "
             "and SciPy's .npz\n"),
            (BANNER.replace("real", "complex") + "1 1 1\n1 1 2\n", "3: value is missing"),
            (BANNER.replace("coordinate", "array"), '1: a dense matrix ("array") is not read, only "coordinate"'),
            (BANNER.replace("general", "hermitian"), "1: only a complex matrix is hermitian"),
            (BANNER + "2 2\n", "2: the size line ends"),
            (BANNER + "2 2 9223372036854775808\n", "2: "),
            (BANNER + "2 2 1\n0 1 1\n", "3: row index 0 is not in 1..2"),
            (BANNER + "% c\n2 2 1\n1 3 1\n", "4: column index 3 is not in 1..2"),
            (BANNER + "2 2 1\n1 1 abc\n", '3: "abc" is not a number'),
            (BANNER + "2 2 2\n1 1 1\n", "3: the text ends after 1 of 2 entries"),
            (BANNER + "2 2 1\n1 1 1\n2 2 1\n", "4: more entries"),
        ]
        for text, pattern in cases:
            self.write("bad.mtx", text)
            for command in ["info", "predict", "multiply", "compare"]:
                self.refused(3, f"^spgemm: bad\\.mtx:{re.escape(pattern)}",
                             command, "bad.mtx")
            self.refused(3, "^spgemm: standard input:", "info", "-",
                         stdin=text.encode())

    def test_a_short_file_cannot_ask_for_memory(self):
        self.write("huge.mtx", BANNER + "2000000000 2000000000 0\n")
        self.refused(4, "huge.mtx:2: its header says 2000000000 rows and 0 entries",
                     "info", "huge.mtx")
        self.write("huge.mtx", BANNER + "2 2 9000000000000000000\n1 1 1\n")
        self.refused(4, "huge.mtx:2: its header says 2 rows and 9000000000000000000",
                     "info", "huge.mtx")

    def test_shapes_that_do_not_match(self):
        data = [DATA / "general_3x4.mtx", DATA / "square_4.mtx", DATA / "wide_4x2.mtx"]
        for command in ["predict", "multiply", "compare"]:
            self.refused(3, "3 x 4 matrix cannot be multiplied by itself",
                         command, data[0])
            self.refused(3, r"wide_4x2\.mtx has 2 columns, but .*4\.mtx has 3 rows",
                         command, data[2], data[0])
            self.ok(command, data[0], data[1])


class Truncation(CliTest):
    def cut(self, name, whole, last):
        """Every prefix up to `last` bytes is refused."""
        for length in sorted(set(range(0, last, max(1, last // 60))) | {last - 1}):
            self.write(name, whole[:length])
            self.refused(3, f"^spgemm: {re.escape(name)}:", "info", name)

    def test_plain(self):
        self.cut("A.mtx", SMALL.encode(), len(SMALL) - 2)

    def test_compressed(self):
        text = (BANNER + "400 400 400\n" + "".join(
            f"{i} {i * 7 % 400 + 1} {i * i}.5\n" for i in range(1, 401))).encode()
        for name, packed in [("A.mtx.gz", gzip.compress(text)),
                             ("A.mtx.bz2", bz2.compress(text)),
                             ("A.mtx.xz", lzma.compress(text))]:
            self.write(name, packed)
            self.ok("info", name)
            self.cut(name, packed, len(packed))

    def test_archive(self):
        archive = make_tar({"A/A.mtx": SMALL, "A/A_b.mtx": SMALL * 50})
        self.write("A.tar.gz", archive)
        self.ok("info", "A.tar.gz")
        self.cut("A.tar.gz", archive, len(archive))

    def test_damage_ends_in_an_error_or_a_matrix(self):
        packed = lzma.compress(SMALL.encode())
        for place in range(len(packed)):
            damaged = bytearray(packed)
            damaged[place] ^= 0x55
            self.write("A.mtx.xz", bytes(damaged))
            self.assertIn(self.run_tool("info", "A.mtx.xz").returncode, (0, 3))


def make_tar(members, mode="w:gz", kinds=None):
    """A tar archive of {name: text}."""
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode=mode) as archive:
        for name, text in members.items():
            info = tarfile.TarInfo(name)
            info.type = (kinds or {}).get(name, tarfile.REGTYPE)
            info.linkname = "/etc/passwd"
            content = text.encode() if info.type == tarfile.REGTYPE else b""
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return stream.getvalue()


class Formats(CliTest):
    def nnz(self, *words, **options):
        return strict_json(self.ok("info", "--json", *words, **options))["nnz"]

    def packings(self):
        text = SMALL.encode()
        yield "plain", text
        yield "gzip", gzip.compress(text)
        yield "two gzip members", gzip.compress(text[:50]) + gzip.compress(text[50:])
        yield "xz", lzma.compress(text)
        yield "bzip2", bz2.compress(text)
        yield "tar", make_tar({"A/A.mtx": SMALL}, "w")
        yield "tar.gz", make_tar({"A/A.mtx": SMALL})
        yield "tar.xz", make_tar({"A/A.mtx": SMALL}, "w:xz")
        if shutil.which("zstd"):
            yield "zstd", subprocess.run(["zstd", "-c"], input=text,
                                         capture_output=True).stdout

    def test_content_tells_the_format(self):
        for name, content in self.packings():
            with self.subTest(name):
                self.assertEqual(self.nnz(self.write("any.name", content)), 4)
                self.assertEqual(self.nnz("-", stdin=content), 4)

    def test_the_member_of_its_folder_s_name_is_read(self):
        other = BANNER + "1 1 1\n1 1 1\n"
        archive = make_tar({"A/A_b.mtx": other, "x/readme": "", "A/A.mtx": SMALL,
                            "A/A_x.mtx": other})
        self.write("A.tar.gz", archive)
        self.assertEqual(self.nnz("A.tar.gz"), 4)
        self.assertEqual(self.nnz("-", stdin=archive), 4)

    def test_another_member_is_read_if_there_is_none_of_that_name(self):
        archive = make_tar({"x/readme": "", "B/A.mtx": SMALL, "c.mtx": "x"})
        self.write("A.tar.gz", archive)
        self.assertEqual(self.nnz("A.tar.gz"), 4)
        with open(self.folder / "A.tar.gz", "rb") as stream:
            done = subprocess.run([SPGEMM, "info", "--json", "-"], stdin=stream,
                                  capture_output=True)
        self.assertEqual(strict_json(done.stdout)["nnz"], 4)
        self.refused(3, "cannot be read twice", "info", "-", stdin=archive)

    def test_links_and_folders_are_no_members(self):
        archive = make_tar({"A/A.mtx": "", "B/B.mtx": "", "C/A.mtx": SMALL},
                           kinds={"A/A.mtx": tarfile.SYMTYPE, "B/B.mtx": tarfile.DIRTYPE})
        self.write("A.tar.gz", archive)
        self.assertEqual(self.nnz("A.tar.gz"), 4)
        self.write("A.tar.gz", make_tar({"A/readme": "x"}))
        self.refused(3, "no member that ends in .mtx", "info", "A.tar.gz")

    def test_known_answers(self):
        with open(DATA / "INDEX.tsv", newline="") as stream:
            rows = list(csv.DictReader(stream, delimiter="\t"))
        self.assertEqual({row["file"] for row in rows},
                         {path.name for path in DATA.glob("*.mtx")})
        for row in rows:
            with self.subTest(row["file"]):
                info = strict_json(self.ok("info", "--json", DATA / row["file"]))
                for key in ("rows", "cols", "nnz"):
                    self.assertEqual(info[key], int(row[key]), key)
                for key in ("field", "symmetry"):
                    self.assertEqual(info[key], row[key])
                if row["products"] == "-":
                    self.assertNotIn("products", info)
                    continue
                self.assertEqual(info["products"], int(row["products"]))
                report = strict_json(self.ok("multiply", "--json", DATA / row["file"]))
                self.assertEqual(report["nnz_c"], int(row["nnz_c"]))

    def test_a_banner_behind_many_blank_lines(self):
        head = "\n" * 300 + " \r\n" + BANNER.replace("real", "pattern")
        self.write("A.mtx", head + "2 2 1\n1 1\n")
        found = strict_json(self.ok("info", "--json", "A.mtx"))
        self.assertEqual((found["field"], found["symmetry"]), ("pattern", "general"))
        self.assertIn(" pattern ", self.ok("convert", "A.mtx", "-o", "-"))

    def test_a_byte_order_mark(self):
        """As editors of Windows write it, before a text or a blank line."""
        for text in (SMALL, "\n" + SMALL):
            self.write("A.mtx", "\ufeff" + text)
            found = strict_json(self.ok("info", "A.mtx", "--json"))
            self.assertEqual((found["nnz"], found["field"]), (4, "real"))

    def test_info_in_words(self):
        text = self.ok("info", DATA / "symmetric_4.mtx")
        for words in ("4 x 4", "8 (real, symmetric)", "16 in its square", "memory       136 B\n",
                      " B of text in ", "MB/s"):
            self.assertIn(words, text)

    def test_a_locale_with_decimal_commas_changes_nothing(self):
        self.write("A.mtx", SMALL)
        want = self.ok("multiply", "A.mtx", "-o", "-")
        for locale in ("de_DE.UTF-8", "fr_FR.UTF-8"):
            env = {**os.environ, "LC_ALL": locale}
            self.assertEqual(self.ok("multiply", "A.mtx", "-o", "-", env=env), want)


class Products(CliTest):
    def setUp(self):
        super().setUp()
        self.ok("generate", "rmat", 7, 8, "-o", "A.mtx")
        self.ok("generate", "erdos-renyi", 128, 5, "--seed", 3, "-o", "B.mtx")

    def text(self, name):
        return (self.folder / name).read_text()

    def test_multiply_agrees_with_another_multiplication(self):
        for words in (["A.mtx"], ["A.mtx", "B.mtx"], ["B.mtx", "A.mtx", "--unsorted"],
                      ["A.mtx", "--predictor", "sampled_cr", "--seed", "5"]):
            self.ok("multiply", *words, "-o", "C.mtx")
            names = [word for word in words if word.endswith(".mtx")]
            want = multiply(read_matrix(self.text(names[0])),
                            read_matrix(self.text(names[-1])))
            self.assertEqual(read_matrix(self.text("C.mtx")), want)

    def test_text_is_written_by_as_many_threads_as_asked_for(self):
        # Beside other processes, threads of a region and of the pool that took
        # its place are both there.
        self.ok("generate", "banded", "30000", "4", "-o", "D.npz")
        os.mkfifo(self.folder / "pipe.mtx")
        for asked in (1, 2):
            tool = subprocess.Popen([SPGEMM, "convert", "D.npz", "-o", "pipe.mtx",
                                     "--threads", str(asked)], cwd=self.folder,
                                    env={**os.environ, "OMP_NUM_THREADS": "8"})
            with open(self.folder / "pipe.mtx", "rb") as pipe:
                pipe.read(200)  # more than it holds is to come
                status = Path(f"/proc/{tool.pid}/status").read_text()
                self.assertLessEqual(int(re.search(r"Threads:\s*(\d+)", status)[1]),
                                     2 * asked - 1)
                pipe.read()
            self.assertEqual(tool.wait(), 0)

    def test_a_matrix_times_its_transpose(self):
        rectangular = str(DATA / "general_3x4.mtx")
        for words in (["A.mtx", "B.mtx"], ["A.mtx"], [rectangular],
                      [rectangular, "--memory-limit", "1M"]):
            self.ok("multiply", *words, "--transpose-b", "-o", "C.mtx")
            names = [word for word in words if word.endswith(".mtx")]
            A, B = (read_matrix((self.folder / name).read_text())
                    for name in (names[0], names[-1]))
            want = multiply(A, {(j, i): x for (i, j), x in B.items()})
            self.assertEqual(read_matrix(self.text("C.mtx")), want)
        self.ok("compare", rectangular, "--transpose-b")
        report = strict_json(self.ok("predict", rectangular, "--transpose-b", "--method",
                                     "all", "--exact", "--json"))
        self.assertEqual((report["rows"], report["cols"], report["nnz_exact"]), (3, 3, 5))
        self.assertEqual(len(report["methods"]), 12)

    def test_multiply_reports(self):
        done = self.expect(0, "multiply", "A.mtx")
        self.assertEqual(done.stdout, b"")
        self.assertIn(b"products", done.stderr)
        report = strict_json(self.ok("multiply", "A.mtx", "--json", "--threads", "1"))
        self.assertEqual(report["schema"], 1)
        self.assertEqual(report["threads"], 1)
        self.assertEqual(report["input_bytes"], 8 * 129 + 12 * report["nnz_a"])
        self.assertGreaterEqual(report["upper_bound_bytes"], report["c_bytes"])
        for key in ("peak_bytes", "c_bytes", "upper_bound_bytes", "nnz_c"):
            self.assertGreater(report[key], 0)

    def test_multiply_in_words(self):
        words = self.expect(0, "multiply", "A.mtx", "-t1", "-p", "stratified").stderr.decode()
        self.assertRegex(words, r"\npredicted  [0-9,]+ entries, found ")
        self.assertRegex(words, r" GFLOPS with 1 thread \(")
        self.assertRegex(self.ok("compare", "A.mtx", "-t1", "-r1"), r"; 1 thread, ")
        words = self.expect(0, "multiply", "A.mtx", "-t2").stderr.decode()
        self.assertRegex(words, r"\nroom       for [0-9,]+ entries \(upper bound\), found [0-9,]+\n")

    def test_a_memory_limit_refuses_or_is_kept(self):
        self.ok("generate", "erdos-renyi", 20000, 10, "-o", "D.mtx")
        free = strict_json(self.ok("multiply", "D.mtx", "--json"))
        self.refused(4, r"C does not fit 5.00 MB: [0-9,]+ entries are predicted, "
                     r"2[0-9]\.[0-9] MB, give or take [0-9.]+ [kM]B$", "multiply", "D.mtx", "--memory-limit", "5M")
        self.refused(4, f"C does not fit 20.0 MB: C has {free['nnz_c']:,} entries and takes "
                     f"{1e-6 * free['c_bytes']:.1f} MB, and more while it is computed$",
                     "multiply", "D.mtx", "--memory-limit", "20M")
        self.refused(4, r"C does not fit 5.00 MB: [0-9,]+ entries are predicted, [0-9.]+ MB$",
                     "multiply", "D.mtx", "--memory-limit", "5M", "-p", "row_independent")
        self.refused(4, "200 kB are not enough even for one row of C",
                     "multiply", "D.mtx", "--memory-limit", "200K", "-o", "C.mtx")
        self.assertFalse((self.folder / "C.mtx").exists())
        for limit in ("1G", "60000K", str(2 * free["peak_bytes"])):
            kept = strict_json(self.ok("multiply", "D.mtx", "--memory-limit", limit,
                                       "--json"))
            self.assertEqual(kept["nnz_c"], free["nnz_c"])
        for wrong in ("0", "-1", "2T", "G", "1.5G", "99999999999G"):
            self.refused(2, "--memory-limit: '.*' is not a number of bytes",
                         "multiply", "D.mtx", "--memory-limit=" + wrong)

    def test_with_a_memory_limit_a_file_is_written_bit_by_bit(self):
        self.ok("generate", "erdos-renyi", 10000, 10, "--values", "reals", "-o", "D.mtx")
        free = strict_json(self.ok("multiply", "D.mtx", "--json", "-o", "C.mtx"))
        for limit in ("1500K", "3M", "15M", "1G"):
            for threads in (1, 3):
                kept = strict_json(self.ok("multiply", "D.mtx", "-o", "S.mtx", "--json",
                                           "--memory-limit", limit, "--threads", threads))
                self.assertEqual(kept["nnz_c"], free["nnz_c"])
                size = int(limit[:-1]) * {"K": 10**3, "M": 10**6, "G": 10**9}[limit[-1]]
                self.assertLessEqual(kept["peak_bytes"], size)
                want = self.text("C.mtx").split("\n")
                got = self.text("S.mtx").split("\n")
                self.assertEqual(got[1].split(), want[1].split())
                self.assertEqual(got[2:], want[2:])
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["A.mtx", "B.mtx", "C.mtx", "D.mtx", "S.mtx"])
        # Into a pipe nothing can be put at its place later: C must fit.
        self.assertEqual(read_matrix(self.ok("multiply", "A.mtx", "--memory-limit", "1G",
                                             "-o", "-")),
                         multiply(*[read_matrix(self.text("A.mtx"))] * 2))

    def test_a_streamed_file_that_cannot_be_written(self):
        self.refused(5, "No such file", "multiply", "A.mtx", "--memory-limit", "1G",
                     "-o", "no/C.mtx")
        self.ok("generate", "erdos-renyi", 20000, 10, "-o", "D.mtx")
        self.write("C.mtx", "as it was")
        import resource
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        self.refused(5, "C.mtx: File too large", "multiply", "D.mtx", "-o", "C.mtx",
                     "--memory-limit", "10M", preexec_fn=limit)
        self.assertEqual(self.text("C.mtx"), "as it was")
        self.assertEqual(sorted(os.listdir(self.folder)),
                         ["A.mtx", "B.mtx", "C.mtx", "D.mtx"])

    def test_compare(self):
        found = strict_json(self.ok("compare", "A.mtx", "B.mtx", "--json",
                                    "--threads", "2", "--repeat", "2"))
        self.assertLessEqual(COMPARE_KEYS, set(found))
        self.assertIs(found["identical"], True)
        self.assertEqual([v["name"] for v in found["variants"]],
                         ["predicted", "precise", "upper_bound"])
        for variant in found["variants"]:
            self.assertEqual(set(variant), VARIANT_KEYS)
            self.assertEqual(variant["checksum"], found["variants"][0]["checksum"])
            self.assertEqual(len(variant["seconds"]), 2)
            self.assertEqual([min(variant["seconds"]), max(variant["seconds"])],
                             [variant["seconds_min"], variant["seconds_max"]])
            self.assertLessEqual(variant["seconds_min"], variant["seconds_median"])
            self.assertLessEqual(variant["seconds_median"], variant["seconds_max"])
            self.assertAlmostEqual(
                variant["gflops"],
                2e-9 * found["products"] / variant["seconds_median"])
        self.assertEqual(found["variants"][1]["nnz_predicted"], found["nnz_c"])
        self.assertEqual(found["variants"][0]["times_median"], 1)
        text = self.ok("compare", "A.mtx", "-r3")
        self.assertRegex(text, r"\nvariant .* allocated +peak\n")
        self.assertIn("the same, bit for bit", text)
        self.assertRegex(text, r"predicted is \d+\.\d\d times as fast as precise "
                               r"\(\d+\.\d\d to \d+\.\d\d\),\nand \d+\.\d\d times as fast as "
                               r"upper_bound")

    def test_what_people_read_fits_80_columns(self):
        self.ok("generate", "erdos-renyi", 5000, 40, "-o", "D.mtx")
        for words in (["compare", "D.mtx", "-r2"], ["predict", "D.mtx", "--memory-limit", "1M"],
                      ["predict", "D.mtx", "--exact", "--method", "all"],
                      ["info", "D.mtx"], ["spy", "D.mtx"], ["--help"]):
            text = self.run_tool(*words).stdout.decode()
            self.assertGreater(len(text), 99)
            self.assertNotRegex(text, r".{81}")
            self.assertNotRegex(text, r"[0-9a-f]{30}")
        self.assertNotRegex(self.expect(0, "multiply", "D.mtx").stderr.decode(), r"[0-9a-f]{30}")

    def test_predict(self):
        found = strict_json(self.ok("predict", "A.mtx", "--json"))
        self.assertEqual([m["name"] for m in found["methods"]], ["stratified"])
        self.assertEqual(set(found["methods"][0]), METHOD_KEYS)
        self.assertNotIn("nnz_exact", found)
        found = strict_json(self.ok("predict", "A.mtx", "--method", "all",
                                    "--exact", "--seed", "9", "--json"))
        self.assertEqual([m["name"] for m in found["methods"]], METHODS)
        for method in found["methods"]:
            self.assertEqual(set(method), METHOD_KEYS | {"relative_error_percent"})
            error = 100 * (method["nnz"] / found["nnz_exact"] - 1)
            self.assertAlmostEqual(method["relative_error_percent"], error)
        report = strict_json(self.ok("multiply", "A.mtx", "--json"))
        self.assertEqual(found["nnz_exact"], report["nnz_c"])
        self.assertEqual(found["products"], report["products"])
        self.assertIn("stratified", self.ok("predict", "A.mtx", "--method=all"))

    def predict(self, *words):
        """The methods found, by name."""
        found = strict_json(self.ok("predict", "A.mtx", "--json", "--exact", *words))
        return found, {m["name"]: m for m in found["methods"]}

    def test_predict_with_parameters(self):
        exact, _ = self.predict()
        for name in ("min_hash", "kmv_sampled"):
            found, methods = self.predict("--method", name, "--size", "1000000")
            self.assertEqual(methods[name]["nnz"], exact["nnz_exact"])
            self.assertEqual(methods[name]["standard_error"], 0)
        _, methods = self.predict("--method", "bhash", "--probability", "1",
                                  "--size", "1000000")
        self.assertEqual(methods["bhash"]["nnz"], exact["nnz_exact"])
        _, methods = self.predict("--method", "sampled_cr", "--size", "64")
        self.assertEqual(methods["sampled_cr"]["rows_sampled"], 64)
        _, methods = self.predict("--budget", "1000", "--target-error", "0.5")
        self.assertEqual(list(methods), ["stratified"])

    def test_parameters_go_to_the_methods_that_have_them(self):
        _, plain = self.predict("--method", "all")
        _, given = self.predict("--method", "all", "--size", "128",
                                "--probability", "0.5")
        self.assertEqual(list(given), METHODS)
        changed = {name for name in METHODS
                   if plain[name]["nnz"] != given[name]["nnz"]}
        self.assertLessEqual(changed, set(METHODS) - {
            "upper_bound", "precise", "stratified", "row_independent"})
        self.assertLessEqual({"min_hash", "cohen", "hyperloglog", "sampled_cr"}, changed)

    def test_multiply_with_any_predictor(self):
        want = self.ok("multiply", "A.mtx", "-o", "-")
        for name in METHODS:
            self.assertEqual(
                self.ok("multiply", "A.mtx", "-o", "-", "--predictor", name), want)
        self.assertEqual(self.ok("multiply", "A.mtx", "-o", "-", "--predictor", "cohen",
                                 "--size", "3"), want)

    def test_empty_products_have_valid_json(self):
        for name in ("no_entries.mtx", "no_rows.mtx"):
            strict_json(self.ok("compare", DATA / name, "--json"))
            strict_json(self.ok("predict", DATA / name, "--json", "--exact",
                                "--method", "all"))
            strict_json(self.ok("multiply", DATA / name, "--json"))

    def test_columns_of_two_types(self):
        self.write("wide.mtx", BANNER + "128 5000000000 2\n1 5000000000 1\n9 1 2\n")
        report = strict_json(self.ok("multiply", "A.mtx", "wide.mtx", "--json"))
        self.assertEqual(report["cols"], 5000000000)


class Generate(CliTest):
    def test_sizes_and_seed_decide(self):
        sizes = {"stencil5": (["4", "3"], 12, 46), "banded": (["6", "1"], 6, 16),
                 "stencil27": (["2", "2", "2", "--dofs", "2"], 16, 256),
                 "erdos-renyi": (["50", "4"], 50, None), "powerlaw": (["200"], 200, None),
                 "rmat": (["5", "4"], 32, None), "random": (["9", "70", "5"], 9, None),
                 "aggregation": (["4", "3", "1"], 12, 18),
                 "matching-complex": (["7", "2"], 70, 140),
                 "mc2depi": (["4", "3"], 12, 35), "conf5": (["3", "3"], 972, 37908),
                 "majorbasis": (["3", "3"], 36, 268), "delaunay": (["40"], 40, None),
                 "fem-brick": (["1", "1", "1", "--dofs", "2"], 16, 256),
                 "fem-shell": (["3", "2"], 36, 1296), "contact": (["30", "5"], 90, None),
                 "arrow": (["3", "4"], 12, 30), "groups": (["40", "4", "3"], 40, None),
                 "repeated": (["9", "70", "5", "3"], 9, None),
                 "giants": (["30", "2", "9", "3"], 30, None),
                 "halves": (["20", "90", "7", "3"], 20, None),
                 "documents": (["20", "90", "7"], 20, None)}
        for kind, (words, nrows, nnz) in sizes.items():
            once = self.ok("generate", kind, *words, "-o", "-")
            self.assertEqual(once, self.ok("generate", kind, *words, "--output=-"))
            self.assertEqual(len(once.splitlines()),
                             2 + int(once.splitlines()[1].split()[2]))
            self.assertEqual(int(once.splitlines()[1].split()[0]), nrows)
            if nnz:
                self.assertEqual(int(once.splitlines()[1].split()[2]), nnz)
            other = self.ok("generate", kind, *words, "--seed", "1", "-o", "-")
            self.assertNotEqual(once, other)
            for value in read_matrix(once).values():
                self.assertIn(value, range(1, 10))

    def test_a_cage_has_values_of_its_own(self):
        """Each column is the probabilities of where a state goes, in three digits."""
        entries = read_matrix(self.ok("generate", "cage", "6", "-o", "-"))
        self.assertEqual(len(entries), 785)
        sums = {}
        for (i, j), value in entries.items():
            self.assertEqual(value, float(f"{value:.3g}"))
            sums[j] = sums.get(j, 0) + value
        self.assertEqual(len(sums), 93)
        for total in sums.values():
            self.assertAlmostEqual(total, 1, delta=0.005)

    def test_a_matrix_of_the_paper_needs_no_sizes(self):
        for kind, rows, nnz, products in (("m133-b3", 200200, 800800, 3203200),
                                          ("mc2depi", 525825, 2100225, 8391680)):
            self.ok("generate", kind, "-o", "A.mtx")
            info = strict_json(self.ok("info", "--json", "A.mtx"))
            self.assertEqual((info["rows"], info["nnz"], info["products"]),
                             (rows, nnz, products))

    def test_a_transposed_matrix_has_rows_for_columns(self):
        words = ["generate", "aggregation", "5", "4", "3"]
        once = self.ok(*words, "-o", "-")
        other = self.ok(*words, "--transpose", "-o", "-")
        self.assertEqual(once.splitlines()[1].split()[:2], ["60", "4"])
        self.assertEqual(other.splitlines()[1].split()[:2], ["4", "60"])
        self.assertEqual(read_matrix(other),
                         {(j, i): x for (i, j), x in read_matrix(once).items()})

    def test_a_multigrid_product(self):
        """R*(A*P), as the suites of the benchmark have it."""
        grid = ["4", "4", "3"]
        self.ok("generate", "stencil27", *grid, "--dofs", "1", "-o", "A.mtx")
        self.ok("generate", "aggregation", *grid, "-o", "P.mtx")
        self.ok("generate", "aggregation", *grid, "--transpose", "-o", "R.mtx")
        self.ok("multiply", "A.mtx", "P.mtx", "-o", "AP.mtx")
        a, p, r = (read_matrix((self.folder / f"{name}.mtx").read_text())
                   for name in "APR")
        product = self.ok("multiply", "R.mtx", "AP.mtx", "-o", "-")
        self.assertEqual(read_matrix(product), multiply(r, multiply(a, p)))

    def test_reals(self):
        text = self.ok("generate", "banded", "5", "5", "--values", "reals", "-o", "-")
        values = read_matrix(text).values()
        self.assertEqual(len(values), 25)
        self.assertTrue(all(1 <= value < 2 for value in values))


class Output(CliTest):
    def setUp(self):
        super().setUp()
        self.write("A.mtx", SMALL)

    def test_standard_output_is_the_file(self):
        self.ok("multiply", "A.mtx", "-o", "C.mtx")
        self.assertEqual(self.ok("multiply", "A.mtx", "-o", "-"),
                         (self.folder / "C.mtx").read_text())
        self.assertEqual(sorted(os.listdir(self.folder)), ["A.mtx", "C.mtx"])

    def test_a_full_disk_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        self.refused(5, "/dev/full: No space", "multiply", "A.mtx", "-o", "/dev/full")
        self.refused(5, "/dev/full: No space", "generate", "banded", "9", "1", "-o", "/dev/full")
        for words in (["info", "A.mtx"], ["compare", "A.mtx", "--json"], ["--man"],
                      ["multiply", "A.mtx", "-o", "-"], ["--help"],
                      ["predict", "A.mtx", "--memory-limit", "1"]):
            with open("/dev/full", "wb") as full:
                done = subprocess.run([SPGEMM, *words], cwd=self.folder, stdout=full,
                                      stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 5, words)
            self.assertIn(b"No space left", done.stderr)

    def test_a_failed_write_leaves_nothing(self):
        self.refused(5, "No such file", "multiply", "A.mtx", "-o", "no/C.mtx")
        self.ok("generate", "banded", "20000", "5", "-o", "B.mtx")
        self.write("C.mtx", "as it was")
        import resource
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        self.refused(5, "C.mtx: File too large", "multiply", "B.mtx", "-o", "C.mtx",
                     preexec_fn=limit)
        self.assertEqual((self.folder / "C.mtx").read_text(), "as it was")
        self.assertEqual(sorted(os.listdir(self.folder)), ["A.mtx", "B.mtx", "C.mtx"])

    def interrupt(self, number, *words):
        """Send a signal once the command waits for it; (status, stderr)."""
        tool = subprocess.Popen([SPGEMM, *map(str, words)], cwd=self.folder,
                                stderr=subprocess.PIPE)
        caught = Path(f"/proc/{tool.pid}/status")
        if not caught.exists():
            self.skipTest("no /proc")
        while tool.poll() is None:
            mask = re.search(r"SigCgt:\s*(\w+)", caught.read_text())
            if mask and int(mask.group(1), 16) >> (number - 1) & 1:
                break
            time.sleep(0.002)
        time.sleep(0.1)
        tool.send_signal(number)
        _, err = tool.communicate(timeout=100)
        return tool.returncode, err.decode()

    def test_a_product_is_cancelled_by_a_signal(self):
        self.ok("generate", "erdos-renyi", 6000, 300, "-o", "B.mtx")
        streamed = ["-o", "C.mtx", "--memory-limit", "60M"]
        for number in (signal.SIGINT, signal.SIGTERM):
            for words in (streamed, ["--predictor", "precise", "-o", "C.mtx"]):
                status, err = self.interrupt(number, "multiply", "B.mtx", *words)
                if status == 0 and words is not streamed:
                    (self.folder / "C.mtx").unlink()
                    continue  # it was done before the signal came
                if words is not streamed and status == -number:
                    continue  # it came while C was written
                self.assertEqual(status, 128 + number, err)
                self.assertEqual(err, "spgemm: multiply: cancelled\n")
                self.assertEqual(sorted(os.listdir(self.folder)), ["A.mtx", "B.mtx"])

    def test_a_closed_pipe_ends_with_an_error(self):
        self.ok("generate", "banded", "20000", "5", "-o", "B.mtx")
        reader, writer = os.pipe()
        os.close(reader)
        done = subprocess.run([SPGEMM, "multiply", "B.mtx", "-o", "-"], cwd=self.folder,
                              stdout=writer, stderr=subprocess.PIPE)
        os.close(writer)
        self.assertNotEqual(done.returncode, 0)

    def test_a_pipe_is_written_in_place(self):
        os.mkfifo(self.folder / "pipe")
        tool = subprocess.Popen([SPGEMM, "multiply", "A.mtx", "-o", "pipe"],
                                cwd=self.folder, stderr=subprocess.DEVNULL)
        text = (self.folder / "pipe").read_text()
        self.assertEqual(tool.wait(), 0)
        self.assertEqual(text, self.ok("multiply", "A.mtx", "-o", "-"))


class Progress(CliTest):
    def slow_input(self, stderr, wait=lambda: time.sleep(1.6), words=()):
        """Read a matrix that takes more than a second to come."""
        tool = subprocess.Popen([SPGEMM, "info", "-", *words], stdin=subprocess.PIPE,
                                stdout=subprocess.PIPE, stderr=stderr)
        tool.stdin.write(SMALL[:60].encode())
        tool.stdin.flush()
        wait()
        out, err = tool.communicate(SMALL[60:].encode(), timeout=60)
        self.assertEqual(tool.returncode, 0)
        self.assertIn(b"3 x 3", out)
        return err

    def test_none_when_piped(self):
        self.assertEqual(self.slow_input(subprocess.PIPE), b"")

    def test_a_line_on_a_terminal(self):
        ours, theirs = pty.openpty()
        shown = b""

        def read_on():
            nonlocal shown
            until = time.monotonic() + 60
            while b"reading: 1 s" not in shown and time.monotonic() < until:
                if select.select([ours], [], [], 1)[0]:
                    shown += os.read(ours, 10000)

        self.slow_input(theirs, read_on)
        os.close(theirs)
        shown += os.read(ours, 10000)
        os.close(ours)
        self.assertIn(b"reading: 1 s", shown)
        self.assertTrue(shown.endswith(b"\r\x1b[K"), shown)

    def test_the_share_of_a_product_on_a_terminal(self):
        done = subprocess.run([SPGEMM, "generate", "erdos-renyi", "4000", "600",
                               "-o", "B.mtx"], cwd=self.folder)
        self.assertEqual(done.returncode, 0)
        ours, theirs = pty.openpty()
        shown = b""
        tool = subprocess.Popen([SPGEMM, "multiply", "B.mtx", "-o", "C.mtx",
                                 "--memory-limit", "60M", "--threads", "1"],
                                cwd=self.folder, stderr=theirs)
        os.close(theirs)
        until = time.monotonic() + 60
        pattern = rb"multiplying: \d+ s, \d+ %, \d+ s left"
        while not re.search(pattern, shown) and time.monotonic() < until:
            if tool.poll() is not None:
                self.skipTest("it took less than a second")
            if select.select([ours], [], [], 1)[0]:
                try:
                    shown += os.read(ours, 10000)
                except OSError:
                    tool.wait()  # nobody has the other end any more
        tool.send_signal(signal.SIGINT)
        self.assertEqual(tool.wait(), 130)
        os.close(ours)
        self.assertRegex(shown, pattern)

    def test_none_where_it_is_not_wanted(self):
        ours, theirs = pty.openpty()
        self.slow_input(theirs, words=["--no-progress"])
        os.set_blocking(ours, False)
        with self.assertRaises(BlockingIOError):
            os.read(ours, 100)
        os.close(ours)
        os.close(theirs)

    def test_nothing_on_a_terminal_when_it_is_quick(self):
        self.write("A.mtx", SMALL)
        ours, theirs = pty.openpty()
        subprocess.run([SPGEMM, "info", "A.mtx"], cwd=self.folder, stderr=theirs,
                       stdout=subprocess.DEVNULL, check=True)
        os.set_blocking(ours, False)
        with self.assertRaises(BlockingIOError):
            os.read(ours, 100)
        os.close(ours)
        os.close(theirs)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
