# SPDX-License-Identifier: Apache-2.0
"""What a class must satisfy, in numbers: the neutral ground between privacy models and algorithms.

A privacy model may hand the pipeline a :class:`Requirement`; an algorithm obeys it without knowing which
model asked. Several models combine into the strictest of all.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True)
class Requirement:
    """What every class of a partition must satisfy.

    >>> Requirement.strictest([Requirement(size=5), Requirement(size=3)])
    Requirement(size=5)
    """

    size: int = 1
    """Fewest records a class may hold."""

    @classmethod
    def strictest(cls, requirements: Iterable[Requirement]) -> Requirement:
        """One requirement that implies all of the given ones."""
        return cls(size=max((one.size for one in requirements), default=1))
