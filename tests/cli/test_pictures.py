#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what the command spgemm draws: spy, and the page of compare.

    SPGEMM=build/release/spgemm tests/cli/test_pictures.py [GROUP]
"""
import base64
import html
import json
import math
import re
import shutil
import struct
import subprocess
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

    def test_a_picture_of_nothing_has_a_pixel(self):
        for shape in ((0, 0), (0, 4), (4, 0)):
            self.write_matrix("A.mtx", *shape, [])
            picture = self.png("A.mtx", "--size", "4")
            self.assertEqual({value for row in picture for value in row}, {0})

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

    def test_as_many_columns_as_there_can_be(self):
        most = (1 << 63) - 1
        self.write_matrix("W.mtx", 1, most, {(1, 1): 1, (1, most): 2})
        rows = self.ok("spy", "W.mtx", "--size", "16").splitlines()
        self.assertTrue(any(len(row) == 18 and row[1] != " " and row[-2] != " "
                            for row in rows), rows)

    def test_an_operand_is_not_overwritten(self):
        self.write_matrix("A.svg", 1, 1, [(1, 1)])
        self.write_matrix("B.png", 1, 1, [(1, 1)])
        self.refused(2, "A.svg is an operand", "spy", "A.svg", "-o", "A.svg")
        self.refused(2, "B.png is an operand", "spy", "A.svg", "B.png", "--product", "-o", "B.png")


MEASURE = """<script>
const boxes = [...document.querySelectorAll("text, p, h1, h2, td, figcaption")]
    .map(e => [e.tagName, e.getBoundingClientRect(), e.textContent]);
const apart = (a, b) => a.right <= b.left || b.right <= a.left ||
                        a.bottom <= b.top || b.bottom <= a.top;
const found = {
    inner: innerWidth, scroll: document.documentElement.scrollWidth,
    outside: boxes.filter(([, b]) => b.left < 0 || b.right > innerWidth).map(b => b[2]),
    overlapping: boxes.flatMap(([, a, t], k) => boxes.slice(k + 1)
        .filter(([, b]) => !apart(a, b)).map(b => [t, b[2]])),
    cut: [...document.querySelectorAll("svg *")].filter(e => {
        const inner = e.getBoundingClientRect();
        const outer = e.ownerSVGElement.getBoundingClientRect();
        return inner.left < outer.left - 1 || inner.right > outer.right + 1 ||
               inner.top < outer.top - 1 || inner.bottom > outer.bottom + 1;
    }).map(e => e.outerHTML),
    least: Math.min(...boxes.map(([, b]) => b.height)), texts: boxes.length};
document.body.dataset.found = JSON.stringify(found);
</script>"""


class Page(CliTest):
    def compare(self, *words):
        self.ok("compare", *words, "--report", "page.html")
        return (self.folder / "page.html").read_text()

    def setUp(self):
        super().setUp()
        self.ok("generate", "rmat", 9, 8, "-o", "A.mtx")

    def test_it_needs_nothing_else(self):
        page = self.compare("A.mtx", "-r3", "--semiring", "plus_pair", "--mask", "A.mtx")
        for word in ("<script", "<iframe", "http:", "https:", "src=", "@import", "url("):
            self.assertNotIn(word, page)
        self.assertIn("spgemm compare A.mtx --repeat 3 --semiring plus_pair --mask A.mtx<", page)

    def test_the_figures_have_what_the_report_says(self):
        self.ok("compare", "A.mtx", "-r4", "--report", "page.html", "--json")
        page = (self.folder / "page.html").read_text()
        report = strict_json(self.ok("multiply", "A.mtx", "--json"))
        figures = re.findall(r"<svg.*?</svg>", page, re.S)
        self.assertEqual(len(figures), 4)
        for figure in figures:
            ET.fromstring(figure)
        times, memory, error, rows = figures
        self.assertEqual((times.count("<rect"), times.count("<circle")), (3, 12))
        self.assertEqual(memory.count("<rect"), 5)
        self.assertEqual(error.count("<circle"), 1)
        used = {name: count for name, count in report["rows_by_accumulator"].items() if count}
        self.assertEqual(rows.count("<rect"), len(used))
        for name, count in used.items():
            self.assertIn(f">{name}</text>", rows)
            self.assertIn(f">{count:,}</text>", rows)
        self.assertIn(f"{report['nnz_c']:,} were found", page)

    def test_names_are_no_markup(self):
        name = "<b>&.mtx"
        shutil.copy(self.folder / "A.mtx", self.folder / name)
        page = self.compare(name, "-r1")
        self.assertNotIn("<b>", page)
        self.assertIn(html.escape(name), page)

    def test_an_operand_is_not_overwritten(self):
        shutil.copy(self.folder / "A.mtx", self.folder / "A.html")
        for words in (["A.html"], ["A.mtx", "--mask", "A.html"]):
            self.refused(2, "A.html is an operand", "compare", *words, "--report", "A.html")

    def test_of_nothing(self):
        for name in ("no_entries.mtx", "no_rows.mtx"):
            page = self.compare(DATA / name, "-r1")
            self.assertNotRegex(page, r"\b(nan|inf)\b")
            for figure in re.findall(r"<svg.*?</svg>", page, re.S):
                ET.fromstring(figure)

    def open(self, page, width):
        """What a browser finds on a page of this width, and what it logs."""
        self.write("opened.html", page.replace("</body>", MEASURE + "</body>"))
        done = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--dump-dom",
             "--enable-logging=stderr", f"--user-data-dir={self.folder}/profile",
             f"--window-size={width},1000", f"file://{self.folder}/opened.html"],
            capture_output=True, text=True, timeout=100)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("CONSOLE", done.stderr)
        found = re.search(r'data-found="([^"]*)"', done.stdout)
        self.assertTrue(found, done.stdout[-1000:])
        return json.loads(html.unescape(found.group(1)))

    def test_it_is_readable_in_a_browser(self):
        self.ok("generate", "erdos-renyi", 3000, 30, "-o", "a-matrix-with-" + 9 * "long" + ".mtx")
        for words in (["A.mtx", "-r7"], ["a-matrix-with-" + 9 * "long" + ".mtx", "-r2"]):
            page = self.compare(*words)
            for width in (800, 1600):
                found = self.open(page, width)
                self.assertEqual(found["inner"], width)
                self.assertLessEqual(found["scroll"], width)
                self.assertEqual(found["outside"], [])
                self.assertEqual(found["overlapping"], [])
                self.assertEqual(found["cut"], [])
                self.assertGreaterEqual(found["least"], 13)
                self.assertGreater(found["texts"], 40)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
