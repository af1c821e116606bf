# SPDX-License-Identifier: Apache-2.0
"""The HTML report: complete, well formed, silent, accessible, and the same every time."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser

import pytest

from shoal.engine.bounds.certificate import Certificate
from shoal.ground.pages import style
from shoal.judging.attempts import Attempt
from shoal.judging.evidence import Measurement
from shoal.judging.portraits.portrait import Bin, ColumnPortrait, LabelBar, Pair
from shoal.judging.verdicts import Leak
from shoal.releases.record import Record
from shoal.releases.release import Release
from shoal.releases.remedies import Remedy
from shoal.releases.reports import charts
from shoal.releases.reports.charts import chances
from shoal.releases.reports.findings import size_bins
from shoal.releases.reports.first_page import first_page
from shoal.releases.reports.html import STYLE as SHEET
from shoal.releases.reports.html import card, html
from shoal.releases.reports.sections.columns import _drawn, _label
from shoal.releases.reports.sections.learned import _rows
from shoal.releases.reports.sections.together import _chart
from shoal.releases.reports.text import summary

VOID = {"meta", "br", "wbr", "rect", "line", "circle", "path"}


class Page(HTMLParser):
    """Reads a page, insisting that every element is closed in order."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(self.texts)

    def tags(self) -> list[str]:
        return [tag for tag, _ in self.elements]

    def ids(self) -> list[str]:
        return [str(attributes["id"]) for _, attributes in self.elements if "id" in attributes]


STYLE = style(SHEET)
NASTY = '<img src=x onerror="alert(1)">'


def test_every_section_is_there(release: Release) -> None:
    """From the promise to the words, in order, each with its main fact."""
    page = Page(html(release))
    headings = re.findall(r"<h2[^>]*>([^<]*)</h2>", html(release))
    assert headings == [
        "What remains",
        "What is promised",
        "What holds, and what it does not hide",
        "What was lost",
        "Before and after, column by column",
        "What still goes together",
        "How many look alike",
        "What risk remains",
        "What an attacker could still learn",
        "What this does not protect against",
        "How it was made, and how to verify it",
    ]
    for told in ("1 time in 10", "with the method shoal", "shoal check", "6 %", "1 in 10", "look-alike group", "Holds"):
        assert told in page.text


@pytest.mark.parametrize("names", [(NASTY, "b"), ('"><script>', "</svg>"), ("a&amp;b", "'")])
def test_column_names_cannot_break_out(make: Callable[..., Release], names: tuple[str, str]) -> None:
    """Names from a stranger's table are shown as text and never become elements."""
    page, plain = Page(html(make(names))), Page(html(make()))
    assert page.tags() == plain.tags()
    assert all(name in page.text for name in names)
    assert Page(card(make(names))).tags() == Page(card(make())).tags()


def test_nothing_is_loaded_and_nothing_runs(release: Release) -> None:
    """One file, no network, no script, not even a style from elsewhere."""
    page = Page(html(release))
    assert not {"script", "link", "img", "iframe", "object", "base", "form"} & set(page.tags())
    for _, attributes in page.elements:
        assert not [name for name in attributes if name.startswith("on") or name in ("src", "style")]
        assert str(attributes.get("href", "#")).startswith("#")
    assert "://" not in html(release)
    assert "url(" not in STYLE
    assert "default-src 'none'" in html(release)


def test_links_and_labels_lead_somewhere(release: Release) -> None:
    """Every id is used once; every link and every aria-labelledby names one."""
    page = Page(html(release))
    assert len(page.ids()) == len(set(page.ids()))
    for _, attributes in page.elements:
        wanted = str(attributes.get("aria-labelledby", "")).split()
        wanted += [attributes["href"].removeprefix("#")] if attributes.get("href") else []
        assert set(wanted) <= set(page.ids())


