#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of SciPy's .npz files in the command spgemm.

    SPGEMM=build/release/spgemm STREAM_RESULT=build/release/tests/cli/stream_result \\
        tests/cli/test_npz.py [GROUP]

Files are made and looked into by the standard library alone, so that they can
be wrong in any way; the group SciPy is skipped where no Python here has SciPy.
"""
import io
import os
import random
import resource
import signal
import struct
import subprocess
import sys
import time
import unittest
import zipfile
from pathlib import Path

from test_cli import BANNER, SMALL, SPGEMM, CliTest, strict_json

STREAM_RESULT = os.path.abspath(os.environ.get(
    "STREAM_RESULT", "build/release/tests/cli/stream_result"))

# dtype: letter of struct, numbers of an element, word of a Matrix Market banner.
DTYPES = {"<f8": ("d", 1, "real"), "<f4": ("f", 1, "real"),
          "<c16": ("d", 2, "complex"), "<c8": ("f", 2, "complex"),
          "<i8": ("q", 1, "integer"), "<i4": ("i", 1, "integer"),
          "|b1": ("B", 1, "pattern")}
NARROW = {"|i1": ("b", "<i4"), "<i2": ("h", "<i4"), "|u1": ("B", "<i4"),
          "<u2": ("H", "<i4"), "<u4": ("I", "<i8")}


def npy(dtype, shape, content, version=1, order="False", header=None):
    """A .npy: `content` are bytes."""
    shape = shape if isinstance(shape, str) else repr(tuple(shape))
    text = header or (f"{{'descr': {dtype if dtype[0] == '[' else repr(dtype)}, "
                      f"'fortran_order': {order}, 'shape': {shape}, }}")
    head = b"\x93NUMPY" + bytes([version, 0])
    size = 2 if version == 1 else 4
    text = text.encode() + b" " * (-(len(head) + size + len(text) + 1) % 64) + b"\n"
    return head + len(text).to_bytes(size, "little") + text + content


def array(dtype, numbers):
    """A .npy of one dimension."""
    letter, parts, _ = DTYPES.get(dtype) or (NARROW[dtype][0], 1, "")
    return npy(dtype, (len(numbers) // parts,),
               struct.pack(f"<{len(numbers)}{letter}", *numbers))


def name_of(word):
    return npy(f"|S{len(word)}", (), word.encode())


def pack(members, compression=zipfile.ZIP_DEFLATED):
    """A ZIP archive of {name: bytes}, as NumPy makes it."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, content in members.items():
            with archive.open(name, "w", force_zip64=True) as member:
                member.write(content)
    return stream.getvalue()


# 1 . 2 . / . . . . / -3 4 5 6
ROWPTR, COLUMNS, VALUES = [0, 2, 2, 6], [0, 2, 0, 1, 2, 3], [1, 2, -3, 4, 5, 6]


def small(index="<i4", dtype="<f8", **changes):
    """Members of a 3 x 4 matrix in rows."""
    letter, parts, _ = DTYPES.get(dtype) or (NARROW[dtype][0], 1, "")
    values = [abs(x) for x in VALUES] if letter in "BHI" else VALUES
    numbers = [x + part for x in values for part in range(parts)]
    members = {"indices.npy": array(index, COLUMNS), "indptr.npy": array(index, ROWPTR),
               "format.npy": name_of("csr"), "shape.npy": array("<i8", [3, 4]),
               "data.npy": array(dtype, numbers)}
    for name, content in changes.items():
        members[name + ".npy"] = content
    return {name: content for name, content in members.items() if content is not None}


def square(dtype, columns, values, rowptr, n):
    return pack({"format.npy": name_of("csr"), "shape.npy": array("<i8", [n, n]),
                 "indptr.npy": array("<i4", rowptr), "indices.npy": array("<i4", columns),
                 "data.npy": array(dtype, values)}, zipfile.ZIP_STORED)


def unpack(path):
    """{name: (dtype, numbers)} of a .npz file of this program's, and its order."""
    found = {}
    with zipfile.ZipFile(path) as archive:
        assert archive.testzip() is None
        for info in archive.infolist():
            content = archive.read(info)
            assert content[:8] == b"\x93NUMPY\x01\x00" and len(content) >= 128
            header = eval(content[10:128])  # pylint: disable=eval-used
            assert header["fortran_order"] is False
            dtype = header["descr"]
            if dtype[1] == "S":
                found[info.filename] = dtype, content[128:]
                continue
            letter, parts, _ = DTYPES[dtype]
            count, = header["shape"]
            found[info.filename] = dtype, list(
                struct.unpack(f"<{count * parts}{letter}", content[128:]))
    return found


