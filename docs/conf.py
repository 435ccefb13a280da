"""The documentation site: `make docs` builds it in build/docs, from the Markdown pages as they are.

The source folder is the checkout, so that the links between pages hold here as on a repository's web page. What the
pages do not say themselves is added while they are read: navigation from the lists of links, and a link from each
number of a rule to the rule. Nothing is loaded from the network.
"""

import re
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

from docutils import nodes
from docutils.nodes import Element
from pygments.lexers.special import TextLexer
from sphinx.addnodes import pending_xref
from sphinx.application import Sphinx
from sphinx.domains.python import PyXRefRole
from sphinx.environment import BuildEnvironment
from sphinx.parsers import Parser
from sphinx.transforms import SphinxTransform
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.util.nodes import make_refnode

import t2r_env
from docs.pictures import show_games, write_game
from docs.record_games import AGENTS

ROOT = Path(__file__).parents[1]

PROGRAMS = ["examples/*.py", "examples/t2r_*/**.py", "t2r_env/commands/__init__.py", "train/t2r_train/*.py"]
"""Files that pages link to and that the site shows as pages."""

project = "t2r_env"
author = "The t2r_env developers"
version = release = t2r_env.__version__
html_title = f"t2r_env {release}"

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
root_doc = "docs/index"
include_patterns = ["*.md", "docs/**.md", "t2r_env/variants/*/SOURCES.md", *PROGRAMS]
source_suffix = {".md": "markdown", ".py": "program"}
exclude_patterns = [".*", "build", "demo", "dist"]

myst_heading_anchors = 4

default_role = "py:name"  # single backticks in docstrings: a link where there is something of that name
autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_mock_imports = ["pyspiel", "ray"]  # not installed where the site is made
autodoc_preserve_defaults = True
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 100
python_use_unqualified_type_names = True
toc_object_entries_show_parents = "hide"
napoleon_google_docstring = False
nitpicky = True
nitpick_ignore_regex = [
    ("py:obj", ".*"),  # the default role
    ("py:.*", "(?!t2r_).*"),  # other libraries: their pages can't be looked up without a network
]

html_theme = "furo"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_extra_path = ["root"]  # index.html, which leads to the start page
html_copy_source = False
html_show_sphinx = html_show_copyright = False
highlight_language = "text"
pygments_style, pygments_dark_style = "friendly", "github-dark"

# Docstrings

ATTRIBUTE = re.compile(r"(\.\. attribute:: .*\n)((?:(?!\.\. ).*\n)*?)( +):type: (.*)")
"""An attribute of a docstring as Napoleon writes it: name, text, and type."""


class Name(PyXRefRole):
    """A name in single backticks: of a class anywhere, of anything else in this module."""

    def process_link(
        self, env: BuildEnvironment, refnode: Element, has_explicit_title: bool, title: str, target: str
    ) -> tuple[str, str]:
        """Say where to look for the name."""
        refnode["reftype"] = "obj"
        if title[:1].isupper():
            refnode["refspecific"] = True
        return super().process_link(env, refnode, has_explicit_title, title, target)


def keep_colons(app: Sphinx, what: str, name: str, it: object, options: Any, lines: list[str]) -> None:
    """Keep Napoleon from reading words before a colon as the type of an attribute."""
    if what in ("attribute", "data", "property"):
        lines[:0] = ["..", ""]  # an empty comment


def keep_types(app: Sphinx, what: str, name: str, it: object, options: Any, lines: list[str]) -> None:
    """Show the dtype and shape of an attribute as they are written, not as the names of classes."""
    text = "\n".join(lines)
    lines[:] = ATTRIBUTE.sub(r"\1\n\3*\4:*\2", text).split("\n")


def shorten_defaults(
    app: Sphinx, what: str, name: str, it: object, options: Any, signature: str | None, returned: str | None
) -> tuple[str | None, str | None]:
    """Write `...` for the generated defaults of a dataclass, which are no Python."""
    return signature and signature.replace("<factory>", "..."), returned


# Navigation

CONTENTS = re.compile(r"docs/(index|\w+/README)")
"""The pages whose lists and tables of links are the navigation."""
LISTED = re.compile(r"<!-- contents -->\n(.*?)<!-- end of contents -->\n", re.DOTALL)
"""The list of all pages on the start page: on the site it is the side bar alone."""
LINK = re.compile(r"\[([^\]]+)\]\(([\w./]+\.md)\)")


def add_navigation(app: Sphinx, docname: str, source: list[str]) -> None:
    """Add to a page of contents the pages that it links in lists and tables, under the headings of the start page.

    A link's text that begins with a capital letter is the name of its page there.
    """
    if docname.endswith("/SOURCES"):
        source[0] = f"---\norphan: true\n---\n{source[0]}"
    if docname == root_doc:
        listed = LISTED.search(source[0])
        assert listed
        source[0] = LISTED.sub("", source[0]) + "".join(_navigation(docname, listed[1]))
    elif CONTENTS.fullmatch(docname):
        source[0] += "".join(_navigation(docname, source[0]))


