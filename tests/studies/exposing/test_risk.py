# SPDX-License-Identifier: Apache-2.0
"""``risk``: what it counts, that it shows no cell, and what it writes."""

from __future__ import annotations

import csv
import json
import math
from pathlib import Path

import numpy as np
import polars as pl
import pytest
from playwright.sync_api import Browser

import shoal
from shoal.ground.errors import OutputError, PlanError, TableError
from shoal.judging.look_alikes import mean_inverse
from shoal.studies.exposing.page import page
from shoal.studies.exposing.risk import ColumnSet
from shoal.tables.equivalence_classes import class_sizes
from shoal.tables.frames import as_table
from tests.browser import opened
from tests.counts import repeats
from tests.reference import special_uniques as twin

PEOPLE = pl.DataFrame(
    {
        "age": [31, 31, 31, 47, 47, 58, None],
        "sex": ["f", "f", "m", "m", "m", "f", "f"],
        "zip": ["Quxby", "Quxby", "Quxby", "Zorle", "Quxby", "Zorle", "Zorle"],
        "ill": ["a", "b", "c", "d", "e", "f", "g"],
    }
)
CELLS = ("Quxby", "Zorle", "58", "47")


def test_small_tables_can_be_counted_by_hand() -> None:
    """Rows below each k, sets of columns, special uniques, and what each column does."""
    found = shoal.risk(PEOPLE, quasi_identifiers=["age", "sex", "zip"])
    assert (found.rows, found.alone, found.below[3], found.guessed) == (7, 5, 7, False)
    assert found.expected == 6  # five rows that are alone, and two that share one class
    assert dict(found.special) == {1: 2, 2: 3}
    assert (found.specials, found.largest) == (5, 3)
    assert found.sets[0] == ColumnSet(("age",), 2)
    assert found.columns["age"].values == 4
    assert (found.columns["age"].alone, found.columns["age"].without) == (2 / 7, 1 / 7)
    assert sum(one.adds for one in found.columns.values()) == pytest.approx(5 / 7)
    assert [(one.row, one.score) for one in found.most_exposed] == [(6, 2), (7, 2), (4, 2), (3, 1), (5, 1)]
    assert found.most_exposed[1].columns == ("age",)
    assert found.smallest_sets[0] == ()


def test_sizes_that_single_out_nobody_more_are_left_out() -> None:
    """The sets that are told grow in what they single out."""
    found = shoal.risk(PEOPLE, quasi_identifiers=["age", "sex", "zip"])
    best = {len(one.columns): one.rows for one in reversed(found.sets)}
    assert best == {1: 2, 2: 4, 3: 5}
    alike = shoal.risk(pl.DataFrame({"a": [1, 1], "b": [2, 2]}), quasi_identifiers=["a", "b"])
    assert (alike.sets, alike.special, alike.most_exposed) == ((), {}, ())
    assert "no row is singled out by up to 2 columns" in str(alike)


@pytest.mark.parametrize(
    ("a", "told"),
    [
        ([1, 1, 2, 2], "0 rows need fewer than all 2 columns"),
        ([1, 1, 2, 3], "2 rows need fewer than all 2 columns: 2 by 1"),
    ],
)
def test_rows_that_need_all_columns_are_not_special(a: list[int], told: str) -> None:
    """Nor counted among those that need fewer."""
    found = shoal.risk(pl.DataFrame({"a": a, "b": [1, 2, 1, 2]}), quasi_identifiers=["a", "b"])
    assert f"{told}\n" in str(found)
    assert found.alone == 4


def test_the_plan_says_what_is_missing_and_who_there_is() -> None:
    """Quasi-identifiers, the reading of missing cells and the population are those of the plan."""
    plan = shoal.Plan.of(5, quasi_identifiers=["age", "sex"], missing="wildcard", population=7_000, render="bounds")
    found = shoal.risk(PEOPLE, plan)
    assert list(found.columns) == ["age", "sex"]
    assert found.look_alikes.tolist() == [3, 3, 1, 2, 2, 2, 4]
    assert found.expected < 1
    assert "Benedetti" in found.note
    assert list(shoal.risk(PEOPLE, plan, quasi_identifiers=["zip"]).columns) == ["zip"]


