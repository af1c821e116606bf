# SPDX-License-Identifier: Apache-2.0
"""Types of ordered columns of a table that comes in parts: of all categories those that any part shows.

Each part by itself has a type that lists what it shows (:mod:`shoal.tables.bareness`); parts with different lists could
not be put together.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import polars as pl

from shoal.tables.table import Table


class ShownCategories:
    """What the ordered columns of the parts show."""

    def __init__(self, whole: Mapping[str, pl.DataType]) -> None:
        self._whole = {name: kind for name, kind in whole.items() if isinstance(kind, pl.Enum)}
        self._shown: dict[str, set[str]] = {name: set() for name in self._whole}

    def noted(self, part: Table) -> Table:
        """A part in the types of the whole; what it shows is noted."""
        names = _ordered(part)
        for name in names:
            self._shown[name].update(part.frame[name].unique().drop_nulls().cast(pl.String))
        return _cast(part, {name: self._whole[name] for name in names})

    def as_shown(self, part: Table) -> Table:
        """A part in types that list what all parts that were noted show, in the order of the whole."""
        return _cast(part, {name: self._type(name) for name in _ordered(part)})

    def _type(self, name: str) -> pl.Enum:
        return pl.Enum([one for one in self._whole[name].categories if one in self._shown[name]])


def _ordered(part: Table) -> list[str]:
    return [name for name, kind in part.frame.schema.items() if isinstance(kind, pl.Enum)]


def _cast(part: Table, kinds: Mapping[str, pl.Enum]) -> Table:
    return replace(part, frame=part.frame.with_columns(pl.col(name).cast(kind) for name, kind in kinds.items()))
