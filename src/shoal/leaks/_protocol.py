# SPDX-License-Identifier: Apache-2.0
"""What a kind of leak is, and what it may look at.

A kind of leak is one file with

* a docstring: first line the summary, then what is looked for, why it matters, and what is left alone;
* ``find(scene) -> Iterable[Leak]``: every leak of that kind in a released table.

A leak says what it found in one sentence without a cell of the table, how severe it is, and what to do:

* ``breaks``: the release must not be published, whatever the models say;
* ``warning``: it breaks no model, but somebody may be given away;
* ``information``: no leak by itself; worth knowing.

Patterns in data come about by chance, too. A kind that looks for patterns computes how likely that is and stays silent
above :data:`CHANCE`, so that no alarm means nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.errors import TableError
from shoal.metrics._protocol import BOXES, CLASSES
from shoal.plan import Plan
from shoal.privacy_models._protocol import Leak
from shoal.roles.roles import IDENTIFIER, INSENSITIVE, QUASI_IDENTIFIER, SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

Ints = NDArray[np.int64]

BREAKS, WARNING, INFORMATION = "breaks", "warning", "information"
SEVERITIES = (BREAKS, WARNING, INFORMATION)

CHANCE = math.log(1e-6)
"""Logarithm of the probability below which a pattern is not put down to chance."""


@dataclass(frozen=True)
class Cells:
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
class Scene:
    """What a search for leaks may look at."""

    released: Table
    plan: Plan
    """Roles and trees (loaded) of the columns."""
    original: Table | None = None
    """The table that the release was made from, if its owner asks."""
    files: tuple[Path, ...] = ()
    """The files that the released table was read from."""
    releases: str = CLASSES
    _read: dict[tuple[bool, str], Cells] = field(default_factory=dict, repr=False, compare=False)
    spans: dict[str, Any] = field(default_factory=dict, repr=False, compare=False)
    """What :func:`shoal.leaks._labels.spans` has already read off."""

    # -- columns ------------------------------------------------------------------------------------------

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
        """Role of a published column; a column that the plan does not know is insensitive."""
        if name in self.plan.published_quasi_identifiers:
            return QUASI_IDENTIFIER
        return self.plan.columns[name].role if name in self.plan.columns else INSENSITIVE

    def having(self, role: str) -> list[str]:
        """Published columns of a role, except identifiers, which the models refuse."""
        return [name for name in self.others if self.role(name) == role]

    @property
    def hidden(self) -> list[str]:
        """Identifiers that the original has and the release must not show."""
        known = self.original.names if self.original is not None else []
        return [name for name in self.plan.having(IDENTIFIER) if name in known]

    # -- cells --------------------------------------------------------------------------------------------

    def cells(self, name: str) -> Cells:
        """A published column, read once."""
        return self._cells(self.released, name, False)

    def original_cells(self, name: str) -> Cells:
        """A column of the original, read once."""
        assert self.original is not None
        return self._cells(self.original, name, True)

    def _cells(self, table: Table, name: str, before: bool) -> Cells:
        if (before, name) not in self._read:
            self._read[before, name] = Cells(*table.codes(name))
        return self._read[before, name]

    @cached_property
    def classes(self) -> Ints | None:
        """Class of each row; None where the release has none."""
        if self.releases == BOXES or len(self.quasi_identifiers) < len(self.plan.published_quasi_identifiers):
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


__all__ = [
    "BREAKS",
    "CHANCE",
    "INFORMATION",
    "SEVERITIES",
    "WARNING",
    "Cells",
    "Leak",
    "Scene",
    "follows",
    "quoted",
]
