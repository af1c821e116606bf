# SPDX-License-Identifier: Apache-2.0
"""Numbers counted in steps, so that no unit decides anything.

Most columns of numbers lie on a grid: whole years, days, prices with two decimals. A price in cents, in euros and in
millions of euros is the same number of steps from the smallest one, exactly, while shares of a range, computed from
each of them, differ in their last bits, and ties with them. What lies on no grid stays as it is: it has no ties but
those of equal numbers.

>>> import numpy as np
>>> in_steps(np.array([0.3, 0.1, 0.7]))[0]
array([1., 0., 3.])
"""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from shoal.ground.arrays import Floats

NOISE = 2.0**-50
"""As a share of the largest number, more than reading a number and changing its unit or zero can have added."""
MOST_STEPS = 2**22
"""Of a grid in any unit; there is no telling a finer one from noise by the shares of the range alone."""
DECIMALS = (*range(19), *range(-1, -19, -1))
"""Decimals of finer grids: whole numbers, tenths, ..., at last whole numbers too large to be counted one by one."""
LARGEST = 2.0**46
"""Counts of decimals beyond this are lost in noise."""
LARGEST_WHOLE = 2.0**52
FIRST = 1000
"""Numbers that are looked at before all others."""


def in_steps(numbers: Floats) -> tuple[Floats, float]:
    """Steps of each number from the smallest one, and the step; the numbers themselves and 1 if they have no grid."""
    span = float(np.ptp(numbers)) if len(numbers) else 0.0
    counted = _by_shares(numbers, span) if 0 < span < np.inf else np.zeros(len(numbers))
    if counted is None:
        counted = _by_decimals(numbers)
    if counted is None:
        return numbers, 1.0
    return counted, span / counted.max() if span > 0 else 1.0


def _by_shares(numbers: Floats, span: float) -> Floats | None:
    """Steps, if all shares of the range are fractions of the same, not too large number; None if not."""
    shares, steps = (numbers - numbers.min()) / span, 1
    noise = NOISE * (np.abs(numbers).max() / span)
    most = min(MOST_STEPS, int(0.25 / math.sqrt(noise)))
    for some in (shares[:FIRST], shares):
        while steps <= most:
            counted = some * steps
            off = np.abs(counted - np.rint(counted)) > steps * noise
            if not off.any():
                break
            share = float(some[off.argmax()])
            steps = math.lcm(steps, Fraction(share).limit_denominator(max(most, 1)).denominator)
            steps = steps if abs(share * steps - round(share * steps)) <= steps * noise else most + 1
    return np.rint(shares * steps) if steps <= most else None


def _by_decimals(numbers: Floats) -> Floats | None:
    """Steps, if all numbers have no more than some decimals; None if not."""
    for decimals in DECIMALS:
        if all(_have_decimals(some, decimals) for some in (numbers[:FIRST], numbers)):
            counted = np.rint(numbers * 10.0**decimals)
            counted -= counted.min()
            if not counted.any():  # different, but by less than reading a number can add
                return None
            return np.asarray(counted / np.gcd.reduce(counted.astype(np.int64)))
    return None


def _have_decimals(numbers: Floats, decimals: int) -> bool:
    scaled = numbers * 10.0**decimals
    largest = np.abs(scaled).max()
    if largest >= (LARGEST if decimals else LARGEST_WHOLE):
        return False
    return bool((np.abs(scaled - np.rint(scaled)) <= (NOISE * largest if decimals else 0.0)).all())
