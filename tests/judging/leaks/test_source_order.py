# SPDX-License-Identifier: Apache-2.0
"""Beside the original, every order that depends on it is found; shuffled rows are never accused."""

from __future__ import annotations

import hashlib
import zlib
from collections.abc import Callable

import numpy as np
import polars as pl
import pytest

from shoal.judging.leak_search import LeakScene
from shoal.judging.leaks import _candidates, source_order
from shoal.plan.plan import load_hierarchies
from shoal.tables.table import Table
from tests.counts import count
from tests.judging.seeded_defects.good_release import people, release

Order = Callable[[np.ndarray], np.ndarray]
"""From the record of each released row to the places in which the rows then stand."""


def _column(name: str) -> np.ndarray:
    return people()[name].to_numpy()


def _sorted_by(*names: str) -> Order:
    return lambda rows: np.lexsort([_column(name)[rows] for name in reversed(names)])


def _moved(change: Callable[[np.ndarray], np.ndarray]) -> Order:
    """Rows in the order of the source, changed."""
    return lambda rows: change(np.argsort(rows, kind="stable"))


def _swapped(order: np.ndarray) -> np.ndarray:
    return order.reshape(-1, 2)[:, ::-1].ravel()


def _blocks(order: np.ndarray, size: int = 8) -> np.ndarray:
    return np.random.default_rng(0).permutation(order.reshape(-1, size)).ravel()


def _shuffled_blocks(order: np.ndarray) -> np.ndarray:
    return np.random.default_rng(0).permuted(order.reshape(-1, 12), axis=1).ravel()


