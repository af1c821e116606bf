# SPDX-License-Identifier: Apache-2.0
"""Numbers in ranges that people count in: 5, 10, 50, 100, ...

The narrowest width is chosen so that about twenty ranges cover the values, or given with ``--set width=10``. All
borders are multiples of the width, so that ages fall into [30, 34], [30, 39], [0, 49] and not into [17, 21].
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from shoal.ground.errors import PlanError
from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.hierarchies.kinds._ranges import range_tree
from shoal.hierarchies.values import Values

ABOUT = 20
"""Ranges on the lowest level."""


@dataclass(frozen=True)
class Parameters:
    """How narrow the lowest level is."""

    width: float | None = parameter(None, "width of the narrowest ranges: 1, 5, 10, 50, ... or 0.1, 0.5, ...")


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """Ranges of nice widths until one would hold all values.

    >>> build(Values.of(["31", "34", "36", "42", "52"]), Parameters(width=5)).rows()[0]
    ['31', '[30, 34]', '[30, 39]', '[0, 49]', '*']
    """
    numbers = values.numbers()
    spread = float(np.ptp(numbers)) if len(numbers) else 0.0
    if spread == 0:
        return range_tree(values, numbers, [], 0.0)
    whole = bool((numbers == np.round(numbers)).all())
    power, fives = _given(parameters.width) if parameters.width is not None else _chosen(spread / ABOUT, whole)
    widths: list[float] = []
    while not widths or widths[-1] <= 2 * max(spread, float(np.abs(numbers).max())):
        widths.append(_width(power, fives))
        power, fives = (power + 1, False) if fives else (power, True)
    return range_tree(values, numbers, widths, 0.0)


def _width(power: int, fives: bool) -> float:
    """1 or 5 times a power of ten, without the error of multiplying fractions."""
    return float(f"{5 if fives else 1}e{power}")


def _chosen(least: float, whole: bool) -> tuple[int, bool]:
    """The smallest nice width of at least that much; whole numbers need ranges of more than one."""
    power = math.floor(math.log10(least)) if least > 0 else 0
    if whole and power < 0:
        return 0, True
    for candidate in ((power, False), (power, True), (power + 1, False)):
        if _width(*candidate) >= least * (1 - 1e-9) and not (whole and _width(*candidate) <= 1):
            return candidate
    return power + 1, True


def _given(width: float) -> tuple[int, bool]:
    for power in range(-12, 16):
        for fives in (False, True):
            if math.isclose(width, _width(power, fives), rel_tol=1e-9):
                return power, fives
    raise PlanError(
        "The width is no nice number.",
        where="parameter 'width' of nice_numbers",
        allowed="1 or 5 times a power of ten: 0.5, 1, 5, 10, 50, 100, ...",
        received=f"{width:g}",
        todo="choose one of these, or use equal_width, which takes any width",
    )
