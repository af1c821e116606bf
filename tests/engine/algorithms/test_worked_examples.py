# SPDX-License-Identifier: Apache-2.0
"""Small tables of the literature, worked out by hand, through the whole flow."""

from __future__ import annotations

from typing import Any

import polars as pl
import pytest

import shoal
from shoal.engine.encoding.encode import complete, encode
from shoal.plan.plan import Plan
from shoal.tables.table import Table
from tests.reference.partitions import optimum, total_loss

# Table 1 of He et al. (2012): age and zip code of Andy ... Lucy.
T7 = pl.DataFrame({"age": [20, 20, 30, 40, 50, 60, 60], "zip": [25, 30, 25, 30, 10, 5, 10]})
TABLE_2 = [[0, 1], [2, 3], [4, 5, 6]]
HALVES = [[0, 1, 2, 3], [4, 5, 6]]

# Eight people; workclass with the seven leaves of Wang, He and Zhu (2022), figure 1.
M8 = pl.DataFrame(
    {
        "age": [25, 27, 31, 33, 45, 47, 52, 60],
        "workclass": [
            *("Private", "Private", "Local-gov", "State-gov"),
            *("Self-emp-inc", "Self-emp-not-inc", "Federal-gov", "Without-pay"),
        ],
        "sex": ["Male", "Female", "Female", "Male", "Male", "Male", "Female", "Female"],
    }
)
TREES = {
    "workclass": [
        ["Private", "Any"],
        ["Self-emp-not-inc", "Self-emp", "Any"],
        ["Self-emp-inc", "Self-emp", "Any"],
        ["Federal-gov", "Gov", "Any"],
        ["Local-gov", "Gov", "Any"],
        ["State-gov", "Gov", "Any"],
        ["Without-pay", "Any"],
    ],
    "sex": [["Male", "Person"], ["Female", "Person"]],
}
PAIRS = [[0, 1], [2, 3], [4, 5], [6, 7]]

# Figure 1a of Chiu and Tsai (2007) and Table I of Bharath et al. (2017).
F6 = pl.DataFrame(
    {
        "zip": ["47918", "47906", "47918", "47916", "47907", "47906"],
        "sex": ["M", "M", "M", "F", "M", "F"],
        "age": [35, 33, 36, 39, 33, 33],
    }
)
P6 = pl.DataFrame(
    {
        "age": [31, 35, 37, 26, 29, 23],
        "sex": ["male", "male", "female", "female", "female", "male"],
        "zip": [55441, 55440, 55442, 55440, 55440, 55443],
    }
)


def classes_of(release: shoal.Release) -> list[list[int]]:
    """The classes as lists of rows."""
    found: dict[int, list[int]] = {}
    for row, label in enumerate(release.classes.tolist()):
        found.setdefault(label, []).append(row)
    return list(found.values())


def released(frame: pl.DataFrame, k: int, method: str, loss: str = "height", **parameters: Any) -> shoal.Release:
    """A release of one of the tables above, all columns quasi-identifiers."""
    return shoal.anonymize(
        frame,
        k=k,
        quasi_identifiers=frame.columns,
        hierarchies={name: rows for name, rows in TREES.items() if name in frame.columns},
        method=method,
        loss=loss,
        parameters=parameters,
        keep_order=True,
    )


def value(release: shoal.Release, metric: str) -> float:
    """One measured figure."""
    return next(one.value for one in release.measurements if one.metric == metric)


@pytest.mark.parametrize(
    ("k", "rule", "expected", "ncp"),
    [
        (2, "seed", TABLE_2, 2.65),
        (3, "seed", HALVES, 4.15),
        (2, "last", [[0, 1, 2], [3, 4], [5, 6]], 3.85),
        (3, "last", HALVES, 4.15),
    ],
)
def test_k_member_on_seven_patients(k: int, rule: str, expected: list[list[int]], ncp: float) -> None:
    """Far-apart seeds from Andy on; either rule."""
    release = released(T7, k, "k_member", seed_rule=rule, start=0)
    assert classes_of(release) == expected
    assert value(release, "ncp") == pytest.approx(ncp)


@pytest.mark.parametrize(
    ("rule", "expected", "il"), [("seed", [[0, 1], [2, 5], [3, 4], [6, 7]], 12.171429), ("last", PAIRS, 8.8)]
)
def test_k_member_on_eight_people(rule: str, expected: list[list[int]], il: float) -> None:
    """Mixed columns with trees, height loss."""
    release = released(M8, 2, "k_member", seed_rule=rule, start=0)
    assert classes_of(release) == expected
    assert value(release, "il") == pytest.approx(il)


