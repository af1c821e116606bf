# SPDX-License-Identifier: Apache-2.0
"""What a kind of leak is, what it may look at, and the search for all of them.

A kind of leak is one file with

* a docstring: first line the summary, then what is looked for, why it matters, and what is left alone;
* ``find(scene) -> Iterable[Leak]``: every leak of that kind in a released table.

A leak says what it found in one sentence without a cell of the table, how severe it is, and what to do:

* ``breaks``: the release must not be published, whatever the models say;
* ``warning``: it breaks no model, but somebody may be given away;
* ``question``: whether it gives somebody away only the owner can say; it is told and is no warning;
* ``information``: no leak by itself; worth knowing.

Patterns in data come about by chance, too. A kind that looks for patterns computes how likely that is and stays silent
above :data:`CHANCE`, so that no alarm means nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from shoal.ground import catalog
from shoal.ground.arrays import Ints
from shoal.ground.errors import ShoalError, TableError
from shoal.judging.evidence import once
from shoal.judging.verdicts import QUESTION, Leak
from shoal.plan.plan import Plan
from shoal.plan.roles import IDENTIFIER, INSENSITIVE, QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

BREAKS, WARNING, INFORMATION = "breaks", "warning", "information"
SEVERITIES = (BREAKS, WARNING, QUESTION, INFORMATION)

CHANCE = math.log(1e-6)
"""Logarithm of the probability below which a pattern is not put down to chance."""

POINTING = (
    "row_numbers",
    "personal_shapes",
    "identifying_columns",
    "identifying_names",
    "class_numbers",
    "determining_columns",
    "insensitive_columns",
)
"""Kinds that all say: this column points to rows. The first of them that warns about a column is told, the rest not."""


@dataclass(frozen=True)
class TextCells:
    """One column as text: codes into its sorted distinct cells, -1 where missing."""

    codes: Ints
    texts: list[str]

    @cached_property
    def counts(self) -> Ints:
        """How many rows show each distinct cell."""
        return np.bincount(self.codes[self.codes >= 0], minlength=len(self.texts)).astype(np.int64)

    @property
    def present(self) -> int:
        """Rows that are not missing."""
        return int(self.counts.sum())

    @property
    def different(self) -> int:
        """How many different cells there are, missing counted as one."""
        return len(self.texts) + (self.present < len(self.codes))

    @cached_property
    def groups(self) -> Ints:
        """The same codes with missing as one more value, so that none is negative."""
        return np.where(self.codes < 0, len(self.texts), self.codes)


@dataclass(frozen=True)
class LeakScene:
    """What a search for leaks may look at."""

    released: Table
    plan: Plan
    """Roles and trees (loaded) of the columns."""
    original: Table | None = None
    """The table that the release was made from, if its owner asks."""
    files: tuple[Path, ...] = ()
    """The files that the released table was read from."""
    given: Any = None
    """The table as it was given: a frame of pandas, Polars or Arrow, whose types may tell more than its cells."""
    by_sight: bool = True
    """Whether rows that look alike are a class; a box of its own for each record has none."""
    read: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)
    """What has already been read off, so that each column is read once for all kinds."""
    pointed: set[str] = field(default_factory=set, repr=False, compare=False)
    """Columns that kinds before this one have warned about as pointing to rows, see :data:`POINTING`."""

    @cached_property
    def names(self) -> list[str]:
        """Published columns whose cells can be shown as text; nested ones are left out."""
        return [name for name in self.released.names if _has_texts(self.released, name)]

    @cached_property
    def quasi_identifiers(self) -> list[str]:
        """Published quasi-identifiers, as the table names them."""
        return [name for name in self.plan.published_quasi_identifiers if name in self.names]

    @cached_property
    def others(self) -> list[str]:
        """Published columns that are not generalised: sensitive, insensitive, and those no plan knows."""
        shown = set(self.quasi_identifiers)
        return [name for name in self.names if name not in shown and self.role(name) in (SENSITIVE, INSENSITIVE)]

    def role(self, name: str) -> str:
        """Role of a published column; one of which the plan does not tell it is insensitive."""
        if name in self.plan.published_quasi_identifiers:
            return QUASI_IDENTIFIER
        return self.plan.role_of(name)

    def having(self, role: str) -> list[str]:
        """Published columns of a role, except identifiers, which the models refuse."""
        return [name for name in self.others if self.role(name) == role]

    @property
    def hidden(self) -> list[str]:
        """Identifiers that the original has and the release must not show."""
        known = self.original.names if self.original is not None else []
        return [name for name in self.plan.having(IDENTIFIER) if name in known]

    def has_texts(self, name: str) -> bool:
        """Whether cells of a column of the original can be shown as text."""
        return _has_texts(self.original, name)

    def cells(self, name: str) -> TextCells:
        """A published column, read once."""
        return once(self.read, ("released", name), lambda: TextCells(*self.released.codes(name)))

    def original_cells(self, name: str) -> TextCells:
        """A column of the original, read once."""
        original = self.original
        assert original is not None
        return once(self.read, ("original", name), lambda: TextCells(*original.codes(name)))

    @cached_property
    def classes(self) -> Ints | None:
        """Class of each row; None where the release has none."""
        if not self.by_sight or len(self.quasi_identifiers) < len(self.plan.published_quasi_identifiers):
            return None
        return classes(self.released, self.quasi_identifiers)

    @cached_property
    def untouched(self) -> list[str]:
        """Columns that release and original both have and that are published as they are."""
        before = self.original.names if self.original is not None else []
        return [name for name in self.others if name in before and _has_texts(self.original, name)]


def _has_texts(table: Table | None, name: str) -> bool:
    try:
        return table is not None and table.select([name]).take(np.zeros(0, dtype=np.int64)).texts(name) is not None
    except TableError:
        return False


def follows(values: Ints, groups: Ints) -> bool:
    """Whether all rows of a group have the same value."""
    one = np.zeros(int(groups.max(initial=-1)) + 1, dtype=np.int64)
    one[groups] = values
    return bool((one[groups] == values).all())


def quoted(names: Iterable[str]) -> str:
    """Column names for a sentence."""
    return ", ".join(repr(name) for name in names)


def find_leaks(scene: LeakScene, allow: Iterable[str] = ()) -> tuple[Leak, ...]:
    """All leaks of a released table, the severest first.

    ``allow`` names kinds whose warnings the user has weighed and accepts: they become information.
    """
    accepted = {catalog.find("leaks", name).name for name in ([allow] if isinstance(allow, str) else allow)}
    weighed = [
        replace(leak, severity=INFORMATION) if leak.severity in (WARNING, QUESTION) and leak.kind in accepted else leak
        for leak in _told_once(scene)
    ]
    return tuple(sorted(weighed, key=lambda leak: SEVERITIES.index(leak.severity)))


def _told_once(scene: LeakScene) -> list[Leak]:
    """The leaks of all kinds, without further warnings about a column that already is known to point to rows."""
    kinds = catalog.names("leaks")
    found = {}
    for kind in sorted(kinds, key=lambda kind: POINTING.index(kind) if kind in POINTING else len(POINTING)):
        found[kind] = [leak for leak in _found(kind, scene) if not (_points(leak) and leak.columns[0] in scene.pointed)]
        scene.pointed.update(leak.columns[0] for leak in found[kind] if _points(leak))
    return [leak for kind in kinds for leak in found[kind]]


def _points(leak: Leak) -> bool:
    """Whether it warns that a column points to rows."""
    return leak.severity == WARNING and leak.kind in POINTING and bool(leak.columns)


def _found(name: str, scene: LeakScene) -> list[Leak]:
    """The leaks of one kind; a search that fails says so and stops no other."""
    try:
        return list(catalog.load("leaks", name).find(scene))
    except ShoalError as problem:
        why = f"{problem.what} ({problem.where})"
    except Exception as problem:  # a message of a library could quote cells, so only its type is told
        why = f"the search failed ({type(problem).__name__})"
    return [Leak(name, WARNING, f"this kind of leak could not be looked for: {why}", "look for it by eye")]


__all__ = ["QUESTION", "Leak", "LeakScene", "TextCells", "find_leaks", "follows", "quoted"]
