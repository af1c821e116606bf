# SPDX-License-Identifier: Apache-2.0
"""Every method, model and metric has a page of its own, written from its own words, with a picture."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from shoal.ground import catalog

DOCS = Path(__file__).resolve().parents[2] / "docs"


def generator(name: str = "generate_methods"):
    """The script that writes the pages."""
    found = importlib.util.spec_from_file_location(name, DOCS / f"{name}.py")
    module = importlib.util.module_from_spec(found)
    found.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", catalog.names("algorithms"))
def test_page_is_up_to_date(name: str) -> None:
    """Page and picture are what ``make docs`` would write now."""
    text, picture = generator().page(name)
    assert (DOCS / "methods" / f"{name}.md").read_text(encoding="utf-8") == text, "run make docs"
    assert (DOCS / "methods" / f"{name}.svg").read_text(encoding="utf-8") == picture, "run make docs"


def test_list_is_up_to_date() -> None:
    """Every method's page is reachable from the list of methods."""
    assert (DOCS / "methods" / "index.md").read_text(encoding="utf-8") == generator().index(), "run make docs"


def test_every_record_is_tied_to_its_class() -> None:
    """As many lines as records, each ending at one, and of the colour of its dot: overlapping frames confuse nobody."""
    drawn = generator().page("hilbert")[1]
    dots = re.findall(r'<circle class="f(\d)" cx="([\d.]+)" cy="([\d.]+)"', drawn)
    ties = re.findall(r'<path class="s(\d)" d="M[\d. ]+ L([\d.]+) ([\d.]+)"', drawn)
    assert len(dots) == 60
    assert sorted((ink, float(x), float(y)) for ink, x, y in ties) == sorted(
        (ink, float(x), float(y)) for ink, x, y in dots
    )


@pytest.mark.parametrize("room", ["privacy_models", "metrics"])
def test_every_model_and_metric_has_its_page(room: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Written from its own words, with its picture where it can be drawn, and on the list of its folder."""
    monkeypatch.syspath_prepend(str(DOCS))  # the scripts share a table
    writer = generator("generate_measures")
    folder = DOCS / writer.FOLDERS[room]
    for name in catalog.names(room):
        drawn = (folder / f"{name}.svg").is_file()
        assert (folder / f"{name}.md").read_text(encoding="utf-8") == writer.page(room, name, drawn=drawn), "make docs"
    lists = writer.indexes()
    assert {name: (DOCS / name).read_text(encoding="utf-8") for name in lists} == lists, "run make docs"


@pytest.mark.parametrize("name", catalog.names("metrics"))
def test_every_sign_of_a_formula_is_explained(name: str) -> None:
    """No letter stands in a formula that the list below it leaves out."""
    assert list(generator("formulas").unexplained(name, catalog.find("metrics", name).docstring)) == []


def test_an_unknown_sign_is_noticed() -> None:
    """The test above can fail."""
    assert list(generator("formulas").unexplained("ncp", "A.\n\n    NCP = w Ξ z\n\nB.")) == ["z"]


@pytest.mark.long
def test_pictures_of_measures_are_up_to_date(monkeypatch: pytest.MonkeyPatch) -> None:
    """The lines over k are what the measures come to now."""
    monkeypatch.syspath_prepend(str(DOCS))
    writer = generator("generate_measures")
    for room, each in writer.curves().items():
        for name, curve in each.items():
            path = DOCS / writer.FOLDERS[room] / f"{name}.svg"
            assert path.is_file() == (len(curve) > 1)
            assert len(curve) <= 1 or path.read_text(encoding="utf-8") == writer.picture(name, curve), "run make docs"