def _riffled(order: np.ndarray) -> np.ndarray:
    return np.column_stack([order[: len(order) // 2], order[len(order) // 2 :]]).ravel()


def _from_both_ends(order: np.ndarray) -> np.ndarray:
    return np.column_stack([order[: len(order) // 2], order[len(order) // 2 :][::-1]]).ravel()


def _within_classes(key: Callable[[np.ndarray], np.ndarray], together: bool = False) -> Order:
    """Shuffled classes, or classes in their places, whose rows stand in the order of a key."""

    def arrange(rows: np.ndarray) -> np.ndarray:
        classes, keys = release().classes[rows], key(rows)
        if together:
            return np.lexsort((keys, np.random.default_rng(1).permutation(classes.max() + 1)[classes]))
        order = np.arange(len(rows))
        for number in np.unique(classes):
            places = np.flatnonzero(classes == number)
            order[places] = places[np.argsort(keys[places], kind="stable")]
        return order

    return arrange


DEPENDENT: dict[str, Order] = {
    "rotated": _moved(lambda order: np.roll(order, 70)),
    "reversed and rotated": _moved(lambda order: np.roll(order[::-1], 70)),
    "neighbours swapped": _moved(_swapped),
    "blocks shuffled": _moved(_blocks),
    "shuffled within blocks": _moved(_shuffled_blocks),
    "every second row first": _moved(lambda order: np.concatenate([order[::2], order[1::2]])),
    "every seventh row": _moved(lambda order: np.concatenate([order[start::7] for start in range(7)])),
    "two halves riffled": _moved(_riffled),
    "from both ends": _moved(_from_both_ends),
    "half of the rows in place": _moved(
        lambda order: _blocks(order[: len(order) // 2], 1).tolist() + order[120:].tolist()
    ),
    "by the true age": _sorted_by("age"),
    "by the true age downwards": lambda rows: np.argsort(-_column("age")[rows], kind="stable"),
    "by the name": _sorted_by("name"),
    "by sex and name": _sorted_by("sex", "name"),
    "by region and true age": _sorted_by("region", "age"),
    "within classes as in the source": _within_classes(lambda rows: rows),
    "within classes by the true age": _within_classes(lambda rows: _column("age")[rows]),
    "within classes by the name, downwards": _within_classes(
        lambda rows: -np.argsort(np.argsort(_column("name")[rows]))
    ),
    "classes together, each as in the source": _within_classes(lambda rows: rows, together=True),
}


def told(table: pl.DataFrame, original: pl.DataFrame | None = None) -> list[str]:
    """What is said about the order of a release of the specimen."""
    before = people() if original is None else original
    scene = LeakScene(Table.of(table), load_hierarchies(release().plan), Table.of(before))
    return [leak.statement for leak in source_order.find(scene)]


@pytest.mark.thin(2)
@pytest.mark.parametrize("arrange", DEPENDENT.values(), ids=DEPENDENT)
def test_an_order_that_depends_on_the_original_is_told(arrange: Order) -> None:
    """No pattern is looked for: whatever the order has to do with the source, its rows or a column, is found."""
    rows = release().rows
    assert told(release().table[np.asarray(arrange(rows))])


def test_rows_left_out_do_not_hide_an_order() -> None:
    """A tenth of the rows is gone, and the rest rotated."""
    order = np.roll(np.argsort(release().rows, kind="stable"), 70)
    assert told(release().table[np.delete(order, np.s_[::10])])


def test_a_column_is_named() -> None:
    """The owner reads by what the rows are sorted, also if that column was left out."""
    table = release().table[_sorted_by("name")(release().rows)]
    (said,) = told(table)
    assert said.startswith("the order of the rows depends on the original values of column 'name'")


@pytest.mark.parametrize(
    "key",
    [
        lambda name: name.split()[-1],
        lambda name: name[::-1],
        lambda name: zlib.crc32(name.encode()),
        lambda name: hashlib.sha512(name.encode()).digest(),
    ],
    ids=["surname", "last letter", "checksum", "digest"],
)
def test_rows_sorted_by_something_about_a_name_are_told(key: Callable[[str], object]) -> None:
    """A part or a digest of an identifier shuffles rows for all but those who know the persons."""
    random = np.random.default_rng(6)
    surnames = ["".join(random.choice(list("abcdefghij"), 6)) for _ in range(len(people()))]
    named = people().with_columns(
        name=pl.Series([f"{random.choice(['Ann', 'Ben', 'Cleo'])} {one}" for one in surnames])
    )
    rows = sorted(range(len(release().rows)), key=lambda row: key(named["name"][int(release().rows[row])]))
    (said,) = told(release().table[rows], named)
    assert "column 'name'" in said


@pytest.mark.parametrize("names", [("age", "sex", "work", "region"), ("region",), ("sex", "region"), ("work",)])
def test_an_order_that_everybody_sees_is_no_leak(names: tuple[str, ...]) -> None:
    """Rows sorted by their labels tell what the labels tell."""
    shuffled = release().table.sample(fraction=1, shuffle=True, seed=3)
    assert told(shuffled.sort(names, maintain_order=True)) == []


def test_classes_that_stand_together_are_no_leak() -> None:
    """Many tools write class after class."""
    chance = np.random.default_rng(4).permutation(len(release().rows))
    assert told(release().table[_within_classes(lambda rows: chance, together=True)(release().rows)]) == []


def test_shuffled_rows_are_never_accused() -> None:
    """Whatever the shuffle; a false alarm is due once in a million tables."""
    random = np.random.default_rng(5)
    orders = (random.permutation(len(release().rows)) for _ in range(count(20, 2000)))
    assert [said for order in orders for said in told(release().table[order])] == []


def test_long_tables_are_looked_at_in_stretches_and_whole_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Of a long table not all rows are looked at, and orders are found all the same."""
    monkeypatch.setattr(_candidates, "MOST_ROWS", 160)
    monkeypatch.setattr(_candidates, "STRETCH", 20)
    rows = release().rows
    for name in ("rotated", "by the true age", "by the name"):
        assert told(release().table[DEPENDENT[name](rows)]), name
    assert told(release().table) == []
