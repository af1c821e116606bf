# SPDX-License-Identifier: Apache-2.0
"""Levels that all classes share: any two labels of the column are the same, or no value fits both.

Judged on the labels alone: a range holds what lies between its ends, a node of a tree its leaves, a set its members, a
mask such as ``554**`` all codes that fit it, ``*`` everything. A missing cell is a label of its own.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence

import numpy as np

from shoal.ground.arrays import Floats
from shoal.hierarchies.hierarchy import Hierarchy
from shoal.judging.labels.lines import EVERYTHING, Line, Stretch
from shoal.judging.labels.reach import CENTRES
from shoal.judging.labels.spelling import ANYTHING, ends_in, members
from shoal.judging.verdicts import Finding
from shoal.plan.plan import Plan
from shoal.plan.roles import CATEGORICAL, ORDERED, RANGE_KINDS, TEXT_PREFIX
from shoal.tables.notation import Notation
from shoal.tables.ordering import in_order
from shoal.tables.table import Table

MODEL = "common_levels"
MASK = "*"
STYLES = ("real", "date", "datetime")
"""What the ends of a range may be, in the order in which they are tried."""


def check_levels(released: Table, plan: Plan) -> list[Finding]:
    """One finding for all columns that a plan wants in common levels; none if there are no such columns."""
    if not plan.in_common_levels:
        return []
    found = {name: _overlapping(released, plan, name) for name in plan.in_common_levels}
    said = [
        f"column {name!r}: " + (f"{labels} labels, none of which overlap" if not bad else f"{bad} of {labels} overlap")
        for name, (labels, bad) in found.items()
    ]
    figures = {name: {"labels": labels, "overlapping": bad} for name, (labels, bad) in found.items()}
    return [Finding(MODEL, not any(bad for _, bad in found.values()), "; ".join(said), figures)]


def _overlapping(released: Table, plan: Plan, name: str) -> tuple[int, int]:
    """How many different labels a column has, and how many of them have values in common with another."""
    column, rendering = plan.columns[name], plan.rendering(name)
    if rendering == "bounds":
        return _of_bounds(released, plan.published(name))
    labels = [label.removeprefix("'") if plan.formulas == "prefix" else label for label in released.codes(name)[1]]
    if rendering in CENTRES:
        return len(labels), 0
    kind = column.kind or (CATEGORICAL if isinstance(column.hierarchy, Hierarchy) else released.natural_kind(name))
    stretches = None
    if isinstance(column.hierarchy, Hierarchy):
        stretches = _nodes(labels, column.hierarchy)
    elif kind in RANGE_KINDS or column.kind is None:  # a label tells whether it is a range, where nobody does
        stretches = _ranges(
            labels, released.notation(name), _order(labels, released, name) if kind == ORDERED else None
        )
    if stretches is not None:
        return len(labels), _crossing(np.array(stretches, dtype=np.float64).reshape(-1, 2))
    return len(labels), _alike([_values(label, kind == ORDERED) for label in labels], masked=kind == TEXT_PREFIX)


def _of_bounds(released: Table, shown: Sequence[str]) -> tuple[int, int]:
    """The same for two columns of bounds; of ordered values only the ends are known, not what lies between."""
    low, high = (released.codes(name) for name in shown)
    pairs = np.unique(np.column_stack([low[0], high[0]]), axis=0)
    notation = released.notation(shown[0])
    told = [(low[1][one], high[1][other]) for one, other in pairs if one >= 0 and other >= 0]
    texts = [f"[{first}{notation.between} {last}]" for first, last in told]
    stretches = _ranges(texts, notation, None)
    if stretches is None:
        return len(texts), _alike([_values(text, True) for text in texts], masked=False)
    return len(texts), _crossing(np.array(stretches, dtype=np.float64).reshape(-1, 2))


# -- on a line -----------------------------------------------------------------------------------------------------


def _crossing(stretches: Floats) -> int:
    """How many stretches have a place in common with another."""
    low, high = stretches[np.lexsort(stretches.T[::-1])].T
    with_earlier = low[1:] <= np.maximum.accumulate(high)[:-1]
    with_later = high[:-1] >= low[1:]
    return int((np.append(False, with_earlier) | np.append(with_later, False)).sum()) if len(low) else 0


def _order(labels: Sequence[str], released: Table, name: str) -> dict[str, float]:
    """The places of ordered values, as the type of the column declares them; none if it does not."""
    declared = released.category_order(name)
    values = {end for label in labels for end in _values(label, True)} - {ANYTHING}
    return {value: float(rank) for rank, value in enumerate(in_order(values, declared))} if declared else {}


def _ranges(labels: Sequence[str], notation: Notation, ranks: dict[str, float] | None) -> list[Stretch] | None:
    """The stretch of every label; None where one cannot be read."""
    for style in STYLES if ranks is None else [ORDERED]:
        line = Line(np.array(EVERYTHING), style, notation, ranks or {})
        read = [line.read(label) for label in labels]
        if None not in read:
            return [one for one in read if one is not None]
    return None


def _nodes(labels: Iterable[str], tree: Hierarchy) -> list[Stretch] | None:
    """The leaves below what every label names; None where the tree does not know one."""
    nodes = {label: node for node, label in enumerate(tree.labels)} | {ANYTHING: 0}
    found: list[Stretch] = []
    for label in labels:
        listed = [label] if label in nodes else members(label) or [label]
        if not all(one in nodes for one in listed):
            return None
        ends = [(float(tree.first[nodes[one]]), float(tree.last[nodes[one]])) for one in listed]
        whole = min(low for low, _ in ends), max(high for _, high in ends)
        found.append(EVERYTHING if any(nodes[one] == 0 for one in listed) else whole)
    return found


# -- as sets of names ----------------------------------------------------------------------------------------------


def _values(label: str, ranges: bool) -> frozenset[str]:
    """The values that a label names."""
    listed = members(label)
    if listed is None and ranges and label.startswith("["):
        listed = ends_in(label)
    return frozenset(listed or [label])


def _alike(labels: Sequence[frozenset[str]], *, masked: bool) -> int:
    """How many labels have a value in common with another."""
    pairs = itertools.combinations(range(len(labels)), 2)
    return len({place for one, other in pairs if _meet(labels[one], labels[other], masked) for place in (one, other)})


def _meet(one: frozenset[str], other: frozenset[str], masked: bool) -> bool:
    if ANYTHING in one | other or one & other:
        return True
    return masked and any(_fit(first, second) for first in one for second in other)


def _fit(first: str, second: str) -> bool:
    """Whether a code could fit both of two masks, or a mask and a code.

    >>> _fit("80**", "801*"), _fit("80**", "8011"), _fit("80**", "81**"), _fit("8011", "8012")
    (True, True, False, False)
    """
    if not first.endswith(MASK) and not second.endswith(MASK):
        return first == second
    short, long = sorted((first, second), key=lambda code: len(code.rstrip(MASK)))
    return short.endswith(MASK) and long.startswith(short.rstrip(MASK))
