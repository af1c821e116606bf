# SPDX-License-Identifier: Apache-2.0
"""A published column of numbers or dates as two ends per row, and what can be computed from these."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from typing import Any

import numpy as np

from shoal.ground.arrays import Floats
from shoal.ground.errors import TableError
from shoal.ground.wording import counted
from shoal.judging.labels.lines import EVERYTHING, Line
from shoal.judging.labels.noting import notation_in
from shoal.tables.column_types import moments_from
from shoal.tables.detecting import Told
from shoal.tables.notation import Notation
from shoal.tables.table import Table

STYLES = ("real", "date", "datetime")
"""What the ends of a column may be, in the order in which they are tried."""
_ZONED = re.compile(r":\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2}(?::\d{2})?)[,;\]}]?")


@dataclass(frozen=True)
class Ends:
    """Both ends of every cell (missing = NaN, open = infinite), and what they are."""

    low: Floats
    high: Floats
    style: str
    zone: str = ""

    def figures(self) -> dict[str, Any]:
        """Columns ``lo``, ``hi``, ``mid`` and ``weight``: 1 for a single value, falling to 0 over the whole column."""
        low, high = self.low, self.high
        bounded = np.concatenate([low[np.isfinite(low)], high[np.isfinite(high)]])
        span = float(np.ptp(bounded)) if len(bounded) else 0.0
        with np.errstate(invalid="ignore"):  # the middle of everything is nowhere
            middle = low + (high - low) / 2
            width = np.where(np.isfinite(high - low), high - low, math.inf)
        weight = np.where(width == 0, 1.0, np.maximum(1 - width / span, 0.0) if span > 0 else 0.0)
        return {**self._shown({"lo": low, "hi": high, "mid": middle}), "weight": weight}

    def _shown(self, made: dict[str, Floats]) -> dict[str, Any]:
        if self.style == "real":
            return {name: [float(place) if math.isfinite(place) else None for place in of] for name, of in made.items()}
        made["mid"] = np.floor(made["mid"])
        known = {name: np.where(np.isfinite(of), of, math.nan) for name, of in made.items()}
        return {name: moments_from(of, self.style, self.zone) for name, of in known.items()}


def ends_of(table: Table, name: str, told: Told, where: str) -> Ends:
    """Where the cells of a column begin and end; refuses labels that are no numbers or dates.

    How these are written is found in the labels, unless it is ``told``; ``where`` stands in what is refused.
    """
    if not table.is_text(name) and table.natural_kind(name) in ("numeric", "date"):
        numbers = table.numbers(name)
        style = "real" if numbers.style == "integer" else numbers.style
        return Ends(numbers.values, numbers.values, style, numbers.zone)
    codes, labels = table.codes(name)
    notation = _notation(labels, told, where)
    unread = len(labels)
    for style in STYLES:
        line = Line(np.array(EVERYTHING), style, notation)
        read = [None if style == "date" and ":" in label else line.read(label) for label in labels]
        unread = min(unread, read.count(None))
        if not unread:
            ends = np.array([*read, (math.nan, math.nan)], dtype=np.float64)[codes]
            zone = "UTC" if style == "datetime" and any(_ZONED.search(label) for label in labels) else ""
            return Ends(ends[:, 0], ends[:, 1], style, zone)
    raise TableError(
        "Some labels cannot be read as ranges of numbers or dates.",
        where=where,
        allowed="labels such as [35, 39], 41, {1, 5}, [2020-01-01, 2020-01-31] and *, all of one kind",
        received=f"{unread} others (of {len(labels)} different ones)",
        todo="give a column of numbers or dates, or say how it is written: date_format, decimal, thousands",
    )


def _notation(labels: list[str], told: Told, where: str) -> Notation:
    """How the numbers and dates in labels are written; refused where that is open."""
    found = notation_in(labels, told)
    if found.choices:
        ways = [f"dates {one}" if isinstance(one, str) else one.words for one in found.choices]
        raise TableError(
            "The labels can be read in several ways, and nothing says which is meant.",
            where=where,
            allowed=" or ".join(ways),
            received="labels that all fit each of these",
            todo="say it with date_format, decimal or thousands, as the plan of the release has it",
        )
    return found.notation or Notation(told.decimal or ".", told.thousands or "", told.date_format or "")


def bounds_together(lower: Ends, upper: Ends, where: str) -> Ends:
    """Two columns of bounds as one; refuses columns that are none of one another."""
    alike = lower.style == upper.style and len(lower.low) == len(upper.high)
    wrong = int((lower.low > upper.high).sum()) if alike else 0
    if wrong or not alike:
        raise TableError(
            "The two columns are no bounds of one another.",
            where=where,
            allowed="two columns of one kind and length, the lower first",
            received=f"{counted(wrong, 'row')} with lower above upper"
            if alike
            else "columns of different kinds or lengths",
            todo='give both, e.g. intervals(frame["age_min"], frame["age_max"])',
        )
    return Ends(lower.low, upper.high, lower.style, lower.zone)
