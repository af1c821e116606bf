# SPDX-License-Identifier: Apache-2.0
"""What a published cell costs: missing cells, centres, bounds, sets, odd and untrue labels."""

from __future__ import annotations

import math
from datetime import date
from typing import Any

import numpy as np
import polars as pl
import pytest

from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.checking import measure
from shoal.judging.evidence import Measurement
from shoal.plan.plan import Plan
from shoal.tables.table import Table


def ncp(original: Any, released: Any, *, classes: Any = None, **plan: Any) -> Measurement:
    """NCP of a one-column release; ``original`` and ``released`` are cells of column ``x`` or whole frames."""
    tables = [
        one if isinstance(one, Table) else Table.of(one if isinstance(one, pl.DataFrame) else pl.DataFrame({"x": one}))
        for one in (original, released)
    ]
    return measure(*tables, Plan.of(2, quasi_identifiers=["x"], **plan), classes=classes, metrics=["ncp"])[0]


@pytest.mark.parametrize(
    ("original", "released", "total"),
    [
        ([0, 10, None, None], ["[0, 10]", "[0, 10]", None, None], 2.0),
        ([0, 10, None, None], ["0", "*", "*", None], 2.0),
        ([5, 5, None, None], ["5", "*", "*", None], 2.0),
        ([5, 5, 5], ["*", "5", "[5, 5]"], 0.0),
        ([None, None], [None, None], 0.0),
        (["a", "b", None], ["*", "*", None], 2.0),
        (["a", "b", None], ["{a, b}", "{a, b}", None], 2 * 2 / 3),
        (["a", "a", "a"], ["*", "a", "{a}"], 0.0),
        (["a", None], ["*", "*"], 2.0),
        ([None, None], ["*", None], 0.0),
    ],
)
def test_missing_is_a_value_of_its_own(original: list, released: list, total: float) -> None:
    """Missing costs nothing and adds a leaf; mixed with present values it costs 1; one value alone costs nothing."""
    original = pl.Series("x", original, dtype=None if any(one is not None for one in original) else pl.String)
    found = ncp(pl.DataFrame(original), pl.DataFrame({"x": pl.Series(released, dtype=pl.String)}))
    assert found.value == pytest.approx(total)
    assert found.note == ""


def test_cells_hidden_as_missing_cost_one() -> None:
    """A release that blanks cells pays for them, although missing itself is free."""
    found = ncp([0, 10, 20, None], ["0", None, None, None])
    assert found.value == 2.0
    assert "2 missing cells more" in found.note


def test_tree_counts_leaves_as_given_plus_missing() -> None:
    """Leaves that no row has count, and so does missing where the original has it."""
    tree = Hierarchy.from_rows([["a", "ab", "*"], ["b", "ab", "*"], ["c", "*"], ["d", "*"]])
    whole = ncp(["a", "b", "a"], ["ab", "ab", "a"], hierarchies={"x": tree})
    missing = ncp(["a", "b", None], ["ab", "ab", None], hierarchies={"x": tree})
    assert (whole.value, missing.value) == pytest.approx((2 * 2 / 4, 2 * 2 / 5))


def test_repeated_label_means_its_lowest_node() -> None:
    """A label carried up a branch unchanged still names a single value, which costs nothing."""
    tree = Hierarchy.from_rows([["a", "a", "*"], ["b", "bc", "*"], ["c", "bc", "*"]])
    tables = [Table.of(pl.DataFrame({"x": ["a", "b", "c"]})), Table.of(pl.DataFrame({"x": ["a", "bc", "bc"]}))]
    plan = Plan.of(1, quasi_identifiers=["x"], hierarchies={"x": tree})
    found = {one.metric: one.value for one in measure(*tables, plan, metrics=["il", "eloss", "ncp"])}
    assert found == pytest.approx({"il": 1.0, "eloss": 1.0, "ncp": 4 / 3})


def test_unreadable_labels_are_counted_not_shown() -> None:
    """A label nobody can read makes the loss undefined, and the note keeps it to itself."""
    found = ncp([30, 40, 50], ["forty-something", "thirty-something", "50"])
    assert math.isnan(found.value)
    assert math.isnan(found.per_column["x"])
    assert "2 different labels" in found.note
    assert "something" not in found.note


