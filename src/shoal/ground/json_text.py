# SPDX-License-Identifier: Apache-2.0
"""Facts as strict JSON: what JSON does not know becomes what it knows, and a number without a value null."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from typing import Any


def plain(value: Any, otherwise: Callable[[Any], Any] | None = None) -> Any:
    """The same facts in types JSON knows; what is not finite becomes None.

    Other objects go through ``otherwise``. Without it they are refused: their text might be a cell or an address.
    """
    if value is None or isinstance(value, bool | int | str):
        return value
    if isinstance(value, Mapping):
        return {str(key): plain(one, otherwise) for key, one in value.items()}
    if isinstance(value, set | frozenset):
        value = sorted(value, key=str)  # the same text every time
    if isinstance(value, list | tuple):
        return [plain(one, otherwise) for one in value]
    if hasattr(value, "tolist"):  # numpy scalars and arrays
        return plain(value.tolist(), otherwise)
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if otherwise is None:
        raise TypeError(f"a {type(value).__name__} has no place in a report")
    return otherwise(value)


def json_text(facts: Any, otherwise: Callable[[Any], Any] | None = None) -> str:
    """Facts as a text for files and terminals, without a last end of line."""
    return json.dumps(plain(facts, otherwise), indent=2, ensure_ascii=False, allow_nan=False)


def json_line(facts: Any, otherwise: Callable[[Any], Any] | None = None) -> str:
    """Facts as one line of ASCII, for programs that talk to each other."""
    return json.dumps(plain(facts, otherwise), allow_nan=False)
