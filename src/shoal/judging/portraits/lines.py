# SPDX-License-Identifier: Apache-2.0
"""Numbers, dates and ordered categories before and after, in bins whose ends the released table shows.

An original cell is counted in the bin in which it lies; a released range is spread evenly over the bins it covers.
Where a few cells lie far from all others, the bins are chosen for those others, and the first or the last bin holds all
that lies beyond.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from math import floor, log10

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.judging.evidence import Evidence
from shoal.judging.labels.lines import Line
from shoal.judging.labels.reach import column_of, reach_of
from shoal.judging.labels.spelling import members, readings
from shoal.judging.portraits.portrait import ANY, MISSING, Bin, Drawn, LabelBar
from shoal.judging.survey import row_weights
from shoal.tables.table import Table

MOST_BINS = 24
NICE = (1, 2, 2.5, 5, 10)
CONTINUOUS = ("real", "datetime")
NOTHING = 1e-9
TAILS = (0.25, 0.1, 0.05, 0.02, 0.01)
"""Shares of the released ends outside the middle of a column; the first that leaves a middle of some width counts."""
FAR = 3.0
"""Widths of the middle beyond it, from which on a cell lies far from the others (Tukey's outer fence)."""
WORTH = 2.0
"""How many times as wide as the rest a line has to be before its end is cut off."""


@dataclass(frozen=True)
class Stretches:
    """One column: where the original cells lie, and what the released ones allow."""

    at: Floats
    """[original row] place, NaN if missing."""
    low: Floats
    """[released row] first place; minus infinity if anything, NaN if missing."""
    high: Floats
    step: int
    """1: whole places, both ends included; 0: a continuum."""
    text: Callable[[float, int], str]
    """The text of a place that is the low (0) or the high (1) end of some released cell."""
    weights: tuple[Floats, Floats] | None = None
    """[row] people behind each row before and after, where a survey tells them."""

    def people(self, side: int) -> Floats:
        """[row] how many each row counts for."""
        return np.ones(len((self.at, self.low)[side])) if self.weights is None else self.weights[side]

    def ranges(self, known: Flags) -> tuple[Floats, Floats, Ints]:
        """The different ranges of some released rows, by their ends, and which of them each row shows."""
        low, first = np.unique(self.low[known], return_inverse=True)
        if self.high is self.low:
            return low, low, first
        high, last = np.unique(self.high[known], return_inverse=True)
        both, which = np.unique(first * len(high) + last, return_inverse=True)
        return low[both // len(high)], high[both % len(high)], which


def published_line(evidence: Evidence, name: str) -> Stretches | str:
    """A quasi-identifier on a line; a text says why it cannot be read."""
    line, reach = column_of(evidence, name), reach_of(evidence, name)
    assert isinstance(line, Line)
    if reach.problem:
        return reach.problem
    shown = evidence.plan.published(name)

    def text(place: float, end: int) -> str:
        row = int(np.argmax((reach.low, reach.high)[end] == place))
        return _named(_cell(evidence.released, shown[end % len(shown)], row), line, place)

    whole = int(line.style not in CONTINUOUS)
    return Stretches(reach.positions, reach.low, reach.high, whole, text, row_weights(evidence))


def plain_line(evidence: Evidence, name: str) -> Stretches:
    """A column that is published as it is."""
    released, weights = evidence.released, row_weights(evidence)
    numbers = released.numbers(name)

    def text(place: float, end: int) -> str:
        return _cell(released, name, int(np.argmax(numbers.values == place)))

    step = int(numbers.style not in CONTINUOUS)
    both = None if weights is None else (weights[1], weights[1])
    return Stretches(numbers.values, numbers.values, numbers.values, step, text, both)


def _cell(table: Table, name: str, row: int) -> str:
    return str(table.select([name]).take(np.array([row])).texts(name)[0])


def draw_line(cells: Stretches, k: int) -> Drawn:
    """Bins of at least k original cells each, at most MOST_BINS, at round places where the release shows them."""
    there, known = ~np.isnan(cells.at), np.isfinite(cells.low)
    present = cells.at[there]
    bars = _off_the_line(cells, known, k)
    if not len(present) or not known.any():
        return Drawn(bars, 1.0)
    low, high, which = cells.ranges(known)
    rows: Floats = np.bincount(which, cells.people(1)[known]).astype(np.float64)
    end = float(high.max())
    ends = _ends(low, high, rows)
    starts = _starts(np.unique(low), end, ends, cells.step)
    people = cells.people(0)[there]
    mass = _spread(low, high, rows / rows.sum(), starts, cells.step)
    sides = _counted(present, starts), _counted(present, starts, people) / people.sum(), mass
    starts, before, mass = _merged(starts, *sides, k)
    outside = (bool(present.min() < starts[0]), bool(present.max() > end))
    beyond = (bool(ends[0] > starts[0]), bool(ends[1] < end))
    bins = _cut_off(_bins(cells, starts, end, before, mass, outside), *beyond)
    return Drawn(bars, float(np.minimum(before, mass).sum()), bins, cells.text(end, 1))


def _off_the_line(cells: Stretches, known: Flags, k: int) -> tuple[LabelBar, ...]:
    """Missing cells, and cells that allow anything, as shares of all rows."""
    missing, gone = np.isnan(cells.at), np.isnan(cells.low)
    anything = ~known & ~gone
    few = 0 < int(missing.sum()) < k
    bars = []
    if missing.any() or gone.any():
        before = None if few else _part(missing, cells.people(0))
        bars.append(LabelBar("missing", before, _part(gone, cells.people(1)), MISSING))
    if anything.any():
        bars.append(LabelBar("*", 0.0, _part(anything, cells.people(1)), ANY))
    return tuple(bars)


def _part(rows: Flags, people: Floats) -> float:
    return float(people[rows].sum() / people.sum()) if len(rows) else 0.0


def _ends(low: Floats, high: Floats, rows: Floats) -> tuple[float, float]:
    """Between which places the line is drawn to scale: all of it, unless few cells would take up most of it."""
    places, which = np.unique(np.append(low, high), return_inverse=True)
    below = np.cumsum(np.bincount(which, np.append(rows, rows))) / (2 * rows.sum())
    whole = float(places[0]), float(places[-1])
    for tail in TAILS:
        left, right = (float(places[np.searchsorted(below, part)]) for part in (tail, 1 - tail))
        if right > left:
            far = FAR * (right - left)
            near = places[(places >= left - far) & (places <= right + far)]
            is_worth_it = whole[1] - whole[0] > WORTH * (near[-1] - near[0])
            return (float(near[0]), float(near[-1])) if is_worth_it else whole
    return whole


def _starts(lows: Floats, end: float, ends: tuple[float, float], step: int) -> Floats:
    """Where bins begin: at released ends only, near round numbers where there are many; beyond ``ends`` nowhere."""
    first, last = ends
    inner = lows[(lows >= first) & (lows <= last)]
    if len(inner) > MOST_BINS:
        width = _nice((last - inner[0]) / MOST_BINS)
        wanted = np.arange(np.ceil(inner[0] / width) * width, last, width)
        right = np.clip(np.searchsorted(inner, wanted), 1, len(inner) - 1)
        nearer = np.where(wanted - inner[right - 1] <= inner[right] - wanted, right - 1, right)
        inner = np.append(inner[nearer], inner[0])
    starts = np.unique(np.append(inner, lows[0]))
    inside: Floats = starts if step else starts[(starts < end) | (starts == starts[0])]
    return inside


def _nice(least: float) -> float:
    """The smallest round number that is not smaller."""
    scale = 10.0 ** floor(log10(least)) if least > 0 else 1.0
    return next((one * scale for one in NICE if one * scale >= least * (1 - NOTHING)), 10 * scale)


def _counted(places: Floats, starts: Floats, people: Floats | None = None) -> Floats:
    which = np.clip(np.searchsorted(starts, places, side="right") - 1, 0, len(starts) - 1)
    return np.bincount(which, people, len(starts)).astype(np.float64)


def _spread(low: Floats, high: Floats, shares: Floats, starts: Floats, step: int) -> Floats:
    """Share of the released cells in each bin, every range spread evenly over its places."""
    width = high - low + step
    below = [0.0]
    for start in starts[1:]:
        with np.errstate(divide="ignore", invalid="ignore"):
            part = np.where(width > 0, np.clip((start - low) / width, 0.0, 1.0), low < start)
        below.append(float((part * shares).sum()))
    return np.diff([*below, 1.0])


def _merged(starts: Floats, counts: Floats, shares: Floats, mass: Floats, k: int) -> tuple[Floats, Floats, Floats]:
    """Bins of 1 to k - 1 original cells, or of none where the release shows some, join their smaller neighbour."""
    at, rows, before, after = list(starts), list(counts), list(shares), list(mass)
    while len(at) > 1:
        small = [i for i in range(len(at)) if rows[i] < k and (rows[i] > 0 or after[i] > NOTHING)]
        if not small:
            break
        least = min(small, key=lambda i: (rows[i], i))
        left = least > 0 and (least == len(at) - 1 or rows[least - 1] <= rows[least + 1])
        into = least - 1 if left else least
        rows[into] += rows.pop(into + 1)
        before[into] += before.pop(into + 1)
        after[into] += after.pop(into + 1)
        at.pop(into + 1)
    return np.array(at), np.array(before), np.array(after)


def _bins(
    cells: Stretches, starts: Floats, end: float, before: Floats, after: Floats, outside: tuple[bool, bool]
) -> tuple[Bin, ...]:
    texts = [cells.text(float(start), 0) for start in starts]
    last = cells.text(end, 1)
    final = end + cells.step if end + cells.step > starts[-1] else starts[-1] + 1.0
    ends = [*starts[1:], final]
    bins = []
    for place, (low, start) in enumerate(zip(texts, starts, strict=True)):
        alone = place == len(starts) - 1
        if alone:
            label = low if low == last else f"{low} to {last}"
        else:
            label = low if cells.step and start + 1 == ends[place] else f"{low} to under {texts[place + 1]}"
        if place == 0 and outside[0]:
            label = f"up to {last}" if alone else f"under {texts[1]}"
        if alone and outside[1]:
            label = "all values" if outside[0] and place == 0 else f"{low} and more"
        bins.append(Bin(label, low, float(start), float(ends[place]), float(before[place]), float(after[place])))
    return tuple(bins)


def _cut_off(bins: tuple[Bin, ...], low: bool, high: bool) -> tuple[Bin, ...]:
    """The same bins, the first or the last one not to scale; without others between there is no scale."""
    outer = {0: low, len(bins) - 1: high} if len(bins) > low + high else {}
    return tuple(replace(one, beyond=outer.get(place, False)) for place, one in enumerate(bins))


def _named(cell: str, line: Line, place: float) -> str:
    """The part of a released cell that names a place."""
    if line.read(cell) is None and cell.startswith("'"):  # the guard against formulas
        cell = cell[1:]
    if line.position(cell) == place:
        return cell
    parts = members(cell)
    if parts is None:
        found = [(ends.low, ends.high) for ends in readings(cell, line.notation.decimal + line.notation.thousands)]
        parts = [one for pair in found for one in pair if one is not None]
    return next((one for one in parts if line.position(one) == place), cell)
