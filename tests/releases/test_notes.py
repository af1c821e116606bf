# SPDX-License-Identifier: Apache-2.0
"""What a run says about settings and searches that came to nothing."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.engine.refining.search import Refined
from shoal.releases.notes import search_notes
from shoal.releases.reports.text import summary

ROLES = {"quasi_identifiers": ["age", "sex"], "method": "mondrian"}


def people(rows: int) -> pl.DataFrame:
    """People in pairs of ages."""
    return pl.DataFrame({"age": [20 + i // 2 % 40 for i in range(rows)], "sex": ["f", "m"] * (rows // 2)})


@pytest.mark.parametrize(
    ("rows", "share", "words"), [(80, 0.05, "wholly lost"), (10, 0.05, "less than one row"), (80, 0.0, "")]
)
def test_suppression_that_leaves_nobody_out_says_why(rows: int, share: float, words: str) -> None:
    """Whoever allows rows to be left out learns why none was; who does not, hears nothing of it."""
    release = shoal.anonymize(people(rows), k=2, suppression=share, **ROLES)
    told = [note for note in release.notes if "left out" in note]
    assert len(told) == bool(words)
    assert all(words in note for note in told)


@pytest.mark.parametrize(("k", "said"), [(10, False), (11, True), (20, True), (1, False)])
def test_a_k_of_more_than_half_the_rows_is_told(k: int, said: bool) -> None:
    """All rows are one group then, which holds and is of no use; two groups of half the rows need no word."""
    release = shoal.anonymize(people(20), k=k, **ROLES)
    told = [note for note in release.notes if "more than half of the 20 rows" in note]
    assert len(told) == said
    assert not said or told[0] in summary(release)


FOUND_NOTHING = {
    "nothing is lost": (
        pl.DataFrame({"age": [30, 40] * 10, "sex": ["f", "m"] * 10}),
        "groups it began with lose nothing",
    ),
    "few rows": (people(6), "no groups of so few rows lose less"),
    "one group": (people(20), "the search found no groups that lose less than those it began with"),
}


@pytest.mark.parametrize(("table", "words"), FOUND_NOTHING.values(), ids=list(FOUND_NOTHING))
def test_a_search_that_found_nothing_better_says_so(table: pl.DataFrame, words: str) -> None:
    """In one line on the console and in the report."""
    k = len(table) if words.startswith("the search") else 2
    release = shoal.anonymize(table, k=k, quasi_identifiers=["age", "sex"])
    (note,) = [note for note in release.notes if "search" in note]
    assert words in note
    assert sum(note in line for line in summary(release).splitlines()) == 1
    assert note in release.report()


def test_a_search_that_found_something_says_nothing() -> None:
    """Its steps stand in the report; so it is without any search."""
    table = shoal.synthetic_patients(120, seed=1).select("age", "postcode", "nationality")
    improved = shoal.anonymize(table, k=4, quasi_identifiers=table.columns, method="systematic", refine=True)
    unsearched = shoal.anonymize(table, k=4, quasi_identifiers=table.columns, method="mondrian")
    assert not [
        note for one in (improved, unsearched) for note in one.notes if "search" in note and "shoal" not in note
    ]


def test_what_is_lost_by_rounding_is_no_gain() -> None:
    """A stopped search says that it was; the last digits of a sum are no improvement."""
    begun, ended = 0.3, 0.3 * (1 - 1e-15)
    found = Refined(np.zeros(20, dtype=np.int64), 100, stop_after=50, losses=[(0.0, begun), (1.0, ended)])
    assert list(search_notes(found)) == [
        "until it was stopped, the search found no groups that lose less than those it began with"
    ]
    assert not list(search_notes(replace(found, losses=[(0.0, begun), (1.0, 0.2)])))
    assert not list(search_notes(None))