def _navigation(docname: str, text: str) -> Iterator[str]:
    seen: set[str] = set()
    for section in re.split(r"^## ", text, flags=re.MULTILINE):
        heading, _, content = section.partition("\n")
        lists = "\n".join(re.findall(r"^(?:- |\|).*", content, re.MULTILINE))
        entries = []
        for name, page in LINK.findall(lists):
            if page not in seen and not page.endswith("SOURCES.md"):
                seen.add(page)
                entries.append(f"{name.replace('`', '')} <{page}>" if name[0].isupper() else page)
        if entries:
            caption = f":caption: {heading}\n" if docname == root_doc else ""
            yield "\n\n```{toctree}\n:hidden:\n" + caption + "\n".join(entries) + "\n```\n"


# Games


def add_games(app: Sphinx, docname: str, source: list[str]) -> None:
    """Put pictures and games where a page has marks for them."""
    source[0] = show_games(docname, source[0])


def begin_games(app: Sphinx) -> None:
    """Begin to make the pictures and pages of the games, each game in a process. Who looks for warnings needs none."""
    if app.builder.name == "dummy":
        return
    pool = ProcessPoolExecutor(mp_context=get_context("spawn"))
    made = [pool.submit(write_game, variant, Path(app.outdir)) for variant in AGENTS]

    def end_games(app: Sphinx, exception: Exception | None) -> None:
        """Wait for them, and raise what went wrong."""
        with pool:
            for game in made:
                game.result()

    app.connect("build-finished", end_games, priority=400)  # before the pages are checked


# Rules

RULES = {
    number: f"docs/rules/{page.stem}"
    for page in sorted((ROOT / "docs" / "rules").glob("*.md"))
    for number in re.findall(r"^- \*\*([A-Z]+\d+)\b", page.read_text(encoding="utf-8"), re.MULTILINE)
}
"""The page of each rule, by its number."""
RULE = re.compile(rf"\b(?:{'|'.join(RULES)})\b")


class RuleTargets(SphinxTransform):
    """Gives each numbered rule of docs/rules an anchor."""

    default_priority = 400

    def apply(self, **kwargs: Any) -> None:
        """Find the items of lists that begin with a number in bold."""
        for item in self.document.findall(nodes.list_item):
            strong = next(item.findall(nodes.strong), None)
            number = RULE.match(strong.astext()) if strong else None
            if number and RULES[number[0]] == self.env.docname:
                item["ids"].append(number[0].lower())


class RuleLinks(SphinxPostTransform):
    """Makes each number of a rule a link to the rule."""

    default_priority = 20

    def run(self, **kwargs: Any) -> None:
        """Replace the numbers in texts, but not in code, headings and links."""
        skipped = (nodes.literal, nodes.literal_block, nodes.reference, nodes.title, pending_xref, nodes.raw)
        for text in list(self.document.findall(nodes.Text)):
            if RULE.search(text) and not _is_within(text, skipped):
                text.parent.replace(text, list(self._parts(text)))

    def _parts(self, text: str) -> Iterator[nodes.Node]:
        end = 0
        for match in RULE.finditer(text):
            number = match[0]
            yield nodes.Text(text[end : match.start()])
            link = nodes.Text(number)
            yield make_refnode(self.app.builder, self.env.docname, RULES[number], number.lower(), link)
            end = match.end()
        yield nodes.Text(text[end:])


def _is_within(node: nodes.Node, kinds: tuple[type[nodes.Node], ...]) -> bool:
    while node.parent is not None:
        node = node.parent
        if isinstance(node, kinds):
            return True
    return False


# Programs


class ProgramParser(Parser):
    """Shows a Python file as a page."""

    supported = ("program",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """The name of the file is the heading."""
        name = Path(document["source"]).name
        section = nodes.section("", nodes.title("", name), ids=[nodes.make_id(name)], names=[name])
        section += nodes.literal_block(inputstring, inputstring, language="python")
        document += section
        env = document.settings.env
        env.metadata[env.docname]["orphan"] = "yes"  # it need not be in the navigation


# The finished site

LOADED = re.compile(
    r"""<(?:script|link|img|iframe|source|audio|video)\b[^>]*=["']?(?:https?:)?//|url\(["']?(?:https?:)?//"""
)
"""References that a page would load from the network."""


def check_loading(app: Sphinx, exception: Exception | None) -> None:
    """Warn of pages that load anything from the network."""
    for kind in ("html", "css"):
        for page in app.outdir.rglob(f"*.{kind}"):
            if found := LOADED.search(page.read_text(encoding="utf-8")):
                logging.getLogger(__name__).warning("%s loads something from the network: %s", page, found[0])


def setup(app: Sphinx) -> dict[str, Any]:
    """Set the site up."""
    app.connect("autodoc-process-docstring", keep_colons, priority=400)  # before Napoleon
    app.connect("autodoc-process-docstring", keep_types, priority=600)  # after it
    app.connect("autodoc-process-signature", shorten_defaults)
    app.connect("builder-inited", begin_games)
    app.connect("source-read", add_games)
    app.connect("source-read", add_navigation)
    app.add_role_to_domain("py", "name", Name())
    app.add_transform(RuleTargets)
    app.add_post_transform(RuleLinks)
    app.add_source_parser(ProgramParser)
    app.add_lexer("csv", TextLexer)
    app.connect("build-finished", check_loading)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