def test_the_eight_people_as_published() -> None:
    """The pairs of eight people, with their losses under both definitions, and the cells a reader sees."""
    release = released(M8, 2, "k_member", seed_rule="last", start=0)
    assert value(release, "eloss") == pytest.approx(8.8)
    assert value(release, "ncp") == pytest.approx(8.228571)
    ncp = next(one for one in release.measurements if one.metric == "ncp")
    assert ncp.figures["gcp"] == pytest.approx(0.342857)
    assert release.table.row(0) == ("[25, 27]", "Private", "Person")
    assert release.table.row(2) == ("[31, 33]", "Gov", "Person")
    assert release.table.row(5) == ("[45, 47]", "Self-emp", "Male")
    assert release.table.row(7) == ("[52, 60]", "Any", "Female")


def test_k_members_on_seven_patients() -> None:
    """Seeds tried in the order 3, 0, 5."""
    release = released(T7, 2, "k_members", order=[3, 0, 5])
    assert classes_of(release) == TABLE_2
    assert value(release, "ncp") == pytest.approx(2.65)


@pytest.mark.parametrize(
    ("k", "mode", "expected"),
    [
        (2, "strict", TABLE_2),
        (2, "relaxed", [[0, 1, 2], [3, 6], [4, 5]]),
        (3, "strict", HALVES),
        (3, "relaxed", [[0, 1, 2], [3, 4, 5, 6]]),
    ],
)
def test_mondrian_on_seven_patients(k: int, mode: str, expected: list[list[int]]) -> None:
    """Both ways of cutting."""
    assert classes_of(released(T7, k, "mondrian", mode=mode)) == expected


@pytest.mark.parametrize(
    ("frame", "k", "loss", "trees", "best", "expected"),
    [
        (T7, 2, "ncp", {}, 2.65, TABLE_2),
        (T7, 3, "ncp", {}, 4.15, HALVES),
        (M8, 2, "height", TREES, 8.257143, [[0, 3], [1, 2], [4, 5], [6, 7]]),
        (M8, 2, "ncp", TREES, 7.828571, [[0, 3], [1, 2], [4, 5], [6, 7]]),
        (M8, 3, "height", TREES, 14.285714, [[0, 3, 4, 5], [1, 2, 6, 7]]),
        (P6, 3, "height", {}, 9.928571, [[0, 1, 5], [2, 3, 4]]),
    ],
)
def test_known_optima(
    frame: pl.DataFrame, k: int, loss: str, trees: dict[str, Any], best: float, expected: list[list[int]]
) -> None:
    """An exhaustive search over the engine's own coordinates finds the optima of the specification."""
    table = Table.of(frame)
    plan = Plan.of(k, quasi_identifiers=frame.columns, hierarchies=trees, loss=loss)
    cost, classes = optimum(encode(table, complete(plan, table)), k)
    assert cost == pytest.approx(best)
    assert classes == expected


@pytest.mark.parametrize(
    ("frame", "classes", "il"),
    [
        (F6, [[0, 2, 3], [1, 4, 5]], 11.0),
        (P6, [[0, 1, 2], [3, 4, 5]], 13.571429),
        (M8, PAIRS, 8.8),
    ],
)
def test_losses_of_fixed_partitions(frame: pl.DataFrame, classes: list[list[int]], il: float) -> None:
    """Partitions printed in papers cost what the definitions say, on the engine's coordinates."""
    zips = [["47906", "4790*", "479**"], ["47907", "4790*", "479**"], ["47916", "4791*", "479**"]]
    trees = {"zip": [*zips, ["47918", "4791*", "479**"]]} if frame is F6 else TREES if frame is M8 else {}
    table = Table.of(frame)
    plan = Plan.of(2, quasi_identifiers=frame.columns, hierarchies=trees, loss="height")
    assert total_loss(encode(table, complete(plan, table)), classes) == pytest.approx(il)


@pytest.mark.parametrize("start", [0, 3, 6])
def test_an_explicit_start_overrides_the_seed(start: int) -> None:
    """With the start given, the seed of the plan changes nothing but the order of publishing."""
    releases = [
        shoal.anonymize(
            T7, k=2, quasi_identifiers=T7.columns, method="k_member", parameters={"start": start}, seed=seed
        )
        for seed in range(5)
    ]
    assert len({tuple(one.classes.tolist()) for one in releases}) == 1


@pytest.mark.parametrize("order", [[0, 0], [7], [-1]])
def test_an_order_of_seeds_that_does_not_fit_is_refused(order: list[int]) -> None:
    """Rows that are repeated or not there are an error of the plan, with all five parts."""
    with pytest.raises(shoal.ShoalError) as raised:
        released(T7, 2, "k_members", order=order)
    assert len(raised.value.parts()) == 5
