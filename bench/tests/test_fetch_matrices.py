#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of scripts/fetch-matrices against a server of this machine.

    SPGEMM=build/release/spgemm bench/tests/test_fetch_matrices.py
"""
import functools
import http.server
import io
import os
import shutil
import subprocess
import tarfile
import threading
import unittest

from support import BENCH, InFolder, of_environment

SPGEMM = of_environment("SPGEMM")
ROOT = BENCH.parent
SCRIPT = ROOT / "scripts/fetch-matrices"

SYMMETRIC = """%%MatrixMarket matrix coordinate pattern symmetric
3 3 4
1 1
2 1
3 2
3 3
"""
GENERAL = """%%MatrixMarket matrix coordinate real general
2 2 3
1 1 1.5
1 2 2
2 2 1
"""
# Rows, entries after expansion, products of the square.
TABLE = """# a comment
group\tname\trows\tnnz\tproducts_of_A2\tnnz_of_A2
Left\tsmall\t3\t6\t12\t9
Right\tlarge\t2\t3\t4\t3
"""


class Handler(http.server.SimpleHTTPRequestHandler):
    asked = []

    def log_message(self, *_):
        self.asked.append(self.path)


def archive(name, text, member=None):
    """As the collection packs a matrix: beside a vector of another name."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w:gz") as tar:
        for file, content in ((f"{name}/{name}_b.mtx", "no matrix\n" * 1000),
                              (member or f"{name}/{name}.mtx", text)):
            entry = tarfile.TarInfo(file)
            entry.size = len(content)
            tar.addfile(entry, io.BytesIO(content.encode()))
    return data.getvalue()


@unittest.skipUnless(shutil.which("curl"), "curl is not installed")
class Fetch(InFolder):
    def setUp(self):
        super().setUp()
        self.site = self.folder / "site"
        self.output = self.folder / "matrices"
        self.table = self.folder / "table.tsv"
        self.table.write_text(TABLE)
        self.offer("Left/small", archive("small", SYMMETRIC))
        self.offer("Right/large", archive("large", GENERAL))
        Handler.asked.clear()
        self.server = http.server.ThreadingHTTPServer(
            ("127.0.0.1", 0),
            functools.partial(Handler, directory=str(self.site)))
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.addCleanup(self.stop)
        self.url = f"http://127.0.0.1:{self.server.server_port}"

    def stop(self):
        if self.server:
            self.server.shutdown()
            self.server.server_close()
            self.server = None

    def offer(self, path, data):
        file = self.site / f"{path}.tar.gz"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

    def fetch(self, *words, status=0, url=None):
        environment = {k: v for k, v in os.environ.items()
                       if not k.lower().endswith("_proxy")}
        return self.call(SCRIPT, self.output, "--table", self.table, *words,
                         status=status,
                         env={**environment, "SPGEMM": SPGEMM,
                              "SPGEMM_MATRICES_URL": url or self.url})

    def files(self):
        """All that lies in the folder, hidden files included."""
        return {path.name: path.read_text() for path in self.output.iterdir()}

    def test_all_are_fetched_and_checked(self):
        done = self.fetch()
        self.assertEqual(self.files(), {"small.mtx": SYMMETRIC,
                                        "large.mtx": GENERAL})
        self.assertIn(f"fetching small from {self.url}/Left/small.tar.gz",
                      done.stdout)
        self.assertIn("2 matrices are in ", done.stdout)

    def test_what_is_there_and_right_is_kept(self):
        self.fetch("small")
        self.assertEqual(set(self.files()), {"small.mtx"})
        Handler.asked.clear()
        done = self.fetch()
        self.assertIn("small is there", done.stdout)
        self.assertEqual(len(Handler.asked), 1)
        self.assertIn("/Right/large.tar.gz", Handler.asked[0])
        self.assertEqual(len(self.files()), 2)

    def test_what_is_there_and_wrong_is_fetched(self):
        self.output.mkdir()
        for wrong in (GENERAL, SYMMETRIC[:-4], ""):
            (self.output / "small.mtx").write_text(wrong)
            done = self.fetch("small")
            self.assertEqual(self.files(), {"small.mtx": SYMMETRIC})
            self.assertIn("small.mtx ", done.stdout)

    def test_a_mirror_of_the_command_line(self):
        self.fetch("small", "--url", self.url, url="http://127.0.0.1:1")
        self.assertEqual(set(self.files()), {"small.mtx"})

    def check_one_failed(self, *why):
        """The other one is there all the same, and nothing else."""
        done = self.fetch(status=1)
        self.assertEqual(self.files(), {"large.mtx": GENERAL})
        self.assertIn(f"small: {self.url}/Left/small.tar.gz: ", done.stderr)
        self.assertIn("1 of 2 failed: small", done.stderr)
        for words in why:
            self.assertIn(words, done.stderr)

    def test_a_matrix_that_the_server_has_not(self):
        (self.site / "Left/small.tar.gz").unlink()
        self.check_one_failed("404")

    def test_a_truncated_archive(self):
        data = archive("small", SYMMETRIC * 1000)
        for length in (len(data) // 2, len(data) - 4):
            self.offer("Left/small", data[:length])
            self.check_one_failed("cannot be unpacked")

    def test_a_page_in_place_of_an_archive(self):
        self.offer("Left/small", b"<html>Sorry</html>")
        self.check_one_failed("cannot be unpacked")

    def test_an_archive_without_the_matrix(self):
        self.offer("Left/small", archive("small", SYMMETRIC, "small/other.mtx"))
        self.check_one_failed("cannot be unpacked")

    def test_another_matrix(self):
        self.offer("Left/small", archive("small", GENERAL))
        self.check_one_failed("has 2 rows, 3 entries, 4 products, not 3 rows, "
                              "6 entries, 12 products")

    def test_no_matrix(self):
        self.offer("Left/small", archive("small", "no matrix\n"))
        self.check_one_failed("small.mtx:1: ")

    def test_a_server_that_is_down(self):
        self.stop()
        done = self.fetch(status=1)
        self.assertIn(f"fetch-matrices: small: {self.url}/Left/small.tar.gz: (7) ",
                      done.stderr)
        self.assertIn("Without a network, put the matrices into", done.stderr)
        self.assertNotIn("large", done.stdout + done.stderr)
        self.assertEqual(self.files(), {})

    def test_a_wrong_command_line(self):
        self.assertIn("names none of these: who", self.fetch("who", status=1).stderr)
        self.assertIn("no option --what", self.fetch("--what", status=1).stderr)
        self.table.unlink()
        self.assertIn("table.tsv: no such file", self.fetch(status=1).stderr)
        done = subprocess.run([SCRIPT], text=True, capture_output=True, timeout=60)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Where to?", done.stderr)


class Table(unittest.TestCase):
    def test_the_papers_25_have_their_groups(self):
        lines = (ROOT / "bench/accuracy/table1.tsv").read_text().splitlines()
        rows = [line.split("\t") for line in lines if not line.startswith("#")]
        self.assertEqual(rows[0][:5],
                         ["group", "name", "rows", "nnz", "products_of_A2"])
        self.assertEqual(len(rows), 26)
        self.assertEqual({len(row) for row in rows}, {6})
        self.assertIn(["vanHeukelum", "cage12", "130228", "2032536", "34610826",
                       "15231874"], rows)


if __name__ == "__main__":
    unittest.main()
