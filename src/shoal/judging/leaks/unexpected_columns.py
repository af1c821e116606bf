# SPDX-License-Identifier: Apache-2.0
"""Columns that nobody planned: the original does not have them, or the plan names all columns but these.

Whatever added them (a join, a model, an index) also knows more than the release should tell. Without the original, a
plan is taken to be complete if it names insensitive columns, too.
"""

from __future__ import annotations

from collections.abc import Iterator

from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.plan.roles import INSENSITIVE


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns beyond the original, or beyond a complete plan."""
    planned = {*scene.plan.columns, *scene.plan.published_quasi_identifiers}
    if scene.original is not None:
        known, where = {*scene.original.names, *planned}, "the original"
    elif scene.plan.having(INSENSITIVE):
        known, where = planned, "the plan"
    else:
        return
    for name in scene.released.names:
        if name not in known:
            said = f"column {name!r} is not in {where}: nobody planned to publish it"
            todo = "leave it out, or give it a role in the plan"
            yield Leak("unexpected_columns", WARNING, said, todo, (name,))
