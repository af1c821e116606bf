# SPDX-License-Identifier: Apache-2.0
"""Random numbers inside kernels: one state, drawn from in a fixed order, so that a seed gives the same everywhere."""

from __future__ import annotations

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.ground.arrays import Words


@kernel
def draw(state: Words) -> int:
    """The next of 2^53 numbers (xorshift64*); from the state 0 always 0."""
    x = state[0]
    x ^= x >> np.uint64(12)
    x ^= x << np.uint64(25)
    x ^= x >> np.uint64(27)
    state[0] = x
    drawn: int = np.int64((x * np.uint64(2685821657736338717)) >> np.uint64(11))  # type: ignore[assignment]
    return drawn


@kernel
def share(state: Words) -> float:
    """A random number, above 0 and at most 1."""
    return (draw(state) + 1) / 9007199254740992.0


@kernel
def below(state: Words, limit: int) -> int:
    """A random number from 0 to one less than a limit of at most 2^31; without a division, for the innermost loops."""
    return ((draw(state) >> 22) * limit) >> 31
