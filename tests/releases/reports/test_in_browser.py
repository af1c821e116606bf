# SPDX-License-Identifier: Apache-2.0
"""The report in a real browser without a network: whole, quiet, accessible, on any screen and on paper."""

from __future__ import annotations

import re
import warnings
from datetime import date, datetime, time, timedelta
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser

import shoal
from shoal.releases.release import Release
from shoal.releases.reports.html import SECTIONS
from shoal.tables.reading import Reading
from shoal.tables.sources import read_table
from tests.browser import opened
from tests.releases.reports.conftest import made

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
            insensitive=["marital_status", "nationality", "insurance"],
            kinds={"postcode": "text-prefix"},
            method=method,
            accept_weaker=method != "hilbert",
        )


def varied(*, crowded: bool = False) -> Release:
    """Fifteen columns: dates, moments, money, 0 and 1, two values, long names, missing cells.

    ``crowded``: the most that a plan may say, and more models and private columns than the first page has room for.
    """
    random = np.random.default_rng(1)
    rows = 600
    days = [date(2023, 1, 1) + timedelta(days=int(day)) for day in random.integers(0, 700, rows)]
    codes = random.choice(["I10 high blood pressure", "E11 diabetes without complications", "J18", None], rows)
    frame = pl.DataFrame(
        {
            "respondent": [f"P{row}" for row in range(rows)],
            "age": random.integers(18, 95, rows),
            "sex": random.choice(["female", "male"], rows),
            "household_income_before_taxes_in_the_previous_year": np.exp(random.normal(10, 1, rows)).round(2),
            "interview_date": days,
            "owns_home": random.integers(0, 2, rows),
            "region": random.choice(["North Rhine-Westphalia and surroundings", "Bavaria", "Saxony"], rows),
            "education": random.choice(["none", "primary", "secondary", "tertiary"], rows),
            "children": random.integers(0, 6, rows),
            "default": (random.random(rows) < 0.1).astype(int),
            "balance": random.normal(2000, 90_000, rows).round(2),
            "diagnosis": pl.Series(codes.tolist()),
            "smoker": random.choice(["yes", "no"], rows, p=[0.1, 0.9]),
            "visits": random.poisson(3, rows),
            "last_visit": [datetime.combine(day, time(11, 30)) for day in days],
        }
    )
    names = frame.columns
    texts = {"title": "W" * 120, "purpose": "why " * 75, "responsible": "M" * 120, "contact": "@" * 120}
    models = {"l_diversity": {"l": 1}, "t_closeness": {"t": 1.0}, "alpha_k": {"alpha": 1.0}}
    return shoal.anonymize(
        frame,
        k=5,
        quasi_identifiers=names[1:9],
        sensitive=names[9:13] + names[13:] * crowded,
        identifiers=names[:1],
        insensitive=[] if crowded else names[13:],
        method="hilbert",
        require=["rows_kept >= 0.5", "loss <= 1", "distribution_shift < 9", "information_kept >= 0"] if crowded else [],
        date="2026-05-01",
        accept=[] if crowded else ["last_visit"],
        **({**texts, "models": models} if crowded else {}),
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
        "varied": varied(),
        "crowded": varied(crowded=True),
    }
    for name, release in releases.items():
        (folder / f"{name}.html").write_text(release.report(), encoding="utf-8")
    return {name: folder / f"{name}.html" for name in releases}


@pytest.mark.parametrize("kind", ["classes", "subtables", "boxes", "hostile", "failed"])
def test_the_page_is_whole_and_quiet(chromium: Browser, reports: dict[str, Path], kind: str) -> None:
    """Every section is seen; nothing is asked of anybody, nothing complained about, no hostile name becomes code."""
    with opened(chromium, reports[kind]) as seen:
        shown = [one.inner_text() for one in seen.page.locator("section > h2").all() if one.is_visible()]
        assert shown == [heading for heading, _ in SECTIONS.values()]
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
        page.wait_for_function("location.hash === '#main'")
        page.locator("summary").first.focus()
        page.keyboard.press("Enter")
        assert page.locator("details").first.get_attribute("open") is not None


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_paper_is_light_and_charts_are_not_cut(chromium: Browser, reports: dict[str, Path], scheme: str) -> None:
    """Black on white whatever the screen; a chart stays on one page; what is folded is not printed."""
    with opened(chromium, reports["classes"], scheme=scheme, width=700) as seen:
        pages = len(re.findall(rb"/Type\s*/Page\b", seen.page.pdf(prefer_css_page_size=True)))
        assert 3 < pages <= 6
        seen.page.emulate_media(media="print")
        style = "getComputedStyle(document.body)"
        assert seen.page.evaluate(f"[{style}.backgroundColor, {style}.color]") == ["rgb(255, 255, 255)", "rgb(0, 0, 0)"]
        assert set(seen.page.evaluate(BREAKS)) == {"avoid"}
        assert not seen.page.locator("nav").is_visible()
        assert not [one for one in seen.page.locator("details").all() if one.is_visible()]
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 700


