# SPDX-License-Identifier: Apache-2.0
"""Arrays without owners, which cost nothing to pass on."""

from __future__ import annotations

from typing import Any, TypeVar, cast

import numba
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

COMPILED = not getattr(numba.config, "DISABLE_JIT", 0)
"""Whether there is a compiler at all; without it, kernels are plain Python."""

T = TypeVar("T")


def lent(whole: T) -> T:
    """The same arrays (or tuples of them) without an owner, so that passing them on costs nothing.

    The compiler counts every array up and down where it enters and leaves a function or a name, which in the innermost
    loops costs more than the arithmetic. Only arguments may be lent: whoever calls keeps them alive meanwhile, while an
    array made in the same function is let go after its last mention. What is lent must not be kept, nor returned,
    but from an inlined function to the one that has the owner.
    """
    return whole


def _without_owner(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    tools: Any = cgutils
    if isinstance(kind, types.Array):
        array = cast(Any, make_array)(kind)(context, builder, value)
        array.meminfo = tools.get_null_value(array.meminfo.type)
        array.parent = tools.get_null_value(array.parent.type)
        return array._getvalue()
    if isinstance(kind, types.BaseTuple):
        parts = zip(cast(Any, kind).types, tools.unpack_tuple(builder, value), strict=True)
        return context.make_tuple(builder, kind, [_without_owner(context, builder, *part) for part in parts])
    return value


@intrinsic
def _lend(_context: Any, whole: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        if not context.enable_nrt:  # nobody counts here
            return arguments[0]
        return _without_owner(context, builder, signature.args[0], arguments[0])

    return whole(whole), generate


if COMPILED:  # as an overload that is inlined, the compiler would drop what is only written to it
    lent = _lend  # type: ignore[assignment]
