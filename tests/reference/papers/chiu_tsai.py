# SPDX-License-Identifier: Apache-2.0
"""WF-C-means: C.-C. Chiu, C.-Y. Tsai, "A k-anonymity clustering method for effective data privacy preservation", 2007.

Figures 2 and 3 line by line. Where the paper divides by zero: an empty class keeps its centre, and a feature without
spread within classes takes the limit of equation 13. Names, which the paper leaves to the future, are told apart by the
height at which they meet in their tree, as a squared distance: one coordinate for every node below the root.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from tests.reference.papers.records import Classes, Column, Names, Records, how_many

Centre = list[list[Fraction]]


@dataclass
class Feature:
    """A quasi-identifier: the coordinates of each record, and what each coordinate's square counts."""

    rows: list[list[Fraction]]
    counts: list[Fraction]

    def diss(self, one: Sequence[Fraction], other: Sequence[Fraction]) -> Fraction:
        """Equation 3."""
        terms = ((a - b) ** 2 * count for a, b, count in zip(one, other, self.counts, strict=True))
        return sum(terms, Fraction(0))

    def mean(self, members: Sequence[int]) -> list[Fraction]:
        """Equation 7."""
        columns = zip(*(self.rows[row] for row in members), strict=True)
        return [sum(column, Fraction(0)) / len(members) for column in columns]


def feature(column: Column, scale: str) -> Feature:
    """A number as it is or as a share of the domain; a name by the nodes that it stands below."""
    if isinstance(column, Names):
        tree = column.tree
        nodes = sorted({path[:depth] for path in tree.paths.values() for depth in range(2, len(path) + 1)})
        drops = [tree.height(node[:-1]) - tree.height(node) for node in nodes]
        paths = [tree.paths[name] for name in column.cells]
        rows = [[Fraction(path[: len(node)] == node) for node in nodes] for path in paths]
        return Feature(rows, [Fraction(drop, 2 * tree.height(tree.root)) for drop in drops])
    width = column.domain if scale == "range" and column.domain else Fraction(1)
    return Feature([[Fraction(cell) / width] for cell in column.cells], [Fraction(1)])


@dataclass
class WFCMeans:
    """The state of figure 2."""

    features: list[Feature]
    weights: list[Fraction]
    centres: list[Centre]
    classes: Classes

    def diss(self, one: Centre, other: Centre) -> Fraction:
        """Equations 2 and 17."""
        parts = zip(self.weights, self.features, one, other, strict=True)
        return sum((weight * feature.diss(a, b) for weight, feature, a, b in parts), Fraction(0))

    def record(self, row: int) -> Centre:
        """A record as a point."""
        return [feature.rows[row] for feature in self.features]

    def assign(self, n: int) -> None:
        """Line 5, equation 6."""
        self.classes = [[] for _ in self.centres]
        for row in range(n):
            point = self.record(row)
            nearest = min(range(len(self.centres)), key=lambda i: (self.diss(point, self.centres[i]), i))
            self.classes[nearest].append(row)

    def update(self) -> None:
        """Line 6, equation 7."""
        for number, members in enumerate(self.classes):
            if members:
                self.centres[number] = [feature.mean(members) for feature in self.features]

    def adjust(self) -> None:
        """Line 7, equation 16."""
        margins = self.margins()
        self.weights = [(old + margin) / 2 for old, margin in zip(self.weights, margins, strict=True)]

    def margins(self) -> list[Fraction]:
        """Equation 13."""
        within = [self.within(place) for place in range(len(self.features))]
        between = [self.between(place) for place in range(len(self.features))]
        infinite = [not e and f > 0 for e, f in zip(within, between, strict=True)]
        if any(infinite):
            return [Fraction(here, sum(infinite)) for here in infinite]
        ratios = [f / e if e else Fraction(0) for e, f in zip(within, between, strict=True)]
        whole = sum(ratios, Fraction(0))
        return [ratio / whole if whole else Fraction(1, len(ratios)) for ratio in ratios]

    def within(self, place: int) -> Fraction:
        """e_n."""
        feature = self.features[place]
        pairs = ((row, self.centres[i][place]) for i, members in enumerate(self.classes) for row in members)
        return sum((feature.diss(feature.rows[row], centre) for row, centre in pairs), Fraction(0))

    def between(self, place: int) -> Fraction:
        """f_n."""
        feature = self.features[place]
        middle = feature.mean(range(len(feature.rows)))
        classes = enumerate(self.classes)
        terms = (len(members) * feature.diss(self.centres[i][place], middle) for i, members in classes)
        return sum(terms, Fraction(0))


def wf_c_means(records: Records, k: int, init: Sequence[int], scale: str = "none") -> WFCMeans:
    """Figure 2."""
    features = [feature(column, scale) for column in records]
    whole = sum((column.weight for column in records), Fraction(0))
    state = WFCMeans(features, [column.weight / whole for column in records], [], [])
    state.centres = [state.record(row) for row in init]
    before: Classes | None = None
    while before is None or before != state.classes:
        before = state.classes if state.classes else None
        state.assign(how_many(records))
        state.update()
        state.adjust()
    return state


def merge(state: WFCMeans, k: int) -> Classes:
    """Figure 3: every illegal class goes to the nearest legal one."""
    legal = [number for number, members in enumerate(state.classes) if len(members) >= k]
    merged = {number: list(state.classes[number]) for number in legal}
    for number, members in enumerate(state.classes):
        if members and number not in merged:
            nearest = min(legal, key=lambda other: (state.diss(state.centres[number], state.centres[other]), other))
            merged[nearest] += members
    return list(merged.values())
