# SPDX-License-Identifier: Apache-2.0
"""Trees over codes that get coarser from the right: postcodes, ICD codes (``8001`` -> ``800*`` -> ``80**``)."""

from __future__ import annotations

from collections.abc import Iterable

from shoal.hierarchies.hierarchy import ROOT, Hierarchy

MASK = "*"


def prefix_hierarchy(values: Iterable[str], *, where: str = "hierarchy") -> Hierarchy:
    """One level per character; labels keep their length, so ``80**`` still shows a four-character code.

    >>> prefix_hierarchy(["8001", "8002", "9001"]).rows()[0]
    ['8001', '800*', '80**', '8***', '*']
    """
    codes = sorted(set(values))
    width = max((len(code) for code in codes), default=0)
    return Hierarchy.from_rows([_row(code, width) for code in codes], where=where) if codes else Hierarchy.flat([])


def _row(code: str, width: int) -> list[str]:
    padded = code.ljust(width, MASK)
    masked = [padded[:keep] + MASK * (width - keep) for keep in range(width - 1, 0, -1)]
    coarser = [label for label in dict.fromkeys(masked) if label != code]
    return [code, *coarser, ROOT]
