# SPDX-License-Identifier: Apache-2.0
"""Kernels as the compiler itself puts them together: for versions of it whose inner parts nobody has tried yet.

The first run takes about three times as long; all else is the same.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from numba.core.registry import CPUDispatcher


class PlainPart(CPUDispatcher):
    """A function that kernels call."""


class PlainKernel(CPUDispatcher):
    """A function that Python calls, and kernels may."""

    def __init__(self, py_func: Any, locals: Any = None, targetoptions: Any = None, pipeline_class: Any = None) -> None:
        given = {} if pipeline_class is None else {"pipeline_class": pipeline_class}
        super().__init__(py_func, locals or {}, {"nopython": True, **(targetoptions or {})}, **given)

    @property
    def body(self) -> Any:
        """What kernels call: itself."""
        return self


def part(function: Callable[..., Any], settings: dict[str, Any]) -> PlainPart:
    """A function that only kernels can call."""
    return PlainPart(function, {}, {"nopython": True, "no_cpython_wrapper": True, **settings})
