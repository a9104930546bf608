#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The site is built without a warning, and whole: every link within it leads to
something, and nothing of it is elsewhere.

    check_site.py FOLDER       builds it into FOLDER
"""
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).resolve().parents[2]
PAGE_BYTES = 300_000
# What an element loads, rather than leads to.
LOADS = {("img", "src"), ("script", "src"), ("link", "href"), ("iframe", "src")}


class Page(HTMLParser):
    """What a page leads to, what it loads, and the places in it."""

    def __init__(self, path):
        super().__init__()
        self.links, self.loads, self.places = [], [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        self.places.update(filter(None, (attributes.get("id"), attributes.get("name"))))
        for name in ("href", "src"):
            if attributes.get(name):
                (self.loads if (tag, name) in LOADS else self.links).append(attributes[name])


def build(folder):
    done = subprocess.run(
        ["/usr/bin/sphinx-build", "-q", "-E", "-W", "--keep-going", "-n", "-b", "html", "-c",
         ROOT / "docs", "-d", folder / "doctrees", ROOT, folder / "html"],
        text=True, capture_output=True, check=False, timeout=250)
    if done.returncode != 0 or done.stderr:
        sys.exit(f"sphinx-build: status {done.returncode}\n{done.stdout}{done.stderr}")


def faults_of(path, pages):
    page = pages[path]
    for target in page.loads:
        if urlsplit(target).netloc:
            yield f"loads {target}"
    for target in page.links + page.loads:
        parts = urlsplit(target)
        if parts.scheme or parts.netloc:
            continue
        to = (path.parent / unquote(parts.path)).resolve() if parts.path else path
        if not to.is_file():
            yield f"{target} leads nowhere"
        elif parts.fragment and to in pages and unquote(parts.fragment) not in pages[to].places:
            yield f"{target}: no such place there"


def main(name):
    folder = Path(name).resolve()
    folder.mkdir(parents=True, exist_ok=True)
    build(folder)
    pages = {path: Page(path) for path in sorted((folder / "html").rglob("*.html"))}
    faults = []
    for path in pages:
        at = path.relative_to(folder / "html")
        faults += [f"{at}: {fault}" for fault in faults_of(path, pages)]
        if path.stat().st_size > PAGE_BYTES:
            faults.append(f"{at}: {path.stat().st_size} bytes")
    print(*faults, sep="\n")
    links = sum(len(page.links) + len(page.loads) for page in pages.values())
    print(f"{len(pages)} pages, {links} links")
    if faults or len(pages) < 30 or links < 1000:
        sys.exit(1)


if __name__ == "__main__":
    main(*sys.argv[1:])
