# SPDX-License-Identifier: Apache-2.0
"""What the order of the released rows depends on: the rows of the original, or its columns."""

from __future__ import annotations

import hashlib
import math
import re
import zlib
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import TableError
from shoal.judging.leak_search import CHANCE, LeakScene
from shoal.judging.leaks._alignment import reaches
from shoal.judging.leaks._candidates import Candidates, candidates
from shoal.judging.leaks._dependence import Sequence, statistics
from shoal.plan.roles import DATE, NUMERIC
from shoal.tables.profile import readable
from shoal.tables.table import Table

ROWS = "\0"
"""Stands for the order of the original's rows among the names of its columns."""
LAGS, LAGS_WITHIN = 8, 2
"""How many places apart neighbours are compared, in the whole table and within classes."""
MORE_RUNS = 1.25
"""Up to so many runs of look-alikes per class, rows stand together by class; two classes may look alike."""
DIGESTS: dict[str, Callable[[bytes], Any]] = {
    **{name: partial(hashlib.new, name, usedforsecurity=False) for name in ("md5", "sha1", "sha256", "sha512")},
    "crc": zlib.crc32,
}
FEWEST_ROWS = 20
"""Rows below which no order is so unlikely that these tests could tell."""


@dataclass(frozen=True)
class _Arrangement:
    """Rows that could have been shuffled, in their order."""

    rows: Ints
    """[row] place among the rows looked at."""
    sequence: Sequence
    lags: int = LAGS
    joined: Ints | None = None
    """Where classes stand together, [looked at] which: its mean counts, or its least, in the place of its first row."""

    @property
    def tests(self) -> int:
        """How many chances are told."""
        return statistics(self.lags) * (1 if self.joined is None else 2)

    def chances(self, values: Floats) -> list[float]:
        """Logarithms of the chances of such an order, of rows whose value is known."""
        if self.joined is None:
            return self._chances(values)
        return [*self._chances(_mean(self.joined, values)), *self._chances(_least(self.joined, values))]

    def _chances(self, values: Floats) -> list[float]:
        mine = values[self.rows]
        known = ~np.isnan(mine)
        if int(known.sum()) < FEWEST_ROWS:
            return []
        return Sequence.of(self.sequence.strata[known], self.sequence.runs[known]).chances(mine[known], self.lags)


def _mean(groups: Ints, values: Floats) -> Floats:
    """[row] the mean of its group, as far as values are known."""
    known = ~np.isnan(values)
    total = np.bincount(groups[known], weights=values[known], minlength=int(groups.max()) + 1)
    with np.errstate(invalid="ignore"):
        return np.round(total / np.bincount(groups[known], minlength=len(total)), 9)[groups]


def _least(groups: Ints, values: Floats) -> Floats:
    """[row] the least value of its group, as far as values are known."""
    least = np.full(int(groups.max()) + 1, np.nan)
    np.fmin.at(least, groups, values)
    return least[groups]


def dependent_on(scene: LeakScene) -> list[str]:
    """The columns of the original that the order depends on, strongest first; ``ROWS`` is the order of its rows."""
    met = candidates(scene) if len(scene.released) >= FEWEST_ROWS else None
    if met is None or not len(met.records):
        return []
    assert scene.original is not None
    arrangements = _arrangements(scene, met)
    beside = scene.original.take(met.records)
    names = [name for name in beside.names if readable(beside, name)]
    orders = {name: _ranks(beside, name) for name in names} | {ROWS: [_shares(met.records.astype(np.float64))]}
    found = {
        name: min(_unlikeliest(arrangements, met.means(ranks)) for ranks in several) for name, several in orders.items()
    }
    limit = CHANCE - math.log(max(sum(one.tests for one in arrangements) * sum(map(len, orders.values())), 1))
    return sorted((name for name in found if found[name] < limit), key=lambda name: found[name])


def _unlikeliest(arrangements: list[_Arrangement], values: Floats) -> float:
    return min((chance for one in arrangements for chance in one.chances(values)), default=0.0)


def _arrangements(scene: LeakScene, met: Candidates) -> list[_Arrangement]:
    """The whole table, or what is left of it once the order that everybody sees is taken away; and every class."""
    near = np.flatnonzero(met.stretches >= 0)
    alike = scene.classes
    together = None if alike is None else _standing_together(alike)
    joined = None if together is None else together[met.rows]
    if joined is not None:
        near = near[np.unique(joined[near], return_index=True)[1]]
    strata = _visible(scene, met.rows[near])
    whole = _Arrangement(near, Sequence.of(strata, met.stretches[near]), joined=joined)
    if alike is None:
        return [whole]
    inside = np.flatnonzero(met.whole)
    within = Sequence.of(alike[met.rows[inside]], np.zeros(len(inside), dtype=np.int64))
    return [whole, _Arrangement(inside, within, lags=LAGS_WITHIN)]


