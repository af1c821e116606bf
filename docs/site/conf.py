# SPDX-License-Identifier: Apache-2.0
"""How the pages become a site that is read without a network; ``make docs`` builds it into ``site/``.

The pages stay plain Markdown. What the site adds is the navigation, and that is read off the pages, too: the links of
an index page are the entries below it, one caption per section. A page that no index names is an error of the build.
"""

from __future__ import annotations

import re
from pathlib import PurePosixPath
from typing import Any

import shoal

project = "shoal"
author = "The shoal authors"
version = release = shoal.__version__

extensions = ["myst_parser"]
root_doc = "docs/index"
include_patterns = ["docs/**.md", "CONTRIBUTING.md", "CHANGELOG.md", "changes/README.md", "examples/README.md"]
exclude_patterns = ["docs/site"]
myst_heading_anchors = 4  # links to sections, as on the pages themselves
nitpicky = True

html_theme = "furo"
html_title = f"shoal {release}"
html_extra_path = ["top"]
html_static_path = ["static"]
html_css_files = ["shoal.css"]
html_js_files = ["shoal.js"]
html_show_copyright = html_show_sphinx = html_copy_source = False
html_show_search_summary = False  # would fetch pages, which browsers forbid to files of a disk

LINK = re.compile(r"\]\((?![a-z]+:)([\w./-]+\.md)\)")


def add_navigation(app: Any, page: str, source: list[str]) -> None:
    """Give an index page the list of what stands below it; of pages named twice the first place counts."""
    if PurePosixPath(page).name not in ("index", "README") or not page.startswith("docs/"):
        return
    named: set[str] = set()
    opening = page == root_doc  # what the home page says first is no list
    for part in re.split(r"^## ", source[0], flags=re.MULTILINE)[opening:]:
        below = [link for link in dict.fromkeys(LINK.findall(part)) if link not in named]
        named.update(below)
        caption = [f":caption: {part.partition(chr(10))[0]}"] if page == root_doc else []
        if below:
            source[0] += "\n".join(["", "```{toctree}", ":hidden:", *caption, "", *below, "```", ""])


def setup(app: Any) -> None:
    """What Sphinx asks for."""
    app.connect("source-read", add_navigation)
