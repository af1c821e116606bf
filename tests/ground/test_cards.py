# SPDX-License-Identifier: Apache-2.0
"""What notebooks show of plans, releases, verdicts and comparisons: small, whole, and no cell of the private table."""

from __future__ import annotations

import pickle
from html.parser import HTMLParser
from typing import Any

import polars as pl
import pytest

import shoal

SECRET = "SECRET"
ROWS = 24


def private() -> pl.DataFrame:
    """A table whose every text cell says so."""
    return pl.DataFrame(
        {
            "<age>": [1_000_000 + number for number in range(ROWS)],
            "town": [f"{SECRET} town {number % 4}" for number in range(ROWS)],
            "disease": [f"{SECRET} disease {number % 5}" for number in range(ROWS)],
            "name": [f"{SECRET} name {number}" for number in range(ROWS)],
        }
    )


def tree() -> list[list[str]]:
    """Leaves that are values of the table."""
    return [[f"{SECRET} town {number}", f"half {number // 2}", "*"] for number in range(4)]


@pytest.fixture(scope="module")
def release() -> shoal.Release:
    """A release of the private table under two models."""
    return shoal.anonymize(
        private(),
        k=3,
        quasi_identifiers=["<age>", "town"],
        sensitive=["disease"],
        identifiers=["name"],
        hierarchies={"town": tree()},
        models={"l_diversity": {"l": 2}, "alpha_k": {"alpha": 0.9, "values": [f"{SECRET} disease 1"]}},
        method="mondrian",
    )


@pytest.fixture(scope="module")
def comparison() -> shoal.Comparison:
    """Two methods on the private table."""
    return shoal.compare(
        private(), methods=["mondrian", "hilbert"], k=[3], quasi_identifiers=["<age>", "town"], sensitive=["disease"]
    )


class Reader(HTMLParser):
    """Notes open tags, and everything that a page could load or run."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in ("br", "wbr", "meta", "img", "hr", "path", "line", "rect", "circle", "use"):
            self.open.append(tag)
        outside = [value for name, value in attrs if name in ("src", "href") and value and not value.startswith("#")]
        self.loaded += [tag] if tag in ("script", "img", "link", "iframe") else outside

    def handle_endtag(self, tag: str) -> None:
        if tag in self.open:
            assert self.open.pop() == tag


@pytest.mark.parametrize("what", ["plan", "verdict", "failed verdict", "release", "comparison"])
def test_cards(what: str, release: shoal.Release, comparison: shoal.Comparison) -> None:
    """Well-formed, small, loads and runs nothing, escapes names and shows no cell."""
    shown: dict[str, Any] = {
        "plan": release.plan,
        "verdict": release.verdict,
        "failed verdict": shoal.check(private(), quasi_identifiers=["town"], identifiers=["name"], k=10),
        "release": release,
        "comparison": comparison,
    }
    page = shown[what]._repr_html_()
    reader = Reader()
    reader.feed(page)
    assert reader.open == []
    assert reader.loaded == []
    assert SECRET not in page
    assert "1000" not in page.replace(",", "")
    assert "<age>" not in page
    assert len(page) < 30_000


def test_the_plan_tells_everything_in_short(release: shoal.Release) -> None:
    """Roles, kinds, models and trees; of lists and trees only how large they are."""
    page = release.plan._repr_html_()
    for word in (
        "&lt;age&gt;",
        "quasi-identifier",
        "4 values, 3 levels",
        "alpha = 0.9",
        "values = 1 in all",
        "mondrian",
    ):
        assert word in page, word


def test_the_verdict_tells_what_holds(release: shoal.Release) -> None:
    """Each model with its mark, and leaks with what to do."""
    assert "shoal verdict: holds" in release.verdict._repr_html_()
    failed = shoal.check(private(), quasi_identifiers=["town"], identifiers=["name"], k=10)
    page = failed._repr_html_()
    assert "does not hold" in page
    assert "DOES NOT HOLD" in page
    assert "what to do" in page


def test_a_plan_can_be_pickled(release: shoal.Release) -> None:
    """Whole, trees included."""
    again = pickle.loads(pickle.dumps(release.plan))
    assert again.to_dict() == release.plan.to_dict()
    assert again.columns["town"].hierarchy.rows() == release.plan.columns["town"].hierarchy.rows()
