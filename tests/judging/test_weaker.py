# SPDX-License-Identifier: Apache-2.0
"""Sub-tables and boxes are judged on what is published, and what breaks their promise is found."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.judging.boxes import Rings, check_boxes, private_values, row_losses
from shoal.judging.checking import measure
from shoal.judging.subtables import check_subtables, joint_classes
from shoal.judging.verdicts import Finding, Verdict
from shoal.plan.plan import Plan
from shoal.tables.table import Table

PLAN = Plan.of(2, quasi_identifiers=["age", "town"], sensitive=["disease"], identifiers=["name"])
AGE = Table(pl.DataFrame({"age": ["[1, 2]", "[1, 2]", "[3, 4]", "[3, 4]"], "disease": ["a", "b", "b", "c"]}))
TOWN = Table(pl.DataFrame({"town": ["*", "*", "x", "x"], "disease": ["c", "a", "b", "b"]}))
ROWS = [np.array([0, 1, 2, 3]), np.array([3, 0, 1, 2])]


def of(verdict: Verdict, model: str) -> Finding:
    """The first finding of a model."""
    return next(one for one in verdict.findings if one.model == model)


# -- sub-tables --------------------------------------------------------------------------------------------------


def test_every_sub_table_is_judged_by_itself() -> None:
    """A sub-table whose rows are too few of a kind makes the verdict no, and is named."""
    assert check_subtables([AGE, TOWN], PLAN, ROWS).holds
    lonely = Table(pl.DataFrame({"town": ["*", "*", "x", "y"], "disease": ["c", "a", "b", "b"]}))
    verdict = check_subtables([AGE, lonely], PLAN, ROWS)
    assert not verdict.holds
    assert [one.holds for one in verdict.findings if one.model == "k_per_subtable"] == [True, False]
    assert "sub-table 2 (town): k per sub-table = 1" in str(verdict)


def test_the_join_is_audited() -> None:
    """Classes of the joined sub-tables are intersections; unique rows and rare private values are counted."""
    assert joint_classes([AGE, TOWN], PLAN, ROWS).tolist() == [0, 1, 2, 3]
    joint = of(check_subtables([AGE, TOWN], PLAN, ROWS), "k_joint")
    assert joint.holds is None
    assert {
        name: joint.figures[name] for name in ("k_joint", "unique_rows", "rows_below_k", "private_values_once")
    } == {
        "k_joint": 1,
        "unique_rows": 4,
        "rows_below_k": 4,
        "private_values_once": 2,
    }
    same = [np.array([0, 1, 2, 3]), np.array([0, 1, 2, 3])]
    assert joint_classes([AGE, TOWN], PLAN, same).tolist() == [0, 0, 1, 1]


def test_a_model_is_judged_in_every_sub_table() -> None:
    """A class of one private value breaks l-diversity in its sub-table, which is named; the others hold."""
    plan = replace(PLAN, models={"l_diversity": {"kind": "distinct", "l": 2}})
    verdict = check_subtables([AGE, TOWN], plan, ROWS)
    assert [one.holds for one in verdict.findings if one.model == "l_diversity"] == [True, False]
    assert not verdict.holds
    assert "sub-table 2 (town): l = 1" in str(verdict)


def test_a_model_about_nothing_that_is_shown_does_not_hold() -> None:
    """Sub-tables without the private column were judged by nobody."""
    plan = replace(PLAN, models={"l_diversity": {"kind": "distinct", "l": 2}})
    verdict = check_subtables([AGE.without(["disease"]), TOWN.without(["disease"])], plan)
    assert of(verdict, "l_diversity").holds is False


def test_the_audit_counts_whose_private_value_the_join_tells() -> None:
    """Joined rows that are alone, or all alike in private, are known for certain."""
    same = [np.array([0, 1, 2, 3]), np.array([0, 1, 2, 3])]
    town = Table(pl.DataFrame({"town": ["*", "*", "x", "x"], "disease": ["a", "b", "b", "b"]}))
    age = Table(AGE.frame.with_columns(disease=pl.Series(["a", "b", "b", "b"])))
    joint = of(check_subtables([age, town], PLAN, same), "k_joint")
    assert joint.figures["rows_of_one_private_value"] == 2
    assert "2 in one that shows a single private value" in joint.statement


def test_without_the_rows_the_join_is_not_guessed() -> None:
    """Whoever holds only the sub-tables hears that k joint cannot be told, and no number."""
    joint = of(check_subtables([AGE, TOWN], PLAN), "k_joint")
    assert joint.holds is None
    assert joint.figures == {}


def test_no_finding_speaks_of_plain_k() -> None:
    """Every statement says which k it means."""
    for finding in check_subtables([AGE, TOWN], PLAN, ROWS).findings:
        assert " k = " not in finding.statement
        assert not finding.statement.startswith("k = ")


def test_identifiers_and_row_numbers_are_found_in_any_sub_table() -> None:
    """An identifier left in one of them breaks the promise; a column that numbers the rows is warned about."""
    named = Table(TOWN.frame.with_columns(name=pl.Series(["p", "q", "r", "s"])))
    assert not of(check_subtables([AGE, named], PLAN, ROWS), "identifiers").holds
    numbered = Table(TOWN.frame.with_columns(id=pl.Series([3, 0, 1, 2])))
    assert any("sub-table 2" in one and "'id'" in one for one in check_subtables([AGE, numbered], PLAN, ROWS).warnings)


def test_metrics_of_classes_are_undefined() -> None:
    """Losses are measured column by column, class sizes are not; risk only where the hidden number is told."""
    original = Table(pl.DataFrame({"age": [1, 2, 3, 4], "town": ["x", "y", "x", "x"]}))
    wide = Table(pl.DataFrame({"age": AGE.frame["age"], "town": TOWN.frame["town"]}))
    plan = replace(PLAN, columns={name: PLAN.columns[name] for name in ("age", "town")})
    told = {one.metric: one for one in measure(original, wide, plan, releases="subtables")}
    assert told["ncp"].value == pytest.approx(4 / 3 + 2)
    for name in ("discernibility", "average_class_size", "prosecutor_risk"):
        assert np.isnan(told[name].value)
        assert told[name].note
    alone = measure(
        original, wide, plan, releases="subtables", look_alikes=np.array([1, 2, 2, 2]), metrics="prosecutor_risk"
    )
    assert alone[0].value == 1.0


# -- boxes -------------------------------------------------------------------------------------------------------

# Two rings: 0 2 1 and 3 5 4 6; boxes of two.
ORIGINAL = Table(
    pl.DataFrame(
        {
            "age": [1, 2, 3, None, 20, 21, None],
            "town": ["x", "x", "y", "z", "z", "z", "z"],
            "disease": list("abcdefg"),
        }
    )
)
ORDER, STARTS = np.array([0, 2, 1, 3, 5, 4, 6]), np.array([0, 3, 7])
AGES = ["[1, 3]", "[2, 3]", "[1, 2]", "*", "[20, 21]", "*", None]
TOWNS = ["*", "*", "x", "z", "z", "z", "z"]


def boxed(ages: Sequence[Any] = AGES, towns: Sequence[Any] = TOWNS) -> Table:
    """The boxes, a row per place."""
    lent = ORIGINAL.frame["disease"][[2, 1, 0, 3, 5, 4, 6]]
    return Table(pl.DataFrame({"age": ages, "town": towns, "disease": lent}, schema_overrides={"age": pl.String}))


def rings(lenders: Sequence[int] = (2, 1, 0, 3, 5, 4, 6), order: np.ndarray = ORDER) -> Rings:
    """The first ring shifted by one, the second not."""
    return Rings(order, STARTS, np.arange(7), np.array(lenders))


def judged(table: Table, secret: Rings, **others: Any) -> Verdict:
    """The verdict with k = 2."""
    plan = Plan.of(2, quasi_identifiers=["age", "town"], sensitive=["disease"], kinds={"age": "numeric"}, **others)
    return check_boxes(table, plan, ORIGINAL, secret)


def test_boxes_that_fit_hold() -> None:
    """Two records in each box, each record in two boxes, every row lent to from its box."""
    verdict = judged(boxed(), rings())
    assert verdict.holds
    assert of(verdict, "boxes").figures == {
        "k": 2,
        "records_per_box": 2,
        "boxes_per_record": 2,
        "boxes_below_k": 0,
        "records_below_k": 0,
    }
    assert of(verdict, "lenders").figures["rings"] == 2


@pytest.mark.parametrize(
    ("place", "age", "town"),
    [
        (0, "[1, 2]", "*"),
        (3, "[20, 21]", "z"),
        (4, "20", "z"),
        (5, None, "z"),
        (6, "[20, 21]", "z"),
        (2, "[1, 2]", "y"),
    ],
)
def test_a_box_too_narrow_is_found(place: int, age: str | None, town: str) -> None:
    """One published cell that does not allow a record of its box breaks the promise, for missing cells too."""
    ages, towns = [*AGES], [*TOWNS]
    ages[place], towns[place] = age, town
    verdict = judged(boxed(ages, towns), rings())
    assert not verdict.holds
    assert of(verdict, "boxes").figures["boxes_below_k"] == 1


def test_missing_may_match_anything() -> None:
    """Under the wildcard reading a missing cell fits every box, and an empty cell every record."""
    assert judged(boxed([*AGES[:3], None, "[20, 21]", "20", None]), rings(), missing="wildcard").holds


@pytest.mark.parametrize(
    "lenders",
    [(1, 0, 2, 3, 5, 4, 6), (3, 1, 0, 2, 5, 4, 6), (2, 1, 0, 4, 6, 3, 5)],
    ids=["two places away", "another ring", "two places away in the second ring"],
)
def test_a_lender_from_outside_the_box_is_found(lenders: tuple[int, ...]) -> None:
    """Rows must lend from one of the k records of their box."""
    assert not of(judged(boxed(), rings(lenders)), "lenders").holds


def test_rings_must_be_whole() -> None:
    """A record in two rings, or a lender used twice, is no evidence."""
    assert not judged(boxed(), rings(order=np.array([0, 0, 1, 3, 5, 4, 6]))).holds
    assert not judged(boxed(), rings((2, 2, 0, 3, 5, 4, 6))).holds


def test_labels_that_cannot_be_read_do_not_hold() -> None:
    """What cannot be understood is not believed."""
    assert not judged(boxed(["about 2", *AGES[1:]]), rings()).holds
    assert not judged(boxed(towns=["nowhere", *TOWNS[1:]]), rings()).holds


def test_without_the_original_nothing_is_claimed() -> None:
    """Whoever holds only the boxes hears that (k,k) cannot be told."""
    plan = Plan.of(2, quasi_identifiers=["age", "town"])
    finding = of(check_boxes(boxed(), plan), "boxes")
    assert finding.holds is None
    assert finding.figures == {}


def test_losses_of_rows_and_private_values_of_boxes() -> None:
    """A row loses the mean share of its cells; a box has as many private values as its records."""
    plan = Plan.of(2, quasi_identifiers=["age", "town"], kinds={"age": "numeric"})
    losses = row_losses(ORIGINAL, boxed(), plan)
    assert losses == pytest.approx([(2 / 20 + 1) / 2, (1 / 20 + 1) / 2, 1 / 40, 0.5, 1 / 40, 0.5, 0.0])
    values = np.array([0, 1, 0, 2, 2, 2, 3])
    assert private_values(rings(), 2, values).tolist() == [1, 2, 2, 1, 1, 2, 2]
