# SPDX-License-Identifier: Apache-2.0
"""Looks for every kind of leak, in the order of their severity."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from shoal import catalog
from shoal.errors import ShoalError
from shoal.leaks._protocol import INFORMATION, SEVERITIES, WARNING, Leak, Scene


def find_leaks(scene: Scene, allow: Iterable[str] = ()) -> tuple[Leak, ...]:
    """All leaks of a released table, the severest first.

    ``allow`` names kinds whose warnings the user has weighed and accepts: they become information.
    """
    accepted = {catalog.find("leaks", name).name for name in ([allow] if isinstance(allow, str) else allow)}
    found = [leak for name in catalog.names("leaks") for leak in _found(name, scene)]
    weighed = [
        replace(leak, severity=INFORMATION) if leak.severity == WARNING and leak.kind in accepted else leak
        for leak in found
    ]
    return tuple(sorted(weighed, key=lambda leak: SEVERITIES.index(leak.severity)))


def _found(name: str, scene: Scene) -> list[Leak]:
    """The leaks of one kind; a search that fails says so and stops no other."""
    try:
        return list(catalog.load("leaks", name).find(scene))
    except ShoalError as problem:
        why = f"{problem.what} ({problem.where})"
    except Exception as problem:  # a message of a library could quote cells, so only its type is told
        why = f"the search failed ({type(problem).__name__})"
    return [Leak(name, WARNING, f"this kind of leak could not be looked for: {why}", "look for it by eye")]
