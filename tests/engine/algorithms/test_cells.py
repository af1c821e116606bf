# SPDX-License-Identifier: Apache-2.0
"""Wide tables and long ones are cut into cells: all records, large enough, the same on any number of threads."""

from __future__ import annotations

import numpy as np
import pytest

from shoal.engine import threads
from shoal.engine.algorithms import _cells, shoal
from shoal.engine.algorithms._cells import cells_of, grown_in_cells, peeled_in_cells
from shoal.engine.algorithms._peeling import peel
from shoal.engine.encoding.encoded import Encoded
from shoal.ground.progress import Progress, Step
from shoal.ground.requirements import Requirement
from tests.strategies import random_encoded


@pytest.fixture
def wide(monkeypatch: pytest.MonkeyPatch) -> Encoded:
    """A table of 18 columns that is cut into cells of 60 records."""
    monkeypatch.setattr(_cells, "FEWEST", 60)
    monkeypatch.setattr(_cells, "WORK", 1)
    return random_encoded(np.random.default_rng(3), 400, columns=18)


def test_cells_hold_every_record_once(wide: Encoded) -> None:
    """No cell is larger than allowed, and none smaller than the others by more than one record."""
    cells = cells_of(wide, 3)
    assert sorted(np.concatenate(cells).tolist()) == list(range(400))
    assert {len(rows) for rows in cells} == {57, 58}
    assert min(len(rows) for rows in cells_of(wide, 8)) >= 8 * 20 // 2  # several times the size of a class


def test_few_columns_or_little_work_are_not_cut(wide: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Up to 16 quasi-identifiers, and as long as the work allows, the table stays whole."""
    assert len(cells_of(Encoded(wide.columns[:16], wide.loss), 3)) == 1
    monkeypatch.setattr(_cells, "WORK", 400 * 400 * 18)
    assert len(cells_of(wide, 3)) == 1


def test_threads_change_nothing_and_classes_are_large_enough(wide: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    """The same classes on one and on three threads, none below k, none across cells; every cell is reported."""
    found = []
    cells = cells_of(wide, 3)
    for many in (1, 3):
        monkeypatch.setattr(threads, "threads", lambda many=many: many)
        seen: list[Step] = []
        random = np.random.default_rng(0)
        found.append(grown_in_cells(wide, cells, Requirement(3), random, Progress(seen.append)))
        assert [step.done for step in seen] == list(range(1, len(cells) + 1))
    assert (found[0] == found[1]).all()
    assert np.bincount(found[0]).min() >= 3
    owner = np.empty(400, dtype=np.int64)
    for number, rows in enumerate(cells):
        owner[rows] = number
    assert len(np.unique(np.column_stack([found[0], owner]), axis=0)) == found[0].max() + 1


def test_the_default_method_begins_with_them(wide: Encoded) -> None:
    """What the search starts from on a wide table are the classes of the cells."""
    began = shoal.cluster(wide, Requirement(3), shoal.Parameters(), np.random.default_rng(0), Progress()).labels
    cells = cells_of(wide, 3)
    grown = grown_in_cells(wide, cells, Requirement(3), np.random.default_rng(0), Progress())
    pairs = np.unique(np.column_stack([began, grown]), axis=0)
    assert len(pairs) == began.max() + 1 == grown.max() + 1


@pytest.fixture
def long(monkeypatch: pytest.MonkeyPatch) -> Encoded:
    """A table that is peeled in cells of at most 60 records."""
    monkeypatch.setattr(_cells, "PEELED", 60)
    monkeypatch.setattr(_cells, "PEELED_CLASSES", 20)
    monkeypatch.setattr(_cells, "MOST_VISITS", 1_000)
    return random_encoded(np.random.default_rng(5), 400, columns=3)


def test_long_tables_are_peeled_cell_by_cell(long: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every record has a class of at least k, the same on one and on three threads; every cell is reported."""
    found = []
    for many in (1, 3):
        monkeypatch.setattr(threads, "threads", lambda many=many: many)
        seen: list[Step] = []
        found.append(peeled_in_cells(long, Requirement(3), Progress(seen.append)))
        assert [step.done for step in seen] == list(range(1, 8))
    assert (found[0] == found[1]).all()
    assert np.bincount(found[0]).min() >= 3


def test_what_is_not_too_long_is_peeled_whole(long: Encoded, monkeypatch: pytest.MonkeyPatch) -> None:
    """As long as its visits allow, or where a cell would hold few classes, nothing is cut."""
    whole = peel(long, Requirement(3), Progress())
    assert (peeled_in_cells(long, Requirement(20), Progress()) == peel(long, Requirement(20), Progress())).all()
    monkeypatch.setattr(_cells, "MOST_VISITS", 400 * _cells.VISITS_PER_RECORD)
    assert (peeled_in_cells(long, Requirement(3), Progress()) == whole).all()


def test_a_cell_counts_loss_as_the_whole_table_does(long: Encoded) -> None:
    """The span of a column is that of all records, wherever a class is."""
    some = long.within(np.arange(10))
    assert [column.span for column in some.columns] == [column.span for column in long.columns]
