# SPDX-License-Identifier: Apache-2.0
"""Tables as the papers write them: numbers as exact fractions, names as paths in a taxonomy.

Nothing of shoal is imported by the files of this folder. They were written from the pseudo-code of the papers, with an
encoding of their own, so that they can disagree with the engine where the engine has misread a paper.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Path = tuple[str, ...]


@dataclass(frozen=True)
class Tree:
    """A taxonomy: every name with its way down from the root, itself last; names stand in the order of the tree."""

    paths: dict[str, Path]

    @classmethod
    def of(cls, rows: Iterable[Sequence[str]]) -> Tree:
        """From rows that name a leaf first and the root last."""
        return cls({row[0]: tuple(reversed(row)) for row in rows})

    def meeting(self, names: Iterable[str]) -> Path:
        """The way down to the lowest common ancestor of some names: what their paths begin with alike."""
        first, *others = {self.paths[name] for name in names}
        shared = first
        for path in others:
            alike = 0
            while alike < min(len(shared), len(path)) and shared[alike] == path[alike]:
                alike += 1
            shared = shared[:alike]
        return shared

    def below(self, node: Path) -> list[Path]:
        """The paths of the leaves below a node (a leaf is below itself)."""
        return [path for path in self.paths.values() if path[: len(node)] == node]

    def height(self, node: Path) -> int:
        """Edges from a node down to its deepest leaf."""
        return max(len(path) for path in self.below(node)) - len(node)

    @property
    def root(self) -> Path:
        """The way to the root, which is the root alone."""
        return next(iter(self.paths.values()))[:1]

    @property
    def levels(self) -> int:
        """Nodes on the longest way from the root to a leaf."""
        return max(len(path) for path in self.paths.values())


@dataclass(frozen=True)
class Numbers:
    """A numeric attribute."""

    cells: Sequence[Any]
    weight: Fraction = Fraction(1)

    @property
    def domain(self) -> Any:
        """Largest minus smallest value of the table."""
        return max(self.cells) - min(self.cells)

    def spread(self, rows: Iterable[int]) -> Any:
        """Width of the interval that covers some records, as a share of the domain; a constant column costs nothing."""
        values = [self.cells[row] for row in rows]
        return (max(values) - min(values)) / self.domain if self.domain else Fraction(0)

    def place(self, row: int) -> Any:
        """What sorts the records."""
        return self.cells[row]


@dataclass(frozen=True)
class Names:
    """A categorical attribute with its taxonomy."""

    cells: Sequence[str]
    tree: Tree
    weight: Fraction = Fraction(1)

    def spread(self, rows: Iterable[int]) -> Fraction:
        """Height of the lowest common ancestor of some records over the height of the taxonomy."""
        whole = self.tree.height(self.tree.root)
        meeting = self.tree.meeting(self.cells[row] for row in rows)
        return Fraction(self.tree.height(meeting), whole) if whole else Fraction(0)

    def place(self, row: int) -> int:
        """What sorts the records: where the name stands in the taxonomy."""
        return list(self.tree.paths).index(self.cells[row])


Column = Numbers | Names
Records = Sequence[Column]
Classes = list[list[int]]


def how_many(records: Records) -> int:
    """Number of records."""
    return len(records[0].cells)


def loss_per_record(records: Records, rows: Iterable[int]) -> Fraction:
    """What generalising some records to one costs each of them (Byun et al., definition 5, without its factor)."""
    rows = list(rows)
    return sum((column.weight * column.spread(rows) for column in records), Fraction(0))


def information_loss(records: Records, rows: Sequence[int]) -> Fraction:
    """IL(e) = |e| times what each of its records loses."""
    return len(rows) * loss_per_record(records, rows)


def in_order(records: Records) -> list[int]:
    """Records sorted by their quasi-identifiers; equal ones as they come."""
    return sorted(range(how_many(records)), key=lambda row: [column.place(row) for column in records])


def labels(classes: Classes, n: int) -> list[int]:
    """The class of each record, classes numbered by their first record."""
    found = [0] * n
    for number, members in enumerate(sorted(sorted(members) for members in classes if members)):
        for row in members:
            found[row] = number
    return found
