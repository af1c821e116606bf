# SPDX-License-Identifier: Apache-2.0
"""The same people told in another way: a change that says nothing new about them must not change their classes.

Another unit, another zero, weights that are all so many times larger: no method can be swayed by these, since it is
given steps and multiples. The order of columns, and a column that stands twice with half its weight each time, may sway
a method that goes by one column at a time; it has to say so, with the reason, and it has to be true.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from shoal.engine.methods import SWAYS, Subtables
from shoal.tables.table import Table
from shoal.testing import _people as people
from shoal.testing import _weaker as weaker
from shoal.testing._candidate import Candidate

ROWS, K = 80, 4
FACTORS = (1000, 10**6, 1e-6, 2.0**20, 2.0**-20, 7)
"""Euros, thousands and millions of them; powers of two, which change no bit; an odd one."""
ZERO = 10**6
"""How far the zero is moved."""
WEIGHTS = (8.0, 100.0, 1e-3, 1e5)
STEPS = 500
"""Of a search, where one belongs to the method."""
TRIED = 60
"""Tables that are retold before a method counts as not swayed."""
NUMBERS, NAMES = ("age", "wage", "income", "day"), ("work", "town", "code")
FINE = ("income", "day", "code")
"""Columns without which many records are equal."""


@dataclass(frozen=True)
class Telling:
    """A table and the weights of its columns."""

    table: Table
    weights: dict[str, float]

    def with_column(self, name: str, cells: Any) -> Telling:
        """The same, with other cells in one column."""
        return replace(self, table=self.table.replace_columns({name: {name: cells}}))

    def cells(self, name: str) -> Any:
        """A column, to compute with."""
        return self.table.frame.get_column(name)

    def times(self, factor: float) -> Telling:
        """All amounts in another unit."""
        told = self
        for name in self.table.names:
            if name in ("wage", "income", "age"):
                told = told.with_column(name, told.cells(name) * factor)
        return told

    def shifted(self) -> Telling:
        """All numbers counted from another zero."""
        told = self
        for name in self.table.names:
            if name in NUMBERS:
                told = told.with_column(name, told.cells(name) + (timedelta(ZERO // 1000) if name == "day" else ZERO))
        return told

    def weighing(self, factor: float) -> Telling:
        """All weights so many times larger."""
        return replace(self, weights={name: factor * weight for name, weight in self.weights.items()})

    def turned(self) -> Telling:
        """The columns from right to left."""
        return replace(self, table=self.table.select(self.table.names[::-1]))

    def halved(self) -> Telling:
        """The first column once more at the end, each time with half its weight."""
        name, half = self.table.names[0], self.weights[self.table.names[0]] / 2
        last, twin = self.table.names[-1], f"{name} again"
        cells = {last: self.cells(last), twin: self.cells(name)}
        return Telling(self.table.replace_columns({last: cells}), {**self.weights, name: half, twin: half})


WAYS: dict[str, Callable[[Telling], Telling]] = {"column order": Telling.turned, "halved column": Telling.halved}
"""How a table is retold to see whether a method is swayed by it."""


def tellings(kinds: tuple[str, ...], many: int = 4) -> Iterator[Telling]:
    """Tables with many ties, with missing cells, with hardly any equal records, and with two columns, by turns."""
    names = [name for kind, every in (("numeric", NUMBERS), ("categorical", NAMES)) if kind in kinds for name in every]
    coarse = [name for name in names if name not in FINE]
    for seed in range(many):
        columns, missing = [(coarse, 0.0), (coarse, 0.15), (names, 0.0), (coarse[:2], 0.0)][seed % 4]
        weights = (2.0, 1.0, 0.5, 1.0, 1.0, 4.0, 1.0) if seed else (1.0,) * len(columns)
        yield Telling(people.people(ROWS, columns, seed, missing), dict(zip(columns, weights)))


def is_not_swayed(candidate: Candidate) -> None:
    """Neither by units, zeros and common factors, nor by whatever else it does not declare."""
    for told in tellings(candidate.able.kinds):
        before = _made(candidate, told)
        for factor in FACTORS:
            _same(candidate, before, told.times(factor), f"columns are given in units {1 / factor:g} times as large")
        _same(candidate, before, told.shifted(), "numbers are counted from another zero")
        for factor in WEIGHTS:
            _same(candidate, before, told.weighing(factor), f"all weights are {factor:g} times as large")
        for way, retold in WAYS.items():
            meant = way in candidate.able.swayed_by or before == _made(candidate, retold(told))
            assert meant, (
                f"{candidate.name}: {SWAYS[way]} changes the classes; "
                f"if that is meant, declare why: swayed_by={{{way!r}: ...}}"
            )


def is_swayed_as_it_says(candidate: Candidate) -> None:
    """What it declares to be swayed by really changes its classes of some table."""
    for way in candidate.able.swayed_by:
        every = tellings(candidate.able.kinds, TRIED)
        is_so = any(_made(candidate, told) != _made(candidate, WAYS[way](told)) for told in every)
        assert is_so, f"{candidate.name}: declares to be swayed by {way!r}, which changes nothing"


def keeps_its_release(candidate: Candidate) -> None:
    """Through the whole flow: all columns in other units, from other zeros, with larger weights."""
    if candidate.is_weaker:
        return
    told = next(tellings(candidate.able.kinds))
    search: dict[str, Any] = {"steps": STEPS} if candidate.able.refined else {}
    again = told.times(1e-3).shifted().weighing(100.0)
    before, after = (candidate.release(one.table, K, weights=one.weights, **search).classes for one in (told, again))
    same = before.tolist() == after.tolist()
    assert same, f"{candidate.name}: the release has other classes when units, zeros and weights change"


def _same(candidate: Candidate, before: Any, told: Telling, change: str) -> None:
    assert before == _made(candidate, told), f"{candidate.name}: classes change when {change}"


def _made(candidate: Candidate, told: Telling) -> Any:
    """What the method makes of it, so that it can be compared whatever the order of columns."""
    encoded = candidate.encoded(told.table, K, weights=told.weights)
    made = candidate.made(encoded, K)
    if not isinstance(made, Subtables):
        flat: list[int] = weaker.flat(candidate.name, candidate.able, made, encoded, K).tolist()
        return flat
    named = [frozenset(encoded.columns[place].name for place in group) for group in made.groups]
    return dict(zip(named, (part.labels.tolist() for part in made.partitions)))
