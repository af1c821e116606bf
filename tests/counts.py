# SPDX-License-Identifier: Apache-2.0
"""How often a random test is repeated: seldom in ``make test``, in full in ``make test-all``.

Both run every test. The small count takes the first of the seeds that the full count takes, so that whatever fails in
the one fails in the other too. Where kernels run as plain Python, which is slow, a third of the small count has to do.
"""

from __future__ import annotations

import os

FULL = os.environ.get("SHOAL_TESTS") == "full"
PLAIN = os.environ.get("NUMBA_DISABLE_JIT") == "1"


def count(quick: int, full: int) -> int:
    """One of two numbers, e.g. of examples."""
    if FULL:
        return full
    return -(-quick // 3) if PLAIN else quick


def repeats(quick: int, full: int) -> range:
    """Seeds 0, 1, 2 …, as many as are asked for."""
    return range(count(quick, full))
