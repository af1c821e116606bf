# SPDX-License-Identifier: Apache-2.0
"""Which private values remain possible for a target: those of its candidate rows, in every table it stands in.

Where a person stands in several tables that repeat a column (sub-tables, two releases), their value is among the
candidates of each of them. A value that c_1, c_2, ... candidates show can therefore belong to min(c_1, c_2, ...) people
at most, and the sum of these is how many people can be the target at all.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Flags, Floats, Ints
from shoal.ground.errors import listed
from shoal.judging.attempts import Attempt, Scene, not_tried
from shoal.judging.evidence import once
from shoal.judging.linking.links import Link, grouped, linked, targets_of
from shoal.judging.private_values import grouped as same_private_values
from shoal.judging.private_values import grouped_texts
from shoal.plan.roles import SENSITIVE
from shoal.tables.equivalence_classes import classes
from shoal.tables.table import Table

CHUNK = 4096
"""Kinds of targets whose values are counted at once."""


@dataclass(frozen=True)
class Possible:
    """What remains possible, for each target or kind of targets."""

    people: Ints
    """How many people can be the target."""
    values: Ints
    """How many different private values they have."""
    best: Ints
    """The commonest of them, -1 if none; ties go to the lowest."""
    count: Ints
    """How many have it."""


def possible(links: Sequence[Link], values: Sequence[Ints]) -> Possible:
    """``values[table][released row]`` are the private values, numbered alike in all tables."""
    kinds = links[0].targets
    width = max((int(one.max(initial=0)) for one in values), default=0) + 1
    shown = [_values_of_groups(link, one, width) for link, one in zip(links, values, strict=True)]
    people, different = np.zeros(kinds, dtype=np.int64), np.zeros(kinds, dtype=np.int64)
    best, count = np.full(kinds, -1, dtype=np.int64), np.zeros(kinds, dtype=np.int64)
    for start in range(0, kinds, CHUNK):
        some = np.arange(start, min(start + CHUNK, kinds))
        keys, counts = _counts(links[0], *shown[0], width, some)
        for link, one in zip(links[1:], shown[1:], strict=True):
            others, other_counts = _counts(link, *one, width, some)
            keys, left, right = np.intersect1d(keys, others, assume_unique=True, return_indices=True)
            counts = np.minimum(counts[left], other_counts[right])
        who, value = keys // width, keys % width
        people += np.bincount(who, weights=counts, minlength=kinds).astype(np.int64)
        different += np.bincount(who, minlength=kinds)
        order = np.lexsort((value, -counts, who))
        first = order[np.unique(who[order], return_index=True)[1]]
        best[who[first]], count[who[first]] = value[first], counts[first]
    return Possible(people, different, best, count)


def _values_of_groups(link: Link, values: Ints, width: int) -> tuple[Ints, Ints, Ints]:
    """The different values of each group: where they begin, which they are, how many rows show each."""
    keys, counts = np.unique(link.group * width + values, return_counts=True)
    starts = np.searchsorted(keys, np.arange(len(link.sizes) + 1) * width)
    return starts.astype(np.int64), keys % width, counts.astype(np.int64)


def _counts(link: Link, starts: Ints, value: Ints, rows: Ints, width: int, some: Ints) -> tuple[Ints, Ints]:
    """Sorted keys ``kind * width + value`` and how many candidate rows show the value."""
    keys, counts = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for who, where in link.pairs(some):
        lengths = starts[where + 1] - starts[where]
        ends = np.cumsum(lengths)
        entry = np.arange(int(lengths.sum())) - np.repeat(ends - lengths, lengths) + np.repeat(starts[where], lengths)
        found, place = np.unique(np.repeat(who, lengths) * width + value[entry], return_inverse=True)
        keys.append(found)
        counts.append(np.bincount(place.ravel(), weights=rows[entry], minlength=len(found)).astype(np.int64))
    key, count = np.concatenate(keys), np.concatenate(counts)
    order = np.argsort(key)
    return key[order], count[order]


@dataclass(frozen=True)
class Suspects(Possible):
    """One sensitive column as an attacker sees it, target by target."""

    truth: Ints | None
    """[target] the number of the true value, -1 if the person is not in the table; None: not known."""
    shares: Floats
    """[value] share in the whole table; the last is missing, which is no value that anybody could learn."""

    @property
    def certain(self) -> Flags:
        """[target] whether all candidates have one value, and one that is known."""
        found: Flags = self.judged & (self.values == 1) & (self.best < len(self.shares) - 1)
        return found

    @property
    def judged(self) -> Flags:
        """[target] has candidates, and is in the table as far as that is known."""
        there: Flags = self.people > 0
        return there if self.truth is None else there & (self.truth >= 0)


def on_each_column(attack: str, scene: Scene, attempt: Callable[[Scene, str, Suspects], Attempt]) -> list[Attempt]:
    """An attack on every sensitive column that the release shows; not tried where no target has candidates.

    What the attacker was told to know is not found out, so such columns are left out.
    """
    shown = [name for name in scene.plan.having(SENSITIVE) if any(name in table.names for table in scene.tables)]
    unknown = [name for name in shown if name not in scene.on]
    attempts = []
    for name in unknown:
        found = suspects(scene, name)
        nobody = not_tried(attack, f"no target has candidates that show {name!r}")
        attempts.append(attempt(scene, name, found) if found.judged.any() else nobody)
    if shown and not unknown:
        return [not_tried(attack, f"the attacker knows all that is private, {listed(map(repr, shown))}")]
    return attempts or [not_tried(attack, "the release shows no sensitive column")]


def has_promise(scene: Scene) -> bool:
    """Whether models of private values speak of this attacker, who then knows nothing but quasi-identifiers."""
    return scene.known is None or set(scene.on) <= set(scene.plan.quasi_identifiers)


def suspects(scene: Scene, name: str) -> Suspects:
    """The possible values of one sensitive column, worked out once; without a known table every row is a target."""
    return once(scene.read, ("suspects", name), lambda: _suspects(scene, name))


def _suspects(scene: Scene, name: str) -> Suspects:
    places = [place for place, table in enumerate(scene.tables) if name in table.names]
    number = _numbers([scene.tables[place] for place in places], name)
    values = [_numbered(scene.tables[place], name, number) for place in places]
    if scene.known is None:
        own = _own(scene, scene.tables[places[0]])
        found, kind = possible([own], values[:1]), own.group
        truth: Ints | None = values[0]
    else:
        links = [linked(scene, place) for place in places]
        found, kind = possible(links, values), targets_of(scene).kind
        truth = _truth(scene, name, places[0], values[0], number)
    shares = np.bincount(values[0], minlength=len(number) + 1) / max(len(values[0]), 1)
    return Suspects(found.people[kind], found.values[kind], found.best[kind], found.count[kind], truth, shares)


def _own(scene: Scene, table: Table) -> Link:
    """Every released row as a target who is known to be in its own class: no column is left to compare."""
    shown = [name for name in scene.plan.published_quasi_identifiers if name in table.names]
    return _Own((), len(grouped(table, shown)), classes(table, shown))


class _Own(Link):
    """A link of each group with itself."""

    def pairs(self, some: Ints | None = None) -> Iterator[tuple[Ints, Ints]]:
        """Each group is its own and only match."""
        who = np.arange(self.targets) if some is None else some
        yield who, who


def _numbers(tables: Sequence[Table], name: str) -> dict[str, int]:
    """The number of each text, the same for texts that mean the same; their count is that of missing ones."""
    table = tables[0]
    texts = table.codes(name)[1]
    if len(tables) > 1:
        texts = sorted({text for one in tables for text in one.codes(name)[1]})
    first: Sequence[int] = range(len(texts))
    if table.is_text(name):
        alone = len(tables) == 1
        first = (grouped_texts(table, name) if alone else same_private_values(texts, table.notation(name))).tolist()
    return {text: place if place >= 0 else len(texts) for text, place in zip(texts, first, strict=True)}


def _numbered(table: Table, name: str, number: Mapping[str, int]) -> Ints:
    """A column as common numbers; missing is one more value, the last."""
    codes, own = table.codes(name)
    return np.array([*(number.get(text, -1) for text in own), len(number)], dtype=np.int64)[codes]


def _truth(scene: Scene, name: str, place: int, values: Ints, number: Mapping[str, int]) -> Ints | None:
    """The true value of each target, from the row that is theirs or from the original."""
    if scene.person is None:
        return None
    if scene.rows is not None:
        of_input = np.full(int(max(scene.person.max(initial=-1), scene.rows[place].max(initial=-1))) + 2, -1)
        shown = scene.rows[place] >= 0
        of_input[scene.rows[place][shown]] = values[shown]
    elif scene.original is not None and name in scene.original.names:
        of_input = np.append(_numbered(scene.original, name, number), -1)
    else:
        return None
    return np.where(scene.person >= 0, of_input[scene.person], -1).astype(np.int64)
