# SPDX-License-Identifier: Apache-2.0
"""The words of the attacks: shares, intervals, lists of columns."""

from __future__ import annotations

import math

from shoal.judging.attempts import wilson


def percent(share: float) -> str:
    """A share as a percentage, with as many digits as it takes to see it.

    >>> percent(0.0872), percent(1.0), percent(0.00003), percent(0.0), percent(0.9999)
    ('8.7 %', '100 %', '0.003 %', '0 %', '99.99 %')
    """
    number = 100 * share
    away = min(abs(number), abs(100 - number))
    digits = 1 if away >= 0.05 or away == 0 else min(4, 1 - math.floor(math.log10(away)) - 1)
    text = f"{number:.{digits}f}"
    return (text.rstrip("0").rstrip(".") if "." in text else text) + " %"


def rate_words(rate: float, targets: int) -> str:
    """A rate and how sure it is: ``8.7 % of cases (95 %: 8.1 to 9.3 %)``."""
    low, high = wilson(rate, targets)
    return f"{percent(rate)} of cases (95 %: {percent(low).removesuffix(' %')} to {percent(high)})"


def between(low: int, high: int) -> str:
    """A range of counts."""
    return f"{low:,}" if low == high else f"{low:,} to {high:,}"
