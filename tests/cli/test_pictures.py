#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what the command spgemm draws.

    SPGEMM=build/release/spgemm tests/cli/test_pictures.py [GROUP]
"""
import base64
import math
import struct
import sys
import unittest
import xml.etree.ElementTree as ET
import zlib

from test_cli import BANNER, DATA, CliTest, read_matrix, strict_json

SVG = "{http://www.w3.org/2000/svg}"

def read_png(content):
    """Rows of shades of a PNG, its checksums verified."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = [], 8
    while at < len(content):
        size, = struct.unpack(">I", content[at:at + 4])
        kind, data = content[at + 4:at + 8], content[at + 8:at + 8 + size]
        assert struct.unpack(">I", content[at + 8 + size:at + 12 + size])[0] == \
            zlib.crc32(kind + data)
        chunks.append((kind, data))
        at += 12 + size
    assert [kind for kind, _ in chunks] == [b"IHDR", b"PLTE", b"IDAT", b"IEND"]
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[0][1])
    assert rest == [8, 3, 0, 0, 0] and len(chunks[1][1]) == 768
    raw = zlib.decompress(chunks[2][1])
    assert len(raw) == height * (width + 1)
    rows = [raw[i * (width + 1):(i + 1) * (width + 1)] for i in range(height)]
    assert all(row[0] == 0 for row in rows)
    return [list(row[1:]) for row in rows]


def shade(share, most):
    return max(0.15, 1 + math.log10(share / most) / 3) if share > 0 else 0


class Spy(CliTest):
    def png(self, *words):
        self.ok("spy", *words, "-o", "P.png")
        return read_png((self.folder / "P.png").read_bytes())

    def write_matrix(self, name, nrows, ncols, places):
        self.write(name, BANNER + f"{nrows} {ncols} {len(places)}\n" +
                   "".join(f"{i} {j} 1\n" for i, j in places))

    def test_text(self):
        """An arrow: a dense row, a dense column, a diagonal. A line is two rows."""
        places = {(1, j) for j in range(1, 9)} | {(i, 1) for i in range(1, 9)} | \
                 {(i, i) for i in range(1, 9)}
        self.write_matrix("A.mtx", 8, 8, sorted(places))
        lines = self.ok("spy", "A.mtx", "--size", "8").splitlines()
        self.assertEqual(lines[0], "A.mtx: 8 x 8, 22 entries")
        self.assertEqual(lines[1], "+--------+")
        self.assertEqual(lines[2:6], ["|@@%%%%%%|", "|@ %%    |", "|@   %%  |", "|@     %%|"])
        self.assertEqual(lines[6:], ["+--------+"])

    def test_each_pixel_is_the_share_of_its_cell(self):
        self.ok("generate", "rmat", 8, 6, "-o", "A.mtx")
        entries = read_matrix((self.folder / "A.mtx").read_text())
        cells = [[0] * 50 for _ in range(50)]  # of 256: six cells of 6, others of 5
        cell_of = lambda i: i // 6 if i < 36 else 6 + (i - 36) // 5
        for i, j in entries:
            cells[cell_of(i - 1)][cell_of(j - 1)] += 1
        size = lambda k: 6 if k < 6 else 5
        shares = [[cells[i][j] / (size(i) * size(j)) for j in range(50)] for i in range(50)]
        most = max(map(max, shares))
        found = self.png("A.mtx", "--size", "50")
        for i in range(50):
            for j in range(50):
                self.assertAlmostEqual(found[i][j], 255 * shade(shares[i][j], most), delta=0.51)

    def test_small_matrices_are_enlarged_and_long_ones_are_not_lost(self):
        self.write_matrix("A.mtx", 2, 3, [(1, 1), (2, 3)])
        picture = self.png("A.mtx", "--size", "30")
        self.assertEqual((len(picture), len(picture[0])), (20, 30))
        self.assertEqual({tuple(row) for row in picture[:10]}, {(255,) * 10 + (0,) * 20})
        self.write_matrix("long.mtx", 100000, 2, [(1, 1), (100000, 2)])
        picture = self.png("long.mtx")
        self.assertEqual((len(picture), len(picture[0])), (512, 2))
        self.assertEqual((picture[0], picture[-1]), ([255, 0], [0, 255]))

    def test_a_product_is_where_its_entries_are(self):
        for kind in (["stencil5", 14, 14], ["rmat", 8, 6], ["random", 200, 90, 4, "--transpose"]):
            self.ok("generate", *kind, "-o", "A.mtx")
            words = ["A.mtx", "--transpose-b"] if kind[0] == "random" else ["A.mtx"]
            self.ok("multiply", *words, "-o", "C.mtx")
            report = strict_json(self.ok("multiply", *words, "--json"))
            self.assertIn(f"{report['rows']:,} x {report['cols']:,}, ",
                          self.ok("spy", *words, "--product"))
            predicted = self.png(*words, "--product", "--size", "10")
            found = self.png("C.mtx", "--size", "10")
            places = [[value for row in picture for value in row] for picture in (predicted, found)]
            self.assertEqual(*[[value > 0 for value in values] for values in places])
            shares = [[10 ** (3 * value / 255) if value else 0 for value in values]
                      for values in places]
            shares = [[share / sum(values) for share in values] for values in shares]
            self.assertLess(sum(abs(x - y) for x, y in zip(*shares)), 0.25, kind)

    def test_a_product_by_the_operands_transposed(self):
        self.ok("generate", "random", 60, 30, 3, "-o", "A.mtx")
        self.assertIn("30 x 30", self.ok("spy", "A.mtx", "--product", "--transpose-a"))
        self.assertIn("60 x 60", self.ok("spy", "A.mtx", "--product", "--transpose-b"))
        self.refused(3, "cannot be multiplied by itself", "spy", "A.mtx", "--product")

    def test_svg(self):
        name = "a<b>&\"c.mtx"
        self.write_matrix(name, 5, 5, [(k, k) for k in range(1, 6)])
        self.ok("spy", name, "-o", "P.svg")
        root = ET.parse(self.folder / "P.svg").getroot()
        self.assertEqual([text.text for text in root.iter(SVG + "text")],
                         [name, "5 x 5, 5 entries"])
        href = next(root.iter(SVG + "image")).get("href")
        kind, _, content = href.partition("base64,")
        self.assertEqual(kind, "data:image/png;")
        self.assertEqual(read_png(base64.b64decode(content, validate=True)),
                         [[255 * (i == j) for j in range(5)] for i in range(5)])
        self.ok("spy", name, "--product", "-o", "C.svg")
        root = ET.parse(self.folder / "C.svg").getroot()
        self.assertEqual(next(root.iter(SVG + "text")).text, f"C of {name}, predicted")

    def test_nothing_to_draw(self):
        for name in ("no_entries.mtx", "no_rows.mtx"):
            for words in ([], ["--product"]):
                self.assertIn("0 entries", self.ok("spy", DATA / name, *words))
                self.ok("spy", DATA / name, *words, "-o", "P.svg")
                ET.parse(self.folder / "P.svg")

    def test_an_operand_is_not_overwritten(self):
        self.write_matrix("A.svg", 1, 1, [(1, 1)])
        self.write_matrix("B.png", 1, 1, [(1, 1)])
        self.refused(2, "A.svg is an operand", "spy", "A.svg", "-o", "A.svg")
        self.refused(2, "B.png is an operand", "spy", "A.svg", "B.png", "--product", "-o", "B.png")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
