#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Tests of what the command spgemm writes: files and words.

    SPGEMM=build/release/spgemm FAULTY_RESULT=build/release/tests/cli/faulty_result \\
        tests/cli/test_output.py [GROUP]
"""
import itertools
import os
import shutil
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from test_cli import SMALL, SPGEMM, CliTest, multiply, read_matrix, strict_json

FAULTY_RESULT = os.path.abspath(os.environ.get(
    "FAULTY_RESULT", "build/release/tests/cli/faulty_result"))
ENDINGS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGQUIT,
           signal.SIGPIPE, signal.SIGALRM, signal.SIGUSR1, signal.SIGUSR2,
           signal.SIGXCPU, signal.SIGVTALRM, signal.SIGPROF)
SQUARE = multiply(*[read_matrix(SMALL)] * 2)


class OutputTest(CliTest):
    def setUp(self):
        super().setUp()
        self.write("A.mtx", SMALL)

    def names(self):
        return sorted(os.listdir(self.folder))

    def text(self, name):
        return (self.folder / name).read_text()

    def square(self, output, *words, **options):
        return self.ok("multiply", "A.mtx", *words, "-o", output, **options)

    def has_square(self, name):
        self.assertEqual(read_matrix(self.text(name)), SQUARE)


class Names(OutputTest):
    """Which names may be written."""
    def test_the_extension_is_the_format(self):
        for name in ("C", "C.mtx", "C.MTX", ".C", ".mtx", "tmp.Xa81kQz20b", "tmp.abcdefghij",
                     "a.csv/C"):
            (self.folder / name).parent.mkdir(exist_ok=True)
            self.square(name)
            self.has_square(name)
        for name in ("C.npz", "C.NPZ", ".npz"):
            self.square(name)
            self.assertEqual((self.folder / name).read_bytes()[:2], b"PK")

    def test_other_formats_are_refused_before_anything_is_done(self):
        for name in ("C.csv", "C.npz.gz", "C.txt", "x/C.tar", "C.mat", "C.gz", "C.safetensors",
                     "C.Xa81kQz20b"):
            for words in (["multiply", "A.mtx"], ["multiply", "none.mtx"],
                          ["multiply", "A.mtx", "--memory-limit", "1G"],
                          ["generate", "stencil5", "3", "3"]):
                ending = name.rpartition(".")[2]
                self.refused(2, rf"{name}: files that end in \.{ending} are not written, "
                             r"only \.mtx, .* and \.npz", *words, "-o", name)
        self.assertEqual(self.names(), ["A.mtx"])

    def test_standard_output_by_any_name_is_not_for_two(self):
        for path in ("/dev/stdout", "/proc/self/fd/1", "log"):
            with open(self.folder / "log", "wb") as log:
                done = subprocess.run([SPGEMM, "multiply", "A.mtx", "--json", "-o", path],
                                      cwd=self.folder, stdout=log, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 2, path)
            self.assertIn(b"both want standard output", done.stderr)
            self.assertEqual(self.text("log"), "")

    def test_an_operand_is_not_overwritten(self):
        self.ok("generate", "stencil5", "3", "1", "-o", "B.mtx")
        (self.folder / "link.mtx").symlink_to("A.mtx")
        os.link(self.folder / "A.mtx", self.folder / "hard.mtx")
        for output in ("A.mtx", "./A.mtx", "link.mtx", "hard.mtx"):
            for words in (["A.mtx"], ["B.mtx", "A.mtx"], ["A.mtx", "--memory-limit", "1G"]):
                self.refused(2, f"{output} is an operand", "multiply", *words, "-o", output)
        with open(self.folder / "A.mtx", "rb") as text:
            done = subprocess.run([SPGEMM, "multiply", "-", "-o", "A.mtx"], stdin=text,
                                  cwd=self.folder, capture_output=True)
        self.assertEqual(done.returncode, 2)
        with open(self.folder / "A.mtx", "ab") as text:
            done = subprocess.run([SPGEMM, "multiply", "A.mtx", "-o", "-"], stdout=text,
                                  cwd=self.folder, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 2)
        self.assertEqual(self.text("A.mtx"), SMALL)


class Places(OutputTest):
    """Where a path leads."""
    def test_a_link_stays_and_its_file_is_replaced(self):
        os.mkdir(self.folder / "there")
        self.write("there/C.mtx", "old")
        (self.folder / "there/second.mtx").symlink_to("../there/C.mtx")
        (self.folder / "first.mtx").symlink_to(self.folder / "there/second.mtx")
        (self.folder / "folder").symlink_to("there")
        for name in ("first.mtx", "folder/C.mtx", "folder/second.mtx"):
            for words in ([], ["--memory-limit", "1G"]):
                self.write("there/C.mtx", "old")
                self.square(name, *words)
                self.assertFalse((self.folder / "there/C.mtx").is_symlink())
                self.has_square("there/C.mtx")
        self.assertTrue((self.folder / "first.mtx").is_symlink())
        self.assertEqual(sorted(os.listdir(self.folder / "there")), ["C.mtx", "second.mtx"])
        self.assertEqual(self.names(), ["A.mtx", "first.mtx", "folder", "there"])

    def test_a_link_to_nothing_makes_its_file(self):
        (self.folder / "C.mtx").symlink_to("new.mtx")
        self.square("C.mtx")
        self.assertTrue((self.folder / "C.mtx").is_symlink())
        self.has_square("new.mtx")

    def test_links_that_lead_nowhere(self):
        (self.folder / "C.mtx").symlink_to("C.mtx")
        (self.folder / "D.mtx").symlink_to("no/D.mtx")
        self.refused(5, "C.mtx: Too many levels", "multiply", "A.mtx", "-o", "C.mtx")
        self.refused(5, "D.mtx: No such file", "multiply", "A.mtx", "-o", "D.mtx")
        self.refused(5, "E/: No such file", "multiply", "A.mtx", "-o", "E/")
        os.mkdir(self.folder / "E")
        self.refused(5, "E: Is a directory", "multiply", "A.mtx", "-o", "E")
        self.assertEqual(os.listdir(self.folder / "E"), [])

    @unittest.skipUnless(os.geteuid() == 0, "only root can play a stranger")
    def test_a_stranger_s_link_in_a_shared_folder_is_not_followed(self):
        shared = self.folder / "shared"
        shared.mkdir()
        self.write("mine.mtx", "mine")
        (shared / "C.mtx").symlink_to("../mine.mtx")
        os.lchown(shared / "C.mtx", 12345, 12345)
        shared.chmod(0o1777)
        self.refused(5, "Permission denied", "multiply", "A.mtx", "-o", "shared/C.mtx")
        self.assertEqual(self.text("mine.mtx"), "mine")

    def test_a_long_name(self):
        name = "C" * 251 + ".mtx"
        self.square(name)
        self.has_square(name)

    def test_a_hard_link_keeps_the_old_file(self):
        self.write("C.mtx", "old")
        os.link(self.folder / "C.mtx", self.folder / "D.mtx")
        self.square("C.mtx")
        self.has_square("C.mtx")
        self.assertEqual(self.text("D.mtx"), "old")

    def test_descriptors_are_written_where_they_stand(self):
        (self.folder / "stdout").symlink_to("/proc/self/fd/1")  # as /dev/stdout is
        for path in ("stdout", "/dev/fd/1", "/proc/self/fd/1"):
            for words in ([], ["--memory-limit", "1G"]):
                with open(self.folder / "log.mtx", "wb") as log:
                    log.write(b"before\n")
                    log.flush()
                    subprocess.run([SPGEMM, "multiply", "A.mtx", "-o", path, *words],
                                   cwd=self.folder, stdout=log, check=True,
                                   stderr=subprocess.DEVNULL)
                    log.write(b"after\n")
                text = self.text("log.mtx")
                self.assertTrue(text.startswith("before\n%%MatrixMarket"), text)
                self.assertTrue(text.endswith("\nafter\n"), text)
            self.assertTrue((self.folder / "stdout").is_symlink())
        done = subprocess.run(["bash", "-c", f"{SPGEMM} multiply A.mtx -o >(cat)"],
                              cwd=self.folder, capture_output=True, check=True)
        self.assertEqual(read_matrix(done.stdout.decode()), SQUARE)

    def test_no_words_go_into_a_file(self):
        """Though a stream is closed whose number the file could get."""
        for closed, status in ((">&-", 5), ("2>&-", 0), ("<&- >&- 2>&-", 5)):
            done = subprocess.run(["bash", "-c", f"{SPGEMM} multiply A.mtx -o C.mtx --json {closed}"],
                                  cwd=self.folder, capture_output=True)
            self.assertEqual(done.returncode, status, (closed, done.stderr))
            self.has_square("C.mtx")
        done = subprocess.run(["bash", "-c", f"{SPGEMM} info - <&-"], cwd=self.folder,
                              capture_output=True)
        self.assertEqual(done.returncode, 3)

    def test_devices(self):
        self.square("/dev/null")
        self.square("/dev/null", "--memory-limit", "1G")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))


class Rights(OutputTest):
    """Mode, owner and group of a file that is replaced."""
    def test_the_mode_is_kept(self):
        for mode in (0o600, 0o640, 0o664, 0o700, 0o200):
            for name, words in itertools.product(("C.mtx", "C.npz"),
                                                 ([], ["--memory-limit", "1G"])):
                self.write(name, "old")
                (self.folder / name).chmod(mode)
                self.square(name, *words)
                found = (self.folder / name).stat()
                self.assertEqual(stat.S_IMODE(found.st_mode), mode)
                self.assertGreater(found.st_size, 3)

    def test_a_new_file_has_what_the_umask_leaves(self):
        for umask, mode in ((0o022, 0o644), (0o077, 0o600), (0o002, 0o664)):
            name = f"C{umask}.mtx"
            self.square(name, preexec_fn=lambda umask=umask: os.umask(umask))
            self.assertEqual(stat.S_IMODE((self.folder / name).stat().st_mode), mode)

    @unittest.skipUnless(os.geteuid() == 0, "only root can give a file away")
    def test_the_owner_is_kept(self):
        self.write("C.mtx", "old")
        os.chown(self.folder / "C.mtx", 12345, 23456)
        (self.folder / "C.mtx").chmod(0o640)
        self.square("C.mtx")
        found = (self.folder / "C.mtx").stat()
        self.assertEqual((found.st_uid, found.st_gid), (12345, 23456))
        self.assertEqual(stat.S_IMODE(found.st_mode), 0o640)

    def as_nobody(self, output):
        """Multiply as a user who may not do everything."""
        if os.geteuid() != 0:
            return self.run_tool("multiply", "A.mtx", "-o", output)
        self.folder.chmod(0o777)
        with tempfile.TemporaryDirectory() as folder:  # where nobody may enter
            os.chmod(folder, 0o755)
            tool = shutil.copy(SPGEMM, folder)
            for library in Path(SPGEMM).parent.glob("libspgemm.so.?"):
                shutil.copy(library, folder)  # found beside it
            return subprocess.run([tool, "multiply", "A.mtx", "-o", output], cwd=self.folder,
                                  user=65534, group=65534, extra_groups=[],
                                  capture_output=True)

    @unittest.skipUnless(os.geteuid() == 0, "only root can be two users")
    def test_a_group_that_cannot_be_given_keeps_no_rights(self):
        self.write("C.mtx", "old")
        os.chown(self.folder / "C.mtx", 65534, 23456)
        (self.folder / "C.mtx").chmod(0o664)
        self.assertEqual(self.as_nobody("C.mtx").returncode, 0)
        found = (self.folder / "C.mtx").stat()
        self.assertEqual((found.st_uid, found.st_gid), (65534, 65534))
        self.assertEqual(stat.S_IMODE(found.st_mode), 0o644)
        self.has_square("C.mtx")

    def test_a_file_that_may_not_be_written_is_not_replaced(self):
        self.write("C.mtx", "old")
        (self.folder / "C.mtx").chmod(0o444)
        done = self.as_nobody("C.mtx")
        self.assertEqual(done.returncode, 5)
        self.assertIn(b"C.mtx: Permission denied", done.stderr)
        self.assertEqual(self.text("C.mtx"), "old")
        self.assertEqual(self.names(), ["A.mtx", "C.mtx"])

    def test_a_folder_that_may_not_be_written(self):
        for ending in ("mtx", "npz"):
            os.mkdir(self.folder / ending, 0o555)
            done = self.as_nobody(f"{ending}/C.{ending}")
            self.assertEqual(done.returncode, 5)
            self.assertIn(b"Permission denied", done.stderr)
            self.assertEqual(os.listdir(self.folder / ending), [])


class Escapes(OutputTest):
    """What a terminal gets, and what a reader of JSON."""
    NASTY = {b"\x1b]0;x\x07": r"\x1b]0;x\x07", b"\n\r\t": r"\x0a\x0d\x09",
             b"\xff": r"\xff", b"\x7f": r"\x7f", b"\xc2\x9b31m": r"\xc2\x9b31m",
             "\u202e".encode(): r"\xe2\x80\xae", b"\xc0\xaf": r"\xc0\xaf",
             b"\xed\xa0\x80": r"\xed\xa0\x80", b"\xe2\x82": r"\xe2\x82",
             b"\xf4\x90\x80\x80": r"\xf4\x90\x80\x80",
             "\u00e4\u2603\U0001d11e".encode(): "\u00e4\u2603\U0001d11e",
             rb"a\b": r"a\b"}

    def run_bytes(self, *words):
        return subprocess.run([SPGEMM, *words], cwd=self.folder, capture_output=True)

    def test_messages(self):
        for raw, plain in self.NASTY.items():
            for words in ([b"info", raw], [raw], [b"--" + raw], [b"help", raw],
                          [b"info", b"A.mtx", raw], [b"info", b"--" + raw, b"A.mtx"],
                          [b"multiply", b"A.mtx", b"-o", b"no/" + raw],
                          [b"multiply", b"A.mtx", b"-p", raw],
                          [b"generate", raw], [b"generate", b"banded", raw, b"1", b"-o", b"B"],
                          [b"predict", b"A.mtx", b"--size=" + raw]):
                done = self.run_bytes(*words)
                self.assertIn(done.returncode, (2, 3, 5), words)
                text = done.stderr.decode()
                self.assertIn(plain, text)
                self.assertEqual(text.count("\n"), 1, text)
                self.assertTrue(text[:-1].isprintable(), text)

    def test_a_long_name_in_a_message(self):
        done = self.run_bytes(b"info", b"\x1b" * 5000)
        self.assertEqual(done.returncode, 3)
        self.assertTrue(done.stderr.startswith(rb"spgemm: \x1b\x1b"))

    def test_info_in_words_and_in_json(self):
        for raw, plain in self.NASTY.items():
            name = raw + b".mtx"
            with open(os.fsencode(self.folder) + b"/" + name, "w", encoding="ascii") as file:
                file.write(SMALL)
            words = self.run_bytes(b"info", name).stdout.decode()
            self.assertEqual(words.split("\n")[0], plain + ".mtx")
            json = self.run_bytes(b"info", name, b"--json").stdout.decode()
            self.assertTrue(json.replace("\n", "").isprintable(), json)
            try:
                want = name.decode()
            except UnicodeDecodeError:
                want = plain + ".mtx"
            self.assertEqual(strict_json(json)["file"], want)


class Faults(OutputTest):
    """Each call to the system fails in turn, or a signal comes before it."""
    def setUp(self):
        super().setUp()
        if os.path.isdir("/dev/shm"):  # no disk is waited for
            self.folder = Path(tempfile.mkdtemp(prefix="spgemm-cli-", dir="/dev/shm"))
            self.addCleanup(shutil.rmtree, self.folder)
        self.ok("generate", "banded", "30", "2", "-o", "A.mtx")
        for name in ("whole.mtx", "whole.npz"):
            self.stream(name)
        self.before = self.names()

    def stream(self, output, **environment):
        done = subprocess.run([FAULTY_RESULT, "A.mtx", output, "7"], cwd=self.folder,
                              env={**os.environ, **environment}, capture_output=True,
                              timeout=60)
        return done.returncode, done.stderr

    def content(self, name):
        path = self.folder / name
        return path.read_bytes() if path.exists() else None

    def each_call(self, what, old, ending, left=0, **environment):
        """Check what is found after each; the numbers of calls and of files whole."""
        whole = self.content("whole" + ending)
        output = "C" + ending
        nwhole = 0
        for other in set(self.names()) - set(self.before):
            (self.folder / other).unlink()
        for call in itertools.count(1):
            (self.folder / output).unlink(missing_ok=True)
            if old is not None:
                self.write(output, old)
            status, said = self.stream(output, FAULT=f"{call} {what}", **environment)
            where = (call, what, ending, environment, status, said)
            if not said.startswith(b"fault\n"):
                self.assertEqual((status, self.content(output)), (0, whole), where)
                return call - 1, nwhole
            found = self.content(output)
            self.assertIn(found, (old, whole), where)
            extra = set(self.names()) - {*self.before, output}
            if extra and left > 0:
                left -= 1
                for name in extra:
                    (self.folder / name).unlink()
            else:
                self.assertEqual(extra, set(), where)
            if what == "fail":
                self.assertEqual(found == whole, status == 0, where)
                self.assertTrue(status == 0 or said.count(b"\n") >= 2, where)
            else:
                self.assertEqual(status, 1 if what == "exit" else -what, where)
            nwhole += found == whole
        return None

    def test_failures(self):
        for ending, old, no in itertools.product((".mtx", ".npz"), (b"old", None), (0, 1)):
            environment = {"NO_TMPFILE": "1"} if no else {}
            calls, nwhole = self.each_call("fail", old, ending, **environment)
            # Some failures do no harm: rights that cannot be given, a folder that
            # cannot be brought to the disk. Most do.
            self.assertGreater(calls - nwhole, 12)

    def test_signals(self):
        for ending, no in itertools.product((".mtx", ".npz"), (0, 1)):
            environment = {"NO_TMPFILE": "1"} if no else {}
            self.each_call(signal.SIGTERM, b"old", ending, **environment)
        for number in ENDINGS:
            self.each_call(number, None, ".mtx", NO_TMPFILE="1")

    def test_ends_of_its_own(self):
        for what in ("exit", signal.SIGABRT, signal.SIGILL):
            self.each_call(what, b"old", ".npz", NO_TMPFILE="1")

    def test_a_kill_leaves_nothing_where_files_need_no_name(self):
        for ending in (".mtx", ".npz"):
            # But between the temporary name and the rename, two calls.
            self.each_call(signal.SIGKILL, b"old", ending, left=2)

    def test_a_signal_that_is_ignored(self):
        old = signal.signal(signal.SIGHUP, signal.SIG_IGN)
        try:
            status, said = self.stream("C.mtx", FAULT=f"9 {int(signal.SIGHUP)}", NO_TMPFILE="1")
        finally:
            signal.signal(signal.SIGHUP, old)
        self.assertEqual((status, said), (0, b"fault\n"))
        self.assertEqual(self.content("C.mtx"), self.content("whole.mtx"))


class Interrupts(OutputTest):
    """Signals at many moments of a product that takes some time."""
    def setUp(self):
        super().setUp()
        self.ok("generate", "erdos-renyi", "12000", "9", "-o", "A.mtx")

    def end_at(self, moment, number, words):
        tool = subprocess.Popen([SPGEMM, *words], cwd=self.folder, stderr=subprocess.PIPE)
        time.sleep(moment)
        tool.send_signal(number)
        tool.send_signal(number)
        _, said = tool.communicate(timeout=100)
        return tool.returncode, said

    def check(self, words, output):
        path = self.folder / output
        path.unlink(missing_ok=True)
        start = time.monotonic()
        self.ok(*words)
        seconds = time.monotonic() - start
        whole = path.read_bytes()
        before = self.names()
        numbers = itertools.cycle((signal.SIGINT, signal.SIGTERM, signal.SIGHUP,
                                   signal.SIGQUIT, signal.SIGPIPE))
        nended = 0
        for moment, number in zip(range(9), numbers):
            path.write_bytes(b"old")
            status, said = self.end_at(seconds * moment / 8, number, words)
            self.assertIn(status, (0, -number, 128 + number), said)
            nended += status != 0
            self.assertIn(path.read_bytes(), (b"old", whole))
            if status == 0:
                self.assertEqual(path.read_bytes(), whole)
            self.assertEqual(self.names(), before, (moment, number, status))
        self.assertGreater(nended, 0)

    def test_generated(self):
        for ending in ("mtx", "npz"):
            self.check(["generate", "banded", "60000", "9", "-o", "B." + ending], "B." + ending)

    def test_products(self):
        for ending in ("mtx", "npz"):
            self.check(["multiply", "A.mtx", "-o", "C." + ending], "C." + ending)

    def test_streamed_products(self):
        for ending in ("mtx", "npz"):
            self.check(["multiply", "A.mtx", "-o", "C." + ending, "--memory-limit", "20M"],
                       "C." + ending)


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[1:]])