@pytest.mark.parametrize(
    ("original", "released"),
    [([1, 3, 5, 9], [2, 2, 7, 7]), ([1, 3, 5, 9], ["1", "1", "5", "9"]), (["a", "b", "b"], ["b", "b", "b"])],
    ids=["means", "rounded", "modes"],
)
def test_single_values_that_cannot_be_true_are_no_bargain(original: list, released: list) -> None:
    """Values shown more often than the original holds them are centres: their loss is not 0 but unknown."""
    found = ncp(original, released)
    assert math.isnan(found.value)
    assert "more rows than the original" in found.note
    assert not math.isnan(ncp(original, released, classes=[0, 0, 1, 1][: len(original)]).value)


@pytest.mark.parametrize("render", ["mean", "median", "mode"])
def test_centres_are_charged_with_the_hulls_of_their_classes(render: str) -> None:
    """Where the release shows centres, the classes of the original rows tell the loss; without them it is NaN."""
    original, released = [0, 2, 10, None, 4, None], [1, 1, None, None, None, None]
    classes = [0, 0, 1, 1, -1, 2]
    found = ncp(original, released[:5], classes=classes, render=render)
    assert found.value == pytest.approx(2 * 2 / 10 + 2 * 1 + 1 + 0)
    assert math.isnan(ncp(original, released[:5], render=render).value)


def test_wildcard_leaves_missing_cells_out_of_the_hull() -> None:
    """With missing = wildcard a missing cell costs nothing and does not widen its class."""
    found = ncp([0, 2, None, 10], [1, 1, None, 10], classes=[0, 0, 0, 1], render="mean", missing="wildcard")
    assert found.value == pytest.approx(2 * 2 / 10)


def bounds(low: list, high: list) -> pl.DataFrame:
    """A release in two columns."""
    return pl.DataFrame({"x_min": low, "x_max": high})


def test_bounds_are_read_from_two_columns() -> None:
    """A class published as smallest and largest value costs its width; missing in both costs nothing."""
    found = ncp([0, 5, 10, None], bounds([0, 0, 10, None], [5, 5, 10, None]), render="bounds")
    assert found.value == pytest.approx(2 * 5 / 10)
    assert found.note == ""


def test_bounds_hide_mixed_classes() -> None:
    """More empty bounds than missing cells: the classes tell what they cost, or a note says it may be more."""
    original, released = [0, 10, 5, None], bounds([0, 0, None, None], [10, 10, None, None])
    alone = ncp(original, released, render="bounds")
    told = ncp(original, released, render="bounds", classes=[0, 0, 1, 1])
    assert (alone.value, told.value) == (3.0, 4.0)
    assert "so may others" in alone.note
    assert told.note == ""


def test_broken_bounds_are_undefined() -> None:
    """A row with one bound, or with bounds the wrong way round, is not guessed at."""
    found = ncp([0, 5, 10], bounds([0, 9, None], [5, 5, 10]), render="bounds")
    assert math.isnan(found.value)
    assert "2 rows" in found.note


def test_sets_cost_their_members() -> None:
    """A set of two of four values leaves half of the domain open, wherever they hang in the tree."""
    tree = Hierarchy.from_rows([["a", "ab", "*"], ["b, c", "ab", "*"], ["d", "*"], ["e", "*"]])
    found = ncp(["a", "d", "b, c", "e"], ["{a, d}", "{a, d}", '{"b, c", e}', '{"b, c", e}'], hierarchies={"x": tree})
    assert found.value == pytest.approx(4 * 2 / 4)


def test_dates_and_ordered_categories_cost_their_width() -> None:
    """Days and ranks are positions on a line like numbers."""
    days = [date(2020, 1, 1), date(2020, 1, 11), date(2020, 2, 10)]
    found = ncp(days, ["[2020-01-01, 2020-01-11]", "[2020-01-01, 2020-01-11]", "2020-02-10"])
    assert found.value == pytest.approx(2 * 10 / 40)
    sizes = pl.DataFrame({"x": pl.Series(["S", "M", "XL"], dtype=pl.Enum(["S", "M", "L", "XL"]))})
    assert ncp(sizes, ["[S, M]", "[S, M]", "XL"]).value == pytest.approx(2 * 1 / 2)


def test_text_files_with_decimal_comma() -> None:
    """Untyped tables are read by their content, with their own decimal mark."""
    original = Table(pl.DataFrame({"x": ["1,5", "2,5", "3,5"]}), untyped=True, decimal=",")
    released = Table(pl.DataFrame({"x": ["[1,5; 2,5]", "[1,5; 2,5]", "3,5"]}), untyped=True, decimal=",")
    assert ncp(original, released).value == pytest.approx(1.0)
    assert ncp(original, original).value == 0.0


