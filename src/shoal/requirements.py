# SPDX-License-Identifier: Apache-2.0
"""What a class must satisfy, in numbers: the neutral ground between privacy models and algorithms.

A privacy model may hand the pipeline a :class:`Requirement`; an algorithm obeys it without knowing which
model asked. Several models combine into the strictest of all. Methods declare which kinds of rules they obey
(``Capabilities.rules``); whether a release keeps its promises is judged on its table alone, by the models.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

RULES = ("distinct", "share", "entropy", "recursive")
"""Kinds of rules about the private values of a class, see :class:`Rule`."""


@dataclass(frozen=True, eq=False)
class Rule:
    """What the values of one sensitive column must satisfy in every class.

    * ``distinct``: at least ``limit`` different values;
    * ``share``: no value has more than the share ``limit`` of the records;
    * ``entropy``: the exponential of the entropy of the values is at least ``limit``;
    * ``recursive``: the count of the commonest value is less than ``limit`` times the sum of the counts from the
      ``rank``-th commonest on.

    If two classes obey a rule, so does their union; so what the whole table breaks, every partition breaks.
    """

    kind: str
    codes: NDArray[np.int64]
    """The value of each record, numbered from 0 without gaps."""
    limit: float
    rank: int = 1


@dataclass(frozen=True)
class Requirement:
    """What every class of a partition must satisfy.

    >>> Requirement.strictest([Requirement(size=5), Requirement(size=3)])
    Requirement(size=5, rules=())
    """

    size: int = 1
    """Fewest records a class may hold."""
    rules: tuple[Rule, ...] = ()
    """What its private values must satisfy."""

    @classmethod
    def strictest(cls, requirements: Iterable[Requirement]) -> Requirement:
        """One requirement that implies all of the given ones."""
        wanted = list(requirements)
        return cls(
            size=max((one.size for one in wanted), default=1),
            rules=tuple(rule for one in wanted for rule in one.rules),
        )
