# SPDX-License-Identifier: Apache-2.0
"""``risk``: how exposed a table is as it stands, which columns make it so, and whom.

Everything is counted on the cells as they are: two rows are alike if they show the same ones. Only counts, names of
columns and numbers of rows are told, never a cell.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import PlanError, short
from shoal.ground.progress import Progress, ProgressCallback
from shoal.judging.evidence import Evidence
from shoal.judging.look_alikes import household_risks, row_risks, row_sizes, rows_below
from shoal.judging.special_uniques import SpecialUniques, special_uniques
from shoal.plan.header import as_planned
from shoal.plan.keywords import as_names
from shoal.plan.plan import Plan
from shoal.plan.roles import QUASI_IDENTIFIER
from shoal.plan.values import refuse_missing
from shoal.suggesting.looking import look_at
from shoal.tables.equivalence_classes import classes, has_missing
from shoal.tables.frames import as_table
from shoal.tables.table import Table

EACH_SIZE = 3
"""Sets of columns of each size that are told: those that single out the most rows."""
MOST_ROWS = 10
"""Rows that are told one by one: the most exposed."""


@dataclass(frozen=True)
class ColumnRisk:
    """What one column does to the table; all but the number of values are shares."""

    values: int
    """Different cells, missing counted as one."""
    alone: float
    """Rows that it singles out by itself."""
    adds: float
    """Rows that it makes alone beside others, on average; see :attr:`SpecialUniques.adds`."""
    without: float
    """Rows that would be alone if it were left out."""
    contribution: float
    """Its part in all scores of special uniques; see :mod:`shoal.judging.special_uniques`."""


@dataclass(frozen=True)
class ColumnSet:
    """Columns that together single out some rows."""

    columns: tuple[str, ...]
    rows: int


@dataclass(frozen=True)
class ExposedRow:
    """One of the most exposed rows, by its number (the first is 1), and why."""

    row: int
    look_alikes: int
    score: float
    columns: tuple[str, ...]
    """The smallest set of columns that singles it out; the first of several."""


@dataclass(frozen=True)
class HouseholdRisk:
    """What members of a household give away of each other."""

    households: int
    drawn_in: int
    """Rows that have look-alikes, but share a household with one that has none."""
    expected: float
    """Rows that are named rightly, or in whose household somebody is, on average."""


@dataclass(frozen=True, eq=False)
class RiskReport:
    """How exposed a table is. ``str()`` tells it in a few lines, :meth:`save` as a page."""

    rows: int
    columns: Mapping[str, ColumnRisk]
    guessed: bool
    """Whether nobody named the columns, and they are those that seem to be quasi-identifiers."""
    below: Mapping[int, int]
    """[k] rows like which there are fewer than k, themselves included."""
    expected: float
    """Rows that are named rightly, on average, if every row is given a name."""
    note: str
    """How that is known."""
    largest: int
    """Columns of the largest sets that were searched."""
    sets: tuple[ColumnSet, ...]
    """Of each size the sets that single out the most rows, the smallest sets first."""
    special: Mapping[int, int]
    """[columns] rows whose smallest set that singles them out has so many."""
    most_exposed: tuple[ExposedRow, ...]
    households: HouseholdRisk | None
    """Where a column of households was named."""
    missing: str
    """How missing cells were read: ``own``, ``wildcard`` or ``refuse``, as in a plan."""
    risks: Floats = field(repr=False)
    """[row] chance of being named rightly; where there are households, by naming anybody of it."""
    scores: Floats = field(repr=False)
    """[row] score of special uniques."""
    look_alikes: Ints = field(repr=False)
    """[row] rows like it, itself included."""
    found: SpecialUniques = field(repr=False)

    @property
    def alone(self) -> int:
        """Rows like which there is no other."""
        return self.below[2]

    @property
    def specials(self) -> int:
        """Special uniques: rows that some of the columns single out, without the others."""
        return sum(rows for size, rows in self.special.items() if size < len(self.columns))

    @cached_property
    def smallest_sets(self) -> tuple[tuple[str, ...], ...]:
        """[row] the smallest set of columns that singles it out, the first of several; empty where none does."""
        names, empty = list(self.columns), 0
        first = np.full(self.rows, empty, dtype=object)
        for bits in sorted(self.found.minimal, key=lambda bits: (bits.bit_count(), bits), reverse=True):
            first[self.found.minimal[bits]] = bits
        return tuple(_names(names, bits) for bits in first.tolist())

    def to_dict(self) -> dict[str, Any]:
        """The facts, for JSON; rows are told by number alone."""
        plain = ("rows", "guessed", "alone", "expected", "note", "largest", "specials", "missing")
        facts = {name: getattr(self, name) for name in plain}
        facts |= {"below": dict(self.below), "special": dict(self.special)}
        facts["columns"] = {name: vars(one) for name, one in self.columns.items()}
        facts["sets"] = [vars(one) for one in self.sets]
        facts["households"] = self.households and vars(self.households)
        return {**facts, "most_exposed": [vars(one) for one in self.most_exposed]}

    def save(self, folder: str | Path, *, overwrite: bool = False) -> Path:
        """Write a page, the facts as JSON, and the risk of every row: for the custodian, not for publishing."""
        from shoal.studies.exposing.saving import save

        return save(self, Path(folder), overwrite=overwrite)

    def __str__(self) -> str:
        from shoal.studies.exposing.telling import told

        return "\n".join(told(self))

    def _repr_html_(self) -> str:
        from shoal.studies.exposing.page import risk_card

        return risk_card(self)


def risk(
    data: Any,
    plan: Plan | None = None,
    *,
    quasi_identifiers: Iterable[str] = (),
    population: Any = None,
    sample_weight: str | None = None,
    household: str | None = None,
    largest: int | None = None,
    progress: ProgressCallback | None = None,
) -> RiskReport:
    """How exposed a table is before it is anonymised: a frame, or the path of a file.

    The columns are those named, else the plan's quasi-identifiers, else those that seem to be some. ``population`` is a
    table of the people of whom the table holds some, or their number; ``sample_weight`` a column that tells how many
    people each row stands for. ``household`` is a column that is the same for all members of one. Sets of up to
    ``largest`` columns are searched; unless given, as large as half a minute allows.
    """
    if largest is not None and (not isinstance(largest, int | np.integer) or largest < 1):
        what, todo = "The largest sets of columns have no such size.", "leave it out, or try 3"
        raise PlanError(what, "--largest / largest", "a whole number, 1 or more", short(largest), todo)
    asked = plan or Plan.of(1)
    table = as_planned(as_table(data, asked.reading), asked)
    named = list(as_names(quasi_identifiers)) or asked.quasi_identifiers
    people = asked.population if population is None else population
    weight = asked.sample_weight if sample_weight is None else sample_weight
    if weight is not None and people is not None:
        raise PlanError(
            "Both weights and a population say how many people there are.",
            where="--sample-weight / sample_weight, --population / population",
            allowed="one of the two",
            received="both",
            todo="leave out one of them",
        )
    beside = [one for one in (weight, household) if one is not None]
    columns = named or [name for name in _seeming(table) if name not in beside]
    counted = Plan.of(1, quasi_identifiers=columns, missing=asked.missing, population=people, sample_weight=weight)
    table.require([*counted.quasi_identifiers, *beside], where="quasi-identifiers, weights and households")
    refuse_missing(table, counted, counted.quasi_identifiers)
    known = _Known(table, counted, household)
    return _counted(known, not named, largest, Progress(progress))


def _seeming(table: Table) -> list[str]:
    """Columns that seem to be quasi-identifiers and come first."""
    table.require_rows("so nobody in it is exposed")
    found = [name for name, one in look_at(table).items() if one.role == QUASI_IDENTIFIER and not one.next]
    if not found:
        raise PlanError(
            "No column seems to be known to others, so nothing says where to look.",
            where="--qi / quasi_identifiers",
            allowed="one or more columns of the table",
            received="none",
            todo="name the columns that could help recognise someone, e.g. --qi age,sex,zip",
        )
    return found


@dataclass(frozen=True)
class _Known:
    """The table, and what is said about it."""

    table: Table
    plan: Plan
    household: str | None

    def alike(self, names: list[str]) -> Ints:
        """[row] rows like it in some columns, under the plan's reading of missing cells."""
        return row_sizes(Evidence(None, self.table, Plan.of(1, quasi_identifiers=names, missing=self.plan.missing)))

    @property
    def wild(self) -> bool:
        """Whether rows match without being equal: there are missing cells, and they match anything."""
        return self.plan.missing == "wildcard" and has_missing(self.table, self.plan.quasi_identifiers)

    def households(self) -> Ints | None:
        """The household of each row; where it is missing, one by itself."""
        if self.household is None:
            return None
        codes = classes(self.table, [self.household])
        missing = self.table.missing(self.household)
        codes[missing] = int(codes.max(initial=-1)) + 1 + np.arange(int(missing.sum()))
        return np.unique(codes, return_inverse=True)[1].ravel().astype(np.int64)


