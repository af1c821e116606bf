# SPDX-License-Identifier: Apache-2.0
"""Warnings in Python say what, where and what to do, as errors do."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import polars as pl

import shoal
from shoal.ground import catalog
from shoal.judging.verdicts import Leak
from shoal.releases.release import Release
from shoal.releases.reports.advice import FLAG, KEYWORDS, UNSTOPPED

PEOPLE = pl.DataFrame(
    {
        "age": [20 + row % 30 for row in range(60)],
        "visit": [f"2024-{1 + row % 12:02d}-{1 + row % 28:02d}" for row in range(60)],
        "disease": ["flu", "cold", "gout", "measles", "mumps", "rash"] * 10,
    }
)
ROLES: dict[str, Any] = {"quasi_identifiers": ["age"], "sensitive": ["disease"], "method": "hilbert", "k": 5}


def said(act: Callable[[], object]) -> list[str]:
    """The texts of all warnings."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        act()
    return [str(one.message) for one in caught]


def test_a_leak_is_warned_of_with_its_column_and_its_remedy() -> None:
    """What to do is told by keywords; the first line is the statement of the verdict, by which it can be filtered."""
    (told,) = said(lambda: shoal.anonymize(PEOPLE, **ROLES, insensitive=["visit"]))
    what, where, todo = told.split("\n")
    assert what == "column 'visit' is different in every row: it may be an identifier left in"
    assert where == "  where     column 'visit'"
    assert todo.startswith("  next      name it by identifiers= or quasi_identifiers=, or by sensitive= if")
    assert "--" not in told


def test_leaks_without_a_column_and_warnings_without_a_leak(make: Callable[..., Release]) -> None:
    """A part that has nothing to say is left out; what says itself what to do stays as it is."""
    release = make()
    leak = Leak("container_notes", "warning", "the file has notes", "write it anew")
    release = replace(
        release, verdict=replace(release.verdict, warnings=("the file has notes", "so be it"), leaks=(leak,))
    )
    told = said(release.warn)
    assert told[:2] == ["the file has notes\n  next      write it anew", "so be it"]


def test_what_no_model_would_stop_names_the_column() -> None:
    """Sub-tables repeat a private column, and no model of classes is about them."""
    frame = PEOPLE.with_columns(sex=pl.Series(["f", "m"] * 30), disease=pl.Series(["flu"] * 58 + ["cold"] * 2))
    given = {**ROLES, "quasi_identifiers": ["age", "sex"], "method": "equal_combination", "k": 3}
    told = said(lambda: shoal.anonymize(frame, **given, drop=["visit"], accept_weaker=True))
    (exposed,) = [one for one in told if one.startswith("given away")]
    assert exposed.split("\n")[1:] == ["  where     column 'disease'", f"  next      {UNSTOPPED}"]


def test_every_flag_that_a_warned_leak_advises_has_its_keyword() -> None:
    """Advice of ``leaks/`` names flags; those of warnings are told in Python by keywords."""
    advised = set()
    for entry in catalog.entries("leaks").values():
        texts = re.findall(r'"([^"\n]*--[^"\n]*)"', entry.path.read_text(encoding="utf-8") if entry.path else "")
        advised |= {flag for text in texts for flag in FLAG.findall(text)}
    assert advised == set(KEYWORDS)