class NpzTest(CliTest):
    def info(self, content, name="A.npz"):
        self.write(name, content)
        return strict_json(self.ok("info", "--json", name))

    def mtx(self, content, name="A.npz"):
        """The matrix as the streaming writer of Matrix Market has it."""
        self.write(name, content)
        done = subprocess.run([STREAM_RESULT, name, "out.mtx", "2"], cwd=self.folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        lines = (self.folder / "out.mtx").read_text().splitlines()
        return lines[0].split()[3], [line.split() for line in lines[1:]]

    def peak_kb(self, *words, status=0):
        """Memory that a command took at most; asked of a small process, because
        a new one begins with its parent's."""
        program = ("import resource, subprocess, sys; "
                   "done = subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL); "
                   "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); "
                   "sys.exit(done.returncode)")
        done = subprocess.run([sys.executable, "-S", "-c", program, *words],
                              cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, status, done.stderr)
        return int(done.stdout)

    def names(self):
        return sorted(os.listdir(self.folder))


class Reading(NpzTest):
    ENTRIES = [["1", "1", "1"], ["1", "3", "2"], ["3", "1", "-3"], ["3", "2", "4"],
               ["3", "3", "5"], ["3", "4", "6"]]

    def test_rows(self):
        for index in ("<i4", "<i8"):
            for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                content = pack(small(index), compression)
                found = self.info(content)
                self.assertEqual((found["rows"], found["cols"], found["nnz"]), (3, 4, 6))
                self.assertEqual((found["field"], found["symmetry"]), ("real", "general"))
                self.assertIs(found["is_sorted"], True)
                self.assertEqual(found["bytes"], 4 * 8 + 6 * 12)
                self.assertEqual(self.mtx(content),
                                 ("real", [["3", "4", "6"]] + self.ENTRIES))

    def test_content_tells_the_format_and_not_the_name(self):
        content = pack(small())
        self.assertEqual(self.info(content, "any.mtx")["nnz"], 6)
        self.assertIn("3 x 4", self.ok("info", "-", stdin=content))
        with open(self.folder / "any.mtx", "rb") as stream:
            done = subprocess.run([SPGEMM, "info", "-"], stdin=stream, capture_output=True)
        self.assertIn(b"3 x 4", done.stdout)

    def test_columns_and_triplets(self):
        columns = small(format=name_of("csc"), indptr=array("<i8", [0, 2, 3, 5, 6]),
                        indices=array("<i8", [0, 2, 2, 0, 2, 2]),
                        data=array("<f8", [1, -3, 4, 2, 5, 6]))
        self.assertEqual(self.mtx(pack(columns))[1][1:], self.ENTRIES)
        triplets = small(format=name_of("coo"), indptr=None, indices=None,
                         row=array("<i8", [2, 0, 2, 2, 0, 2, 2]),
                         col=array("<i4", [3, 2, 0, 1, 0, 2, 3]),
                         data=array("<f8", [5, 2, -3, 4, 1, 5, 1]))
        self.assertEqual(self.mtx(pack(triplets))[1][1:], self.ENTRIES)

    def test_members_in_any_order_and_others_beside_them(self):
        members = list(small(_is_array=npy("|b1", (), b"\1")).items())
        members.append(("deep/data.npy", b"no array"))
        for seed in range(10):
            random.Random(seed).shuffle(members)
            self.assertEqual(self.info(pack(dict(members)))["nnz"], 6)

    def test_headers_of_each_version(self):
        for version in (1, 2, 3):
            data = npy("<f8", (6,), struct.pack("<6d", *VALUES), version)
            self.assertEqual(self.mtx(pack(small(data=data)))[1][1:], self.ENTRIES)
        shapes = ("(6L,)", "( 6 , )")
        headers = [f"{{'descr': '<f8', 'fortran_order': False, 'shape': {s}}}" for s in shapes]
        headers.append('{"shape":(6,),"fortran_order":True,"descr":"<f8"}')
        for header in headers:
            data = npy("", (), struct.pack("<6d", *VALUES), header=header)
            self.assertEqual(self.info(pack(small(data=data)))["nnz"], 6)
        for word in ("<U3", "|S3"):
            name = "csr".encode("utf-32-le" if word == "<U3" else "ascii")
            self.assertEqual(self.info(pack(small(format=npy(word, (), name))))["nnz"], 6)

    def test_values_of_each_type(self):
        for dtype, (_, parts, field) in DTYPES.items():
            with self.subTest(dtype):
                found, lines = self.mtx(pack(small(dtype=dtype)))
                self.assertEqual(found, field)
                want = [[] if field == "pattern" else [x] if parts == 1
                        else [x, str(int(x) + 1)] for x in (e[2] for e in self.ENTRIES)]
                self.assertEqual([line[2:] for line in lines[1:]], want)

    def test_narrow_integers_are_widened(self):
        for dtype, (letter, wide) in NARROW.items():
            with self.subTest(dtype):
                bits = 8 * struct.calcsize("<" + letter)
                least = -(1 << (bits - 1)) if letter.islower() else 0
                values = [least, least + (1 << bits) - 1, 0, 1, 2, 3]
                content = pack(small(data=array(dtype, values)))
                self.write("A.npz", content)
                self.stream("A.npz", "B.npz", 1)
                self.assertEqual(unpack(self.folder / "B.npz")["data.npy"], (wide, values))

    def stream(self, *words):
        done = subprocess.run([STREAM_RESULT, *map(str, words)], cwd=self.folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_any_byte_but_zero_is_true(self):
        data = npy("|b1", (6,), bytes([0, 1, 2, 255, 0, 128]))
        self.write("A.npz", pack(small(data=data)))
        self.stream("A.npz", "B.npz", 3)
        self.assertEqual(unpack(self.folder / "B.npz")["data.npy"],
                         ("|b1", [0, 1, 1, 1, 0, 1]))

    def test_rows_that_are_not_sorted(self):
        for columns in ([0, 2, 3, 2, 1, 0], [0, 2, 0, 0, 1, 2]):
            found = self.info(pack(small(indices=array("<i4", columns))))
            self.assertIs(found["is_sorted"], False)

    def test_arrays_may_be_longer_than_the_last_pointer_says(self):
        longer = small(indices=array("<i4", COLUMNS + [99, -1]),
                       data=array("<f8", VALUES + [9]))
        self.assertEqual(self.info(pack(longer))["nnz"], 6)

    def test_empty_matrices(self):
        for rows, cols in ((0, 0), (0, 7), (7, 0), (3, 4)):
            for layout, count in (("csr", rows), ("csc", cols)):
                found = self.info(pack(small(
                    format=name_of(layout), shape=array("<i8", [rows, cols]),
                    indptr=array("<i4", [0] * (count + 1)),
                    indices=array("<i4", []), data=array("<f8", []))))
                self.assertEqual((found["rows"], found["cols"], found["nnz"]),
                                 (rows, cols, 0))
            found = self.info(pack(small(
                format=name_of("coo"), shape=array("<i8", [rows, cols]),
                row=array("<i4", []), col=array("<i4", []), data=array("<f8", []))))
            self.assertEqual((found["rows"], found["cols"]), (rows, cols))

    def test_wide_columns(self):
        wide = small(shape=array("<i8", [3, 5000000000]),
                     indices=array("<i8", [0, 2, 0, 1, 2, 4999999999]))
        self.assertEqual(self.mtx(pack(wide))[1][-1], ["3", "5000000000", "6"])

    def test_operands_of_two_types_meet(self):
        self.write("f.npz", square("<f4", [0, 1], [0.5, 2], [0, 1, 2], 2))
        self.write("b.npz", square("|b1", [1, 0], [1, 1], [0, 1, 2], 2))
        self.write("i.npz", square("<i4", [1, 0], [3, -7], [0, 1, 2], 2))
        self.write("l.npz", square("<i8", [1, 0], [3, -7], [0, 1, 2], 2))
        self.write("z.npz", square("<c8", [1, 0], [3, 1, -7, 0], [0, 1, 2], 2))
        self.write("d.mtx", BANNER + "2 2 2\n1 2 3\n2 1 -7\n")
        for left, right, dtype, values in (
                ("f", "d.mtx", "<f8", [1.5, -14]), ("f", "b", "<f4", [0.5, 2]),
                ("f", "i", "<f8", [1.5, -14]), ("i", "l", "<i8", [-21, -21]),
                ("b", "i", "<i4", [-7, 3]), ("f", "z", "<c8", [1.5, 0.5, -14, 0]),
                ("l", "z", "<c16", [-21, 0, -21, -7]), ("b", "b", "|b1", [1, 1])):
            with self.subTest(f"{left} * {right}"):
                right = right if "." in right else right + ".npz"
                self.ok("multiply", left + ".npz", right, "-o", "C.npz")
                self.assertEqual(unpack(self.folder / "C.npz")["data.npy"], (dtype, values))


class Refusals(NpzTest):
    def wrong(self, pattern, members, status=3):
        content = members if isinstance(members, bytes) else pack(members)
        self.write("A.npz", content)
        text = self.refused(status, r"^spgemm: A\.npz: ", "info", "A.npz")
        self.assertRegex(text, pattern)

    def test_members(self):
        for name in ("format", "shape", "indptr", "indices", "data"):
            self.wrong(f"a ZIP archive without {name}.npy is no sparse matrix", small(**{name: None}))
        for name in ("row", "col"):
            coo = small(format=name_of("coo"), row=array("<i4", [0] * 6),
                        col=array("<i4", [0] * 6))
            del coo[name + ".npy"]
            self.wrong(f"a ZIP archive without {name}.npy is no sparse matrix", coo)
        self.wrong("a ZIP archive without format.npy is no sparse matrix", {"A.mtx": SMALL.encode()})
        self.wrong("damaged or cut off", pack({}))
        for name in ("dia", "bsr", "lil", "", "csrx", "CSR", "a" * 100):
            self.wrong(f'format.npy: format "{name[:15]}" is not read',
                       small(format=name_of(name)))
        self.wrong("format.npy: .*no name", small(format=array("<i4", [3])))
        stream = io.BytesIO(pack(small()))
        with self.assertWarns(UserWarning):
            with zipfile.ZipFile(stream, "a") as archive:
                archive.writestr("data.npy", array("<f8", VALUES))
        self.wrong("data.npy: it is there twice", stream.getvalue())

    def test_types_of_numbers(self):
        for dtype, pattern in (
                (">f8", "big-endian"), (">i4", "big-endian"), ("<u8", "64 bits without sign"),
                ("<f2", "not read"), ("<f16", "not read"), ("<c32", "not read"),
                ("|O", "Python objects"), ("|S8", "not read"), ("<U2", "not read"),
                ("<M8[ns]", "not read"), ("|V8", "order of its bytes"), ("=f8", "order of its bytes"),
                ("[('a', '<f8')]", "structures"), ("f8", "no dtype"), ("<f", "no dtype"),
                ("", "no dtype"), ("<f99999999999", "no dtype"), ("<f8x", "no dtype")):
            size = {"<f2": 2, "<f16": 16, "<c32": 32}.get(dtype, 8)
            data = npy(dtype, (6,), bytes(6 * size)) if dtype else npy(
                "", (), b"", header="{'descr': '', 'fortran_order': False, 'shape': (6,)}")
            with self.subTest(dtype):
                self.wrong(rf"data\.npy: .*{pattern}", small(data=data))
        for name in ("indptr", "indices", "shape"):
            for dtype in ("<f8", "<i2", "<u4", "|b1"):
                letter = (DTYPES.get(dtype) or NARROW[dtype])[0]
                count = {"indptr": 4, "indices": 6, "shape": 2}[name]
                content = npy(dtype, (count,), struct.pack(f"<{count}{letter}", *[1] * count))
                self.wrong(rf"{name}\.npy: dtype .*neither int32 nor int64",
                           small(**{name: content}))

    def test_a_pickle_is_not_opened(self):
        class Trap:
            def __reduce__(self):
                return os.system, ("touch trapped",)
        import pickle
        for name in ("data", "indices", "format", "shape"):
            self.wrong(rf"{name}\.npy: .*Python objects are not read", small(
                **{name: npy("|O", (6,), pickle.dumps([Trap()] * 6))}))
        self.assertEqual(self.names(), ["A.npz"])

    def test_shapes(self):
        for numbers in ([3], [3, 4, 5], []):
            self.wrong("shape.npy: .* numbers", small(shape=array("<i8", numbers)))
        for numbers in ([-1, 4], [3, -4], [(1 << 63) - 1, 1]):
            self.wrong("shape.npy: .* is no shape", small(shape=array("<i8", numbers)))
        self.wrong("indptr.npy: 4 elements, where the shape asks for 3",
                   small(shape=array("<i8", [2, 4])))
        self.wrong("indptr.npy: 4 elements, where the shape asks for 1000000000001",
                   small(shape=array("<i8", [10 ** 12, 4])))
        self.wrong("data.npy: an array of 2 dimensions",
                   small(data=npy("<f8", (2, 3), b"\0" * 48)))
        self.wrong("data.npy: an array of 0 dimensions", small(data=npy("<f8", (), b"\0" * 8)))
        self.wrong("row.npy: 6 elements, where the shape asks for 5", small(
            format=name_of("coo"), row=array("<i4", [0] * 6), col=array("<i4", [0] * 6),
            data=array("<f8", [0] * 5)))

    def test_pointers_and_indices(self):
        for index in ("<i4", "<i8"):
            for rowptr, pattern in (
                    ([1, 2, 2, 6], "element 0 is 1"), ([-1, 2, 2, 6], "element 0 is -1"),
                    ([0, 2, 1, 6], r"element 2 is 1, which is not in 2\.\.6"),
                    ([0, -2, 2, 6], "element 1 is -2"), ([0, 7, 2, 6], "element 1 is 7"),
                    ([0, 2, 2, 7], r"last element is 7, but indices.npy has 6"),
                    ([0, 2, 2, -1], "last element is -1")):
                self.wrong(rf"indptr\.npy: .*{pattern}", small(indptr=array(index, rowptr)))
            for place, column in ((0, -1), (3, 4), (5, 2 ** 31 - 1), (5, -2 ** 31)):
                columns = COLUMNS[:place] + [column] + COLUMNS[place + 1:]
                self.wrong(rf"indices\.npy: element {place} is {column}, which is not in 0..3",
                           small(indices=array(index, columns)))
        self.wrong("indices.npy: element 5 is 4294967299",
                   small(indices=array("<i8", COLUMNS[:5] + [2 ** 32 + 3])))
        self.wrong("last element is 6, but data.npy has 5",
                   small(data=array("<f8", VALUES[:5])))
        for name, row, col in (("row", 3, 0), ("col", 0, 4), ("row", -1, 0)):
            self.wrong(rf"{name}\.npy: element 0 is", small(
                format=name_of("coo"), row=array("<i4", [row]), col=array("<i4", [col]),
                data=array("<f8", [1])))

    def test_headers(self):
        body = struct.pack("<6d", *VALUES)
        good = npy("<f8", (6,), body)
        for data, pattern in (
                (b"", "not an array"), (good[:11], "not an array"), (b"x" + good[1:], "not an"),
                (good[:6] + b"\4" + good[7:], "not an array"),
                (good[:6] + b"\0" + good[7:], "not an array"),
                (good[:60], "ends within its header"),
                (npy("", (), body, 2, header=" " * 70000), "header is longer"),
                (good[:-1], "ends after 47 of the 48 bytes"),
                (good + b"x", "more than the 48 bytes"),
                (npy("<f8", "(6)", body), "no tuple"), (npy("<f8", "(6.0,)", body), "no tuple"),
                (npy("<f8", "(-6,)", body), "no tuple"), (npy("<f8", "[6]", body), "no tuple"),
                (npy("<f8", "(" + "1," * 40 + ")", body), "no tuple"),
                (npy("<f8", (6,), body, order="No"), "fortran_order"),
                (npy("", (), body, header="{'descr': '<f8', 'shape': (6,)}"), "no dictionary"),
                (npy("", (), body, header="{'descr': '<f8' 'shape': (6,)}"), "no dictionary"),
                (npy("", (), body, header="{'descr': '<f8', 'x': 1}"), "unknown key"),
                (npy("", (), body, header="__import__('os').abort()"), "no dictionary")):
            self.wrong(rf"data\.npy: .*{pattern}", small(data=data))
        for length in range(len(good) - 48 - 10):
            header = good[10:length + 10].decode().rstrip("\n") or " "
            if header.rstrip()[-1:] != "}":
                self.wrong(r"data\.npy: ", small(data=npy("", (), body, header=header)))

    def test_what_is_announced_takes_no_memory(self):
        """Each would be terabytes."""
        self.write("E.npz", pack(small()))
        most = self.peak_kb(SPGEMM, "info", "E.npz") + 20000
        count = 10 ** 12
        cases = [small(data=npy("<f8", (count,), b"\0" * 48)),
                 small(indices=npy("<i8", (count,), b"\0" * 48)),
                 small(indptr=npy("<i8", (count,), b"\0" * 48)),
                 small(data=npy("<f8", (1 << 62,), b"\0" * 48)),
                 small(shape=npy("<i8", (count,), b"\0" * 16)),
                 small(format=npy(f"|S{(1 << 31) - 1}", (), b"csr")),
                 small(format=npy("|S3", (count,), b"csr"))]
        for members in cases:
            for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
                self.write("A.npz", pack(members, compression))
                text = self.run_tool("info", "A.npz").stderr.decode()
                status = 3 if "do not fit the memory" in text or "dtype" in text else 4
                self.refused(status, r"^spgemm: A\.npz: \w+\.npy: ", "info", "A.npz")
                self.assertLess(self.peak_kb(SPGEMM, "info", "A.npz", status=status), most)
        for layout, arrays in (
                ("csc", {"indptr": array("<i4", [0] * 5), "indices": array("<i4", [])}),
                ("coo", {"row": array("<i4", []), "col": array("<i4", [])})):
            self.write("A.npz", pack(small(
                format=name_of(layout), shape=array("<i8", [count, 4]),
                data=array("<f8", []), **arrays)))
            self.refused(4, "shape.npy: 1000000000000 rows for 0 entries", "info", "A.npz")
            self.assertLess(self.peak_kb(SPGEMM, "info", "A.npz", status=4), most)

    def test_memory_is_that_of_the_matrix(self):
        n = 2000000
        members = {"format.npy": name_of("csr"), "shape.npy": array("<i8", [1, n]),
                   "indptr.npy": array("<i4", [0, n]),
                   "indices.npy": npy("<i8", (n,), struct.pack(f"<{n}q", *range(n))),
                   "data.npy": npy("<f8", (n,), b"\0" * 8 * n)}
        self.write("A.npz", pack(members, zipfile.ZIP_STORED))
        self.write("E.npz", pack(small(), zipfile.ZIP_STORED))
        # 32 MB are read and become a matrix of 24 MB, no array there twice.
        more = (self.peak_kb(SPGEMM, "info", "A.npz", "-t1") -
                self.peak_kb(SPGEMM, "info", "E.npz", "-t1"))
        self.assertLess(more, 50000)


class Damage(NpzTest):
    def refuse_all(self, contents):
        for content in contents:
            self.write("A.npz", content)
            self.refused(3, r"^spgemm: A\.npz: ", "info", "A.npz")

    def test_every_truncation_is_refused(self):
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            whole = pack(small(), compression)
            self.refuse_all(whole[:k] for k in range(4, len(whole), 7))
            self.refuse_all(whole[:-k] for k in range(1, 60))
            self.write("A.npz", whole[:-30])
            self.refused(3, "standard input: ", "info", "-", stdin=whole[:-30])

    def test_a_flipped_bit_ends_in_an_error_or_a_matrix(self):
        dice = random.Random(1)
        for compression in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            whole = pack(small(), compression)
            for place in dice.sample(range(len(whole)), min(300, len(whole))):
                damaged = bytearray(whole)
                damaged[place] ^= 1 << dice.randrange(8)
                self.write("A.npz", bytes(damaged))
                self.assertIn(self.run_tool("info", "A.npz").returncode, (0, 3))

    def test_a_wrong_number_is_found_by_its_checksum(self):
        whole = pack(small(), zipfile.ZIP_STORED)
        place = whole.rindex(struct.pack("<d", 6))
        self.write("A.npz", whole[:place] + struct.pack("<d", 7) + whole[place + 8:])
        self.refused(3, r"data\.npy: could not be read: .*CRC", "info", "A.npz")

    def test_random_members(self):
        dice = random.Random(2)
        good = small()
        for _ in range(200):
            members = dict(good)
            name = dice.choice(list(members))
            content = bytearray(members[name])
            for _ in range(dice.randrange(1, 4)):
                content[dice.randrange(len(content))] = dice.randrange(256)
            members[name] = bytes(content)
            self.write("A.npz", pack(members))
            self.assertIn(self.run_tool("info", "A.npz").returncode, (0, 3, 4))

    def test_what_is_no_archive(self):
        self.refuse_all([b"PK\3\4", b"PK\3\4" + b"\0" * 5000, b"PK\5\6" + b"\0" * 17,
                         b"PK\3\4" + random.Random(3).randbytes(5000)])
        self.write("A.npz", b"\x93NUMPY")
        self.refused(3, r"A\.npz:1: no Matrix Market banner", "info", "A.npz")


class Writing(NpzTest):
    def setUp(self):
        super().setUp()
        self.write("A.mtx", SMALL)

    def test_members_are_as_scipy_has_them(self):
        self.ok("multiply", "A.mtx", "-o", "C.npz")
        self.assertEqual(unpack(self.folder / "C.npz"), {
            "format.npy": ("|S3", b"csr"), "shape.npy": ("<i8", [3, 3]),
            "indptr.npy": ("<i4", [0, 1, 3, 5]), "indices.npy": ("<i4", [0, 0, 2, 0, 2]),
            "data.npy": ("<f8", [2.25, -0.5, -16.0, 2.375, 64.0])})
        self.assertEqual(self.names(), ["A.mtx", "C.npz"])

    def test_equal_matrices_make_equal_files(self):
        self.ok("generate", "rmat", "7", "8", "-o", "A.npz")
        time.sleep(1.1)
        self.ok("generate", "rmat", "7", "8", "-o", "B.npz")
        read = lambda name: (self.folder / name).read_bytes()
        self.assertEqual(read("A.npz"), read("B.npz"))

    def test_it_is_the_matrix_that_matrix_market_has(self):
        self.ok("generate", "rmat", "9", "8", "-v", "reals", "-o", "A.npz")
        self.ok("generate", "rmat", "9", "8", "-v", "reals", "-o", "A.mtx")
        self.assertEqual(self.ok("multiply", "A.npz", "-o", "-"),
                         self.ok("multiply", "A.mtx", "-o", "-"))
        self.ok("multiply", "A.npz", "A.mtx", "-o", "C.npz")
        self.ok("multiply", "A.mtx", "A.npz", "-o", "D.npz")
        self.assertEqual((self.folder / "C.npz").read_bytes(),
                         (self.folder / "D.npz").read_bytes())

    def test_wide_columns(self):
        self.write("B.mtx", BANNER + "3 5000000000 1\n1 5000000000 2\n")
        self.ok("multiply", "A.mtx", "B.mtx", "-o", "C.npz")
        found = unpack(self.folder / "C.npz")
        self.assertEqual(found["indptr.npy"][0], "<i8")
        self.assertEqual(found["indices.npy"], ("<i8", [4999999999] * 2))
        self.assertEqual(strict_json(self.ok("info", "--json", "C.npz"))["cols"], 5000000000)

    def test_as_many_columns_as_there_can_be(self):
        most = (1 << 63) - 1
        self.write("W.mtx", BANNER + f"1 {most} 1\n1 {most} 2\n")
        self.ok("convert", "W.mtx", "-o", "W.npz")
        self.assertEqual(self.ok("convert", "W.npz", "-o", "-"), (self.folder / "W.mtx").read_text())

    def test_empty_matrices(self):
        for shape in ("0 0", "0 7", "7 0"):
            self.write("E.mtx", BANNER + shape + " 0\n")
            self.write("I.mtx", BANNER + f"{shape[2]} {shape[2]} 0\n")
            self.ok("multiply", "E.mtx", "I.mtx", "-o", "C.npz")
            self.assertEqual(unpack(self.folder / "C.npz")["shape.npy"][1],
                             [int(n) for n in shape.split()])

    def test_a_pipe_gets_the_archive_as_it_comes(self):
        os.mkfifo(self.folder / "pipe.npz")
        tool = subprocess.Popen([SPGEMM, "multiply", "A.mtx", "-o", "pipe.npz"],
                                cwd=self.folder, stderr=subprocess.DEVNULL)
        content = (self.folder / "pipe.npz").read_bytes()
        self.assertEqual(tool.wait(), 0)
        self.ok("multiply", "A.mtx", "-o", "C.npz")
        self.assertEqual((self.folder / "C.npz").read_bytes(), content)

    def test_a_full_disk_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        os.symlink("/dev/full", self.folder / "full.npz")
        self.refused(5, "full.npz: No space", "multiply", "A.mtx", "-o", "full.npz")
        self.refused(5, "full.npz: No space", "generate", "banded", "900000", "5",
                     "-o", "full.npz")

    def test_a_failed_write_leaves_nothing(self):
        self.refused(5, "No such file", "multiply", "A.mtx", "-o", "no/C.npz")
        self.ok("generate", "banded", "20000", "5", "-o", "B.mtx")
        self.write("C.npz", "as it was")
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        self.refused(5, "C.npz: File too large", "multiply", "B.mtx", "-o", "C.npz",
                     preexec_fn=limit)
        self.assertEqual((self.folder / "C.npz").read_text(), "as it was")
        self.assertEqual(self.names(), ["A.mtx", "B.mtx", "C.npz"])


class Streaming(NpzTest):
    def stream(self, *words, **options):
        return subprocess.run([STREAM_RESULT, *map(str, words)], cwd=self.folder,
                              capture_output=True, timeout=120, **options)

    def setUp(self):
        super().setUp()
        self.ok("generate", "powerlaw", "3000", "-v", "reals", "-o", "A.npz")
        self.ok("generate", "powerlaw", "3000", "-v", "reals", "-o", "A.mtx")

    def test_blocks_make_the_file_that_the_whole_makes(self):
        text = (self.folder / "A.mtx").read_text().splitlines()
        for rows in (1, 17, 2999, 3000, 9999):
            for target in ("B.npz", "B.mtx"):
                done = self.stream("A.npz", target, rows)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
            self.assertEqual((self.folder / "B.npz").read_bytes(),
                             (self.folder / "A.npz").read_bytes())
            lines = (self.folder / "B.mtx").read_text().splitlines()
            self.assertEqual(lines[0], text[0])
            self.assertEqual(lines[1].split(), text[1].split())
            self.assertEqual(lines[2:], text[2:])
            self.ok("info", "B.mtx")
        self.assertEqual(self.names(), ["A.mtx", "A.npz", "B.mtx", "B.npz"])

    def test_types_of_values(self):
        for dtype in DTYPES:
            content = pack(small(dtype=dtype), zipfile.ZIP_STORED)
            self.write("B.npz", content)
            self.assertEqual(self.stream("B.npz", "C.npz", 2).returncode, 0)
            want = unpack_small(dtype)
            self.assertEqual(unpack(self.folder / "C.npz")["data.npy"], want)

    def test_a_matrix_without_rows(self):
        self.write("E.mtx", BANNER + "0 5 0\n")
        for target in ("E.npz", "F.mtx"):
            self.assertEqual(self.stream("E.mtx", target, 5).returncode, 0)
        self.assertEqual(unpack(self.folder / "E.npz")["shape.npy"][1], [0, 5])
        self.assertEqual((self.folder / "F.mtx").read_text().split()[-3:], ["0", "5", "0"])

    def test_nothing_is_left_of_one_that_is_abandoned(self):
        for target in ("B.npz", "B.mtx"):
            for until in (0, 100, 3000):
                done = self.stream("A.mtx", target, 10, until)
                self.assertEqual((done.returncode, done.stderr), (0, b""))
        self.assertEqual(self.names(), ["A.mtx", "A.npz"])

    def test_a_signal_ends_what_is_put_together(self):
        """After the last row: what an archive is of is still to be copied."""
        for target in ("B.npz", "B.mtx"):
            for number in (signal.SIGINT, signal.SIGTERM):
                done = self.stream("A.npz", target, 100, 9999, int(number))
                self.assertEqual((done.returncode, done.stderr), (128 + number, b""))
        self.assertEqual(self.names(), ["A.mtx", "A.npz"])

    def test_failures_leave_nothing(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 16, 1 << 16))
        for name in ("B.npz", "B.mtx"):
            self.write(name, "as it was")
            done = self.stream("A.npz", name, 100, preexec_fn=limit)
            self.assertEqual(done.returncode, 5)
            self.assertIn(f"{name}: File too large".encode(), done.stderr)
            self.assertEqual((self.folder / name).read_text(), "as it was")
            done = self.stream("A.npz", "no/" + name, 100)
            self.assertEqual(done.returncode, 5)
        self.assertEqual(self.names(), ["A.mtx", "A.npz", "B.mtx", "B.npz"])

    def test_a_full_disk_is_a_failure(self):
        if not os.path.exists("/dev/full"):
            self.skipTest("no /dev/full")
        os.symlink("/dev/full", self.folder / "full.npz")
        done = self.stream("A.npz", "full.npz", 100)
        self.assertEqual(done.returncode, 5)
        self.assertIn(b"full.npz: No space", done.stderr)

    def test_matrix_market_needs_a_regular_file(self):
        for target in ("-", "/dev/null"):
            done = self.stream("A.npz", target, 100)
            self.assertEqual((done.returncode, done.stdout), (2, b""))
            self.assertIn(b"needs a regular file", done.stderr)

    def test_an_archive_may_go_to_a_pipe(self):
        os.mkfifo(self.folder / "pipe.npz")
        tool = subprocess.Popen([STREAM_RESULT, "A.mtx", "pipe.npz", "100"],
                                cwd=self.folder, stderr=subprocess.DEVNULL)
        content = (self.folder / "pipe.npz").read_bytes()
        self.assertEqual(tool.wait(), 0)
        self.assertEqual((self.folder / "A.npz").read_bytes(), content)

    def test_memory_is_that_of_a_block(self):
        """200 MB of arrays: the input is held, and little more."""
        self.ok("generate", "banded", "850000", "20", "-o", "L.npz")
        held = self.peak_kb(STREAM_RESULT, "L.npz", "M.npz", "1000", "0")
        self.assertEqual(self.names(), ["A.mtx", "A.npz", "L.npz"])
        self.assertLess(self.peak_kb(STREAM_RESULT, "L.npz", "M.npz", "1000"), held + 20000)
        self.assertEqual((self.folder / "L.npz").read_bytes(),
                         (self.folder / "M.npz").read_bytes())


def unpack_small(dtype):
    """data.npy of small(dtype=dtype)."""
    letter, parts, _ = DTYPES[dtype]
    if letter == "B":
        return dtype, [1] * 6
    return dtype, [x + part for x in VALUES for part in range(parts)]


# Random matrices of each type and format, and one without columns.
SCIPY_WRITES = """
import scipy.sparse as sparse
A = sparse.random(40, 40, 0.1, random_state=1, format="csr") * 50
for dtype in "f8 f4 c16 c8 i8 i4 i2 i1 u1 u2 u4 b1".split():
    for layout in ("csr", "csc", "coo"):
        M = A.astype(dtype)
        if dtype[0] == "c":
            M = (M + 1j * M.T).astype(dtype)
        sparse.save_npz(f"{layout}-{dtype}.npz", M.asformat(layout),
                        compressed=layout != "coo")
sparse.save_npz("csr-empty.npz", sparse.csr_matrix((3, 0)))
"""

# What is common to both checks: each matrix, the one made of it, as .npz and as
# .mtx, and the type that it should have.
SCIPY_LOADS = """
import glob, numpy, scipy.io, scipy.sparse as sparse

def load_all():
    names = sorted(glob.glob("cs?-*.npz") + glob.glob("coo-*.npz"))
    for name in names:
        A, C = sparse.load_npz(name), sparse.load_npz("made-" + name)
        M = scipy.io.mmread("made-" + name[:-4] + ".mtx").tocsr()
        wide = A.dtype if A.dtype.kind in "fcb" else numpy.result_type(A.dtype, "i4")
        assert C.format == "csr" and C.dtype == wide, (name, C.dtype)
        C.check_format(full_check=True)
        assert C.has_sorted_indices and M.shape == C.shape, name
        yield name, A.tocsr().astype(wide), C, M
    assert len(names) == 37
"""

SCIPY_CHECKS_COPIES = SCIPY_LOADS + """
for name, A, C, M in load_all():
    A.sort_indices()
    assert A.shape == C.shape, name
    for array in ("indptr", "indices", "data"):
        assert (getattr(A, array) == getattr(C, array)).all(), (name, array)
    assert (M.toarray().astype(C.dtype) == C.toarray()).all(), name
"""

SCIPY_CHECKS_PRODUCTS = SCIPY_LOADS + """
for name, A, C, M in load_all():
    want = (A @ A if A.shape[1] else A @ A.T).toarray().astype("c16")
    tolerance = (1e-5 if C.dtype.char in "fF" else 1e-13) * (1 + abs(want))
    assert (abs(C.toarray() - want) <= tolerance).all(), name
    assert (abs(M.toarray() - want) <= tolerance).all(), name
"""


def python_with_scipy():
    """A Python that has SciPy: this one, or the system's."""
    for python in (sys.executable, "/usr/bin/python3"):
        try:
            if subprocess.run([python, "-c", "import scipy.sparse"],
                              stderr=subprocess.DEVNULL).returncode == 0:
                return python
        except FileNotFoundError:
            pass
    return None


class SciPy(NpzTest):
    def setUp(self):
        super().setUp()
        self.python = python_with_scipy()
        if not self.python:
            self.skipTest("no Python here has SciPy")
        self.run_python(SCIPY_WRITES)
        self.files = sorted(Path(self.folder).glob("*.npz"))

    def run_python(self, program):
        done = subprocess.run([self.python, "-c", program], cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_what_scipy_wrote_it_reads_again(self):
        for path in self.files:
            for target in (path.name, path.stem + ".mtx"):
                done = subprocess.run([STREAM_RESULT, path.name, "made-" + target, "7"],
                                      cwd=self.folder, capture_output=True)
                self.assertEqual(done.returncode, 0, done.stderr)
        self.run_python(SCIPY_CHECKS_COPIES)

    def test_products(self):
        self.write("none.mtx", BANNER + "0 3 0\n")
        for path in self.files:
            operands = [path.name] + ["none.mtx"] * (path.stem == "csr-empty")
            for target in (path.name, path.stem + ".mtx"):
                self.ok("multiply", *operands, "-o", "made-" + target)
        self.run_python(SCIPY_CHECKS_PRODUCTS)
        for dtype in ("f4", "c16", "b1"):
            self.ok("compare", f"csr-{dtype}.npz", "--repeat", "1")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