def test_weights_tell_how_many_people_a_row_stands_for() -> None:
    """The people of a class are its weights added up; with weights of 1 everybody is in the table."""
    frame = PEOPLE.with_columns(weight=pl.Series([1.0] * 7), heavy=pl.Series([9.0, 3.0, 5.0, 50.0, 2.0, 1.0, 0.5]))
    asked = {"quasi_identifiers": ["age", "sex"]}
    sure = shoal.risk(frame, **asked, sample_weight="weight")
    assert sure.expected == pytest.approx(shoal.risk(PEOPLE, **asked).expected)
    estimated = shoal.risk(frame, **asked, sample_weight="heavy")
    assert estimated.risks[0] == estimated.risks[1] == pytest.approx(mean_inverse(2, 2 / 12)[2])
    assert estimated.risks[2] == pytest.approx(0.2 / 0.8 * math.log(5))
    assert estimated.risks[6] == 1  # a weight below 1 stands for one person
    assert "survey weights" in estimated.note
    for wrong in ([1.0, 0.0] + [1.0] * 5, [None, 2.0] + [1.0] * 5):
        with pytest.raises(TableError, match="weights"):
            shoal.risk(PEOPLE.with_columns(heavy=pl.Series(wrong)), **asked, sample_weight="heavy")
    with pytest.raises(PlanError, match="Both weights and a population"):
        shoal.risk(frame, **asked, sample_weight="heavy", population=100)


def test_members_of_a_household_give_each_other_away() -> None:
    """1 - Π (1 - risk) over the members; whose household is missing lives alone."""
    frame = PEOPLE.with_columns(home=pl.Series(["x", "x", "x", "y", "y", None, None]))
    found = shoal.risk(frame, quasi_identifiers=["age", "sex"], household="home")
    chances = [1 / one for one in found.look_alikes.tolist()]
    assert chances == [0.5, 0.5, 1, 0.5, 0.5, 1, 1]
    assert found.risks.tolist() == pytest.approx([1, 1, 1, 0.75, 0.75, 1, 1])
    assert found.households is not None
    assert (found.households.households, found.households.drawn_in) == (4, 2)
    assert found.households.expected == pytest.approx(6.5)
    assert found.to_dict()["households"]["drawn_in"] == 2
    assert "2 rows have look-alikes, but share one of 4 households with a row that has none" in str(found)
    assert shoal.risk(PEOPLE, quasi_identifiers=["age"]).to_dict()["households"] is None


def test_columns_that_nobody_named_are_guessed() -> None:
    """Those that seem to be known to others; it is said that they are guessed."""
    found = shoal.risk(shoal.synthetic_patients(200))
    assert found.guessed
    assert {"age", "sex", "postcode"} <= set(found.columns)
    assert not {"name", "diagnosis"} & set(found.columns)
    assert "seem to be known to others" in str(found)


def test_no_cell_is_told(tmp_path: Path) -> None:
    """Neither in words nor in JSON, page or rows."""
    found = shoal.risk(PEOPLE, quasi_identifiers=["age", "zip"])
    folder = found.save(tmp_path / "risk")
    told = [str(found), found._repr_html_()]
    told += [(folder / name).read_text(encoding="utf-8") for name in ("risk.json", "rows.csv")]
    page = (folder / "report.html").read_text(encoding="utf-8")
    assert [cell for cell in CELLS[:2] for text in [*told, page] if cell in text] == []
    assert [cell for cell in CELLS[2:] for text in told if cell in text] == []


def test_what_is_written(tmp_path: Path) -> None:
    """A page, the facts, and every row by its number; nothing is replaced unless it is asked for."""
    found = shoal.risk(PEOPLE, quasi_identifiers=["age", "sex", "zip"])
    folder = found.save(tmp_path / "made" / "risk")
    assert sorted(path.name for path in folder.iterdir()) == ["report.html", "risk.json", "rows.csv"]
    facts = json.loads((folder / "risk.json").read_text(encoding="utf-8"))
    assert (facts["alone"], facts["below"]["3"], facts["special"]) == (5, 7, {"1": 2, "2": 3})
    rows = list(csv.DictReader((folder / "rows.csv").read_text(encoding="utf-8").splitlines()))
    assert [int(row["look_alikes"]) for row in rows] == found.look_alikes.tolist()
    assert (rows[5]["row"], rows[5]["singled_out_by"], rows[0]["singled_out_by"]) == ("6", "age", "")
    assert [float(row["risk"]) for row in rows] == [0.5, 0.5, 1, 1, 1, 1, 1]
    with pytest.raises(OutputError, match="cannot be written"):
        found.save(folder)
    assert found.save(folder, overwrite=True) == folder
    (tmp_path / "file").write_text("")
    with pytest.raises(OutputError):
        found.save(tmp_path / "file" / "risk")


