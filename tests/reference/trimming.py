# SPDX-License-Identifier: Apache-2.0
"""Trimming, written plainly: lists instead of chains, hulls taken from all members."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from copy import deepcopy

import numpy as np

from shoal.engine.kernels.hull import RANGE, Hulls
from shoal.ground.requirements import Rule
from tests.reference.pools import Dice, loss, terms
from tests.reference.rules import obeys

Class = list[list[int]]
"""[atom, units], the latest first."""


class Trimmer:
    """The classes of a block, trimmed step by step."""

    def __init__(
        self, hulls: Hulls, points: np.ndarray, classes: list[Class], room: int, size: int, seed: int,
        rules: tuple[Rule, ...] = (), row_of: Sequence[int] = (), *, is_hasty: bool = False,
    ) -> None:  # fmt: skip
        self.hulls, self.points, self.classes, self.size, self.dice = hulls, points, classes, size, Dice(seed)
        self.rules, self.row_of = rules, row_of
        self.fillers: list[list[tuple[float, int]]] = [[] for _ in range(room)]
        self.first, self.let_go = [0.0] * room, 0
        self.is_hasty, self.given_up = is_hasty, 0
        self.factors = [1.0 + 0.3 * self.share() for _ in range(1024 + room)]

    def share(self) -> float:
        """Above 0, at most 1."""
        return (self.dice.draw() + 1) / 2**53

    def amount(self, label: int, atom: int) -> int:
        """Units of an atom in a class."""
        return dict(map(tuple, self.classes[label])).get(atom, 0)

    def held(self, label: int) -> int:
        """Records of a class."""
        return sum(units for _, units in self.classes[label])

    def terms(self, label: int, *more: int) -> list[float]:
        """Cost of each attribute, with some atoms more."""
        return terms(self.hulls, self.points, [*(atom for atom, _ in self.classes[label]), *more])

    def loss(self, label: int, *more: int) -> float:
        """Loss per record, with some atoms more."""
        return loss(self.hulls, self.points, [*(atom for atom, _ in self.classes[label]), *more])

    def carried(self, label: int) -> float:
        """Loss of all records."""
        return self.held(label) * self.loss(label)

    def values(self, rule: Rule, label: int, atom: int = -1, more: int = 0) -> list[int]:
        """The private values of a class, with more units of an atom, or fewer."""
        held = Counter(dict(map(tuple, self.classes[label])))
        held[atom] += more
        return [int(rule.codes[self.row_of[one]]) for one, units in held.items() for _ in range(units)]

    def obeys(self, label: int, atom: int = -1, more: int = 0) -> bool:
        """Whether a class obeys all rules, with more units of an atom, or fewer."""
        return all(obeys(rule, self.values(rule, label, atom, more)) for rule in self.rules)

    def leaves_room(self, label: int, atom: int, more: int) -> bool:
        """Whether no share would be too large in a class of the smallest size with more units of an atom."""
        for rule in self.rules:
            code = int(rule.codes[self.row_of[atom]])
            limit = rule.limit if rule.upper is None else rule.upper[code]
            many = self.values(rule, label, atom, more).count(code)
            if rule.kind in ("share", "bounds") and many / self.size > limit:
                return False
        return True

    def may_go(self, atom: int, units: int, source: int, target: int) -> bool:
        """Whether a class that lacks records may fetch some units."""
        enough = self.held(target) + units >= self.size
        fits = self.obeys(target, atom, units) if enough else self.leaves_room(target, atom, units)
        return fits and self.obeys(source, atom, -units)

    def move(self, atom: int, units: int, source: int, target: int) -> None:
        """Move units of an atom."""
        giving = next(entry for entry in self.classes[source] if entry[0] == atom)
        giving[1] -= units
        if giving[1] == 0:
            self.classes[source].remove(giving)
        taking = next((entry for entry in self.classes[target] if entry[0] == atom), None)
        if taking is None:
            self.classes[target].insert(0, [atom, units])
        else:
            taking[1] += units

    def step(self, label: int, heat: float) -> None:
        """Trim a class, and keep it if that pays."""
        if self.dice.draw() % 16 == 0:
            self.find_fillers(label)
        pieces = self.pieces(label)
        if not pieces:
            return
        before = deepcopy(self.classes)
        was = sum(map(self.carried, range(len(before))))
        patience = heat if self.is_hasty and self.dice.draw() % 16 != 0 else math.inf
        done = self.exchange(label, pieces, patience)
        allowed = -1e-12 - heat * math.log(self.share())
        dear = sum(map(self.carried, range(len(before)))) - was >= allowed
        if not done or dear or not all(map(self.obeys, range(len(before)))):
            self.restore(before)
            return
        for one in {one for _, _, *ends in self.log for one in ends}:
            self.first[one] = self.next_change(one)

    def find_fillers(self, label: int) -> None:
        """Those who would lose less elsewhere, more or less."""
        found = []
        for atom, _ in self.classes[label]:
            begin = self.dice.draw() % 1024
            others = [other for other in range(len(self.classes)) if other != label]
            least = min((self.more(one, atom, 1) * self.factors[begin + one] for one in others), default=math.inf)
            found.append((least - self.loss(label), atom))
        self.fillers[label] = sorted([one for one in found if one[0] < 0], key=lambda one: one[0])[:24]
        self.first[label] = self.next_change(label)

    def next_change(self, label: int) -> float:
        """What the loss changes by if the first filler leaves that is still there."""
        return next((change for change, atom in self.fillers[label] if self.amount(label, atom)), 0.0)

    def restore(self, before: list[Class]) -> None:
        """Take all back; what comes home stands first, the last to leave in front, as moves are undone in reverse."""
        gone = self.log[::-1]
        for atom, units, source, target in gone:
            self.move(atom, units, target, source)
        assert [sorted(one) for one in self.classes] == [sorted(one) for one in before]

    def pieces(self, label: int) -> list[list[int]]:
        """What leaves."""
        self.log: list[tuple[int, int, int, int]] = []
        weighed = [cost * self.share() for cost in self.terms(label)]
        if max(weighed) <= 0:
            return []
        j = int(np.argmax(weighed))
        values = sorted({float(self.points[atom, j]) for atom, _ in self.classes[label]})
        if self.hulls.kind[j] == RANGE or self.dice.draw() % 4 == 0:
            low, depth = self.dice.draw() % 2 == 0, 1 + self.dice.draw() % 3
            kept = values[min(depth, len(values) - 1) :] if low else values[: max(len(values) - depth, 1)]
        else:
            records = [atom for atom, units in self.classes[label] for _ in range(units)]
            kept = [float(self.points[records[self.dice.draw() % len(records)], j])]
        pieces = [list(entry) for entry in self.classes[label] if self.points[entry[0], j] not in kept]
        return pieces if len(pieces) <= 30 and 2 * sum(units for _, units in pieces) <= self.size else []

    def exchange(self, label: int, pieces: list[list[int]], patience: float) -> bool:
        """Pieces out, others in."""
        was = sum(map(self.carried, range(len(self.classes))))
        stay = [entry for entry in self.classes[label] if entry not in pieces]
        rest = loss(self.hulls, self.points, [atom for atom, _ in stay]) * sum(units for _, units in stay)
        spent = rest - self.carried(label)
        for atom, units in pieces:
            home = self.home(label, atom, units, swaps=True)
            if home < 0:
                return False
            spent += self.more(home, atom, units) + units * self.next_change(home)
            self.log.append((atom, units, label, home))
            self.move(atom, units, label, home)
            if spent > patience + 1e-12:
                self.given_up += 1
                return False
        for atom, units, _, home in self.log[:]:
            self.send_fillers(home, atom, units)
        lacks = self.held(label) < self.size
        if lacks and sum(map(self.carried, range(len(self.classes)))) - was > patience + 1e-12:
            self.given_up += 1
            return False
        donors = self.donors(label) if self.held(label) < self.size else []
        while self.held(label) < self.size:
            found = self.cheapest(label, donors)
            if found is None or len(self.log) == 150:
                return False
            self.log.append(found)
            self.move(*found)
        return True

    def send_fillers(self, label: int, joined: int, units: int) -> None:
        """As many fillers leave as have joined."""
        while units > 0 and len(self.log) < 150:
            atom = next((atom for _, atom in self.fillers[label] if self.amount(label, atom)), joined)
            many = min(self.amount(label, atom), units)
            if atom == joined or not self.obeys(label, atom, -many):
                return
            home = self.home(label, atom, many, swaps=False)
            if home < 0:
                return
            self.log.append((atom, many, label, home))
            self.move(atom, many, label, home)
            self.let_go += many
            units -= many

    def home(self, label: int, atom: int, units: int, swaps: bool) -> int:
        """The class that a piece costs least, more or less; one that swaps saves what its first filler does."""
        begin = self.dice.draw() % 1024
        moved = dict.fromkeys(one for _, _, *ends in self.log for one in ends if one != label)
        rested = [other for other in range(len(self.classes)) if other != label and other not in moved]
        each = units if swaps else 0
        priced = [
            (self.more(other, atom, units) * self.factors[begin + other] + each * self.first[other], other)
            for other in rested
        ]
        priced += [
            (self.more(other, atom, units) * (1.0 + 0.3 * self.share()) + each * self.next_change(other), other)
            for other in moved
        ]
        priced = [one for one in priced if self.obeys(one[1], atom, units)]
        return min(priced, key=lambda one: one[0], default=(math.inf, -1))[1]

    def more(self, label: int, atom: int, units: int) -> float:
        """What a class would lose more with some units of an atom."""
        return (self.held(label) + units) * self.loss(label, atom) - self.carried(label)

    def donors(self, label: int) -> list[int]:
        """The three nearest classes with something to spare, more or less."""
        begin = self.dice.draw() % 1024
        moved = dict.fromkeys(one for _, _, *ends in self.log for one in ends if one != label)
        able = [other for other in range(len(self.classes)) if other != label and self.held(other) > self.size]
        ranked = [(self.gap(label, other) * self.factors[begin + other], other) for other in able if other not in moved]
        for other in moved:
            if other in able:
                ranked.append(((1.0 + 0.3 * self.share()) * self.gap(label, other), other))
        return [other for _, other in sorted(ranked, key=lambda one: one[0])[:3]]

    def gap(self, label: int, other: int) -> float:
        """Loss of the hull of a class once it reaches the hull of another."""
        mine = self.points[[atom for atom, _ in self.classes[label]]]
        theirs = self.points[[atom for atom, _ in self.classes[other]]]
        low = np.minimum(mine.min(axis=0), theirs.max(axis=0))
        high = np.maximum(mine.max(axis=0), theirs.min(axis=0))
        return loss(self.hulls, np.array([low, high]), [0, 1])

    def relief(self, donor: int, atom: int, units: int) -> float:
        """By how much the loss of a donor falls; by differences, as the kernel does, so that ties fall alike."""
        rest = [one for one, amount in self.classes[donor] if one != atom or amount > units]
        total, before = self.loss(donor), self.terms(donor)
        if rest:
            for j, after in enumerate(terms(self.hulls, self.points, rest)):
                ends = [
                    np.sort(self.points[atoms, j])[[0, -1]] for atoms in (rest, [one for one, _ in self.classes[donor]])
                ]
                if (ends[0] != ends[1]).any():
                    total -= before[j]
                    total += after
        return self.carried(donor) - (self.held(donor) - units) * total

    def cheapest(self, label: int, donors: list[int]) -> tuple[int, int, int, int] | None:
        """The move that brings what costs least per record."""
        best, found, held, now = math.inf, None, self.held(label), self.carried(label)
        for donor in donors:
            most = min(self.size - held, self.held(donor) - self.size)
            for atom, amount in self.classes[donor] if most > 0 else ():
                units = min(amount, most)
                relief, total = self.relief(donor, atom, units), self.loss(label, atom)
                limit = (best * units + relief + now) / (held + units)
                if total < limit and self.may_go(atom, units, donor, label):
                    best = ((held + units) * total - now - relief) / units
                    found = (atom, units, donor, label)
        return found
