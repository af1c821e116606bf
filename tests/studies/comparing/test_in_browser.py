# SPDX-License-Identifier: Apache-2.0
"""The page of a comparison in a real browser: plots scroll on a telephone, the page does not; in the dark they fit."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

from shoal.studies.comparing.attribution import Attribution, Effect
from shoal.studies.comparing.comparison import Comparison
from shoal.studies.comparing.page import page
from tests.browser import opened

SCROLLS = """[...document.querySelectorAll('.wide:has(.shoal-plot)')].map(one => one.scrollWidth > one.clientWidth)"""
PAPERS = "[...document.querySelectorAll('.shoal-plot .paper')].map(one => getComputedStyle(one).fill)"


@pytest.fixture
def compared_page(invented: Comparison, tmp_path: Path) -> Path:
    """A comparison with an attribution, as a file."""
    effects = (Effect("age", "drop", "", 1.0, 0.3, 0.1, 0.5), Effect("sex", "drop", "", 1.0, 0.3, 0.25, 0.5))
    costs = Attribution("fine", 5, 0, "ncp", 0.3, {"sex": 0.1, "age": 0.5}, {"sex": 1.0, "age": 1.0}, effects)
    path = tmp_path / "report.html"
    path.write_text(page(Comparison(**{**vars_of(invented), "attributions": (costs,)})), encoding="utf-8")
    return path


def vars_of(one: Comparison) -> dict[str, object]:
    """The fields of a comparison."""
    return {name: getattr(one, name) for name in one.__dataclass_fields__}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("width", "scrolls"), [(390, True), (1280, False)])
def test_plots_scroll_and_the_page_does_not(
    chromium: Browser, compared_page: Path, width: int, scrolls: bool, scheme: str
) -> None:
    """Letters keep their size on a telephone: each plot scrolls by itself, says so, and can be reached by keys."""
    with opened(chromium, compared_page, width=width, scheme=scheme) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.page.evaluate(SCROLLS) == [scrolls] * 4
        assert seen.page.locator(".swipe").first.is_visible() == scrolls
        assert seen.violations(("moderate", "serious", "critical")) == []
        assert (seen.requests, seen.complaints) == ([compared_page.as_uri()], [])


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_plots_have_the_paper_of_the_page(chromium: Browser, compared_page: Path, scheme: str) -> None:
    """No lighter or darker box around a picture, in either scheme."""
    with opened(chromium, compared_page, scheme=scheme) as seen:
        background = seen.page.evaluate("getComputedStyle(document.body).backgroundColor")
        assert set(seen.page.evaluate(PAPERS)) == {background}
