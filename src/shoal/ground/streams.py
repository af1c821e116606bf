# SPDX-License-Identifier: Apache-2.0
"""The streams of random numbers that one seed gives: a step never uses up the numbers of another.

Clustering draws from the plain seed; every other step from the seed and its number here.
"""

from __future__ import annotations

ORDER = 1
"""The order of the published rows."""
SEARCH = 2
"""The search for better classes."""
PAIRING = 2
"""The secret pairing of boxes, which are never searched."""
CELLS = 3
"""Classes in the cells of a table that is cut."""
SHIFTED = 4
"""The search over cells that are shifted by half."""
