# SPDX-License-Identifier: Apache-2.0
"""Sequential clustering (Goldberger, Tassa 2010) from its description: every record tries every cluster."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from shoal.engine.encoding.encoded import Encoded
from shoal.ground.requirements import Rule
from tests.reference.losses import Loss, ticks
from tests.reference.rules import obeys


class Sequential:
    """Clusters as lists of rows; a number without rows is free for another cluster, the last that was freed first."""

    def __init__(self, encoded: Encoded, labels: list[int], k: int, omega: float, below: Callable[[int], int]) -> None:
        self.points, self.loss = encoded.points.tolist(), Loss(encoded)
        self.k, self.most, self.below = k, max(int(omega * k), 2), below
        self.clusters: dict[int, list[int]] = {label: [] for label in sorted(set(labels))}
        for row, label in enumerate(labels):
            self.clusters[label].append(row)
        self.free = list(range(len(labels) - 1, max(labels), -1))

    def total(self, rows: list[int]) -> float:
        """Size times loss per record."""
        if not rows:
            return 0.0
        columns = list(zip(*(self.points[row] for row in rows), strict=True))
        return len(rows) * self.loss.of([min(one) for one in columns], [max(one) for one in columns])

    def growth(self, rows: list[int], more: list[int]) -> float:
        """What the total loss grows by if some rows join others."""
        return self.total(rows + more) - self.total(rows) - self.total(more)

    def round(self) -> int:
        """Every record in turn; how many moved."""
        return sum(self.settle(row) for row in range(len(self.points)))

    def settle(self, row: int) -> bool:
        """Where the total loss is least; whether that is elsewhere."""
        if len(self.clusters) == 1 and len(next(iter(self.clusters.values()))) <= self.most:
            return False
        was = next(label for label, rows in self.clusters.items() if row in rows)
        self.clusters[was].remove(row)
        alone = not self.clusters[was]
        if alone:
            del self.clusters[was]
            self.free.append(was)
        cost = {label: ticks(self.growth(rows, [row])) for label, rows in self.clusters.items()}
        into = min(cost, key=lambda label: (cost[label], label))
        if not alone and cost[was] <= cost[into]:
            into = was
        self.clusters[into].append(row)
        if len(self.clusters[into]) > self.most:
            self.part(into)
        return into != was

    def part(self, label: int) -> None:
        """Half of a cluster, drawn at random, is another."""
        rows, other = sorted(self.clusters[label]), self.free.pop()
        drawn = []
        for _ in range(len(rows) // 2):
            at = self.below(len(rows))
            drawn.append(rows[at])
            rows[at] = rows[-1]
            rows.pop()
        self.clusters[label], self.clusters[other] = rows, drawn

    def fit(self, rows: list[int], rules: Sequence[Rule]) -> bool:
        """Whether a cluster may be a class."""
        return len(rows) >= self.k and all(obeys(rule, rule.codes[rows]) for rule in rules)

    def classes(self, rules: Sequence[Rule] = ()) -> list[int]:
        """Small and unruly clusters joined with the cheapest others, those with the lowest first record first."""
        numbered = sorted(self.clusters.values(), key=min)
        for one in range(len(numbered)):
            here = one
            while numbered[here] and not self.fit(numbered[here], rules):
                others = [at for at, rows in enumerate(numbered) if rows and at != here]
                if not others:
                    break
                joined = numbered[here]
                other = min(others, key=lambda at: (ticks(self.growth(numbered[at], joined)), at))
                here, gone = sorted((here, other))
                numbered[here], numbered[gone] = numbered[here] + numbered[gone], []
        labels = [0] * len(self.points)
        for number, rows in enumerate(sorted((rows for rows in numbered if rows), key=min)):
            for row in rows:
                labels[row] = number
        return labels
