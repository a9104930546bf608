# SPDX-License-Identifier: BSD-3-Clause
"""The site: README, the manual in docs/ and the pages of other folders, as they
lie in the repository, so that a link serves here and there. By scripts/docs, with
Sphinx, MyST and furo of Debian 12; nothing is fetched, when it is built or read.
"""
import re
from pathlib import Path

from docutils import nodes

ROOT = Path(__file__).resolve().parent.parent

project = "libspgemm"
author = "the libspgemm authors"
copyright = "the libspgemm authors, BSD 3-Clause"  # noqa: A001
version = release = re.search(r"VERSION ([\d.]+)\n", (ROOT / "CMakeLists.txt").read_text())[1]

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = [
    "README.md", "CHANGELOG.md", "CONTRIBUTING.md", "docs/**.md", "bench/README.md",
    "examples/README.md", "python/README.md", "src/README.md", "src/*/README.md"]
exclude_patterns = ["build", "shared", ".git", "src/*/*/**"]
myst_heading_anchors = 3
suppress_warnings = []
nitpicky = True

html_theme = "furo"
html_title = f"libspgemm {version}"
html_copy_source = False
html_show_sphinx = False
html_static_path = ["site"]
html_css_files = ["site.css"]
# The site begins at its top; pages lie where they lie in the repository.
html_additional_pages = {"index": "to_manual.html"}
templates_path = ["site"]
# In the manual a page is code of C where nothing else is said.
highlight_language = "text"


# What a page is followed by, said here so that the pages are plain Markdown.
CONTENTS = {
    "docs/index": (
        ("Begin", "../README", "tutorial/c", "tutorial/command", "tutorial/python"),
        ("Use", "howto/index", "coming-from/index", "../examples/README",
         "../python/README"),
        ("Look up", "api", "options", "properties", "limits"),
        ("Understand", "prediction", "design", "reproducibility", "memory"),
        ("Judge", "benchmarks", "libraries", "testing", "../bench/README"),
        ("Develop", "../CONTRIBUTING", "../CHANGELOG", "../src/README")),
    "docs/howto/index": (
        ("Recipes", "size", "products", "semirings", "matrices", "repeat", "process",
         "build", "command", "python"),),
    "docs/coming-from/index": (
        ("Libraries", "mkl", "graphblas", "cusparse", "kokkos", "scipy",
         "sparse_dot_topn", "petsc"),),
    "src/README": (("Folders", "*/README"),),
}


def add_contents(app, docname, source):
    for caption, *pages in CONTENTS.get(docname, ()):
        source[0] += "\n".join(("\n```{toctree}", ":hidden:", ":glob:",
                                f":caption: {caption}", *pages, "```", ""))
    if docname in CONTENTS:  # a page of links has no list of its own sections
        source[0] = "---\nhide-toc: true\n---\n\n" + source[0]


def name_path(app, env, node, contnode):
    """A link to a folder of the repository, which no site holds, is a name."""
    target = node.get("reftarget", "")
    here = (ROOT / env.doc2path(node["refdoc"])).parent
    if target and (here / target).resolve().is_dir():
        return nodes.literal("", contnode.astext())
    return None


def complete_theme(app, exception):
    """Debian's furo leaves one script and one style to be fetched from a server."""
    static = Path(app.outdir, "_static")
    if exception or not (static / "scripts" / "furo.js").is_file():
        return
    script = (static / "scripts" / "furo.js").read_text()
    if script.startswith("import"):
        spy = (static / "scripts" / "gumshoe-patched.js").read_text()
        (static / "scripts" / "furo.js").write_text(spy + script.split("\n", 1)[1])
    style = (static / "styles" / "furo.css").read_text()
    normal = Path("/usr/share/javascript/normalize.css/normalize.css")
    (static / "styles" / "furo.css").write_text(re.sub(
        r"@import *(url\()?[\"']?/javascript/normalize[^;]*;",
        lambda _: normal.read_text() if normal.is_file() else "", style))
    (static / "to_manual.html").unlink(missing_ok=True)


def setup(app):
    app.connect("source-read", add_contents)
    app.connect("missing-reference", name_path)
    app.connect("build-finished", complete_theme)
