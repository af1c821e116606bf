# SPDX-License-Identifier: Apache-2.0
"""Labels that are broken: ``[39, 35]``, ``[35, 39``, a lower bound above the upper one, a name that no tree has.

Nobody can say what such a cell stands for, so nobody can say who it hides. Looked at are quasi-identifiers in which at
least half of the labels are ranges or numbers, pairs of bounds, and quasi-identifiers whose tree is given. Where the
order of values is given, a range that ends before it begins is found by that; else a range of ordered values may end in
a name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np

from shoal.ground.errors import TableError
from shoal.ground.wording import counted
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.labels.spelling import ANYTHING, ends_in, members
from shoal.judging.leak_search import WARNING, Leak, LeakScene
from shoal.judging.leaks._labels import reader
from shoal.plan.roles import ORDERED, RANGE_KINDS
from shoal.tables.ordering import number_in

LIKE_A_RANGE = re.compile(r"^\s*[\[\](].*\d|\d.*[\[\])]\s*$")
"""The brackets of a range around a number, whole or broken."""
LIKE_ENDS = re.compile(r"^\s*[\[\](]|[\[\])]\s*$")
"""The brackets of a range, whole or broken."""
ADVICE = "mend the labels, or make the release again"


def find(scene: LeakScene) -> Iterator[Leak]:
    """Columns with labels that cannot be meant."""
    for name in scene.plan.quasi_identifiers:
        shown = scene.plan.published(name)
        if not set(shown) <= set(scene.names):
            continue
        broken = _reversed(scene, *shown) if len(shown) == 2 else _unreadable(scene, name)
        if broken:
            rows = counted(broken, "row")
            said = f"column {name!r} has {rows} with a range that cannot be read, or that ends before it begins"
            yield Leak("malformed_labels", WARNING, said, ADVICE, (name,))
        elif foreign := _in_no_tree(scene, name):
            said = f"column {name!r} has {counted(foreign, 'row')} with a label that is not in its hierarchy"
            yield Leak("malformed_labels", WARNING, said, ADVICE, (name,))


def _in_no_tree(scene: LeakScene, name: str) -> int:
    """Rows whose label is neither a node of the column's tree nor a set of nodes."""
    tree = scene.plan.columns[name].hierarchy if name in scene.plan.columns else None
    if not isinstance(tree, Hierarchy) or name not in scene.names:
        return 0
    cells, known = scene.cells(name), {*tree.labels, ANYTHING}
    marked = "'" if scene.plan.formulas == "prefix" else ""
    plain = [label.removeprefix(marked) for label in cells.texts]
    foreign = [label not in known and not known.issuperset(members(label) or [label]) for label in plain]
    return int(cells.counts[np.array(foreign, dtype=bool)].sum())


def _unreadable(scene: LeakScene, name: str) -> int:
    """Rows with a broken range in a column of ranges."""
    cells = scene.cells(name)
    understood = reader(scene, name)
    read = [understood(label.strip()) is not None for label in cells.texts]
    declared = scene.plan.columns[name].kind if name in scene.plan.columns else None
    if 2 * sum(read) < len(read) or declared not in (None, *RANGE_KINDS):
        return 0
    ordered = scene.released.category_order(name) is not None
    like = LIKE_ENDS if ordered else LIKE_A_RANGE
    suspect = [not fine and like.search(label) is not None for fine, label in zip(read, cells.texts)]
    if declared == ORDERED and not ordered:
        suspect = [odd and not _ends_in_a_name(label) for odd, label in zip(suspect, cells.texts)]
    return int(cells.counts[np.array(suspect, dtype=bool)].sum())


def _ends_in_a_name(label: str) -> bool:
    """Whether a range of ordered values begins or ends with one that has no size, as ``[3, many]`` does."""
    return any(number_in(end) is None for end in ends_in(label))


def _reversed(scene: LeakScene, low: str, high: str) -> int:
    """Rows with bounds the wrong way round, or with one of the two alone."""
    try:
        first, last = scene.released.numbers(low).values, scene.released.numbers(high).values
    except TableError:
        return 0
    return int(((first > last) | (np.isnan(first) != np.isnan(last))).sum())
