# SPDX-License-Identifier: Apache-2.0
"""Random trees and random encoded tables, made to be awkward: ties, duplicates, ragged trees, missing, constants."""

from __future__ import annotations

import numpy as np

from shoal.engine.encoding.encoded import Encoded, EncodedColumn
from shoal.engine.encoding.missing import place_beyond
from shoal.hierarchies.hierarchy import Hierarchy

LOSSES = ("ncp", "height", "eloss", "lm")
WEIGHTS = (1.0, 1.0, 1.0, 1.0, 0.0, 0.5, 2.0, 1 / 3)
SHAPES = ("whole", "real", "tenths", "constant", "flat", "tree", "tree", "deep tree")

Random = np.random.Generator


def random_tree(random: Random, n_leaves: int, unary: float = 0.25) -> Hierarchy:
    """A ragged tree with nodes of one child; rows are shuffled, so leaf numbers are not those of the labels."""
    rows: list[list[str]] = []
    nodes = iter(f"node {number}" for number in range(10**6))

    def grow(leaves: list[str], path: list[str]) -> None:
        while len(path) < 6 and random.random() < unary:
            path = [next(nodes), *path]
        if len(leaves) == 1:
            rows.append([leaves[0], *path])
            return
        if len(path) >= 6:
            rows.extend([leaf, *path] for leaf in leaves)
            return
        cuts = np.sort(random.choice(np.arange(1, len(leaves)), size=min(len(leaves) - 1, 3), replace=False))
        for part in np.split(np.array(leaves), cuts[: random.integers(1, len(cuts) + 1)]):
            grow(part.tolist(), [next(nodes), *path] if len(part) > 1 else path)

    grow([f"leaf {number}" for number in range(n_leaves)], ["*"])
    return Hierarchy.from_rows([rows[place] for place in random.permutation(len(rows))])


def random_encoded(random: Random, n: int, *, columns: int | None = None, missing: float = 0.3) -> Encoded:
    """A table of up to five columns of any shape; ``missing`` is the share of columns with missing cells."""
    width = columns or int(random.integers(1, 6))
    loss = str(random.choice(LOSSES))
    return Encoded(tuple(random_column(random, n, f"column {place}", missing) for place in range(width)), loss)


def random_column(random: Random, n: int, name: str, missing: float, shape: str | None = None) -> EncodedColumn:
    """One column of a random shape (see SHAPES) and weight."""
    shape = shape or str(random.choice(SHAPES))
    weight = float(random.choice(WEIGHTS))
    holes = random.random(n) < random.uniform(0.05, 0.6) if random.random() < missing else np.zeros(n, dtype=bool)
    if shape in ("flat", "tree", "deep tree"):
        return _tree_column(random, name, shape, weight, holes)
    numbers = {
        "whole": random.integers(-3, 4, n).astype(float),
        "real": random.normal(0.0, 10.0, n),
        "tenths": random.integers(0, 30, n) / 10,
        "constant": np.full(n, 7.25),
    }[shape]
    points, beyond = place_beyond(np.where(holes, np.nan, numbers))
    return EncodedColumn(name, points, weight, missing=beyond)


def _tree_column(random: Random, name: str, shape: str, weight: float, holes: np.ndarray) -> EncodedColumn:
    n_leaves = int(random.integers(1, 12))
    if shape == "flat":
        tree = Hierarchy.flat([f"leaf {number}" for number in range(n_leaves)])
    else:
        tree = random_tree(random, n_leaves, unary=0.25 if shape == "tree" else 0.6)
    leaves = random.integers(0, tree.n_leaves, len(holes))
    beyond = None
    if holes.any():
        leaves, beyond = np.where(holes, tree.n_leaves, leaves), float(tree.n_leaves)
        tree = tree.with_missing()
    return EncodedColumn(name, leaves.astype(float), weight, tree, beyond, "label")


def thinned(random: Random, encoded: Encoded) -> Encoded:
    """The same table with many duplicates: its rows drawn again from a few of them."""
    n = len(encoded)
    rows = random.integers(0, max(1, n // 4), n)
    return Encoded(tuple(column.take(rows) for column in encoded.columns), encoded.loss)


def random_case(seed: int, largest: int = 60) -> tuple[Encoded, int]:
    """Table number ``seed`` and a k from 1 to 7 that it can be partitioned with."""
    random = np.random.default_rng(seed)
    k = int(random.integers(1, 8))
    n = int(random.integers(2 * k - 1, max(largest, 2 * k) + 1))
    encoded = random_encoded(random, n)
    return (thinned(random, encoded) if random.random() < 0.4 else encoded), k
