# SPDX-License-Identifier: Apache-2.0
"""What a method is, and what it returns.

A method is one file with

* a docstring: first line the summary, then idea, paper, cost in n and k, when not to use it;
* ``Parameters``: a frozen dataclass (see :mod:`shoal.parameters`), with ``init`` / ``order`` hooks where random;
* ``CAPABILITIES``: a :class:`Capabilities`;
* ``cluster(encoded, requirement, parameters, random, progress) -> Partition``.

The pipeline never calls ``cluster`` with fewer than 2k records: no rows, too few rows and a single class are
decided there, once for all methods. Whatever a method returns is verified before anything is published.

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
    rules: tuple[str, ...] = ()
    """Kinds of rules about private values that it obeys, see :data:`shoal.requirements.RULES`."""
    losses: tuple[str, ...] = ("height", "ncp", "eloss", "lm")
    """Losses it optimises when asked; empty if it has its own objective."""
    largest_rows: int | None = None
    """Largest table that makes sense; None: no limit."""
    render: str = "generalise"
    """How its classes are published unless the plan says otherwise."""
