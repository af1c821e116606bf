# SPDX-License-Identifier: Apache-2.0
"""Insensitive columns that, were they known too, would leave fewer than k look-alikes.

They were called harmless, so they are published as they are and k does not count them. If somebody can know them, they
are quasi-identifiers.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from shoal.leaks._protocol import INFORMATION, Leak, Scene, quoted
from shoal.roles.roles import INSENSITIVE
from shoal.tables.equivalence_classes import smallest_class


def find(scene: Scene) -> Iterator[Leak]:
    """The look-alikes that are left if insensitive columns are known."""
    harmless = scene.having(INSENSITIVE)
    if scene.classes is None or not harmless or not len(scene.released):
        return
    with_them = smallest_class(scene.released, scene.classes, harmless)
    if with_them < min(scene.plan.k, int(np.bincount(scene.classes).min())):
        known = quoted(harmless[:5]) + " and others" * (len(harmless) > 5)
        said = f"to somebody who knows {known} too, k is {with_them}"
        todo = "make those that can be known quasi-identifiers"
        yield Leak("insensitive_columns", INFORMATION, said, todo, tuple(harmless))
