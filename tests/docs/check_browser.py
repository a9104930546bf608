#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Pages as a reader sees them, in Chromium at 800 and 1600 pixels: no complaint in
its log, no text cut, none over other text, nothing wider than the window, no picture
missing; and the same words without scripts.

    check_browser.py [--shots DIR] PAGE_OR_FOLDER...
"""
import argparse
import sys
from pathlib import Path

from browser import Browser, find_browser

WIDTHS = (800, 1600)

# Faults of the page, as texts. Lines of text are the rectangles of text nodes; two of
# them may touch by some pixels, as the boxes of lines do.
FAULTS = r"""
(() => {
    const faults = [];
    const root = document.scrollingElement;
    if (root.scrollWidth > window.innerWidth)
        faults.push(`${root.scrollWidth} pixels wide`);
    for (const image of document.images)
        if (image.complete && !image.naturalWidth)
            faults.push(`no picture: ${image.getAttribute("src")}`);
    const isScrolled = style => ["auto", "scroll"].includes(style.overflowX);
    const scrolled = element => {
        for (let e = element; e; e = e.parentElement)
            if (isScrolled(getComputedStyle(e)))
                return e;
        return null;
    };
    for (const e of document.querySelectorAll("article *, main *")) {
        const style = getComputedStyle(e);
        if (["hidden", "clip"].includes(style.overflowX) && e.scrollWidth > e.clientWidth + 1
            && e.clientWidth > 1 && e.innerText && e.innerText.trim())
            faults.push(`cut: ${e.innerText.slice(0, 60)}`);
    }
    for (const e of document.querySelectorAll("table, pre")) {
        const frame = scrolled(e);
        if (frame && frame.scrollWidth > frame.clientWidth + 1)
            faults.push(`${e.tagName} of ${frame.scrollWidth} pixels in ${frame.clientWidth}: `
                        + e.innerText.trim().slice(0, 40));
    }
    const article = document.querySelector("article") || document.body;
    const walker = document.createTreeWalker(article, NodeFilter.SHOW_TEXT);
    const lines = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        if (!node.data.trim() || !node.parentElement.offsetParent)
            continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        const frame = scrolled(node.parentElement);
        for (const r of range.getClientRects())
            if (r.width > 1 && r.height > 1) {
                lines.push({r, node, frame});
                if (!frame && r.right > window.innerWidth + 1)
                    faults.push(`beyond the window: ${node.data.slice(0, 60)}`);
            }
    }
    lines.sort((a, b) => a.r.top - b.r.top);
    for (let i = 0; i < lines.length; i++)
        for (let j = i + 1; j < lines.length && lines[j].r.top < lines[i].r.bottom - 4; j++) {
            const a = lines[i], b = lines[j];
            const across = Math.min(a.r.right, b.r.right) - Math.max(a.r.left, b.r.left);
            const along = Math.min(a.r.bottom, b.r.bottom) - Math.max(a.r.top, b.r.top);
            if (a.frame === b.frame && across > 2 && along > 4)
                faults.push(`over one another: ${a.node.data.slice(0, 40)} | `
                            + b.node.data.slice(0, 40));
        }
    return [...new Set(faults)];
})()
"""
WORDS = "(document.querySelector('article') || document.body).innerText.split(/\\s+/).join(' ')"
# Proof that the rules above find what they are for.
BROKEN = """<!DOCTYPE html><title>x</title><body style="margin:0"><article>
<div style="width:2000px">wide</div><img src="nothing.png">
<p style="position:absolute;top:50px;left:0">one text</p>
<p style="position:absolute;top:52px;left:0">another text</p>
<div style="overflow:hidden;width:50px;white-space:nowrap">words that are cut off</div>
</article><script>console.error("wrong")</script></body>"""
BROKEN_FAULTS = ("pixels wide", "no picture", "over one another", "cut: words")


def faults_of(browser, path, shots):
    seen = len(browser.messages)
    browser.resize(WIDTHS[0])
    browser.open(path)
    words = browser.evaluate(WORDS)
    for width in WIDTHS:
        browser.resize(width)
        yield from (f"{width}: {fault}" for fault in browser.evaluate(FAULTS))
        if shots:
            browser.screenshot(shots / f"{path.parent.name}-{path.stem}-{width}.png")
    yield from (f"log: {text}" for text in browser.messages[seen:])
    browser.open(path, has_scripts=False)
    yield from (f"without scripts: {fault}" for fault in browser.evaluate(FAULTS))
    without = browser.evaluate(WORDS)
    if len(without) < 0.9 * len(words):
        yield f"without scripts: {len(without)} characters of {len(words)}"


def test_rules(browser):
    path = Path(browser.profile, "broken.html")
    path.write_text(BROKEN)
    found = "\n".join(faults_of(browser, path, None))
    missed = [fault for fault in (*BROKEN_FAULTS, "log: ") if fault not in found]
    if missed:
        sys.exit(f"not found on a broken page: {', '.join(missed)}; but\n{found}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shots", type=Path)
    parser.add_argument("pages", nargs="+", type=Path)
    arguments = parser.parse_args()
    if not find_browser():
        sys.exit("chromium is not installed")
    pages = [page for given in arguments.pages
             for page in (sorted(given.rglob("*.html")) if given.is_dir() else [given])]
    # Lists of words that furo makes, and a page that leads on at once.
    pages = [page for page in pages
             if page.name not in ("genindex.html", "search.html")
             and 'http-equiv="refresh"' not in page.read_text(encoding="utf-8")]
    if arguments.shots:
        arguments.shots.mkdir(parents=True, exist_ok=True)
    faults = []
    with Browser() as browser:
        test_rules(browser)
        for page in pages:
            faults += [f"{page}: {fault}" for fault in faults_of(browser, page, arguments.shots)]
    print(*faults, f"{len(pages)} pages", sep="\n")
    if faults or not pages:
        sys.exit(1)


if __name__ == "__main__":
    main()
