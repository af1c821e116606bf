# SPDX-License-Identifier: Apache-2.0
"""The metrics on small tables of the literature, whose figures were worked out by hand."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
import pytest

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.tables.table import Table

# Table 1 of He et al. (2012): seven patients by age and zip code.
AGES, ZIPS = [20, 20, 30, 40, 50, 60, 60], [25, 30, 25, 30, 10, 5, 10]

# Eight people with the workclass tree of Adult's complete rows (Wang, He and Zhu 2022, figure 1).
WORKCLASS = Hierarchy.from_rows(
    [
        ["Private", "*"],
        ["Self-emp-not-inc", "Self-emp", "*"],
        ["Self-emp-inc", "Self-emp", "*"],
        ["Federal-gov", "Gov", "*"],
        ["Local-gov", "Gov", "*"],
        ["State-gov", "Gov", "*"],
        ["Without-pay", "*"],
    ]
)

# Figure 1a of Chiu and Tsai (2007): zip codes with a tree, sex, age.
ZIP_TREE = Hierarchy.from_rows(
    [["47906", "4790*", "479**"], ["47907", "4790*", "479**"], ["47916", "4791*", "479**"], ["47918", "4791*", "479**"]]
)


def measured(original: dict[str, list], released: dict[str, list], plan: Plan) -> dict[str, Measurement]:
    """All metrics by name."""
    tables = [Table.of(pl.DataFrame(columns)) for columns in (original, released)]
    return {one.metric: one for one in measure(*tables, plan)}


def ranges(values: Sequence[int], classes: Sequence[Sequence[int]]) -> list[str]:
    """The range of its class for each row."""
    label = {row: f"[{min(values[i] for i in one)}, {max(values[i] for i in one)}]" for one in classes for row in one}
    return [label[row] for row in range(len(values))]


def test_seven_patients_in_three_classes() -> None:
    """The release of He et al., Table 2, has the losses and class figures the paper's definitions give."""
    classes = [[0, 1], [2, 3], [4, 5, 6]]
    found = measured(
        {"age": AGES, "zip": ZIPS},
        {"age": ranges(AGES, classes), "zip": ranges(ZIPS, classes)},
        Plan.of(2, quasi_identifiers=["age", "zip"]),
    )
    assert found["ncp"].value == pytest.approx(2.65)
    assert found["ncp"].figures["gcp"] == pytest.approx(0.1892857)
    assert found["discernibility"].value == 17
    assert found["average_class_size"].value == pytest.approx(1.1666667)
    assert found["prosecutor_risk"].value == 1 / 2
    assert found["prosecutor_risk"].figures["mean"] == pytest.approx(3 / 7)
    assert found["prosecutor_risk"].figures["share_above"] == 1.0
    assert found["prosecutor_risk"].figures["records_at_max"] == 4


@pytest.mark.parametrize(
    ("ages", "total"),
    [
        (["[35, 39]", "[33, 33]", "[35, 39]", "[35, 39]", "[33, 33]", "[33, 33]"], 11.0),
        (["[35-39]", "[30-34]", "[35-39]", "[35-39]", "[30-34]", "[30-34]"], 13.0),
    ],
    ids=["hulls", "printed bins"],
)
def test_six_patients_by_zip_sex_and_age(ages: list[str], total: float) -> None:
    """Published bins wider than the hull cost what they show, not what they could have shown."""
    found = measured(
        {
            "zip": ["47918", "47906", "47918", "47916", "47907", "47906"],
            "sex": ["M", "M", "M", "F", "M", "F"],
            "age": [35, 33, 36, 39, 33, 33],
        },
        {"zip": ["4791*", "4790*", "4791*", "4791*", "4790*", "4790*"], "sex": ["*"] * 6, "age": ages},
        Plan.of(3, quasi_identifiers=["zip", "sex", "age"], hierarchies={"zip": ZIP_TREE}),
    )
    assert [found[name].value for name in ("il", "ncp", "eloss")] == pytest.approx([total] * 3)
    assert found["il"].figures["per_cell"] == pytest.approx(total / 18)
    assert found["eloss"].figures["precision"] == pytest.approx(1 - total / 18)
    if total == 11.0:
        assert found["il"].figures["per_cell"] == pytest.approx(0.611111, abs=1e-6)
        assert found["eloss"].figures["precision"] == pytest.approx(0.388889, abs=1e-6)


