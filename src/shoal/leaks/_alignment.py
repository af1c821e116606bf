# SPDX-License-Identifier: Apache-2.0
"""Rows of release and original by the columns that are published as they are."""

from __future__ import annotations

import numpy as np

from shoal.leaks._protocol import Ints, Scene


def common_codes(scene: Scene, name: str) -> tuple[Ints, Ints]:
    """A column of both tables, original first, as codes of one list of texts."""
    before, after = scene.original_cells(name), scene.cells(name)
    place = {text: code for code, text in enumerate(before.texts)}
    translated = np.array([*(place.get(text, -2) for text in after.texts), -1], dtype=np.int64)
    return before.codes, translated[after.codes]


def row_keys(scene: Scene) -> tuple[Ints, Ints]:
    """One number per different row of untouched cells: of every original row, and of every released row."""
    columns = [common_codes(scene, name) for name in scene.untouched]
    before = np.column_stack([one for one, _ in columns])
    after = np.column_stack([other for _, other in columns])
    _, keys = np.unique(np.concatenate([before, after]), axis=0, return_inverse=True)
    return keys.ravel()[: len(before)], keys.ravel()[len(before) :]