def test_charts_can_be_read_without_eyes(release: Release) -> None:
    """Each chart has a title, a description and a table; landmarks, language and a skip link are there."""
    text = html(release)
    page = Page(text)
    charts = re.split(r'<svg class="chart(?: small)?"', text)[1:]
    assert len(charts) == 8
    for chart in charts:
        assert re.match(r"[^>]*role=\"img\"[^>]*><title id=\"[^\"]+\">.+?</title><desc[^>]*>[^<]+</desc>", chart)
        assert "<table" in chart or "attacks-title" in chart  # what an attacker learned stands in cards of words
    assert {"header", "nav", "main", "footer", "h1"} <= set(page.tags())
    assert '<html lang="en">' in text


def test_no_cell_no_time_no_path(release: Release) -> None:
    """The report shows neither cells nor timings."""
    assert "secret cell" not in html(release)
    assert "123.456" not in html(release)


def test_the_same_release_gives_the_same_bytes(make: Callable[..., Release]) -> None:
    """Nothing in the page depends on when or where it was made."""
    assert html(make()) == html(make())


def test_a_verdict_of_no_is_said_in_words(make: Callable[..., Release]) -> None:
    """The heading and the verdict say it, not a colour."""
    page = Page(html(make(holds=False)))
    assert "do not hold" in page.text
    assert "✘ Does not hold" in page.text


def test_kept_order_is_warned_about(make: Callable[..., Release]) -> None:
    """A release that keeps the input order says what that gives away."""
    assert "Rows stand in the order of the input" in html(make(keep_order=True))


def test_an_end_far_away_stands_at_the_edge_by_its_name() -> None:
    """Bins to scale have nearly all the room; a gap in both outlines sets the end apart, and the note names it."""
    bins = (
        Bin("20 to under 30", "20", 20.0, 30.0, 0.5, 0.5),
        Bin("30 to under 60", "30", 30.0, 60.0, 0.4, 0.3),
        Bin("60 to 1000000", "60", 60.0, 1e6, 0.1, 0.2, beyond=True),
    )
    figure = _drawn(0, ColumnPortrait("age", "quasi-identifier", True, bins, "1000000", kept=0.9))
    assert figure is not None
    assert figure.note == "Not to scale: 60 to 1000000."
    drawn = str(figure.drawing)
    outlines = re.findall(r' d="([^"]*)"', drawn)
    assert [one.count("M") for one in outlines] == [2, 2]
    assert all(one.startswith("M0,88L0,") and "L820,88M860,88L860," in one for one in outlines)
    assert "L205," in outlines[0]
    assert drawn.count('class="axis"') == 2


@pytest.mark.parametrize(("formulas", "said"), [("keep", "kept as they are"), ("prefix", "prefixed")])
def test_formula_cells_are_counted(make: Callable[..., Release], formulas: str, said: str) -> None:
    """Cells that a spreadsheet would run are counted by column, with what was done to them."""
    assert re.search(rf"{said}.*disease 3", html(make(formulas=formulas)))


def test_an_undefined_measure_is_called_undefined(release: Release) -> None:
    """NaN is no number for people; the note says why."""
    assert re.search(r"eloss</th><td[^>]*>undefined<", html(release))
    assert "nan" not in Page(html(release)).text.lower().split()


@pytest.mark.parametrize("sizes", [(), (10,), (10, 11), tuple(range(10, 60)), (10, 100_000)])
def test_any_sizes_of_groups_can_be_drawn(make: Callable[..., Release], sizes: tuple[int, ...]) -> None:
    """No rows, one group, many sizes, a giant group: a page that is well formed."""
    assert "How many look alike" in Page(html(make(sizes=sizes))).text


@pytest.mark.parametrize(
    ("age", "title"),
    [
        (0.06, "3 % of the detail was blurred, the most in age (6 %)"),
        (0.0, "No detail was blurred in any column"),
        (math.nan, "The most in zip (2 %)"),
    ],
)
def test_the_title_of_the_loss_chart_is_its_finding(release: Release, age: float, title: str) -> None:
    """A column whose loss is undefined is neither the largest nor nothing."""
    per_cell, zipped = (math.nan, 0.02) if math.isnan(age) else (0.03, 0.0)
    loss = Measurement("ncp", 1.0, "lower", (0.0, 9.0), {"per_cell": per_cell}, {"age": age, "zip": zipped})
    assert f"<figcaption>{title}</figcaption>" in html(replace(release, measurements=(loss,)))


