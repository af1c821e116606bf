# SPDX-License-Identifier: Apache-2.0
"""Plots are well-formed, show every method and the bound, and names lie on nothing."""

from __future__ import annotations

import itertools
import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.ground.errors import PlanError
from shoal.ground.svg import width_of
from shoal.studies.comparing.attribution import Attribution, Effect
from shoal.studies.comparing.comparison import PLOTS, Comparison
from shoal.studies.comparing.labels import HIGH, Spot, beside
from shoal.studies.comparing.page import page

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    """All texts of a picture."""
    return [one.text or "" for one in ElementTree.fromstring(svg).iter(f"{SVG}text")]


@pytest.mark.parametrize("kind", PLOTS)
def test_a_plot_names_every_method(invented: Comparison, kind: str, tmp_path: Path) -> None:
    """Each method that gave a table is labelled; the one that did not is absent; the file is the picture."""
    picture = invented.plot(kind)
    told = texts(picture.svg)
    assert all(any(text.startswith(name) for text in told) for name in ("fine", "quick", "coarse", "boxy"))
    assert not any("picky" in text for text in told)
    assert picture.save(tmp_path / "plot.svg").read_text() == picture.svg == picture._repr_html_()


@pytest.mark.parametrize("kind", ["loss_k", "loss_time"])
def test_the_bound_is_a_line(invented: Comparison, kind: str) -> None:
    """The lower bound is drawn and labelled where it is known, and absent where it is not."""
    svg = invented.plot(kind).svg
    assert 'class="bound"' in svg
    assert "lower bound" in texts(svg)
    without = replace(invented, bounds=dict.fromkeys(invented.bounds))
    assert 'class="bound"' not in without.plot(kind).svg


def test_less_loss_is_further_down(invented: Comparison) -> None:
    """The line of the better method lies below that of the worse, and the bound below both."""
    root = ElementTree.fromstring(invented.plot("loss_k").svg)
    ends = {}
    for path in root.iter(f"{SVG}path"):
        title = path.find(f"{SVG}title")
        if title is not None:
            ends[(title.text or "").partition(":")[0]] = float(path.attrib["d"].split()[-1])
    assert ends["coarse"] < ends["quick"] < ends["fine"] < ends["lower bound"]


def test_light_and_dark_and_no_foreign_thing(invented: Comparison) -> None:
    """A picture brings both looks with it and loads nothing."""
    svg = invented.plot().svg
    assert "prefers-color-scheme:dark" in svg
    assert re.findall(r"(?:href|src|url)\s*[=(]", svg) == []


def test_column_names_are_escaped(invented: Comparison) -> None:
    """A column may be called anything."""
    nasty = '<script>&"'
    outcomes = tuple(replace(one, per_column={nasty: 0.1}) for one in invented.outcomes)
    found = replace(invented, outcomes=outcomes, quasi_identifiers=(nasty,))
    ElementTree.fromstring(found.plot("columns").svg)
    assert "<script" not in page(found)


def test_an_unknown_plot_is_refused(invented: Comparison) -> None:
    """The plots there are get named."""
    with pytest.raises(PlanError) as problem:
        invented.plot("pie")
    assert "loss_k" in problem.value.allowed


def test_the_page_allows_nothing_from_outside(invented: Comparison) -> None:
    """The page carries its figures, reasons and plots, and forbids everything that is not its own style."""
    text = page(invented)
    assert "default-src 'none'" in text
    assert text.count("<svg") == 3
    assert "The table is too large." in text
    assert "Use fine: it loses least at every k." in text


def test_the_attribution_plot(invented: Comparison) -> None:
    """A row per column, the costliest first; what could not be tried is a dash."""
    effects = (
        Effect("sex", "drop", "", 1.0, 0.3, 0.25, 0.5),
        Effect("age", "drop", "", 1.0, 0.3, 0.1, 0.5),
        Effect("age", "bin", "no", None, 0.3, None, None),
    )
    found = Attribution("fine", 5, 0, "ncp", 0.3, {"sex": 0.1, "age": 0.5}, {"sex": 1.0, "age": 1.0}, effects)
    told = texts(found.plot().svg)
    assert told.index("age") < told.index("sex")
    assert "–" in told
    assert 'class="mark"' in found.plot().svg


@given(st.lists(st.tuples(st.floats(80, 700), st.floats(60, 300)), min_size=1, max_size=14))
def test_names_lie_on_no_other_name(points: list[tuple[float, float]]) -> None:
    """With room enough, no two names overlap."""
    spots = [Spot(f"method_{number}", x, y) for number, (x, y) in enumerate(points)]
    labels = beside(spots, (0, 0, 900, 900))
    boxes = [(one.x, one.y, width_of(one.told)) for one in labels]
    for (x, y, wide), (a, b, w) in itertools.combinations(boxes, 2):
        assert x + wide <= a + 1e-6 or a + w <= x + 1e-6 or abs(y - b) >= HIGH - 1e-6
