# SPDX-License-Identifier: Apache-2.0
"""Looks for every kind of leak, in the order of their severity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shoal import catalog
from shoal.errors import ShoalError
from shoal.leaks._protocol import INFORMATION, SEVERITIES, WARNING, Leak, Scene

POINTING = (
    "row_numbers",
    "personal_shapes",
    "identifying_columns",
    "identifying_names",
    "class_numbers",
    "determining_columns",
)
"""Kinds that all say: this column points to rows. The first of them that warns about a column is told, the rest not."""


def find_leaks(scene: Scene, allow: Iterable[str] = ()) -> tuple[Leak, ...]:
    """All leaks of a released table, the severest first.

    ``allow`` names kinds whose warnings the user has weighed and accepts: they become information.
    """
    accepted = {catalog.find("leaks", name).name for name in ([allow] if isinstance(allow, str) else allow)}
    found = _told_once([leak for name in catalog.names("leaks") for leak in _found(name, scene)])
    weighed = [
        replace(leak, severity=INFORMATION) if leak.severity == WARNING and leak.kind in accepted else leak
        for leak in found
    ]
    return tuple(sorted(weighed, key=lambda leak: SEVERITIES.index(leak.severity)))


def _told_once(leaks: list[Leak]) -> list[Leak]:
    """Without further warnings about a column that already is known to point to rows."""
    ranks: dict[str, int] = {}
    for leak in leaks:
        if leak.severity == WARNING and leak.kind in POINTING and leak.columns:
            rank = POINTING.index(leak.kind)
            ranks[leak.columns[0]] = min(rank, ranks.get(leak.columns[0], rank))
    return [
        leak
        for leak in leaks
        if leak.severity != WARNING
        or leak.kind not in POINTING
        or not leak.columns
        or POINTING.index(leak.kind) == ranks[leak.columns[0]]
    ]


def _found(name: str, scene: Scene) -> list[Leak]:
    """The leaks of one kind; a search that fails says so and stops no other."""
    try:
        return list(catalog.load("leaks", name).find(scene))
    except ShoalError as problem:
        why = f"{problem.what} ({problem.where})"
    except Exception as problem:  # a message of a library could quote cells, so only its type is told
        why = f"the search failed ({type(problem).__name__})"
    return [Leak(name, WARNING, f"this kind of leak could not be looked for: {why}", "look for it by eye")]
