# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser without a network: whole, quiet, accessible, on any screen and on paper."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from playwright.sync_api import Browser

import shoal
from shoal.releases.release import Release
from shoal.reports.html import SECTIONS
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.browser import chromium, opened
from tests.reports.conftest import made

__all__ = ["chromium"]  # the fixture

NASTY = ('<img src=x onerror="alert(1)">', "a" * 60)
UNFOLD = "document.querySelectorAll('details').forEach(one => one.open = true)"
BREAKS = "[...document.querySelectorAll('figure, .card')].map(one => getComputedStyle(one).breakInside)"
ADULT = (
    *("age", "workclass", "fnlwgt", "education", "education-num", "marital-status", "occupation", "relationship"),
    *("race", "sex", "capital-gain", "capital-loss", "hours-per-week", "native-country", "income"),
)


def patients(method: str) -> Release:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return shoal.anonymize(
            shoal.synthetic_patients(300).drop("note"),
            k=5,
            quasi_identifiers=["age", "sex", "postcode", "admission_date"],
            sensitive=["diagnosis", "cost"],
            identifiers=["name", "email", "phone", "birth_date"],
            kinds={"postcode": "text-prefix"},
            method=method,
            accept_weaker=method != "hilbert",
        )


@pytest.fixture(scope="module")
def reports(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Reports of every kind of release, as files."""
    folder = tmp_path_factory.mktemp("reports")
    releases = {
        "classes": patients("hilbert"),
        "subtables": patients("equal_combination"),
        "boxes": patients("non_homogeneous"),
        "hostile": made(names=NASTY),
        "failed": made(holds=False),
    }
    for name, release in releases.items():
        (folder / f"{name}.html").write_text(release.report(), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in releases}


@pytest.mark.parametrize("kind", ["classes", "subtables", "boxes", "hostile", "failed"])
def test_the_page_is_whole_and_quiet(chromium: Browser, reports: dict[str, Path], kind: str) -> None:
    """Every section is seen; nothing is asked of anybody, nothing complained about, no hostile name becomes code."""
    with opened(chromium, reports[kind]) as seen:
        shown = [one.inner_text() for one in seen.page.locator("section > h2").all() if one.is_visible()]
        assert shown == [part.HEADING for part in SECTIONS.values()]
        assert seen.page.locator("img, script, iframe").count() == 0
        seen.page.wait_for_timeout(100)
        assert seen.requests == [reports[kind].as_uri()]
        assert seen.complaints == []


@pytest.mark.parametrize(("kind", "width"), [("classes", 1200), ("classes", 320), ("hostile", 390), ("boxes", 390)])
def test_nothing_sticks_out(chromium: Browser, reports: dict[str, Path], kind: str, width: int) -> None:
    """No sideways scrolling of the page down to 320 pixels, all folds open; every chart has its width."""
    with opened(chromium, reports[kind], width=width) as seen:
        seen.page.evaluate(UNFOLD)
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        widths = seen.page.evaluate("[...document.querySelectorAll('svg.chart')].map(one => one.clientWidth)")
        assert min(widths) > 200


@pytest.mark.parametrize(
    ("kind", "width", "scheme"),
    [("classes", 1200, "light"), ("classes", 390, "dark"), ("subtables", 1200, "dark"), ("boxes", 390, "light")],
)
def test_axe_finds_nothing_serious(
    chromium: Browser, reports: dict[str, Path], kind: str, width: int, scheme: str
) -> None:
    """Contrast, names, headings, landmarks, tables: by axe-core, every fold open."""
    with opened(chromium, reports[kind], width=width, scheme=scheme) as seen:
        seen.page.evaluate(UNFOLD)
        assert seen.violations(("moderate", "serious", "critical")) == []


def test_axe_can_find_something(chromium: Browser, tmp_path: Path) -> None:
    """The examination itself can fail."""
    (tmp_path / "bad.html").write_text('<html><body style="color:#999"><img src="data:,">pale</body></html>')
    with opened(chromium, tmp_path / "bad.html") as seen:
        assert {one.partition(":")[0] for one in seen.violations()} >= {"color-contrast", "image-alt"}


def test_keys_are_enough(chromium: Browser, reports: dict[str, Path]) -> None:
    """Tab meets the skip link first, Enter follows it, and folds open by keys."""
    with opened(chromium, reports["classes"]) as seen:
        page = seen.page
        page.keyboard.press("Tab")
        assert page.evaluate("document.activeElement.textContent") == "Skip to the report"
        page.keyboard.press("Enter")
        assert page.url.endswith("#main")
        page.locator("summary").first.focus()
        page.keyboard.press("Enter")
        assert page.locator("details").first.get_attribute("open") is not None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_and_charts_are_not_cut(chromium: Browser, reports: dict[str, Path], scheme: str) -> None:
    """Black on white whatever the screen; a chart stays on one page; what is folded for reference is printed."""
    with opened(chromium, reports["classes"], scheme=scheme, width=700) as seen:
        pages = len(re.findall(rb"/Type\s*/Page\b", seen.page.pdf(prefer_css_page_size=True)))
        assert 4 < pages < 20
        seen.page.emulate_media(media="print")
        style = "getComputedStyle(document.body)"
        assert seen.page.evaluate(f"[{style}.backgroundColor, {style}.color]") == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
        assert set(seen.page.evaluate(BREAKS)) == {"avoid"}
        assert not seen.page.locator("nav").is_visible()
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 700


@pytest.mark.data
def test_the_report_of_adult(chromium: Browser, shared_data: Path, tmp_path: Path) -> None:
    """30,162 persons with the trees of ARX: whole, quiet, accessible, narrow, and small enough to mail."""
    folder = shared_data / "adult"
    table = read_table(folder / "adult.data", Reading(header=False, columns=ADULT, na=("?",))).table
    table = table.take(np.flatnonzero(~np.any([table.missing(name) for name in table.names], axis=0)))
    trees = ("workclass", "education", "marital-status", "race", "sex", "native-country")
    release = shoal.anonymize(
        table.select([*trees, "age", "hours-per-week", "occupation", "income"]),
        k=10,
        quasi_identifiers=["age", *trees, "hours-per-week"],
        sensitive=["occupation"],
        hierarchies={name: folder / "hierarchies" / "arx" / f"adult_hierarchy_{name}.csv" for name in trees},
        method="hilbert",
    )
    path = release.save(tmp_path / "adult") / "report.html"
    assert path.stat().st_size < 300_000
    for width, scheme in ((1200, "light"), (390, "dark")):
        with opened(chromium, path, width=width, scheme=scheme) as seen:
            assert seen.page.locator("section > h2").count() == len(SECTIONS)
            assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
            assert seen.violations() == []
            assert (seen.requests, seen.complaints) == ([path.as_uri()], [])
