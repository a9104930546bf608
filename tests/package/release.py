#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""scripts/release in a repository of its own, made of this tree: what it refuses,
that a dry run changes nothing, what it commits, and that its archive is the same
bytes twice.

Usage: release.py SOURCE_DIR
"""
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path

ENVIRONMENT = {**os.environ, "SOURCE_DATE_EPOCH": "1800000000",
               "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
LEFT_OUT = shutil.ignore_patterns(".git", "build", "obj-*", "__pycache__", "results", "figures")


def run(folder, *command, fails=False):
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    assert (done.returncode != 0) == fails, (command, done.stdout)
    return done.stdout.strip()


def release(folder, *arguments, **how):
    return run(folder, "scripts/release", "--no-abi", *arguments, **how)


def found(text, pattern):
    return re.search(pattern, text, re.M)[1]


def expect_refusals(tree):
    assert "form" in release(tree, "1.0", fails=True)
    page = tree / "README.md"
    text = page.read_text(encoding="utf-8")
    page.write_text(text + "\n", encoding="utf-8")
    assert "not committed" in release(tree, "9.0.0", fails=True)
    page.write_text(text, encoding="utf-8")


def expect_release(tree, version):
    release(tree, version)
    assert run(tree, "git", "status", "--porcelain") == ""
    assert run(tree, "git", "describe") == f"v{version}"
    places = {"CMakeLists.txt": r"^\s+VERSION (\S+)$", "CITATION.cff": r"^version: (\S+)$",
              "CHANGELOG.md": r"^## (\S+) - 2027-01-15$",
              "debian/changelog": r"^libspgemm \((\S+)\) unstable"}
    for name, pattern in places.items():
        text = (tree / name).read_text(encoding="utf-8")
        assert found(text, pattern) == version, name
    assert "UNRELEASED" not in (tree / "debian" / "changelog").read_text(encoding="utf-8")
    assert "does not come after" in release(tree, version, fails=True)
    archive = tree / "build" / f"release-{version}" / f"libspgemm-{version}.tar.gz"
    with tarfile.open(archive) as files:
        names = set(files.getnames())
    assert f"libspgemm-{version}/include/spgemm/spgemm.h" in names
    assert all(name.startswith(f"libspgemm-{version}") for name in names)
    return archive.read_bytes()


def symbols(tree):
    text = (tree / "debian" / "libspgemm0.symbols").read_text(encoding="utf-8")
    return dict(re.findall(r"^ (\w+)@\S+ (\S+)$", text, re.M))


def main(source):
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder, "one")
        shutil.copytree(source, tree, symlinks=True, ignore=LEFT_OUT)
        run(tree, "git", "init", "--quiet", "--initial-branch=main")
        run(tree, "git", "config", "user.name", "Tester")
        run(tree, "git", "config", "user.email", "tester@example.org")
        run(tree, "git", "add", "--all")
        run(tree, "git", "commit", "--quiet", "-m", "all")
        expect_refusals(tree)
        before = run(tree, "git", "rev-parse", "HEAD")
        release(tree, "9.0.0", "--dry-run")
        assert run(tree, "git", "rev-parse", "HEAD") == before
        assert run(tree, "git", "tag") == "" and not (tree / "build").exists()

        other = Path(folder, "two")
        shutil.copytree(tree, other, symlinks=True)
        assert expect_release(tree, "9.0.0") == expect_release(other, "9.0.0")
        assert set(symbols(tree).values()) == {"9.0.0"}

        # The next one: a new function is of that version.
        header = tree / "include" / "spgemm" / "context.h"
        text = header.read_text(encoding="utf-8")
        header.write_text(text + "SPGEMM_API int spgemm_new(void);\n", encoding="utf-8")
        page = tree / "CHANGELOG.md"
        text = page.read_text(encoding="utf-8")
        page.write_text(text.replace("## 9.0.0", "## Unreleased\n\n## 9.0.0"), encoding="utf-8")
        run(tree, "git", "commit", "--quiet", "--all", "-m", "more")
        expect_release(tree, "9.1.0")
        versions = symbols(tree)
        assert versions.pop("spgemm_new") == "9.1.0" and set(versions.values()) == {"9.0.0"}


if __name__ == "__main__":
    main(*sys.argv[1:])