def _counted(known: _Known, guessed: bool, largest: int | None, progress: Progress) -> RiskReport:
    table, names = known.table, known.plan.quasi_identifiers
    progress.phase("count")
    evidence = Evidence(None, table, known.plan)
    sizes, risks = row_sizes(evidence), row_risks(evidence)
    together = known.households()
    progress.phase("single out")
    matching = (lambda places: known.alike([names[place] for place in places])) if known.wild else None
    found = special_uniques([classes(table, [name]) for name in names], largest, progress, matching)
    scores, smallest = found.scores, found.sizes
    special = {size: int((smallest == size).sum()) for size in range(1, found.largest + 1)}
    shared = risks.risks if together is None else household_risks(risks.risks, together)
    return RiskReport(
        rows=len(table),
        columns=_columns(known, found),
        guessed=guessed,
        below=rows_below(sizes),
        expected=float(risks.risks.sum()),
        note=risks.note,
        largest=found.largest,
        sets=tuple(_sets(names, found)),
        special={size: rows for size, rows in special.items() if rows},
        most_exposed=_most_exposed(names, found, scores, sizes),
        households=None if together is None else _household(sizes, together, shared),
        missing=known.plan.missing,
        risks=shared,
        scores=scores,
        look_alikes=sizes,
        found=found,
    )