def test_what_cannot_be_counted_is_refused() -> None:
    """Unknown columns, tables without rows, nothing that seems to be known, sets of no columns."""
    with pytest.raises(TableError):
        shoal.risk(PEOPLE, quasi_identifiers=["height"])
    with pytest.raises(TableError, match="no rows"):
        shoal.risk(PEOPLE.clear())
    with pytest.raises(PlanError, match="No column seems"):
        shoal.risk(PEOPLE.select("ill"))
    for wrong in (0, 1.5, "3"):
        with pytest.raises(PlanError, match="no such size"):
            shoal.risk(PEOPLE, quasi_identifiers=["age"], largest=wrong)
    assert shoal.risk(PEOPLE.clear(), quasi_identifiers=["age"]).expected == 0


def test_progress_is_told() -> None:
    """Every set of columns counts."""
    seen: list[tuple[str, int, int]] = []
    shoal.risk(
        PEOPLE,
        quasi_identifiers=["age", "sex"],
        progress=lambda step: seen.append((step.phase, step.done, step.total)),
    )
    assert seen[-1] == ("single out", 3, 3)


def test_look_alikes_are_those_of_the_judge() -> None:
    """The same rows are below k as the checker finds."""
    patients = shoal.synthetic_patients(300)
    found = shoal.risk(patients, quasi_identifiers=["age", "sex"])
    sizes = class_sizes(as_table(patients), ["age", "sex"])
    assert found.below[5] == int((sizes < 5).sum())
    assert np.array_equal(found.scores > 0, sizes == 1)


@pytest.mark.parametrize(("width", "scheme"), [(390, "dark"), (1280, "light")])
def test_the_page_in_a_browser(chromium: Browser, tmp_path: Path, width: int, scheme: str) -> None:
    """It fits a telephone, loads nothing, and nobody stumbles over it."""
    folder = shoal.risk(shoal.synthetic_patients(200)).save(tmp_path)
    with opened(chromium, folder / "report.html", width=width, scheme=scheme) as seen:
        assert seen.page.evaluate("document.documentElement.scrollWidth") <= width
        assert seen.violations(("moderate", "serious", "critical")) == []
        assert (seen.requests, seen.complaints) == ([(folder / "report.html").as_uri()], [])


class Anything:
    """A cell that equals any other."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = None


@pytest.mark.parametrize("seed", repeats(8, 60))
def test_cells_that_match_anything_do_so_in_every_figure(seed: int) -> None:
    """Scores, contributions, sets and what each column does equal the definition over cells that match anything."""
    random = np.random.default_rng(seed)
    cells = random.integers(0, 4, (9, 3))
    holes = random.random((9, 3)) < 0.15
    holes[0, 0] = True
    rows = [tuple(None if hole else int(cell) for cell, hole in zip(*row)) for row in zip(cells, holes, strict=True)]
    table = pl.DataFrame(rows, schema={"a": pl.Int64, "b": pl.Int64, "c": pl.Int64}, orient="row")
    plan = shoal.Plan.of(1, quasi_identifiers=["a", "b", "c"], missing="wildcard")
    found = shoal.risk(table, plan)
    wild = [tuple(Anything() if cell is None else cell for cell in row) for row in rows]
    assert found.scores.tolist() == twin.scores(wild, 3)
    assert found.alone == twin.alone(wild, range(3)) == int((found.look_alikes == 1).sum())
    assert [one.contribution for one in found.columns.values()] == pytest.approx(twin.contributions(wild, 3))
    assert [one.adds for one in found.columns.values()] == pytest.approx(twin.shapley(wild))
    assert found.columns["c"].without == twin.alone(wild, range(2)) / 9
    assert "a missing cell matches anything" in page(found)
    with pytest.raises(PlanError, match="missing cell is to match anything"):
        shoal.risk(table.with_columns(w=1), plan, sample_weight="w")


def test_missing_cells_are_refused_where_the_plan_says_so() -> None:
    """Before anything is counted, and by the checker and the attacker, too."""
    plan = shoal.Plan.of(1, quasi_identifiers=["age"], missing="refuse")
    for ask in (
        lambda: shoal.risk(PEOPLE, plan),
        lambda: shoal.check(PEOPLE.select("age"), plan=plan),
        lambda: shoal.attack(PEOPLE.select("age"), plan=plan, known=PEOPLE.select("age")),
    ):
        with pytest.raises(TableError, match="the plan refuses them") as caught:
            ask()
        assert caught.value.received == "age: 1"
