# SPDX-License-Identifier: Apache-2.0
"""Who of a population could stand behind each class of a release: labels matched by what they allow.

A range allows the values between its ends, a node of a tree its leaves, a set its members, ``*`` and a root anything. A
missing cell allows a missing one and nothing else; with ``missing = "wildcard"``, on either side, it matches anything.
A label that cannot be read matches nobody, so that no crowd is ever made up. Two missing bounds (``age_min``,
``age_max``) may stand for "missing" or for "missing or present"; they are taken as the first, which finds fewer people.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.errors import PlanError
from shoal.metrics._cells import CENTRES, column_of, labels_of, positions_of, value_positions
from shoal.metrics._labels import ANYTHING, members
from shoal.metrics._lines import Line
from shoal.metrics._protocol import Evidence
from shoal.metrics._trees import Tree
from shoal.plan import Plan
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

Runs = tuple[tuple[float, float], ...]
EVERYTHING: Runs = ((-math.inf, math.inf),)


@dataclass(frozen=True)
class Allowed:
    """What a label allows: runs of positions, ends included, and perhaps a missing value."""

    runs: Runs
    missing: bool = False

    def admits(self, positions: Floats) -> NDArray[np.bool_]:
        """Which of these positions (NaN = missing) are allowed."""
        inside = np.isnan(positions) & self.missing
        for low, high in self.runs:
            inside |= (low <= positions) & (positions <= high)
        return inside


@dataclass(frozen=True)
class Matches:
    """The classes of a release beside the people of a population; alike people are counted together."""

    alike: Ints
    """[released row] its class."""
    sizes: Ints
    """[class] its rows."""
    people: Ints
    """[class] how many people match it."""
    kinds: Ints
    """[kind] how many people look so: the different rows of the population."""
    chances: Floats
    """[kind] how many rows are expected to be of one such person, if every row is of any of its matches alike."""


@dataclass(frozen=True)
class _Column:
    positions: Floats
    """[kind of person]"""
    label_of: Ints
    """[class]"""
    labels: list[Allowed]


def match(released: Table, population: Table, plan: Plan) -> Matches:
    """Find for every class of a release the people who could be in it."""
    names = plan.quasi_identifiers
    population.require(names, where="population table")
    _refuse_centres(plan)
    alike = classes(released, plan.published_quasi_identifiers)
    look = classes(population, names)
    sizes, kinds = np.bincount(alike), np.bincount(look)
    rows, firsts = np.unique(alike, return_index=True)[1], np.unique(look, return_index=True)[1]
    evidence = Evidence(population.take(firsts), released.take(rows), plan)
    columns = sorted((_column(evidence, name) for name in names), key=lambda one: len(one.labels))
    people, chances = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(kinds))
    for one, found in _narrowed(np.arange(len(sizes)), np.arange(len(kinds)), columns):
        people[one] = kinds[found].sum()
        chances[found] += sizes[one] / people[one]
    return Matches(alike, sizes, people, kinds, chances)


def _narrowed(ours: Ints, people: Ints, columns: list[_Column]) -> Iterator[tuple[int, Ints]]:
    """Each class with the people who match it on all columns; classes of one label are looked for together."""
    if not len(people):
        return
    if not columns:
        yield int(ours[0]), people
        return
    column, *others = columns
    labels = column.label_of[ours]
    for label in np.unique(labels):
        left = people[column.labels[label].admits(column.positions[people])]
        yield from _narrowed(ours[labels == label], left, others)


def _refuse_centres(plan: Plan) -> None:
    shown = [name for name in plan.quasi_identifiers if plan.rendering(name) in CENTRES]
    if shown:
        raise PlanError(
            "People of a population cannot be matched with centres.",
            where=f"--render / [release] render, column {shown[0]!r}",
            allowed="ranges, ancestors or sets, which hold the values behind them",
            received=f"rendering {plan.rendering(shown[0])!r}",
            todo="leave out the rendering, or the population",
        )


# -- what labels allow ---------------------------------------------------------------------------------------------


def _column(evidence: Evidence, name: str) -> _Column:
    column = column_of(evidence, name)
    wildcard = evidence.plan.missing == "wildcard"
    if isinstance(column, Line):
        positions = column.positions
        plain = _plain_runs(evidence, name, column)
        if plain is not None:
            return _Column(positions, *_from_ends(*plain, wildcard))
        read: Callable[[str], Runs | None] = _line_reader(column)
    else:
        positions, read = _tree_reader(evidence, name, column)
    codes, labels = labels_of(evidence, name, read)
    allowed = [_allowed(read(label), wildcard) for label in labels]
    missing = Allowed(EVERYTHING if wildcard else (), missing=True)
    return _Column(positions, np.where(codes < 0, len(labels), codes), [*allowed, missing])


def _allowed(runs: Runs | None, wildcard: bool) -> Allowed:
    return Allowed(runs or (), missing=wildcard or runs == EVERYTHING)


def _plain_runs(evidence: Evidence, name: str, line: Line) -> tuple[Floats, Floats] | None:
    """First and last position of every class where no label has to be read: bounds, or single values."""
    if evidence.plan.rendering(name) == "bounds":
        low, high = (positions_of(evidence.released, shown, line) for shown in evidence.plan.published(name))
        return low, high
    values = value_positions(evidence.released, name, line)
    return None if values is None else (values, values)


def _from_ends(low: Floats, high: Floats, wildcard: bool) -> tuple[Ints, list[Allowed]]:
    ends, label_of = np.unique(np.column_stack([low, high]), axis=0, return_inverse=True)
    labels = []
    for first, last in ends:
        if math.isnan(first) or math.isnan(last):
            labels.append(Allowed(EVERYTHING if wildcard else (), missing=True))
        else:
            labels.append(_allowed(((float(first), float(last)),), wildcard))
    return label_of.ravel().astype(np.int64), labels


def _line_reader(line: Line) -> Callable[[str], Runs | None]:
    """Labels on a line as runs; a set is one run per member, not the range it spans."""

    def read(label: str) -> Runs | None:
        listed = members(label) if line.position(label) is None else None
        if listed is None:
            ends = line.read(label)
            return None if ends is None else (ends,)
        found = [line.position(one) for one in listed]
        return tuple((one, one) for one in found if one is not None) if None not in found else None

    return read


def _tree_reader(evidence: Evidence, name: str, tree: Tree) -> tuple[Floats, Callable[[str], Runs | None]]:
    """Positions of people in a tree, and its labels as runs; values that are no leaf stand beyond all leaves."""
    assert evidence.original is not None
    codes, values = evidence.original.codes(name)
    first, last = tree.hierarchy.first, tree.hierarchy.last

    def run(label: str) -> tuple[float, float] | None:
        node = tree.nodes.get(label)
        if node is None:
            return places.get(label)
        return EVERYTHING[0] if node == 0 else (float(first[node]), float(last[node]))

    def read(label: str) -> Runs | None:
        found = run(label)
        if found is not None or label == ANYTHING:
            return EVERYTHING if found is None else (found,)
        listed = [run(one) for one in members(label) or ()]
        return tuple(one for one in listed if one is not None) if listed and None not in listed else None

    places: dict[str, tuple[float, float]] = {}
    for number, value in enumerate(values, tree.hierarchy.n_leaves):
        found = run(value)
        inside = found is not None and found[0] == found[1]
        places[value] = found if inside and found is not None else (float(number), float(number))
    return np.array([*(places[value][0] for value in values), np.nan])[codes], read