def test_numbers_of_few_bits_are_recognised_by_their_text() -> None:
    """A 32-bit number written with its own few digits is still the true value."""
    original = pl.DataFrame({"x": pl.Series([0.1, 0.2, 0.9], dtype=pl.Float32)})
    assert ncp(original, ["[0.1, 0.2]", "0.2", "0.9"]).value == pytest.approx(0.1 / 0.8, abs=1e-6)


def test_prefix_codes_use_their_own_tree() -> None:
    """Codes that get coarser from the right need no hierarchy file."""
    found = ncp(["8001", "8002", "9001"], ["800*", "800*", "9001"], kinds={"x": "text-prefix"})
    assert found.value == pytest.approx(2 * 2 / 3)


def test_guarded_formulas_are_read() -> None:
    """A label prefixed against spreadsheets is still the same label."""
    found = ncp(["=a", "-b", "c"], ["'=a", "'-b", "*"], formulas="prefix")
    assert found.value == pytest.approx(1.0)
    assert math.isnan(ncp(["=a", "-b", "c"], ["'=a", "'-b", "*"]).value)


@pytest.mark.parametrize("metric", ["il", "ncp", "eloss", "lm"])
def test_infinite_cells_are_told_not_raised(metric: str) -> None:
    """An infinity in the release makes the loss undefined, with a note."""
    tables = [Table.of(pl.DataFrame({"x": cells})) for cells in ([1.0, 2.0], [1.0, math.inf])]
    found = measure(*tables, Plan.of(1, quasi_identifiers=["x"]), metrics=[metric])[0]
    assert math.isnan(found.value)
    assert "infinite" in found.note


def test_without_the_original_only_losses_are_undefined() -> None:
    """Class sizes and risk need nothing but the release."""
    released = Table.of(pl.DataFrame({"x": ["[1, 2]", "[1, 2]", None, None, None]}))
    found = {one.metric: one for one in measure(None, released, Plan.of(2, quasi_identifiers=["x"]))}
    assert all(math.isnan(found[name].value) and found[name].note for name in ("il", "ncp", "eloss", "lm"))
    assert found["discernibility"].value == 4 + 9
    assert found["prosecutor_risk"].value == 0.5
    assert found["average_class_size"].value == pytest.approx(5 / 2 / 2)


@pytest.mark.parametrize(("cells", "weight"), [([], 1.0), ([1, 2], 0.0)], ids=["no rows", "no weight"])
def test_a_mean_over_nothing_is_undefined(cells: list[int], weight: float) -> None:
    """No rows or no weight: the total is 0, the mean is NaN and says why."""
    table = Table.of(pl.DataFrame({"x": pl.Series(cells, dtype=pl.Int64)}))
    plan = Plan.of(1, quasi_identifiers=["x"], weights={"x": weight})
    il, lm = measure(table, table, plan, metrics=["il", "lm"])
    assert il.value == 0.0
    assert math.isnan(lm.value)
    assert "undefined" in lm.note


def test_undefined_values_are_null_in_json() -> None:
    """JSON has no NaN."""
    released = Table.of(pl.DataFrame({"x": ["a"]}))
    told = measure(None, released, Plan.of(1, quasi_identifiers=["x"]), metrics=["ncp"])[0].to_dict()
    assert told["value"] is None
    assert told["per_column"] == {"x": None}


def test_big_columns_are_read_by_their_distinct_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """A label is taken apart once, however many rows show it, and once for all metrics.

    Where nobody tells the classes, they are read off the labels once more.
    """
    from shoal.judging.labels.lines import Line

    calls: list[str] = []
    read = Line.read
    monkeypatch.setattr(Line, "read", lambda line, label: calls.append(label) or read(line, label))
    ages = np.arange(10_000) % 100
    released = Table.of(pl.DataFrame({"x": [f"[{age // 10 * 10}, {age // 10 * 10 + 9}]" for age in ages]}))
    original, plan = Table.of(pl.DataFrame({"x": ages})), Plan.of(2, quasi_identifiers=["x"])
    measure(original, released, plan, classes=ages // 10)
    assert len(calls) == 10
    measure(original, released, plan)
    assert len(calls) == 30
