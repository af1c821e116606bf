# SPDX-License-Identifier: Apache-2.0
"""Which way kernels are put together: ours, where the compiler's inner parts are known to fit, else its own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numba

NEWEST_TRIED = (0, 68)
"""The newest version of the compiler with which :mod:`shoal.engine.kernels.compiler.assembling` was tried."""
version: tuple[Any, ...] = tuple(numba.version_info[:2])

if TYPE_CHECKING or version <= NEWEST_TRIED:
    from shoal.engine.kernels.compiler.assembling import Kernel, Part, part
else:
    from shoal.engine.kernels.compiler.plain import PlainKernel as Kernel
    from shoal.engine.kernels.compiler.plain import PlainPart as Part
    from shoal.engine.kernels.compiler.plain import part

__all__ = ["Kernel", "Part", "part"]
