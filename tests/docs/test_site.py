# SPDX-License-Identifier: Apache-2.0
"""The documentation as a site: built without a warning, read without a network, searched, at home on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from tests.browser import opened

ROOT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore:.*is deprecated")
LOADED = re.compile(r"<(?:link|script|img|iframe|source)\b[^>]*\b(?:href|src)=\"(?:[a-z]+:)?//", re.IGNORECASE)


@pytest.fixture(scope="module")
def site(once_for_all: Callable[[str, Callable[[Path], None]], Path]) -> Path:
    """The site as ``make docs`` builds it."""
    return once_for_all("site", _build) / "site"


def _build(place: Path) -> None:
    build = pytest.importorskip("sphinx.cmd.build", reason="no Sphinx here: make test installs it").build_main
    told = [*("-q", "-W", "--keep-going", "-c"), str(ROOT / "docs" / "site"), "-d", str(place / "trees")]
    assert build([*told, str(ROOT), str(place / "site")]) == 0, "a dead link, or a page that no index names"


def test_every_page_is_built(site: Path) -> None:
    """Whatever lies in docs/ as a page is a page of the site."""
    pages = [page.relative_to(ROOT).with_suffix(".html") for page in (ROOT / "docs").rglob("*.md")]
    assert [page for page in pages if not (site / page).is_file()] == []


def test_nothing_is_loaded_from_elsewhere(site: Path) -> None:
    """No font, script, style or picture of another machine: no page, no style sheet."""
    assert [page for page in site.rglob("*.html") if LOADED.search(page.read_text(encoding="utf-8"))] == []
    styles = [sheet.read_text(encoding="utf-8") for sheet in site.rglob("*.css")]
    assert [sheet for sheet in styles if re.search(r"url\(['\"]?(?:https?:)?//|@import", sheet)] == []


def test_the_search_finds_a_word(site: Path, chromium: Browser) -> None:
    """Typed into the site opened from a disk, without a network."""
    with opened(chromium, site / "search.html") as watched:
        watched.page.goto((site / "search.html").as_uri() + "?q=suppression")
        watched.page.wait_for_selector("#search-results li")
        assert watched.page.locator("#search-results li a").count() >= 3
        assert {url.partition(":")[0] for url in watched.requests} <= {"file", "data"}
        assert watched.complaints == []


@pytest.mark.parametrize("width", [390, 1330, 1600], ids=["phone", "notebook", "desktop"])
@pytest.mark.parametrize("page", ["docs/index", "docs/getting-started", "docs/methods/shoal"])
def test_pages_fit_the_screen(page: str, width: int, site: Path, chromium: Browser) -> None:
    """No page is wider than a screen: tables and transcripts scroll by themselves."""
    with opened(chromium, site / f"{page}.html", width=width) as watched:
        assert watched.page.evaluate("document.documentElement.scrollWidth") <= width
        assert watched.complaints == []


@pytest.mark.parametrize("page", ["docs/methods/wf_c_means", "docs/metrics/sse", "CONTRIBUTING"])
def test_the_navigation_shows_where_you_are(page: str, site: Path, chromium: Browser) -> None:
    """The entry of the page that is open stands in view, however long the list above it is."""
    with opened(chromium, site / f"{page}.html", width=1280) as watched:
        entry = watched.page.locator(".sidebar-tree .current-page > a").bounding_box()
        seen = watched.page.locator(".sidebar-scroll").bounding_box()
        assert seen["y"] <= entry["y"] <= seen["y"] + seen["height"] - entry["height"]


def test_commands_are_copied_without_prompts_and_output(site: Path, chromium: Browser) -> None:
    """What a block gives to the clipboard can be typed as it is."""
    with opened(chromium, site / "docs" / "getting-started.html") as watched:
        watched.page.evaluate("navigator.clipboard.writeText = async (text) => { window.copied = text }")
        watched.page.locator(".highlight-console .copy").first.click()
        copied = watched.page.evaluate("window.copied").splitlines()
        assert [line.split()[0] for line in copied] == ["shoal", "cp", "head"]
        several = "$ a \\\n  b\nout\n>>> f(\n...   1\n... )\n2"
        assert watched.page.evaluate("text => commandsOf(text)", several) == "a \\\n  b\nf(\n  1\n)"
        assert watched.complaints == []


@pytest.mark.parametrize("page", ["docs/methods/mdav", "docs/metrics/ncp"])
def test_pictures_follow_the_theme_of_the_page(page: str, site: Path, chromium: Browser) -> None:
    """Dark by the page's own switch, while the system is light: the paper of the picture is dark."""
    with opened(chromium, site / f"{page}.html", scheme="light") as watched:
        picture = watched.page.locator("article img").first
        light = picture.screenshot()
        watched.page.evaluate("document.body.dataset.theme = 'dark'")
        assert picture.evaluate("one => getComputedStyle(one).colorScheme") == "dark"
        assert picture.screenshot() != light