def _household(sizes: Ints, together: Ints, risks: Floats) -> HouseholdRisk:
    many = int(together.max(initial=-1)) + 1
    with_one_alone = np.bincount(together, sizes == 1, many) > 0
    drawn_in = with_one_alone[together] & (sizes > 1)
    return HouseholdRisk(many, int(drawn_in.sum()), float(risks.sum()))


def _columns(known: _Known, found: SpecialUniques) -> dict[str, ColumnRisk]:
    table, names = known.table, known.plan.quasi_identifiers
    rows = max(len(table), 1)
    columns = {}
    for place, (name, adds, contribution) in enumerate(zip(names, found.adds, found.contributions, strict=True)):
        values = int(classes(table, [name]).max(initial=-1)) + 1
        others = [one for one in names if one != name]
        without = int((known.alike(others) == 1).sum()) if others else 0
        columns[name] = ColumnRisk(values, found.alone[1 << place] / rows, adds, without / rows, contribution)
    return columns


def _sets(names: list[str], found: SpecialUniques) -> list[ColumnSet]:
    """Of each size those that single out the most rows; sizes that add nobody to the smaller ones are left out."""
    told, most = [], 0
    for size in range(1, found.largest + 1):
        every = [(-rows, bits) for bits, rows in found.alone.items() if bits.bit_count() == size and rows > most]
        best = sorted(every)[:EACH_SIZE]
        told += [ColumnSet(_names(names, bits), -rows) for rows, bits in best]
        most = max([most, *(-rows for rows, _ in best)])
    return told


def _most_exposed(names: list[str], found: SpecialUniques, scores: Floats, sizes: Ints) -> tuple[ExposedRow, ...]:
    first = np.lexsort([found.sizes, -scores])[:MOST_ROWS]  # of equal scores, whom fewer columns single out
    return tuple(
        ExposedRow(row + 1, int(sizes[row]), float(scores[row]), _names(names, found.sets_of(row)[0]))
        for row in first.tolist()
        if scores[row] > 0
    )


def _names(names: list[str], bits: int) -> tuple[str, ...]:
    return tuple(name for place, name in enumerate(names) if bits >> place & 1)
