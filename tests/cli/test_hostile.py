#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Files that mean harm, through every command that reads files.

    SPGEMM=build/release/spgemm tests/cli/test_hostile.py [GROUP]

The command ends with a documented status and one line that names the file; it
takes little memory and time, whatever a file claims.
"""
import bz2
import gzip
import lzma
import os
import re
import struct
import subprocess
import sys
import unittest
import zipfile
from concurrent.futures import ThreadPoolExecutor

from hostile_files import TINY, all_files, tar, tar_header, zstd
from test_cli import SPGEMM, CliTest
from test_npz import pack

COMMANDS = (["info"], ["predict"], ["multiply"], ["compare", "-r1"])
STATUSES = (0, 3, 4, 5)
MOST_KB = 256 << 10
MOST_SECONDS = 4  # of the processor; 2 where the machine is not busy
ENVIRONMENT = {**os.environ, "OMP_WAIT_POLICY": "passive", "OMP_NUM_THREADS": "2"}
INSTRUMENTED = bool(os.environ.get("SPGEMM_INSTRUMENTED"))


class HostileTest(CliTest):
    def run_measured(self, *words):
        """(status, standard error, kilobytes, seconds of the processor)"""
        with subprocess.Popen([SPGEMM, *words], cwd=self.folder, env=ENVIRONMENT,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE) as child:
            child.stdout.read()
            text = child.stderr.read().decode()
            _, ended, used = os.wait4(child.pid, 0)
            child.returncode = os.waitstatus_to_exitcode(ended)
        return child.returncode, text, used.ru_maxrss, used.ru_utime + used.ru_stime

    def expect_bounded(self, words, statuses, pattern):
        status, text, kilobytes, seconds = self.run_measured(*words)
        self.assertIn(status, statuses, f"{words}: {text}")
        self.assertIn(status, STATUSES)
        if status != 0:
            self.assertRegex(text, rf"^spgemm: {re.escape(words[1])}({pattern})", words)
            self.assertEqual(text.count("\n"), 1, text)
            self.assertLess(len(text), 600)
            self.assertTrue(text[:-1].isprintable(), text)
        if not INSTRUMENTED:
            self.assertLess(kilobytes, MOST_KB, words)
            self.assertLess(seconds, MOST_SECONDS, words)

    def in_parallel(self, function, jobs):
        with ThreadPoolExecutor(os.cpu_count() or 1) as pool:
            for done in [pool.submit(function, *job) for job in jobs]:
                done.result()


class Files(HostileTest):
    def test_every_command_is_bounded(self):
        count = 0
        for name, content, statuses, pattern in all_files():
            with self.subTest(name):
                self.write(name, content)
                square = 0 in statuses and name.endswith(".npz")
                self.in_parallel(self.expect_bounded, [
                    ([command[0], name, *command[1:]],
                     (3, *statuses) if square and command != ["info"] else statuses,
                     ":" if square else pattern)
                    for command in COMMANDS])
                count += 1
            os.unlink(self.folder / name)
        self.assertGreaterEqual(count, 100)


def short_npy(dtype, shape, content):
    """A .npy without the blanks that NumPy fills its header up with."""
    text = f"{{'descr': '{dtype}', 'fortran_order': False, 'shape': {shape}}}".encode()
    return b"\x93NUMPY\1\0" + struct.pack("<H", len(text)) + text + content


def containers():
    text = TINY.encode()
    arrays = {"format.npy": short_npy("|S3", "()", b"csr"),
              "shape.npy": short_npy("<i8", "(2,)", struct.pack("<2q", 2, 2)),
              "indptr.npy": short_npy("<i4", "(3,)", struct.pack("<3i", 0, 1, 2)),
              "indices.npy": short_npy("<i4", "(2,)", struct.pack("<2i", 0, 1)),
              "data.npy": short_npy("<f8", "(2,)", struct.pack("<2d", 1, 7))}
    yield "A.mtx", text
    yield "A.mtx.gz", gzip.compress(text)
    yield "A.tar.gz", gzip.compress(tar([("A/A.mtx", text)]))
    yield "A.mtx.xz", lzma.compress(text)
    yield "A.mtx.bz2", bz2.compress(text)
    yield "A.mtx.zst", zstd(text[:40], text[40:])
    yield "S.npz", pack(arrays, zipfile.ZIP_STORED)
    yield "D.npz", pack(arrays, zipfile.ZIP_DEFLATED)


class Damaged(HostileTest):
    """Each kind of file, in part or changed."""
    PRODUCT = "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 1\n2 2 49\n"

    def run_on(self, name, content):
        self.write(name, content)
        done = subprocess.run([SPGEMM, "multiply", name, "-o", "-"], cwd=self.folder,
                              env=ENVIRONMENT, capture_output=True)
        os.unlink(self.folder / name)
        return done.returncode, done.stdout.decode(), done.stderr.decode()


class Cuts(Damaged):
    def cut(self, name, whole, length):
        status, out, text = self.run_on(f"{length}.{name}", whole[:length])
        if status == 0:  # a last line break, padding
            self.assertEqual(out, self.PRODUCT)
            self.assertGreaterEqual(length, len(whole) - 1)
        else:
            self.assertEqual(status, 3, text)
            self.assertRegex(text, rf"^spgemm: {length}\.{re.escape(name)}:.*\n$")

    def test_at_every_byte(self):
        for name, whole in containers():
            self.assertEqual(self.run_on(name, whole)[:2], (0, self.PRODUCT))
            with self.subTest(name):
                self.in_parallel(self.cut, [(name, whole, k) for k in range(len(whole))])


class Flips(Damaged):
    # What has no checksum: plain text, and zstd's frames where it has none.
    UNCHECKED = ("A.mtx", "A.mtx.zst")

    def flip(self, name, whole, place):
        content = bytearray(whole)
        content[place] ^= 1 << place % 8
        status, out, text = self.run_on(f"{place}.{name}", bytes(content))
        self.assertIn(status, (0, 3, 4), text)
        if status != 0:
            self.assertRegex(text, rf"^spgemm: {place}\.{re.escape(name)}:.*\n$")
        elif name not in self.UNCHECKED:
            self.assertEqual(out, self.PRODUCT, f"{name}, byte {place}")

    def test_a_flipped_bit(self):
        for name, whole in containers():
            with self.subTest(name):
                step = 2 if name.endswith(".npz") else 1
                self.in_parallel(self.flip, [(name, whole, k)
                                             for k in range(0, len(whole), step)])


class Limits(HostileTest):
    """What is known to be true may take more, if the user says so."""

    def test_a_limit_of_the_user_s_is_kept(self):
        rows = 6000000
        self.write("A.mtx", TINY.replace("2 2 2", f"{rows} {rows} 2"))
        self.refused(4, "A.mtx:2: its header says 6000000 rows and 2 entries: 47999984 bytes of "
                     "row pointers of empty rows; the limit is 33554432; see --memory-limit",
                     "info", "A.mtx")
        for command in COMMANDS:
            self.ok(command[0], "A.mtx", *command[1:], "--memory-limit", "300M")

    def test_an_archive_that_unpacks_to_much(self):
        self.write("A.tar.gz", gzip.compress(tar_header("x", 100 << 20)) +
                   gzip.compress(bytes(1 << 20)) * 100 +
                   gzip.compress(tar([("A/A.mtx", TINY.encode())])))
        self.refused(4, r"A.tar.gz: \d+ bytes of it unpack to \d+ and more; the limit is "
                     "67108864 and 128 times what is packed; see --memory-limit",
                     "info", "A.tar.gz")
        self.ok("info", "A.tar.gz", "--memory-limit", "100M")

    def test_columns_that_a_transpose_makes_rows(self):
        self.write("A.mtx", TINY.replace("2 2 2", "2 2000000000 2"))
        for command in COMMANDS[1:]:
            self.refused(4, "A.mtx: its header says 2000000000 columns, and it has 2 entries",
                         command[0], "A.mtx", "--transpose-b")


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