@pytest.mark.parametrize(
    ("zips", "total"),
    [
        (["[55440, 55442]"] * 3 + ["[55440, 55443]"] * 3, 13.571429),
        (["5544*"] * 6, 14.571429),
        (["*"] * 6, 14.571429),
    ],
    ids=["hulls", "masked", "suppressed"],
)
def test_six_patients_with_numeric_zip(zips: list[str], total: float) -> None:
    """Table II of Bharath, Poornima and Ashoka (2017); a masked code reaches over the whole domain here."""
    sexes = ["male", "male", "female", "female", "female", "male"]
    found = measured(
        {"age": [31, 35, 37, 26, 29, 23], "sex": sexes, "zip": [55441, 55440, 55442, 55440, 55440, 55443]},
        {"age": ["[31, 37]"] * 3 + ["[23, 29]"] * 3, "sex": ["*"] * 6, "zip": zips},
        Plan.of(3, quasi_identifiers=["age", "sex", "zip"]),
    )
    assert found["il"].value == pytest.approx(total, abs=1e-6)
    assert found["ncp"].figures["gcp"] == pytest.approx(total / 18, abs=1e-6)


def test_eight_workers() -> None:
    """Heights, leaves and depths of one tree give the three losses of the same release."""
    found = measured(
        {
            "age": [25, 27, 31, 33, 45, 47, 52, 60],
            "work": [
                "Private",
                "Private",
                "Local-gov",
                "State-gov",
                "Self-emp-inc",
                "Self-emp-not-inc",
                "Federal-gov",
                "Without-pay",
            ],
            "sex": ["Male", "Female", "Female", "Male", "Male", "Male", "Female", "Female"],
        },
        {
            "age": ["[25, 27]"] * 2 + ["[31, 33]"] * 2 + ["[45, 47]"] * 2 + ["[52, 60]"] * 2,
            "work": ["Private"] * 2 + ["Gov"] * 2 + ["Self-emp"] * 2 + ["*"] * 2,
            "sex": ["*"] * 4 + ["Male"] * 2 + ["Female"] * 2,
        },
        Plan.of(2, quasi_identifiers=["age", "work", "sex"], hierarchies={"work": WORKCLASS}),
    )
    assert found["il"].value == pytest.approx(8.8)
    assert found["eloss"].value == pytest.approx(8.8)
    assert found["eloss"].figures["precision"] == pytest.approx(0.633333, abs=1e-6)
    assert found["ncp"].value == pytest.approx(8.228571, abs=1e-6)
    assert found["ncp"].figures["gcp"] == pytest.approx(0.342857, abs=1e-6)


@pytest.mark.parametrize(
    ("node", "losses"),
    [
        ("Gov", {"il": 1 / 2, "eloss": 1 / 2, "ncp": 3 / 7, "lm": 1 / 3}),
        ("Self-emp", {"ncp": 2 / 7}),
        ("*", {"il": 1, "eloss": 1, "ncp": 1, "lm": 1}),
        ("Without-pay", {"il": 0, "eloss": 0, "ncp": 0, "lm": 0}),
    ],
)
def test_a_node_costs_its_part_of_the_tree(node: str, losses: dict[str, float]) -> None:
    """Each loss charges a single published node as its definition says."""
    below = {"Gov": "Local-gov", "Self-emp": "Self-emp-inc", "*": "Private", "Without-pay": "Without-pay"}[node]
    plan = Plan.of(1, quasi_identifiers=["work"], hierarchies={"work": WORKCLASS})
    found = measured({"work": [below]}, {"work": [node]}, plan)
    assert {name: found[name].value for name in losses} == pytest.approx(losses)


def test_unbalanced_trees_tell_height_from_depth() -> None:
    """A shallow subtree under the root of a deep tree is low by height and high by depth."""
    tree = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "cd", "cde", "*"], ["d", "cd", "cde", "*"]])
    plan = Plan.of(2, quasi_identifiers=["x"], hierarchies={"x": tree})
    found = measured({"x": ["a", "b"]}, {"x": ["ab", "ab"]}, plan)
    assert found["il"].value == pytest.approx(2 * 1 / 3)
    assert found["eloss"].value == pytest.approx(2 * 2 / 3)


def test_weights_multiply_and_per_cell_divides_by_their_sum() -> None:
    """A column that weighs three times as much costs and counts three times as much."""
    plan = Plan.of(2, quasi_identifiers=["a", "b"], weights={"a": 3.0})
    found = measured({"a": [0, 10], "b": [0, 10]}, {"a": ["*", "*"], "b": ["0", "10"]}, plan)
    assert found["ncp"].value == pytest.approx(6.0)
    assert found["ncp"].figures["per_cell"] == pytest.approx(6 / 8)
    assert found["ncp"].figures["gcp"] == pytest.approx(1 / 2)
    assert found["lm"].value == pytest.approx(6 / 8)


def test_suppressed_rows_cost_everything() -> None:
    """A row left out costs 1 per cell and n in discernibility."""
    plan = Plan.of(2, quasi_identifiers=["a"])
    found = measured({"a": [0, 0, 10]}, {"a": ["0", "0"]}, plan)
    assert found["ncp"].value == pytest.approx(1.0)
    assert found["ncp"].per_column == pytest.approx({"a": 1 / 3})
    assert found["discernibility"].value == 4 + 3
    assert found["average_class_size"].value == 1.0
