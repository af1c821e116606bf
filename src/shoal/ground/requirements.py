# SPDX-License-Identifier: Apache-2.0
"""What a class must satisfy, in numbers: the neutral ground between privacy models and algorithms.

A privacy model may hand the pipeline a :class:`Requirement`; an algorithm obeys it without knowing which
model asked. Several models combine into the strictest of all. Methods declare which kinds of rules they obey
(``Capabilities.rules``); whether a release keeps its promises is judged on its table alone, by the models.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

RULES = ("distinct", "share", "entropy", "recursive", "bounds", "closeness", "own_size")
"""Kinds of rules about the values of a class, see :class:`Rule`."""
PRIVATE_RULES = RULES[:-1]
"""Those about private values, which should be mixed; who asks for larger classes should rather be together."""


@dataclass(frozen=True, eq=False)
class Spans:
    """Runs of values, ``begin`` inclusive to ``end`` exclusive, each with a weight."""

    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    weight: NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Rule:
    """What the values of one sensitive column must satisfy in every class.

    * ``distinct``: at least ``limit`` different values;
    * ``share``: no value has more than the share ``limit`` of the records;
    * ``entropy``: the exponential of the entropy of the values is at least ``limit``;
    * ``recursive``: the count of the commonest value is less than ``limit`` times the sum of the counts from the
      ``rank``-th commonest on;
    * ``bounds``: the share of each value lies between its ``lower`` and its ``upper`` bound;
    * ``closeness``: the shares differ from the ``target`` ones by at most ``limit``: the sum over ``spans`` of the
      weight of the span times the absolute difference of the shares of all values in it. Every earth mover's distance
      over a tree, and over a line, is such a sum (one span per edge: the values on its far side);
    * ``own_size``: the class holds as many records as each of its values asks for, which is told by ``sizes``.

    If two classes obey a rule, so does their union; so what the whole table breaks, every partition breaks.
    """

    kind: str
    codes: NDArray[np.int64]
    """The value of each record, numbered from 0 without gaps."""
    limit: float = 0.0
    rank: int = 1
    lower: NDArray[np.float64] | None = None
    """``bounds``: [value] smallest share, 0 if any will do."""
    upper: NDArray[np.float64] | None = None
    """``bounds``: [value] largest share, 1 if any will do."""
    target: NDArray[np.float64] | None = None
    """``closeness``: [value] share in the whole table."""
    spans: Spans | None = None
    """``closeness``: which values are counted together."""
    sizes: NDArray[np.int64] | None = None
    """``own_size``: [value] fewest records of a class that holds it."""
    column: str = ""
    """The column that it is about."""


@dataclass(frozen=True)
class Requirement:
    """What every class of a partition must satisfy.

    >>> Requirement.strictest([Requirement(size=5), Requirement(size=3)])
    Requirement(size=5, rules=())
    """

    size: int = 1
    """Fewest records a class may hold."""
    rules: tuple[Rule, ...] = ()
    """What its values must satisfy."""
    spare: int = field(default=0, repr=False)
    """Records that may be left out of all classes."""
    subset: tuple[int, int] | None = field(default=None, repr=False)
    """Fewest records that share any so many columns; asked of methods that show each column at one level, whose classes
    may be smaller then."""

    @property
    def about_private_values(self) -> tuple[Rule, ...]:
        """The rules about private values alone."""
        return tuple(rule for rule in self.rules if rule.kind in PRIVATE_RULES)

    def of(self, rows: NDArray[np.int64]) -> Requirement:
        """What it asks of some records that are put into classes by themselves."""
        rules, size = [], self.size
        for rule in self.rules:
            codes = rule.codes[rows]
            if rule.sizes is not None and len(rows):
                size = max(size, int(rule.sizes[codes].max()))
            rules.append(replace(rule, codes=codes))
        return Requirement(size, tuple(rules))

    def with_codes(self, codes: Sequence[NDArray[np.int64]]) -> Requirement:
        """The same asked of other records; ``codes`` holds their values for each rule."""
        rules = tuple(replace(rule, codes=held) for rule, held in zip(self.rules, codes, strict=True))
        return replace(self, rules=rules)

    @classmethod
    def strictest(cls, requirements: Iterable[Requirement]) -> Requirement:
        """One requirement that implies all of the given ones."""
        wanted = list(requirements)
        return cls(
            size=max((one.size for one in wanted), default=1),
            rules=tuple(rule for one in wanted for rule in one.rules),
            subset=next((one.subset for one in wanted if one.subset), None),
        )
