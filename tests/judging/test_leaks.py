# SPDX-License-Identifier: Apache-2.0
"""Leaks: what is left alone, what counts once, and that no table makes a search fail or quote a cell."""

from __future__ import annotations

from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.judging.checking import check
from shoal.judging.labels.lines import span_of
from shoal.judging.leak_search import TextCells
from shoal.judging.leaks.header_cells import _pieces
from shoal.judging.verdicts import Leak
from shoal.tables.table import Table

ODD = [
    *(
        "a",
        "A ",
        "[1, 5]",
        "[1,5]",
        "[5, 1]",
        "*",
        "",
        "?",
        "12",
        "-3.5",
        "1e400",
        "2020-13-45",
        "2020-01-01",
        "{a, b}",
    ),
    *("{a", "554**", ">=9", "x@y.zz", "+49 30 1234567", "\u0663", "\u200b", "NaN", "inf", "'=1", "[", "]", "-", "5-"),
    *("[a, b]", "1_000", "9" * 400),
]


def leaks(columns: dict[str, Any], **given: Any) -> list[Leak]:
    """The leaks of a table, all severities."""
    roles = {"quasi_identifiers": ["age"], "sensitive": ["disease"] if "disease" in columns else []}
    return list(check(pl.DataFrame(columns), **{**roles, **given}).leaks)


def warned(columns: dict[str, Any], **given: Any) -> list[str]:
    """Kinds that are warned about."""
    return [leak.kind for leak in leaks(columns, **given) if leak.severity == "warning"]


def odd_table(random: np.random.Generator, rows: int, names: list[str]) -> Table:
    """Cells that nobody expects."""
    columns = {
        name: [None if random.random() < 0.15 else str(random.choice(ODD)) for _ in range(rows)] for name in names
    }
    untyped, decimal = bool(random.random() < 0.5), "," if random.random() < 0.3 else "."
    return Table(Table.from_columns(columns).frame, untyped=untyped, decimal=decimal)


