# SPDX-License-Identifier: Apache-2.0
"""Every rendering of every kind of column tells the truth about each record, and the same of all of a class."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from functools import cache
from typing import Any

import numpy as np
import polars as pl
import pytest

import shoal
from shoal.ground import catalog
from shoal.ground.errors import PlanError, TableError
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds.prefixes import prefix_hierarchy
from shoal.tables.table import Table

SIZES = ["S", "M, or so", "L", "XL"]
TREE = [["a", "ab", "*"], ["b", "ab", "*"], ["c, d", "*"], ['"e"', "ef", "*"], ["f}", "ef", "*"], ["unused", "*"]]
CODES = ["8001", "8002", "8100", "9001"]
FLAT = ["=x", "y", "{z", "\\"]
RANGES = ["whole", "real", "day", "moment", "size"]
TREES = ["tree", "flat", "code", "truth"]
FITTING = {
    "interval": RANGES,
    "ancestor": TREES,
    "set": RANGES + TREES,
    "bounds": RANGES,
    "mean": RANGES,
    "median": RANGES,
    "mode": RANGES + TREES,
    "rounded": RANGES,
    "generalise": RANGES + TREES,
}
TOGETHER = 3
"""Columns that one release shows in the same way: few, so that classes are narrow in each of them."""
COMBINATIONS = [
    (render, names[start : start + TOGETHER])
    for render, names in FITTING.items()
    for start in range(0, len(names), TOGETHER)
]
K = 4


def people(missing: float, rows: int = 90) -> pl.DataFrame:
    """Every kind of column, a share of missing cells, and columns that are not to be touched."""
    random = np.random.default_rng(7)
    days = [date(2019, 12, 20) + timedelta(days=int(one)) for one in random.integers(0, 60, rows)]
    frame = pl.DataFrame(
        {
            "whole": random.integers(-20, 30, rows),
            "real": np.round(random.normal(0, 3, rows), 2),
            "day": days,
            "moment": [datetime(day.year, day.month, day.day, 7, 30, 0, 250) for day in days],
            "size": pl.Series(random.choice(SIZES, rows), dtype=pl.Enum(SIZES)),
            "tree": random.choice([row[0] for row in TREE[:5]], rows),
            "flat": random.choice(FLAT, rows),
            "code": random.choice(CODES, rows),
            "truth": random.random(rows) < 0.5,
        }
    )
    holes = random.random((rows, len(frame.columns))) < missing
    frame = frame.with_columns(
        pl.when(pl.Series(holes[:, place])).then(None).otherwise(pl.col(name)).alias(name)
        for place, name in enumerate(frame.columns)
    )
    return frame.with_columns(
        note=pl.Series([f"=note {row}" for row in range(rows)]), cost=pl.Series(random.random(rows))
    )


def release_of(source: Any, names: list[str], missing: str = "own", render: Any = None) -> shoal.Release:
    """A release that shows the rows in the order of the input."""
    return shoal.anonymize(
        source,
        k=K,
        quasi_identifiers=names,
        rest="insensitive",
        accept=["note"],
        hierarchies={"tree": TREE} if "tree" in names else {},
        kinds={name: kind for name, kind in {"size": "ordered", "code": "text-prefix"}.items() if name in names},
        orders={"size": SIZES} if "size" in names else {},
        render=render,
        missing=missing,
        keep_order=True,
    )


# -- is it true? -------------------------------------------------------------------------------------------------


def key(name: str) -> Callable[[str], Any]:
    """How a label of a range column is compared."""
    readers: dict[str, Callable[[str], Any]] = {
        "whole": int,
        "real": float,
        "day": date.fromisoformat,
        "moment": datetime.fromisoformat,
        "size": SIZES.index,
    }
    return readers[name]


def inside(name: str, shown: str, value: Any) -> bool:
    """Whether the value lies in the range shown."""
    read = key(name)
    ends = re.fullmatch(r"\[(.*?), (?=\S)(.*)\]", shown)
    if name == "size" and shown.startswith("["):
        pairs = [(a, b) for a in SIZES for b in SIZES if f"[{a}, {b}]" == shown]
        (ends_of,) = pairs
        low, high = map(read, ends_of)
    else:
        low, high = (read(ends[1]), read(ends[2])) if ends else (read(shown), read(shown))
    at = read(value) if isinstance(value, str) else value
    return bool(low <= at <= high)


def below(name: str, shown: str, value: str) -> bool:
    """Whether the value is the label shown or stands below it in the tree."""
    return any(row[0] == value and shown in row for row in tree_rows(name))


@cache
def tree_rows(name: str) -> list[list[str]]:
    """Each value of a column with what stands above it."""
    trees = {
        "tree": Hierarchy.from_rows(TREE),
        "flat": Hierarchy.flat(FLAT),
        "code": prefix_hierarchy(CODES),
        "truth": Hierarchy.flat(["false", "true"]),
    }
    return trees[name].rows()


def among(shown: str, value: str) -> bool:
    """Whether the value is in the set shown."""
    if not (shown.startswith("{") and shown.endswith("}")):
        return shown == value
    parts = re.findall(r'(?:"(?:\\.|[^"\\])*"|[^,"]+)(?:, |$)', shown[1:-1])
    return value in [
        json.loads(one) if one.startswith('"') else one for one in (part.removesuffix(", ") for part in parts)
    ]


def text(name: str, value: Any) -> Any:
    """A value the way a label shows it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, date):
        return value.isoformat()
    return str(value).removesuffix(".0") if name in ("whole", "real") else value


