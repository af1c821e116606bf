# SPDX-License-Identifier: Apache-2.0
"""A written table that is counted where it is: Parquet files, within the memory that may be used.

What :class:`shoal.judging.by_counts.Counting` asks for. Classes are counted whole, some at a time.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.by_counts import Sizes, tallied
from shoal.judging.tallying import ClassTally, Question
from shoal.tables.digest import DifferentCells
from shoal.tables.equivalence_classes import classes
from shoal.tables.parquet_queries import SOURCE, ParquetQueries
from shoal.tables.table import Table

AT_ONCE = 2_000_000
"""Rows whose classes are looked at together."""
ROWS = "n"


class CountedParquet:
    """A long table in Parquet files."""

    place = "the file"

    def __init__(self, files: ParquetQueries, *, untyped: bool = False) -> None:
        self._files, self.untyped = files, untyped

    @property
    def names(self) -> list[str]:
        """Its columns."""
        return list(self._files.columns)

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return int(_whole(self._files.ask(f"select count(*) as {ROWS} from {SOURCE}"), ROWS)[0])

    def sizes(self, alike: Sequence[str]) -> Sizes:
        """Count the rows that are alike in some columns."""
        keys = ", ".join(map(self._files.exact, alike))
        each = f"select count(*) as {ROWS} from {SOURCE} group by {keys or '()'}"
        found = self._files.ask(f"select {ROWS}, count(*) as classes from ({each}) group by {ROWS} order by {ROWS}")
        return Sizes(_whole(found, ROWS), _whole(found, "classes"))

    def different(self, name: str, most: int) -> DifferentCells | None:
        """The different cells of a column with their rows; None if there are more than ``most``."""
        column = self._files.columns[name]
        asked = f"select {column}, count(*) as {ROWS} from {SOURCE} group by {column} limit {most + 1}"
        found = self._files.ask(asked)
        if len(found) > most:
            return None
        return DifferentCells.of(self._files.in_order(name, found.frame[column]), _whole(found, ROWS))

    def tallies(
        self, alike: Sequence[str], private: Mapping[str, DifferentCells], questions: Sequence[Question]
    ) -> list[list[ClassTally]]:
        """How the classes stand with each question, some of them at a time."""
        keys = ", ".join(map(self._files.exact, alike))
        called = self._files.columns
        exactly = [f"{self._files.exact(name)} as {called[name]}" for name in alike]
        names = ", ".join([*exactly, *(called[name] for name in private)])
        many, found = max(-(-self.rows // AT_ONCE), 1), []
        for part in range(many):
            some = f"from {SOURCE} where hash({keys}) % {many} = {part} group by all"
            cells = self._files.ask(f"select {names}, count(*) as {ROWS} {some}")
            if len(cells):
                owner = classes(cells, [called[name] for name in alike])
                values = cells.select([called[name] for name in private]).frame.rename({called[n]: n for n in private})
                found.append(tallied(questions, private, owner, Table(values), _whole(cells, ROWS)))
        return found


def _whole(table: Table, name: str) -> Ints:
    return table.numbers(name).values.astype(np.int64)
