# SPDX-License-Identifier: Apache-2.0
"""How many released rows can be given to different people at once, each in a class that is large enough for them.

People who match the same classes and ask for the same size are placed together. They are first given out as it comes,
those with the fewest classes first; then whoever is left pushes others on to classes with room, as long as that is
possible (augmenting paths, so the number is the largest there is). What a search in vain has met needs no second look.
"""

from __future__ import annotations

from collections import deque

import numpy as np

from shoal.ground.arrays import Ints
from shoal.judging.linking.matching import Matches

MOST_STEPS = 30_000_000
"""Steps from people to classes after which it stays undecided."""


class Undecided(Exception):
    """The answer would take too long."""


def most_placed(found: Matches, own: Ints) -> int:
    """Most rows that can be of somebody whom their labels allow and whose ``own`` size their class has."""
    kind, who = _kinds(found, own)
    choices: list[list[int]] = [[] for _ in who]
    by_looks: dict[int, list[int]] = {}
    for place, (looks, _) in enumerate(who):
        by_looks.setdefault(looks, []).append(place)
    steps = 0
    for kinds, classes in found.found.pairs():
        steps += len(kinds)
        if steps > MOST_STEPS:
            raise Undecided
        for one, group in zip(kinds.tolist(), classes.tolist()):
            for place in by_looks.get(one, ()):
                if found.sizes[group] >= who[place][1]:
                    choices[place].append(group)
    return _Placing(np.bincount(kind, minlength=len(who)).tolist(), found.sizes.tolist(), choices).total()


def _kinds(found: Matches, own: Ints) -> tuple[Ints, list[tuple[int, int]]]:
    """[person] their kind, and of each kind how they look and what they ask for."""
    pairs, kind = np.unique(np.column_stack([found.looks, own]), axis=0, return_inverse=True)
    return kind.ravel().astype(np.int64), [(int(looks), int(size)) for looks, size in pairs]


class _Placing:
    """People on their way into classes."""

    def __init__(self, people: list[int], room: list[int], choices: list[list[int]]) -> None:
        self._left, self._room, self._choices = people, room, choices
        self._inside: list[dict[int, int]] = [{} for _ in room]
        self._dead, self._steps = [False] * len(room), 0

    def total(self) -> int:
        """Most people that can be placed at once."""
        rows = sum(self._room)
        for one in sorted(range(len(self._left)), key=lambda one: len(self._choices[one])):
            for group in self._choices[one]:
                self._move(one, group, min(self._left[one], self._room[group]))
        for one in range(len(self._left)):
            while self._left[one] and self._pushed(one):
                pass
        return rows - sum(self._room)

    def _move(self, one: int, group: int, many: int) -> None:
        if many:
            self._left[one] -= many
            self._room[group] -= many
            self._inside[group][one] = self._inside[group].get(one, 0) + many

    def _pushed(self, one: int) -> bool:
        """Place some of a kind by pushing others on; False if there is no way."""
        came: dict[int, tuple[int, int]] = {}  # class -> who may move there, and from which class (-1: not placed yet)
        line, met = deque([(one, -1)]), {one}
        while line:
            who, source = line.popleft()
            self._steps += len(self._choices[who])
            if self._steps > MOST_STEPS:
                raise Undecided
            for group in self._choices[who]:
                if group in came or self._dead[group]:
                    continue
                came[group] = (who, source)
                if self._room[group]:
                    self._push(group, came)
                    return True
                line.extend((other, group) for other in self._inside[group] if other not in met)
                met.update(self._inside[group])
        for group in came:
            self._dead[group] = True
        return False

    def _push(self, group: int, came: dict[int, tuple[int, int]]) -> None:
        """One person along the way that was found, from its end to its start."""
        self._room[group] -= 1
        while group >= 0:
            who, source = came[group]
            self._inside[group][who] = self._inside[group].get(who, 0) + 1
            if source < 0:
                self._left[who] -= 1
            else:
                self._inside[source][who] -= 1
                if not self._inside[source][who]:
                    del self._inside[source][who]
            group = source
