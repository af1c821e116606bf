# SPDX-License-Identifier: Apache-2.0
"""A column published as it is that tells a quasi-identifier more finely than its label does.

A town beside a region, a year of birth beside an age range: the label is coarse, its neighbour gives it away. Told is a
column whose every value goes with labels that have a value in common, if that narrows down what the labels say. Labels
need not be equal: ``[20, 29]`` and ``[25, 34]`` may both stand for 27. With the original, a column also counts whose
every value goes with one original value of the quasi-identifier, or with one stretch of its numbers, as age groups do.
Numbers that hardly repeat are told of if they rise or fall with the labels in all rows, as ages with some noise do.

Chance makes such columns too, where values hardly repeat. If the labels of two rows have something in common with
probability r, those of c rows do with at most r^(c div 2); a share p of the commonest value gives p^(c-1).
"""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import TableError
from shoal.judging.leak_search import CHANCE, WARNING, Leak, LeakScene, TextCells, follows, quoted
from shoal.judging.leaks._candidates import candidates
from shoal.judging.leaks._labels import spans
from shoal.plan.roles import DATE, NUMERIC

FIRST_LOOK = 1000
"""Rows that are looked at first: labels that have nothing in common nearly always show in them."""
ADVICE = "make it a quasi-identifier too (--qi), leave it out, or name it by --sensitive if nobody else could know it"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns that give quasi-identifiers away."""
    for name in scene.others:
        ways = (_narrows, _determines, _divides) if _may_tell(scene, name) else (_orders,)
        found = [one for one in scene.quasi_identifiers if any(tells(scene, name, one) for tells in ways)]
        if found:
            said = f"column {name!r} tells {quoted(found)} more finely than the published labels do"
            yield Leak("determining_columns", WARNING, said, ADVICE, (name, *found))


def _may_tell(scene: LeakScene, name: str) -> bool:
    """Whether values repeat; of amounts, most: a few that come back within a household tell of it alone."""
    cells = scene.cells(name)
    if 2 * len(cells.texts) > cells.present and scene.released.natural_kind(name) == NUMERIC:
        return False
    return 1 < len(cells.texts) < len(scene.released)


def _narrows(scene: LeakScene, name: str, quasi_identifier: str) -> bool:
    """Whether the labels beside each value have something in common that is finer than they are."""
    placed = spans(scene, quasi_identifier)
    labels = scene.cells(quasi_identifier)
    if placed is None or len(labels.texts) < 2:
        return False
    groups = scene.cells(name).groups
    low, high = _common(placed[labels.codes[:FIRST_LOOK]], groups[:FIRST_LOOK])
    if (low > high).any():
        return False
    counts = np.bincount(groups)
    if int((counts // 2).sum()) * _log(_in_common(placed, labels)) >= CHANCE:
        return False
    span = placed[labels.codes]
    low, high = _common(span, groups)
    if (low > high).any():
        return False
    finer = (low[groups] > span[:, 0]) | (high[groups] < span[:, 1])
    present = int(np.count_nonzero(counts))
    return bool(finer.any() or (present > labels.different and follows(labels.groups, groups)))


def _orders(scene: LeakScene, name: str, quasi_identifier: str) -> bool:
    """Whether numbers that hardly repeat rise or fall with the labels beside them, as far as these tell, in all rows.

    By chance they do so at most as often as rows of labels that have nothing in common happen to stand in order.
    """
    placed, labels = spans(scene, quasi_identifier), scene.cells(quasi_identifier)
    if placed is None or scene.released.natural_kind(name) not in (NUMERIC, DATE):
        return False
    try:
        numbers = scene.released.numbers(name).values
    except TableError:
        return False
    known = ~np.isnan(numbers) & (labels.codes >= 0)
    span, numbers = placed[labels.codes[known]], numbers[known]
    ways = [way for way in (numbers, -numbers) if _in_order(span[:FIRST_LOOK], way[:FIRST_LOOK])]
    if not ways or len(np.unique(numbers)) <= labels.different:
        return False
    return _log_chance_of_order(placed[:-1], labels.counts) < CHANCE and any(_in_order(span, way) for way in ways)


def _in_order(span: Floats, numbers: Floats) -> bool:
    """Whether labels can rise with numbers; if some of the rows say no, all of them do."""
    sorted_span = span[np.lexsort((span[:, 0], numbers))]
    return bool((np.maximum.accumulate(sorted_span[:, 0]) <= sorted_span[:, 1]).all())


def _log_chance_of_order(placed: Floats, counts: Ints) -> float:
    """The chance that rows in any order show labels that have nothing in common one after the other, or backwards."""
    apart, reached = [], -np.inf
    for label in np.argsort(placed[:, 1], kind="stable").tolist():
        if placed[label, 0] > reached:
            apart.append(int(counts[label]))
            reached = placed[label, 1]
    return math.log(2) + sum(math.lgamma(count + 1) for count in apart) - math.lgamma(sum(apart) + 1)


def _common(span: Floats, groups: Ints) -> tuple[Floats, Floats]:
    """[group] first and last value that the labels of all its rows have in common; last before first if none."""
    number = int(groups.max()) + 1
    low, high = np.full(number, -np.inf), np.full(number, np.inf)
    np.maximum.at(low, groups, span[:, 0])
    np.minimum.at(high, groups, span[:, 1])
    return low, high


def _in_common(placed: Floats, labels: TextCells) -> float:
    """Probability that the labels of two rows have something in common."""
    weights = np.append(labels.counts, len(labels.codes) - labels.present) / len(labels.codes)
    lows = np.argsort(placed[:, 0], kind="stable")
    passed = np.append(np.cumsum(weights[lows][::-1])[::-1], 0.0)
    apart = passed[np.searchsorted(placed[lows, 0], placed[:, 1], side="right")]
    return float(1 - 2 * (weights * apart).sum())


def _determines(scene: LeakScene, name: str, quasi_identifier: str) -> bool:
    """Whether, in the original, every value goes with one value of the quasi-identifier, which is published coarser."""
    if scene.original is None or name not in scene.untouched or quasi_identifier not in scene.original.names:
        return False
    first, second = scene.original_cells(name), scene.original_cells(quasi_identifier)
    shown = scene.cells(quasi_identifier)
    if shown.texts == second.texts and np.array_equal(shown.counts, second.counts):
        return False  # not generalised: there is nothing to give away
    return determined(first.groups, second.groups)


def _divides(scene: LeakScene, name: str, quasi_identifier: str) -> bool:
    """Whether every value goes with one stretch of the original numbers, and not with the published label alone."""
    if scene.original is None or quasi_identifier not in scene.original.names:
        return False
    if scene.original.natural_kind(quasi_identifier) != NUMERIC:
        return False
    numbers, groups = _beside(scene, name, quasi_identifier)
    values, place = np.unique(numbers, return_inverse=True)
    if len(values) < 2 or not follows(groups, place):
        return False
    bands = np.zeros(len(values), dtype=np.int64)
    bands[place] = groups
    sizes = np.unique(bands, return_counts=True)[1]
    stretches = 1 + int(np.count_nonzero(np.diff(bands)))
    chance = _log_factorials(len(sizes), sizes) - math.lgamma(len(values) + 1)
    tells = not follows(scene.cells(name).groups, scene.cells(quasi_identifier).groups)
    return 1 < len(sizes) == stretches and chance < CHANCE and tells


def _log_factorials(number: int, sizes: Ints) -> float:
    """In how many ways so many stretches of these lengths can be laid out, as a logarithm."""
    return math.lgamma(number + 1) + sum(math.lgamma(size + 1) for size in sizes.tolist())


def _beside(scene: LeakScene, name: str, quasi_identifier: str) -> tuple[Floats, Ints]:
    """Original numbers of a quasi-identifier and the values of a column beside them, where both are known."""
    assert scene.original is not None
    numbers = scene.original.numbers(quasi_identifier).values
    if name in scene.untouched:
        groups = scene.original_cells(name).groups
    else:
        met = candidates(scene)
        rows, records = met.certain if met is not None else (np.zeros(0, dtype=np.int64),) * 2
        numbers, groups = numbers[records], scene.cells(name).groups[rows]
    known = ~np.isnan(numbers)
    return numbers[known], groups[known]


def determined(groups: Ints, values: Ints) -> bool:
    """Whether every group has one value, beyond chance."""
    number = int(np.count_nonzero(np.bincount(groups)))
    commonest = float(np.bincount(values).max(initial=0)) / max(len(values), 1)
    return (len(groups) - number) * _log(commonest) < CHANCE and follows(values, groups)


def _log(probability: float) -> float:
    return math.log(max(probability, 1e-300))
