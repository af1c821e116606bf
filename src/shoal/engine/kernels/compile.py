# SPDX-License-Identifier: Apache-2.0
"""The one door through which functions reach the compiler.

No explicit signatures (importing compiles nothing), no ``fastmath`` (it makes ``isnan`` lie), no ``parallel``
(float sums would depend on the number of threads; its thread layers do not survive forks). Compiled code
releases the interpreter lock. How it is put together says :mod:`shoal.engine.kernels.compiler.assembling`, where it is
kept :mod:`shoal.engine.kernels.compiler.keeping`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

import numba

from shoal.engine.kernels.compiler.choosing import Kernel, part
from shoal.engine.kernels.compiler.keeping import forget_old_kernels, keep
from shoal.engine.kernels.compiler.lending import COMPILED, lent

__all__ = ["inlined", "kernel", "lent", "threads"]

SETTINGS: dict[str, Any] = {"nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True}

P = ParamSpec("P")
R = TypeVar("R")


def kernel(function: Callable[P, R]) -> Callable[P, R]:
    """Compile a function on first use, cached on disk where possible."""
    if not COMPILED:
        return function
    made = Kernel(function, targetoptions=SETTINGS)
    keep(made)
    return cast(Callable[P, R], made)


def inlined(function: Callable[P, R]) -> Callable[P, R]:
    """A part of kernels, compiled into each of them: it may take other functions, but only kernels can call it.

    Lend it the arrays (:func:`lent`), or each of them is counted up and down at every call.
    """
    return cast(Callable[P, R], part(function, {"forceinline": True, **SETTINGS})) if COMPILED else function


def threads() -> int:
    """On how many threads kernels may run at the same time (``NUMBA_NUM_THREADS``, else the cores of this process)."""
    return int(getattr(numba.config, "NUMBA_NUM_THREADS", 1))


forget_old_kernels()
