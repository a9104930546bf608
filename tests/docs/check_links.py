#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Follow the links of the installed manual: each leads to a file that is installed
with it, or to a source, which only a clone has.

    check_links.py PREFIX
"""
import os
import re
import sys
from pathlib import Path

SOURCES = ("include/", "src/", "bench/results")
LINK = re.compile(r"\]\(([^)\s#:]+)(?:#[^)\s]*)?\)")


def links(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    return LINK.findall(text)


def dead_links(root):
    for page in sorted(root.rglob("*.md")):
        for link in links(page):
            target = os.path.relpath(page.parent / link, root)
            is_source = target.startswith(SOURCES) and target != "src/README.md"
            if not is_source and not (root / target).exists():
                yield f"{page.relative_to(root)}: {link} leads nowhere"


def main(prefix):
    (root,) = (page.parent for page in Path(prefix).glob("share/doc/*/README.md"))
    found = list(dead_links(root))
    print("\n".join(found))
    sys.exit(bool(found) or not links(root / "README.md"))


if __name__ == "__main__":
    main(*sys.argv[1:])
