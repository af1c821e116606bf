# SPDX-License-Identifier: Apache-2.0
"""How much memory a run takes beside the table that is read already, told before it begins.

Measured on tables of 1,000 to 280,000 rows and 7 to 65 columns: 100 to 150 bytes per cell, and 94 MiB in any case.
"""

from __future__ import annotations

from shoal.ground.limits import free_memory

PER_CELL, ANYWAY = 150, 100 << 20
MOST_OF_FREE = 0.8
"""Share of the memory that is free which a run may take."""
GB = 1e9


def expected_bytes(rows: int, columns: int) -> int:
    """Memory of a run on a table of so many rows and columns, about."""
    return ANYWAY + PER_CELL * rows * columns


def needed(rows: int, columns: int) -> str:
    """What a run needs and what is free, in words.

    >>> needed(1_000_000, 14).partition(",")[0]
    'needs about 2.2 GB of memory'
    """
    free = free_memory()
    told = f"needs about {expected_bytes(rows, columns) / GB:.1f} GB of memory"
    return told if free is None else f"{told}, {free / GB:.1f} GB are free"


def too_much(rows: int, columns: int) -> bool:
    """Whether a run would take more of the memory than is wise."""
    free = free_memory()
    return free is not None and expected_bytes(rows, columns) > MOST_OF_FREE * free
