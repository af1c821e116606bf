# SPDX-License-Identifier: Apache-2.0
"""The release in memory: its table of the right kind, its words without cells."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl

from shoal.releases.kinds.classes import gather_facts
from shoal.releases.record import Record
from shoal.releases.release import Release
from shoal.tables.table import Table


def test_without_a_way_back_the_table_is_a_polars_frame(release: Release) -> None:
    """Tables that came from files are handed over as they are."""
    assert isinstance(release.table, pl.DataFrame)


def test_the_table_is_handed_back_once(release: Release) -> None:
    """The way back is asked once, with the released table and the rows it shows."""
    seen: list[Any] = []

    def hand_back(released: Table, rows: Any, changed: Any) -> str:
        seen.append((released, rows, changed))
        return "frame"

    back = release.handed_back_by(hand_back)
    assert back.table == back.table == "frame"
    assert len(seen) == 1
    assert seen[0][0] is release.released
    assert seen[0][1] is release.rows
    assert seen[0][2] == {"age", "job"}


def test_prefixed_formulas_reach_the_frame(release: Release) -> None:
    """A column whose formulas were prefixed is not handed back from the input."""
    facts = {**release.facts, "formula_cells": {"disease": 2}}
    back = replace(release, facts=facts).handed_back_by(lambda released, rows, changed: changed)
    assert back.table == {"age", "job"}
    assert replace(back, record=Record.of(replace(release.plan, formulas="prefix"))).table == {"age", "job", "disease"}


def test_its_words_hold_no_cell(release: Release) -> None:
    """Neither in a console nor in a notebook does a release print cells of its table."""
    for text in (repr(release), release._repr_html_(), release.report()):
        for cell in ("[20, 29]", "cough", "cold", "flu"):
            assert cell not in text
    assert "k = 3" in repr(release)


def test_facts_count_groups_and_rows(release: Release) -> None:
    """Sizes of groups, rows left out and removed identifiers, worked out by hand."""
    facts = release.facts
    assert (facts["rows"], facts["released_rows"], facts["suppressed"]) == (8, 7, 1)
    assert (facts["classes"], facts["smallest_class"], facts["largest_class"]) == (2, 3, 4)
    assert facts["class_sizes"] == {3: 1, 4: 1}
    assert facts["identifiers_removed"] == ["name"]
    assert facts["order"] == "shuffled"


def test_facts_of_a_release_without_rows(release: Release) -> None:
    """If every row was left out there are no groups, and that is no crash."""
    empty = replace(release.released, frame=release.released.frame.head(0))
    facts = gather_facts(release.plan, empty, np.array([-1, -1]))
    assert (facts["classes"], facts["smallest_class"], facts["class_sizes"]) == (0, 0, {})