@pytest.mark.parametrize(
    ("sizes", "title"),
    [
        ((10, 10), "Every row is in a group of 10 look-alikes"),
        ((10, 10, 11, 40), "Every row is in a group of 10 to 40 look-alikes, half of them in groups up to 40"),
        ((10, 10, 10, 12), "Every row is in a group of 10 to 12 look-alikes, half of them in groups up to 10"),
    ],
)
def test_the_title_of_the_histogram_is_its_finding(
    make: Callable[..., Release], sizes: tuple[int, ...], title: str
) -> None:
    """The range of the sizes, and the size that half of the *rows* do not exceed, by hand."""
    assert f"<figcaption>{title}</figcaption>" in html(make(sizes=sizes))


def hexes(block: str) -> dict[str, str]:
    return dict(re.findall(r"--(\w+):(#[0-9a-f]{3,6})", block))


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2.2 defines it."""
    digits = colour[1:] if len(colour) == 7 else "".join(2 * letter for letter in colour[1:])
    parts = [int(digits[place : place + 2], 16) / 255 for place in (0, 2, 4)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("block", re.findall(r":root\{([^}]*)\}", STYLE), ids=["light", "dark", "print"])
def test_contrast_is_enough(block: str) -> None:
    """Text at least 4.5 to 1, lines and bars at least 3 to 1, in each colour scheme."""
    colours = hexes(block)
    for name in ("ink", "soft", "good", "bad", "warn", "link"):
        assert contrast(colours[name], colours["paper"]) >= 4.5, name
    assert contrast(colours["ink"], colours["band"]) >= 4.5
    for name in ("line", "fill"):
        assert contrast(colours[name], colours["paper"]) >= 3, name
    assert contrast(colours["fill"], colours["track"]) >= 3


def test_before_and_after_is_told_in_words_and_numbers(release: Release) -> None:
    """What a picture shows is its caption; shares of both sides stand in the page; few rows are no number."""
    text = Page(html(release)).text
    for told in (
        "Keeps 75 % of its shape",
        "60 % → 20 %",
        "20 to under 30",
        "fewer than k rows → 10 %",
        "Published as it is",
        "cannot be drawn",
        "Pairs of columns moved by 0.25 on average, the most age and zip (0.50 → 0.25)",
        "Measured on 20,000 rows",
        "The private value is certain in 3 % of cases.",
        "Not tried",
    ):
        assert told in text, told


def test_a_release_without_its_original_says_so(release: Release) -> None:
    """A release that was put together by hand has nothing to compare with, and the page is whole."""
    text = Page(html(replace(release, drawn=None))).text
    assert "nothing to compare" in text
    assert "No attack was tried" in text


def test_rows_left_out_are_counted(release: Release) -> None:
    """How many and what that means; nothing where there are none."""
    assert "Rows left out" not in html(release)
    page = Page(html(replace(release, facts={**release.facts, "rows": 40, "suppressed": 8}))).text
    assert "8 of 40 rows (20 %) were left out" in page
    assert "The 8 rows that were left out are in no figure" in page


def test_the_search_and_its_budget_are_told(release: Release) -> None:
    """A refined release says how long was searched, so that it can be repeated."""
    assert "Search after it" not in html(release)
    told = replace(release, record=Record.of(replace(release.plan, steps=100_000, stop_after=2_500)))
    assert "100,000 steps per row, stopped after 2,500" in html(told)


def test_the_metric_is_defined(release: Release) -> None:
    """Name, formula and source of the loss stand in the page."""
    text = Page(html(release)).text
    assert "Normalised certainty penalty" in text
    assert "Σ_rows Σ_columns" in text
    assert "KDD 2006" in text


def test_leaks_of_one_kind_stand_together(release: Release) -> None:
    """Each with what to do; many alike are counted and folded away."""
    leaks = tuple(Leak("overlapping_labels", "information", f"labels of {one!r}", "nothing") for one in "abcde")
    verdict = replace(release.verdict, leaks=(*leaks, Leak("row_numbers", "warning", "a & b", "drop it")))
    page = Page(html(replace(release, verdict=verdict)))
    assert "5 findings of this kind" in page.text
    assert page.text.count("A & b.") == 1
    assert "Drop it." in page.text


@pytest.mark.parametrize("limit", [0.5, 0.1, 1e-5])
@pytest.mark.parametrize("chance", [1.0, 0.04, 1e-8])
def test_any_chance_stands_on_the_strip(limit: float, chance: float) -> None:
    """From certainty to next to nothing; nothing is drawn outside."""
    drawn = chances("c", "t", "d", [charts.Amount("x", chance, "")], limit)
    places = [float(one) for one in re.findall(r'cx="([\d.]+)%"', drawn)]
    assert len(places) == 1
    assert 0 < places[0] < 100


def test_the_certificate_is_told(release: Release) -> None:
    """Where it is known how much less could be lost, it stands under what was lost; else nothing is said."""
    given = Certificate(0.03, 0.02, 10, 32, 30, "boxes")
    assert "How much less could be lost" not in html(release)
    page = html(replace(release, certificate=given))
    assert given.sentence() in page
    assert "30 of 32" in page


@pytest.mark.parametrize("sizes", [(10, 10, 12), (10, 900), (11, 12, 14)])
def test_the_line_of_k_stands_on_its_bar(make: Callable[..., Release], sizes: tuple[int, ...]) -> None:
    """At the left edge of the column that holds k, or of its place where no group is that small."""
    drawn = re.search(r'aria-labelledby="sizes-title.*?</svg>', html(make(sizes=sizes)), re.DOTALL)
    assert drawn is not None
    columns = len(size_bins(Counter(sizes), 10))
    mark = re.search(r'<line class="mark" x1="([\d.]+)%"', drawn[0])
    assert mark is not None
    assert float(mark[1]) == pytest.approx(10 / columns, abs=0.01)
    if 10 in sizes:
        assert f'<rect class="bar" x="{mark[1]}%"' in drawn[0]
    assert "k = 10" in drawn[0]


def given_away(release: Release, certain: float, **others: float) -> Release:
    """The same release, with so many rows whose private value is given away."""
    figures = {"certain disease": certain, "nearly disease": 0.0, "narrow disease": 0.0, "commonest disease": 0.5}
    found = Measurement("given_away", certain / 32, "lower", (0.0, 1.0), {**figures, "rows": certain, **others})
    remedy = Remedy("l_diversity", {"l": 2}, "--l-diversity 2", 0.01)
    verdict = replace(release.verdict, warnings=())
    return replace(
        release,
        measurements=(*release.measurements, found),
        remedies=(remedy,) if certain else (),
        verdict=verdict,
    )


def test_no_plain_yes_above_what_is_given_away(release: Release) -> None:
    """Word and style of the verdict, the tile, the section and the card in a notebook all carry the note."""
    noted, clean = given_away(release, 20), given_away(release, 0)
    assert '<div class="verdict warn"><strong>⚠ Holds, with a note</strong>' in html(noted)
    assert '<div class="verdict good"><strong>✔ Holds</strong>' in html(clean)
    said = "20 of 32 rows: &#39;disease&#39; is the same for all look-alikes"
    advice = " would stop that all look-alikes share a value; loss about 4 % instead of 3 %"
    flag, keyword = "--l-diversity 2", "models={&#39;l_diversity&#39;: {&#39;l&#39;: 2}}"
    for face, asked in ((html(noted), flag), (card(noted), keyword)):
        assert said in face
        assert asked + advice in face
    assert f"-> {flag}{advice}" in summary(noted)
    assert f"-> {unescape(keyword)}{advice}" in str(noted)
    assert "⚠ Holds, with a note" in card(noted)
    assert "✔ Holds" in card(clean)
    assert "no private value, nor nearly" in card(clean)


def test_a_warning_alone_is_a_note_too(release: Release) -> None:
    """What the checker warns of stands against a plain yes."""
    assert release.verdict.warnings
    assert "⚠ Holds, with a note" in html(release)


def test_tight_ranges_are_explained_and_no_score_is_shown(release: Release) -> None:
    """That both ends of a range occur is told in words; a bar from 39 % to 100 % would be misread."""
    attempt = Attempt("minimality", "cells", None, True, 40, 1.0, 0.39, figures={"pinned": 12})
    assert release.drawn is not None
    page = html(replace(release, drawn=replace(release.drawn, attempts=(attempt,))))
    assert "both ends of [35, 39] are the value of somebody in the group" in page
    assert "39 %" not in page


def test_dropped_columns_stand_apart_from_identifiers(make: Callable[..., Release]) -> None:
    """A column that is not needed is not called one that points to a person; of very many only the first are named."""
    page = Page(html(make(drop=[f"answer {number}" for number in range(183)]))).text
    assert "answer 0, answer 1" in page
    assert "163 more" in page
    assert "not needed; left out of the release" in page


@pytest.mark.parametrize("long", [False, True])
def test_the_first_page_names_as_many_columns_as_fit(make: Callable[..., Release], long: bool) -> None:
    """A few short names stand in the promise; long ones are counted and listed below."""
    names = ("age " * 25, "zip " * 25) if long else ("age", "zip")
    page = first_page(make(names=names))
    assert ("all 2 recognisable columns (listed in section 1)" in page) is long


def test_the_worst_finding_of_an_attack_is_its_mark(release: Release) -> None:
    """Two private columns, one of which was learned beyond the promise."""
    for first, word in ((True, "More than was promised"), (False, "No more than was promised")):
        attempts = (Attempt("skewness", "one", first), Attempt("skewness", "other", False))
        assert [row["word"].split(" ", 1)[1] for row in _rows(attempts)] == [word]
    (row,) = _rows((Attempt("linkage", "one", None), Attempt("linkage", "other", False)))
    assert row["word"].startswith("Note")


@pytest.mark.parametrize(("number", "said"), [(1, None), (6, None), (7, "and 1 more, in section 2")])
def test_the_first_page_counts_models_that_do_not_fit(release: Release, number: int, said: str | None) -> None:
    """Six models stand there; how many more there are is told, if there are any."""
    verdict = replace(release.verdict, findings=release.verdict.findings * number)
    page = first_page(replace(release, verdict=verdict))
    assert (said in page) if said else ("more, in section 2" not in page)


def test_what_is_no_label_stands_in_brackets() -> None:
    """Missing, anything and the others put together are told apart from labels of the table."""
    assert _label(LabelBar("flu", 0.5, 0.5, "label")) == "flu"
    assert _label(LabelBar("missing", 0.5, 0.5, "missing")) == "(missing)"


def test_the_pair_that_moved_most_is_in_the_chart() -> None:
    """The title names it, so that it is drawn though others were stronger; else the strongest ones are."""
    strong = tuple(Pair("age", f"measure {number}", "pearson", 0.9 - number / 100, 0.9) for number in range(8))
    drawn = _chart((*strong, Pair("sex", "ward", "cramers_v", 0.0, 0.29)))
    assert "the most sex and ward (0.00 → 0.29)" in drawn.title
    assert "sex · ward" in drawn.drawing
    assert drawn.note == "The 5 strongest of 9 pairs, and the one that moved most."
    usual = _chart(strong[::-1])
    assert "measure 7" in usual.drawing
    assert usual.note == "The 6 strongest of 8 pairs."


def test_long_names_in_pairs_are_whole_where_there_is_room() -> None:
    """A chart as wide as the page has room for two names of usual length."""
    pair = Pair("Admission date", "Length of stay (days)", "spearman", 0.05, 0.04)
    assert "Admission date · Length of stay (days)</text>" in _chart((pair,)).drawing
