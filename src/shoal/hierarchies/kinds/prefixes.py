# SPDX-License-Identifier: Apache-2.0
"""Codes that get coarser from the right: postcodes, ICD codes (8001 -> 800* -> 80**).

One level per character, or only the beginnings of the lengths that are named: ``--set lengths='[1, 3]'`` makes
chapters and categories of ICD codes.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.values import Values

MASK = "*"


@dataclass(frozen=True)
class Parameters:
    """How much of a code is kept on each level."""

    lengths: tuple[int, ...] = parameter((), "characters that each level keeps; all lengths unless given")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """One level per length."""
    return prefix_hierarchy(values.texts, lengths=parameters.lengths, where=values.where)


def prefix_hierarchy(values: Iterable[str], *, lengths: Sequence[int] = (), where: str = "hierarchy") -> Hierarchy:
    """One level per character or per given length; labels keep their length, so ``80**`` still shows a code of four.

    >>> prefix_hierarchy(["8001", "8002", "9001"]).rows()[0]
    ['8001', '800*', '80**', '8***', '*']
    """
    codes = sorted(set(values))
    width = max((len(code) for code in codes), default=0)
    keeps = [keep for keep in range(width - 1, 0, -1) if not lengths or keep in lengths]
    rows = []
    for code in codes:
        masked = dict.fromkeys(code[:keep].ljust(width, MASK) for keep in keeps)
        rows.append([code, *(label for label in masked if label != code), ROOT])
    return Hierarchy.from_rows(rows, where=where) if codes else Hierarchy.flat([])