def _standing_together(alike: Ints) -> Ints | None:
    """[row] which run of rows of one class it is in, if the rows of a class stand one after the other; else None."""
    runs = np.cumsum(np.append(0, np.diff(alike) != 0))
    classes = int(alike.max(initial=0)) + 1
    return runs if 1 < runs[-1] + 1 <= MORE_RUNS * classes and 2 * classes <= len(alike) else None


def _visible(scene: LeakScene, rows: Ints) -> Ints:
    """[row] which of the groups it is in whose order everybody sees, because published cells rise or fall with it."""
    strata = np.zeros(len(rows), dtype=np.int64)
    left = _published(scene, rows)
    sorted_by = [key for key in left if _rises(key, strata)]
    while sorted_by:
        for key in sorted_by:
            strata = np.cumsum(np.append(0, (np.diff(strata) != 0) | (np.diff(key) != 0)))
        left = [key for key in left if not any(key is one for one in sorted_by)]
        sorted_by = [key for key in left if _rises(key, strata)]
    return strata


def _published(scene: LeakScene, rows: Ints) -> list[Floats]:
    """Everything published by which these rows may be sorted: cells as text, as numbers, ends of labels."""
    shown = scene.released.take(rows)
    keys = [shown.codes(name)[0].astype(np.float64) for name in scene.names]
    keys += [_numbers(shown, name) for name in scene.others]
    ends = [end[rows] for reach in reaches(scene).values() for end in (reach.low, reach.high)]
    return keys + [np.nan_to_num(end, nan=-1e300, neginf=-1e300, posinf=1e300) for end in ends]


def _rises(key: Floats, strata: Ints) -> bool:
    """Whether a key rises or falls all along, in every stratum."""
    inner: Flags = np.diff(strata) == 0
    steps = np.diff(key)[inner]
    return bool(len(steps)) and bool(steps.any()) and bool((steps >= 0).all() or (steps <= 0).all())


def _ranks(table: Table, name: str) -> list[Floats]:
    """[row] where its cell stands among the others, in every way in which people sort; missing first or last.

    Numbers by size; text by letters. What points to persons also by the last word, by a number inside, from the end,
    and by common digests, which shuffle rows for all but those who know the persons.
    """
    if table.natural_kind(name) in (NUMERIC, DATE):
        return [_shares(_numbers(table, name))]
    codes, texts = table.codes(name)
    ways = [codes.astype(np.float64)]
    if 2 * len(texts) > len(codes):
        ways += [places[codes].astype(np.float64) for places in _other_orders(texts)]
    return [_shares(way) for way in ways]


def _other_orders(texts: list[str]) -> list[Ints]:
    """[text] its place by the last word, by the number in it if all have one, from its end, by digests."""
    words = [(text.split() or [""])[-1] for text in texts]
    numbers = [re.findall(r"\d{1,15}", text) for text in texts]
    keys: list[list[Any]] = [words] if words != texts else []
    if all(len(found) == 1 for found in numbers):
        keys.append([int(number) for (number,) in numbers])
    keys.append([text[::-1] for text in texts])
    for digest in DIGESTS.values():
        made = [digest(text.encode()) for text in texts]
        keys.append([one if isinstance(one, int) else one.digest() for one in made])
    return [np.append(_places(key), -1) for key in keys]


def _places(keys: list[Any]) -> Ints:
    """[key] its rank; equal keys share one."""
    rank = {key: place for place, key in enumerate(sorted(set(keys)))}
    return np.array([rank[key] for key in keys], dtype=np.int64)


def _numbers(table: Table, name: str) -> Floats:
    """Numbers as they are, missing below all; cells that are none by their letters."""
    if table.natural_kind(name) in (NUMERIC, DATE):
        try:
            return np.nan_to_num(table.numbers(name).values, nan=-1e300)
        except TableError:
            pass  # infinite, or too large to be told apart
    return table.codes(name)[0].astype(np.float64)


def _shares(values: Floats) -> Floats:
    """Ranks between 0 and 1."""
    different, place = np.unique(values, return_inverse=True)
    return place.ravel() / max(len(different) - 1, 1)
