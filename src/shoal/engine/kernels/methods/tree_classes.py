# SPDX-License-Identifier: Apache-2.0
"""The best classes of records that differ in one tree only: an exact dynamic program from the leaves up.

A class sits at the lowest node above all of its records and costs that node's loss per record. So each subtree
keeps some of its records, in classes at its nodes, and passes u of them up, ``0 <= u <= 2k - 2``. A node pools what
its children pass up, keeps none of the pool or at least k, and passes the rest on. Records that are kept at a node
all cost the same, so a pool of ``3k - 2`` or more needs no exact count: whatever u is, at least k stay.

A subtree of fewer than k records can only pass all of them up; it needs no table. There are at most n / k others on
each level, which bounds the memory by a few numbers per record and level. Time is about k² per such node.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from shoal.engine.kernels.compile import kernel
from shoal.engine.kernels.trees.box_tree import rows_by_point
from shoal.ground.arrays import Codes, Flags, Ints

NEVER = 2**62


class RecordTree(NamedTuple):
    """A tree over the records; parents come before their children."""

    parent: Ints
    cost: Ints
    """[node] loss of one record published as this node, in whole units."""
    records: Ints
    """[node] how many are below it."""
    is_leaf: Flags
    slot: Ints
    """[node] its row in the tables; -1 for a subtree of fewer than k records."""


class Tables(NamedTuple):
    """Costs and choices of the subtrees that have any."""

    cost: Ints
    """[slot, u] least cost of a subtree that passes u records up."""
    pool: Codes
    """[slot, u] size of the node's pool in that case, at most ``3k - 2``."""
    passed: Codes
    """[slot, pool] what this subtree passes up when its parent's pool, after it, has this size."""
    before: Codes
    """[slot, pool] size of the parent's pool before it was added."""


def new_tree(parent: Ints, cost: Ints, leaves: Ints, counts: Ints, size: int) -> RecordTree:
    """A tree with ``counts[i]`` records at the node ``leaves[i]``."""
    records = np.zeros(len(parent), dtype=np.int64)
    records[leaves] = counts
    for node in range(len(parent) - 1, 0, -1):
        records[parent[node]] += records[node]
    is_leaf = np.zeros(len(parent), dtype=bool)
    is_leaf[leaves] = True
    large = records >= size
    slot = np.where(large, np.cumsum(large) - 1, -1)
    return RecordTree(np.asarray(parent), np.asarray(cost, dtype=np.int64), records, is_leaf, slot)


def new_tables(tree: RecordTree, size: int) -> Tables:
    """Tables in which nothing is settled yet."""
    slots, most, full = int(tree.slot.max()) + 1, 2 * size - 1, 3 * size - 1
    return Tables(
        np.full((slots, most), NEVER, dtype=np.int64),
        np.zeros((slots, most), dtype=np.int32),
        np.zeros((slots, full), dtype=np.int32),
        np.zeros((slots, full), dtype=np.int32),
    )


@kernel
def children_of(parent: Ints) -> tuple[Ints, Ints]:
    """Where each node's children begin (one more at the end), and all children, in node order."""
    begin, children = rows_by_point(parent[1:], len(parent))
    return begin, children + 1


@kernel
def settle(tree: RecordTree, begin: Ints, children: Ints, tables: Tables, size: int, done: int, until: int) -> int:
    """Settle the tables of ``until - done`` more nodes, the last nodes first."""
    n_nodes = len(tree.parent)
    for node in range(n_nodes - 1 - done, n_nodes - 1 - until, -1):
        slot = tree.slot[node]
        if slot < 0:
            continue
        if tree.is_leaf[node]:
            for passed in range(2 * size - 1):
                stays = tree.records[node] - passed
                if stays == 0 or stays >= size:
                    tables.cost[slot, passed] = 0
            continue
        pool = _pool(tree, begin, children, tables, size, node)
        for passed in range(2 * size - 1):
            best, chosen = pool[passed], passed  # keep nothing here
            for have in range(passed + size, 3 * size - 1):
                if pool[have] < best:
                    best, chosen = pool[have], have
            if best < NEVER:
                tables.cost[slot, passed] = best - passed * tree.cost[node]
                tables.pool[slot, passed] = chosen
    return until


@kernel
def _pool(tree: RecordTree, begin: Ints, children: Ints, tables: Tables, size: int, node: int) -> Ints:
    """[records] least cost of a pool of that many, all of them charged this node's cost.

    Equal costs: the subtree added last passes up the fewest, then the pool before it was the smallest.
    """
    cost, full = tree.cost[node], 3 * size - 2
    pool = np.full(full + 1, NEVER, np.int64)
    small = 0
    for i in range(begin[node], begin[node + 1]):
        if tree.slot[children[i]] < 0:
            small += tree.records[children[i]]
    pool[min(small, full)] = small * cost
    for i in range(begin[node], begin[node + 1]):
        slot = tree.slot[children[i]]
        if slot < 0:
            continue
        grown = np.full(full + 1, NEVER, np.int64)
        for passed in range(2 * size - 1):
            extra = tables.cost[slot, passed]
            if extra == NEVER:
                continue
            for have in range(full + 1):
                if pool[have] == NEVER:
                    continue
                value = pool[have] + extra + passed * cost
                after = min(have + passed, full)
                if value < grown[after]:
                    grown[after] = value
                    tables.passed[slot, after] = passed
                    tables.before[slot, after] = have
        pool = grown
    return pool


@kernel
def kept(tree: RecordTree, begin: Ints, children: Ints, tables: Tables) -> Ints:
    """[node] how many records it keeps, in the best solution that passes none up from the root."""
    up = tree.records.copy()
    found = np.zeros(len(tree.parent), np.int64)
    up[0] = 0
    for node in range(len(tree.parent)):
        slot = tree.slot[node]
        if slot < 0:
            continue
        if tree.is_leaf[node]:
            found[node] = tree.records[node] - up[node]
            continue
        have = tables.pool[slot, up[node]]
        for i in range(begin[node + 1] - 1, begin[node] - 1, -1):
            child = tree.slot[children[i]]
            if child >= 0:
                up[children[i]] = tables.passed[child, have]
                have = tables.before[child, have]
        for i in range(begin[node], begin[node + 1]):
            found[node] += up[children[i]]
        found[node] -= up[node]
    return found


@kernel
def labels_of(keeps: Ints, first: Ints, last: Ints, leaf_start: Ints, rows: Ints, size: int) -> Ints:
    """Class of each row: every node keeps the first of its free rows, in blocks of k, the rest to the last block.

    ``rows`` are sorted by (leaf, row), those of leaf i begin at ``leaf_start[i]``; ``first`` and ``last`` are the
    leaves below each node.
    """
    labels = np.full(len(rows), -1, np.int64)
    label = 0
    for node in range(len(keeps) - 1, -1, -1):
        if keeps[node] == 0:
            continue
        blocks, taken = keeps[node] // size, 0
        for place in range(leaf_start[first[node]], leaf_start[last[node] + 1]):
            if taken < keeps[node] and labels[rows[place]] < 0:
                labels[rows[place]] = label + min(taken // size, blocks - 1)
                taken += 1
        label += blocks
    return labels
