# SPDX-License-Identifier: Apache-2.0
"""Labels of a released table, read without the original: which of them mean the same, and which have values in common.

Every label becomes a closed span on a line: numbers and dates by their ends, nodes of a tree by their first and last
leaf, other names by a place of their own. Leaves are numbered depth-first, so that two nodes have a leaf in common if
and only if their spans overlap.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np

from shoal.ground.arrays import Floats
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.evidence import once
from shoal.judging.labels.lines import EVERYTHING, Stretch, order_line, span_of
from shoal.judging.labels.spelling import ANYTHING, members
from shoal.judging.leak_search import LeakScene

LARGEST_EXACT = 2.0**53
"""From here on several whole numbers have the same place on a line."""
DIGITS = re.compile(r"\d+")


def reader(scene: LeakScene, name: str) -> Callable[[str], Stretch | None]:
    """How labels of a column are read without the original: by the order of its values, or as numbers and dates."""
    order = scene.released.category_order(name)
    if order is not None:
        return order_line(order).read
    return partial(span_of, notation=scene.released.notation(name))


def meaning(label: str, read: Callable[[str], Stretch | None] = span_of) -> object:
    """What a label says, however it is written; None if there is only one way to write it."""
    listed = members(label)
    if listed is not None:
        return frozenset(listed)
    stretch = read(label) if label != ANYTHING else None
    exact = stretch is None or max(map(abs, stretch)) < LARGEST_EXACT
    return stretch if exact else (stretch, *DIGITS.findall(label))


def spans(scene: LeakScene, name: str) -> Floats | None:
    """Stretch of each distinct label of a quasi-identifier, [label, 2]; missing, last, lies beyond all others.

    None where a label cannot be placed.
    """
    return once(scene.read, ("spans", name), lambda: _spans(scene, name))


def _spans(scene: LeakScene, name: str) -> Floats | None:
    labels = scene.cells(name).texts
    tree = scene.plan.columns[name].hierarchy if name in scene.plan.columns else None
    if isinstance(tree, Hierarchy):
        found = _in_a_tree(labels, tree)
    else:
        read = list(map(reader(scene, name), labels))
        ranges = [one for one in read if one is not None and one[0] < one[1] and not math.isinf(one[0])]
        found = read if ranges and None not in read else _by_name(labels)
    if None in found:
        return None
    beyond = 1 + max((one[1] for one in found if one is not None and math.isfinite(one[1])), default=0.0)
    return np.array([*found, (beyond, beyond)], dtype=np.float64)


def _in_a_tree(labels: Sequence[str], tree: Hierarchy) -> list[Stretch | None]:
    nodes = {label: node for node, label in enumerate(tree.labels)}
    placed: list[Stretch | None] = []
    for label in labels:
        node = nodes.get(label)
        if label == ANYTHING or node == 0:
            placed.append(EVERYTHING)
        else:
            placed.append(None if node is None else (float(tree.first[node]), float(tree.last[node])))
    return placed


def _by_name(labels: Sequence[str]) -> list[Stretch | None]:
    """Names without a tree: each is its own value, a set of names or a prefix is told from none of them."""
    if any(members(label) is not None or (len(label) > 1 and label.endswith("*")) for label in labels):
        return [None]
    return [EVERYTHING if label == ANYTHING else (float(place), float(place)) for place, label in enumerate(labels)]
