# SPDX-License-Identifier: Apache-2.0
"""Labels of published cells are taken apart, ours and those of other tools."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.judging.labels.lines import Line
from shoal.judging.labels.spelling import members
from shoal.tables.notation import Notation

EVERYTHING = (-np.inf, np.inf)


def written(value: str) -> str:
    """One member of a set the way a release writes it."""
    return json.dumps(value) if any(mark in value for mark in ',{}"\\') else value


@given(st.lists(st.text(min_size=1).filter(lambda text: text == text.strip()), min_size=1, max_size=6))
def test_sets_read_back(values: list[str]) -> None:
    """Whatever characters the values hold, a written set reads back as the same values."""
    assert members("{" + ", ".join(map(written, values)) + "}") == values


@pytest.mark.parametrize("label", ["a", "[a, b]", "{a", "a}", ""])
def test_other_labels_are_no_sets(label: str) -> None:
    """Only braces make a set."""
    assert members(label) is None


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("-5-10", (-5, 10)),
        ("-10--5", (-10, -5)),
        ("37", (37, 37)),
        ("37.0", (37, 37)),
        ("-5", (-5, -5)),
        ("[35, 39]", (35, 39)),
        ("[35,39]", (35, 39)),
        ("[35; 39]", (35, 39)),
        ("[35-39]", (35, 39)),
        ("[-5, -1]", (-5, -1)),
        ("35-39", (35, 39)),
        ("35 – 39", (35, 39)),
        ("35..39", (35, 39)),
        ("(35, 39]", (36, 39)),
        ("]35, 39]", (36, 39)),
        ("[35, 40[", (35, 39)),
        ("[35, 40)", (35, 39)),
        ("(17.9, 35.2]", (18, 35)),
        (">=90", (90, 100)),
        ("> 90", (91, 100)),
        ("≤20", (10, 20)),
        ("<20", (10, 19)),
        (">=200", (200, 200)),
        ("3*", (30, 39)),
        ("{35, 37, 39}", (35, 39)),
        ("*", EVERYTHING),
        ("old", None),
        ("", None),
        ("[39, 35]", None),
        ("[35, 39", None),
        ("inf", None),
        ("nan", None),
        ("1_000", None),
        ("[35, old]", None),
        ("{35, old}", None),
        ("(35, 36)", None),
    ],
)
def test_labels_of_whole_numbers(label: str, expected: tuple[float, float] | None) -> None:
    """Ranges in the usual spellings, half-open ones by the next whole number, all else refused."""
    assert Line(np.array([10.0, 100.0]), "integer").read(label) == expected


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("1,5", (1.5, 1.5)),
        ("[1,5; 2,5]", (1.5, 2.5)),
        ("[1, 2]", (1, 2)),
        ('{"1,5", 2}', (1.5, 2)),
        ("[1,5]", None),
    ],
)
def test_labels_with_decimal_comma(label: str, expected: tuple[float, float] | None) -> None:
    """A decimal comma is never taken for the comma of a range."""
    assert Line(np.array([0.0, 9.0]), "real", Notation(",")).read(label) == expected


def day(text: str) -> float:
    """Days since 1970."""
    return float(np.datetime64(text, "D").astype(int))


@pytest.mark.parametrize(
    ("label", "first", "last"),
    [
        ("2020-01-31", "2020-01-31", "2020-01-31"),
        ("[2020-01-31, 2020-03-01]", "2020-01-31", "2020-03-01"),
        ("[2020-01-31, 2020-03-01[", "2020-01-31", "2020-02-29"),
        ("2020-01-31 - 2020-03-01", "2020-01-31", "2020-03-01"),
        ("2020-02", "2020-02-01", "2020-02-29"),
        ("2020-12", "2020-12-01", "2020-12-31"),
        ("2020", "2020-01-01", "2020-12-31"),
    ],
)
def test_labels_of_days(label: str, first: str, last: str) -> None:
    """Days, ranges of days, and whole months and years."""
    assert Line(np.array([0.0, 20_000.0]), "date").read(label) == (day(first), day(last))


@pytest.mark.parametrize("label", ["2020-13", "2020-02-30", "0000", "yesterday", "18262"])
def test_days_that_do_not_exist_are_refused(label: str) -> None:
    """No date is guessed."""
    assert Line(np.array([0.0, 20_000.0]), "date").read(label) is None


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        ("low", (0, 0)),
        ("[low, high]", (0, 2)),
        ("[low, mid, or so]", (0, 1)),
        ('[low, "mid, or so"]', (0, 1)),
        ("[low, none]", None),
        ("mid", None),
    ],
)
def test_labels_of_ordered_categories(label: str, expected: tuple[float, float] | None) -> None:
    """Ends are category names, even where a name holds a comma."""
    ranks = {"low": 0.0, "mid, or so": 1.0, "high": 2.0}
    assert Line(np.array([0.0, 1.0, 2.0]), "ordered", ranks=ranks).read(label) == expected
