# SPDX-License-Identifier: Apache-2.0
"""The one door through which functions reach the compiler.

No explicit signatures (importing compiles nothing), no ``fastmath`` (it makes ``isnan`` lie), no ``parallel``
(float sums would depend on the number of threads; its thread layers do not survive forks). Compiled code
releases the interpreter lock and is cached beside the source, or nowhere if no place can be written.

The cache of a kernel is refreshed when its own file changes, not when a kernel it calls changes: after an
edit in this room run ``make clean-kernels``.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import ParamSpec, TypeVar, cast

import numba

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on first use, cached on disk where possible."""
    try:
        made = numba.njit(cache=True, nogil=True, error_model="numpy")(function)
    except RuntimeError:  # neither the package folder nor the user's cache folder can be written
        made = numba.njit(nogil=True, error_model="numpy")(function)
    return cast(Callable[P, R], made)


def cache_folder() -> Path:
    """Where compiled kernels are kept."""
    stats = getattr(_probe, "stats", None)
    path = getattr(stats, "cache_path", None)
    return Path(path) if path else Path(__file__).parent / "__pycache__"


def compiled() -> bool:
    """Whether compiled kernels are already cached, so that a run starts at once."""
    return any(cache_folder().glob("*.nbi"))


@kernel
def _probe() -> int:
    return 0
