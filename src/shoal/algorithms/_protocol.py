# SPDX-License-Identifier: Apache-2.0
"""What a method is, and what it returns.

A method is one file with

* a docstring: first line the summary, then idea, paper, cost in n and k, when not to use it;
* ``Parameters``: a frozen dataclass (see :mod:`shoal.parameters`), with ``init`` / ``order`` hooks where random;
* ``CAPABILITIES``: a :class:`Capabilities`;
* ``cluster(encoded, requirement, parameters, random, progress) -> Partition``.

The pipeline never calls ``cluster`` with fewer than 2k records: no rows, too few rows and a single class are
decided there, once for all methods. Whatever a method returns is verified before anything is published.

A method that does not publish one table of classes declares ``releases="subtables"`` and returns a
:class:`Subtables`, or ``releases="boxes"`` and returns a :class:`Boxes`; it is called with any n of at least k,
and only if the plan accepts the weaker promise.

>>> import numpy as np
>>> Partition.of(np.array([7, 7, 3, 3, 7])).labels.tolist()
[0, 0, 1, 1, 0]
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray


@dataclass(frozen=True)
class Partition:
    """Class of each record, numbered by smallest member; -1 is a suppressed record."""

    labels: NDArray[np.int64]

    @classmethod
    def of(cls, labels: NDArray[np.int64]) -> Partition:
        """Renumber any labels by smallest member."""
        labels = np.asarray(labels, dtype=np.int64)
        kept = labels >= 0
        _, first, inverse = np.unique(labels[kept], return_index=True, return_inverse=True)
        rank = np.empty(len(first), dtype=np.int64)
        rank[np.argsort(first)] = np.arange(len(first))
        renumbered = np.full(len(labels), -1, dtype=np.int64)
        renumbered[kept] = rank[inverse]
        return cls(renumbered)

    @property
    def sizes(self) -> NDArray[np.int64]:
        """Number of records of each class."""
        return np.bincount(self.labels[self.labels >= 0]).astype(np.int64)


@dataclass(frozen=True)
class Subtables:
    """Several tables of the same records, each with some of the quasi-identifiers in classes of its own."""

    groups: tuple[tuple[int, ...], ...]
    """The attributes of each sub-table, by their place in the encoded table; each attribute stands in one."""
    partitions: tuple[Partition, ...]
    """The classes of each sub-table."""
    apart: bool = False
    """One table for each group of attributes and each sensitive column, instead of all of them in each."""


@dataclass(frozen=True)
class Boxes:
    """Records in rings; each record's box is the hull of itself and the next ``size`` - 1 records of its ring.

    Which of the records of a box lends it the private columns is not said here: it is drawn, one shift per ring,
    when the boxes are published (see :mod:`shoal.generalizing.boxes`).
    """

    order: NDArray[np.int64]
    """All records, ring after ring, each ring in its cyclic order."""
    starts: NDArray[np.int64]
    """Where each ring begins in ``order``, and at the end the number of records."""
    size: int
    """Records per box."""


@dataclass(frozen=True)
class Capabilities:
    """What a method can do; read by catalogue, command line, exam and forms."""

    kinds: tuple[str, ...] = ("numeric", "categorical")
    """Kinds of quasi-identifiers it takes: ranges on a line, leaves of a tree."""
    random: bool = False
    """Whether the seed matters."""
    order_free: bool = False
    """Whether permuting rows changes the result only through ties."""
    class_sizes: str = "k..2k-1"
    """``k..2k-1`` or ``k..`` (no upper bound)."""
    suppresses: bool = False
    """Whether it may leave records out of the release (label -1)."""
    rules: tuple[str, ...] = ()
    """Kinds of rules about private values that it obeys, see :data:`shoal.requirements.RULES`."""
    losses: tuple[str, ...] = ("height", "ncp", "eloss", "lm")
    """Losses it optimises when asked; empty if it has its own objective."""
    largest_rows: int | None = None
    """Most rows that make sense; None: no limit."""
    largest_distinct: int | None = None
    """Most different records that make sense; None: no limit."""
    instead: str = "k_member"
    """The method to use for a larger table."""
    render: str = "generalise"
    """How its classes are published unless the plan says otherwise."""
    refined: bool = False
    """Whether our search always follows it."""
    releases: str = "classes"
    """``classes``: one k-anonymous table; ``subtables`` or ``boxes``: something weaker, only with ``accept_weaker``."""
