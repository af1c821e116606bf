# SPDX-License-Identifier: Apache-2.0
"""Every method has a page of its own, written from its own words, with a picture of its classes."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from shoal.ground import catalog

DOCS = Path(__file__).resolve().parents[2] / "docs"


def generator():
    """The script that writes the pages."""
    found = importlib.util.spec_from_file_location("generate_methods", DOCS / "generate_methods.py")
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
    dots = re.findall(r'<circle[^>]*cx="([\d.]+)" cy="([\d.]+)"[^>]*fill="(#\w+)"', drawn)
    ties = re.findall(r'<path[^>]*d="M[\d. ]+ L([\d.]+) ([\d.]+)"[^>]*stroke="(#\w+)"', drawn)
    assert len(dots) == 60
    assert sorted((float(x), float(y), ink) for x, y, ink in ties) == sorted(
        (float(x), float(y), ink) for x, y, ink in dots
    )
