# SPDX-License-Identifier: Apache-2.0
"""What is found out about columns is kept, and never belongs to another table than it is true of."""

from __future__ import annotations

import pickle
from datetime import date

import numpy as np
import polars as pl
import pytest

from shoal.ground.errors import TableError
from shoal.tables.columns import different
from shoal.tables.equivalence_classes import classes, complete_class_sizes, wildcard_class_sizes
from shoal.tables.row_order import sorted_rows
from shoal.tables.table import Table
from tests.counts import repeats


def random_table(seed: int) -> Table:
    """Columns of many types, with missing cells and many that are equal."""
    random = np.random.default_rng(seed)
    rows = int(random.integers(1, 60))
    words = np.array(["b", "a", "", "ä", "B", None], dtype=object)
    numbers = random.integers(-3, 4, rows)
    frame = pl.DataFrame(
        {
            "word": pl.Series(words[random.integers(0, 6, rows)].tolist(), dtype=pl.String),
            "whole": numbers,
            "real": [None if one == 3 else one / 2 for one in numbers.tolist()],
            "day": [None if one == 0 else date(2020, 1, 4 + one) for one in numbers.tolist()],
            "yes": (numbers > 0).tolist(),
            "nothing": pl.Series([None] * rows, dtype=pl.Null),
        }
    )
    frame = frame.with_columns(pl.col("whole").cast(pl.String).cast(pl.Categorical).alias("kind"))
    return Table.of(frame)


def known_facts(table: Table) -> list[object]:
    """All that is kept, in a form that does not hang on numbers of cells."""
    facts: list[object] = []
    for name in table.names:
        numbers, rows = table.different(name)
        cells = table.texts(name).to_list()
        facts.append([cells[rows[number]] for number in numbers])
        facts.append((table.codes(name)[0].tolist(), table.codes(name)[1], table.natural_kind(name)))
    facts += [find(table, table.names[:4]).tolist() for find in (classes, wildcard_class_sizes, complete_class_sizes)]
    facts.append(table.numbers("whole").values.tolist())
    return facts


@pytest.mark.parametrize("seed", repeats(4, 40))
def test_other_tables_know_what_is_true_of_them(seed: int) -> None:
    """Rows in another order, some rows, some columns, other columns: each tells what a fresh table would."""
    table = random_table(seed)
    before = known_facts(table)
    order = np.random.default_rng(seed).permutation(len(table))
    some = order[: len(order) // 2 + 1]
    replaced = table.replace_columns({"word": {"word": pl.Series(["x"] * len(table))}})
    for other in (
        table.reordered(order),
        table.take(some),
        table.marked(decimal=","),
        replaced,
        table.without(["yes"]),
    ):
        assert known_facts(other) == known_facts(Table(other.frame, other.untyped, other.decimal))
    assert known_facts(table) == before == known_facts(pickle.loads(pickle.dumps(table)))


def test_nobody_changes_what_is_known() -> None:
    """Whoever is handed an array may do with it what he likes."""
    table = random_table(1)
    before = known_facts(table)
    table.codes("word")[0][:] = 7
    table.different("word")[0][:] = 7
    table.numbers("whole").values[:] = 7
    classes(table, table.names[:4])[:] = 7
    assert known_facts(table) == before


def test_only_a_table_of_the_same_cells_is_believed() -> None:
    """Facts about cells are taken over from a table with the same cells, and from no other."""
    table, other = random_table(2), random_table(2)
    table.codes("word")
    assert ("codes", "word") in other.knowing(table).known
    changed = other.take(np.arange(len(other))[::-1])
    assert not changed.knowing(table).known


@pytest.mark.parametrize("seed", repeats(4, 40))
def test_rows_are_sorted_as_polars_sorts_them(seed: int) -> None:
    """The order is that of a sort by all columns, ties in row order; categories stand by their hash."""
    table = random_table(seed)
    keys = [pl.col(name).hash(seed=0) if name == "kind" else pl.col(name) for name in table.names]
    wanted = table.frame.select(
        pl.arg_sort_by([key.alias(str(at)) for at, key in enumerate(keys)], maintain_order=True)
    )
    assert sorted_rows(table).tolist() == wanted.to_series().to_list()


def test_different_cells_are_numbered_by_their_first_row() -> None:
    """Each cell has the number of the first equal one; missing cells are equal to each other."""
    numbers, rows = different(pl.Series(["b", None, "a", "b", None]))
    assert (numbers.tolist(), rows.tolist()) == ([0, 1, 2, 0, 1], [0, 1, 2])


def test_a_column_that_is_gone_is_not_known() -> None:
    """Nothing is told of a column that a table no longer has."""
    table = random_table(3)
    known_facts(table)
    smaller = table.without(["word"]).select(["whole"])
    with pytest.raises(TableError, match="no such column"):
        classes(smaller, ["word"])
    assert {about[1] for about in smaller.known} <= {"whole"}