def is_true(render: str, name: str, shown: Any, value: Any, of_class: list[Any]) -> bool:
    """Whether what is shown is true of a present value, given the present values of its class."""
    if render in ("interval", "generalise") and name in RANGES:
        return inside(name, shown, value)
    if render in ("ancestor", "generalise"):
        return below(name, shown, text(name, value))
    if render == "set":
        return among(shown, text(name, value))
    if render == "mean" and name != "size":
        return is_mean(shown, of_class)
    if name == "size":
        return (
            shown in of_class
            if render == "mode"
            else shown == sorted(of_class, key=SIZES.index)[(len(of_class) - 1) // 2]
        )
    if render == "rounded":
        return is_round(shown, of_class)
    if render in ("median", "mean"):
        return shown == sorted(of_class)[(len(of_class) - 1) // 2]
    commonest = max(of_class.count(one) for one in of_class)
    return [text(name, one) for one in of_class].count(text(name, shown)) == commonest


def is_mean(shown: Any, of_class: list[Any]) -> bool:
    """The mean of numbers; of dates, to the whole day."""
    if isinstance(shown, date):
        origin, unit = (
            min(of_class),
            timedelta(days=1) if not isinstance(shown, datetime) else timedelta(microseconds=1),
        )
        mean = sum((one - origin for one in of_class), timedelta()) / len(of_class)
        return abs((shown - origin) - mean) <= unit
    return shown == pytest.approx(sum(of_class) / len(of_class))


def is_round(shown: Any, of_class: list[Any]) -> bool:
    """Inside the class, of its type, and as round as half its width asks for."""
    low, high = min(of_class), max(of_class)
    if low == high:
        return bool(shown == low)
    if not low <= shown <= high or type(shown) is not type(low):
        return False
    half = (high - low) / 2
    if isinstance(shown, date):
        midnight = not isinstance(shown, datetime) or shown.time() == time()
        return (
            (half < timedelta(days=31) or shown.day == 1)
            and (not timedelta(days=7) <= half < timedelta(days=31) or shown.weekday() == 0)
            and (half < timedelta(days=1) or midnight)
        )
    steps = [Decimal(nice) * Decimal(10) ** power for power in range(-6, 4) for nice in (1, 2, 5)]
    step = max([one for one in steps if one <= half], default=Decimal(0))
    return Decimal(repr(shown)) % max(step, Decimal(isinstance(shown, int))) == 0


@pytest.mark.thin(4)
@pytest.mark.parametrize(("missing", "share"), [("own", 0.0), ("own", 0.25), ("wildcard", 0.25)])
@pytest.mark.parametrize(
    ("render", "names"), [pair for pair in COMBINATIONS if pair[0] != "bounds"], ids=lambda one: str(one).strip("[]")
)
def test_each_row_shows_the_truth(render: str, names: list[str], missing: str, share: float) -> None:
    """A record's own value lies in what its row shows; one class shows one thing; nothing else is touched."""
    frame = people(share)
    shown_as = [*names, "flat"] if "flat" not in names else names
    release = release_of(frame, shown_as, missing, dict.fromkeys(names, render))
    for name in names:
        shows_the_truth(release, frame, render, name, missing)
    untouched = [column for column in frame.columns if column not in shown_as]
    assert release.table.select(untouched).equals(frame.select(untouched), null_equal=True)
    assert release.table.select(untouched).schema == frame.select(untouched).schema
    assert release.table.columns == frame.columns


def shows_the_truth(release: shoal.Release, frame: pl.DataFrame, render: str, name: str, missing: str) -> None:
    """One column, class by class."""
    shown, values = release.table[name].to_list(), frame[name].to_list()
    centre = render in ("mean", "median", "mode", "rounded")
    for label in range(release.classes.max() + 1):
        rows = np.flatnonzero(release.classes == label)
        present = [values[row] for row in rows if values[row] is not None]
        absent = [row for row in rows if values[row] is None]
        told = {shown[row] for row in rows if values[row] is not None}
        assert len(told) <= 1
        if missing == "own" and absent and present:
            assert {shown[row] for row in rows} == ({None} if centre else {"*"})
            continue
        assert all(shown[row] is None for row in absent)
        assert all(is_true(render, name, shown[row], values[row], present) for row in rows if values[row] is not None)


@pytest.mark.thin(2)
@pytest.mark.parametrize(("missing", "share"), [("own", 0.0), ("own", 0.25), ("wildcard", 0.25)])
@pytest.mark.parametrize("name", RANGES)
def test_bounds_enclose_each_row(name: str, missing: str, share: float) -> None:
    """Two columns in the place of one, of its own type, with every present value between them."""
    frame = people(share)
    release = release_of(frame, [name, "flat"], missing, {name: "bounds"})
    low, high = (release.table[f"{name}_{end}"].to_list() for end in ("min", "max"))
    place = frame.columns.index(name)
    assert release.table.columns == [*frame.columns[:place], f"{name}_min", f"{name}_max", *frame.columns[place + 1 :]]
    if name != "size":
        assert release.table[f"{name}_min"].dtype == frame[name].dtype
    for row, value in enumerate(frame[name].to_list()):
        of_class = [frame[name][int(other)] for other in np.flatnonzero(release.classes == release.classes[row])]
        if value is None or (missing == "own" and None in of_class):
            assert (low[row], high[row]) == (None, None)
        else:
            ends = (SIZES.index(low[row]), SIZES.index(value), SIZES.index(high[row])) if name == "size" else None
            lowest, at, highest = ends or (low[row], value, high[row])
            assert lowest <= at <= highest


@pytest.mark.thin(4)
@pytest.mark.parametrize("render", list(FITTING))
@pytest.mark.parametrize("decimal", [".", ","])
def test_tables_without_types_show_the_same_as_typed_ones(render: str, decimal: str) -> None:
    """From a text file numbers are written as text, with its own decimal mark; classes and labels are the same."""
    names = [*RANGES, *TREES]
    frame = people(0.1)
    typed = release_of(Table.of(frame), names, "own", render)
    real = pl.col("real").cast(pl.String).str.replace(".", decimal, literal=True)
    cells = frame.with_columns(real).with_columns(pl.all().cast(pl.String))
    ordered = Table(cells, untyped=True, decimal=decimal)
    release = release_of(ordered, names, "own", render)
    assert all(kind == pl.String for kind in release.released.frame.schema.values())
    for name in [*RANGES[:1], *RANGES[2:4], *TREES]:
        for shown in release.plan.published(name):
            before = typed.released.texts(shown).to_list()
            if release.classes.tolist() == typed.classes.tolist() and name not in ("moment",):
                after = [one and one.replace("; ", ", ") for one in release.released.texts(shown).to_list()]
                if render in ("mean", "rounded") and name in RANGES:
                    after = [one and one.replace(decimal, ".") for one in after]
                assert after == [plain(one) for one in before]
    if render == "interval":
        marked = [cell for cell in release.released.texts("real").to_list() if cell and cell.startswith("[")]
        assert marked
        assert all(("; " in cell) == (decimal == ",") for cell in marked)


def plain(cell: str | None) -> str | None:
    """Numbers in a typed table print a whole mean as ``3.0``, in a text as ``3``."""
    return cell.removesuffix(".0") if cell and re.fullmatch(r"-?\d+\.0", cell) else cell


# -- which rendering fits ----------------------------------------------------------------------------------------


def test_every_rendering_is_examined_here() -> None:
    """A new rendering cannot be forgotten."""
    assert set(catalog.names("renderings")) == set(FITTING) - {"generalise"}


@pytest.mark.parametrize("render", [one for one in FITTING if one != "generalise"])
def test_where_a_rendering_does_not_fit_another_takes_its_place(render: str) -> None:
    """Chosen for the whole plan, it is taken for the columns that can be shown that way."""
    whole = release_of(people(0.0), RANGES + TREES, render=render)
    assert whole.verdict.holds
    for name in RANGES + TREES:
        assert (whole.plan.columns[name].render == render) == (name in FITTING[render])
        assert name in FITTING[str(whole.plan.columns[name].render)]


@pytest.mark.thin(4)
@pytest.mark.parametrize(
    ("render", "name"),
    [(one, name) for one in FITTING if one != "generalise" for name in RANGES + TREES if name not in FITTING[one]],
)
def test_a_column_that_cannot_be_shown_that_way_is_refused(render: str, name: str) -> None:
    """Chosen for the column itself, it is an error."""
    with pytest.raises(PlanError, match="cannot be published that way") as raised:
        release_of(people(0.0), [name], render={name: render})
    assert len(raised.value.parts()) == 5
    assert repr(name) in raised.value.where


def test_bounds_refuse_names_that_are_taken() -> None:
    """A new column never hides one that is there."""
    frame = pl.DataFrame({"age": [1, 2, 3, 4], "age_min": ["a", "b", "c", "d"]})
    with pytest.raises(TableError, match="name of one that is there") as raised:
        shoal.anonymize(frame, k=2, quasi_identifiers=["age"], insensitive=["age_min"], render={"age": "bounds"})
    assert len(raised.value.parts()) == 5


def test_identifiers_are_gone() -> None:
    """Columns that point to one person are not in the release."""
    roles = {"quasi_identifiers": ["whole"], "identifiers": ["note", "code"], "drop": ["cost"]}
    release = shoal.anonymize(people(0.0), k=3, rest="insensitive", **roles)
    assert not {"note", "code", "cost"} & set(release.table.columns)


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([1.0, 2.5], "[1, 2.5]"),
        ([1e-7, 1.5e22], "[1e-07, 1.5e+22]"),
        ([-3, 4], "[-3, 4]"),
        ([0.1 + 0.2, 0.3], "[0.3, 0.30000000000000004]"),
        ([date(2020, 1, 31), date(2020, 2, 1)], "[2020-01-31, 2020-02-01]"),
        (
            [datetime(2020, 1, 1, 12), datetime(2020, 1, 1, 12, 0, 0, 5)],
            "[2020-01-01T12:00:00, 2020-01-01T12:00:00.000005]",
        ),
        ([5, 5], "5"),
        ([None, 5], "*"),
        ([None, None], None),
    ],
)
def test_how_ranges_are_written(numbers: list[Any], shown: str | None) -> None:
    """In brackets, with as many digits as tell the numbers apart."""
    frame = pl.DataFrame({"x": numbers})
    release = shoal.anonymize(
        frame, k=2, quasi_identifiers=["x"], kinds={"x": "date" if "-" in (shown or "")[2:6] else "numeric"}
    )
    assert release.table["x"].to_list() == [shown, shown]


