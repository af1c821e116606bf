# SPDX-License-Identifier: Apache-2.0
"""Imports a library that only some formats need, or says which extra brings it."""

from __future__ import annotations

import importlib
from typing import Any

from shoal.errors import MissingExtraError


def library(name: str, *, extra: str, what: str) -> Any:
    """The module of that name; ``what`` needs it, ``extra`` brings it."""
    try:
        return importlib.import_module(name)
    except ImportError:
        raise MissingExtraError(
            f"{what} needs a library that is not installed.",
            where=f"extra {extra!r} of shoal",
            allowed=f"an installation with the extra {extra!r}",
            received=f"no module {name!r}",
            todo=f"pip install 'shoal[{extra}]'",
        ) from None
