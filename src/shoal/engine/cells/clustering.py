# SPDX-License-Identifier: Apache-2.0
"""One cell: classes of its records, and what they publish; the same whoever works on it, and when.

:class:`Work` is all that a worker needs, whether a thread or a process on another machine: it can be pickled. Records
come as one array of codes per quasi-identifier and per private column that a rule is about. All draws come from the
plan's seed and the number of the cell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import ModuleType
from typing import Any

import numpy as np

from shoal.engine.cells.atlas import Atlas
from shoal.engine.cells.cutting import parts
from shoal.engine.encoding.encoded import Encoded, total_of
from shoal.engine.generalizing.generalize import rendered
from shoal.engine.generalizing.groups import ClassedColumn
from shoal.engine.methods import Partition, cluster
from shoal.engine.refining.enforce import obeying, obeys
from shoal.engine.refining.rounds import Budget
from shoal.engine.refining.search import refine
from shoal.engine.refining.suppress import suppress
from shoal.ground import catalog, streams
from shoal.ground.arrays import Floats, Ints, SmallCodes, Words
from shoal.ground.parameters import build
from shoal.ground.progress import Progress
from shoal.ground.requirements import Requirement
from shoal.plan.plan import Plan
from shoal.tables.column_types import has_type
from shoal.tables.table import Table


@dataclass(frozen=True, eq=False)
class Work:
    """What all cells share."""

    plan: Plan
    """Completed: it says everything, the size of the cells and the steps of the search included."""
    digest: Table
    """The different cells of all columns that classes depend on."""
    atlas: Atlas
    requirement: Requirement
    """What is asked of every class, the rules about the rows of the digest."""
    round_steps: int
    """Steps per record in one round of the search."""

    @property
    def method(self) -> ModuleType:
        """The method that makes the classes."""
        return catalog.load("algorithms", self.plan.method)

    @property
    def private(self) -> tuple[str, ...]:
        """The private columns whose codes a cell needs."""
        return tuple(dict.fromkeys(rule.column for rule in self.requirement.rules))

    @property
    def cell_rows(self) -> int:
        """About how many records a cell holds."""
        assert self.plan.cell_rows is not None  # settled with the plan
        return self.plan.cell_rows

    @property
    def searched(self) -> bool:
        """Whether the search follows the method; then also over cells that are shifted by half."""
        return bool(self.plan.refine or self.method.CAPABILITIES.refined)

    def asked_of(self, private: Mapping[str, SmallCodes]) -> Requirement:
        """What is asked of records with these private values."""
        return self.requirement.with_codes([rule.codes[private[rule.column]] for rule in self.requirement.rules])


@dataclass(frozen=True, eq=False)
class CellRecords:
    """Some records of the table."""

    keys: Words
    """[record] its place on the curve."""
    codes: Sequence[SmallCodes]
    """For each quasi-identifier [record] its code."""
    private: Mapping[str, SmallCodes]
    """For each private column that a rule is about [record] its code."""

    def __len__(self) -> int:
        return len(self.keys)

    def take(self, rows: Ints) -> CellRecords:
        """Some of them."""
        codes, private = [one[rows] for one in self.codes], {name: one[rows] for name, one in self.private.items()}
        return CellRecords(self.keys[rows], codes, private)


def cluster_cell(work: Work, number: int, records: CellRecords) -> Ints:
    """[record] its class, numbered from 0 by smallest member; every class obeys what is asked.

    Where the search is to follow, half of its steps are spent here, and the others on cells that are shifted by half.
    """
    labels, classes = np.empty(len(records), dtype=np.int64), 0
    cut = parts(records.keys, records.codes, work.cell_rows)
    if not all(obeys(np.zeros(len(rows), np.int64), work.asked_of(records.take(rows).private)) for rows in cut):
        cut = [np.arange(len(records))]  # cells that were joined because of a rule stay together
    for part, rows in enumerate(cut):
        found = _cluster(work, (number, part), records.take(rows))
        labels[rows] = found + classes
        classes += int(found.max()) + 1
    return Partition.of(labels).labels


def mend_shifted(work: Work, number: int, records: CellRecords, labels: Ints) -> Ints:
    """[record] its class after the search over a shifted cell; ``labels`` number the classes that are whole in it.

    Never worse than it was. Classes are numbered from 0 by smallest member.
    """
    given = Partition.of(labels).labels
    asked = work.asked_of(records.private)
    return _searched(work, work.atlas.records(records.codes), given, asked, [streams.SHIFTED, number])


def left_out(work: Work, records: CellRecords, labels: Ints) -> Ints:
    """[record] its class, or -1: of each cell those go whose removal saves most, up to the share of the plan."""
    encoded, asked = work.atlas.records(records.codes), work.asked_of(records.private)
    return Partition.of(suppress(encoded, labels, asked, work.plan.suppression, Progress())).labels


def column_losses(work: Work, records: CellRecords, labels: Ints) -> Floats:
    """[quasi-identifier] what its cells cost together, each from 0 to 1, whatever its weight."""
    columns = work.atlas.records(records.codes, written=True).columns
    parts = [Encoded((replace(column, weight=1.0),), work.plan.loss) for column in columns]
    return np.array([total_of(part, labels) for part in parts])


def published(work: Work, codes: Sequence[SmallCodes], labels: Ints) -> dict[str, dict[str, Any]]:
    """For each quasi-identifier its new columns by name, each with a cell for every record."""
    shown = {}
    for column in work.atlas.records(codes, written=True).columns:
        typed, notation = has_type(work.digest, column.name), work.digest.notation(column.name)
        groups = ClassedColumn(column.written, labels, int(labels.max()) + 1, typed, notation)
        shown[column.name] = rendered(groups, work.digest, work.plan)
    return shown


def _cluster(work: Work, place: tuple[int, int], records: CellRecords) -> Ints:
    encoded, asked = work.atlas.records(records.codes), work.asked_of(records.private)
    parameters = build(work.method.Parameters, work.plan.parameters, where=f"method {work.plan.method!r}")
    seed = np.random.SeedSequence([work.plan.seed or 0, streams.CELLS, *place]).generate_state(2, np.uint32)
    own = replace(work.plan, seed=int(seed[0]) << 31 | int(seed[1]) >> 1)
    found = obeying(encoded, cluster(work.method, parameters, encoded, asked, own, Progress()), asked, Progress())
    return _searched(work, encoded, found.labels, asked, [streams.CELLS, *place]) if work.searched else found.labels


def _searched(work: Work, encoded: Encoded, labels: Ints, asked: Requirement, stream: list[int]) -> Ints:
    """Classes of lower loss, for half of the steps of the plan."""
    budget = Budget(max((work.plan.steps or 0) // 2, 1), round=work.round_steps)
    found = refine(encoded, labels, asked, budget, [work.plan.seed or 0, *stream], Progress())
    return Partition.of(found.labels).labels
