# SPDX-License-Identifier: Apache-2.0
"""The set of the class's values in braces, ``{flu, measles}``; a single value as it is.

A value that contains a comma, brace, quote or backslash is written as a JSON string.
"""

from __future__ import annotations

import itertools
import json
from typing import Any

import numpy as np

from shoal.engine.generalizing.groups import ClassedColumn

KINDS = ("range", "tree")
OTHERWISE = "set"
SPECIAL = frozenset(',{}"\\')


def render(groups: ClassedColumn) -> dict[str, Any]:
    """The distinct values of each class, in the column's order."""
    pairs = np.unique(groups.members, axis=0)
    bounds = np.searchsorted(pairs[:, 0], np.arange(groups.n_classes + 1))
    written = {value: groups.write(value) for value in np.unique(pairs[:, 1])}
    shown = [_braces([written[value] for value in pairs[start:stop, 1]]) for start, stop in itertools.pairwise(bounds)]
    return {groups.column.name: groups.cells(shown, np.arange(groups.n_classes))}


def _braces(values: list[str]) -> str:
    if len(values) == 1:
        return values[0]
    quoted = [json.dumps(value, ensure_ascii=False) if SPECIAL & set(value) else value for value in values]
    return "{" + ", ".join(quoted) + "}"