COLLIDING = """[...document.querySelectorAll('svg.chart')].flatMap(chart => {
  const texts = [...chart.querySelectorAll('text')].filter(one => getComputedStyle(one).display != 'none')
  const boxes = texts.map(one => [one.textContent, one.getBoundingClientRect()])
  return boxes.flatMap(([said, a], place) => boxes.slice(place + 1)
    .filter(([_, b]) => a.left < b.right && b.left < a.right && a.top + 2 < b.bottom && b.top + 2 < a.bottom)
    .map(([other, _]) => said + ' / ' + other))
})"""
OUTSIDE = """[...document.querySelectorAll('svg.chart')].flatMap(chart => {
  const edge = chart.getBoundingClientRect()
  const texts = [...chart.querySelectorAll('text')].filter(one => getComputedStyle(one).display != 'none')
  return texts.filter(one => one.getBoundingClientRect().right > edge.right + 3
    || one.getBoundingClientRect().left < edge.left - 3).map(one => one.textContent)
})"""


@pytest.mark.thin(5)
@pytest.mark.parametrize(("width", "media"), [(320, "screen"), (390, "screen"), (1280, "screen"), (673, "print")])
@pytest.mark.parametrize("kind", ["varied", "classes", "hostile"])
def test_no_text_of_a_chart_runs_into_another(
    chromium: Browser, reports: dict[str, Path], kind: str, width: int, media: str
) -> None:
    """Dates, money, long names: on any screen and on paper every label stands by itself, inside its chart."""
    with opened(chromium, reports[kind], width=width) as seen:
        seen.page.emulate_media(media=media)
        assert seen.page.evaluate(COLLIDING) == []
        assert seen.page.evaluate(OUTSIDE) == []


@pytest.mark.thin(2)
@pytest.mark.parametrize("kind", ["varied", "crowded", "classes", "subtables", "boxes", "failed"])
def test_the_first_page_is_one_sheet_of_paper(chromium: Browser, reports: dict[str, Path], kind: str) -> None:
    """Form, promise, models, risks and signature lines fit on A4, however much the plan says."""
    with opened(chromium, reports[kind], width=673) as seen:  # 178 of 210 mm
        seen.page.emulate_media(media="print")
        sheet = seen.page.evaluate("(one => [one.scrollHeight, one.clientHeight])(document.querySelector('header'))")
        assert sheet[0] <= sheet[1]
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= 673  # or the whole paper would shrink
        assert sheet[1] <= 990  # 262 of 297 mm
        assert seen.page.locator(".sign").is_visible()
        assert seen.page.locator(".sign .blank").count() == 2
        seen.page.emulate_media(media="screen")
        assert not seen.page.locator(".sign").is_visible()


def test_fifteen_columns_are_six_pages(chromium: Browser, reports: dict[str, Path]) -> None:
    """Short on paper with every fold closed, and longer where somebody opened them; not endless on a screen."""
    with opened(chromium, reports["varied"], width=1280) as seen:
        closed = len(re.findall(rb"/Type\s*/Page\b", seen.page.pdf(prefer_css_page_size=True)))
        assert 4 <= closed <= 6
        assert seen.page.evaluate("document.documentElement.scrollHeight") < 9_000
        seen.page.evaluate(UNFOLD)
        assert len(re.findall(rb"/Type\s*/Page\b", seen.page.pdf(prefer_css_page_size=True))) > closed


def test_the_verdict_is_not_green_above_what_speaks_against_it(chromium: Browser, reports: dict[str, Path]) -> None:
    """Word, sign and colour: amber where private values are given away, green where nothing is."""
    with opened(chromium, reports["varied"]) as seen:
        verdict = seen.page.locator(".verdict")
        assert verdict.locator("strong").first.inner_text() == "⚠ Holds, with a note"
        assert "warn" in (verdict.get_attribute("class") or "")
        tile = seen.page.locator(".facts div", has_text="Private values given away")
        assert tile.locator("span.warn").inner_text().startswith("⚠")


@pytest.mark.long
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
        insensitive=["income"],
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