@pytest.mark.parametrize(
    ("numbers", "shown"),
    [
        ([30, 36, 39], 36),
        ([0.1, 0.2, 0.15], 0.15),
        ([100_000, 200_000, 123_456], 150_000),
        ([-7, -6], -6),
        ([4.25, 4.25], 4.25),
        ([date(2020, 2, 18), date(2020, 2, 22)], date(2020, 2, 20)),
        ([date(2020, 2, 10), date(2020, 3, 1)], date(2020, 2, 17)),
        ([date(2020, 1, 18), date(2020, 4, 22)], date(2020, 3, 1)),
        ([date(2018, 12, 18), date(2021, 5, 22)], date(2020, 1, 1)),
        ([datetime(2020, 1, 1, 7, 59, 10), datetime(2020, 1, 1, 8, 2, 20)], datetime(2020, 1, 1, 8, 1)),
    ],
)
def test_rounded_centres(numbers: list[Any], shown: Any) -> None:
    """The nearest multiple of a step that suits the width of the class; a number stays one, and a date, too."""
    frame = pl.DataFrame({"x": numbers})
    release = shoal.anonymize(frame, k=len(numbers), quasi_identifiers=["x"], render="rounded")
    assert release.table["x"].to_list() == [shown] * len(numbers)
    assert release.table.schema == frame.schema
