# SPDX-License-Identifier: Apache-2.0
"""Numbers that can be computed with: finite, and told apart by float64."""

from __future__ import annotations

import numpy as np

from shoal.ground.arrays import Floats
from shoal.ground.errors import TableError, column_words

EXACT_INTEGER = 2**53
"""Largest integer up to which float64, in which distances are computed, tells all integers apart."""
LONGEST_INTEGER = 1e40
"""Beyond what any type of whole numbers holds."""


def blurred(values: Floats, *, real: bool) -> bool:
    """Whether numbers lie where float64 no longer tells all whole ones apart, so that a label could show another.

    A column of ``real`` numbers counts only if all of them are whole: it holds counts or keys that somebody stored as
    reals, because cells are missing or for want of a type. Nothing counts that is beyond any type of whole numbers.
    """
    largest = float(np.nanmax(np.abs(values), initial=0.0))
    if not EXACT_INTEGER <= largest < LONGEST_INTEGER:
        return False
    present = values[~np.isnan(values)]
    return not real or bool((present == np.floor(present)).all())


def check_finite(name: str, values: Floats) -> None:
    """Refuse infinite numbers."""
    infinite = int(np.isinf(values).sum())
    if infinite:
        what, allowed = "The column holds infinite numbers.", "finite numbers or missing cells"
        todo = "replace them by missing cells or by a largest value"
        raise TableError(what, column_words(name), allowed, f"{infinite} infinite cells", todo)