@pytest.mark.parametrize("seed", range(40))
def test_no_table_makes_a_search_fail_or_quote_a_cell(seed: int) -> None:
    """Every kind of leak can be looked for in every table, beside any original."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(0, 12))
    names = [f"column {place}" for place in range(5)]
    released = odd_table(random, rows, names)
    original = odd_table(random, rows + int(random.integers(0, 3)), [*names, "id"])
    found = check(
        released,
        quasi_identifiers=names[:2],
        sensitive=names[2:3],
        identifiers=["id"],
        original=original if random.random() < 0.7 else None,
        missing=str(random.choice(["own", "wildcard"])),
    ).leaks
    assert [leak.statement for leak in found if "could not be looked for" in leak.statement] == []
    telling = [cell for cell in ODD if len(cell) > 5]
    assert [leak for leak in found if any(cell in leak.statement + leak.todo for cell in telling)] == []


def test_a_search_that_fails_is_told_and_stops_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """The words of an unforeseen failure may quote cells and are withheld."""
    from shoal.judging.leaks import sorted_rows

    def fail(scene: object) -> None:
        raise ValueError("a private cell")

    monkeypatch.setattr(sorted_rows, "find", fail)
    found = leaks({"age": ["x"] * 9, "n": range(9)})
    assert {"row_numbers", "sorted_rows"} <= {leak.kind for leak in found}
    (told,) = [leak.statement for leak in found if leak.kind == "sorted_rows"]
    assert told == "this kind of leak could not be looked for: the search failed (ValueError)"


def test_a_column_that_points_to_rows_is_warned_about_once() -> None:
    """An index called 'id' that starts at 0 is one leak, told under its most telling name."""
    assert warned({"age": ["x"] * 30, "id": np.random.default_rng(0).permutation(30)}) == ["row_numbers"]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [(["a"] * 5 + ["b"] * 5, False), (["a"] * 15 + ["b"] * 15, True), (["b"] * 15 + ["a"] * 15, True)],
)
def test_an_order_that_chance_could_make_is_no_leak(cells: list[str], expected: bool) -> None:
    """Ten rows of two values are sorted once in 126 tables; thirty are not sorted by chance."""
    assert ("sorted_rows" in warned({"age": ["x"] * len(cells), "disease": cells})) is expected


def test_columns_that_agree_by_chance_determine_nothing() -> None:
    """A value that occurs once goes with one label of course."""
    random = np.random.default_rng(0)
    age = random.choice(["[20, 29]", "[30, 39]"], 60)
    once = [f"{number * 7 % 60}.5" for number in range(60)]
    assert warned({"age": age, "disease": once}) == []
    assert warned({"age": age, "grade": random.integers(0, 5, 60)}) == []


def test_a_coarser_column_determines_nothing() -> None:
    """A copy of the label in other words tells no more than the label."""
    age = np.random.default_rng(0).choice(["[20, 29]", "[30, 39]", "[40, 49]"], 60)
    words = {"[20, 29]": "young", "[30, 39]": "middle", "[40, 49]": "older"}
    assert "determining_columns" not in warned({"age": age, "generation": [words[one] for one in age]})


@pytest.mark.parametrize(
    ("label", "span"),
    [
        ("[35, 39]", (35, 39)),
        ("[35,39]", (35, 39)),
        ("35-39", (35, 39)),
        ("[35, 40[", (35, 39)),
        ("]34, 40)", (35, 39)),
        ("35..39", (35, 39)),
        ("37", (37, 37)),
        ("554**", (55400, 55499)),
        ("2020-01-01", (737425, 737425)),
        ("[39, 35]", None),
        ("[35, 39", None),
        ("08001", None),
        ("Gov", None),
        ("", None),
    ],
)
def test_labels_of_any_tool_are_read(label: str, span: tuple[float, float] | None) -> None:
    """One range, however it is written; codes with leading zeros are names."""
    assert span_of(label) == span


def test_private_numbers_may_all_differ() -> None:
    """Values of one row are a warning among names, information among numbers."""
    random = np.random.default_rng(0)
    numbers = {"age": ["x"] * 40, "disease": random.normal(size=40)}
    assert [(leak.kind, leak.severity) for leak in leaks(numbers)] == [("singular_values", "information")]
    names = {"age": ["x"] * 40, "disease": random.permutation(["flu"] * 20 + ["cold"] * 19 + ["rabies"])}
    assert warned(names) == ["singular_values"]


@pytest.mark.parametrize(("label", "broken"), [("[3, many]", False), ("[3, 1]", True), ("[3, many", True)])
def test_a_range_of_ordered_values_may_end_in_a_name(label: str, broken: bool) -> None:
    """Only what no order can mean is told as broken: numbers the wrong way round, brackets that do not close."""
    table = Table.of(pl.DataFrame({"grade": ["[1, 2]", "4", "5", label] * 3}))
    verdict = check(table, quasi_identifiers=["grade"], kinds={"grade": "ordered"})
    assert any(leak.kind == "malformed_labels" for leak in verdict.leaks) is broken


@pytest.mark.parametrize(
    ("labels", "told"),
    [
        (["9223372036854775806", "9223372036854775807"], False),
        (["[9223372036854775806, 9223372036854775807]", "[9223372036854775806,9223372036854775807]"], True),
        (["[30, 40]", "[30,40]"], True),
    ],
)
def test_large_numbers_are_told_apart(labels: list[str], told: bool) -> None:
    """Two numbers that are one as a float are not one value in two spellings."""
    verdict = check(Table.of(pl.DataFrame({"x": labels * 3})), quasi_identifiers=["x"])
    assert any(leak.kind == "interval_spellings" for leak in verdict.leaks) is told


@pytest.mark.parametrize(
    ("kind", "labels", "told"),
    [
        ("numeric", ["[1, 2]", "[3, 4]", "[9, 5]"], True),
        ("categorical", ["[1, 2]", "[3, 4]", "[9, 5]"], False),
        ("numeric", ["one", "two", "three", "[9, 5]"], False),
    ],
)
def test_ranges_are_broken_only_where_ranges_are_meant(kind: str, labels: list[str], told: bool) -> None:
    """Names may look as they like; and where most labels are no ranges, the others are none either."""
    verdict = check(Table.of(pl.DataFrame({"x": labels * 3})), quasi_identifiers=["x"], kinds={"x": kind})
    assert any(leak.kind == "malformed_labels" for leak in verdict.leaks) is told


@pytest.mark.parametrize(
    ("name", "cells", "told"),
    [
        ("index", [f"k{number**3 * 31 % 10007}" for number in range(60)], True),
        ("index", ["a", "b", "c"] * 20, False),
        ("score", [f"k{number**3 * 31 % 10007}" for number in range(60)], False),
    ],
)
def test_an_index_has_its_name_and_tells_rows_apart(name: str, cells: list[str], told: bool) -> None:
    """Neither the name of an index alone makes one, nor cells that all differ: those are told as what they are."""
    kinds = [leak.kind for leak in leaks({"age": ["x"] * 60, name: cells}) if leak.severity == "warning"]
    assert ("row_numbers" in kinds) is told


def test_missing_counts_as_one_more_cell() -> None:
    """Different cells of a column, present rows, and groups in which missing cells are one."""
    cells = TextCells(np.array([0, 1, -1, 1]), ["a", "b"])
    assert (cells.different, cells.present, cells.groups.tolist()) == (3, 3, [0, 1, 2, 1])
    assert TextCells(np.array([0, 1]), ["a", "b"]).different == 2


@pytest.mark.parametrize(
    ("labels", "overlapping"),
    [
        (["[1, 5]", "[4, 9]", "[10, 12]"], 1),
        (["[1, 5]", "[5, 9]", "[9, 12]"], 2),
        (["[1, 20]", "[4, 5]", "[8, 9]"], 2),
        (["[1, 3]", "[4, 9]", "[10, 12]"], 0),
    ],
)
def test_labels_that_overlap_are_counted(labels: list[str], overlapping: int) -> None:
    """A label overlaps if another that begins before it has not ended."""
    told = [leak.statement for leak in leaks({"age": labels * 5}) if leak.kind == "overlapping_labels"]
    assert [said.split()[0] for said in told] == ([str(overlapping)] if overlapping else [])


def test_short_words_in_a_name_are_no_accident_from_three_letters_on() -> None:
    """A name is looked at piece by piece; what is shorter could be anything."""
    assert {"flu", "note", "note=flu"} <= _pieces("note=flu")
    assert _pieces("a_of_b") == {"a_of", "of_b", "a_of_b"}
