# SPDX-License-Identifier: BSD-3-Clause
"""The blocks of a page of Markdown, and what each is for.

A block is code between lines of three backticks. A comment right before it says
what is done with it, where its language alone does not:

    <!-- file: NAME -->      it is written to NAME, in the folder of the page
    <!-- peer: LIBRARY -->   it is compiled, where that library is at hand
    <!-- not run: WHY -->    it is only shown

A block of `text` right behind one that is run is what that one prints; three
dots in it stand for anything, and spaces for as many as the columns of a table need.
"""
import re
from dataclasses import dataclass
from pathlib import Path

BLOCK = re.compile(
    r"(?:^<!-- (?P<mark>file|peer|not run): (?P<what>[^\n]*) -->\n\n?)?"
    r"^```(?P<language>\w*)\n(?P<text>.*?)^```$"
    r"(?:\n\n```text\n(?P<output>.*?)^```$)?", re.M | re.S)
LANGUAGES = ("c", "cpp", "python", "sh", "cmake", "make", "meson")


@dataclass(frozen=True)
class Block:
    page: str
    line: int
    section: str
    language: str
    text: str
    mark: str       # file, peer, not run, or ""
    what: str
    output: str     # or None: not shown

    @property
    def place(self):
        return f"{self.page}:{self.line}"


def headings(text):
    """(offset, words) of each heading outside of code."""
    bare = re.sub(r"^```.*?^```$", lambda m: " " * len(m[0]), text, flags=re.M | re.S)
    return [(m.start(), m[1]) for m in re.finditer(r"^#+ (.*)$", bare, re.M)]


def read_blocks(page, root):
    """The blocks of code of a page, in order; what is only text is no code."""
    text = Path(page).read_text(encoding="utf-8")
    heads = headings(text)
    found = []
    for match in BLOCK.finditer(text):
        if match["language"] not in LANGUAGES:
            continue
        begin = match.start("language")
        section = [words for place, words in heads if place < begin]
        found.append(Block(
            Path(page).relative_to(root).as_posix(), text.count("\n", 0, begin) + 1,
            section[-1] if section else "", match["language"], match["text"],
            match["mark"] or "", (match["what"] or "").strip(), match["output"]))
    return found


def prints(block, output):
    """Whether the output of a block is what the page shows."""
    if block.output is None:
        return True
    parts = (re.sub(r"(\\ )+", " +", re.escape(part))
             for part in block.output.rstrip("\n").split("..."))
    return re.fullmatch(".*".join(parts), output.rstrip("\n"), re.S) is not None


def documents(root):
    """All pages that a reader is led to."""
    root = Path(root)
    return sorted([root / "README.md", root / "python" / "README.md",
                   root / "examples" / "README.md", *root.glob("docs/**/*.md")])
