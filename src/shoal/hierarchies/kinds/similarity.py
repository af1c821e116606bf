# SPDX-License-Identifier: Apache-2.0
"""Categories by similarity: values that go along with the same values of other columns are put together.

Each value is described by how the other columns are distributed among its rows (square roots of shares, so that
distances are Hellinger's; rare values are drawn towards the distribution of all rows). Ward's rule then joins the
two groups whose joining changes those descriptions least, until all are one. The tree is cut where there are
``fan`` times fewer groups than on the level below. No outside knowledge is used, so that a person should look the
groups over: they say what behaves alike in this table, not what means the same.

J. H. Ward, Hierarchical grouping to optimize an objective function, JASA 58 (1963) 236-244.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.ground.arrays import Floats, Ints
from shoal.ground.errors import HierarchyError
from shoal.ground.parameters import parameter
from shoal.hierarchies.hierarchy import ROOT, Hierarchy
from shoal.hierarchies.values import Values, free_label, tree_of

MOST_VALUES = 2000
DRAWN = 10.0
"""Rows' worth of the overall distribution that every value's own is mixed with."""
NAMED = 3
"""Members that a group's label names before it counts the others."""
LONGEST = 24


@dataclass(frozen=True)
class Parameters:
    """How many groups."""

    fan: int = parameter(3, "about how many groups make one of the next level", least=2)


def build(values: Values, parameters: Parameters) -> Hierarchy:
    """A dendrogram, cut into few levels."""
    n = len(values.texts)
    if n > MOST_VALUES:
        raise HierarchyError(
            "The column has too many different values to compare them all.",
            where=values.where,
            allowed=f"at most {MOST_VALUES} values",
            received=f"{n}",
            todo="build by prefixes or frequency, or give the groups with a mapping",
        )
    cuts = _cuts(n, parameters.fan)
    if not cuts:
        return tree_of([[text, ROOT] for text in values.texts], values)
    levels = _groups(_descriptions(values), values.counts, cuts)
    named: dict[tuple[int, ...], str] = {(leaf,): text for leaf, text in enumerate(values.texts)}
    labels = [_labels(values, groups, named) for groups in levels]
    order = np.lexsort([np.arange(n), *levels]).tolist()  # the widest groups first, so that branches stand together
    return tree_of([[values.texts[leaf], *(named[leaf] for named in labels), ROOT] for leaf in order], values)


def _cuts(n: int, fan: int) -> list[int]:
    """Number of groups per level, lowest first."""
    cuts, groups = [], -(-n // fan)
    while groups >= 2 and groups < n:
        cuts.append(groups)
        groups = -(-groups // fan) if groups > fan else 1
    return cuts


def _descriptions(values: Values) -> Floats:
    """One row of coordinates per value; without other columns, how common it is."""
    if not values.others:
        shares: Floats = np.sqrt(values.counts / max(values.counts.sum(), 1))[:, None]
        return shares
    parts = []
    for together in values.others:
        usual = together.sum(axis=0) / max(together.sum(), 1.0)
        own = together.sum(axis=1, keepdims=True)
        parts.append(np.sqrt((together + DRAWN * usual) / (own + DRAWN)))
    return np.hstack(parts)


def _groups(points: Floats, counts: Ints, cuts: list[int]) -> list[Ints]:
    """Group of each value per cut, by joining the pair that Ward's rule names until so many groups are left.

    Groups weigh as the square roots of their rows: by rows alone the rare values would all be joined before any
    two common ones, by number alone the table would not count.
    """
    n = len(points)
    weights = np.sqrt(np.maximum(counts, 1).astype(np.float64))
    members = np.arange(n, dtype=np.int64)
    squares = (points**2).sum(axis=1)
    far = np.maximum(squares[:, None] + squares[None, :] - 2 * points @ points.T, 0.0)
    costs = far * (weights[:, None] * weights[None, :]) / (weights[:, None] + weights[None, :])
    np.fill_diagonal(costs, np.inf)
    levels: list[Ints] = []
    for left in range(n, 0, -1):
        if left in cuts:
            levels.append(np.unique(members, return_inverse=True)[1].astype(np.int64))
            if len(levels) == len(cuts):
                break
        one, other = divmod(int(np.round(costs, 12).argmin()), n)
        _join(costs, weights, one, other)
        members[members == other] = one
    return levels


def _join(costs: Floats, weights: Floats, one: int, other: int) -> None:
    """Put a group into another, with the costs of joining the result by Lance and Williams."""
    a, b, c = weights[one], weights[other], weights
    with np.errstate(invalid="ignore"):
        joined = ((a + c) * costs[one] + (b + c) * costs[other] - c * costs[one, other]) / (a + b + c)
    joined[[one, other]] = np.inf
    costs[one], costs[:, one] = joined, joined
    costs[other], costs[:, other] = np.inf, np.inf
    weights[one] += weights[other]


def _labels(values: Values, groups: Ints, named: dict[tuple[int, ...], str]) -> list[str]:
    """Name of each value's group; a group that stays the same on the next level keeps its name."""
    labels = []
    for group in range(int(groups.max()) + 1):
        inside = tuple(np.flatnonzero(groups == group).tolist())
        if inside not in named:
            named[inside] = free_label(_name(values, inside), {*named.values(), ROOT})
        labels.append(named[inside])
    return [labels[group] for group in groups.tolist()]


def _name(values: Values, inside: tuple[int, ...]) -> str:
    """The commonest members, and how many more there are."""
    common = sorted(inside, key=lambda leaf: (-int(values.counts[leaf]), values.texts[leaf]))
    listed = common if len(common) <= NAMED + 1 else common[:NAMED]
    shown = [_short(values.texts[leaf]) for leaf in listed]
    return " / ".join([*shown, *([f"{len(common) - len(listed)} more"] * (len(listed) < len(common)))])


def _short(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
