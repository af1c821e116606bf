# SPDX-License-Identifier: Apache-2.0
"""Numbers in ranges of equal width, each level so many times wider than the one below.

``--set width=5`` asks for a width, else the values are cut into ``groups`` ranges. Ranges are counted from
``origin``, which is 0 for a given width and else the smallest value. Ranges are even where values are not: most
rows may fall into a few of them; see ``quantiles`` for the opposite.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats
from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._ranges import range_tree
from shoal.hierarchies.values import Values

MOST_LEVELS = 60


@dataclass(frozen=True)
class Parameters:
    """How wide, and from where."""

    width: float | None = parameter(None, "width of the narrowest ranges", least=1e-12)
    groups: int = parameter(16, "number of the narrowest ranges, if no width is given", least=2)
    factor: int = parameter(2, "how many ranges make one of the next level", least=2)
    origin: float | None = parameter(None, "where ranges are counted from")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Ranges until one would hold all values.

    >>> build(Values.of(["31", "34", "36", "52"]), Parameters(width=5)).rows()[0]
    ['31', '[30, 34]', '[30, 39]', '*']
    """
    numbers = values.numbers()
    width, origin = _width_and_origin(numbers, parameters)
    widths = [width]
    while len(numbers) and len(widths) < MOST_LEVELS and widths[-1] < np.ptp(numbers) + width:
        widths.append(widths[-1] * parameters.factor)
    return range_tree(values, numbers, widths, origin)


def _width_and_origin(numbers: Floats, parameters: Parameters) -> tuple[float, float]:
    if parameters.width is not None or not len(numbers):
        return parameters.width or 1.0, parameters.origin or 0.0
    low = float(numbers.min()) if parameters.origin is None else parameters.origin
    width = (float(numbers.max()) - low) / parameters.groups
    whole = bool((numbers == np.round(numbers)).all()) and low.is_integer()
    if whole:
        width = float(np.ceil((numbers.max() - low + 1) / parameters.groups))
    elif width > 0:
        width *= 1 + 1e-9  # so that the largest value falls into the last range and not behind it
    return (width if width > 0 else 1.0), low
